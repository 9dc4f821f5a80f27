# SPDX-License-Identifier: GPL-3.0-or-later
"""What a certificate states: its claim, the problem, and the lines of the proof; see certificate.md.

Start with read_certificate() at the end.  The class Problem tells which buffers conflict and where each may be, which all
reasons rest on.  The functions at the top serve all files of the checker.  Text that these cannot read or believe raises
Rejected, or an error of Python that main() treats alike.
"""
from __future__ import annotations
import itertools
import json
import math
import re
import zlib
from dataclasses import dataclass, field, replace
from typing import Collection, Iterable, NamedTuple, Sequence

# ---------------------------------------------------------------- words
NOWHERE = 1 << 200  # an offset that no buffer can have
class Rejected(ValueError): ...
def require(truth: bool, text: str) -> None:
    if not truth:
        raise Rejected(text)
def number(word: str, least: int = 0) -> int:
    is_number = re.fullmatch("0|-?[1-9][0-9]{0,18}", word) is not None
    require(is_number and int(word) >= least, f"'{word}' is not a number, or too low")
    return int(word)
def optional(word: str, none: int = NOWHERE) -> int:
    """A number that is not `none`, or `none` for "-"."""
    require(word == "-" or number(word) != none, f"'{word}' stands for none")
    return none if word == "-" else number(word)
def index(word: str, count: int) -> int:
    require(number(word) < count, f"there is no number {word}")
    return number(word)
def ascends(items: Sequence[int]) -> bool:
    return all(a < b for a, b in zip(items, items[1:]))
def indices(words: Iterable[str], count: int) -> list[int]:
    """Different indices below `count`, ascending."""
    result = [index(word, count) for word in words]
    require(ascends(result), "numbers do not ascend")
    return result
def named(line: list[str]) -> tuple[str, list[str]]:
    """The name in a line, a JSON string, and the words after it."""
    text, start = " ".join(line), len(line[0]) + 1
    name, end = json.JSONDecoder().raw_decode(text, start)
    require(isinstance(name, str) and name != "" and text[end : end + 1] == " ", f"a {line[0]} is malformed")
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
    reserved: list[tuple[int, ...]] = field(default_factory=list)  # sorted: low, high, start, end, with pools the pool
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
    def derive(self) -> None:
        """Finds what follows from the relations."""
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
    def cross(self, i: int, j: int) -> bool:
        """Whether two buffers of a body share a byte."""
        a, b = self.inner[i], self.inner[j]
        sizes = self.buffers[i].size, self.buffers[j].size
        return self.body[i] == self.body[j] and min(sizes) > 0 and a < b + sizes[1] and b < a + sizes[0]
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
        made.derive()
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
    size, alignment, fixed, low, high, bank, offset = words[:7]
    times = [number(word) for word in words[7:]]
    require(ascends(times) and len(times) % 2 == 0 and len(times) > 0, f"{name}: times do not ascend")
    return Buffer(name, number(size), number(alignment, 1), optional(fixed, -1), number(low), optional(high),
                  optional(bank, 0), optional(offset, -1), list(zip(times[::2], times[1::2])))
def read_pool(line: list[str]) -> Pool:
    name, (capacity, alignment, cost) = named(line)
    return Pool(name, optional(capacity), number(alignment, 1), optional(cost, -1))
def read_pools(problem: Problem, lines: list[list[str]]) -> None:
    """The pools, and the pool of each buffer."""
    problem.pools = [read_pool(line) for line in take(lines, "pool")]
    count, listed = len(problem.pools), take(lines, "in")
    require(len({pool.name for pool in problem.pools}) == count, "two pools have one name")
    require(len(listed) == (len(problem.buffers) if count else 0), "a buffer has no pool")
    if not count:
        problem.chosen, problem.choices = [0] * len(problem.buffers), [[0]] * len(problem.buffers)
    for i, (_, buffer, pool, *others) in enumerate(listed):
        chosen, choices = optional(pool, -1), [index(word, count) for word in others]
        is_placed = problem.buffers[i].offset >= 0
        require(buffer == str(i) and (chosen in choices if is_placed else chosen < 0), f"buffer {i} is in no such pool")
        problem.chosen.append(chosen)
        problem.choices.append(choices)
def read_reserved(words: list[str], pools: int) -> tuple[int, ...]:
    low, high, start, end, *pool = words
    require(len(pool) == (pools > 0), "reserved bytes are in no pool")
    hole = number(low), optional(high), number(start), optional(end)
    require(hole[0] < hole[1] and hole[2] < hole[3], "no bytes are reserved")
    return (*hole, *(index(word, pools) for word in pool))
def read_relation(kind: str, words: list[str], count: int) -> tuple[int, ...]:
    i, j = (index(word, count) for word in words[:2])
    least = {"colocation": -NOWHERE, "bank_separation": 1}.get(kind, 0)
    bytes_ = number(words[2], least)
    require(len(words) == 3 and (i < j or kind == "overlap" and i != j), "no such pair")
    require(kind not in ("separation", "exclusion") or bytes_ == 0, "a number is not 0")
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
    count = len(problem.buffers)
    require(len({own.name for own in problem.buffers}) == count, "two buffers have one name")
    read_pools(problem, proof)
    problem.near = [Soft("moved", index(i, count), number(at), number(cost)) for _, i, at, cost in take(proof, "near")]
    require(ascends([soft.first for soft in problem.near]), "a buffer moves twice")
    problem.reserved = sorted(read_reserved(words, len(problem.pools)) for _, *words in take(proof, "reserved"))
    problem.relations = [read_relation(kind, words, count) for kind, *words in take(proof, *KINDS)]
    require(claim != "peak" or not problem.soft(), "the claim leaves out terms of the objective")
    require(not problem.pools or claim in ("best", "over"), "the claim leaves out pools")
    require(claim != "over" or index(terms[0], len(problem.pools)) >= 0, "there is no such pool")
    problem.derive()
    least = terms[terms[::2].index("peak") * 2 + 1] if claim == "best" else terms[-1]
    return Certificate(claim, optional(least) if claim in ("least", "over") else number(least), problem, proof, order, terms)
