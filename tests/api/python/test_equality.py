# SPDX-License-Identifier: GPL-3.0-or-later
"""Random problems: library and process agree, and files that were written are read back unchanged."""
import dataclasses
import json
import os

import neap
import pytest
from random_problems import random_problem

COUNT = 1000 if os.environ.get("NEAP_LONG") else 40
GROUPS = 4
LISTS = ("buffers", "pools", "relations", "reserved", "operators", "objective")

in_groups = pytest.mark.parametrize("seeds", [range(k, COUNT, GROUPS) for k in range(GROUPS)])


def planned(problem: neap.Problem, process: bool) -> object:
    """A plan, or why there is none."""
    try:
        return neap.plan(problem, max_ticks=2000, seed=3, process=process)
    except neap.Error as error:
        return type(error)


def without_times(plan: neap.Plan) -> dict:
    document = json.loads(plan.to_json())
    document["report"].pop("seconds", None)
    return document


def check_plans(here: neap.Plan, there: neap.Plan) -> None:
    assert here.offsets == there.offsets
    assert here.pools == there.pools
    assert here.pool_reports == there.pool_reports
    assert here.rounds == there.rounds
    reports = [dataclasses.replace(plan.report, seconds=0) for plan in (here, there)]
    assert reports[0] == reports[1]
    assert without_times(here) == without_times(there)
    for plan in (here, there):
        plan.verify()
    for name in LISTS[:2] + LISTS[3:]:
        assert getattr(here.problem, name) == getattr(there.problem, name)
    # The document groups relations by kind.
    assert sorted(here.problem.relations, key=repr) == sorted(there.problem.relations, key=repr)


@in_groups
def test_a_process_plans_like_the_library(seeds) -> None:
    for seed in seeds:
        problem = random_problem(seed)
        here, there = planned(problem, False), planned(problem, True)
        if isinstance(here, neap.Plan) and isinstance(there, neap.Plan):
            check_plans(here, there)
        else:
            assert here == there, seed


@in_groups
def test_documents_bring_problems_back(seeds, tmp_path) -> None:
    path = tmp_path / "problem.json"
    for seed in seeds:
        problem = random_problem(seed)
        try:
            problem.check()
        except neap.InputError:
            continue
        problem.save(path)
        read = neap.read(path)
        assert read.to_json() == problem.to_json() == path.read_text(encoding="utf-8")
        assert sorted(read.relations, key=repr) == sorted(problem.relations, key=repr)
        for name in ("pools", "reserved", "operators", "objective"):
            assert getattr(read, name) == getattr(problem, name)
        assert (read.bound, read.lower_bound) == (problem.bound, problem.lower_bound)


def pool_names(plan: neap.Plan) -> list:
    """Tables list pools as they appear."""
    pools = plan.problem.pools
    return [pools[index].name if pools else "" for index in plan.pools]


@pytest.mark.parametrize("process", [False, True])
def test_plans_are_read_from_every_format_that_has_them(process, tmp_path) -> None:
    """A format that cannot represent a plan is refused, rather than written incompletely."""
    written = 0
    for seed in range(COUNT // 2):
        plan = planned(random_problem(seed), process)
        if not isinstance(plan, neap.Plan):
            continue
        for name in ("plan.json", "plan.csv"):
            path = tmp_path / name
            try:
                plan.save(path)
            except neap.FormatError:
                continue
            except neap.InputError:
                assert process  # the program has no exit status of its own for it
                continue
            read = neap.read_plan(path)
            assert read.offsets == plan.offsets and read.peak == plan.peak
            assert pool_names(read) == pool_names(plan)
            read.verify()
            written += 1
    assert written > COUNT // 4
