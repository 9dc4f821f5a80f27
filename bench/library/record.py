#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""record.py [REPORT...]: puts what `bench/recheck.py --json` has found into instances.txt beside this script.

A lower peak, a higher bound or a size or certificate that was not known replaces what the table has, and a bound above
the new peak is dropped, which happens to splits if neap searches more choices; with --all, everything that was planned
replaces it, so that the table states what this version of the program finds.
"""
import argparse
import json
import pathlib

TABLE = pathlib.Path(__file__).with_name("instances.txt")
INSTANCE, KIND, CAPACITY, SIZE, BEST, BOUND, FOUND, CERTIFICATE = 0, 4, 5, 7, 8, 9, 10, 11


def known(number):
    return str(number) if number >= 0 else "-"


def size(row):
    return row["buffers"] if row["kind"] in ("layout", "overlap") else row["operators"]


def figures(row):
    """The found and the proven values."""
    return (row["time"], row["least_time"]) if row["kind"] == "recompute" else (row["peak"], row["lower_bound"])


def key(instance, kind, capacity):
    return instance, kind, str(capacity) if kind == "recompute" else "-"


def update(fields, row, everything):
    """The fields of a line with the figures of a row."""
    best, bound = figures(row)
    is_new = fields[BEST] == "-" or best < int(fields[BEST])
    is_same = not is_new and best == int(fields[BEST])
    if everything or is_new:
        fields[BEST] = known(best)
    if is_new:
        fields[FOUND] = "neap"
    if everything or fields[BOUND] == "-" or not bound <= int(fields[BOUND]) <= int(fields[BEST]):
        fields[BOUND] = known(bound)
    if everything or is_new or is_same and fields[CERTIFICATE] == "-":
        fields[CERTIFICATE] = row["certificate_now"] or "-"
    fields[SIZE] = known(size(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("reports", nargs="+", type=argparse.FileType(encoding="utf-8"), metavar="REPORT")
    parser.add_argument("--all", action="store_true", help="also take what is not better")
    arguments = parser.parse_args()
    rows = {key(row["instance"], row["kind"], row["capacity"]): row
            for report in arguments.reports for row in json.load(report)["rows"] if row["peak"] >= 0}
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    for index, line in enumerate(lines):
        fields = line.split()
        name = fields and not line.startswith("#") and key(fields[INSTANCE], fields[KIND], fields[CAPACITY])
        if name in rows:
            update(fields, rows[name], arguments.all)
            lines[index] = " ".join(fields)
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
