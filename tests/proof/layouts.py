# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares four definitions of a sound layout, in TAP: truth.py, the checker's, neap's, and the proven one.

    layouts.py CHECKER COUNT [PROVEN]

Takes COUNT problems of three buffers with two further constraints, spread over all, and all layouts of up to HEIGHT
offsets for each buffer; and COUNT problems with pools (objectives.py), with up to four offsets in each pool.  PROVEN is
the program that proof/build.sh makes.
"""
from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, NamedTuple

import neap

import objectives
from exhaustive import REJECTIONS, buffer_rows, constraint_lines, extras, problem_of
from mutate import load
from truth import Row, buffer_line, is_sound, read_lines, sealed

HEIGHT = 6
STEP = 7_368_787  # a prime, so that the problems taken are spread over all
NAMES = {"separation": "separations", "exclusion": "exclusions", "overlap": "overlaps", "colocation": "colocations",
         "bank_separation": "bank_separations"}


class Layout(NamedTuple):
    offsets: tuple[int, ...]
    pools: tuple[int, ...] = ()


Case = tuple[Row, list[Layout], list[bool]]  # all layouts of a problem, and whether each is sound


def problems(count: int) -> Iterator[Row]:
    rows = list(itertools.combinations_with_replacement(buffer_rows(), 3))
    pairs = list(itertools.combinations(extras()[1:], 2))
    for at in range(count):
        which, pair = divmod(at * STEP % (len(rows) * len(pairs)), len(pairs))
        problem = problem_of(rows[which], pairs[pair])
        if not {("separation", i, j, 0) for kind, i, j, _ in problem["relations"] if kind == "exclusion"} & set(problem["relations"]):
            yield problem  # neap refuses that contradiction


def in_one_space(count: int) -> Iterator[Case]:
    for problem in problems(count):
        layouts = [Layout(offsets) for offsets in itertools.product(range(HEIGHT), repeat=3)]
        yield problem, layouts, [is_sound(problem, list(layout.offsets)) for layout in layouts]


def in_pools(count: int) -> Iterator[Case]:
    for problem in objectives.problems(count):
        problem.update(penalties=[], moves=[])  # a layout is sound whatever it costs
        if problem["pools"]:
            places = [objectives.places(problem, i) for i in range(3)]
            each = itertools.product(range(4), range(len(problem["pools"])))
            layouts = [Layout(*zip(*own)) for own in itertools.product(each, repeat=3)]
            yield problem, layouts, [all(own in places[i] for i, own in enumerate(zip(layout.pools, layout.offsets)))
                                     and objectives.is_sound(problem, layout.pools, list(layout.offsets)) for layout in layouts]


# ---------------------------------------------------------------- the definitions


def lines_of(problem: Row, layout: Layout) -> list[str]:
    if layout.pools:
        return objectives.lines_of(problem, objectives.Plan((0,) * 4, layout.offsets, layout.pools))
    placed = enumerate(zip(problem["buffers"], layout.offsets))
    return ["neap-certificate 1", "peak 1", *(buffer_line(i, own, at) for i, (own, at) in placed), *constraint_lines(problem)]


def by_checker(checker: Any, problem: Row, layouts: list[Layout]) -> Iterator[bool]:
    for layout in layouts:
        try:
            stated = read_lines(checker, lines_of(problem, layout)).problem
            checker.Best(stated, []) if layout.pools else checker.check_plan(stated)
            yield True
        except REJECTIONS:
            yield False


def reserved(hole: tuple[int, int, int, int]) -> dict[str, Any]:
    return {"bytes": hole[:2], "when": hole[2:]}


def document(problem: Row) -> dict[str, Any]:
    """The problem as a plan without offsets."""
    made: dict[str, Any] = {"format": "neap-plan", "version": 1, "buffers": []}
    for number, own in enumerate(problem["buffers"]):
        row = {"name": f"b{number}", "size": own["size"], "alignment": own["align"], "lifetimes": own["life"]}
        if own["fixed"] is not None:
            row["fixed_offset"] = own["fixed"]
        if own["low"] or own["high"] is not None:
            row["window"] = [own["low"], own["high"]]
        if own["bank"]:
            row["bank"] = own["bank"]
        made["buffers"].append(row)
    made["reserved"] = [reserved(hole) for hole in problem["reserved"]]
    for kind, i, j, count in problem["relations"]:
        a, b = f"b{i}", f"b{j}"
        row = {"overlap": {"first": a, "second": b, "bytes": count}, "colocation": {"first": a, "second": b, "offset": count},
               "bank_separation": {"buffers": [a, b], "bank": count}}.get(kind, {"buffers": [a, b]})
        made.setdefault(NAMES[kind], []).append(row)
    return made


def verifies(path: Path, plan: dict[str, Any]) -> bool:
    path.write_text(json.dumps(plan), encoding="utf-8")
    try:
        neap.read_plan(path).verify()
    except neap.Error:
        return False
    return True


def by_neap(path: Path, problem: Row, layouts: list[Layout]) -> Iterator[bool]:
    made = document(problem)
    if problem.get("pools"):
        made["pools"] = [{"name": f"p{k}", "capacity": capacity, "alignment": align}
                         for k, (capacity, align, _) in enumerate(problem["pools"])]
        made["reserved"] = [{**reserved(problem["hole"]), "pool": "p0"}] if problem["hole"] else []
        for row, choices in zip(made["buffers"], problem["choices"]):
            row["pools"] = [f"p{k}" for k in choices]
    for layout in layouts:
        for row, at in zip(made["buffers"], layout.offsets):
            row["offset"] = at
        for row, pool in zip(made["buffers"], layout.pools):
            row["pool"] = f"p{pool}"
        yield verifies(path, made)


def by_proofs(proven: str, path: Path, problem: Row, layouts: list[Layout]) -> Iterator[bool]:
    """What the program prints: a letter for each certificate, whatever that claims."""
    path.write_text("".join(sealed(lines_of(problem, layout)) for layout in layouts), encoding="utf-8")
    printed = subprocess.run([proven, "--layouts", path], capture_output=True, text=True, check=True).stdout
    return (letter == "s" for letter in printed)


# ---------------------------------------------------------------- the comparison


def compare(who: str, cases: Iterable[Case], judge: Callable[[Row, list[Layout]], Iterator[bool]]) -> tuple[str, list[str]]:
    """What is tested, and the differences."""
    compared, sound, faults = 0, 0, list[str]()
    for problem, layouts, truth in cases:
        compared, sound = compared + len(layouts), sound + sum(truth)
        faults += [f"#   {layout} {'is sound' if is_true else 'is not sound'}: {problem}"
                   for layout, is_true, verdict in zip(layouts, truth, judge(problem, layouts), strict=True) if is_true != verdict]
    return f"{who} has the definition of a sound layout ({compared} layouts, {sound} sound)", faults


def main(path: str, count: str, proven: str = "") -> int:
    checker, failed, number = load(path), False, 0
    with tempfile.TemporaryDirectory() as name:
        judges = {"the checker": partial(by_checker, checker), "neap": partial(by_neap, Path(name) / "plan.json")}
        if proven:
            judges["the proven checker"] = partial(by_proofs, proven, Path(name) / "all.cert")
        for family, where in ((list(in_one_space(int(count))), ""), (list(in_pools(int(count))), ", with pools,")):
            for who, judge in judges.items():
                (what, faults), number = compare(who + where, family, judge), number + 1
                failed |= bool(faults)
                print(f"{'not ' if faults else ''}ok {number} - {what}", *faults[:3], sep="\n")
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
