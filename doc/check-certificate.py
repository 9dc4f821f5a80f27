# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate of neap, as certificate.md defines it, without any code of neap.

    python3 check-certificate.py CERTIFICATE [INPUT] [--capacity BYTES]

INPUT is the problem or the plan, as CSV or JSON, that the certificate must be about. With --capacity, the
certificate must prove that no layout fits. Exits with 0 if it is accepted.
"""
from __future__ import annotations
import argparse
import bisect
import json
import math
import sys
import zlib
from dataclasses import dataclass, field, replace
from typing import Collection, Iterable, NamedTuple, Optional
import certificate_input
import certificate_order
from certificate_order import NOWHERE, Rejected, number, numbers, optional, require

KINDS = ("separation", "exclusion", "overlap", "colocation", "bank_separation", "reuse_penalty")
State = dict[int, int]  # buffers left, and the lowest offset that each can still have

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
    chosen: list[int] = field(default_factory=list)  # the pool of each buffer, or -1
    choices: list[list[int]] = field(default_factory=list)  # the pools that each may be in
    near: list[Soft] = field(default_factory=list)
    reserved: list[tuple[int, ...]] = field(default_factory=list)  # low, high, start, end, with pools the pool
    relations: list[tuple[int, ...]] = field(default_factory=list)  # kind, two buffers, bytes
    body: dict[int, int] = field(default_factory=dict)  # of colocated buffers: the first that one is colocated with
    inner: dict[int, int] = field(default_factory=dict)  # and the distance from it
    pairs: list[set[frozenset[int]]] = field(default_factory=list)  # by kind
    allowed: dict[tuple[int, int], int] = field(default_factory=dict)  # (output, input): bytes
    def index(self) -> None:
        self.pairs = [{frozenset(r[1:3]) for r in self.relations if r[0] == k} for k in range(len(KINDS))]
        for kind, i, j, count in self.relations:
            if KINDS[kind] == "overlap" and count < self.buffers[i].size and self.buffers[j].size:
                self.allowed[i, j] = min(count, self.allowed.get((i, j), count))
        links = [r[1:] for r in self.relations if KINDS[r[0]] == "colocation"]
        links += [(j, i, -count) for i, j, count in links]
        for root in sorted({i for i, _, _ in links}):
            todo = [root] if root not in self.body else []
            self.body.setdefault(root, root)
            self.inner.setdefault(root, 0)
            while todo:
                at = todo.pop()
                for i, j, count in links:
                    if i == at and j not in self.body:
                        self.body[j], self.inner[j] = root, self.inner[at] + count
                        todo.append(j)
    def gap(self, below: int, above: int) -> int:
        return self.allowed.get((below, above), self.buffers[below].size)
    def conflict(self, i: int, j: int) -> bool:
        a, b, pair = self.buffers[i], self.buffers[j], frozenset((i, j))
        together = i in self.body and self.body[i] == self.body.get(j)
        if i == j or a.size == 0 or b.size == 0 or together or pair in self.pairs[1]:
            return False
        return pair in self.pairs[0] or meet(a.ranges, b.ranges)
    def strict(self, i: int, j: int) -> bool:
        return self.conflict(i, j) and (i, j) not in self.allowed and (j, i) not in self.allowed
    def place(self, i: int, at: int) -> int:
        """The lowest offset at or above `at` that buffer i may have by itself, or NOWHERE."""
        own = self.buffers[i]
        at = max(at, own.low)
        if own.fixed >= 0:
            return own.fixed if at <= own.fixed else NOWHERE
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

    def soft(self) -> list[Soft]:
        return [Soft("reuse", *r[1:]) for r in self.relations if KINDS[r[0]] == "reuse_penalty"] + self.near
    def part(self, keep: Collection[int], pool: int = 0, unit: int = 1, apart: Iterable[Soft] = ()) -> Problem:
        """Only these buffers, with sizes rounded down, as if they were in this pool, and paying for nothing of `apart`."""
        align = self.pools[pool].alignment if self.pools else 1
        fixed = {soft.first: soft.second for soft in apart if soft.term == "moved"}
        made = Problem(relations=[r for r in self.relations if r[1] in keep and r[2] in keep and r[0] < 5])
        made.relations += [(0, s.first, s.second, 0) for s in apart if s.term == "reuse" and {s.first, s.second} <= set(keep)]
        made.reserved = [hole[:4] for hole in self.reserved if hole[4:] in ((), (pool,))]
        made.buffers = [replace(own, size=own.size // unit * unit, alignment=math.lcm(own.alignment, align),
                                fixed=own.fixed if own.fixed >= 0 else fixed.get(i, -1))
                        if i in keep else Buffer(own.name, 0, 1, -1, 0, NOWHERE, 0, 0, own.ranges)
                        for i, own in enumerate(self.buffers)]
        made.index()
        made.body, made.inner = self.body, self.inner
        free = not made.reserved and not made.allowed and all(
            (own.fixed, own.low, own.bank, unit % own.alignment) == (-1, 0, 0, 0) for own in made.buffers)
        if unit > 1 and free:  # then a lowest layout has no other offsets
            made.buffers = [replace(own, alignment=unit) for own in made.buffers]
        return made

class Certificate(NamedTuple):
    claim: str
    least: int
    problem: Problem
    proof: list[list[str]]
    order: list[str]  # what the claim says about the order of operators
    terms: list[str]  # and about the objective
# ---------------------------------------------------------------- reading
def read_buffer(line: str) -> Buffer:
    name, end = json.JSONDecoder().raw_decode(line, len("buffer "))
    words = line[end + 1 :].split(" ")
    exact = isinstance(name, str) and line == f"buffer {json.dumps(name, ensure_ascii=False)} " + " ".join(words)
    require(exact and name != "" and len(words) >= 9 and len(words) % 2 == 1, "a buffer is malformed")
    times = [number(word) for word in words[7:]]
    low, high, bank = number(words[3]), optional(words[4]), optional(words[5], 0)
    own = Buffer(name, number(words[0]), number(words[1]), optional(words[2], -1), low, high, bank,
                 optional(words[6], -1), list(zip(times[::2], times[1::2])))
    require(all(a < b for a, b in zip([-1] + times, times)), f"{name}: times do not ascend")
    ranges = own.size >= 0 and own.alignment > 0 and low >= 0 and "0" != words[5] and "-1" not in words
    require(ranges and bank >= 0 and own.fixed >= -1 and own.offset >= -1, f"{name}: a number is out of range")
    return own
def read_relation(words: list[str], count: int) -> tuple[int, ...]:
    require(len(words) == 4, "a relation is malformed")
    i, j, bytes_ = (number(word) for word in words[1:])
    require(0 <= min(i, j) and max(i, j) < count and i != j and (i < j or words[0] == "overlap"), "no such pair")
    require(words[0] not in KINDS[:2] or bytes_ == 0, "a number is not 0")
    require(words[0] == "colocation" or bytes_ >= (words[0] == KINDS[4]), "a number is out of range")
    return KINDS.index(words[0]), i, j, bytes_
def read_pools(problem: Problem, proof: list[list[str]]) -> None:
    """The pools, the pool of each buffer, and where buffers were in an earlier plan."""
    count = len(problem.buffers)
    while proof and proof[0][0] == "pool" and len(proof[0]) > 2:
        line = " ".join(proof.pop(0))
        name, end = json.JSONDecoder().raw_decode(line, len("pool "))
        words = line[end + 1 :].split(" ")
        exact = isinstance(name, str) and line == f"pool {json.dumps(name, ensure_ascii=False)} " + " ".join(words)
        require(exact and name != "" and len(words) == 3, "a pool is malformed")
        problem.pools.append(Pool(name, optional(words[0]), number(words[1]), optional(words[2], -1)))
        own = problem.pools[-1]
        require(own.alignment > 0 and own.capacity >= 0 and own.cost >= -1 and "-1" not in words, "a number is out of range")
    require(len({pool.name for pool in problem.pools}) == len(problem.pools), "two pools have one name")
    for i in range(count if problem.pools else 0):
        require(len(proof[0]) > 3 and proof[0][:2] == ["in", str(i)], f"buffer {i} has no pool")
        own, choices = optional(proof[0][2], -1), [number(word) for word in proof.pop(0)[3:]]
        known = all(0 <= k < len(problem.pools) for k in choices) and len(set(choices)) == len(choices)
        require(known and own in choices + [-1] and (own < 0) == (problem.buffers[i].offset < 0), "no such pool")
        problem.chosen.append(own)
        problem.choices.append(choices)
    while proof and proof[0][0] == "near" and len(proof[0]) == 4:
        problem.near.append(Soft("moved", *(number(word) for word in proof.pop(0)[1:])))
        require(0 <= problem.near[-1].first < count and min(problem.near[-1][2:]) >= 0, "no such move")
    require(all(a.first < b.first for a, b in zip(problem.near, problem.near[1:])), "moves are not sorted")
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
    problem, at = Problem(), 2
    while lines[at].startswith("buffer "):
        problem.buffers.append(read_buffer(lines[at]))
        at += 1
    require(len({own.name for own in problem.buffers}) == len(problem.buffers), "two buffers have one name")
    proof = [line.split(" ") for line in lines[at:-2]]
    read_pools(problem, proof)
    while proof and proof[0][0] == "reserved" and len(proof[0]) == 5 + (len(problem.pools) > 0):
        low, high, start, end, *pool = (optional(word) for word in proof.pop(0)[1:])
        within = 0 <= min(pool, default=0) and max(pool, default=-1) < len(problem.pools)
        require(0 <= low < high and 0 <= start < end and within, "reserved bytes are out of range")
        problem.reserved.append((low, high, start, end, *pool))
    while proof and proof[0][0] in KINDS:
        problem.relations.append(read_relation(proof.pop(0), len(problem.buffers)))
    for listed in (problem.reserved, problem.relations):
        require(all(a < b for a, b in zip(listed, listed[1:])), "relations are not sorted")
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
    return not problem.conflict(i, j) or distance >= problem.gap(i, j) or -distance >= problem.gap(j, i)
def check_plan(problem: Problem) -> int:
    """The peak of the plan, which keeps all constraints."""
    for i, own in enumerate(problem.buffers):
        require(own.offset >= 0 and own.offset % own.alignment == 0, f"buffer {i} is not aligned")
        require(problem.place(i, own.offset) == own.offset, f"buffer {i} may not be there")
        require(not own.size or not any(own.offset < b and a < own.offset + own.size and meet(own.ranges, [(c, d)])
                                        for a, b, c, d in problem.reserved), f"buffer {i} is in reserved bytes")
    top = max((own.offset + own.size for own in problem.buffers), default=0)
    is_plain = not (problem.body or problem.pairs[1] or problem.allowed)
    alive: list[tuple[int, int]] = []  # offsets and buffers; if plain, these do not overlap
    for _, is_start, i in sorted((time, k, i) for i, own in enumerate(problem.buffers) if own.size
                                 for times in own.ranges for k, time in ((1, times[0]), (0, times[1]))):
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
        suits = [allows(problem, i, j), True, True, b.offset - a.offset == count, not (a.size and b.size) or (
            (a.offset + a.size - 1) // max(count, 1) < b.offset // max(count, 1)
            or (b.offset + b.size - 1) // max(count, 1) < a.offset // max(count, 1)), True][kind]
        require(suits, f"buffers {i} and {j} break a {KINDS[kind]}")
    return top
# ---------------------------------------------------------------- loads and columns
def shared(problem: Problem, alive: set[int]) -> int:
    """The most bytes that overlap allowances let buffers share."""
    sums, left = [0, 0], [{i: problem.buffers[i].size for i in alive} for _ in range(2)]
    for i, j in sorted({(min(pair), max(pair)) for pair in problem.allowed}):
        if i in alive and j in alive:
            a, b = problem.buffers[i].size, problem.buffers[j].size
            saving = max(min(a - problem.gap(i, j), b), min(b - problem.gap(j, i), a))
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
    require(not any(pair <= set(listed) for pair in problem.pairs[1]), "some are excluded")
    require(not any(i in problem.body for pair in problem.allowed for i in pair), "colocated buffers overlap")
    need, tops = 0, dict[int, int]()
    for i in sorted(listed, key=lambda i: problem.inner.get(i, 0)):
        low, size, body = problem.inner.get(i, 0), problem.buffers[i].size, problem.body.get(i, -1 - i)
        begin = max(tops.get(body, low), low)
        tops[body] = max(begin, low + size)
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
def check_column(problem: Problem, words: list[str]) -> int:
    listed = numbers(words, len(problem.buffers))
    require(all(problem.strict(i, j) for i in listed for j in listed if i != j), "some may share bytes")
    items = [(problem.place(i, 0), i) for i in listed]
    need = stack(problem, items)
    for at in range(len(items)) if 1 < len(items) <= 100 else []:
        require(stack(problem, items[:at] + items[at + 1 :]) < need, f"buffer {listed[at]} is not needed")
    return need
# ---------------------------------------------------------------- layouts
class Layout:
    """Refutes states; the first is the whole problem."""
    def __init__(self, problem: Problem, proof: list[list[str]], target: int) -> None:
        self.problem, self.target, self.proof = problem, target, proof
        items = [i for i, own in enumerate(problem.buffers) if own.size]
        self.near = {i: {j: (problem.gap(i, j), problem.gap(j, i)) for j in items if problem.conflict(i, j)}
                     for i in items}
        self.strict = {i: {j for j in items if problem.strict(i, j)} for i in items}
        related = {i for relation in problem.relations for i in relation[1:3]} | set(problem.body)
        self.twin: dict[int, object] = {i: i if i in related or own.fixed >= 0 else (
            own.size, own.alignment, own.low, own.high, own.bank, tuple(own.ranges))
            for i, own in enumerate(problem.buffers)}
        self.cliques = [numbers(line[1:], len(problem.buffers)) for line in proof if line[0] == "clique"]
        require(all(a < b for a, b in zip(self.cliques, self.cliques[1:])), "cliques are not sorted")
        for clique in self.cliques:
            require(all(i in self.near and set(clique) <= self.strict[i] | {i} for i in clique), "no clique")
            require(not clique or not set.intersection(*(self.strict[i] for i in clique)), "others join a clique")
        self.used: set[int] = set()
    def need(self, state: State, clique: list[int]) -> int:
        items = [(state[i], i) for i in clique if i in state]
        return stack(self.problem, items) if items else 0
    def first_full(self, state: State) -> Optional[int]:
        return next((at for at, k in enumerate(self.cliques) if self.need(state, k) >= self.target), None)
    def put(self, state: State, i: int) -> State:
        child = {j: low for j, low in state.items() if j != i}
        for j, (above, below) in self.near[i].items():
            if j in child and child[j] < state[i] + above and child[j] + below > state[i]:
                child[j] = self.problem.place(j, state[i] + above)
        return child
    def movable(self, state: State, j: int, i: int) -> bool:
        own, near = self.problem.buffers[j], self.near[i]
        plain = (own.fixed, own.low, own.high, own.bank, self.problem.reserved) == (-1, 0, NOWHERE, 0, [])
        return (plain and self.problem.buffers[i].size % own.alignment == 0
                and all(k in near or k == i for k in self.near[j] if k in state))
    def learn(self, state: State, i: int, floor: int) -> bool:
        """Raises buffer i, which is not at the floor; False if no layout is left."""
        wall = NOWHERE if len(self.strict[i]) == len(self.near[i]) else floor
        for j in self.near[i]:
            if j in state and state[j] < wall and (state[j] < floor or not self.movable(state, j, i)):
                wall = state[j]
        if wall < NOWHERE:
            state[i] = self.problem.place(i, max(wall, floor) + 1)
        return wall < NOWHERE
    def empty(self, state: State, clique: list[int], floor: int) -> State:
        """No buffer of a clique is at its floor."""
        left, least = [i for i in clique if i in state], NOWHERE
        for i in left:
            start = min((state[j] + below for j, (_, below) in self.near[i].items()
                         if j in state and j not in clique), default=NOWHERE)
            start = self.problem.place(i, floor + 1 if i in self.problem.body else max(start, floor + 1))
            least = min(least, state[i] if state[i] > floor else start)
        return {**state, **{i: self.problem.place(i, max(state[i], least)) for i in left}}
    def starters(self, state: State, clique: list[int]) -> tuple[int, list[int]]:
        floor = min((state[i] for i in clique if i in state), default=NOWHERE)
        found: dict[object, int] = {}
        for i in clique:
            if state.get(i) == floor:
                found.setdefault(self.twin[i], i)
        return floor, list(found.values())
    def component(self, state: State, first: int) -> set[int]:
        found, todo = {first}, [first]
        while todo:
            more = {j for j in self.near[todo.pop()] if j in state} - found
            found |= more
            todo += more
        return found
    def cell(self, state: State, at: int, words: list[str]) -> list[State]:
        floor, starters = self.starters(state, self.cliques[at])
        require(len(starters) > 0 and [str(i) for i in starters] == words, "other buffers are at the floor")
        require(len(self.component(state, starters[0])) == len(state), "the state has parts")
        require(self.first_full(state) is None, "the state has a full clique")
        alike = (k for k, clique in enumerate(self.cliques[:at]) if starters[0] in clique)
        require(not any(self.starters(state, self.cliques[k]) == (floor, starters) for k in alike), "not the first")
        children, state = [], dict(state)
        for i in starters:
            children.append(self.put(state, i))
            if not self.learn(state, i, floor):
                return children
        return children + [self.empty(state, self.cliques[at], floor)]
    def check(self) -> int:
        least, states = NOWHERE, [{i: self.problem.place(i, 0) for i in self.near}]
        kept: list[State] = []
        done: dict[frozenset[int], list[int]] = {}  # of these, the refuted ones by the buffers left
        waiting: list[tuple[int, int]] = []  # and the others, with the number of states around them
        referred: set[int] = set()
        for kind, first, *words in self.proof[len(self.cliques) :]:
            require(len(states) > 0, "the proof does not end where it should")
            while waiting and waiting[-1][0] >= len(states):
                done.setdefault(frozenset(kept[waiting[-1][1]]), []).append(waiting.pop()[1])
            state, at = states.pop(), number(first)
            require(kind in ("part", "as") or 0 <= at < len(self.cliques), "there is no such clique")
            require(kind in ("cell", "keep") or not words, "a line is too long")
            if kind in ("cell", "keep"):
                if kind == "keep":
                    waiting.append((len(states), len(kept)))
                    kept.append(state)
                self.used.add(at)
                states += reversed(self.cell(state, at, words))
            elif kind == "part":
                found = self.component(state, at) if at in state else set(state)
                require(at == min(found) and len(found) < len(state), "that is no part")
                states.append({i: state[i] for i in found})
            elif kind == "full":
                require(self.first_full(state) == at, f"clique {at} is not the first full one")
                self.used.add(at)
                least = min(least, self.need(state, self.cliques[at]))
            else:
                require(kind == "as", f"there is no reason {kind}")
                fits = (k for k in sorted(done.get(frozenset(state), []))
                        if all(kept[k][i] <= low for i, low in state.items()))
                require(next(fits, -1) == at, "the state is not like that one")
                referred.add(at)
        require(not states and len(referred) == len(kept), "the proof is not complete")
        require(len(self.used) == len(self.cliques), "a clique is not used")
        return least if least < NOWHERE else self.target
# ---------------------------------------------------------------- the whole
def refute(problem: Problem, proof: list[list[str]], target: int) -> int:
    """What a reason proves: no layout is lower."""
    require(len(proof) > 0 and all(len(line) > 1 for line in proof), "the proof is malformed")
    if proof[0][0] in ("load", "column"):
        require(len(proof) == 1, "more follows the reason")
        return (check_load if proof[0][0] == "load" else check_column)(problem, proof[0][1:])
    if proof[0][0] == "weaker":
        unit, keep = number(proof[0][1]), numbers(proof[0][2:], len(problem.buffers))
        require(0 < unit <= min((problem.buffers[i].size for i in keep), default=0), "a buffer vanishes")
        problem, proof = problem.part(set(keep), 0, unit), proof[1:]
    return Layout(problem, proof, target).check()
def terms_of(problem: Problem) -> dict[str, int]:
    """What a plan pays."""
    paid = {"spill": 0} if problem.pools else {}
    for i, choices in enumerate(problem.choices):
        cost = problem.pools[problem.chosen[i]].cost
        paid["spill"] += problem.buffers[i].size * (cost if cost >= 0 else choices.index(problem.chosen[i]))
    for soft in problem.soft():
        a, b = problem.buffers[soft.first], problem.buffers[soft.second if soft.term == "reuse" else 0]
        shared = min(a.offset + a.size, b.offset + b.size) > max(a.offset, b.offset) and min(a.size, b.size) > 0
        shared = shared and (not problem.pools or problem.chosen[soft.first] == problem.chosen[soft.second])
        is_paid = shared if soft.term == "reuse" else a.offset != soft.second
        paid[soft.term] = paid.get(soft.term, 0) + (soft.cost if is_paid else 0)
    return paid
def members(problem: Problem, pool: int) -> set[int]:
    """The buffers that every plan has in a pool."""
    return {i for i in range(len(problem.buffers)) if not problem.pools or problem.choices[i] == [pool]}
class Best:
    """The plan is the best by the terms of the objective, one after the other."""
    def __init__(self, problem: Problem, proof: list[list[str]]) -> None:
        self.problem, self.sections = problem, list[list[list[str]]]()
        for line in proof:
            require(line[0] in ("pool", "all", "core") or len(self.sections) > 0, "a reason is for nothing")
            self.sections += [[]] if line[0] in ("pool", "all", "core") else []
            self.sections[-1].append(line)
        self.limits = [pool.capacity for pool in problem.pools] or [NOWHERE]
        self.apart: list[Soft] = []  # what no plan as good pays for
        inside = [{i for i, k in enumerate(problem.chosen) if k == pool} for pool in range(len(problem.pools))] or [
            set(range(len(problem.buffers)))]
        self.peaks = [check_plan(problem.part(own, k)) for k, own in enumerate(inside)]
        require(all(peak <= limit for peak, limit in zip(self.peaks, self.limits)), "a pool is full")
        require(all(KINDS[kind] != "colocation" or not problem.pools or problem.chosen[i] == problem.chosen[j]
                    for kind, i, j, _ in problem.relations), "colocated buffers are in two pools")
    def take(self, *header: str) -> list[list[str]]:
        require(len(self.sections) > 0 and self.sections[0][0][: len(header)] == list(header), f"no {' '.join(header)}")
        return self.sections.pop(0)
    def spill(self, value: int) -> None:
        least = sum(own.size * min(k if self.problem.pools[pool].cost < 0 else self.problem.pools[pool].cost
                                   for k, pool in enumerate(choices))
                    for own, choices in zip(self.problem.buffers, self.problem.choices))
        require(value == least, "other pools may be cheaper")
    def peak(self, value: int) -> None:
        forced = all(len(choices) == 1 for choices in self.problem.choices)
        if value and not forced:
            load = self.take("all", str(value))[1:]
            require(len(load) == 1 and load[0][0] == "load", "it is not about all pools")
            require(refute(self.problem, load, value) == value, "the pools may need less")
        for k, peak in enumerate(self.peaks if forced else []):
            if peak:
                section = self.take("pool", str(k))
                part = self.problem.part(members(self.problem, k), k, 1, self.apart)
                require(len(section[0]) == 2 and refute(part, section[1:], peak) == peak, f"pool {k} may need less")
        self.limits = self.peaks if forced else self.limits
    def soft(self, term: str, value: int) -> None:
        own = [soft for soft in self.problem.soft() if soft.term == term]
        left, total = [soft.cost for soft in own], 0
        while total < value:
            section = self.take("core")
            weight, pool, *terms = [number(word) for word in section[0][1:]]
            require(weight > 0 and 0 <= pool < len(self.limits) and len(terms) > 0, "a core is malformed")
            for at in numbers(section[0][3:], len(own)):
                left[at] -= weight
            part = self.problem.part(members(self.problem, pool), pool, 1, self.apart + [own[at] for at in terms])
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
            {"spill": self.spill, "peak": self.peak}.get(term, lambda value: self.soft(term, value))(paid[term])
        require(not self.sections, "there are too many reasons")
def check(certificate: Certificate) -> None:
    problem, proof, least = certificate.problem, certificate.proof, certificate.least
    if certificate.claim in ("least", "over"):
        require(all(own.offset < 0 for own in problem.buffers), "there is no plan, but an offset")
    begin = next((at for at, line in enumerate(proof) if line[0] == "order"), len(proof))
    order = certificate_order.Order(proof[begin:]).check() if begin < len(proof) else []
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
            certificate_input.compare(certificate, arguments.input)
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
