# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads XLA's dumps of buffer assignments, *-buffer-assignment.txt, with their live ranges.

The live ranges are in the same file or in the one beside it, *-live-range.txt.  Values that are
alive together and overlap in XLA's own layout share memory on purpose (updates in place, the state
of loops); they become one buffer.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import NoReturn, Optional

from _neap.hlo_live import Buffer
from neap.errors import InputError

_ALLOCATION = re.compile(r"allocation ([0-9]{1,18}): size ([0-9]{1,18})(.*)")
_VALUE = re.compile(
    r"value: <([0-9]+) (\S+)(?: \(phi\))?(?: @[0-9]+)?> "
    r"\(size=([0-9]{1,18}),offset=([0-9]{1,18})\)(?:: (.*))?"
)
_RANGE = re.compile(r"(\S+\{[0-9,]*\}):([0-9]{1,15})-([0-9]{1,15})")
_KINDS = (
    ("preallocated", "temporary"),
    ("parameter", "input"),
    ("constant", "constant"),
    ("maybe-live-out", "output"),
)


@dataclass
class Value:
    """A value: its bytes [low, high) of an allocation, and when it is alive."""

    name: str
    hint: str
    allocation: int
    low: int
    high: int
    start: int
    end: int
    line: int


@dataclass
class Allocation:
    """An allocation: its bytes, memory space and kind."""

    size: int
    space: int
    kind: str


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines = text.splitlines()
        self.allocations: dict[int, Allocation] = {}
        self.values: list[Value] = []

    def fail(self, line: int, text: str) -> NoReturn:
        column = len(self.lines[line]) - len(self.lines[line].lstrip()) + 1
        raise InputError(text, source=self.source, line=line + 1, column=column)

    def read(self, ranges: dict[str, tuple[int, int]]) -> None:
        end = 1 + max((last for _, last in ranges.values()), default=0)
        current: Optional[int] = None
        for number, line in enumerate(self.lines):
            text = line.strip()
            if text.startswith("allocation "):
                current = self.read_allocation(number, text)
            elif text.startswith("value: "):
                if current is None:
                    self.fail(number, "a value before the first allocation")
                self.read_value(number, text, current, ranges, end)

    def read_allocation(self, number: int, text: str) -> int:
        match = _ALLOCATION.match(text)
        if not match:
            self.fail(number, "expected 'allocation N: size BYTES'")
        index, size, rest = int(match.group(1)), int(match.group(2)), match.group(3)
        if index in self.allocations:
            self.fail(number, f"duplicate allocation {index}")
        color = re.search(r", color ([0-9]{1,9})", rest)
        flags = re.sub(r"\|[^|]*\|", "", rest)
        kind = next((kind for flag, kind in _KINDS if f", {flag}" in flags), "temporary")
        kind = "thread-local" if "thread-local" in flags else kind
        self.allocations[index] = Allocation(size, int(color.group(1)) if color else 0, kind)
        return index

    def read_value(
        self, number: int, text: str, current: int, ranges: dict[str, tuple[int, int]], end: int
    ) -> None:
        match = _VALUE.match(text)
        if not match:
            self.fail(number, "expected 'value: <ID NAME @N> (size=BYTES,offset=BYTES): SHAPE'")
        name, size, offset = match.group(2), int(match.group(3)), int(match.group(4))
        if offset + size > self.allocations[current].size:
            self.fail(number, f"the value ends beyond allocation {current}")
        key = name if name.endswith("}") else name + "{}"
        first, last = ranges.get(key, (0, end - 1))
        self.values.append(
            Value(
                name, match.group(5) or "", current, offset, offset + size, first, last + 1, number
            )
        )


def parse_ranges(text: str, source: str) -> dict[str, tuple[int, int]]:
    """The live ranges of values by name: first and last moment; times count instructions."""
    ranges: dict[str, tuple[int, int]] = {}
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == "BufferLiveRange:":
            inside = True
            continue
        match = _RANGE.fullmatch(line.strip()) if inside else None
        if match is None:
            inside = inside and not line.strip().startswith("Live ranges at")
            continue
        first, last = int(match.group(2)), int(match.group(3))
        if last < first:
            raise InputError(
                "the live range ends before it starts", source=source, line=number, column=1
            )
        known = ranges.get(match.group(1), (first, last))
        ranges[match.group(1)] = min(first, known[0]), max(last, known[1])
    return ranges


def parse(text: str, source: str, ranges: dict[str, tuple[int, int]]) -> list[Buffer]:
    """The buffers of an assignment; values without a live range are always alive."""
    reader = _Reader(text, source)
    reader.read(ranges)
    groups = _share(reader.values)
    end = max((value.end for value in reader.values), default=1)
    buffers = []
    for group in groups:
        allocation = reader.allocations[group[0].allocation]
        low, high = min(value.low for value in group), max(value.high for value in group)
        start, last = min(value.start for value in group), max(value.end for value in group)
        if allocation.kind in ("input", "constant"):
            start, last = 0, end
        buffers.append(
            Buffer(
                group[0].name,
                group[0].hint,
                high - low,
                allocation.space,
                allocation.kind,
                start,
                last,
            )
        )
    return [buffer for buffer in buffers if buffer.size > 0]


def total(text: str, source: str, outputs: bool) -> int:
    """The bytes of XLA's allocations for temporaries, and perhaps for outputs."""
    reader = _Reader(text, source)
    reader.read({})
    kinds = ("temporary", "output") if outputs else ("temporary",)
    return sum(each.size for each in reader.allocations.values() if each.kind in kinds)


class _Places:
    """The values of an allocation that are alive, sorted by place; no two overlap, except as one
    group."""

    def __init__(self) -> None:
        self.lows: list[int] = []
        self.indices: list[int] = []

    def remove(self, low: int, index: int) -> None:
        place = bisect_right(self.lows, low) - 1
        while place >= 0 and self.lows[place] == low:
            if self.indices[place] == index:
                del self.lows[place], self.indices[place]
                return
            place -= 1

    def insert(self, low: int, index: int) -> int:
        place = bisect_right(self.lows, low)
        self.lows.insert(place, low)
        self.indices.insert(place, index)
        return place


def _share(values: list[Value]) -> list[list[Value]]:
    """Groups of values that share memory, in order of time."""
    parents = list(range(len(values)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    alive: dict[int, _Places] = {}
    events = [
        (value.start, 1, index) for index, value in enumerate(values) if value.high > value.low
    ]
    events += [
        (value.end, 0, index) for index, value in enumerate(values) if value.high > value.low
    ]
    for _, begins, index in sorted(events):
        value = values[index]
        places = alive.setdefault(value.allocation, _Places())
        if not begins:
            places.remove(value.low, index)
            continue
        place = places.insert(value.low, index)
        above = place + 1
        while above < len(places.lows) and places.lows[above] < value.high:
            parents[root(places.indices[above])] = root(index)
            above += 1
        if place > 0 and values[places.indices[place - 1]].high > value.low:
            parents[root(places.indices[place - 1])] = root(index)
    groups: dict[int, list[Value]] = {}
    for index in sorted(range(len(values)), key=lambda index: values[index].start):
        if values[index].high > values[index].low:
            groups.setdefault(root(index), []).append(values[index])
    return list(groups.values())
