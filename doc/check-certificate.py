# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate of neap, as certificate.md defines it, without any code of neap.

    check-certificate.py CERTIFICATE [INPUT] [--capacity BYTES]

INPUT is the problem or the plan, as CSV or JSON, that the certificate must be about. With
--capacity, the certificate must prove that no layout fits. Exits with 0 if it is accepted.
"""
from __future__ import annotations

import argparse
import bisect
import csv
import json
import math
import re
import sys
import zlib
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator, NoReturn, Optional

NOWHERE = 1 << 200  # an offset that no buffer can have
RELATIONS = ("separation", "exclusion", "overlap", "colocation", "bank_separation")
MOST_LEAPS = 1000


class Rejected(Exception):
    """Why a certificate is not accepted."""


def reject(text: str) -> NoReturn:
    raise Rejected(text)


def require(truth: bool, text: str) -> None:
    if not truth:
        reject(text)


def number(word: str) -> int:
    require(re.fullmatch("0|-?[1-9][0-9]*", word) is not None, f"'{word}' is not a number")
    return int(word)


def optional(word: str) -> Optional[int]:
    return None if word == "-" else number(word)


def up(value: int, step: int) -> int:
    return -(-value // step) * step


@dataclass
class Buffer:
    name: str
    size: int
    alignment: int
    fixed: Optional[int]
    low: int  # its bytes lie in [low, high)
    high: Optional[int]
    bank: Optional[int]
    offset: Optional[int]
    ranges: list[tuple[int, int]]

    def alive(self, moment: int) -> bool:
        return self.size > 0 and any(start <= moment < end for start, end in self.ranges)


def meet(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> bool:
    return any(a < d and c < b for a, b in first for c, d in second)


@dataclass
class Problem:
    buffers: list[Buffer] = field(default_factory=list)
    reserved: list[tuple[int, int, int, int]] = field(default_factory=list)  # low, high, start, end
    relations: list[tuple[int, int, int, int]] = field(default_factory=list)  # kind, buffers, bytes
    body: dict[int, int] = field(default_factory=dict)  # by colocated buffer: its body
    inner: dict[int, int] = field(default_factory=dict)  # its offset there
    separated: set[frozenset[int]] = field(default_factory=set)
    excluded: set[frozenset[int]] = field(default_factory=set)
    allowed: dict[tuple[int, int], int] = field(default_factory=dict)  # (output, input): bytes

    def index(self) -> None:
        links: dict[int, list[tuple[int, int]]] = {}
        for kind, first, second, count in self.relations:
            pair = frozenset((first, second))
            if RELATIONS[kind] == "separation":
                self.separated.add(pair)
            elif RELATIONS[kind] == "exclusion":
                self.excluded.add(pair)
            elif RELATIONS[kind] == "overlap":
                if count < self.buffers[first].size and self.buffers[second].size > 0:
                    before = self.allowed.get((first, second), count)
                    self.allowed[first, second] = min(count, before)
            elif RELATIONS[kind] == "colocation":
                links.setdefault(first, []).append((second, count))
                links.setdefault(second, []).append((first, -count))
        for root in sorted(links):
            todo = [root] if root not in self.body else []
            self.body.setdefault(root, root)
            self.inner.setdefault(root, 0)
            while todo:
                at = todo.pop()
                for other, delta in links[at]:
                    if other not in self.body:
                        self.body[other] = root
                        self.inner[other] = self.inner[at] + delta
                        todo.append(other)

    def gap(self, below: int, above: int) -> int:
        """The least distance of two offsets if `below` lies below."""
        return self.allowed.get((below, above), self.buffers[below].size)

    def conflict(self, i: int, j: int) -> bool:
        a, b = self.buffers[i], self.buffers[j]
        pair = frozenset((i, j))
        if a.size == 0 or b.size == 0 or pair in self.excluded:
            return False
        if i in self.body and self.body[i] == self.body.get(j):
            return False
        return pair in self.separated or meet(a.ranges, b.ranges)

    def strict(self, i: int, j: int) -> bool:
        """Whether two buffers may share no byte."""
        return self.conflict(i, j) and (i, j) not in self.allowed and (j, i) not in self.allowed

    def holes(self, i: int) -> list[tuple[int, int]]:
        own = self.buffers[i]
        return [(a, b) for a, b, c, d in self.reserved if own.size and meet(own.ranges, [(c, d)])]

    def place(self, i: int, at: int) -> int:
        """The lowest offset at or above `at` that buffer i may have by itself, or NOWHERE."""
        own = self.buffers[i]
        at = max(at, own.low)
        if own.fixed is not None:
            return own.fixed if at <= own.fixed else NOWHERE
        for _ in range(MOST_LEAPS):
            if at >= NOWHERE or (own.high is not None and at + own.size > own.high):
                return NOWHERE
            before = at
            at = up(at, own.alignment)
            if own.bank is not None and own.size > 0:
                if own.size > own.bank:
                    return NOWHERE
                if at // own.bank != (at + own.size - 1) // own.bank:
                    at = up(at, own.bank)
            for low, high in self.holes(i):
                if at < high and low < at + own.size:
                    at = high
            if at == before:
                return at
        reject(f"the offsets of buffer {i} are too scattered")


# ---------------------------------------------------------------- reading


def read_buffer(line: str) -> Buffer:
    try:
        name, end = json.JSONDecoder().raw_decode(line, len("buffer "))
    except ValueError:
        reject("a buffer's name is not a JSON string")
    words = line[end + 1 :].split(" ")
    exact = isinstance(name, str) and line == f"buffer {line[7:end]} " + " ".join(words)
    require(exact and len(words) >= 9 and len(words) % 2 == 1, "a buffer is malformed")
    plain = json.dumps(name, ensure_ascii=False) == line[7:end]
    require(plain and name != "", "a buffer's name is not as it has to be")
    times = [number(word) for word in words[7:]]
    require(all(a < b for a, b in zip(times, times[1:])), f"buffer {name}: times do not ascend")
    result = Buffer(name, number(words[0]), number(words[1]), optional(words[2]), number(words[3]),
                    optional(words[4]), optional(words[5]), optional(words[6]),
                    list(zip(times[::2], times[1::2])))  # fmt: skip
    low, numbers = result.low, (result.fixed, result.high, result.bank, result.offset, times[0])
    positive = result.size >= 0 and result.alignment >= 1 and low >= 0 and result.bank != 0
    require(positive and all(n is None or n >= 0 for n in numbers), f"buffer {name}: out of range")
    return result


@dataclass
class Certificate:
    claim: str
    least: int
    problem: Problem
    proof: list[list[str]]


def read_relation(problem: Problem, words: list[str]) -> tuple[int, int, int, int]:
    kind = RELATIONS.index(words[0])
    require(len(words) == 4, "a relation is malformed")
    first, second, count = (number(word) for word in words[1:])
    inside = 0 <= min(first, second) and max(first, second) < len(problem.buffers)
    directed = words[0] == "overlap"
    require(inside and (first < second or (directed and first != second)), "no such pair")
    require(words[0] not in ("separation", "exclusion") or count == 0, "a number is not 0")
    require(words[0] == "colocation" or count >= 0, "a number is negative")
    return kind, first, second, count


def read_reserved(words: list[str]) -> tuple[int, int, int, int]:
    require(len(words) == 5, "reserved bytes are malformed")
    low, start = number(words[1]), number(words[3])
    high, end = optional(words[2]), optional(words[4])
    result = low, NOWHERE if high is None else high, start, NOWHERE if end is None else end
    require(0 <= low < result[1] and 0 <= start < result[3], "reserved bytes are out of range")
    return result


def read_certificate(data: bytes) -> Certificate:
    text = data.decode("utf-8")
    lines = text.split("\n")
    require(lines[-1] == "" and len(lines) >= 4, "the text is cut off")
    ending = data.rstrip(b"\n").rfind(b"\n") + 1
    expected = f"end {len(lines) - 2} {zlib.crc32(data[:ending]):08x}"
    require(lines[-2] == expected, "the last line does not match the others")
    require(lines[0] == "neap-certificate 1", "it is no certificate of version 1")
    claim = lines[1].split(" ")
    require(len(claim) == 2 and claim[0] in ("peak", "least"), "there is no claim")
    problem, at = Problem(), 2
    while lines[at].startswith("buffer "):
        problem.buffers.append(read_buffer(lines[at]))
        at += 1
    names = {buffer.name for buffer in problem.buffers}
    require(len(names) == len(problem.buffers), "two buffers have one name")
    body = [line.split(" ") for line in lines[at:-2]]
    at = 0
    while at < len(body) and body[at][0] == "reserved":
        problem.reserved.append(read_reserved(body[at]))
        at += 1
    while at < len(body) and body[at][0] in RELATIONS:
        problem.relations.append(read_relation(problem, body[at]))
        at += 1
    for listed in (problem.reserved, problem.relations):
        require(all(a < b for a, b in zip(listed, listed[1:])), "relations are not sorted")
    problem.index()
    nothing = claim == ["least", "-"]
    return Certificate(claim[0], NOWHERE if nothing else number(claim[1]), problem, body[at:])


# ---------------------------------------------------------------- the plan


def allows(problem: Problem, i: int, j: int) -> bool:
    """Whether the offsets of two buffers alive together suit each other."""
    a, b = problem.buffers[i], problem.buffers[j]
    assert a.offset is not None and b.offset is not None
    if not problem.conflict(i, j) or b.offset - a.offset >= problem.gap(i, j):
        return True
    return a.offset - b.offset >= problem.gap(j, i)


def check_overlaps(problem: Problem) -> None:
    """No two buffers alive together collide: a sweep over time."""
    is_plain = not (problem.body or problem.excluded or problem.allowed)
    events = [(time, is_start, i) for i, buffer in enumerate(problem.buffers) if buffer.size
              for start, end in buffer.ranges for time, is_start in ((start, 1), (end, 0))]  # fmt: skip
    alive: list[tuple[int, int]] = []  # offsets and buffers; without relations, disjoint
    for _, is_start, i in sorted(events):
        key = (problem.buffers[i].offset or 0, i)
        at = bisect.bisect_left(alive, key)
        if not is_start:
            alive.pop(at)
            continue
        for _, j in alive[max(at - 1, 0) : at + 1] if is_plain else alive:
            require(allows(problem, i, j), f"buffers {j} and {i} collide")
        alive.insert(at, key)


def check_plan(problem: Problem, peak: int) -> None:
    top = 0
    for i, own in enumerate(problem.buffers):
        if own.offset is None:
            reject(f"buffer {i} has no offset")
        top = max(top, own.offset + own.size)
        require(own.offset % own.alignment == 0, f"buffer {i} is not aligned")
        require(problem.place(i, own.offset) == own.offset, f"buffer {i} may not be there")
        holes = any(own.offset < b and a < own.offset + own.size for a, b in problem.holes(i))
        require(not holes, f"buffer {i} is in reserved bytes")
    require(top == peak, f"the peak of the plan is {top}")
    check_overlaps(problem)
    for kind, i, j, count in problem.relations:
        a, b = problem.buffers[i], problem.buffers[j]
        low, other, name = a.offset or 0, b.offset or 0, RELATIONS[kind]
        if name == "separation":
            require(allows(problem, i, j), f"buffers {i} and {j} are not separated")
        elif name == "colocation":
            require(other - low == count, f"buffers {i} and {j} are not colocated")
        elif name == "bank_separation" and a.size and b.size:
            require((low + a.size - 1) // count < other // count
                    or (other + b.size - 1) // count < low // count,
                    f"buffers {i} and {j} share a bank")  # fmt: skip


# ---------------------------------------------------------------- the input


def rows_of_table(path: str) -> Iterator[tuple[Buffer, Optional[int]]]:
    with open(path, encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            if None in row.values():
                reject(f"{path} is not a table of buffers")
            cell = {(name or "").strip().lower(): text.strip() for name, text in row.items()}
            unknown = {name for name in cell if cell[name]} - {
                "id", "lower", "upper", "size", "alignment", "offset", "gaps", "hint"}  # fmt: skip
            require(not unknown, f"{path}: column {', '.join(unknown)} is not supported; use JSON")
            require(not cell.get("gaps"), f"{path}: gaps are not supported; use JSON")
            times = [(int(cell["lower"]), int(cell["upper"]))]
            offset = int(cell["offset"]) if cell.get("offset") else None
            alignment = int(cell.get("alignment") or 1)
            yield Buffer(cell["id"], int(cell["size"]), alignment, None, 0, None, None, None,
                         times), offset  # fmt: skip


def pairs_of(document: dict[str, Any], names: dict[str, int]) -> set[tuple[int, int, int, int]]:
    """The relations of a document in JSON."""
    found = set()
    for kind, name in enumerate(RELATIONS):
        for item in document.get(f"{name}s", []):
            if name in ("overlap", "colocation"):
                first, second = names[item["first"]], names[item["second"]]
                count = item.get("bytes" if name == "overlap" else "offset", 0)
                if name == "colocation" and first > second:
                    first, second, count = second, first, -count
                found.add((kind, first, second, count))
                continue
            indices = sorted(names[buffer] for buffer in item["buffers"])
            count = item["bank"] if name == "bank_separation" else 0
            found |= {(kind, i, j, count) for i in indices for j in indices if i < j}
    return found


def compare_document(certificate: Certificate, document: dict[str, Any]) -> None:
    problem = certificate.problem
    require(document.get("format") in ("neap-problem", "neap-plan"), "INPUT is of no known format")
    for key in ("pools", "conflicts", "conflict_matrix"):
        require(not document.get(key), f"INPUT has {key}, which certificates do not cover")
    listed = document["buffers"]
    require(len(listed) == len(problem.buffers), "INPUT has another number of buffers")
    for own, item in zip(problem.buffers, listed):
        low, high = item.get("window", (0, None))
        merged: list[tuple[int, int]] = []
        for start, end in item["lifetimes"]:
            touches = merged and merged[-1][1] == start
            merged[-1:] = [(merged[-1][0], end)] if touches else merged[-1:] + [(start, end)]
        fixed = item.get("fixed_offset")
        offset = item.get("offset") if certificate.claim == "peak" else None
        expected = Buffer(item["name"], item["size"], item.get("alignment", 1), fixed, low, high,
                          item.get("bank"), own.offset if offset is None else offset, merged)
        require(own == expected, f"buffer {own.name} differs in INPUT")
    reserved = {(item["bytes"][0], NOWHERE if item["bytes"][1] is None else item["bytes"][1],
                 item.get("when", [0])[0], item.get("when", [0, None])[1] or NOWHERE)
                for item in document.get("reserved", [])}  # fmt: skip
    require(reserved == set(problem.reserved), "INPUT has other reserved bytes")
    names = {buffer.name: i for i, buffer in enumerate(problem.buffers)}
    require(pairs_of(document, names) == set(problem.relations), "INPUT has other relations")


def compare_table(certificate: Certificate, path: str) -> None:
    """Offsets in a table are those of the plan, or else those that the problem fixes."""
    rows = list(rows_of_table(path))
    problem = certificate.problem
    require(len(rows) == len(problem.buffers), "INPUT has another number of buffers")
    require(not problem.relations and not problem.reserved, "a table has no relations")
    is_plan = all(own.fixed is None for own in problem.buffers)
    for own, (row, offset) in zip(problem.buffers, rows):
        row.offset = own.offset if offset is None or not is_plan else offset
        row.fixed = None if is_plan else offset
        require(own == row, f"buffer {own.name} differs in INPUT")


def compare_input(certificate: Certificate, path: str) -> None:
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as stream:
            compare_document(certificate, json.load(stream))
    else:
        compare_table(certificate, path)


# ---------------------------------------------------------------- loads and columns


def numbers(words: list[str], count: int) -> list[int]:
    """Different indices below `count`, ascending."""
    result = [number(word) for word in words]
    require(all(a < b for a, b in zip(result, result[1:])), "numbers do not ascend")
    require(not result or (result[0] >= 0 and result[-1] < count), "there is no such buffer")
    return result


def shared(problem: Problem, alive: set[int]) -> int:
    """The most bytes that overlap allowances let buffers share."""
    sums = [0, 0]
    left: list[dict[int, int]] = [{}, {}]
    for first, second in sorted({(min(pair), max(pair)) for pair in problem.allowed}):
        if first not in alive or second not in alive:
            continue
        a, b = problem.buffers[first].size, problem.buffers[second].size
        saving = max(min(a - problem.gap(first, second), b), min(b - problem.gap(second, first), a))
        output = first if (first, second) in problem.allowed else second
        for side, at in enumerate((output, first + second - output)):
            room = left[side].setdefault(at, problem.buffers[at].size)
            left[side][at] -= min(saving, room)
            sums[side] += min(saving, room)
    return min(sums)


def check_load(problem: Problem, words: list[str]) -> int:
    require(len(words) >= 2, "a load needs buffers")
    moment, listed = number(words[0]), numbers(words[1:], len(problem.buffers))
    alive = [i for i, buffer in enumerate(problem.buffers) if buffer.alive(moment)]
    require(listed == alive, f"the load at {moment} lists other buffers")
    starts = (a for i in alive for a, b in problem.buffers[i].ranges if a <= moment < b)
    require(moment == max(starts), f"nothing starts at {moment}")
    inside = set(alive)
    require(not any(pair <= inside for pair in problem.excluded), "some are excluded")
    mixed = any(i in problem.body for pair in problem.allowed for i in pair)
    require(not mixed, "overlaps of colocated buffers are not covered")
    need, tops = 0, dict[int, int]()
    for i in sorted(alive, key=lambda i: problem.inner.get(i, 0)):
        size = problem.buffers[i].size
        if i not in problem.body:
            need += size
            continue
        low, body = problem.inner[i], problem.body[i]
        top = max(tops.get(body, low), low + size)
        need += top - max(tops.get(body, low), low)
        tops[body] = top
    return need - shared(problem, inside)


def share(own: Buffer, modulus: int, scale: int) -> tuple[int, int]:
    """What a buffer adds to a stack on a grid, and how much of it may be missing at the top."""
    size = own.size * scale
    if own.fixed is not None:
        start, end = own.fixed * scale, up(own.fixed * scale + size, modulus)
        return end - up(start, modulus), end - start - size
    step = math.gcd(modulus, scale * own.alignment)
    weight = up(size, step) // modulus * modulus
    return weight, weight - size + modulus - step


def stack(problem: Problem, items: list[tuple[int, int]]) -> int:
    """The least height of buffers (low, index) that share no byte."""
    items = sorted(items, key=lambda item: (-item[0], item[1]))
    alignments = sorted({problem.buffers[i].alignment for _, i in items}, reverse=True)
    common, best = math.gcd(*alignments), 0
    grids = {(1, 1), (common, 1)} | {
        (a // math.gcd(a, s), s // math.gcd(a, s))
        for a in alignments[:8] for s in (1, 2, 3, 4, 8, 16, 32, 64) if a // s > common}  # fmt: skip
    for modulus, scale in grids:
        total = worst = 0
        for low, i in items:
            weight, loss = share(problem.buffers[i], modulus, scale)
            total, worst = total + weight, max(worst, loss)
            best = max(best, -(-(up(low * scale, modulus) + total - worst) // scale))
    return best


def check_column(problem: Problem, words: list[str]) -> int:
    listed = numbers(words, len(problem.buffers))
    for at, i in enumerate(listed):
        require(all(problem.strict(i, j) for j in listed[:at]), f"buffer {i} may share bytes")
    items = [(problem.place(i, 0), i) for i in listed]
    need = stack(problem, items)
    if len(items) <= 100:
        for at, item in enumerate(items):
            fewer = len(items) > 1 and stack(problem, items[:at] + items[at + 1 :]) >= need
            require(not fewer, f"buffer {item[1]} is not needed")
    return need


class Layout:
    """Refuted states: each is the lowest offset that each buffer left can still have."""

    def __init__(self, problem: Problem, proof: list[list[str]], target: int) -> None:
        self.problem, self.target, self.proof = problem, target, proof
        count = len(problem.buffers)
        items = [i for i in range(count) if problem.buffers[i].size]
        self.near: dict[int, dict[int, tuple[int, int]]] = {i: {} for i in items}
        self.strict = {i: {j for j in items if i != j and problem.strict(i, j)} for i in items}
        for i in items:
            for j in items:
                if i != j and problem.conflict(i, j):
                    self.near[i][j] = problem.gap(i, j), problem.gap(j, i)
        related = {i for relation in problem.relations for i in relation[1:3]}
        self.twin: dict[int, object] = {}
        for i in items:
            own = problem.buffers[i]
            self.twin[i] = i if i in related or own.fixed is not None else (
                own.size, own.alignment, own.low, own.high, own.bank, tuple(own.ranges))  # fmt: skip
        self.cliques = [numbers(line[1:], count) for line in proof if line[0] == "clique"]
        self.used: set[int] = set()
        require(all(a < b for a, b in zip(self.cliques, self.cliques[1:])), "unsorted cliques")
        for clique in self.cliques:
            inside = set(clique)
            require(len(clique) > 0 and all(i in self.near and inside <= self.strict[i] | {i}
                                            for i in clique), "a clique may share bytes")
            more = set.intersection(*(self.strict[i] for i in clique))
            require(not more, "a clique has no room for others")
        self.by_member: dict[int, list[int]] = {i: [] for i in items}
        for number_, clique in enumerate(self.cliques):
            for i in clique:
                self.by_member[i].append(number_)
        self.root = {i: problem.place(i, 0) for i in items}

    def need(self, state: dict[int, int], clique: list[int]) -> int:
        items = [(state[i], i) for i in clique if i in state]
        return stack(self.problem, items) if items else 0

    def put(self, state: dict[int, int], i: int) -> dict[int, int]:
        floor = state[i]
        child = {j: low for j, low in state.items() if j != i}
        for j, (above, below) in self.near[i].items():
            if j in child and child[j] < floor + above and child[j] + below > floor:
                child[j] = self.problem.place(j, floor + above)
        return child

    def is_plain(self, i: int) -> bool:
        own = self.problem.buffers[i]
        limits = own.fixed, own.low, own.high, own.bank, self.problem.reserved
        return limits == (None, 0, None, None, [])

    def learn(self, state: dict[int, int], i: int, floor: int) -> bool:
        """Raises buffer i, which is not at the floor; False if no layout is left."""
        wall = NOWHERE if len(self.strict[i]) == len(self.near[i]) else floor
        size, near = self.problem.buffers[i].size, self.near[i]
        for j in near:
            if j in state and state[j] < wall:
                inside = all(k in near or k == i or k not in state for k in self.near[j])
                movable = inside and self.is_plain(j)
                if (state[j] < floor or not movable
                        or size % self.problem.buffers[j].alignment != 0):  # fmt: skip
                    wall = state[j]
        if wall < NOWHERE:
            state[i] = self.problem.place(i, max(wall, floor) + 1)
        return wall < NOWHERE

    def next_start(self, state: dict[int, int], clique: list[int], i: int, floor: int) -> int:
        if i in self.problem.body:
            return self.problem.place(i, floor + 1)
        starts = [state[j] + below for j, (_, below) in self.near[i].items()
                  if j in state and j not in clique]  # fmt: skip
        least = min(starts, default=NOWHERE)
        return self.problem.place(i, max(least, floor + 1))

    def empty(self, state: dict[int, int], clique: list[int], floor: int) -> dict[int, int]:
        left = [i for i in clique if i in state]
        least = min(state[i] if state[i] > floor else self.next_start(state, clique, i, floor)
                    for i in left)  # fmt: skip
        child = dict(state)
        for i in left:
            child[i] = self.problem.place(i, max(child[i], least))
        return child

    def starters(self, state: dict[int, int], clique: list[int]) -> tuple[int, list[int]]:
        left = [i for i in clique if i in state]
        floor = min((state[i] for i in left), default=NOWHERE)
        found: dict[object, int] = {}
        for i in left:
            if state[i] == floor:
                found.setdefault(self.twin[i], i)
        return floor, list(found.values())

    def cell(self, state: dict[int, int], words: list[str]) -> list[dict[int, int]]:
        """The children of a state."""
        at = number(words[1])
        require(0 <= at < len(self.cliques), "there is no such clique")
        clique = self.cliques[at]
        floor, starters = self.starters(state, clique)
        require(len(starters) > 0 and [str(i) for i in starters] == words[2:], "other starters")
        self.used.add(at)
        for other in self.by_member[starters[0]]:
            same = other < at and self.starters(state, self.cliques[other]) == (floor, starters)
            require(not same, f"clique {other} has the same starters")
        children, state = [], dict(state)
        for i in starters:
            children.append(self.put(state, i))
            if not self.learn(state, i, floor):
                return children
        return children + [self.empty(state, clique, floor)]

    def part(self, state: dict[int, int], first: int) -> dict[int, int]:
        """What is connected to a buffer, which must be its first."""
        require(first in state, "a part begins with a buffer that is not left")
        found, todo = {first}, [first]
        while todo:
            for j in self.near[todo.pop()]:
                if j in state and j not in found:
                    found.add(j)
                    todo.append(j)
        require(first == min(found) and len(found) < len(state), "that is no part")
        return {i: state[i] for i in found}

    def full(self, state: dict[int, int], at: int) -> int:
        require(0 <= at < len(self.cliques), "there is no such clique")
        earlier = any(self.need(state, clique) >= self.target for clique in self.cliques[:at])
        require(not earlier, "another clique before is full")
        self.used.add(at)
        return self.need(state, self.cliques[at])

    def check(self) -> int:
        least, stack_of = NOWHERE, [self.root]
        kept: list[dict[int, int]] = []  # of all lines "keep"
        done: dict[frozenset[int], list[int]] = {}  # by buffers left: those that are refuted
        waiting: list[tuple[int, int]] = []  # kept ones whose children are not all refuted
        referred: set[int] = set()
        for words in self.proof[len(self.cliques) :]:
            require(len(stack_of) > 0 and len(words) >= 2, "the proof does not end where it should")
            while waiting and waiting[-1][0] >= len(stack_of):
                at = waiting.pop()[1]
                done.setdefault(frozenset(kept[at]), []).append(at)
            state = stack_of.pop()
            kind, at = words[0], number(words[1])
            require(kind in ("cell", "keep") or len(words) == 2, "a line is too long")
            if kind in ("cell", "keep"):
                if kind == "keep":
                    waiting.append((len(stack_of), len(kept)))
                    kept.append(state)
                stack_of += reversed(self.cell(state, words))
            elif kind == "part":
                stack_of.append(self.part(state, at))
            elif kind == "full":
                need = self.full(state, at)
                require(need >= self.target, f"clique {at} is not full")
                least = min(least, need)
            elif kind == "as":
                same = sorted(done.get(frozenset(state), []))
                fits = (k for k in same if all(kept[k][i] <= low for i, low in state.items()))
                require(next(fits, -1) == at, "the state is not like that one")
                referred.add(at)
            else:
                reject(f"there is no reason {kind}")
        require(not stack_of and len(referred) == len(kept), "the proof is not complete")
        require(len(self.used) == len(self.cliques), "a clique is not used")
        return least if least < NOWHERE else self.target


def check(certificate: Certificate) -> None:
    problem, proof = certificate.problem, certificate.proof
    if certificate.claim == "peak":
        check_plan(problem, certificate.least)
    else:
        require(all(b.offset is None for b in problem.buffers), "there is no plan, but an offset")
    if certificate.least == 0:
        require(not proof, "there is nothing to prove")
        return
    require(len(proof) >= 1, "there is no proof")
    if proof[0][0] == "load":
        require(len(proof) == 1, "more follows a load")
        least = check_load(problem, proof[0][1:])
    elif proof[0][0] == "column":
        require(len(proof) == 1, "more follows a column")
        least = check_column(problem, proof[0][1:])
    else:
        least = Layout(problem, proof, certificate.least).check()
    least = min(least, NOWHERE)
    require(least == certificate.least, f"the proof shows {least}, not {certificate.least}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks a certificate of neap.")
    parser.add_argument("certificate", metavar="CERTIFICATE")
    parser.add_argument("input", metavar="INPUT", nargs="?", help="problem or plan, CSV or JSON")
    parser.add_argument("--capacity", type=int, help="in bytes; a certificate that none fits")
    arguments = parser.parse_args()
    try:
        with open(arguments.certificate, "rb") as stream:
            certificate = read_certificate(stream.read())
        if arguments.input is not None:
            compare_input(certificate, arguments.input)
        if arguments.capacity is not None:
            fits = certificate.least <= arguments.capacity
            require(not fits, f"it does not say that {arguments.capacity} bytes are too few")
        check(certificate)
    except (Rejected, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        print(f"rejected: {error}")
        return 1
    words = "the lowest peak is" if certificate.claim == "peak" else "every peak is at least"
    none = certificate.least == NOWHERE
    print("accepted: " + ("no layout exists" if none else f"{words} {certificate.least} bytes"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
