#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the library of public instances, runs the peers on its layouts, and prints a page in Markdown."""

import argparse
import pathlib

import measure
import recheck
import report

TABLES = measure.HERE / "library"
KINDS = {"layout": "Layouts", "order": "Orders", "overlap": "Overlaps", "split": "Splits",
         "recompute": "Recomputations"}
NOTES = {"same": "", "changed": "another certificate"}


def rows():
    """What neap finds: the tables of the source, and the instances of the folder of data."""
    found = recheck.read_rows(TABLES)
    for row in found:
        recheck.check(row, measure.DATA / "instances" / row["instance"])
    return found


def known(value):
    return measure.number(value) if value >= 0 else "-"


def source(row):
    if row["repository"] == "-":
        return f"neap, {row['licence']}"
    return f"[{row['repository']}](https://github.com/{row['repository']}/tree/{row['commit']}), {row['licence']}"


def facts(row):
    now = row["time"] if row["kind"] == "recompute" else row["peak"]
    at_hand = row["verdict"] != "missing"
    return [row["instance"], source(row), *([known(row["capacity"])] if row["kind"] == "recompute" else []),
            known(row["size"]), known(row["best"]), known(row["bound"]), row["found"],
            "yes" if row["certificate"] != "-" else "-", known(now) if at_hand else "not at hand",
            measure.seconds(max(row["seconds"], 0)) if at_hand else "-", NOTES.get(row["verdict"], row["verdict"])]


def peer_cell(name, row, limit):
    """What a peer achieves on an instance that is at hand."""
    if row["verdict"] == "missing":
        return "-"
    peak, took, why = measure.peer_plan(name, measure.DATA / "instances" / row["instance"], limit)
    return why if peak is None else f"{measure.number(peak)}, {measure.seconds(took)} s"


def section(kind, group, peers, limit):
    """The heading and the table of a kind; layouts have a column for each peer."""
    peers = peers if kind == "layout" else []
    header = ["instance", "source, licence", *(["capacity"] if kind == "recompute" else []), "size",
              "least time" if kind == "recompute" else "best peak", "bound", "found by", "certificate", "neap now",
              "seconds", "note", *map(measure.peer_title, peers)]
    lines = [facts(row) + [peer_cell(name, row, limit) for name in peers] for row in group]
    return f"## {KINDS[kind]}\n\n" + report.markdown("", header, lines)


def page(limit):
    found = rows()
    peers = [name for name in measure.PEERS if measure.peer_program(name)]
    absent = [measure.PEERS[name] for name in measure.PEERS if name not in peers]
    note = f" Not at hand, and not run: {', '.join(absent)}." if absent else ""
    at_hand = sum(row["verdict"] != "missing" for row in found)
    yield "# The library of public instances\n"
    yield (f"{len(found)} rows, {at_hand} of them at hand, checked by `bench/recheck.py`; peers had {limit:g} s for "
           f"each layout.{note}\n")
    yield report.machine(report.commit_now())
    for kind in KINDS:
        group = [row for row in found if row["kind"] == kind]
        if group:
            yield section(kind, group, peers, limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=1, help="seconds for each peer and layout (default 1)")
    parser.add_argument("output", type=pathlib.Path, help="the page")
    arguments = parser.parse_args()
    report.replace(arguments.output, "\n".join(page(arguments.limit)))


if __name__ == "__main__":
    main()
