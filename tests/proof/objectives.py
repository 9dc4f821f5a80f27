# SPDX-License-Identifier: GPL-3.0-or-later
"""Small problems with pools, penalties and earlier offsets, for exhaustive.py.

The best plan is found by trying all.  Then the checker is shown plans that are the best, or nearly, with all proofs
that it asks for: each section, with each reason of one line.  (Reasons with more lines are checked on their own.)
"""
from __future__ import annotations

import itertools
from typing import Any, Iterator, NamedTuple, Optional

from truth import Row, buffer_line, may_be_at, read_lines, suit, word

HEIGHT = 9  # more than the best plan of any problem needs
MOST = 2000  # proofs for one plan
PLANS = 4  # for one problem

LIVES = ([(0, 1)], [(1, 2)], [(0, 2)])
BUFFERS = [{"size": size, "align": align, "fixed": None, "low": 0, "high": None, "bank": None, "life": life}
           for size in (1, 2) for align in (1, 2) for life in LIVES]
# capacity, alignment, cost
POOLS: list[list[tuple[Optional[int], int, Optional[int]]]] = [
    [], [], [], [(3, 1, None)], [(4, 2, 1)], [(2, 1, None), (None, 1, None)], [(2, 1, 0), (3, 1, 1)], [(3, 1, 2), (2, 2, 1)],
    [(2, 1, 1), (4, 1, 1)], [(1, 1, None), (2, 1, None)]]
CHOICES = [[0], [1], [0, 1], [1, 0]]
PENALTIES = [[], [], [(0, 1, 1)], [(1, 2, 2)], [(0, 1, 2), (0, 2, 1)], [(0, 1, 1), (0, 2, 1), (1, 2, 1)]]
MOVES = [[], [], [(0, 1, 1)], [(2, 0, 2)], [(0, 0, 1), (1, 0, 1)], [(1, 2, 2), (2, 1, 1)], [(0, 0, 1), (1, 0, 2), (2, 0, 1)]]
RELATIONS = [[], [], [("separation", 0, 2, 0)], [("exclusion", 0, 1, 0)], [("overlap", 0, 1, 1)], [("overlap", 2, 1, 0)],
             [("colocation", 0, 1, 0)], [("colocation", 0, 2, 3)], [("bank_separation", 1, 2, 2)]]
FIXED = [None, None, (0, 2), (2, 0)]
HOLES = [None, None, (0, 1, 0, 1)]  # in pool 0
ORDERS = list(itertools.permutations(("spill", "peak", "reuse", "moved")))
DIGITS: list[list[Any]] = [BUFFERS] * 3 + [POOLS] + [CHOICES] * 3 + [PENALTIES, MOVES, RELATIONS, FIXED, HOLES, ORDERS]
STEP = 7_368_787  # a prime, so that the problems taken are spread over all


def problems(count: int) -> Iterator[Row]:
    total = 1
    for digit in DIGITS:
        total *= len(digit)
    for at in range(count):
        left, chosen = at * STEP % total, []
        for digit in DIGITS:
            left, place = divmod(left, len(digit))
            chosen.append(digit[place])
        a, b, c, pools, x, y, z, penalties, moves, relations, fixed, hole, order = chosen
        buffers = [dict(row) for row in (a, b, c)]
        if fixed:
            buffers[fixed[0]]["fixed"] = fixed[1]
        choices = [[k for k in own if k < len(pools)] or [0] for own in (x, y, z)] if pools else []
        yield {"buffers": buffers, "pools": pools, "choices": choices, "penalties": penalties, "moves": moves,
               "relations": relations, "hole": hole, "order": order, "reserved": []}


# ---------------------------------------------------------------- the truth


class Plan(NamedTuple):
    cost: tuple[int, ...]  # in the order of the objective
    offsets: tuple[int, ...]
    pools: tuple[int, ...]


def terms(problem: Row) -> list[str]:
    present = {"spill": problem["pools"], "peak": True, "reuse": problem["penalties"], "moved": problem["moves"]}
    return [term for term in problem["order"] if present[term]]


def places(problem: Row, i: int) -> list[tuple[int, int]]:
    """The pools and offsets that a buffer may have by itself."""
    own = problem["buffers"][i]
    found = []
    for pool in problem["choices"][i] if problem["pools"] else [0]:
        capacity, align, _ = problem["pools"][pool] if problem["pools"] else (None, 1, None)
        inside = {"reserved": [problem["hole"]] if problem["hole"] and pool == 0 else []}
        found += [(pool, at) for at in range(HEIGHT) if at % align == 0 and may_be_at(inside, own, at)
                  and (capacity is None or at + own["size"] <= capacity)]
    return found


def is_sound(problem: Row, pools: tuple[int, ...], offsets: list[int]) -> bool:
    tied = {(i, j) for kind, i, j, _ in problem["relations"] if kind == "colocation"}
    return all(suit(problem, i, j, offsets) if pools[i] == pools[j] else (i, j) not in tied
               for i, j in itertools.combinations(range(3), 2))


def cost_of(problem: Row, pools: tuple[int, ...], offsets: list[int]) -> tuple[int, ...]:
    ends = [at + own["size"] for at, own in zip(offsets, problem["buffers"])]
    paid = {"spill": 0, "peak": sum(max(ends[i] for i in range(3) if pools[i] == k) for k in set(pools))}
    for i, own in enumerate(problem["buffers"] if problem["pools"] else []):
        rate = problem["pools"][pools[i]][2]
        paid["spill"] += own["size"] * (problem["choices"][i].index(pools[i]) if rate is None else rate)
    paid["reuse"] = sum(cost for i, j, cost in problem["penalties"]
                        if pools[i] == pools[j] and max(offsets[i], offsets[j]) < min(ends[i], ends[j]))
    paid["moved"] = sum(cost for i, at, cost in problem["moves"] if offsets[i] != at)
    return tuple(paid[term] for term in terms(problem))


def plans(problem: Row) -> list[Plan]:
    """One for each cost and choice of pools, the best first."""
    found: dict[tuple[Any, ...], Plan] = {}
    for combined in itertools.product(*(places(problem, i) for i in range(3))):
        pools, offsets = tuple(pool for pool, _ in combined), [at for _, at in combined]
        if is_sound(problem, pools, offsets):
            cost = cost_of(problem, pools, offsets)
            found.setdefault((cost, pools), Plan(cost, tuple(offsets), pools))
    return sorted(found.values())


# ---------------------------------------------------------------- what the checker is shown


def lines_of(problem: Row, plan: Optional[Plan]) -> list[str]:
    """The problem and the claim; without a plan, that pool 0 is too small."""
    names = terms(problem)
    claim = " ".join(f"{term} {cost}" for term, cost in zip(names, plan.cost)) if plan else ""
    lines = ["neap-certificate 1", f"best {claim}" if plan else "over 0 1"]
    lines += [buffer_line(i, own, plan.offsets[i] if plan else None) for i, own in enumerate(problem["buffers"])]
    lines += [f'pool "p{k}" {word(capacity)} {align} {word(cost)}' for k, (capacity, align, cost) in enumerate(problem["pools"])]
    for i, own in enumerate(problem["choices"]):
        lines.append(" ".join(["in", str(i), str(plan.pools[i]) if plan else "-", *map(str, own)]))
    lines += [" ".join(["near", *map(str, move)]) for move in problem["moves"]]
    if problem["hole"]:
        lines.append(" ".join(["reserved", *map(str, problem["hole"]), *(["0"] if problem["pools"] else [])]))
    lines += [" ".join(map(str, relation)) for relation in problem["relations"]]
    return lines + [" ".join(["reuse_penalty", *map(str, penalty)]) for penalty in problem["penalties"]]


def statement(checker: Any, problem: Row, plan: Optional[Plan]) -> Any:
    """The problem and the claim as the checker reads them."""
    return read_lines(checker, lines_of(problem, plan))


def subsets(count: int) -> list[list[str]]:
    return [[str(i) for i in s] for k in range(1, count + 1) for s in itertools.combinations(range(count), k)]


REASONS = [["load", moment, *listed] for moment in "01" for listed in subsets(3)] + [["column", *listed] for listed in subsets(3)]
REASONS.append(["pairs", "0"])
LOADS = [reason for reason in REASONS if reason[0] == "load"]


def sections(problem: Row, plan: Plan, wanted: str, is_next: str) -> Iterator[list[list[str]]]:
    """The sections that may come next where the checker asks for `wanted`."""
    if wanted.startswith("no pool"):
        yield from ([wanted.split(" ")[1:], reason] for reason in REASONS)
        peak = str(plan.cost[terms(problem).index("peak")])
        yield from ([["all", peak], load] for load in LOADS if is_next == "")
        return
    count = max(len(problem["penalties"]), len(problem["moves"]))
    for weight, pool in itertools.product("12", range(max(len(problem["pools"]), 1))):
        for named in subsets(count):
            yield from ([["core", weight, str(pool), *named], reason] for reason in REASONS)


def proofs(checker: Any, problem: Row, plan: Plan, rejections: tuple[type[BaseException], ...]) -> Iterator[tuple[bool, list[list[str]]]]:
    """All proofs that are right so far, and whether the checker accepts them."""
    certificate = statement(checker, problem, plan)
    todo: list[list[list[str]]] = [[]]
    while todo:
        proof = todo.pop()
        try:
            checker.check(certificate._replace(proof=proof))
            yield True, proof
        except rejections as reason:
            yield False, proof
            if str(reason).startswith(("no pool", "no core")):
                had = proof[-2][0] if proof else ""
                todo += [[*proof, *section] for section in sections(problem, plan, str(reason), had)]


def overs(checker: Any, problem: Row, rejections: tuple[type[BaseException], ...]) -> Iterator[tuple[bool, list[str]]]:
    """Proofs that a pool is too small for the buffers that can only be there."""
    certificate = statement(checker, problem, None)
    for pool, reason, least in itertools.product(range(len(problem["pools"])), REASONS, range(2, HEIGHT)):
        try:
            checker.check(certificate._replace(terms=[str(pool), str(least)], least=least, proof=[reason]))
            yield True, reason
        except rejections:
            yield False, reason


Count = tuple[int, int, list[str]]  # proofs tried and accepted, and false ones


def check(checker: Any, count: int, rejections: tuple[type[BaseException], ...]) -> dict[str, Count]:
    counts: dict[str, Count] = {"best": (0, 0, []), "over": (0, 0, [])}

    def note(name: str, accepted: bool, is_false: bool, what: str) -> None:
        tried, taken, false = counts[name]
        counts[name] = tried + 1, taken + accepted, false + [what] * (accepted and is_false)

    for problem in problems(count):
        known = plans(problem)
        for accepted, reason in overs(checker, problem, rejections) if problem["pools"] else ():
            note("over", accepted, bool(known), f"{problem} {reason}")
        for plan in known[:PLANS]:
            for accepted, proof in itertools.islice(proofs(checker, problem, plan, rejections), MOST):
                note("best", accepted, plan.cost > known[0].cost, f"{plan} for {known[0]}: {problem} {proof}")
                if accepted and plan.cost == known[0].cost:
                    break  # its proof was found; false ones need worse plans
    return counts
