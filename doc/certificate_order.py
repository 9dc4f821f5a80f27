# SPDX-License-Identifier: GPL-3.0-or-later
"""The part `order` of a certificate, as certificate.md defines it: no order of the operators has a lower bound than this one.

Start with Order.check().  A set of operators that have run is an integer, in which operator k is the bit of 2^k.  Two
kinds of proofs exist: cuts (check_cuts), which tell how many bytes are alive whatever has run, and lists of sets
(check_sets), which follow all orders that stay below the bound.
"""
from __future__ import annotations
import copy
import zlib
from collections import Counter
from typing import NamedTuple, Sequence
from certificate_text import index, indices, number, optional, require, take

class Value(NamedTuple):
    """Bytes that are allocated together."""
    size: int
    maker: int  # or -1: they are there from the start
    users: int  # the operators that read them; or -1: they stay

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
            require(len(parts) > 0 and parts[-1].kind in ("cut", "stop"), "a flow belongs to no cut")
            source, target, bytes_ = words
            listed = parts[-1].flows if kind == "flow" else parts[-1].needs
            listed.append([number(source), optional(target, -1), number(bytes_, 1)])
        else:
            require(kind in ("before", "cut", "set", "run", "stop"), "the order is malformed")
            parts.append(Part(kind, words, [], []))
    return parts

class Order:
    def __init__(self, proof: list[list[str]]) -> None:
        (_, *header), *lines = proof
        self.bound, self.begin = (number(word) for word in header)
        values, operators, shares = take(lines, "value"), take(lines, "operator"), take(lines, "in_place", "over")
        text = "".join(" ".join(line) + "\n" for line in values + operators + shares)
        self.sum, self.parts = f"{zlib.crc32(text.encode()):08x}", read_parts(lines)
        self.count = len(operators)
        self.before = [self.set_of(words, at) for at, (_, *words) in enumerate(operators)]
        self.values = [self.read_value(*words) for _, *words in values]
        self.made = [0] * self.count
        for own in self.values:
            self.made[own.maker] += own.size if own.maker >= 0 else 0
        self.shares: list[list[Share]] = [[] for _ in operators]
        for kind, operator, value, *words in sorted(shares, key=lambda line: line[0] == "over"):  # those in place first
            self.shares[index(operator, self.count)].append(self.read_share(kind, index(value, len(values)), *words))
        for k, listed in enumerate(self.shares):
            sizes = {(share.output, share.size) for share in listed}
            require(len(sizes) == len({output for output, _ in sizes}), "an output has two sizes")
            require(sum(size for _, size in sizes) <= self.made[k], "outputs have more bytes than their operator makes")
    def set_of(self, words: Sequence[str], count: int) -> int:
        require(len(words) > 0, "a list is empty")
        return 0 if [*words] == ["-"] else sum(1 << k for k in indices(words, count))
    def read_value(self, size: str, maker: str, life: str, *readers: str) -> Value:
        users = self.set_of(readers, self.count)
        require(life == "ends" or (life == "stays" and not users), "a value neither ends nor stays")
        made = -1 if maker == "-" else index(maker, self.count)
        return Value(number(size, 1), made, -1 if life == "stays" else users)
    def read_share(self, kind: str, value: int, output: str, most: str, size: str) -> Share:
        share = Share(kind, value, number(output), number(most), number(size))
        require(share.most <= min(share.size, self.values[value].size), "a share is more than its value")
        require(kind == "over" or share.most == share.size, "an output is in place in part")
        return share
    def live(self, ran: int, lead: bool = True) -> int:
        """The bytes alive once these have run; inputs that nothing reads end with the first operator."""
        return sum(size for size, maker, users in self.values
                   if (maker < 0 or ran >> maker & 1) and (users < 0 or users & ~ran or (
                       users == 0 and maker < 0 and ran == 0 and lead)))
    def saved(self, ran: int, k: int) -> int:
        """The bytes that outputs of an operator share with values that end with it."""
        if not self.shares[k]:
            return 0
        taken, by_value, by_output, in_place = set[tuple[str, int]](), Counter[int](), Counter[int](), 0
        for kind, value, output, most, size in self.shares[k]:
            places = {("value", value), ("output", output)}
            if self.values[value].users & ~ran != 1 << k or places & taken:
                continue
            if kind == "over":
                by_value[value] = min(by_value[value] + most, self.values[value].size)
                by_output[output] = min(by_output[output] + most, size)
            else:
                taken |= places
                in_place += most
        return in_place + min(sum(by_value.values()), sum(by_output.values()))
    def needed(self, ran: int, k: int) -> int:
        """The bytes alive while an operator runs."""
        return self.live(ran) + self.made[k] - self.saved(ran, k)
    def can_run(self, ran: int, k: int) -> bool:
        """Whether an operator may be next, below the bound."""
        return not ran >> k & 1 and not self.before[k] & ~ran and self.needed(ran, k) < self.bound
    # ------------------------------------------------------------ cuts
    def certain(self, k: int) -> tuple[int, int, int]:
        """The operators that run before k, and k with those after it, in any order; and the bytes certainly alive with k."""
        past, rest, known = self.before[k], 1 << k, (-1, -1)
        while known != (past, rest):
            known = past, rest
            for at in reversed(range(self.count)):
                past |= self.before[at] if past >> at & 1 else 0
            for at, before in enumerate(self.before):
                rest |= 1 << at if before & rest else 0
        require(past & rest == 0, "the operators are in a circle")
        able, size_of = Counter[int](), {share.output: share.size for share in self.shares[k]}
        for share in self.shares[k]:
            users = self.values[share.value].users
            if users >= 0 and not users & rest & ~(1 << k):
                able[share.output] += share.most
        alive = sum(size for size, maker, users in self.values if users & rest and (maker < 0 or past >> maker & 1))
        return past, rest, alive + self.made[k] - sum(min(most, size_of[output]) for output, most in able.items())
    def waiting(self, k: int, others: int) -> Order:
        """As if an operator had to wait for others, too."""
        made = copy.copy(self)
        made.before = self.before[:]
        made.before[k] |= others
        return made
    def check_cut(self, k: int, part: Part) -> None:
        """Whatever else has run when k does, the flow crosses values that are alive, each at most once: the four rules."""
        past, rest, total = self.certain(k)
        free, used = ((1 << self.count) - 1) & ~past & ~rest, Counter[int]()
        had = [0] * self.count  # of each free operator: what flows in, less what flows out
        for value, reader, bytes_ in part.flows:
            require(value < len(self.values), "there is no such value")
            size, maker, users = self.values[value]
            used[value] += bytes_
            require(used[value] <= size, "a flow is more than its value")
            is_there, lasts = maker < 0 or past >> maker & 1 == 1, users & rest != 0
            require(not (is_there and lasts), "a value of the flow is alive in any case")
            if not is_there:
                require(free >> maker & 1 == 1, "a flow begins where it may not")
                had[maker] -= bytes_
            if reader < 0:
                require(lasts, "a flow ends where it may not")
                total += bytes_
            else:
                require(users >= 0 and reader < self.count and users & free & 1 << reader != 0, "no such reader")
                had[reader] += bytes_
        for user, before, bytes_ in part.needs:
            require(0 <= before and max(user, before) < self.count, "there is no such operator")
            require(free >> user & free >> before & self.before[user] >> before & 1 == 1, "no such need")
            had[user] -= bytes_
            had[before] += bytes_
        require(not any(had), "what flows into an operator does not flow out of it")
        require(total >= self.bound, f"the cut has {total} bytes")
    def check_cuts(self) -> None:
        """Each rule holds in all orders below the bound, because the other way around is not below it; then none is left."""
        kinds = [part.kind for part in self.parts]
        require(kinds == ["before", "cut"] * (len(kinds) // 2) + ["cut"], "the cuts are malformed")
        operators = [[index(word, self.count) for word in part.words] for part in self.parts]
        for (first, second), (k,), part in zip(operators[:-1:2], operators[1::2], self.parts[1::2]):
            require(first != second, "a rule has one operator")
            self.waiting(first, 1 << second).check_cut(k, part)
            self.before[second] |= 1 << first
        (k,) = operators[-1]
        self.check_cut(k, self.parts[-1])
    # ------------------------------------------------------------ lists of sets
    def follow(self, ran: int, chain: list[int]) -> int:
        """Runs a chain: each operator needs the one before, and in the end no more is alive than at the start."""
        alive = [self.live(ran, False)]
        is_chain = len(chain) > 0 and all(self.before[k] >> last & 1 for last, k in zip(chain, chain[1:]))
        require(is_chain, "an operator does not need the one before")
        for k in chain:
            require(self.can_run(ran, k), "a chain cannot run")
            ran |= 1 << k
            alive.append(self.live(ran))
        require(alive[-1] <= alive[0] <= min(alive[:-1]), "a chain frees too little, or is too long")
        return ran
    def check_sets(self) -> None:
        """Through the sets in the list, no order reaches the end."""
        sets = {int(part.words[0], 16): part for part in self.parts}
        mixed = any(len({share.kind for share in own}) > 1 and len({share.output for share in own}) > 1 for own in self.shares)
        met, todo = set[int](), [(1 << self.begin) - 1]
        while todo:
            ran = todo.pop()
            if ran in met:
                continue
            met.add(ran)
            require(ran in sets, f"set {ran:x} is missing")
            require(ran != (1 << self.count) - 1, "there is a better order")
            part, listed = sets[ran], [index(word, self.count) for word in sets[ran].words[1:]]
            if part.kind == "stop":
                (k,) = listed
                self.waiting(k, ran).check_cut(k, part)
            elif part.kind == "run":
                require(not mixed, "chains are not covered with both kinds of sharing")
                todo.append(self.follow(ran, listed))
            else:
                require(not listed, "a set is malformed")
                todo += [ran | 1 << k for k in range(self.count) if self.can_run(ran, k)]
    def check(self) -> list[str]:
        """What the claim must say."""
        peak = max((self.needed((1 << k) - 1, k) for k in range(self.count)), default=0)
        require(peak == self.bound and self.begin < self.count, f"the order needs {peak} bytes")
        if self.begin > 0:
            past, rest, _ = self.certain(self.begin - 1)
            is_first = past == (1 << self.begin - 1) - 1 and past | rest == (1 << self.count) - 1
            require(is_first, f"not every order begins with these {self.begin} operators")
        if any(part.kind in ("before", "cut") for part in self.parts):
            self.check_cuts()
        else:
            self.check_sets()
        return ["order", str(self.bound), self.sum]
