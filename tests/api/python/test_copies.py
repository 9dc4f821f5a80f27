# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of objects, with copy and pickle."""
import copy
import multiprocessing
import pickle

import neap
import pytest
from test_problem import every_kind

ERRORS = (
    neap.ArgumentError,
    neap.FileError,
    neap.FormatError,
    neap.Infeasible,
    neap.InputError,
    neap.NoPlan,
    neap.OutOfMemoryError,
    neap.UnsoundError,
)


def through_pickle(item):
    return pickle.loads(pickle.dumps(item))


copies = pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, neap.Problem.copy, through_pickle]
)


@copies
@pytest.mark.parametrize("use", [len, lambda problem: problem.bound, lambda problem: None])
def test_copies_of_problems_change_on_their_own(duplicate, use) -> None:
    problem = every_kind()
    use(problem)
    copied = duplicate(problem)
    assert copied.to_json() == problem.to_json()
    copied.add(8, 0, 1, "more")
    copied.relate("separation", "more", "a")
    copied.reserve(0, 1)
    copied.add_pool("flash")
    copied.add_operator("ADD")
    assert (len(problem), len(copied)) == (5, 6)
    assert problem.to_json() == every_kind().to_json()
    assert copied.index("more") == 5 and copied.to_json() != problem.to_json()


@copies
def test_copies_keep_what_is_missing(duplicate, tmp_path) -> None:
    (tmp_path / "part.json").write_text(
        '{"format": "neap-problem", "version": 1, "missing": ["a body"], "buffers": []}'
    )
    copied = duplicate(neap.read(tmp_path / "part.json"))
    assert neap.plan(copied).status == "feasible"
    copied.add(8, 0, 1)
    assert list(copied.missing) == ["a body"]
    assert neap.plan(copied).status == "feasible"


@copies
def test_copies_of_arrays_have_memory_of_their_own(duplicate) -> None:
    numpy = pytest.importorskip("numpy")
    sizes = numpy.array([10, 20])
    problem = neap.Problem.from_arrays([0, 0], [1, 1], sizes, [4, 4], ["x", "y"])
    copied = duplicate(problem)
    sizes[0] = 1000
    assert copied.bound == 30 and copied.index("y") == 1


@copies
def test_a_problem_that_was_read_is_copied(duplicate, tmp_path) -> None:
    every_kind().save(tmp_path / "problem.json")
    problem = neap.read(tmp_path / "problem.json")
    assert duplicate(problem).to_json() == problem.to_json()
    planned = neap.plan(problem).problem
    assert duplicate(planned).buffers == problem.buffers


def test_arrays_are_free_once_they_are_planned() -> None:
    numpy = pytest.importorskip("numpy")
    sizes = numpy.array([10, 20])
    problem = neap.Problem.from_arrays([0, 0], [1, 1], sizes)
    assert neap.plan(problem).peak == 30
    sizes[0] = 1000
    assert [buffer.size for buffer in problem.buffers] == [10, 20]
    problem.add(1, 0, 1)
    assert neap.plan(problem).peak == 31


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, through_pickle])
def test_errors_are_copied(kind, duplicate) -> None:
    copied = duplicate(kind("text", "file", 3, 5))
    assert type(copied) is kind and str(copied) == "file:3:5: text"
    assert (copied.text, copied.source, copied.line, copied.column) == ("text", "file", 3, 5)


def test_small_objects_are_copied() -> None:
    plan = neap.plan(every_kind())
    for item in (*plan.problem.buffers, *plan.problem.pools, *plan.problem.relations, plan.report):
        assert copy.deepcopy(item) == through_pickle(item) == item
    for item in (*plan.rounds, *plan.pool_reports, *plan.problem.reserved):
        assert copy.copy(item) == through_pickle(item) == item
    assert copy.deepcopy(plan.offsets) == through_pickle(plan.offsets) == plan.offsets


def test_plans_and_graphs_say_that_they_cannot_be_pickled() -> None:
    plan, graph = neap.plan(every_kind()), neap.Graph.generate("nasnet-a-cifar")
    assert copy.copy(plan) is copy.deepcopy(plan) is plan
    for item in (plan, graph):
        with pytest.raises(TypeError, match="cannot be pickled; use"):
            pickle.dumps(item)
    for copied in (copy.copy(graph), copy.deepcopy(graph)):
        copied.add_tensor("more", 8)
        assert copied.tensor_count == graph.tensor_count + 1


def offsets_of(problem: neap.Problem) -> neap.Offsets:
    return neap.plan(problem).offsets


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_problems_go_to_other_processes(method) -> None:
    problems = [every_kind(), neap.Problem.from_arrays([0, 0], [1, 1], [8, 4])]
    here = [offsets_of(problem) for problem in problems]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(offsets_of, problems) == here
