# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares four definitions of a sound layout, in TAP: truth.py, the checker's, neap's, and the proven one.

    layouts.py CHECKER COUNT [PROVEN]

Takes COUNT problems of three buffers with two further constraints, spread over all, and all layouts of up to HEIGHT
offsets for each buffer.  PROVEN is the program that proof/build.sh makes; it covers no colocations.  Of COUNT problems
with pools (objectives.py), neap is compared alone.
"""
from __future__ import annotations

import dataclasses
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, Sequence

import neap

import objectives
from exhaustive import REJECTIONS, buffer_rows, constraint_lines, extras, problem_of, statement
from mutate import load
from truth import Row, buffer_line, is_sound, sealed

HEIGHT = 6
STEP = 7_368_787  # a prime, so that the problems taken are spread over all
NAMES = {"separation": "separations", "exclusion": "exclusions", "overlap": "overlaps", "colocation": "colocations",
         "bank_separation": "bank_separations"}
Layout = tuple[int, ...]
Placed = tuple[int, int]  # pool and offset


def problems(count: int) -> Iterator[Row]:
    rows = list(itertools.combinations_with_replacement(buffer_rows(), 3))
    pairs = list(itertools.combinations(extras()[1:], 2))
    for at in range(count):
        which, pair = divmod(at * STEP % (len(rows) * len(pairs)), len(pairs))
        problem = problem_of(rows[which], pairs[pair])
        if not {("separation", i, j, 0) for kind, i, j, _ in problem["relations"] if kind == "exclusion"} & set(problem["relations"]):
            yield problem  # neap refuses that contradiction


# ---------------------------------------------------------------- the definitions


def by_checker(checker: Any, problem: Row, layouts: list[Layout]) -> list[bool]:
    stated, found = statement(checker, problem), []
    for layout in layouts:
        stated.buffers = [dataclasses.replace(own, offset=at) for own, at in zip(stated.buffers, layout)]
        try:
            checker.check_plan(stated)
            found.append(True)
        except REJECTIONS:
            found.append(False)
    return found


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


def by_neap(path: Path, problem: Row, layouts: list[Layout]) -> list[bool]:
    made, found = document(problem), []
    for layout in layouts:
        for row, at in zip(made["buffers"], layout):
            row["offset"] = at
        found.append(verifies(path, made))
    return found


def in_pools_by_neap(path: Path, problem: Row, layouts: list[tuple[Placed, ...]]) -> list[bool]:
    made, found = document(problem), []
    made["pools"] = [{"name": f"p{k}", "capacity": capacity, "alignment": align}
                     for k, (capacity, align, _) in enumerate(problem["pools"])]
    if problem["hole"]:
        made["reserved"] = [{**reserved(problem["hole"]), "pool": "p0"}]
    for layout in layouts:
        for row, choices, (pool, at) in zip(made["buffers"], problem["choices"], layout):
            row.update(pools=[f"p{k}" for k in choices], pool=f"p{pool}", offset=at)
        found.append(verifies(path, made))
    return found


def by_proofs(proven: str, folder: Path, problem: Row, layouts: list[Layout]) -> list[bool]:
    """What the program prints: a letter for each certificate, whatever that claims."""
    text = ""
    for layout in layouts:
        lines = ["neap-certificate 1", "peak 1"]
        lines += [buffer_line(number, own, at) for number, (own, at) in enumerate(zip(problem["buffers"], layout))]
        text += sealed(lines + constraint_lines(problem))
    path = folder / "all.cert"
    path.write_text(text, encoding="utf-8")
    return [letter == "s" for letter in subprocess.run([proven, "--layouts", path], capture_output=True, text=True, check=True).stdout]


# ---------------------------------------------------------------- the comparison


def in_pools(problem: Row) -> tuple[list[tuple[Placed, ...]], list[bool]]:
    """All layouts in pools, and which of them are sound."""
    places = [objectives.places(problem, i) for i in range(3)]
    layouts = list(itertools.product(itertools.product(range(len(problem["pools"])), range(4)), repeat=3))
    return layouts, [all(own in allowed for own, allowed in zip(layout, places))
                     and objectives.is_sound(problem, tuple(pool for pool, _ in layout), [at for _, at in layout])
                     for layout in layouts]


def main(path: str, count: str, proven: str = "") -> int:
    checker = load(path)
    compared = {"the checker": 0, "neap": 0, "the proven checker": 0, "neap, with pools,": 0}
    sound, faults = dict.fromkeys(compared, 0), {name: list[str]() for name in compared}

    def compare(who: str, problem: Row, layouts: Sequence[object], truth: list[bool], verdicts: list[bool]) -> None:
        compared[who] += len(verdicts)
        sound[who] += sum(truth)
        faults[who] += [f"{layout} {'is sound' if is_true else 'is not sound'}: {problem}"
                        for layout, is_true, verdict in zip(layouts, truth, verdicts, strict=True) if is_true != verdict]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for problem in problems(int(count)):
            layouts = list(itertools.product(range(HEIGHT), repeat=3))
            truth = [is_sound(problem, list(layout)) for layout in layouts]
            found = {"the checker": by_checker(checker, problem, layouts), "neap": by_neap(folder / "plan.json", problem, layouts)}
            if proven and all(row[0] != "colocation" for row in problem["relations"]):
                found["the proven checker"] = by_proofs(proven, folder, problem, layouts)
            for who, verdicts in found.items():
                compare(who, problem, layouts, truth, verdicts)
        for problem in objectives.problems(2 * int(count)):
            if problem["pools"]:
                placed, truth = in_pools(problem)
                compare("neap, with pools,", problem, placed, truth, in_pools_by_neap(folder / "plan.json", problem, placed))
    taken = [who for who in compared if compared[who]]
    for number, who in enumerate(taken, 1):
        print(f"{'not ' if faults[who] else ''}ok {number} - {who} has the definition of a sound layout "
              f"({compared[who]} layouts, {sound[who]} sound)")
        print("".join(f"#   {text}\n" for text in faults[who][:3]), end="")
    print(f"1..{len(taken)}")
    return 1 if any(faults.values()) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
