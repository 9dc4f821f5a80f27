# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate of neap, as certificate.md defines it, without any code of neap.

    python3 check-certificate.py CERTIFICATE [INPUT] [--capacity BYTES]

INPUT is the problem or the plan, as CSV or JSON, that the certificate must be about. With --capacity, the
certificate must prove that no layout fits. Exits with 0 if it is accepted.
"""
# Start with main() at the end, then check().  certificate_text.py reads the text and states the problem,
# certificate_order.py checks orders of operators, certificate_input.py compares with INPUT; none of them needs this file.
from __future__ import annotations
import argparse
import bisect
import itertools
import math
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Iterable

sys.dont_write_bytecode = True  # leave no files beside these modules
from certificate_input import compare
from certificate_order import Order
from certificate_text import (
    KINDS, NOWHERE, Buffer, Certificate, Problem, Rejected, Soft, indices, meet, number, pick, read_certificate, require, up)

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
    moment, listed = number(words[0]), indices(words[1:], len(problem.buffers))
    those = set(listed)
    for i in listed:
        require(meet(problem.buffers[i].ranges, [(moment, moment + 1)]), f"buffer {i} is not alive at {moment}")
    require(not any(pair <= those for pair in problem.excluded), "some are excluded")
    require(not any(problem.colocated & set(pair) for pair in problem.allowed), "colocated buffers overlap")
    need, tops = 0, dict[int, int]()
    for i in sorted(listed, key=lambda i: problem.inner[i]):
        body, low = problem.where(i)
        begin = max(tops.get(body, low), low)
        tops[body] = max(begin, low + problem.buffers[i].size)
        need += tops[body] - begin
    return need - shared(problem, those)
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
    listed = indices(words, len(problem.buffers))
    require(all(problem.strict(i, j) for i, j in itertools.combinations(listed, 2)), "some may share bytes")
    return stack(problem, [(problem.place(i, 0), i) for i in listed])
def check_banks(problem: Problem, words: list[str]) -> int:
    bank, listed = number(words[0], 1), indices(words[1:], len(problem.buffers))
    apart = {(i, j) for i, j, count in problem.of("bank_separation") if count == bank}
    require(len(listed) > 1 and all(problem.buffers[i].size for i in listed), "these need no banks")
    require(apart.issuperset(itertools.combinations(listed, 2)), "some may be in one bank")
    banks = {i: -(-problem.buffers[i].size // bank) for i in listed}
    total = sum(banks.values())
    ends = [problem.place(i, bank * (total - banks[i])) + problem.buffers[i].size for i in listed]
    return min([NOWHERE, *ends])
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
        """Makes a pair of each interval (low, high) of offset(b) - offset(a), and statements of all buffers that collide there.
        Statement 2 p of pair p, ends (a, b, high): b is at least high above a.  2 p + 1, ends (b, a, -low): a is at least -low
        above b."""
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
        cliques = [{number(word) for word in words} for words in pick(self.proof, "clique")]
        listed = {i for clique in cliques for i in clique}
        require(listed <= items, "no clique")
        pairs = [pair for clique in cliques for pair in itertools.combinations(clique, 2)]
        require(all(problem.conflict(i, j) or self.stacked(i, j) for i, j in pairs), "no clique")
        # What all offsets of listed buffers are multiples of; the fixed offset 0 is one of anything.
        self.step = math.gcd(*(max(problem.buffers[i].fixed, 0) or problem.buffers[i].alignment for i in listed)) or 1
        self.saving: dict[int, dict[int, int]] = {}  # of two listed buffers: the most bytes that both can share
        for i, j in (pair for allowed in problem.allowed for pair in (allowed, allowed[::-1]) if listed >= set(pair)):
            self.saving.setdefault(i, {})[j] = problem.saving(i, j)
        # Of each buffer: parts of cliques beside it.  Sizes are rounded only if it is listed, so on the same grid.
        self.beside: dict[int, list[tuple[bool, frozenset[int]]]] = {}  # whether sizes are rounded, and the part
        rigid = [k for k in cliques
                 if all(problem.strict(i, j) or self.stacked(i, j) for i, j in itertools.combinations(k, 2))]
        for i in items:
            sets = {(False, frozenset(j for j in clique if j in self.apart[i])) for clique in cliques}
            sets |= {(i in listed, frozenset(j for j in clique if problem.strict(i, j))) for clique in rigid}
            self.beside[i] = [k for k in sets if len(k[1]) > 1 and  # unless another one says more
                              not any(k[0] <= other[0] and k[1] <= other[1] and k != other for other in sets)]
    def stacked(self, i: int, j: int) -> bool:
        """Whether two buffers of a body never share a byte."""
        return self.problem.body[i] == self.problem.body[j] and not self.problem.cross(i, j)
    def heap(self, taken: dict[int, int], those: frozenset[int]) -> int:
        """The least bytes that buffers of a clique take together, from what each takes alone and what two can share: what any
        subset takes, less what each two of it share."""
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
        """The least distance from the offset of a body to the top, if it is at least `top`: to the highest offset that is low
        enough and that the body may have."""
        high = self.target - 1 - top
        for _ in range(1000):
            before = high
            for i, inner in self.bodies[body]:
                own = self.problem.buffers[i]
                if own.fixed >= 0:
                    high = own.fixed - inner if own.fixed <= high + inner else -NOWHERE
                else:
                    high = min(high + inner, own.high - own.size) // own.alignment * own.alignment - inner
            if high == before or high <= -NOWHERE:
                return self.target - 1 - high
        raise Rejected(f"the offsets of buffer {body} are too scattered")
    def raises(self, state: Stated, body: int, is_low: bool) -> bool:
        """Gives a body the offset, or else the distance to the top, that those on that side of it need.  (Of buffers, under()
        and over() know offset and distance, which differ from those of the body by `inner`.)"""
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
        """The lowest offset of a buffer above these of a clique, from the bytes of each that are certainly below it."""
        size = {j: self.problem.buffers[j].size for j in those}
        taken = {j: up(size[j], self.step) if is_strict else min(self.apart[j][i], size[j]) for j in those}
        return min(state.low[body] + inner for body, inner in map(self.problem.where, those)) + self.heap(taken, those)
    def over(self, i: int, those: frozenset[int], is_strict: bool) -> int:
        """The least bytes from the offset of a buffer to the top of these of a clique above it, from the bytes of each that are
        certainly above its end."""
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
            clause = sorted({self.stated.get(pair, -1) for pair in zip(found[::2], found[1::2])})
            require(len(found) % 2 == 0 and -1 not in clause, "no clause")
            state = replace(root, low=dict(root.low), top=dict(root.top), true=set(root.true), failed=root.failed[:])
            self.state(state, [s ^ 1 for s in clause])
            require(state.impossible, "a clause does not follow")
            self.add(root, clause)
        require(root.impossible, "the clauses can all be true")
        return self.target
# ---------------------------------------------------------------- the whole
def refute(problem: Problem, proof: list[list[str]], target: int) -> int:
    """The bound that a reason proves, which for `pairs` is the target: no layout is lower."""
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
        return self.problem.cross(soft.first, soft.second)
    def soft(self, term: str, value: int) -> None:
        own = [soft for soft in self.problem.soft() if soft.term == term]
        left = [0 if self.is_due(soft) else soft.cost for soft in own]
        total = sum(soft.cost - rest for soft, rest in zip(own, left))
        while total < value:
            section = self.take("core")
            weight, pool, *terms = [number(word) for word in section[0][1:]]
            require(weight > 0 and 0 <= pool < len(self.limits) and len(terms) > 0, "a core is malformed")
            for at in indices(section[0][3:], len(own)):
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
