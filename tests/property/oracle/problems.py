# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws small random problems of every feature, and options of `neap plan` to go with them."""
from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]

FEATURES = (
    "alignments", "gaps", "empty", "windows", "banks", "fixed", "near", "pools", "reserved",
    "separations", "exclusions", "overlaps", "colocations", "bank_separations", "reuse_penalties",
    "objective", "conflicts",
)  # fmt: skip
# Divisors of 48, so that alignments and banks repeat soon.
UNITS = (1, 2, 2, 3, 4, 4, 6, 8, 12, 16)
NAMES = ("a", "b c", "ü", 'q"', "x,y", "#z", "0", "a.b", "t;u", "<&>", "ab", "buffer", "-1")
ENGINES = ("auto",) * 6 + ("exact",) * 6 + ("tune", "tune", "sort", "sort") + (
    "tflite-arena", "tflm-greedy", "nnvm", "tflite-gpu-offset-greedy-by-size", "pplnn-compact",
)  # fmt: skip
DISABLED = (
    "components", "refuted", "twins", "weights", "boundaries", "coarsening", "disjunctive",
    "ejection", "restacking", "beams", "groups", "everything", "whole", "rounded", "orders",
)  # fmt: skip


@dataclass
class Case:
    """What neap is asked, and as what kind of file."""

    document: Document
    options: list[str] = field(default_factory=list)
    extension: str = "json"


class Draw:
    """One problem, drawn feature by feature."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        share = rng.choice((0.0, 0.1, 0.25, 0.5))
        self.features = {name for name in FEATURES if rng.random() < share}
        self.features.add(rng.choice(FEATURES))
        if self.chance(0.8):
            self.features.discard("conflicts")
        self.largest = rng.choice((3, 6, 10, 25))
        self.span = rng.randint(1, 8)
        self.names = rng.sample(NAMES, rng.randint(1, rng.choice((4, 7, 10))))
        self.document: Document = {"format": "neap-problem", "version": 1}

    def chance(self, part: float) -> bool:
        return self.rng.random() < part

    def has(self, feature: str) -> bool:
        return feature in self.features

    # ------------------------------------------------------------ buffers

    def lifetimes(self) -> list[list[int]]:
        start = self.rng.randrange(self.span)
        ranges = [[start, start + self.rng.randint(1, max(1, self.span - start))]]
        while self.has("gaps") and len(ranges) < 3 and self.chance(0.4):
            start = ranges[-1][1] + self.rng.randint(1, 2)
            ranges.append([start, start + self.rng.randint(1, 2)])
        return ranges

    def buffer(self, name: str) -> Document:
        rng = self.rng
        is_empty = self.has("empty") and self.chance(0.25)
        item: Document = {"name": name, "size": 0 if is_empty else rng.randint(1, self.largest)}
        if not self.has("conflicts"):
            item["lifetimes"] = self.lifetimes()
        if self.has("alignments") and self.chance(0.6):
            item["alignment"] = rng.choice(UNITS)
        if self.has("windows") and self.chance(0.4):
            low = rng.choice((0, rng.randrange(12)))
            item["window"] = [low, low + max(1, item["size"] + rng.randrange(3 * self.largest))]
        if self.has("banks") and self.chance(0.4):
            item["bank"] = max(rng.choice(UNITS), rng.choice((1, item["size"])))
        if self.has("fixed") and self.chance(0.25):
            unit = item.get("alignment", 1) if self.chance(0.95) else 1
            item["fixed_offset"] = unit * rng.randrange(1 + 2 * self.largest // unit)
        if self.has("near") and self.chance(0.5):
            item["near"] = rng.randrange(2 * self.largest)
            if self.chance(0.5):
                item["move_cost"] = rng.randrange(9)
        if self.has("pools") and self.chance(0.6):
            names = [pool["name"] for pool in self.document["pools"]]
            item["pools"] = rng.sample(names, rng.randint(1, len(names)))
        return item

    def pools(self) -> None:
        items = []
        for number in range(self.rng.randint(1, 3)):
            pool: Document = {"name": f"p{number}"}
            if self.chance(0.6):
                pool["capacity"] = self.rng.randint(1, 4 * self.largest)
            if self.chance(0.2):
                pool["alignment"] = self.rng.choice(UNITS)
            if self.chance(0.2):
                pool["base"] = f"0x{64 * self.rng.randrange(100):x}"
            if self.chance(0.4):
                pool["cost"] = self.rng.randrange(4)
            items.append(pool)
        self.document["pools"] = items

    # ------------------------------------------------------------ relations

    def pair(self) -> list[str]:
        return self.rng.sample(self.names, 2)

    def group(self) -> list[str]:
        return self.rng.sample(self.names, min(len(self.names), self.rng.choice((2, 2, 2, 3))))

    def relation(self, kind: str) -> Document:
        rng = self.rng
        if kind == "overlaps":
            first, second = self.pair()
            return {"first": first, "second": second, "bytes": rng.randrange(self.largest + 2)}
        if kind == "colocations":
            first, second = self.pair()
            item: Document = {"first": first, "second": second}
            if self.chance(0.7):
                item["offset"] = rng.randint(-self.largest, self.largest)
            return item
        item = {"buffers": self.group()}
        if kind == "bank_separations":
            item["bank"] = rng.choice(UNITS)
        if kind == "reuse_penalties":
            item["cost"] = rng.randrange(9)
        return item

    def relations(self) -> None:
        for kind in FEATURES[9:15]:
            if self.has(kind) and len(self.names) > 1:
                often = 1 if kind == "colocations" else 1 + len(self.names) // 3
                count = self.rng.randint(1, often) + int(self.chance(0.2))
                self.document[kind] = [self.relation(kind) for _ in range(count)]

    def conflicts(self) -> None:
        if self.chance(0.5):
            count = self.rng.randint(0, 2 * len(self.names)) if len(self.names) > 1 else 0
            self.document["conflicts"] = [self.group() for _ in range(count)]
            return
        matrix = [[0] * len(self.names) for _ in self.names]
        for a in range(len(matrix)):
            for b in range(a):
                matrix[a][b] = matrix[b][a] = int(self.chance(0.4))
        self.document["conflict_matrix"] = matrix

    def reserved(self) -> None:
        items = []
        for _ in range(self.rng.randint(1, 2)):
            low = self.rng.randrange(10)
            item: Document = {"bytes": [low, low + self.rng.randint(1, 6)]}
            if self.chance(0.1):
                item["bytes"][1] = None
            if self.has("pools"):
                item["pool"] = self.rng.choice(self.document["pools"])["name"]
            if self.chance(0.5) and not self.has("conflicts"):
                start = self.rng.randrange(self.span)
                end = None if self.chance(0.2) else start + self.rng.randint(1, 3)
                item["when"] = [start, end]
            items.append(item)
        self.document["reserved"] = items

    # ------------------------------------------------------------ everything

    def problem(self) -> Document:
        if self.has("pools"):
            self.pools()
        self.document["buffers"] = [self.buffer(name) for name in self.names]
        self.relations()
        if self.has("reserved"):
            self.reserved()
        if self.has("conflicts"):
            self.conflicts()
        if self.has("objective"):
            terms = ["spill", "peak", "reuse", "moved"]
            self.rng.shuffle(terms)
            self.document["objective"] = terms[: self.rng.randint(1, 4)]
        return self.document

    def options(self) -> list[str]:
        rng = self.rng
        engine = rng.choice(ENGINES)
        found = [f"--engine={engine}"]
        has_capacity = not self.has("pools") and self.chance(0.35)
        if has_capacity:
            found.append(f"--capacity={rng.randint(0, self.largest * len(self.names))}")
        if self.chance(0.08):
            found.append(f"--align={rng.choice(UNITS)}")
        if self.chance(0.2):
            found.append(f"--seed={rng.randrange(100)}")
        if engine == "exact" and self.chance(0.1):
            found.append("--threads=2")
        if self.chance(0.25):
            found.append("--disable=" + ",".join(rng.sample(DISABLED, rng.randint(1, 6))))
        if engine in ("tune", "sort", "auto") and self.chance(0.3):
            found.append("--place=" + rng.choice(("lowest", "drop", "tight", "best-fit")))
        if engine in ("tune", "auto") and self.chance(0.3):
            ways = ("repack", "auto", "offenders", "top", "metrics", "search", "exhaustive")
            found.append("--rearrange=" + rng.choice(ways))
        if self.chance(0.08):
            found.append(f"--max-ticks={rng.choice((1, 10, 100, 1000))}")
        if (has_capacity or self.has("pools")) and self.chance(0.1):
            found.append("--until-fits")
        if self.chance(0.05):
            found.append("--replan")
        if self.chance(0.05):
            terms = ["spill", "peak", "reuse", "moved"]
            rng.shuffle(terms)
            found.append("--objective=" + ",".join(terms))
        return found


def is_table(document: Document) -> bool:
    """Whether a table can hold the problem."""
    return set(document) <= {"format", "version", "buffers"} and all(
        "pools" not in item and "lifetimes" in item for item in document["buffers"]
    )


def _gaps(lifetimes: list[list[int]]) -> str:
    return " ".join(f"{end}-{start}" for (_, end), (start, _) in zip(lifetimes, lifetimes[1:]))


def _scale(document: Document, unit: int) -> None:
    """Multiplies every number of bytes, and alignments and banks as well."""
    keys = ("size", "fixed_offset", "bank", "near", "capacity", "bytes", "offset")

    def change(value: Any) -> Any:
        if isinstance(value, list):
            return [change(item) for item in value]
        return value if value is None else unit * value

    lists = ("buffers", "pools", "reserved", "overlaps", "colocations", "bank_separations")
    for item in (item for key in lists for item in document.get(key, ())):
        for key in item.keys() & {*keys, "window"}:
            item[key] = change(item[key])
        if item.get("alignment", 1) > 1:
            item["alignment"] *= unit


def draw(rng: random.Random) -> Case:
    """A problem and options."""
    drawing = Draw(rng)
    case = Case(drawing.problem(), drawing.options())
    if rng.random() < 0.1 and not any(o.startswith("--align") for o in case.options):
        unit = rng.choice((1000, 4096, 1 << 20, 1 << 40, 10**15 + 37))
        _scale(case.document, unit)
        case.options = [
            f"--capacity={unit * int(o[11:])}" if o.startswith("--capacity=") else o
            for o in case.options
        ]
    if is_table(case.document) and rng.random() < 0.5:
        case.extension = "csv"
    return case


def as_table(document: Document) -> str:
    """The problem as a table."""
    columns = ("alignment", "fixed_offset", "bank", "near", "move_cost")
    lines = ["id,lower,upper,gaps,window_low,window_high,size,alignment,offset,bank,near,move_cost"]
    for item in document["buffers"]:
        name = '"' + item["name"].replace('"', '""') + '"'
        times = item["lifetimes"]
        low, high = item.get("window", ("", ""))
        cells = [name, times[0][0], times[-1][1], _gaps(times), low, high, item["size"]]
        lines.append(",".join(map(str, cells + [item.get(key, "") for key in columns])))
    return "\n".join(lines) + "\n"
