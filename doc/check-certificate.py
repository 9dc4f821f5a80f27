# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate of neap, as certificate.md defines it, without any code of neap.

    python3 check-certificate.py CERTIFICATE [INPUT] [--capacity BYTES]

INPUT is the problem or the plan, as CSV or JSON, that the certificate must be about. With --capacity, the
certificate must prove that no layout fits. Exits with 0 if it is accepted.
"""
from __future__ import annotations
import argparse
import bisect
import copy
import csv
import itertools
import json
import math
import re
import sys
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Callable, Collection, Iterable, NamedTuple, Sequence

# ---------------------------------------------------------------- words
NOWHERE = 1 << 200  # an offset that no buffer can have
class Rejected(ValueError): ...
def require(truth: bool, text: str) -> None:
    if not truth:
        raise Rejected(text)
def number(word: str) -> int:
    require(re.fullmatch("0|-?[1-9][0-9]{0,18}", word) is not None, f"'{word}' is not a number")
    return int(word)
def optional(word: str, none: int = NOWHERE) -> int:
    return none if word == "-" else number(word)
def ascends(items: Sequence[Any]) -> bool:
    return all(a < b for a, b in zip(items, items[1:]))
def numbers(words: Iterable[str], count: int) -> list[int]:
    """Different indices below `count`, ascending."""
    result = [number(word) for word in words]
    require(ascends([-1, *result, count]), "indices are not as they have to be")
    return result
def named(line: list[str]) -> tuple[str, list[str]]:
    """The name in a line, a JSON string, and the words after it."""
    text, start = " ".join(line), len(line[0]) + 1
    name, end = json.JSONDecoder().raw_decode(text, start)
    is_exact = isinstance(name, str) and text[start : end + 1] == json.dumps(name, ensure_ascii=False) + " "
    require(is_exact and name != "", f"a {line[0]} is malformed")
    return name, text[end + 1 :].split(" ")
def pick(lines: Iterable[list[str]], kind: str) -> list[list[str]]:
    """What the lines of a kind say."""
    return [words for name, *words in lines if name == kind]
def take(lines: list[list[str]], *kinds: str) -> list[list[str]]:
    """Removes the leading lines of these kinds."""
    found = list(itertools.takewhile(lambda line: line[0] in kinds, lines))
    del lines[: len(found)]
    return found
# ---------------------------------------------------------------- the problem
KINDS = ("separation", "exclusion", "overlap", "colocation", "bank_separation", "reuse_penalty")

def up(value: int, step: int) -> int:
    return -(-value // step) * step

def meet(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> bool:
    return any(a < d and c < b for a, b in first for c, d in second)

@dataclass
class Buffer:
    name: str
    size: int
    alignment: int
    fixed: int  # or -1
    low: int  # its bytes lie in [low, high) and in one bank; 0: there are no banks
    high: int
    bank: int
    offset: int  # or -1
    ranges: list[tuple[int, int]]

class Pool(NamedTuple):
    name: str
    capacity: int
    alignment: int
    cost: int  # per byte; or -1: the place of the pool among the choices of a buffer

class Soft(NamedTuple):
    """What a plan pays for, unless it avoids it."""
    term: str  # "reuse": two buffers share bytes; "moved": the first is not at an offset
    first: int
    second: int
    cost: int

@dataclass
class Problem:
    buffers: list[Buffer] = field(default_factory=list)
    pools: list[Pool] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)  # the pool of each buffer, or -1; without pools, 0
    choices: list[list[int]] = field(default_factory=list)  # the pools that each may be in
    near: list[Soft] = field(default_factory=list)
    reserved: list[tuple[int, ...]] = field(default_factory=list)  # low, high, start, end, with pools the pool
    relations: list[tuple[int, ...]] = field(default_factory=list)  # kind, two buffers, bytes
    colocated: set[int] = field(default_factory=set)
    body: list[int] = field(default_factory=list)  # of each buffer: the first that it is colocated with, or itself
    inner: list[int] = field(default_factory=list)  # and the distance from it
    separated: set[frozenset[int]] = field(default_factory=set)
    excluded: set[frozenset[int]] = field(default_factory=set)
    allowed: dict[tuple[int, int], int] = field(default_factory=dict)  # (output, input): bytes
    def of(self, kind: str) -> list[tuple[int, ...]]:
        """The relations of a kind, each two buffers and bytes."""
        return [relation[1:] for relation in self.relations if KINDS[relation[0]] == kind]
    def index(self) -> None:
        self.separated, self.excluded = ({frozenset(pair) for *pair, _ in self.of(kind)} for kind in KINDS[:2])
        for i, j, count in self.of("overlap"):
            if count < self.buffers[i].size and self.buffers[j].size:
                self.allowed[i, j] = min(count, self.allowed.get((i, j), count))
        links = self.of("colocation") + [(j, i, -count) for i, j, count in self.of("colocation")]
        self.body, self.inner = list(range(len(self.buffers))), [0] * len(self.buffers)
        for root in sorted({i for i, _, _ in links}):
            todo = [root] if root not in self.colocated else []
            self.colocated.add(root)
            while todo:
                at = todo.pop()
                for i, j, count in links:
                    if i == at and j not in self.colocated:
                        self.body[j], self.inner[j] = root, self.inner[at] + count
                        self.colocated.add(j)
                        todo.append(j)
    def gap(self, below: int, above: int) -> int:
        return self.allowed.get((below, above), self.buffers[below].size)
    def saving(self, i: int, j: int) -> int:
        """The most bytes that both can share by an allowance."""
        a, b = self.buffers[i].size, self.buffers[j].size
        return max(min(a - self.gap(i, j), b), min(b - self.gap(j, i), a))
    def where(self, i: int) -> tuple[int, int]:
        """The body of a buffer, and the distance of the buffer from the offset of its body."""
        return self.body[i], self.inner[i]
    def conflict(self, i: int, j: int) -> bool:
        a, b, pair = self.buffers[i], self.buffers[j], frozenset((i, j))
        if self.body[i] == self.body[j] or a.size == 0 or b.size == 0:
            return False
        return pair in self.separated or (pair not in self.excluded and meet(a.ranges, b.ranges))
    def strict(self, i: int, j: int) -> bool:
        return self.conflict(i, j) and (i, j) not in self.allowed and (j, i) not in self.allowed
    def free(self, i: int, at: int) -> int:
        """The lowest offset at or above `at` that buffer i could have, were it not fixed, or NOWHERE."""
        own = self.buffers[i]
        at = max(at, own.low)
        for _ in range(1000):
            if at + own.size > own.high or at >= NOWHERE or 0 < own.bank < own.size:
                return NOWHERE
            before, at = at, up(at, own.alignment)
            if own.bank and own.size and at // own.bank != (at + own.size - 1) // own.bank:
                at = up(at, own.bank)
            for low, high, start, end in self.reserved if own.size else []:
                if at < high and low < at + own.size and meet(own.ranges, [(start, end)]):
                    at = high
            if at == before:
                return at
        raise Rejected(f"the offsets of buffer {i} are too scattered")
    def place(self, i: int, at: int) -> int:
        """The lowest offset at or above `at` that buffer i may have by itself, or NOWHERE."""
        own = self.buffers[i]
        if own.fixed < 0:
            return self.free(i, at)
        return own.fixed if max(at, own.low) <= own.fixed else NOWHERE
    def rate(self, i: int, pool: int) -> int:
        """What each byte of a buffer costs in a pool."""
        cost = self.pools[pool].cost
        return cost if cost >= 0 else self.choices[i].index(pool)
    def soft(self) -> list[Soft]:
        return [Soft("reuse", *penalty) for penalty in self.of("reuse_penalty")] + self.near
    def part(self, keep: Collection[int], pool: int = 0, apart: Collection[Soft] = ()) -> Problem:
        """Only these buffers, as if they were in this pool, and paying for nothing of `apart`."""
        align = self.pools[pool].alignment if self.pools else 1
        fixed = {soft.first: soft.second for soft in apart if soft.term == "moved"}
        split = [(soft.first, soft.second) for soft in apart if soft.term == "reuse"]  # no allowance serves these
        hard: list[tuple[int, ...]] = [(KINDS.index("separation"), i, j, 0) for i, j in split]
        hard += [r for r in self.relations if KINDS[r[0]] != "reuse_penalty"
                 and (KINDS[r[0]] != "overlap" or (min(r[1:3]), max(r[1:3])) not in split)]
        made = Problem(relations=[r for r in hard if r[1] in keep and r[2] in keep])
        made.reserved = [hole[:4] for hole in self.reserved if hole[4:] in ((), (pool,))]
        made.buffers = [replace(own, alignment=math.lcm(own.alignment, align),
                                fixed=own.fixed if own.fixed >= 0 else fixed.get(i, -1))
                        if i in keep else Buffer(own.name, 0, 1, -1, 0, NOWHERE, 0, 0, own.ranges)
                        for i, own in enumerate(self.buffers)]
        made.index()
        made.colocated, made.body, made.inner = self.colocated, self.body, self.inner
        return made

class Certificate(NamedTuple):
    claim: str
    least: int
    problem: Problem
    proof: list[list[str]]
    order: list[str]  # what the claim says about the order of operators
    terms: list[str]  # and about the objective
# ---------------------------------------------------------------- reading
def read_buffer(line: list[str]) -> Buffer:
    name, words = named(line)
    require(len(words) >= 9 and len(words) % 2 == 1 and "-1" not in words, f"{name}: a buffer is malformed")
    times = [number(word) for word in words[7:]]
    own = Buffer(name, number(words[0]), number(words[1]), optional(words[2], -1), number(words[3]), optional(words[4]),
                 optional(words[5], 0), optional(words[6], -1), list(zip(times[::2], times[1::2])))
    require(ascends([-1, *times]), f"{name}: times do not ascend")
    require(min(own.size, own.alignment - 1, own.low, own.bank) >= 0 and words[5] != "0", f"{name}: a number is out of range")
    require(min(own.fixed, own.offset) >= -1, f"{name}: a number is out of range")
    return own
def read_pool(line: list[str]) -> Pool:
    name, (capacity, alignment, cost) = named(line)
    own = Pool(name, optional(capacity), number(alignment), optional(cost, -1))
    require(min(own.capacity, own.alignment - 1, own.cost + 1) >= 0 and cost != "-1", "a number is out of range")
    return own
def read_pools(problem: Problem, lines: list[list[str]]) -> None:
    """The pools, the pool of each buffer, and where buffers were in an earlier plan."""
    problem.pools = [read_pool(line) for line in itertools.takewhile(lambda line: line[0] == "pool" and len(line) > 2, lines)]
    del lines[: len(problem.pools)]
    require(len({pool.name for pool in problem.pools}) == len(problem.pools), "two pools have one name")
    if not problem.pools:
        problem.chosen, problem.choices = [0] * len(problem.buffers), [[0]] * len(problem.buffers)
    for i, own in enumerate(problem.buffers if problem.pools else []):
        require(len(lines[0]) > 3 and lines[0][:2] == ["in", str(i)], f"buffer {i} has no pool")
        chosen, choices = optional(lines[0][2], -1), [number(word) for word in lines.pop(0)[3:]]
        known = all(0 <= k < len(problem.pools) for k in choices) and len(set(choices)) == len(choices)
        require(known and chosen in [*choices, -1] and (chosen < 0) == (own.offset < 0), "no such pool")
        problem.chosen.append(chosen)
        problem.choices.append(choices)
    problem.near = [Soft("moved", *map(number, words)) for _, *words in take(lines, "near")]
    known = all(0 <= soft.first < len(problem.buffers) and min(soft.second, soft.cost) >= 0 for soft in problem.near)
    require(known and ascends([soft.first for soft in problem.near]), "moves are not as they have to be")
def read_reserved(words: list[str], pools: int) -> tuple[int, ...]:
    low, high, start, end, *pool = (optional(word) for word in words)
    require(len(pool) == (pools > 0) and all(0 <= k < pools for k in pool), "reserved bytes are in no pool")
    require(0 <= low < high and 0 <= start < end, "reserved bytes are out of range")
    return low, high, start, end, *pool
def read_relation(kind: str, words: list[str], count: int) -> tuple[int, ...]:
    i, j, bytes_ = (number(word) for word in words)
    require(0 <= min(i, j) and max(i, j) < count and i != j and (i < j or kind == "overlap"), "no such pair")
    require(kind not in ("separation", "exclusion") or bytes_ == 0, "a number is not 0")
    require(kind == "colocation" or bytes_ >= (kind == "bank_separation"), "a number is out of range")
    return KINDS.index(kind), i, j, bytes_
def read_certificate(data: bytes) -> Certificate:
    lines = data.decode("utf-8").split("\n")
    require(lines[-1] == "" and len(lines) >= 4, "the text is cut off")
    checked = data[: data.rstrip(b"\n").rfind(b"\n") + 1]
    require(lines[-2] == f"end {len(lines) - 2} {zlib.crc32(checked):08x}", "the last line does not match the others")
    require(lines[0] == "neap-certificate 1", "it is no certificate of version 1")
    claim, *terms = lines[1].split(" ")
    order = terms[terms.index("order") :] if "order" in terms else []
    terms = terms[: len(terms) - len(order)]
    sizes = {"peak": len(terms) == 1, "least": len(terms) == 1, "over": len(terms) == 2, "best": "peak" in terms[::2]}
    require(sizes.get(claim, False) and (claim in ("peak", "best") or not order), "there is no claim")
    proof = [line.split(" ") for line in lines[2:-2]]
    problem = Problem([read_buffer(line) for line in take(proof, "buffer")])
    require(len({own.name for own in problem.buffers}) == len(problem.buffers), "two buffers have one name")
    read_pools(problem, proof)
    problem.reserved = [read_reserved(words, len(problem.pools)) for _, *words in take(proof, "reserved")]
    problem.relations = [read_relation(kind, words, len(problem.buffers)) for kind, *words in take(proof, *KINDS)]
    require(ascends(problem.reserved) and ascends(problem.relations), "relations are not sorted")
    require(claim != "peak" or not problem.soft(), "the claim leaves out terms of the objective")
    require(not problem.pools or claim in ("best", "over"), "the claim leaves out pools")
    require(claim != "over" or 0 <= number(terms[0]) < len(problem.pools), "there is no such pool")
    problem.index()
    least = terms[terms[::2].index("peak") * 2 + 1] if claim == "best" else terms[-1]
    return Certificate(claim, optional(least) if claim in ("least", "over") else number(least), problem, proof, order, terms)
# ---------------------------------------------------------------- the plan
def allows(problem: Problem, i: int, j: int) -> bool:
    """Whether the offsets of two buffers suit each other."""
    distance = problem.buffers[j].offset - problem.buffers[i].offset
    return distance >= problem.gap(i, j) or -distance >= problem.gap(j, i) or not problem.conflict(i, j)
def check_plan(problem: Problem) -> int:
    """The peak of the plan, which keeps all constraints."""
    for i, own in enumerate(problem.buffers):
        require(own.offset >= 0 and own.fixed in (-1, own.offset), f"buffer {i} is not where it has to be")
        require(problem.free(i, own.offset) == own.offset, f"buffer {i} may not be there")
    top = max((own.offset + own.size for own in problem.buffers), default=0)
    is_plain = not (problem.of("colocation") or problem.of("exclusion") or problem.allowed)
    alive: list[tuple[int, int]] = []  # offsets and buffers; if plain, these do not overlap
    for _, is_start, i in sorted((time, is_start, i) for i, own in enumerate(problem.buffers) if own.size
                                 for span in own.ranges for is_start, time in zip((True, False), span)):
        key = (problem.buffers[i].offset, i)
        at = bisect.bisect_left(alive, key)
        if is_start:
            near = alive[max(at - 1, 0) : at + 1] if is_plain else alive
            require(all(allows(problem, i, j) for _, j in near), f"buffer {i} collides")
            alive.insert(at, key)
        else:
            alive.pop(at)
    for kind, i, j, count in problem.relations:
        a, b = problem.buffers[i], problem.buffers[j]
        distance, name, has_bytes = b.offset - a.offset, KINDS[kind], a.size > 0 and b.size > 0
        breaks = name == "colocation" and distance != count
        if name == "separation" and has_bytes:  # colocated or not
            breaks = -problem.gap(j, i) < distance < problem.gap(i, j)
        if name == "bank_separation" and has_bytes:
            first, last = [own.offset // count for own in (a, b)], [(own.offset + own.size - 1) // count for own in (a, b)]
            breaks = max(first) <= min(last)
        require(not breaks, f"buffers {i} and {j} break a {name}")
    return top
# ---------------------------------------------------------------- loads and columns
def shared(problem: Problem, alive: set[int]) -> int:
    """The most bytes that overlap allowances let buffers share."""
    sums, left = [0, 0], [{i: problem.buffers[i].size for i in alive} for _ in range(2)]
    for i, j in sorted({(min(pair), max(pair)) for pair in problem.allowed}):
        if i in alive and j in alive:
            saving = problem.saving(i, j)
            output = i if (i, j) in problem.allowed else j
            for side, at in enumerate((output, i + j - output)):
                sums[side] += min(saving, left[side][at])
                left[side][at] -= min(saving, left[side][at])
    return min(sums)
def check_load(problem: Problem, words: list[str]) -> int:
    moment, listed = number(words[0]), numbers(words[1:], len(problem.buffers))
    spans = {i: b for i, own in enumerate(problem.buffers) if own.size for b in own.ranges if b[0] <= moment < b[1]}
    require(listed == list(spans) and len(listed) > 0, f"other buffers are alive at {moment}")
    require(moment == max(start for start, _ in spans.values()), f"nothing starts at {moment}")
    require(not any(pair <= set(listed) for pair in problem.excluded), "some are excluded")
    require(not any(problem.colocated & set(pair) for pair in problem.allowed), "colocated buffers overlap")
    need, tops = 0, dict[int, int]()
    for i in sorted(listed, key=lambda i: problem.inner[i]):
        body, low = problem.where(i)
        begin = max(tops.get(body, low), low)
        tops[body] = max(begin, low + problem.buffers[i].size)
        need += tops[body] - begin
    return need - shared(problem, set(listed))
def share(own: Buffer, modulus: int, scale: int) -> tuple[int, int]:
    """What a buffer adds to a stack on a grid, and how much of it may be missing at the top."""
    size = own.size * scale
    if own.fixed >= 0:
        end = up(own.fixed * scale + size, modulus)
        return end - up(own.fixed * scale, modulus), end - own.fixed * scale - size
    step = math.gcd(modulus, scale * own.alignment)
    weight = up(size, step) // modulus * modulus
    return weight, weight - size + modulus - step
def stack(problem: Problem, items: list[tuple[int, int]]) -> int:
    """The least height of buffers (low, index) that share no byte."""
    alignments, best = sorted({problem.buffers[i].alignment for _, i in items}, reverse=True), 0
    common = math.gcd(*alignments)
    grids = {(1, 1), (common, 1)} | {(a // math.gcd(a, s), s // math.gcd(a, s)) for a in alignments[:8]
                                     for s in (1, 2, 3, 4, 8, 16, 32, 64) if a // s > common}
    for modulus, scale in grids:
        total = worst = 0
        for low, i in sorted(items, key=lambda item: (-item[0], item[1])):
            weight, loss = share(problem.buffers[i], modulus, scale)
            total, worst = total + weight, max(worst, loss)
            best = max(best, -(-(up(low * scale, modulus) + total - worst) // scale))
    return best
def needed(listed: list[int], height: Callable[[list[int]], int]) -> int:
    """The height of buffers, each of which it needs, if they are few."""
    need = height(listed)
    for i in listed if 1 < len(listed) <= 100 else []:
        require(height([j for j in listed if j != i]) < need, f"buffer {i} is not needed")
    return need
def check_column(problem: Problem, words: list[str]) -> int:
    listed = numbers(words, len(problem.buffers))
    require(all(problem.strict(i, j) for i in listed for j in listed if i != j), "some may share bytes")
    lows = {i: problem.place(i, 0) for i in listed}
    return needed(listed, lambda those: stack(problem, [(lows[i], i) for i in those]))
def check_banks(problem: Problem, words: list[str]) -> int:
    bank, listed = number(words[0]), numbers(words[1:], len(problem.buffers))
    apart = {(i, j) for i, j, count in problem.of("bank_separation") if count == bank}
    require(bank > 0 and len(listed) > 1 and all(problem.buffers[i].size for i in listed), "these need no banks")
    require(apart.issuperset(itertools.combinations(listed, 2)), "some may be in one bank")
    banks = {i: -(-problem.buffers[i].size // bank) for i in listed}
    def height(those: list[int]) -> int:
        total = sum(banks[i] for i in those)
        ends = [problem.place(i, bank * (total - banks[i])) + problem.buffers[i].size for i in those]
        return min([NOWHERE, *ends])
    return needed(listed, height)
# ---------------------------------------------------------------- pairs
@dataclass
class Stated:
    """Statements that a body lies beyond an interval of distances, and what follows from them."""
    low: dict[int, int]  # the lowest offset of each body
    top: dict[int, int]  # the least distance from its offset to the top
    true: set[int] = field(default_factory=set)  # 2 p: of pair p, the first body lies below; 2 p + 1: the second
    failed: list[int] = field(default_factory=list)  # of each clause, how many statements are not true
    impossible: bool = False
class Pairs:
    """Of two bodies that collide at some distances, one lies below; each clause follows from what precedes it."""
    def __init__(self, problem: Problem, proof: list[list[str]], target: int) -> None:
        self.problem, self.target, self.proof = problem, target, proof
        items = [i for i, own in enumerate(problem.buffers) if own.size]
        self.bodies: dict[int, list[tuple[int, int]]] = {}  # of each: its buffers, and their distances from its offset
        for i in range(len(problem.buffers)):
            if i in problem.colocated or problem.buffers[i].size:
                body, inner = problem.where(i)
                self.bodies.setdefault(body, []).append((i, inner))
        self.grid = {body: self.grid_of(members) for body, members in self.bodies.items()}
        self.stated: dict[tuple[int, int], int] = {}  # the statement that a buffer lies below another
        self.ends: list[tuple[int, int, int]] = []  # of each statement: the lower body, the upper one, their distance
        self.below: dict[int, list[int]] = {body: [] for body in self.bodies}  # the statements that others lie below it
        self.above: dict[int, list[int]] = {body: [] for body in self.bodies}  # and that others lie above it
        self.implied: dict[int, int] = {}  # what lies beyond an interval lies beyond the one before it
        collisions: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
        for i in items:
            for j in items:
                (a, _), (b, _) = problem.where(i), problem.where(j)
                if a < b and problem.conflict(i, j):
                    collisions.setdefault((a, b), []).append(self.collision(i, j))
        for (a, b), found in collisions.items():
            self.join(a, b, sorted(found))
        self.apart: dict[int, dict[int, int]] = {i: {} for i in items}
        for (i, j), s in self.stated.items():
            self.apart[i][j] = self.ends[s][2] + problem.where(j)[1] - problem.where(i)[1]
        self.read_cliques(set(items))
        self.clauses: list[list[int]] = []
        self.users: dict[int, list[int]] = {}  # the clauses that have a statement
    def grid_of(self, members: list[tuple[int, int]]) -> tuple[int, int]:
        """A number, and what offsets are modulo it; 0 and the only offset."""
        own = {i: self.problem.buffers[i] for i, _ in members}
        fixed = [own[i].fixed - inner for i, inner in members if own[i].fixed >= 0]
        step, inner = max((own[i].alignment, inner) for i, inner in members)
        return (0, fixed[0]) if fixed else (step, -inner % step)
    def collision(self, i: int, j: int) -> tuple[int, int, int, int]:
        """Between which distances of their bodies two buffers collide."""
        (a, own_inner), (b, other_inner) = self.problem.where(i), self.problem.where(j)
        shift = own_inner - other_inner
        low, high = shift - self.problem.gap(j, i), shift + self.problem.gap(i, j)
        (step, own), (other, rest) = self.grid[a], self.grid[b]
        step, rest = math.gcd(step, other) or 1, rest - own
        return -up(rest - low, step) + rest, up(high - rest, step) + rest, i, j
    def join(self, a: int, b: int, collisions: list[tuple[int, int, int, int]]) -> None:
        """Makes a pair of each interval of distances, and statements of all buffers that collide there."""
        first = len(self.ends)
        for low, high, i, j in (collision for collision in collisions if collision[0] < collision[1]):
            at = len(self.ends)
            if at == first or low >= self.ends[-2][2]:
                if at > first:
                    self.implied |= {at: at - 2, at - 1: at + 1}
                self.ends += [(a, b, high), (b, a, -low)]
                for s, (lower, upper, _) in enumerate(self.ends[at:], at):
                    self.above[lower].append(s)
                    self.below[upper].append(s)
            self.ends[-2] = (a, b, max(self.ends[-2][2], high))
            self.stated |= {(i, j): len(self.ends) - 2, (j, i): len(self.ends) - 1}
    def read_cliques(self, items: set[int]) -> None:
        """For each buffer, the parts of cliques that can lie on one side of it, and whether their sizes are rounded up."""
        problem = self.problem
        cliques = [[number(word) for word in words] for words in pick(self.proof, "clique")]
        listed = {i for clique in cliques for i in clique}
        require(listed <= items and all(len(set(k)) == len(k) for k in cliques), "no clique")
        require(all(i == j or problem.conflict(i, j) or self.stacked(i, j) for k in cliques for i in k for j in k), "no clique")
        self.step = math.gcd(*(max(problem.buffers[i].fixed, 0) or problem.buffers[i].alignment for i in listed)) or 1
        self.saving: dict[int, dict[int, int]] = {}  # of two listed buffers: the most bytes that both can share
        for i, j in (pair for allowed in problem.allowed for pair in (allowed, allowed[::-1]) if listed >= set(pair)):
            self.saving.setdefault(i, {})[j] = problem.saving(i, j)
        self.beside: dict[int, list[tuple[bool, frozenset[int]]]] = {}
        for i in items:
            sets = {(False, frozenset(j for j in clique if j in self.apart[i])) for clique in cliques}
            sets |= {(i in listed, frozenset(j for j in clique if problem.strict(i, j))) for clique in cliques
                     if all(j == k or problem.strict(j, k) or self.stacked(j, k) for j in clique for k in clique)}
            self.beside[i] = [k for k in sets if len(k[1]) > 1 and
                              not any(k[0] <= other[0] and k[1] <= other[1] and k != other for other in sets)]
    def stacked(self, i: int, j: int) -> bool:
        """Whether two buffers of a body never share a byte."""
        (a, low), (b, other) = self.problem.where(i), self.problem.where(j)
        return a == b and (low + self.problem.buffers[i].size <= other or other + self.problem.buffers[j].size <= low)
    def heap(self, taken: dict[int, int], those: frozenset[int]) -> int:
        """The least bytes that buffers of a clique take together, from what each takes alone and what two can share."""
        near = {i: self.saving[i].keys() & those for i in those & self.saving.keys()}
        left = {i: taken[i] - sum(self.saving[i][j] for j in found) for i, found in near.items()}
        worst = min(left, key=lambda i: (left[i], i), default=-1)
        if worst < 0 or left[worst] >= 0:
            return sum(taken[i] for i in those) - sum(taken[i] - least for i, least in left.items()) // 2
        require(len(near[worst]) < 9, "more buffers share bytes with one than this checks")
        return max(self.heap(taken, those - {i}) for i in [worst, *near[worst]])
    def place(self, body: int, at: int) -> int:
        """The lowest offset at or above `at` that a body may have by itself, or NOWHERE."""
        (i, inner), *others = self.bodies[body]
        if not others:
            return self.problem.place(i, at + inner) - inner
        for _ in range(1000):
            before = at
            for i, inner in self.bodies[body]:
                at = max(at, self.problem.place(i, at + inner) - inner)
            if at == before or at >= NOWHERE // 2:
                return at
        raise Rejected(f"the offsets of buffer {body} are too scattered")
    def top(self, body: int, top: int) -> int:
        """The least distance from the offset of a body to the top, if it is at least `top`."""
        high, before = self.target - 1 - top, None
        while high != before and high > -NOWHERE:
            before = high
            for i, inner in self.bodies[body]:
                own = self.problem.buffers[i]
                if own.fixed >= 0:
                    high = own.fixed - inner if own.fixed <= high + inner else -NOWHERE
                else:
                    high = min(high + inner, own.high - own.size) // own.alignment * own.alignment - inner
        return self.target - 1 - high
    def raises(self, state: Stated, body: int, is_low: bool) -> bool:
        """Gives a body the offset, or else the distance to the top, that those on that side of it need."""
        reached, sides, end = (state.low, self.below, 0) if is_low else (state.top, self.above, 1)
        least = max((reached[self.ends[s][end]] + self.ends[s][2] for s in sides[body] if s in state.true),
                    default=reached[body])
        for i, inner in self.bodies[body]:
            for is_strict, clique in self.beside.get(i, []):
                those = frozenset(j for j in clique if self.stated[(j, i) if is_low else (i, j)] in state.true)
                if len(those) > 1:
                    need = self.under(state, i, those, is_strict) - inner if is_low else inner + self.over(i, those, is_strict)
                    least = max(least, need)
        before = reached[body]
        reached[body] = max(self.place(body, least) if is_low else self.top(body, least), before)
        return reached[body] > before
    def under(self, state: Stated, i: int, those: frozenset[int], is_strict: bool) -> int:
        """The lowest offset of a buffer above these of a clique."""
        size = {j: self.problem.buffers[j].size for j in those}
        taken = {j: up(size[j], self.step) if is_strict else min(self.apart[j][i], size[j]) for j in those}
        return min(state.low[body] + inner for body, inner in map(self.problem.where, those)) + self.heap(taken, those)
    def over(self, i: int, those: frozenset[int], is_strict: bool) -> int:
        """The least bytes from the offset of a buffer to the top of these of a clique, above it."""
        own = self.problem.buffers[i].size
        taken = {j: self.problem.buffers[j].size - max(own - self.apart[i][j], 0) for j in those}
        return (up(own, self.step) if is_strict else own) + self.heap(taken, those)
    def raised(self, state: Stated, statement: int) -> set[int]:
        """The bodies that need more room because of a statement."""
        lower, upper, _ = self.ends[statement]
        found, todo = {lower, upper}, [(True, upper), (False, lower)]
        while todo and not state.impossible:
            is_low, body = todo.pop()
            if self.raises(state, body, is_low):
                found.add(body)
                state.impossible |= state.low[body] + state.top[body] >= self.target
                sides, end = (self.above, 1) if is_low else (self.below, 0)
                todo += [(is_low, self.ends[s][end]) for s in sides[body] if s in state.true]
        return found
    def excluded(self, state: Stated, bodies: Iterable[int]) -> list[int]:
        """Statements about these and others that must be true, since the opposite would need too much."""
        return [s ^ 1 for body in bodies for s in self.below[body] + self.above[body]
                if s ^ 1 not in state.true and self.needs(state, *self.ends[s]) >= self.target]
    def needs(self, state: Stated, lower: int, upper: int, apart: int) -> int:
        return self.place(upper, state.low[lower] + apart) + state.top[upper]
    def state(self, state: Stated, todo: list[int]) -> None:
        """Makes statements, and all that follow, until that is impossible."""
        while todo and not state.impossible:
            statement = todo.pop()
            if statement in state.true:
                continue
            state.true.add(statement)
            state.impossible |= statement ^ 1 in state.true
            raised = self.raised(state, statement)
            todo += self.excluded(state, raised) if not state.impossible else []
            todo += [self.implied[statement]] if statement in self.implied else []
            for at in self.users.get(statement ^ 1, []):
                state.failed[at] += 1
                todo += self.last(state, at)
    def last(self, state: Stated, at: int) -> list[int]:
        """The only statement of a clause that can still be true."""
        left = len(self.clauses[at]) - state.failed[at]
        state.impossible |= left == 0
        return [s for s in self.clauses[at] if s ^ 1 not in state.true] if left == 1 else []
    def add(self, root: Stated, clause: list[int]) -> None:
        self.clauses.append(clause)
        root.failed.append(sum(s ^ 1 in root.true for s in clause))
        for s in clause:
            self.users.setdefault(s, []).append(len(self.clauses) - 1)
        self.state(root, self.last(root, len(self.clauses) - 1))
    def check(self) -> int:
        first = {body: max(inner + self.problem.buffers[i].size for i, inner in members)
                 for body, members in self.bodies.items()}
        root = Stated({body: self.place(body, -min(inner for _, inner in members)) for body, members in self.bodies.items()},
                      {body: self.top(body, first[body]) for body in self.bodies})
        root.impossible = any(root.low[body] + root.top[body] >= self.target for body in self.bodies)
        self.state(root, self.excluded(root, self.bodies))
        for words in pick(self.proof, "below"):
            found = [number(word) for word in words]
            clause = [self.stated.get(pair, -1) for pair in zip(found[::2], found[1::2])]
            require(len(found) % 2 == 0 and -1 not in clause, "no clause")
            require(len({s // 2 for s in clause}) == len(clause), "a clause has a pair twice")
            state = replace(root, low=dict(root.low), top=dict(root.top), true=set(root.true), failed=root.failed[:])
            self.state(state, [s ^ 1 for s in clause])
            require(state.impossible, "a clause does not follow")
            self.add(root, clause)
        require(root.impossible, "the clauses can all be true")
        return self.target
# ---------------------------------------------------------------- the order of operators
class Share(NamedTuple):
    kind: str
    value: int
    output: int
    most: int  # bytes that both can share
    size: int  # of the output
class Part(NamedTuple):
    """A line about a cut or a set, with its flow: values, readers or -1, bytes; and its needs: two operators, bytes."""
    kind: str
    words: list[str]
    flows: list[list[int]]
    needs: list[list[int]]
def read_parts(lines: list[list[str]]) -> list[Part]:
    parts: list[Part] = []
    for kind, *words in lines:
        if kind in ("flow", "need"):
            require(len(parts) > 0 and parts[-1].kind in ("cut", "stop") and len(words) == 3, "a flow is malformed")
            require(kind == "need" or not parts[-1].needs, "the flow is not sorted")
            listed = parts[-1].flows if kind == "flow" else parts[-1].needs
            listed.append([number(words[0]), optional(words[1], -1), number(words[2])])
        else:
            require(kind in ("before", "cut", "set", "run", "stop"), "the order is malformed")
            parts.append(Part(kind, words, [], []))
    return parts
class Order:
    """Operators, and sets of them that have run, as bits; no order needs less than the present one."""
    def __init__(self, proof: list[list[str]]) -> None:
        (_, *header), *lines = proof
        self.bound, self.begin = (number(word) for word in header)
        values, operators, shares = take(lines, "value"), take(lines, "operator"), take(lines, "in_place", "over")
        text = "".join(" ".join(line) + "\n" for line in values + operators + shares)
        self.sum, self.parts = f"{zlib.crc32(text.encode()):08x}", read_parts(lines)
        self.before = [self.set_of(words, at) for at, (_, *words) in enumerate(operators)]
        self.values: list[tuple[int, int, int]] = []  # bytes, maker or -1, those that read it or -1: it stays
        self.made = [0] * len(self.before)
        for _, *words in values:
            self.read_value(*words)
        keys = [(own[1], own[0], words[3], [optional(k, -1) for k in words[4:]]) for own, words in zip(self.values, values)]
        require(keys == sorted(keys), "the values are not sorted")
        self.shares: list[list[Share]] = [[] for _ in self.before]
        for kind, *words in shares:
            k, *share = (number(word) for word in words)
            self.read_share(k, Share(kind, *share))
        for k, own in enumerate(self.shares):
            sizes = {(share.output, share.size) for share in own}
            require(len(sizes) == len({output for output, _ in sizes}), "an output has two sizes")
            require(sum(size for _, size in sizes) <= self.made[k], "outputs are more than what is made")
    def set_of(self, words: Sequence[str], count: int) -> int:
        require(len(words) > 0, "a list is empty")
        return 0 if [*words] == ["-"] else sum(1 << k for k in numbers(words, count))
    def read_value(self, bytes_: str, maker: str, life: str, *readers: str) -> None:
        size, k, users = number(bytes_), optional(maker, -1), self.set_of(readers, len(self.before))
        require(life == "ends" or (life == "stays" and not users), "a value neither ends nor stays")
        require(maker != "-1" and -1 <= k < len(self.before) and size > 0, "a value is out of range")
        self.values.append((size, k, -1 if life == "stays" else users))
        if k >= 0:
            self.made[k] += size
    def read_share(self, k: int, share: Share) -> None:
        require(0 <= k < len(self.before) and 0 <= share.value < len(self.values), "no such share")
        require(0 <= share.most <= min(share.size, self.values[share.value][0]), "a share is more than its value")
        require(share.kind == "over" or share.most == share.size, "a share is more than its value")
        self.shares[k].append(share)
    def live(self, ran: int, lead: bool = True) -> int:
        """The bytes alive once these have run; inputs that nothing reads end with the first operator."""
        return sum(size for size, maker, users in self.values
                   if (maker < 0 or ran >> maker & 1) and (users < 0 or users & ~ran or (
                       users == 0 and maker < 0 and ran == 0 and lead)))
    def lives(self) -> list[int]:
        """What is alive once the first operators have run, for each number of them."""
        changes = [0] * (len(self.before) + 2)
        for size, maker, users in self.values:
            changes[maker + 1] += size
            changes[len(self.before) + 1 if users < 0 else max(users.bit_length(), maker + 1, 1)] -= size
        return list(itertools.accumulate(changes))
    def saved(self, ran: int, k: int) -> int:
        """The bytes that outputs of an operator share with values that end with it."""
        if not self.shares[k]:
            return 0
        taken, by_value, by_output, in_place = set[tuple[str, int]](), Counter[int](), Counter[int](), 0
        for kind, value, output, most, size in self.shares[k]:
            places = {("value", value), ("output", output)}
            if self.values[value][2] & ~ran != 1 << k or places & taken:
                continue
            if kind == "over":
                by_value[value] = min(by_value[value] + most, self.values[value][0])
                by_output[output] = min(by_output[output] + most, size)
            elif by_value[value] == by_output[output] == 0:
                taken |= places
                in_place += most
        return in_place + min(sum(by_value.values()), sum(by_output.values()))
    def can_run(self, ran: int, k: int) -> bool:
        """Whether an operator may be next, below the bound."""
        if ran >> k & 1 or self.before[k] & ~ran:
            return False
        return self.live(ran) + self.made[k] - self.saved(ran, k) < self.bound
    def follow(self, ran: int, chain: list[int]) -> int:
        """Runs a chain, each of whose operators needs the one before, and which frees what it needs."""
        alive = [self.live(ran, False)]
        require(all(self.before[k] >> last & 1 for last, k in zip(chain, chain[1:])), "a chain is none")
        for k in chain:
            require(0 <= k < len(self.before) and self.can_run(ran, k), "a chain cannot run")
            ran |= 1 << k
            alive.append(self.live(ran))
        require(alive[-1] <= alive[0] < min(alive[1:-1], default=alive[0] + 1), "a chain frees too little, or is too long")
        return ran
    def certain(self, k: int) -> tuple[int, int, int]:
        """The operators that run before k, and k with those after it, in any order; and the bytes certainly alive with k."""
        past, rest, known = self.before[k], 1 << k, (-1, -1)
        while known != (past, rest):
            known = past, rest
            for at in reversed(range(len(self.before))):
                past |= self.before[at] if past >> at & 1 else 0
            for at, before in enumerate(self.before):
                rest |= 1 << at if before & rest else 0
        require(past & rest == 0, "the operators are in a circle")
        able, size_of = Counter[int](), {share.output: share.size for share in self.shares[k]}
        for share in self.shares[k]:
            if not self.values[share.value][2] & rest & ~(1 << k):
                able[share.output] += share.most
        alive = sum(size for size, maker, users in self.values if users & rest and (maker < 0 or past >> maker & 1))
        return past, rest, alive + self.made[k] - sum(min(most, size_of[output]) for output, most in able.items())
    def waiting(self, k: int, others: int) -> Order:
        """As if an operator had to wait for others, too."""
        made = copy.copy(self)
        made.before = self.before[:]
        made.before[k] |= others
        return made
    def check_cut(self, k: int, part: Part, others: Iterable[int]) -> None:
        """Whatever else has run when k does, the flow crosses values that are alive, each at most once."""
        count, others = len(self.before), [] if part.flows else others
        require(all(self.certain(j)[2] < self.bound for j in others if j < k), "an operator before the cut proves as much")
        past, rest, total = self.certain(k)
        free, had, used = ((1 << count) - 1) & ~past & ~rest, [0] * count, Counter[int]()
        for value, reader, bytes_ in part.flows:
            require(0 <= value < len(self.values) and bytes_ > 0, "no such flow")
            size, maker, users = self.values[value]
            used[value] += bytes_
            require(used[value] <= size, "a flow is more than its value")
            is_made, stays = maker < 0 or past >> maker & 1 == 1, users & rest != 0
            require(not (is_made and stays), "a value of the flow is alive in any case")
            if not is_made:
                require(free >> maker & 1 == 1, "a flow begins where it may not")
                had[maker] -= bytes_
            if reader < 0:
                require(stays, "a flow ends where it may not")
                total += bytes_
            else:
                require(users >= 0 and reader < count and users & free & 1 << reader != 0, "no such reader")
                had[reader] += bytes_
        for user, needed, bytes_ in part.needs:
            require(0 <= user < count and needed >= 0 and bytes_ > 0, "no such need")
            require(free >> user & free >> needed & self.before[user] >> needed & 1 == 1, "no such need")
            had[user] -= bytes_
            had[needed] += bytes_
        require(not any(had), "what flows into an operator does not flow out of it")
        for lines in (part.flows, part.needs):
            require(ascends([line[:2] for line in lines]), "the flow is not sorted")
        is_plain = not part.flows and not part.needs
        require(total == self.bound or (total > self.bound and is_plain), f"the cut has {total} bytes")
    def check_cuts(self, moments: list[int]) -> None:
        """Each rule holds in all orders below the bound, because the other way around is not below it; then none is left."""
        kinds, count = [part.kind for part in self.parts], len(self.before)
        require(kinds == ["before", "cut"] * (len(kinds) // 2) + ["cut"], "the cuts are malformed")
        require(self.begin == 0, "every order begins with operators that the cuts do not know")
        operators = [[number(word) for word in part.words] for part in self.parts]
        require(all(0 <= k < count for listed in operators for k in listed), "there is no such operator")
        for (first, second), (k,), part in zip(operators[:-1:2], operators[1::2], self.parts[1::2]):
            past, rest, _ = self.certain(first)
            require(first != second and not (past | rest) >> second & 1, "a rule is certain in any case")
            require(k in (first, second), "the cut of a rule is of another operator")
            self.waiting(first, 1 << second).check_cut(k, part, [min(first, second)])
            self.before[second] |= 1 << first
        (k,) = operators[-1]
        self.check_cut(k, self.parts[-1], [j for j in range(count) if len(kinds) > 1 or moments[j] == self.bound])
    def check_sets(self) -> None:
        """Through the sets in the list, no order reaches the end."""
        count, start = len(self.before), (1 << self.begin) - 1
        sets = {int(part.words[0], 16): part for part in self.parts}
        exact = [f"{ran:x}" for ran in sets] == [part.words[0] for part in self.parts]
        require(exact and ascends(list(sets)), "sets are not sorted")
        mixed = any(len({share.kind for share in own}) > 1 and len({share.output for share in own}) > 1 for own in self.shares)
        met, todo = {start}, [start]
        while todo:
            ran = todo.pop()
            require(ran in sets, f"set {ran:x} is missing")
            require(ran != (1 << count) - 1, "there is a better order")
            part, listed = sets[ran], [number(word) for word in sets[ran].words[1:]]
            if part.kind == "stop":
                require(len(listed) == 1 and 0 <= listed[0] < count and not ran >> listed[0] & 1, "there is no such operator")
                self.waiting(listed[0], ran).check_cut(listed[0], part, [])
                continue
            require((part.kind == "run") == (len(listed) > 0), "a set is malformed")
            require(not listed or not mixed, "chains are not covered with both kinds of sharing")
            ways = {self.follow(ran, listed)} if listed else {ran | 1 << k for k in range(count) if self.can_run(ran, k)}
            todo += ways - met
            met |= ways
        require(len(met) == len(sets), "a set is not reached")
    def check(self) -> list[str]:
        """What the claim must say."""
        count = len(self.before)
        moments = [alive + self.made[k] - self.saved((1 << k) - 1, k) for k, alive in zip(range(count), self.lives())]
        peak = max(moments, default=0)
        require(peak == self.bound and 0 <= self.begin < count, f"the order needs {peak} bytes")
        if self.begin > 0:
            past, rest, _ = self.certain(self.begin - 1)
            is_first = past == (1 << self.begin - 1) - 1 and past | rest == (1 << count) - 1
            require(is_first, f"not every order begins with these {self.begin} operators")
        if any(part.kind in ("before", "cut") for part in self.parts):
            self.check_cuts(moments)
        else:
            self.check_sets()
        return ["order", str(self.bound), self.sum]
# ---------------------------------------------------------------- the whole
def refute(problem: Problem, proof: list[list[str]], target: int) -> int:
    """What a reason proves: no layout is lower."""
    require(len(proof) > 0 and all(len(line) > 1 for line in proof), "the proof is malformed")
    alone = {"load": check_load, "column": check_column, "banks": check_banks}.get(proof[0][0])
    if alone:
        require(len(proof) == 1, "more follows the reason")
        return alone(problem, proof[0][1:])
    kinds = [line[0] for line in proof[1:]]
    require(proof[0] == ["pairs", str(kinds.count("below"))] and set(kinds) <= {"clique", "below"} and
            kinds == sorted(kinds, reverse=True), "the proof is malformed")
    return Pairs(problem, proof[1:], target).check()
def terms_of(problem: Problem) -> dict[str, int]:
    """What a plan pays."""
    paid: dict[str, int] = {}
    if problem.pools:
        paid["spill"] = sum(problem.buffers[i].size * problem.rate(i, pool) for i, pool in enumerate(problem.chosen))
    for soft in problem.soft():
        a = problem.buffers[soft.first]
        is_paid = a.offset != soft.second
        if soft.term == "reuse":
            b = problem.buffers[soft.second]
            shared = min(a.offset + a.size, b.offset + b.size) > max(a.offset, b.offset) and min(a.size, b.size) > 0
            is_paid = shared and problem.chosen[soft.first] == problem.chosen[soft.second]
        paid[soft.term] = paid.get(soft.term, 0) + (soft.cost if is_paid else 0)
    return paid
def members(problem: Problem, pool: int) -> set[int]:
    """The buffers that every plan has in a pool, with those that are colocated with them."""
    bodies = {problem.body[i] for i, choices in enumerate(problem.choices) if choices == [pool]}
    return {i for i, body in enumerate(problem.body) if body in bodies}
class Best:
    """The plan is the best by the terms of the objective, one after the other."""
    def __init__(self, problem: Problem, proof: list[list[str]]) -> None:
        self.problem, self.choices, self.sections = problem, problem.choices, list[list[list[str]]]()
        for line in proof:
            require(line[0] in ("pool", "all", "core") or len(self.sections) > 0, "a reason is for nothing")
            self.sections += [[]] if line[0] in ("pool", "all", "core") else []
            self.sections[-1].append(line)
        self.limits = [pool.capacity for pool in problem.pools] or [NOWHERE]
        self.apart: list[Soft] = []  # what no plan as good pays for
        self.whole = [problem.part(range(len(problem.buffers)), k) for k in range(len(self.limits))]
        require(all(own.offset >= 0 for own in problem.buffers), "a buffer has no place")
        chosen = problem.chosen
        require(all(chosen[i] == chosen[j] for i, j, _ in problem.of("colocation")), "colocated buffers are in two pools")
        inside = [{i for i, k in enumerate(chosen) if k == pool} for pool in range(len(self.limits))]
        self.peaks = [check_plan(problem.part(own, k)) for k, own in enumerate(inside)]
        require(all(peak <= limit for peak, limit in zip(self.peaks, self.limits)), "a pool is full")
    def take(self, *header: str) -> list[list[str]]:
        require(len(self.sections) > 0 and self.sections[0][0][: len(header)] == list(header), f"no {' '.join(header)}")
        return self.sections.pop(0)
    def spill(self, value: int) -> None:
        costs = [{pool: own.size * self.problem.rate(i, pool) for pool in choices}
                 for i, (own, choices) in enumerate(zip(self.problem.buffers, self.choices))]
        require(value == sum(min(own.values()) for own in costs), "other pools may be cheaper")
        self.problem = replace(self.problem, choices=[  # of all plans as good
            [pool for pool, cost in own.items() if cost == min(own.values())] for own in costs])
    def peak(self, value: int) -> None:
        if self.sections and self.sections[0][0][0] == "all":
            header, *load = self.take("all", str(value))
            require(len(header) == 2 and len(load) == 1 and load[0][0] == "load", "it is not about all pools")
            require(value > 0 and refute(self.problem, load, value) == value, "the pools may need less")
            return
        for k, peak in enumerate(self.peaks):
            if peak:
                section = self.take("pool", str(k))
                part = self.problem.part(members(self.problem, k), k, self.apart)
                require(len(section[0]) == 2 and refute(part, section[1:], peak) == peak, f"pool {k} may need less")
        self.limits = self.peaks
    def is_due(self, soft: Soft) -> bool:
        """Whether a term is paid because no offset of its buffers by themselves avoids that."""
        if soft.term == "moved":
            return all(self.whole[k].place(soft.first, soft.second) != soft.second for k in self.choices[soft.first])
        (a, low), (b, other) = self.problem.where(soft.first), self.problem.where(soft.second)
        size, beside = self.problem.buffers[soft.first].size, self.problem.buffers[soft.second].size
        return a == b and min(size, beside) > 0 and low < other + beside and other < low + size
    def soft(self, term: str, value: int) -> None:
        own = [soft for soft in self.problem.soft() if soft.term == term]
        left = [0 if self.is_due(soft) else soft.cost for soft in own]
        total = sum(soft.cost - rest for soft, rest in zip(own, left))
        while total < value:
            section = self.take("core")
            weight, pool, *terms = [number(word) for word in section[0][1:]]
            require(weight > 0 and 0 <= pool < len(self.limits) and len(terms) > 0, "a core is malformed")
            for at in numbers(section[0][3:], len(own)):
                left[at] -= weight
            part = self.problem.part(members(self.problem, pool), pool, self.apart + [own[at] for at in terms])
            target = self.limits[pool] + 1
            require(min(left) >= 0 and target <= refute(part, section[1:], target), "a core may be free")
            total += weight
        require(total == value, "the terms may cost less")
        self.apart += [soft for soft, rest in zip(own, left) if rest]
    def check(self, claim: list[str]) -> None:
        paid = {"peak": sum(self.peaks), **terms_of(self.problem)}
        require(dict(zip(claim[::2], claim[1::2])) == {term: str(cost) for term, cost in paid.items()}
                and len(claim) == 2 * len(paid), f"the plan pays {paid}")
        for term in claim[::2]:
            {"spill": self.spill, "peak": self.peak}.get(term, partial(self.soft, term))(paid[term])
        require(not self.sections, "there are too many reasons")
def check(certificate: Certificate) -> None:
    problem, proof, least = certificate.problem, certificate.proof, certificate.least
    if certificate.claim in ("least", "over"):
        require(all(own.offset < 0 for own in problem.buffers), "there is no plan, but an offset")
    begin = next((at for at, line in enumerate(proof) if line[0] == "order"), len(proof))
    order = Order(proof[begin:]).check() if begin < len(proof) else []
    suits = not order or certificate.claim in ("peak", "best") and int(order[1]) <= certificate.least
    require(suits and order == certificate.order, "the claim is about another order")
    proof = proof[:begin]
    if certificate.claim == "best":
        return Best(problem, proof).check(certificate.terms)
    if certificate.claim == "peak":
        top = check_plan(problem)
        require(top == least, f"the peak of the plan is {top}")
    if certificate.claim == "over":
        pool = int(certificate.terms[0])
        require(problem.pools[pool].capacity < least or least == NOWHERE, "the pool has room for that")
        problem = problem.part(members(problem, pool), pool)
    require(least > 0 or not proof, "the proof is malformed")
    shown = refute(problem, proof, least) if least > 0 else 0
    require(min(shown, NOWHERE) == least, f"the proof shows {shown}, not {least}")
# ---------------------------------------------------------------- the input
TERMS = ("spill", "peak", "reuse", "moved")
def read_table(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8-sig", newline="") as stream:
        rows = [{name.strip().lower(): text.strip() for name, text in row.items()} for row in csv.DictReader(stream)]
    known = {"id", "lower", "upper", "size", "alignment", "offset", "hint"}
    require(all(name in known or not text for row in rows for name, text in row.items()), "INPUT: use JSON instead")
    return [{"name": row["id"], "size": int(row["size"]), "alignment": int(row.get("alignment") or 1),
             "lifetimes": [(int(row["lower"]), int(row["upper"]))],
             **({"offset": int(row["offset"])} if row.get("offset") else {})} for row in rows]
def relations_of(document: dict[str, Any]) -> set[tuple[int, ...]]:
    index = {item["name"]: i for i, item in enumerate(document["buffers"])}
    found: set[tuple[int, ...]] = set()
    costs = Counter[tuple[int, ...]]()  # repeated ones add up
    for kind, name in enumerate(KINDS):
        for item in document.get(f"{name}s".replace("ys", "ies"), []):
            if name == "reuse_penalty":
                costs[(kind, *sorted(index[buffer] for buffer in item["buffers"]))] += item["cost"]
            elif "buffers" in item:
                listed = sorted({index[buffer] for buffer in item["buffers"]})
                found |= {(kind, i, j, item.get("bank", 0)) for i, j in itertools.combinations(listed, 2)}
            else:
                i, j = index[item["first"]], index[item["second"]]
                count = item.get("bytes" if name == "overlap" else "offset", 0)
                found.add((kind, i, j, count) if i < j or name == "overlap" else (kind, j, i, -count))
    return found | {(*penalty, cost) for penalty, cost in costs.items()}
def compare_pools(certificate: Certificate, document: dict[str, Any]) -> None:
    """Pools, and what they say of buffers and reserved bytes."""
    problem, items, pools = certificate.problem, document["buffers"], document.get("pools", [])
    stated = [(pool["name"], NOWHERE if pool.get("capacity") is None else pool["capacity"], pool.get("alignment", 1),
               -1 if pool.get("cost") is None else pool["cost"]) for pool in pools]
    require(stated == problem.pools, "INPUT has other pools")
    index = {pool["name"]: k for k, pool in enumerate(pools)}
    choices = [[index[name] for name in item.get("pools") or index] for item in items] if pools else problem.choices
    chosen = [index.get(item.get("pool"), known) for item, known in zip(items, problem.chosen)]
    suits = chosen == problem.chosen or certificate.claim == "over"
    require(choices == problem.choices and suits, "INPUT has other pools for buffers")
    reserved = set()
    for item in document.get("reserved", []):
        (low, high), (start, end) = item["bytes"], item.get("when", (0, 0))
        pool = [index.get(item.get("pool"), 0)] if pools else []
        reserved.add((low, high or NOWHERE, start, end or NOWHERE, *pool))
    require(reserved == set(problem.reserved), "INPUT has other reserved bytes")
def compare_terms(certificate: Certificate, document: dict[str, Any]) -> None:
    """Earlier offsets, and the order of the terms."""
    costs = [item.get("move_cost", item["size"]) for item in document["buffers"]]
    near = [("moved", i, item["near"], cost) for i, (item, cost) in enumerate(zip(document["buffers"], costs))
            if item.get("near") is not None and cost > 0]
    require(near == certificate.problem.near, "INPUT has other earlier offsets")
    order = document.get("objective", []) + [term for term in TERMS if term not in document.get("objective", [])]
    terms = certificate.terms[::2]
    require(certificate.claim != "best" or terms == [term for term in order if term in terms], "INPUT has another objective")
def buffer_of(item: dict[str, Any], own: Buffer, is_plan: bool) -> Buffer:
    """A buffer in INPUT; without an offset, it may be where the certificate has it."""
    ranges: list[tuple[int, int]] = []
    for start, end in item["lifetimes"]:
        ranges.append((ranges.pop()[0], end) if ranges and ranges[-1][1] == start else (start, end))
    low, high = item.get("window", (0, None))
    fixed = item.get("fixed_offset", -1 if is_plan else item.get("offset", -1))
    offset = item.get("offset", own.offset) if is_plan and own.offset >= 0 else own.offset
    return Buffer(item["name"], item["size"], item.get("alignment", 1), fixed, low, high or NOWHERE, item.get("bank", 0),
                  offset, ranges)
def compare_operators(proof: list[list[str]], document: dict[str, Any]) -> None:
    """A plan that lists operators has the values of the order, and their makers and readers."""
    values = Counter(" ".join(line[1:]) for line in proof if line[0] == "value")
    shares = any(line[0] in ("in_place", "over") for line in proof) or document.get("colocations")
    if not values or shares or not document.get("operators"):
        return
    makers: dict[str, list[str]] = {}  # several, where a view lies in what it shows
    readers: dict[str, list[str]] = {}
    for k, own in enumerate(document["operators"]):
        for name in own.get("makes", []):
            makers.setdefault(name, []).append(str(k))
        for name in set(own.get("reads", [])):
            readers.setdefault(name, []).append(str(k))
    end = len(document["operators"])
    for item in sorted(document["buffers"], key=lambda item: item["lifetimes"][-1][1] >= end):
        value = f"{item['size']} {makers.get(item['name'], '-')[0]}"
        ends = " ".join([value, "ends", *readers.get(item["name"], "-")])
        stays = item["lifetimes"][-1][1] >= end and values[ends] == 0  # so those that end before took theirs
        values[f"{value} stays -" if stays else ends] -= item["size"] > 0
    require(not any(values.values()), "the operators in INPUT make or read other values")
    before = [line[1:] for line in proof if line[0] == "operator"]
    require(len(before) == end, "INPUT has another number of operators")
    for k, own in enumerate(document["operators"]):
        for made in (set(makers.get(name, [])) - {str(k)} for name in own.get("reads", [])):
            require(not made or bool(made & set(before[k])), "an operator does not wait for what it reads")
def compare(certificate: Certificate, path: str) -> None:
    problem, is_json = certificate.problem, path.endswith(".json")
    if is_json:
        with open(path, encoding="utf-8") as stream:
            document: dict[str, Any] = json.load(stream)
        require(document.get("format") in ("neap-problem", "neap-plan"), "INPUT is of no known format")
    else:
        document = {"buffers": read_table(path)}
    unknown = [key for key in ("conflicts", "conflict_matrix") if document.get(key)]
    require(not unknown, f"INPUT has {', '.join(unknown)}, which certificates do not cover")
    is_plan = is_json or all(own.fixed < 0 for own in problem.buffers)  # else a table has fixed offsets
    require(len(document["buffers"]) == len(problem.buffers), "INPUT has another number of buffers")
    for own, item in zip(problem.buffers, document["buffers"]):
        require(own == buffer_of(item, own, is_plan), f"buffer {own.name} differs in INPUT")
    require(relations_of(document) == set(problem.relations), "INPUT has other relations")
    compare_pools(certificate, document)
    compare_terms(certificate, document)
    compare_operators(certificate.proof, document)

def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("certificate")
    parser.add_argument("input", nargs="?")
    parser.add_argument("--capacity", type=int)
    arguments = parser.parse_args()
    try:
        with open(arguments.certificate, "rb") as stream:
            certificate = read_certificate(stream.read())
        if arguments.input is not None:
            compare(certificate, arguments.input)
        fits = arguments.capacity is not None and (certificate.claim == "best" or certificate.least <= arguments.capacity)
        require(not fits, f"it does not say that {arguments.capacity} bytes are too few")
        check(certificate)
    except (Rejected, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        print(f"rejected: {error}")
        return 1
    least, terms = "no layout exists", certificate.terms
    if certificate.claim == "best":
        least = "the best plan has " + ", ".join(" ".join(pair) for pair in zip(terms[::2], terms[1::2]))
    elif certificate.least < NOWHERE:
        words = {"peak": "the lowest peak is", "least": "every peak is at least", "over": f"pool {terms[0]} needs at least"}
        least = f"{words[certificate.claim]} {certificate.least} bytes"
    print(f"accepted: {least}")
    return 0

if __name__ == "__main__":
    sys.exit(main())
