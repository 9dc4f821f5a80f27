# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what neap says of a case with what the solver says."""
from __future__ import annotations

import json
import math
import random
import resource
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional

import meaning
from meaning import Layout, Problem
from problems import Case, as_table
from solver import Answer, Undecided, solve

# Seconds: neap has NEAP_LIMIT for a plan, unless it searches to the end; a run that needs NEAP_SECONDS of processor
# time, or NEAP_WAIT in all, counts as endless.
NEAP_LIMIT, NEAP_SECONDS, NEAP_WAIT = 2, 30, 600
UNSUPPORTED, REFUSED, INFEASIBLE, NO_PLAN = 2, 3, 4, 5

OWN = ("auto", "exact", "tune", "sort")


def run_limited(command: list[str]) -> tuple[int, str, str]:
    """Runs with NEAP_SECONDS of processor time; returns the exit code and the output."""
    # Limits of the child are set from here: code of Python between fork and exec would make each run
    # copy the pages of a process that holds a solver, which takes longer than both programs.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        resource.prlimit(child.pid, resource.RLIMIT_CPU, (NEAP_SECONDS, NEAP_SECONDS + 1))
        try:
            text, message = child.communicate(timeout=NEAP_WAIT)
        except BaseException:
            child.kill()
            raise
    return child.returncode, text, message.strip()


class Difference(Exception):
    """neap and the solver disagree; `kind` is the same for differences of one kind."""

    def __init__(self, kind: str, detail: object = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail != "" else kind)
        self.kind = kind


@dataclass
class Options:
    """What the options of a case mean for the answer."""

    engine: str = "auto"
    capacity: Optional[int] = None
    align: int = 1
    objective: tuple[str, ...] = ()
    replan: bool = False
    until_fits: bool = False
    is_limited: bool = False

    @classmethod
    def of(cls, given: list[str]) -> Options:
        pairs = dict(option.lstrip("-").partition("=")[::2] for option in given)
        capacity = pairs.get("capacity")
        return cls(
            engine=pairs.get("engine", "auto"),
            capacity=None if capacity is None else int(capacity),
            align=int(pairs.get("align", 1)),
            objective=tuple(filter(None, pairs.get("objective", "").split(","))),
            replan="replan" in pairs,
            until_fits="until-fits" in pairs,
            is_limited="max-ticks" in pairs,
        )

    def apply(self, problem: Problem) -> Problem:
        buffers = [
            replace(
                buffer,
                alignment=math.lcm(buffer.alignment, self.align),
                fixed=None if self.replan else buffer.fixed,
            )
            for buffer in problem.buffers
        ]
        objective = self.objective or problem.objective
        return replace(problem, buffers=buffers, objective=objective)

    @property
    def is_complete(self) -> bool:
        """Whether the engine searches until it has a plan and a proof."""
        return self.engine in ("exact", "auto") and not self.is_limited


def _timed(document: meaning.Document) -> meaning.Document:
    """A problem of conflicts alone as one with lifetimes, because plans have them."""
    if not document.keys() & {"conflicts", "conflict_matrix"}:
        return document
    timed = {key: value for key, value in document.items() if not key.startswith("conflict")}
    problem = meaning.read(document)
    timed["buffers"] = [
        dict(item, lifetimes=[[2 * number, 2 * number + 1]])
        for number, item in enumerate(document["buffers"])
    ]
    pairs = {frozenset((r.first, r.second)) for r in problem.of_kind("separation")}
    names = [buffer.name for buffer in problem.buffers]
    timed["separations"] = [{"buffers": [names[a] for a in pair]} for pair in pairs]
    return timed


@dataclass
class Judge:
    """Compares cases; counts them by kind."""

    program: str
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)

    def neap(self, *arguments: object) -> tuple[int, str, str]:
        command = [self.program, *map(str, arguments)]
        try:
            code, text, message = run_limited(command)
        except subprocess.TimeoutExpired:
            raise Difference("neap does not end", " ".join(command)) from None
        if code == -signal.SIGXCPU:
            raise Difference("neap does not end", " ".join(command))
        if code not in (0, UNSUPPORTED, REFUSED, INFEASIBLE, NO_PLAN):
            raise Difference(f"exit code {code} of {arguments[0]}", message)
        return code, text, message

    def judge(self, case: Case) -> None:
        """Raises Difference if there is one."""
        options = Options.of(case.options)
        problem = options.apply(meaning.read(case.document))
        source = self.folder / f"problem.{case.extension}"
        text = as_table(case.document) if case.extension == "csv" else json.dumps(case.document)
        source.write_text(text, encoding="utf-8")
        try:
            answer = solve(problem, options.capacity)
        except Undecided:
            self.counts["undecided by the solver"] += 1
            return
        trial = Trial(self, case, options, problem, answer, source)
        trial.plan()
        trial.check()
        trial.explain()


@dataclass
class Trial:
    """A case with its answer."""

    judge: Judge
    case: Case
    options: Options
    problem: Problem
    answer: Answer
    source: Path

    def count(self, what: str) -> None:
        self.judge.counts[what] += 1

    # ------------------------------------------------------------ plans

    def plan(self) -> None:
        path = self.judge.folder / "plan.json"
        path.unlink(missing_ok=True)
        limit = () if self.options.engine == "exact" else (f"--time-limit={NEAP_LIMIT}",)
        code, text, message = self.judge.neap(
            "plan", self.source, *self.case.options, *limit, "--json", "-o", path
        )
        if code == 0:
            self.count("plans")
            self._compare_plan(json.loads(text), json.loads(path.read_text(encoding="utf-8")))
        elif code == UNSUPPORTED:
            self.count("not supported by the engine")
            if self.options.engine in OWN:
                raise Difference("one of neap's own engines refuses the options", message)
        elif code == REFUSED:
            self._compare_refusal(message)
        elif code == INFEASIBLE:
            self.count("infeasible")
            if self.answer.layout is not None:
                raise Difference("wrongly infeasible", f"{message}; {self.answer.layout}")
        else:
            self.count("no plan")
            if self.options.is_complete and "limit" not in message:
                raise Difference("no plan of a complete engine", message)

    def _compare_refusal(self, message: str) -> None:
        self.count("refused")
        if self.answer.layout is not None and not self.problem.contradicts():
            raise Difference("wrongly refused", f"{message}; {self.answer.layout}")

    def _layout(self, plan: dict[str, Any]) -> Layout:
        pools = {item["name"]: k for k, item in enumerate(self.case.document.get("pools", ()))}
        listed = {item["name"]: item for item in plan["buffers"]}
        items = [listed[buffer.name] for buffer in self.problem.buffers]
        return Layout([i["offset"] for i in items], [pools.get(i.get("pool"), 0) for i in items])

    def _compare_plan(self, report: dict[str, Any], plan: dict[str, Any]) -> None:
        if self.problem.contradicts():
            raise Difference("a contradiction is planned")
        layout = self._layout(plan)
        fault = meaning.fault(self.problem, layout, self.options.capacity)
        if fault:
            raise Difference("unsound plan", f"{fault}: {layout}")
        if self.answer.layout is None:
            raise Difference("the solver found no plan", layout)
        self._compare_costs(report, meaning.costs(self.problem, layout))

    def _compare_costs(self, report: dict[str, Any], found: dict[str, int]) -> None:
        assert self.answer.layout
        best = meaning.costs(self.problem, self.answer.layout)
        is_object = "objects" in report
        names = (("peak", "peak"), ("spill", "spilled_bytes"), ("reuse", "reuse_cost"), ("moved", "moved_bytes"))
        for term, key in names:
            if report.get(key, found[term]) != found[term] and not (term == "peak" and is_object):
                raise Difference(f"{key} is wrong", f"{report[key]} reported, {found[term]} true")
        order = self.problem.objective
        rank, least = [[costs[term] for term in order] for costs in (found, best)]
        if rank < least:
            raise Difference("the solver's plan is worse", f"{found} against {best}")
        self._compare_bounds(report, best)
        if report["status"] == "optimal":
            self.count("optimal")
            if rank != least:
                raise Difference("wrongly optimal", f"{found} against {best}")
        if report["stop_reason"] == "time_limit":
            self.count("stopped by the time limit")
        elif self.options.is_complete and not self.options.until_fits:
            if report["status"] != "optimal":
                self._count_unproven(rank == least)
            if order[0] == "spill" and found["spill"] != best["spill"]:
                raise Difference("spills more than needed", f"{found} against {best}")

    def _count_unproven(self, is_best: bool) -> None:
        has_choice = self.problem.has_pools
        self.count("unproven, best" if is_best else "unproven, not best")
        if self.options.engine == "exact" and not has_choice:
            raise Difference("exact search ends without a proof")

    def _compare_bounds(self, report: dict[str, Any], best: dict[str, int]) -> None:
        """The bounds of the peak in pools are for the assignment that was chosen."""
        if report["bound"] > report["lower_bound"]:
            raise Difference("the bound is above the lower bound", report)
        keys = [("spill", "spilled_lower_bound"), ("reuse", "reuse_cost_lower_bound")]
        keys.append(("moved", "moved_lower_bound"))
        if not self.problem.has_pools:
            keys.append(("peak", "lower_bound"))
        for term, key in keys:
            if report.get(key, 0) > best[term]:
                raise Difference(f"{key} is too high", f"{report[key]} above {best[term]}")

    # ------------------------------------------------------------ the verifier

    def check(self) -> None:
        """The verifier accepts the solver's plan, and judges a changed one as its meaning does."""
        if self.answer.layout is None or self.problem.contradicts():
            return
        self._check_layout(self.answer.layout)
        rng = random.Random(repr(self.answer.layout))
        offsets, pools = list(self.answer.layout.offsets), list(self.answer.layout.pools)
        changed = rng.randrange(len(offsets))
        offsets[changed] = max(0, offsets[changed] + rng.randint(-3, 3))
        if rng.random() < 0.2:
            pools[changed] = rng.randrange(len(self.problem.pools))
        self._check_layout(Layout(offsets, pools))

    def _check_layout(self, layout: Layout) -> None:
        document = _timed(dict(self.case.document, format="neap-plan"))
        items = [dict(item) for item in document["buffers"]]
        for item, buffer, at, pool in zip(
            items, self.problem.buffers, layout.offsets, layout.pools, strict=True
        ):
            item["offset"] = at
            item["alignment"] = buffer.alignment
            if self.options.replan:
                item.pop("fixed_offset", None)
            if self.problem.has_pools:
                item["pool"] = document["pools"][pool]["name"]
        document["buffers"] = items
        path = self.judge.folder / "checked.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        capacity = self.options.capacity
        limit = () if capacity is None else (f"--capacity={capacity}",)
        code, _, message = self.judge.neap("check", path, *limit)
        fault = meaning.fault(self.problem, layout, capacity)
        self.count("unsound plans" if fault else "sound plans")
        if (code == 0) != (fault == ""):
            raise Difference(
                "the verifier is wrong", f"{message or 'accepted'}; but {fault or 'sound'}: {layout}"
            )

    # ------------------------------------------------------------ explanations

    def explain(self) -> None:
        """Whether the problem fits; only of some cases, because it takes long."""
        given = [o for o in self.case.options if o.startswith(("--capacity", "--align", "--replan"))]
        if not (self.problem.has_pools or self.options.capacity is not None):
            return
        if random.Random(repr(self.problem)).random() < 0.8 or self.problem.contradicts():
            return
        code, text, message = self.judge.neap(
            "explain", self.source, *given, "--json", "--fixes=0", f"--time-limit={NEAP_LIMIT}"
        )
        self.count("explanations")
        if code == REFUSED:
            if self.answer.layout is not None:
                raise Difference("explain wrongly refuses", message)
            return
        verdict = json.loads(text)["verdict"]
        expected = "does_not_fit" if self.answer.layout is None else "fits"
        if verdict not in (expected, "unknown"):
            raise Difference("explain is wrong", f"{verdict}, expected {expected}")
