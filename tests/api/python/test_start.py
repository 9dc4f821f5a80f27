# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for an order begins with that of an earlier plan."""
import random
from pathlib import Path

import neap
import pytest
from test_graph import branches, skip

BEST = [0, 2, 1, 3, 4]  # one branch of branches() after the other


def layered(seed: int, count: int = 100) -> neap.Graph:
    """A random graph in which a short search misses the best order."""
    dice = random.Random(seed)
    graph = neap.Graph()
    graph.add_tensor("x", 1, is_input=True)
    for index in range(count):
        graph.add_tensor(str(index), dice.randint(1, 20), is_output=index == count - 1)
    for index in range(count):
        low, most = max(0, index - 40), dice.randint(1, 2)
        earlier = {str(dice.randint(low, index - 1)) for _ in range(most) if index > 3}
        graph.add_operator("OP", sorted(earlier) or ["x"], [str(index)])
    return graph


@pytest.fixture(name="path")
def saved(tmp_path) -> Path:
    branches().save(tmp_path / "branches.json")
    return tmp_path / "branches.json"


def test_a_search_is_no_worse_than_its_start() -> None:
    lower = 0
    for seed in (0, 2, 4):
        graph = layered(seed)
        best = graph.problem(schedule="optimal", max_ticks=5000)
        plain = graph.problem(schedule="min-peak")
        started = graph.problem(schedule="min-peak", start=neap.plan(best))
        assert started.bound <= min(best.bound, plain.bound)
        assert graph.problem(schedule="min-peak", start=best).bound == started.bound
        lower += plain.bound - started.bound
    assert lower > 0  # otherwise this shows nothing


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize("made_by_process", [False, True])
def test_a_file_begins_with_a_plan(path, process, made_by_process) -> None:
    earlier = neap.plan(path, schedule="optimal", process=made_by_process)
    earlier.save(path.with_name("earlier.json"))
    starts = [earlier, path.with_name("earlier.json"), str(path.with_name("earlier.json")), BEST]
    for start in starts + [tuple(BEST), range(5), None]:
        plan = neap.plan(path, schedule="min-peak", start=start, process=process)
        assert (plan.peak, plan.report.order_saved_bytes) == (115, 95)
        plan.verify()
    assert neap.read(path, schedule="optimal", start=earlier).bound == 115


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize(
    "start, words",
    [
        ([], "0 operators"),
        ([0, 1, 2, 3], "4 operators|one of 4 operators"),
        ([0, 1, 2, 3, 3], "twice"),
        ([0, 1, 2, 3, 5], "no such operator|one of 5 operators"),
        ([4, 0, 1, 2, 3], "operator 4 before operator"),
    ],
)
def test_what_is_no_order_is_refused(path, start, words, process) -> None:
    with pytest.raises(neap.InputError, match=words):
        neap.plan(path, schedule="optimal", start=start, process=process)


@pytest.mark.parametrize("process", [False, True])
def test_a_start_needs_an_order_and_a_search(path, process) -> None:
    given = neap.plan(path, process=process)
    given.save(path.with_name("given.json"))
    optimal = {"schedule": "optimal", "process": process}
    with pytest.raises(neap.ArgumentError, match="no order of operators"):
        neap.plan(path, start=given, **optimal)
    with pytest.raises(neap.InputError, match="no order of operators"):
        neap.plan(path, start=path.with_name("given.json"), **optimal)
    with pytest.raises(neap.FileError):
        neap.plan(path, start="missing.json", **optimal)
    for schedule in ({}, {"schedule": "keep"}, {"schedule": "depth-first"}):
        with pytest.raises(neap.ArgumentError, match="start needs a schedule"):
            neap.plan(path, start=BEST, process=process, **schedule)
    with pytest.raises(neap.ArgumentError, match="run once"):
        neap.plan(path, start=BEST, recompute=True, capacity=115, **optimal)
    with pytest.raises(neap.ArgumentError, match="start is for files"):
        neap.plan(branches().problem(), start=BEST, process=process)


def test_plans_of_other_graphs_are_refused() -> None:
    assert branches().problem(schedule="optimal", start=BEST).bound == 115
    with pytest.raises(neap.InputError, match="depends on"):
        skip().problem(schedule="optimal", start=branches().problem(schedule="optimal"))
    with pytest.raises(neap.InputError, match="100"):
        branches().problem(schedule="optimal", start=layered(1).problem(schedule="min-peak"))
    again = skip().problem(schedule="optimal", recompute=True, capacity=11, max_ticks=10000)
    with pytest.raises(neap.InputError, match="6 operators"):
        skip().problem(schedule="optimal", start=again)


@pytest.mark.parametrize("start", [5, b"01234", object(), [0.5], ["a"], [-1], [2**64], branches()])
def test_other_starts_are_no_arguments(path, start) -> None:
    for process in (False, True):
        with pytest.raises(neap.ArgumentError, match="start"):
            neap.plan(path, schedule="optimal", start=start, process=process)
    with pytest.raises(neap.ArgumentError, match="start"):
        branches().problem(schedule="optimal", start=start)
