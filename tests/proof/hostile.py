# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates that are false or malformed, with the right checksum: the checker rejects each in one line.

    hostile.py CHECKER FOLDER
"""
from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

HUGE = 1 << 200  # no offset is as high for the checker


def buffer(name: str, size: int, alignment: int = 1, fixed: str = "-", low: int = 0, offset: str = "-") -> str:
    return f'buffer "{name}" {size} {alignment} {fixed} {low} - - {offset} 0 1'


ONE = ("peak 5", buffer("a", 5, offset="0"), "load 0 0")
POOLED = (buffer("a", 5), 'pool "p" - 1 -', "in 0 - 0")
SHARED = (
    'buffer "a" 5 1 - 0 - - 0 0 1', 'buffer "b" 5 1 - 0 - - 0 1 2', "reuse_penalty 0 1 3")  # fmt: skip
GRAPH = ("value 1 - ends 1", "value 3 - ends 0 1", "operator -", "operator -")
SHARING = ("peak 5 order 4 @", *ONE[1:], "order 4 0", *GRAPH)
CASES: dict[str, tuple[str, ...]] = {
    "a size that exceeds all offsets": ("least -", buffer("a", HUGE), "column 0"),
    "a sum that exceeds all offsets": (
        "least -", buffer("a", HUGE // 2), buffer("b", HUGE // 2), "column 0 1"),
    "a load that exceeds all offsets": (
        "least -", buffer("a", HUGE // 2), buffer("b", HUGE // 2), "load 0 0 1"),
    "an alignment that exceeds all offsets": ("least -", buffer("a", 1, HUGE, low=1), "column 0"),
    "a fixed offset that exceeds all": ("least -", buffer("a", 1, fixed=str(HUGE)), "column 0"),
    "none, written as a number": (f"least {HUGE}", buffer("a", HUGE), "column 0"),
    "a name that is a deep list": ("least 1", "buffer " + "[" * 100000, "column 0"),
    "no maker, written as a number": (*ONE, "order 5 0", "value 5 -1 ends 0", "operator -", "set 0"),
    "a fixed offset outside its window": ("peak 14", 'buffer "a" 4 1 10 0 8 - 10 0 1', "column 0"),
    "a fixed offset across banks": ("peak 14", 'buffer "a" 4 1 10 0 - 4 10 0 1', "column 0"),
    "no bytes outside their window": ("peak 9", 'buffer "a" 0 1 9 0 8 - 9 0 1', "column 0"),
    "separated buffers that a third one joins": (
        "peak 6", buffer("a", 4, offset="0"), buffer("b", 4, offset="0"), buffer("c", 4, offset="2"), "separation 0 2 0",
        "colocation 0 1 0", "colocation 1 2 2", "load 0 0 1 2"),
    "a chain of no operators": ("peak 5 order 5 @", *ONE[1:], "order 5 0", "value 5 - stays -", "operator -", "run 0"),
    "an output of two sizes": (*SHARING, "in_place 1 0 1 1 1", "over 1 0 1 0 0", "cut 1"),
    "an output that takes more than a value": (*SHARING, "in_place 1 0 1 3 3", "cut 1"),
    "outputs that nothing makes": (*SHARING, "in_place 1 0 1 1 1", "cut 1"),
    "an output in part in place": (*SHARING, "in_place 1 0 1 0 1", "cut 1"),
    "a claim of 0 with a proof": ("peak 0", buffer("a", 0, offset="0"), "load 0 0"),
    "no proof": ("peak 5", buffer("a", 5, offset="0")),
    "two proofs": (*ONE, "load 0 0"),
    "a load outside lifetimes": ("peak 5", buffer("a", 5, offset="0"), "load 1 0"),
    "a buffer counted twice": ("least 10", buffer("a", 5), "load 0 0 0"),
    "colocated buffers counted twice": (
        "least 10", buffer("a", 5), buffer("b", 5), "colocation 0 1 0", "load 0 0 1"),
    "overlapping buffers counted twice": (
        "least 10", buffer("a", 5), buffer("b", 5), "overlap 0 1 0", "load 0 0 1"),
    "excluded buffers": ("least 10", buffer("a", 5), buffer("b", 5), "exclusion 0 1 0", "load 0 0 1"),
    "a pool without a limit": ("over 0 5", *POOLED, "load 0 0"),
    "a negative capacity": ("over 0 5", POOLED[0], 'pool "p" -3 1 -', POOLED[2], "load 0 0"),
    "a buffer that may be in another pool": (
        "over 0 5", buffer("a", 5), 'pool "p" 4 1 -', 'pool "q" 4 1 -', "in 0 - 0 1", "load 0 0"),
    "a plan that leaves out a buffer": (
        "best spill 0 peak 5", buffer("a", 5, offset="0"), buffer("b", 5), 'pool "p" - 1 0', "in 0 0 0", "in 1 - 0", "pool 0",
        "column 0"),
    "a pool left out": ("peak 5", buffer("a", 5, offset="0"), *POOLED[1:2], "in 0 0 0", "load 0 0"),
    "a full pool": (
        "best spill 0 peak 5", buffer("a", 5, offset="0"), 'pool "p" 4 1 -', "in 0 0 0", "pool 0", "load 0 0"),
    "a pool that costs more": (
        "best spill 5 peak 5", buffer("a", 5, offset="0"), 'pool "p" - 1 -', 'pool "q" - 1 -', "in 0 1 0 1",
        "all 5", "load 0 0"),
    "a penalty that is not mentioned": ("peak 5", *SHARED[:3], "load 0 0"),
    "a penalty that can be avoided": ("best reuse 3 peak 5", *SHARED, "core 3 0 0", "column 0 1", "pool 0", "load 0 0"),
    "a penalty paid twice": (
        "best peak 5 reuse 3", *SHARED, "pool 0", "load 0 0", "core 2 0 0", "column 0 1", "core 2 0 0", "column 0 1"),
    "a core that is used up": (
        "best peak 5 reuse 3", *SHARED, "pool 0", "load 0 0", "core 4 0 0", "column 0 1"),
    "a move that need not be paid": (
        "best peak 5 moved 5", buffer("a", 5, offset="0"), "near 0 8 5", "pool 0", "load 0 0"),
    "a due move that is paid again": (
        "best peak 9 moved 5", 'buffer "a" 5 4 - 0 - - 4 0 1', "near 0 2 3", "pool 0", "load 0 0", "core 2 0 0", "column 0"),
    "a penalty of colocated buffers that share no byte": (
        "best peak 10 reuse 3", *SHARED[:1], 'buffer "b" 5 1 - 0 - - 5 1 2', "colocation 0 1 5", SHARED[2], "pool 0",
        "column 0 1"),
    "a pool with the distance of colocated buffers in another one": (
        "over 0 60", *(buffer(name, 4) for name in "abc"), 'pool "p" 50 1 0', 'pool "q" - 1 0', "in 0 - 0", "in 1 - 1",
        "in 2 - 1", "colocation 1 2 100", "pairs 0"),
    "a plan in pools with that distance": (
        "best spill 0 peak 112", buffer("a", 4, offset="4"), buffer("b", 4, offset="0"), buffer("c", 4, offset="100"),
        'pool "p" 50 1 0', 'pool "q" - 1 0', "in 0 0 0", "in 1 1 1", "in 2 1 1", "colocation 1 2 100", "pool 0", "pairs 0",
        "pool 1", "pairs 0"),
    "an output over a value that is listed before one in place": (
        "peak 29 order 29 @", buffer("a", 29, offset="0"), "load 0 0", "order 29 0", "value 10 - ends 0", "value 10 - ends 0",
        "value 10 0 stays -", "operator -", "over 0 1 0 1 10", "in_place 0 0 0 10 10", "set 0"),
    "colocated buffers whose alignments never meet in a window": (
        "least 9", 'buffer "b" 4 2 - 0 5 - - 0 1', buffer("c", 4, 2), "colocation 0 1 1", "pairs 0"),
    "banks of a pair that is not separated": (
        "least 9", *(buffer(name, 1) for name in "abc"), "bank_separation 0 1 4", "bank_separation 1 2 4", "banks 4 0 1 2"),
    "banks that are larger than those that separate": (
        "least 9", buffer("a", 1), buffer("b", 1), "bank_separation 0 1 4", "banks 8 0 1"),
    "banks of buffers without bytes": ("least 4", buffer("a", 0), buffer("b", 0), "bank_separation 0 1 4", "banks 4 0 1"),
    "banks of a single buffer": (
        "least 1", buffer("a", 1), buffer("b", 1), "bank_separation 0 1 4", "banks 4 0"),
    "banks without a buffer": ("least -", buffer("a", 1), "banks 4"),
    "banks of no bytes": ("least 1", buffer("a", 1), buffer("b", 1), "bank_separation 0 1 4", "banks 0 0 1"),
    "a clause that does not follow": ("least 11", buffer("a", 5), buffer("b", 5), "pairs 1", "below 0 1"),
    "clauses that can all be true": ("least 11", buffer("a", 5), buffer("b", 5), "pairs 0"),
    "a clause about two that do not conflict": (
        "least 10", buffer("a", 5), buffer("b", 5), "exclusion 0 1 0", "pairs 1", "below 0 1"),
    "a clause about a pair in both orders": (
        "least 10", buffer("a", 4), buffer("b", 4), "pairs 1", "below 0 1 1 0"),
    "a clause that is not counted": ("least 10", buffer("a", 5), buffer("b", 5), "pairs 0", "below 0 1"),
    "a clique of buffers that may share bytes": (
        "least 10", buffer("a", 5), buffer("b", 5), "exclusion 0 1 0", "pairs 0", "clique 0 1"),
    "a clique with a buffer twice": (
        "least 12", buffer("a", 4), buffer("b", 4), buffer("c", 1), "pairs 0", "clique 0 1 1 2"),
    "a clique of colocated buffers that share a byte": (
        "least 12", buffer("a", 4), buffer("b", 4), buffer("c", 4), "colocation 0 1 3", "pairs 0", "clique 0 1 2"),
    "a clause about colocated buffers": (
        "least 8", buffer("a", 4), buffer("b", 4), "colocation 0 1 4", "pairs 1", "below 0 1"),
    "a clause about an interval in both orders": (
        "least 13", buffer("a", 4), buffer("b", 4), buffer("c", 4), "colocation 0 1 4", "pairs 1", "below 0 2 2 0"),
    "a clause that leaves out a place between colocated buffers": (
        "least 16", buffer("a", 4), buffer("b", 4), buffer("c", 4), "colocation 0 1 8", "pairs 2", "below 2 0", "below 1 2"),
    "buffers of a clique that an allowance lets share bytes": (
        "least 12", buffer("a", 4), buffer("b", 4), buffer("c", 4), "overlap 0 1 0", "pairs 0", "clique 0 1 2"),
}  # fmt: skip


def main() -> int:
    checker, path = sys.argv[1], Path(sys.argv[2]) / "hostile.cert"
    bad = 0
    for name, lines in CASES.items():
        graph = "".join(f"{line}\n" for line in lines if line.split()[0] in ("value", "operator", "in_place", "over"))
        text = "".join(f"{line}\n" for line in ("neap-certificate 1", *lines))
        text = text.replace("@", f"{zlib.crc32(graph.encode()):08x}")
        end = f"end {len(lines) + 1} {zlib.crc32(text.encode()):08x}\n"
        path.write_text(text + end, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, checker, str(path)], capture_output=True, text=True, check=False)  # fmt: skip
        if done.returncode != 1 or not done.stdout.startswith("rejected: ") or done.stderr:
            print(f"{name}: {done.stdout}{done.stderr[-200:]}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
