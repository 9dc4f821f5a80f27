# SPDX-License-Identifier: GPL-3.0-or-later
"""Decides problems with CP-SAT: the least value of each term of the objective, or that no plan exists.

All numbers of bytes are first divided by their common divisor, which changes no answer: rounding
every offset of a plan down to a multiple of it keeps each order of two buffers and each distance.
Offsets get a limit that no best plan has to exceed: see _highest.
"""
from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Optional

from ortools.sat.python import cp_model

from meaning import Layout, Problem

SECONDS = 5.0
# Doubles hold all integers up to this.
LARGEST_EXACT = 2**53


class Undecided(Exception):
    """The solver needs too long."""


@dataclass
class Answer:
    layout: Optional[Layout]  # a best plan; None: there is no plan


def _scaled(problem: Problem, divide: Any) -> Problem:
    """The problem with every number of bytes changed; alignments of 1 stay, and so do costs."""

    def some(value: Optional[int]) -> Optional[int]:
        return None if value is None else divide(value)

    def alignment(value: int) -> int:
        return 1 if value == 1 else divide(value)

    return replace(
        problem,
        buffers=[
            replace(
                b,
                size=divide(b.size),
                alignment=alignment(b.alignment),
                fixed=some(b.fixed),
                window=(divide(b.window[0]), some(b.window[1])),
                bank=divide(b.bank),
                near=some(b.near),
            )
            for b in problem.buffers
        ],
        pools=[
            replace(p, capacity=some(p.capacity), alignment=alignment(p.alignment))
            for p in problem.pools
        ],
        relations=[
            r if r.kind == "reuse_penalty" else replace(r, bytes=divide(r.bytes))
            for r in problem.relations
        ],
        reserved=[replace(r, low=divide(r.low), high=some(r.high)) for r in problem.reserved],
    )


def _unit(problem: Problem, capacity: Optional[int]) -> int:
    found = capacity or 0

    def count(value: int) -> int:
        nonlocal found
        found = math.gcd(found, value)
        return value

    _scaled(problem, count)
    return found or 1


def _highest(problem: Problem) -> int:
    """A limit on offsets.

    Take a best plan, and in a pool all bodies (of colocated buffers) above every number that the
    problem names.  A gap that is a multiple of all alignments and banks is useless: the bodies above
    it can come down by as much.  So there is less than twice that multiple between two bodies.
    """
    named, period = [0], 1
    for buffer in problem.buffers:
        period = math.lcm(period, buffer.alignment, buffer.bank or 1)
        named += [buffer.fixed or 0, buffer.window[0], buffer.window[1] or 0, buffer.near or 0]
    for pool in problem.pools:
        period = math.lcm(period, pool.alignment)
    for relation in problem.of_kind("bank_separation"):
        period = math.lcm(period, relation.bytes)
    named += [value for r in problem.reserved for value in (r.low, r.high or 0)]
    extent = sum(b.size + 2 * period for b in problem.buffers)
    apart = sum(abs(r.bytes) for r in problem.relations if r.kind in ("colocation", "overlap"))
    return max(named) + extent + apart + period


def _solver(seconds: float) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    return solver


class _Model:
    def __init__(self, problem: Problem, original: Problem, capacity: Optional[int]) -> None:
        self.problem, self.original = problem, original
        self.highest = _highest(problem)
        self.model = cp_model.CpModel()
        self.banks: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.at = [self.model.NewIntVar(0, self.highest, "") for _ in problem.buffers]
        self.inside = [
            [self.model.NewBoolVar("") for _ in problem.pools] for _ in problem.buffers
        ]
        for index in range(len(problem.buffers)):
            self._place(index, capacity)
        for relation in problem.relations:
            self._relate(relation)
        for a, b in problem.pairs():
            if problem.conflict(a, b):
                self._separate(a, b)

    def _place(self, index: int, capacity: Optional[int]) -> None:
        buffer, at, model = self.problem.buffers[index], self.at[index], self.model
        model.AddExactlyOne(self.inside[index])
        allowed = self.problem.allowed(index)
        for pool, inside in enumerate(self.inside[index]):
            if pool not in allowed:
                model.Add(inside == 0)
            else:
                self._place_in(index, pool, inside)
        self._multiple(at, buffer.alignment)
        if buffer.fixed is not None:
            model.Add(at == buffer.fixed)
        model.Add(at >= buffer.window[0])
        if buffer.window[1] is not None:
            model.Add(at + buffer.size <= buffer.window[1])
        if capacity is not None:
            model.Add(at + buffer.size <= capacity)
        if buffer.bank and buffer.size:
            low, high = self._bank(index, buffer.bank)
            model.Add(low == high)

    def _place_in(self, index: int, number: int, inside: Any) -> None:
        buffer, at, model = self.problem.buffers[index], self.at[index], self.model
        pool = self.problem.pools[number]
        if pool.capacity is not None:
            model.Add(at + buffer.size <= pool.capacity).OnlyEnforceIf(inside)
        self._multiple(at, pool.alignment, inside)
        for reserved in self.problem.reserved:
            if reserved.pool != number or not self.problem.blocks(reserved, index):
                continue
            below = model.NewBoolVar("")
            model.Add(at + buffer.size <= reserved.low).OnlyEnforceIf(inside, below)
            if reserved.high is None:
                model.AddImplication(inside, below)
            else:
                model.Add(at >= reserved.high).OnlyEnforceIf(inside, below.Not())

    def _multiple(self, at: Any, of: int, *when: Any) -> None:
        if of > 1:
            times = self.model.NewIntVar(0, self.highest // of + 1, "")
            self.model.Add(at == of * times).OnlyEnforceIf(*when)

    def _bank(self, index: int, size: int) -> tuple[Any, Any]:
        """The banks of the first and of the last byte."""
        if (index, size) not in self.banks:
            found = []
            for beyond in (0, self.problem.buffers[index].size - 1):
                number = self.model.NewIntVar(0, (self.highest + beyond) // size + 1, "")
                rest = self.model.NewIntVar(0, size - 1, "")
                self.model.Add(self.at[index] + beyond == size * number + rest)
                found.append(number)
            self.banks[index, size] = (found[0], found[1])
        return self.banks[index, size]

    def _apart(self, a: int, b: int) -> list[Any]:
        """Literals, each of which says that two buffers are in different pools."""
        found = []
        for pool in range(len(self.problem.pools)):
            if len(self.problem.pools) > 1:
                literal = self.model.NewBoolVar("")
                self.model.AddImplication(literal, self.inside[a][pool])
                self.model.AddImplication(literal, self.inside[b][pool].Not())
                found.append(literal)
        return found

    def _if(self, constraint: Any) -> Any:
        literal = self.model.NewBoolVar("")
        self.model.Add(constraint).OnlyEnforceIf(literal)
        return literal

    def _below(self, a: int, b: int) -> Any:
        return self._if(self.at[a] + self.problem.buffers[a].size <= self.at[b])

    def _relate(self, relation: Any) -> None:
        a, b, size = relation.first, relation.second, relation.bytes
        if relation.kind == "colocation":
            self.model.Add(self.at[b] == self.at[a] + size)
            for one, other in zip(self.inside[a], self.inside[b]):
                self.model.Add(one == other)
        sizes = self.problem.buffers[a].size, self.problem.buffers[b].size
        if relation.kind == "bank_separation" and all(sizes):
            (low, high), (bottom, top) = self._bank(a, size), self._bank(b, size)
            ways = [self._if(high < bottom), self._if(top < low)]
            self.model.AddBoolOr(ways + self._apart(a, b))

    def _separate(self, a: int, b: int) -> None:
        ways = [self._below(a, b), self._below(b, a)] + self._apart(a, b)
        for relation in self.problem.of_kind("overlap"):
            if {relation.first, relation.second} == {a, b}:
                first, second = self.at[relation.first], self.at[relation.second]
                ways.append(self._if(second >= first + relation.bytes))
        self.model.AddBoolOr(ways)

    # ------------------------------------------------------------ terms

    def term(self, name: str) -> Any:
        return getattr(self, "_" + name)()

    def _peak(self) -> Any:
        peaks = []
        for pool in range(len(self.problem.pools)):
            peak = self.model.NewIntVar(0, 2 * self.highest, "")
            for index, buffer in enumerate(self.problem.buffers):
                end = self.at[index] + buffer.size
                self.model.Add(peak >= end).OnlyEnforceIf(self.inside[index][pool])
            peaks.append(peak)
        return sum(peaks)

    def _spill(self) -> Any:
        return self._sum(
            (buffer.size * self.problem.byte_cost(index, pool), self.inside[index][pool])
            for index, buffer in enumerate(self.problem.buffers)
            for pool in self.problem.allowed(index)
        )

    def _reuse(self) -> Any:
        paid = []
        for relation in self.problem.of_kind("reuse_penalty"):
            a, b = relation.first, relation.second
            if self.problem.buffers[a].size and self.problem.buffers[b].size:
                pays = self.model.NewBoolVar("")
                self.model.AddBoolOr([self._below(a, b), self._below(b, a), pays] + self._apart(a, b))
                paid.append((relation.bytes, pays))
        return self._sum(paid)

    def _moved(self) -> Any:
        paid = []
        for index, buffer in enumerate(self.problem.buffers):
            if buffer.near is not None:
                moves = self.model.NewBoolVar("")
                self.model.Add(self.at[index] == buffer.near).OnlyEnforceIf(moves.Not())
                paid.append((buffer.move_cost, moves))
        return self._sum(paid)

    @staticmethod
    def _sum(paid: Any) -> Any:
        listed = [(cost, literal) for cost, literal in paid if cost]
        unit = math.gcd(*(cost for cost, _ in listed)) if listed else 1
        return sum(cost // unit * literal for cost, literal in listed)

    # ------------------------------------------------------------ solving

    def _optimum(self) -> Optional[cp_model.CpSolver]:
        """The solver with a best solution; None: there is no solution."""
        solver = _solver(SECONDS)
        status = solver.Solve(self.model)
        if status == cp_model.INFEASIBLE:
            return None
        if status != cp_model.OPTIMAL:
            raise Undecided(solver.StatusName(status))
        return solver

    def _least(self, term: Any) -> Optional[cp_model.CpSolver]:
        """Minimises a term.  The solver compares objectives as doubles, so it is asked again for less than a
        large value."""
        self.model.Minimize(term)
        best = self._optimum()
        while best and best.Value(term) > LARGEST_EXACT:
            is_less = self.model.NewBoolVar("")
            self.model.Add(term <= best.Value(term) - 1).OnlyEnforceIf(is_less)
            self.model.Maximize(is_less)
            solver = self._optimum()
            if not solver or not solver.Value(is_less):
                break
            best = solver
        return best

    def solve(self) -> Optional[Layout]:
        """Minimises one term after the other."""
        layout = None
        for name in self.problem.objective:
            term = self.term(name)
            if isinstance(term, int) and layout is not None:
                continue
            solver = self._least(term)
            if not solver:
                return None
            layout = Layout(
                [solver.Value(at) for at in self.at],
                [next(p for p, i in enumerate(row) if solver.Value(i)) for row in self.inside],
            )
            if not isinstance(term, int):
                self.model.Add(term <= solver.Value(term))
            self.model.ClearObjective()
            self.model.ClearHints()
            for variable, value in zip(self.at, layout.offsets):
                self.model.AddHint(variable, value)
        return layout


def _scaled_model(problem: Problem, capacity: Optional[int]) -> tuple[int, _Model]:
    """The unit of its bytes, and the model."""
    unit = _unit(problem, capacity)
    small = _scaled(problem, lambda value: value // unit)
    return unit, _Model(small, problem, None if capacity is None else capacity // unit)


def solve(problem: Problem, capacity: Optional[int] = None) -> Answer:
    """A best plan, or that there is none."""
    unit, model = _scaled_model(problem, capacity)
    layout = model.solve()
    if layout is None:
        return Answer(None)
    return Answer(Layout([unit * offset for offset in layout.offsets], layout.pools))


def lowest_peak(problem: Problem, seconds: float) -> tuple[Optional[int], bool]:
    """The lowest peak found in that time with one worker, None without a plan, and whether that is proven."""
    unit, model = _scaled_model(problem, None)
    model.model.Minimize(model.term("peak"))
    solver = _solver(seconds)
    status = solver.Solve(model.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, status == cp_model.INFEASIBLE
    return unit * round(solver.ObjectiveValue()), status == cp_model.OPTIMAL
