# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for false certificates among all small ones, in TAP.

    exhaustive.py CHECKER [STRIDE]

Takes every STRIDE-th problem of a family with up to three buffers and one further constraint, and every
STRIDE-th graph of up to four operators, finds the truth by trying all layouts and all orders with the
definitions of certificate.md, and shows the checker all proofs of each reason up to a size.  No proof that
it accepts may claim more than the truth.  STRIDE 1 takes hours.
"""
from __future__ import annotations

import itertools
import sys
import zlib
from typing import Any, Iterable, Iterator, Optional

from mutate import load

Row = dict[str, Any]
NONE = 10**9  # no layout
REJECTIONS = (ValueError, LookupError, TypeError, AttributeError)  # as the checker's main() has them
MOST = 500  # accepted or rejected whole proofs of one reason for one problem
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
    """What one problem may have besides."""
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
    return found


def problems() -> Iterator[Row]:
    for rows in itertools.combinations_with_replacement(buffer_rows(), 3):
        for kind, value in extras():
            buffers = [dict(row) for row in rows]
            problem: Row = {"buffers": buffers, "reserved": [], "relations": []}
            if kind == "fixed":
                buffers[value[0]]["fixed"] = value[1]
            elif kind == "window":
                buffers[value[0]]["low"], buffers[value[0]]["high"] = value[1]
            elif kind in ("bank", "align"):
                buffers[value[0]][kind] = value[1]
            elif kind == "reserved":
                problem["reserved"] = [value]
            elif kind:
                problem["relations"] = [(kind, *value)]
            yield problem


def meet(a: Iterable[tuple[int, int]], b: Iterable[tuple[int, int]]) -> bool:
    return any(s < f and u < e for s, e in a for u, f in b)


def may_be_at(problem: Row, own: Row, at: int) -> bool:
    """Whether a buffer may have this offset by itself."""
    size, end = own["size"], at + own["size"]
    if at % own["align"] or own["fixed"] not in (None, at) or at < own["low"] or (own["high"] and end > own["high"]):
        return False
    if own["bank"] and size and at // own["bank"] != (end - 1) // own["bank"]:
        return False
    return not any(size and low < end and at < high and meet(own["life"], [(s, e)]) for low, high, s, e in problem["reserved"])


def suit(problem: Row, i: int, j: int, at: list[int]) -> bool:
    """Whether the offsets of two buffers suit each other, by what the relations mean."""
    a, b = problem["buffers"][i], problem["buffers"][j]
    x, y = at[i], at[j]
    between = [(kind, p, q, n) for kind, p, q, n in problem["relations"] if {p, q} == {i, j}]
    kinds = {kind for kind, *_ in between}
    for kind, p, q, n in between:
        if kind == "colocation" and at[q] - at[p] != n:
            return False
        if kind == "bank_separation" and {k // n for k in range(x, x + a["size"])} & {k // n for k in range(y, y + b["size"])}:
            return False
    if not a["size"] or not b["size"] or "colocation" in kinds:
        return True
    if "separation" not in kinds and ("exclusion" in kinds or not meet(a["life"], b["life"])):
        return True
    gap = {(i, j): a["size"], (j, i): b["size"]}
    for kind, p, q, n in between:
        if kind == "overlap":
            gap[p, q] = min(gap[p, q], n)
    return y - x >= gap[i, j] or x - y >= gap[j, i]


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


def statement(checker: Any, problem: Row) -> Any:
    """The problem as the checker reads it."""
    def word(value: Optional[int]) -> str:
        return "-" if value is None else str(value)

    lines = ["neap-certificate 1", "least 1"]
    for at, own in enumerate(problem["buffers"]):
        times = " ".join(f"{s} {e}" for s, e in own["life"])
        numbers = " ".join(word(own[key]) for key in ("size", "align", "fixed", "low", "high", "bank"))
        lines.append(f'buffer "b{at}" {numbers} - {times}')
    lines += ["reserved " + " ".join(map(str, hole)) for hole in problem["reserved"]]
    lines += [" ".join(map(str, relation)) for relation in problem["relations"]]
    text = "\n".join(lines) + "\n"
    return checker.read_certificate((text + f"end {len(lines)} {zlib.crc32(text.encode()):08x}\n").encode()).problem


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


def lines_of_layout(count: int, kept: int) -> Iterator[list[str]]:
    for k in range(count):
        yield ["full", str(k)]
        for word in ("cell", "keep"):
            for starters in subsets(range(3)):
                for order in itertools.permutations(map(str, starters)):
                    yield [word, str(k), *order]
    for i in range(3):
        yield ["part", str(i)]
    for n in range(kept):
        yield ["as", str(n)]


def walk(checker: Any, known: Any, head: list[list[str]], count: int, target: int, most: int) -> Iterator[tuple[int, list[str]]]:
    """All proofs by states with up to so many lines: grows those that are right as far as they go."""
    todo: list[list[list[str]]] = [[]]
    while todo:
        proof = todo.pop()
        kept = sum(line[0] == "keep" for line in proof)
        for line in lines_of_layout(count, kept):
            longer = [*proof, line]
            try:
                value = int(checker.refute(known, [*head, *longer], target))
                yield value, [" ".join(words) for words in [*head, *longer]]
            except REJECTIONS as reason:
                grows = str(reason) in ("the proof is not complete", "a clique is not used")
                if grows and len(longer) < most:
                    todo.append(longer)
                elif not grows:
                    yield -1, []


def clique_lines(known: Any, count: int = 3) -> Iterator[list[list[str]]]:
    """The largest sets of strict buffers."""
    items = [i for i in range(count) if known.buffers[i].size]
    strict = [s for s in subsets(items) if all(known.strict(i, j) for i, j in itertools.combinations(s, 2))]
    largest = [s for s in strict if not any(set(s) < set(other) for other in strict)]
    for chosen in subsets(range(len(largest))):
        yield [["clique", *map(str, largest[k])] for k in chosen]


def layouts(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    for cliques in clique_lines(known):
        for target in targets(truth):
            yield from walk(checker, known, cliques, len(cliques), target, 7)


def weaker(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    for unit in (1, 2, 3):
        for listed in subsets(i for i in range(3) if known.buffers[i].size >= unit):
            part = known.part(set(listed), 0, unit)
            for cliques in clique_lines(part):
                head = [["weaker", str(unit), *map(str, listed)], *cliques]
                for target in targets(truth):
                    yield from walk(checker, known, head, len(cliques), target, 5)


def pairs(checker: Any, known: Any, truth: int) -> Iterator[tuple[int, list[str]]]:
    below = [(i, j) for i, j in itertools.permutations(range(3), 2) if known.conflict(i, j)]
    clauses = [c for k in (0, 1, 2) for c in itertools.combinations(below, k)]
    for cliques in itertools.chain([[]], clique_lines(known)):
        for chosen in itertools.chain.from_iterable(itertools.permutations(clauses, k) for k in (0, 1, 2)):
            lines = [["below", *(str(i) for pair in clause for i in pair)] for clause in chosen if clause]
            proof = [["pairs", str(len(lines))], *cliques, *lines]
            for target in targets(truth):
                yield shown(checker, known, proof, target), [" ".join(words) for words in proof]


def first(proofs: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    return itertools.islice(proofs, MOST)


REASONS = {"load": loads, "column": columns, "layout": layouts, "weaker": weaker, "pairs": pairs}
# Of these, only each so many-th problem of the stride.
RARER = {"load": 1, "column": 1, "layout": 1, "weaker": 2, "pairs": 4}


# ---------------------------------------------------------------- orders


def graphs() -> Iterator[tuple[list[set[int]], list[tuple[int, int, Optional[set[int]]]]]]:
    """Operators, by those that must run before, and values: bytes, maker or -1, readers or None: it stays."""
    count = 4
    edges = list(itertools.combinations(range(count), 2))
    for chosen in range(1 << len(edges)):
        before = [{a for k, (a, b) in enumerate(edges) if chosen >> k & 1 and b == at} for at in range(count)]
        for sizes in itertools.product((1, 3), (2, 4), (1, 2), (1, 3)):
            readers = [{b for b in range(count) if a in before[b]} for a in range(count)]
            values = [(sizes[a], a, readers[a] if readers[a] else None) for a in range(count)]
            yield before, values
            yield before, [(2, -1, {0, count - 1}), *((size, a, r if r is not None else set()) for size, a, r in values)]


def alive(values: list[Any], ran: set[int]) -> int:
    return sum(
        size
        for size, maker, readers in values
        if (maker < 0 or maker in ran) and (readers is None or readers - ran or (not readers and maker < 0 and not ran))
    )


def bound_of(values: list[Any], order: Iterable[int]) -> int:
    ran: set[int] = set()
    most = 0
    for k in order:
        most = max(most, alive(values, ran) + sum(size for size, maker, _ in values if maker == k))
        ran.add(k)
    return most


def order_lines(before: list[set[int]], values: list[Any], bound: int) -> list[list[str]]:
    rows = sorted(
        (("-" if maker < 0 else str(maker)), size, "stays" if readers is None else "ends",
         [] if readers is None else sorted(readers)) for size, maker, readers in values
    )
    lines = [["order", str(bound), "0"]]
    lines += [["value", str(size), maker, life, *(map(str, readers) if readers else ["-"])] for maker, size, life, readers in rows]
    return lines + [["operator", *(map(str, sorted(own)) if own else ["-"])] for own in before]


def order_proofs(before: list[set[int]], lines: list[list[str]]) -> Iterator[list[list[str]]]:
    """Cuts without flows and with up to two, and lists of sets with chains at some of them."""
    count = len(before)
    for k in range(count):
        yield [["cut", str(k)]]
        made = [(at, line) for at, line in enumerate(line for line in lines if line[0] == "value")]
        flows = [["flow", str(v), to, str(b)] for v, line in made for to in ["-", *(r for r in line[4:] if r != "-")]
                 for b in (1, 2, int(line[1]))]
        needs = [["need", str(b), str(a), str(n)] for b in range(count) for a in before[b] for n in (1, 2)]
        for chosen in itertools.chain.from_iterable(itertools.combinations(flows, n) for n in (1, 2)):
            keys = [(int(f[1]), -1 if f[2] == "-" else int(f[2])) for f in chosen]
            if keys == sorted(set(keys)):
                yield [["cut", str(k)], *chosen]
                yield from ([["cut", str(k)], *chosen, need] for need in needs)


def set_proofs(checker: Any, lines: list[list[str]], count: int) -> Iterator[list[list[str]]]:
    """Follows what the checker asks for: each missing set is listed plainly, or with any chain."""
    todo: list[dict[int, tuple[int, ...]]] = [{}]
    tried = 0
    while todo and tried < 200:
        known = todo.pop()
        rows = [["run" if chain else "set", f"{ran:x}", *map(str, chain)] for ran, chain in sorted(known.items())]
        tried += 1
        try:
            checker.Order([*lines, *rows]).check()
            yield rows
        except REJECTIONS as reason:
            words = str(reason).split()
            if words[:1] != ["set"] or words[-1] != "missing":
                continue
            ran = int(words[1], 16)
            left = [k for k in range(count) if not ran >> k & 1]
            chains = [()] + [c for n in (1, 2) for c in itertools.permutations(left, n)]
            todo += [{**known, ran: chain} for chain in chains]


def check_orders(checker: Any, stride: int) -> tuple[int, int, list[str]]:
    tried = accepted = 0
    false: list[str] = []
    for before, values in itertools.islice(graphs(), 0, None, stride):
        count = len(before)
        own = bound_of(values, range(count))
        orders = [o for o in itertools.permutations(range(count)) if all(before[k] <= set(o[:at]) for at, k in enumerate(o))]
        truth = min(bound_of(values, order) for order in orders)
        lines = order_lines(before, values, own)
        for proof in itertools.chain(order_proofs(before, lines), set_proofs(checker, lines, count)):
            tried += 1
            try:
                checker.Order([*lines, *proof]).check()
            except REJECTIONS:
                continue
            accepted += 1
            if truth < own:
                false.append(f"{own} for {truth}: {lines + proof}")
    return tried, accepted, false


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
    results = {**check_reasons(checker, int(stride)), "order": check_orders(checker, max(int(stride) // 16, 1))}
    for number, (name, result) in enumerate(results.items(), 1):
        fine &= report(number, name, *result)
    # The search itself: a checker that adds a byte to each stack must be found out.
    stack = checker.stack
    checker.stack = lambda *arguments: stack(*arguments) + 1
    found = [name for name, (_, _, false) in check_reasons(checker, int(stride) * 4).items() if false]
    fine &= report(len(results) + 1, "a wrong checker is found out", 1, int("column" in found and "layout" in found), [])
    print(f"1..{len(results) + 1}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
