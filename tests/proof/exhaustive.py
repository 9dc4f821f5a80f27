# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for false certificates among all small ones, in TAP.

    exhaustive.py CHECKER [STRIDE]

Takes every STRIDE-th problem of a family with up to three buffers and one further constraint, problems with pools,
penalties and earlier offsets (objectives.py), and every STRIDE-th graph of up to four operators, finds the truth by trying all layouts and all orders with the
definitions of certificate.md, and shows the checker all proofs of each reason up to a size.  No proof that
it accepts may claim more than the truth.  STRIDE 1 takes hours.
"""
from __future__ import annotations

import itertools
import sys
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional

import objectives
from mutate import load
from truth import Row, buffer_line, may_be_at, read_lines, suit

NONE = 10**9  # no layout
REJECTIONS = (ValueError, LookupError, TypeError, AttributeError)  # as the checker's main() has them
MOST = 500  # accepted or rejected whole proofs of one reason for one problem
OBJECTIVES = 150_000  # how many problems with objectives stride 1 takes
HEIGHT = 26  # more than any problem of the family needs, if it has a layout


# ---------------------------------------------------------------- problems


def buffer_rows() -> list[Row]:
    lives = ([(0, 1)], [(0, 2)], [(1, 3)], [(0, 1), (2, 3)])
    return [
        {"size": size, "align": align, "fixed": None, "low": 0, "high": None, "bank": None, "life": life}
        for size in (1, 2, 3)
        for align in (1, 2)
        for life in lives
    ] + [{"size": 0, "align": 1, "fixed": None, "low": 0, "high": None, "bank": None, "life": [(0, 3)]}]


def extras() -> list[tuple[str, Any]]:
    """The further constraint that a problem may have."""
    found: list[tuple[str, Any]] = [("", None)]
    found += [("fixed", (i, at)) for i in (0, 2) for at in (0, 1, 3)]
    found += [("window", (i, span)) for i in (0, 2) for span in ((1, None), (0, 3), (2, 6))]
    found += [("bank", (i, size)) for i in (0, 2) for size in (3, 4)]
    found += [("reserved", hole) for hole in ((0, 1, 0, 1), (1, 3, 0, 3), (2, 3, 1, 2))]
    found += [("align", (i, size)) for i in (0, 1, 2) for size in (3, 4)]
    for i, j in ((0, 1), (1, 2), (0, 2)):
        found += [("separation", (i, j, 0)), ("exclusion", (i, j, 0))]
        found += [("overlap", (a, b, count)) for a, b in ((i, j), (j, i)) for count in (0, 1, 2)]
        found += [("colocation", (i, j, count)) for count in (-1, 0, 2)]
        found += [("bank_separation", (i, j, size)) for size in (2, 4)]
    found += [("bank_separations", size) for size in (1, 2, 3, 4)]
    for a, b, count in itertools.product((0, 1, 2), (2, 1), (0, 1)):
        if a != b:
            found += [("relations", [("overlap", a, b, count), ("colocation", 0, 1, at)]) for at in (-1, 0, 2) if {a, b} != {0, 1}]
            found += [("relations", sorted([("overlap", a, b, count), ("overlap", 0, 1, most)])) for most in (0, 2) if (a, b) != (0, 1)]
    return found


def problem_of(rows: Iterable[Row], chosen: Iterable[tuple[str, Any]]) -> Row:
    """The problem of copies of these buffers with these extras."""
    buffers = [dict(row) for row in rows]
    problem: Row = {"buffers": buffers, "reserved": [], "relations": []}
    for kind, value in chosen:
        if kind == "fixed":
            buffers[value[0]]["fixed"] = value[1]
        elif kind == "window":
            buffers[value[0]]["low"], buffers[value[0]]["high"] = value[1]
        elif kind in ("bank", "align"):
            buffers[value[0]][kind] = value[1]
        elif kind == "reserved":
            problem["reserved"].append(value)
        elif kind == "bank_separations":
            problem["relations"] += [("bank_separation", i, j, value) for i, j in ((0, 1), (0, 2), (1, 2))]
        elif kind == "relations":
            problem["relations"] += value
        elif kind:
            problem["relations"].append((kind, *value))
    return problem


def problems() -> Iterator[Row]:
    for rows in itertools.combinations_with_replacement(buffer_rows(), 3):
        for extra in extras():
            yield problem_of(rows, [extra])


def least_peak(problem: Row) -> int:
    """By trying all layouts."""
    buffers = problem["buffers"]
    places = [[at for at in range(HEIGHT) if may_be_at(problem, own, at)] for own in buffers]
    best = NONE
    for at in itertools.product(*places):
        top = max(x + own["size"] for x, own in zip(at, buffers))
        if top < best and all(suit(problem, i, j, list(at)) for i, j in itertools.combinations(range(len(buffers)), 2)):
            best = top
    return best


def constraint_lines(problem: Row) -> list[str]:
    order = ("separation", "exclusion", "overlap", "colocation", "bank_separation")
    relations = sorted(set(problem["relations"]), key=lambda row: (order.index(row[0]), row[1:]))
    return [" ".join(map(str, row)) for row in [("reserved", *hole) for hole in sorted(set(problem["reserved"]))] + relations]


def statement(checker: Any, problem: Row) -> Any:
    """The problem as the checker reads it."""
    lines = ["neap-certificate 1", "least 1"]
    lines += [buffer_line(at, own) for at, own in enumerate(problem["buffers"])]
    return read_lines(checker, lines + constraint_lines(problem)).problem


# ---------------------------------------------------------------- proofs


def subsets(items: Iterable[int], least: int = 1) -> Iterator[tuple[int, ...]]:
    items = list(items)
    return itertools.chain.from_iterable(itertools.combinations(items, k) for k in range(least, len(items) + 1))


def shown(checker: Any, known: Any, proof: list[list[str]], target: int) -> int:
    """What the checker says that a proof shows; -1 if it rejects it."""
    try:
        return int(checker.refute(known, proof, target))
    except REJECTIONS:
        return -1


def targets(truth: int) -> list[int]:
    """Claims to prove: the truth, which may succeed, and one more byte."""
    return [target for target in (truth, truth + 1) if target > 0] if truth < NONE else [HEIGHT]


def loads(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    for moment in range(3):
        for listed in subsets(range(3)):
            line = ["load", str(moment), *map(str, listed)]
            yield shown(checker, known, [line], truth + 1), [" ".join(line)]


def columns(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    for listed in subsets(range(3)):
        line = ["column", *map(str, listed)]
        yield shown(checker, known, [line], truth + 1), [" ".join(line)]


def banks(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    for size in range(1, 6):
        for listed in subsets(range(3)):
            line = ["banks", str(size), *map(str, listed)]
            yield shown(checker, known, [line], truth + 1), [" ".join(line)]


def clique_lines(known: Any, is_pair: Callable[[int, int], bool]) -> Iterator[list[list[str]]]:
    """The largest sets of buffers that are such pairs."""
    items = [i for i in range(3) if known.buffers[i].size]
    found = [s for s in subsets(items) if all(is_pair(i, j) for i, j in itertools.combinations(s, 2))]
    largest = [s for s in found if not any(set(s) < set(other) for other in found)]
    for chosen in subsets(range(len(largest))):
        yield [["clique", *map(str, largest[k])] for k in chosen]


def pairs(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    below = [(i, j) for i, j in itertools.permutations(range(3), 2) if known.conflict(i, j)]
    clauses = [c for k in (0, 1, 2) for c in itertools.combinations(below, k)]
    def share_nothing(i: int, j: int) -> bool:
        return known.conflict(i, j) or checker.Pairs(known, [], 0).stacked(i, j)

    for cliques in itertools.chain([[]], clique_lines(known, known.strict), clique_lines(known, share_nothing)):
        for chosen in itertools.chain.from_iterable(itertools.permutations(clauses, k) for k in (0, 1, 2)):
            lines = [["below", *(str(i) for pair in clause for i in pair)] for clause in chosen if clause]
            proof = [["pairs", str(len(lines))], *cliques, *lines]
            for target in targets(truth):
                yield shown(checker, known, proof, target), [" ".join(words) for words in proof]


def first(proofs: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    return itertools.islice(proofs, MOST)


REASONS = {"load": loads, "column": columns, "banks": banks, "pairs": pairs}
# For each kind, N: it takes only every N-th problem of the stride.
RARER = {"load": 1, "column": 1, "banks": 1, "pairs": 2}


# ---------------------------------------------------------------- orders


Value = tuple[int, int, Optional[set[int]]]  # bytes, maker or -1, readers or None: it stays
Share = tuple[str, int, int, int, int, int]  # as the line has it


class Graph(NamedTuple):
    before: list[set[int]]  # for each operator, those that must run before it
    values: list[Value]  # sorted as certificate.md says
    shares: list[Share]

    def moment(self, ran: set[int], k: int) -> int:
        """The bytes alive while an operator runs."""
        made = sum(size for size, maker, _ in self.values if maker == k)
        return alive(self.values, ran) + made - self.saved(ran, k)

    def saved(self, ran: set[int], k: int) -> int:
        """The bytes that its outputs share with values that end with it."""
        lines = [share for share in self.shares if share[1] == k and (self.values[share[2]][2] or set()) - ran == {k}]
        taken: set[tuple[str, int]] = set()
        total = 0
        for kind, _, value, output, count, _ in lines:
            if kind == "in_place" and not taken & {("value", value), ("output", output)}:
                taken |= {("value", value), ("output", output)}
                total += count
        over = [line for line in lines if line[0] == "over" and not taken & {("value", line[2]), ("output", line[3])}]
        by_value = [min(self.values[v][0], sum(line[4] for line in over if line[2] == v)) for v in {line[2] for line in over}]
        by_output = [min(line[5], sum(other[4] for other in over if other[3] == line[3]))
                     for line in {line[3]: line for line in over}.values()]
        return total + min(sum(by_value), sum(by_output))

    def bound(self, order: Iterable[int]) -> int:
        ran: set[int] = set()
        most = 0
        for k in order:
            most = max(most, self.moment(ran, k))
            ran.add(k)
        return most


def sharings(values: list[Value], count: int) -> Iterator[list[Share]]:
    """No sharing, and sharing by all operators: in place, over, or alternately."""
    ends = [(k, v) for k in range(count) for v, (_, _, readers) in enumerate(values) if readers and k in readers]
    size = {maker: size for size, maker, _ in values}
    for kinds in ((), ("in_place",), ("over",), ("in_place", "over")):
        found = [(kinds[at % len(kinds)], k, v, 0, min(values[v][0], size[k]), size[k])
                 for at, (k, v) in enumerate(ends) if kinds and k in size]
        found = [line for line in found if line[0] == "over" or line[4] == line[5]]  # in place, an output is whole
        is_last = len(found) % 2 == 1  # lines in place, whose order does not matter
        if found or not kinds:
            yield sorted(found, key=lambda line: (line[1], (line[0] == "in_place") == is_last))


def graphs() -> Iterator[Graph]:
    count = 4
    edges = list(itertools.combinations(range(count), 2))
    for chosen in range(1 << len(edges)):
        before = [{a for k, (a, b) in enumerate(edges) if chosen >> k & 1 and b == at} for at in range(count)]
        for sizes in itertools.product((1, 3), (2, 4), (1, 2), (1, 3)):
            readers = [{b for b in range(count) if a in before[b]} for a in range(count)]
            staying: list[Value] = [(sizes[a], a, readers[a] or None) for a in range(count)]
            ending: list[Value] = [(2, -1, {0, count - 1}), *((sizes[a], a, readers[a]) for a in range(count))]
            for values in (staying, ending):
                values.sort(key=lambda own: (own[1], own[0], own[2] is None, sorted(own[2] or ())))
                yield from (Graph(before, values, shares) for shares in sharings(values, count))


def alive(values: list[Value], ran: set[int]) -> int:
    return sum(
        size
        for size, maker, readers in values
        if (maker < 0 or maker in ran) and (readers is None or readers - ran or (not readers and maker < 0 and not ran))
    )


def words(numbers: Iterable[int]) -> list[str]:
    return [str(n) for n in sorted(numbers)] or ["-"]


def order_lines(graph: Graph, bound: int, begin: int = 0) -> list[list[str]]:
    lines = [["order", str(bound), str(begin)]]
    lines += [["value", str(size), "-" if maker < 0 else str(maker), "stays" if readers is None else "ends", *words(readers or ())]
              for size, maker, readers in graph.values]
    lines += [["operator", *words(own)] for own in graph.before]
    return lines + [[str(part) for part in share] for share in graph.shares]


def flow_proofs(before: list[set[int]], lines: list[list[str]]) -> Iterator[list[list[str]]]:
    """Cuts with up to two flows."""
    count = len(before)
    for k in range(count):
        made = [(at, line) for at, line in enumerate(line for line in lines if line[0] == "value")]
        flows = [["flow", str(v), to, str(b)] for v, line in made for to in ["-", *(r for r in line[4:] if r != "-")]
                 for b in (1, 2, int(line[1]))]
        needs = [["need", str(b), str(a), str(n)] for b in range(count) for a in before[b] for n in (1, 2)]
        for chosen in itertools.chain.from_iterable(itertools.combinations(flows, n) for n in (1, 2)):
            keys = [(int(f[1]), -1 if f[2] == "-" else int(f[2])) for f in chosen]
            if keys == sorted(set(keys)):
                yield [["cut", str(k)], *chosen]
                yield from ([["cut", str(k)], *chosen, need] for need in needs)


def rule_proofs(before: list[set[int]], lines: list[list[str]], step: int) -> Iterator[list[list[str]]]:
    """One rule or two, without flows, and a last cut; and each STEP-th with one rule and flows there or in the last cut."""
    count = len(before)
    rules = [[["before", str(i), str(j)], ["cut", str(k)]] for i, j in itertools.permutations(range(count), 2) for k in range(count)]
    lasts = [[["cut", str(k)]] for k in range(count)]
    yield from ([*rule, *last] for rule in rules for last in lasts)
    yield from ([*one, *two, *last] for one, two in itertools.islice(itertools.permutations(rules, 2), 0, None, 3) for last in lasts)
    for flow in itertools.islice(flow_proofs(before, lines), 0, None, step):
        yield from ([rule[0], *flow, *last] for rule in rules[::count] for last in lasts)
        yield from ([*rule, *flow] for rule in rules)


def chains(graph: Graph, ran: int) -> Iterator[list[list[str]]]:
    """The line of a set, plainly and with any chain."""
    left = [k for k in range(len(graph.before)) if not ran >> k & 1]
    yield [["set", f"{ran:x}"]]
    yield from ([["run", f"{ran:x}", *map(str, chain)]] for n in (1, 2) for chain in itertools.permutations(left, n))


def stops(graph: Graph, lines: list[list[str]], ran: int, step: int) -> Iterator[list[list[str]]]:
    """The lines of a set, plainly and as a dead end of any operator, with each STEP-th flow."""
    before = [own | {j for j in range(len(graph.before)) if ran >> j & 1} for own in graph.before]
    yield [["set", f"{ran:x}"]]
    yield from ([["stop", f"{ran:x}", str(k)]] for k in range(len(before)))
    for (_, k), *flow in itertools.islice(flow_proofs(before, lines), 0, None, step):
        yield [["stop", f"{ran:x}", k], *flow]


def set_proofs(checker: Any, lines: list[list[str]], ways: Callable[[int], Iterator[list[list[str]]]]) -> Iterator[list[list[str]]]:
    """Follows what the checker asks for, in all ways, one after the other."""
    todo: list[dict[int, list[list[str]]]] = [{}]
    tried = 0
    while todo and tried < 200:
        known = todo.pop()
        rows = [line for _, part in sorted(known.items()) for line in part]
        tried += 1
        try:
            checker.Order([*lines, *rows]).check()
            yield rows
        except REJECTIONS as reason:
            words = str(reason).split()
            if words[:1] != ["set"] or words[-1] != "missing":
                continue
            ran = int(words[1], 16)
            todo += [{**known, ran: part} for part in ways(ran)]


def all_proofs(checker: Any, graph: Graph, bound: int, step: int) -> Iterator[list[list[str]]]:
    """Cuts, each STEP-th of those with flows, rules, and lists of sets with chains at some of them."""
    count = len(graph.before)
    lines = order_lines(graph, bound)
    yield from ([*lines, ["cut", str(k)]] for k in range(count))
    yield from ([*lines, *proof] for proof in itertools.islice(flow_proofs(graph.before, lines), 0, None, step))
    yield from ([*lines, *proof] for proof in rule_proofs(graph.before, lines, 97 * step))
    for begin in range(count):
        lines = order_lines(graph, bound, begin)
        for ways in (lambda ran: chains(graph, ran), lambda ran: stops(graph, lines, ran, 13 * step)):  # noqa: B023
            yield from (lines + proof for proof in set_proofs(checker, lines, ways))


def check_orders(checker: Any, stride: int) -> dict[str, objectives.Count]:
    """Counts of proofs by kind: what operators share, rules, and dead ends."""
    counts: dict[str, objectives.Count] = {}
    for graph in itertools.islice(graphs(), 0, None, stride):
        shared = " and ".join(sorted({share[0] for share in graph.shares})) or "nothing shared"
        count = len(graph.before)
        own = graph.bound(range(count))
        orders = [o for o in itertools.permutations(range(count)) if all(graph.before[k] <= set(o[:at]) for at, k in enumerate(o))]
        truth = min(graph.bound(order) for order in orders)
        for proof in all_proofs(checker, graph, own, 1 if stride < 100 else 9):
            kinds = {line[0] for line in proof}
            name = "rules" if "before" in kinds else "stops" if "stop" in kinds else shared
            tried, accepted, false = counts.get(name, (0, 0, []))
            try:
                checker.Order(proof).check()
            except REJECTIONS:
                counts[name] = tried + 1, accepted, false
                continue
            if truth < own:
                false.append(f"{own} for {truth}: {proof}")
            counts[name] = tried + 1, accepted + 1, false
    return {f"order, {name}": result for name, result in counts.items()}


# ---------------------------------------------------------------- the whole


def report(number: int, name: str, tried: int, accepted: int, false: list[str]) -> bool:
    fine = not false and accepted > 0
    print(f"{'ok' if fine else 'not ok'} {number} - {name}: of {tried} proofs, {accepted} are accepted and true")
    for text in false[:5]:
        print(f"#   false: {text}")
    return fine


def check_reasons(checker: Any, stride: int) -> dict[str, tuple[int, int, list[str]]]:
    counts: dict[str, tuple[int, int, list[str]]] = {name: (0, 0, []) for name in REASONS}
    for at, problem in enumerate(itertools.islice(problems(), 0, None, stride)):
        truth, known = least_peak(problem), statement(checker, problem)
        for name, proofs in REASONS.items():
            if at % RARER[name]:
                continue
            tried, accepted, false = counts[name]
            for value, proof in first(proofs(checker, known, truth)):
                tried += 1
                accepted += value >= 0
                if value > truth and truth < NONE:
                    false.append(f"{value} for {truth}: {problem} {proof}")
            counts[name] = tried, accepted, false
    return counts


def main(path: str, stride: str = "997") -> int:
    checker = load(path)
    fine = True
    results = {**check_reasons(checker, int(stride)), **objectives.check(checker, OBJECTIVES // int(stride) + 1, REJECTIONS),
               **check_orders(checker, max(int(stride) // 8, 1) | 1)}  # odd: all kinds of graphs
    for number, (name, result) in enumerate(results.items(), 1):
        fine &= report(number, name, *result)
    # The search itself: it must expose a checker that adds a byte to each stack, and to the gap of two buffers.
    stack, gap = checker.stack, checker.Problem.gap
    checker.stack = lambda *arguments: stack(*arguments) + 1
    checker.Problem.gap = lambda *arguments: gap(*arguments) + 1
    wrong = {**check_reasons(checker, int(stride) * 4), **objectives.check(checker, 20, REJECTIONS)}
    found = {name for name, (_, _, false) in wrong.items() if false}
    fine &= report(len(results) + 1, "a wrong checker is found out", 1, int({"column", "pairs", "best", "over"} <= found), [])
    print(f"1..{len(results) + 1}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
