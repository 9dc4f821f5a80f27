# SPDX-License-Identifier: GPL-3.0-or-later
"""What a problem in JSON means, from neap-formats(5): what a plan must respect and what it costs.

Written from the manual alone, in the plainest way; sizes are small, so nothing here is fast.
"""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

Document = dict[str, Any]

TERMS = ("spill", "peak", "reuse", "moved")


@dataclass
class Buffer:
    name: str
    size: int
    alignment: int = 1
    lifetimes: list[tuple[int, int]] = field(default_factory=list)
    fixed: Optional[int] = None
    window: tuple[int, Optional[int]] = (0, None)
    bank: int = 0
    pools: list[int] = field(default_factory=list)
    near: Optional[int] = None
    move_cost: int = 0


@dataclass
class Pool:
    capacity: Optional[int] = None
    alignment: int = 1
    cost: Optional[int] = None


@dataclass
class Reserved:
    pool: int
    low: int
    high: Optional[int]
    start: int = 0
    end: Optional[int] = None


@dataclass
class Relation:
    kind: str
    first: int
    second: int
    bytes: int = 0


@dataclass
class Layout:
    offsets: list[int]
    pools: list[int]


@dataclass
class Problem:
    buffers: list[Buffer]
    pools: list[Pool]  # one without a name, if the document lists none
    has_pools: bool
    relations: list[Relation]
    reserved: list[Reserved]
    objective: tuple[str, ...]
    bodies: list[int]  # colocated buffers, also by way of others, have one number

    def related(self, kind: str, a: int, b: int) -> bool:
        return any(r.kind == kind and {r.first, r.second} == {a, b} for r in self.relations)

    def of_kind(self, kind: str) -> Iterator[Relation]:
        return (relation for relation in self.relations if relation.kind == kind)

    def pairs(self) -> Iterator[tuple[int, int]]:
        return itertools.combinations(range(len(self.buffers)), 2)

    def allowed(self, index: int) -> list[int]:
        return self.buffers[index].pools or list(range(len(self.pools)))

    def conflict(self, a: int, b: int) -> bool:
        """Whether two buffers with bytes must not share any, unless an overlap allows it."""
        one, other = self.buffers[a], self.buffers[b]
        if one.size == 0 or other.size == 0:
            return False
        if self.related("separation", a, b):
            return True
        if self.related("exclusion", a, b) or self.bodies[a] == self.bodies[b]:
            return False
        return any(s < f and t < e for s, e in one.lifetimes for t, f in other.lifetimes)

    def contradicts(self) -> bool:
        """Whether a pair is both separated and free to share bytes, which neap refuses."""
        return any(self.related("exclusion", r.first, r.second) for r in self.of_kind("separation"))

    def blocks(self, reserved: Reserved, index: int) -> bool:
        buffer = self.buffers[index]
        always = reserved.start == 0 and reserved.end is None
        return buffer.size > 0 and (
            always
            or any(
                start < (math.inf if reserved.end is None else reserved.end)
                and reserved.start < end
                for start, end in buffer.lifetimes
            )
        )

    def byte_cost(self, index: int, pool: int) -> int:
        cost = self.pools[pool].cost
        if not self.has_pools:
            return 0
        return self.allowed(index).index(pool) if cost is None else cost


# ---------------------------------------------------------------- reading


def _group(item: Document, names: dict[str, int]) -> Iterator[tuple[int, int]]:
    return itertools.combinations([names[name] for name in item["buffers"]], 2)


def _relations(document: Document, names: dict[str, int]) -> Iterator[Relation]:
    groups = (
        ("separations", "separation", ""),
        ("exclusions", "exclusion", ""),
        ("bank_separations", "bank_separation", "bank"),
        ("reuse_penalties", "reuse_penalty", "cost"),
    )
    for key, kind, number in groups:
        for item in document.get(key, ()):
            for first, second in _group(item, names):
                yield Relation(kind, first, second, item.get(number, 0))
    for key, kind, number in (("overlaps", "overlap", "bytes"), ("colocations", "colocation", "offset")):
        for item in document.get(key, ()):
            yield Relation(kind, names[item["first"]], names[item["second"]], item.get(number, 0))
    for pair in document.get("conflicts", ()):
        for first, second in itertools.combinations([names[name] for name in pair], 2):
            yield Relation("separation", first, second)
    for a, row in enumerate(document.get("conflict_matrix", ())):
        for b in range(a):
            if row[b]:
                yield Relation("separation", b, a)


def _bodies(count: int, relations: list[Relation]) -> list[int]:
    bodies = list(range(count))
    for relation in relations:
        if relation.kind == "colocation":
            old, new = bodies[relation.first], bodies[relation.second]
            bodies = [new if body == old else body for body in bodies]
    return bodies


def _buffer(item: Document, pools: dict[str, int]) -> Buffer:
    low, high = item.get("window", (0, None))
    return Buffer(
        name=item["name"],
        size=item["size"],
        alignment=item.get("alignment", 1),
        lifetimes=[(start, end) for start, end in item.get("lifetimes", ())],
        fixed=item.get("fixed_offset"),
        window=(low, high),
        bank=item.get("bank", 0),
        pools=[pools[name] for name in item.get("pools", ())],
        near=item.get("near"),
        move_cost=item.get("move_cost", item["size"]),
    )


def read(document: Document) -> Problem:
    listed = document.get("pools", [])
    pools = {item["name"]: index for index, item in enumerate(listed)}
    names = {item["name"]: index for index, item in enumerate(document["buffers"])}
    relations = list(_relations(document, names))
    given = tuple(document.get("objective", ()))
    return Problem(
        buffers=[_buffer(item, pools) for item in document["buffers"]],
        pools=[Pool(p.get("capacity"), p.get("alignment", 1), p.get("cost")) for p in listed]
        or [Pool()],
        has_pools=bool(listed),
        relations=relations,
        reserved=[
            Reserved(pools.get(r.get("pool", ""), 0), *r["bytes"], *r.get("when", (0, None)))
            for r in document.get("reserved", ())
        ],
        objective=given + tuple(term for term in TERMS if term not in given),
        bodies=_bodies(len(names), relations),
    )


# ---------------------------------------------------------------- plans


def share(problem: Problem, layout: Layout, a: int, b: int) -> bool:
    """Whether two buffers have a byte in common."""
    x, y = layout.offsets[a], layout.offsets[b]
    s, t = problem.buffers[a].size, problem.buffers[b].size
    return layout.pools[a] == layout.pools[b] and s > 0 and t > 0 and x < y + t and y < x + s


def _fault_of_one(problem: Problem, layout: Layout, index: int) -> str:
    buffer, at = problem.buffers[index], layout.offsets[index]
    pool, end = problem.pools[layout.pools[index]], at + buffer.size
    if at < 0 or at % buffer.alignment or at % pool.alignment:
        return "alignment"
    if buffer.fixed is not None and at != buffer.fixed:
        return "fixed offset"
    if at < buffer.window[0] or end > (math.inf if buffer.window[1] is None else buffer.window[1]):
        return "window"
    if buffer.bank and buffer.size and at // buffer.bank != (end - 1) // buffer.bank:
        return "bank"
    if layout.pools[index] not in problem.allowed(index):
        return "pool"
    if pool.capacity is not None and end > pool.capacity:
        return "capacity"
    for reserved in problem.reserved:
        high = math.inf if reserved.high is None else reserved.high
        if reserved.pool == layout.pools[index] and problem.blocks(reserved, index):
            if at < high and reserved.low < end:
                return "reserved bytes"
    return ""


def _fault_of_relation(problem: Problem, layout: Layout, relation: Relation) -> str:
    a, b, size = relation.first, relation.second, relation.bytes
    together = layout.pools[a] == layout.pools[b]
    x, y = layout.offsets[a], layout.offsets[b]
    if relation.kind == "colocation" and not (together and y == x + size):
        return "colocation"
    if relation.kind == "bank_separation" and together:
        s, t = problem.buffers[a].size, problem.buffers[b].size
        if s and t and x // size <= (y + t - 1) // size and y // size <= (x + s - 1) // size:
            return "bank separation"
    return ""


def allowed_overlap(problem: Problem, layout: Layout, a: int, b: int) -> bool:
    return any(
        {r.first, r.second} == {a, b}
        and layout.offsets[r.second] >= layout.offsets[r.first] + r.bytes
        for r in problem.of_kind("overlap")
    )


def fault(problem: Problem, layout: Layout, capacity: Optional[int] = None) -> str:
    """What a plan breaks; empty if it is sound."""
    for index, buffer in enumerate(problem.buffers):
        found = _fault_of_one(problem, layout, index)
        if not found and capacity is not None and layout.offsets[index] + buffer.size > capacity:
            found = "capacity of the arena"
        if found:
            return f"{found} of {buffer.name}"
    for relation in problem.relations:
        found = _fault_of_relation(problem, layout, relation)
        if found:
            return f"{found} of {relation.first} and {relation.second}"
    for a, b in problem.pairs():
        if share(problem, layout, a, b) and problem.conflict(a, b):
            if not allowed_overlap(problem, layout, a, b):
                return f"{a} and {b} collide"
    return ""


def costs(problem: Problem, layout: Layout) -> dict[str, int]:
    """The terms of the objective."""
    peaks = [0] * len(problem.pools)
    spill = moved = 0
    for index, buffer in enumerate(problem.buffers):
        pool, at = layout.pools[index], layout.offsets[index]
        peaks[pool] = max(peaks[pool], at + buffer.size)
        spill += buffer.size * problem.byte_cost(index, pool)
        if buffer.near is not None and buffer.near != at:
            moved += buffer.move_cost
    reuse = sum(
        r.bytes
        for r in problem.of_kind("reuse_penalty")
        if share(problem, layout, r.first, r.second)
    )
    return {"spill": spill, "peak": sum(peaks), "reuse": reuse, "moved": moved}
