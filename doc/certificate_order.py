# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of check-certificate.py that checks the proof of an order of operators, and how words are read."""
from __future__ import annotations
import re
import zlib
from typing import Iterable

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

def numbers(words: Iterable[str], count: int) -> list[int]:
    """Different indices below `count`, ascending."""
    result = [number(word) for word in words]
    require(all(a < b for a, b in zip([-1] + result, result + [count])), "indices are not as they have to be")
    return result

class Order:
    """Operators, and sets of them that have run, as bits; no order needs less than the present one."""
    def __init__(self, proof: list[list[str]]) -> None:
        def listed(words: list[str], count: int) -> list[int]:
            require(len(words) > 0, "a list is empty")
            return [] if words == ["-"] else numbers(words, count)
        ranks = {"value": 0, "operator": 1, "in_place": 2, "over": 2, "set": 3, "run": 3}
        of = {kind: [line[1:] for line in proof if line[0] == kind] for kind in ranks}
        kinds = [ranks.get(line[0], -1) for line in proof[1:]]
        require(len(proof[0]) == 3 and -1 not in kinds and kinds == sorted(kinds), "the order is malformed")
        graph = "".join(" ".join(line) + "\n" for line in proof[1:] if line[0] not in ("set", "run"))
        self.sum = f"{zlib.crc32(graph.encode()):08x}"
        self.bound, self.begin = number(proof[0][1]), number(proof[0][2])
        count = len(of["operator"])
        self.before = [sum(1 << k for k in listed(words, at)) for at, words in enumerate(of["operator"])]
        self.made, self.reads = [0] * count, [list[int]() for _ in range(count)]
        self.values: list[tuple[int, int, int]] = []  # bytes, maker or -1, those that read it or -1: it stays
        for size, maker, life, *readers in of["value"]:
            users = listed(readers, count)
            require(life == "ends" or (life == "stays" and not users), "a value neither ends nor stays")
            for k in users:
                self.reads[k].append(len(self.values))
            self.values.append((number(size), optional(maker, -1), -1 if life == "stays" else sum(1 << k for k in users)))
            require(maker != "-1" and -1 <= self.values[-1][1] < count and self.values[-1][0] > 0, "a value is out of range")
            if self.values[-1][1] >= 0:
                self.made[self.values[-1][1]] += self.values[-1][0]
        keys = [(maker, size, words[2], [optional(k, -1) for k in words[3:]])
                for (size, maker, _), words in zip(self.values, of["value"])]
        require(keys == sorted(keys), "the values are not sorted")
        self.shares: list[list[tuple[bool, list[int]]]] = [[] for _ in range(count)]
        for kind, *words in (line for line in proof if ranks.get(line[0]) == 2):
            k, value, output, bytes_, room = (number(word) for word in words)
            require(0 <= k < count and 0 <= value < len(self.values) and 0 <= bytes_ <= room, "no such share")
            self.shares[k].append((kind == "in_place", [value, output, bytes_, room]))
        self.next = {int(words[0], 16): [number(word) for word in words[1:]] for words in of["run"] + of["set"]}
        listing = [line for line in proof if line[0] in ("set", "run")]
        require(all(f"{int(line[1], 16):x}" == line[1] and (len(line) > 2) == (line[0] == "run") for line in listing)
                and all(int(a[1], 16) < int(b[1], 16) for a, b in zip(listing, listing[1:])), "sets are not sorted")

    def live(self, ran: int, lead: bool = True) -> int:
        """The bytes alive once these have run; inputs that nothing reads end with the first operator."""
        return sum(size for size, maker, users in self.values
                   if (maker < 0 or ran >> maker & 1) and (users < 0 or users & ~ran or (
                       users == 0 and maker < 0 and ran == 0 and lead)))

    def moment(self, ran: int, k: int) -> int:
        used: dict[tuple[str, int], int] = {}
        sums = [0, 0, 0]
        for in_place, (value, output, bytes_, size) in self.shares[k]:
            of_input, of_output = used.get(("in", value), 0), used.get(("out", output), 0)
            if self.values[value][2] & ~ran != 1 << k or NOWHERE in (of_input, of_output):
                continue
            if in_place and of_input == of_output == 0:
                used["in", value] = used["out", output] = NOWHERE
                sums[0] += bytes_
            elif not in_place:
                parts = min(bytes_, self.values[value][0] - of_input), min(bytes_, size - of_output)
                used["in", value], used["out", output] = of_input + parts[0], of_output + parts[1]
                sums = [sums[0], sums[1] + parts[0], sums[2] + parts[1]]
        return self.live(ran) + self.made[k] - sums[0] - min(sums[1:])

    def ready(self, ran: int, k: int) -> bool:
        return not ran >> k & 1 and not self.before[k] & ~ran

    def follow(self, ran: int, chain: list[int]) -> int:
        """Runs a chain, each of whose operators needs the one before, and which frees what it needs."""
        alive = [self.live(ran, False)]
        for at, k in enumerate(chain):
            require(0 <= k < len(self.before) and self.ready(ran, k) and self.moment(ran, k) < self.bound
                    and (at == 0 or self.before[k] >> chain[at - 1] & 1 == 1), "a chain cannot run")
            ran |= 1 << k
            alive.append(self.live(ran))
        require(alive[-1] <= alive[0] < min(alive[1:-1], default=alive[0] + 1), "a chain frees too little, or is too long")
        return ran

    def check(self) -> list[str]:
        """What the claim must say."""
        count, start = len(self.before), (1 << self.begin) - 1
        peak = max((self.moment((1 << k) - 1, k) for k in range(count)), default=0)
        require(peak == self.bound and 0 <= self.begin < count, f"the order needs {peak} bytes")
        if self.begin > 0:  # then operator begin - 1 needs all before it, and is needed by all after it
            needs = [0] * count
            for k in range(count):
                needs[k] = self.before[k]
                for j in range(k):
                    needs[k] |= needs[j] if self.before[k] >> j & 1 else 0
            last = self.begin - 1
            require(needs[last] == (1 << last) - 1 and all(needs[k] >> last & 1 for k in range(self.begin, count)),
                    f"not every order begins with these {self.begin} operators")
        mixed = any(len({share[0] for share in shares}) > 1 for shares in self.shares)
        require(not mixed or not any(self.next.values()), "chains are not covered with both kinds of sharing")
        met, todo = {start}, [start]
        while todo:
            ran = todo.pop()
            require(ran in self.next, f"set {ran:x} is missing")
            require(ran != (1 << count) - 1, "there is a better order")
            ways = [self.follow(ran, self.next[ran])] if self.next[ran] else [
                ran | 1 << k for k in range(count) if self.ready(ran, k) and self.moment(ran, k) < self.bound]
            todo += set(ways) - met
            met |= set(ways)
        require(len(met) == len(self.next), "a set is not reached")
        return ["order", str(self.bound), self.sum]
