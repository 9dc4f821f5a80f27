# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs of operators, their order, and buffers that share bytes."""
import doctest
import os
from pathlib import Path

import neap
import pytest

SOURCE = Path(os.environ.get("NEAP_SOURCE", Path(__file__).parents[3]))


def chain() -> neap.Graph:
    graph = neap.Graph()
    graph.add_tensor("w", 16, is_input=True)
    graph.add_tensor("x", 4096)
    graph.add_tensor("y", 4096)
    graph.add_tensor("z", 1024, is_output=True)
    graph.add_operator("CONV", ["w"], ["x"])
    graph.add_operator("RELU", ["x"], ["y"], in_place=[(0, 0)])
    graph.add_operator("POOL", ["y"], [3], overlap=[(0, 0, 100)])
    return graph


def branches() -> neap.Graph:
    """Two branches, each of which begins large and ends small: one after the other is best."""
    graph = neap.Graph()
    graph.add_tensor("in", 10, is_input=True)
    for name, size in (("a1", 100), ("a2", 5), ("b1", 100), ("b2", 5), ("out", 10)):
        graph.add_tensor(name, size, is_output=name == "out")
    for source, target in (("in", "a1"), ("in", "b1"), ("a1", "a2"), ("b1", "b2")):
        graph.add_operator("OP", [source], [target])
    graph.add_operator("ADD", ["a2", "b2"], ["out"])
    return graph


def test_liveness_shares_what_it_may() -> None:
    assert chain().problem().bound == 8192
    assert chain().problem(in_place=True).bound == 5120
    assert chain().problem(in_place=True, overlap=True).lower_bound == 4096 + 100
    plan = neap.plan(chain().problem(in_place=True, overlap=True))
    assert plan.report.overlapped_bytes == 1024 - 100
    assert plan.peak == 4196


def test_the_order_is_searched_and_proven() -> None:
    graph = branches()
    assert graph.problem().bound == 210
    problem = graph.problem(schedule="optimal")
    assert problem.bound == 115
    report = neap.plan(problem).report
    assert report.is_scheduled
    assert (report.given_bound, report.order_lower_bound) == (210, 115)
    assert (report.order_status, report.order_saved_bytes) == ("optimal", 95)
    assert graph.problem().bound == 210  # the graph keeps its order


def skip() -> neap.Graph:
    """A tensor that is read again at the end."""
    graph = neap.Graph()
    for name, size in [("x", 1), ("a", 8), ("b", 2), ("c", 8), ("d", 2), ("y", 1)]:
        graph.add_tensor(name, size, is_input=name == "x", is_output=name == "y")
    for reads, makes in [("x", "a"), ("a", "b"), ("b", "c"), ("c", "d"), ("da", "y")]:
        graph.add_operator("op", list(reads), list(makes))
    return graph


def test_operators_run_again() -> None:
    graph = skip()
    assert graph.problem().bound == 18
    problem = graph.problem(recompute=True, capacity=11, max_ticks=10000)
    assert problem.bound == 11
    runs = [problem.buffers[operator.makes[0]].name for operator in problem.operators]
    assert runs == ["a", "b", "c", "d", "a#2", "y"]
    assert neap.plan(problem).peak == 11
    assert graph.problem(recompute=True, max_time=1.2, max_ticks=10000).bound == 11
    assert graph.problem(recompute=True, max_time=1.1, max_ticks=10000).bound == 18
    assert graph.operator_count == 5  # the graph keeps its operators


@pytest.mark.parametrize("process", [False, True])
def test_operators_of_files_run_again(tmp_path, process: bool) -> None:
    path = tmp_path / "skip.json"
    skip().save(path)
    limits = {"max_ticks": 10000, "process": process}
    plan = neap.plan(path, recompute=True, capacity=11, **limits)
    plan.verify(capacity=11)
    report = plan.report
    assert (plan.peak, report.capacity, len(plan.problem.operators)) == (11, 11, 6)
    assert (report.time, report.time_once, report.least_time, report.time_unit) == (6, 5, 6, "runs")
    lowest = neap.plan(path, recompute=True, max_time=1.2, **limits)
    assert (lowest.peak, lowest.report.time) == (11, 6)
    assert (lowest.report.order_status, lowest.report.capacity) == ("optimal", None)
    assert neap.plan(path, recompute=True, max_time=1.1, **limits).peak == 18
    plain = neap.plan(path, capacity=18, process=process)
    assert (plain.peak, plain.report.time, plain.report.time_unit) == (18, None, None)
    with pytest.raises(neap.Infeasible):  # y and both of its inputs
        neap.plan(path, recompute=True, capacity=10, **limits)


def test_operators_have_durations() -> None:
    graph = neap.Graph()
    for name, size in [("x", 1), ("a", 8), ("b", 2), ("c", 8), ("d", 2), ("y", 1)]:
        graph.add_tensor(name, size, is_input=name == "x", is_output=name == "y")
    for reads, makes, duration in [("x", "a", 3), ("a", "b", 5), ("b", "c", None), ("c", "d", 7)]:
        graph.add_operator("op", [reads], [makes], duration=duration)
    graph.add_operator("op", ["d", "a"], ["y"], duration=4)
    problem = graph.problem(recompute=True, capacity=11, max_ticks=10000)
    report = neap.plan(problem).report
    assert (report.time, report.time_once, report.least_time) == (23, 20, 23)
    assert report.time_unit == "given"
    for duration in (-1, 2**53 + 1, 2**64, 1.5, "3"):
        with pytest.raises(neap.Error):
            graph.add_operator("op", ["d"], ["y"], duration=duration)
    assert graph.operator_count == 5


def test_files_are_read_with_operators_that_run_again(tmp_path) -> None:
    skip().save(tmp_path / "skip.json")
    problem = neap.read(tmp_path / "skip.json", recompute=True, capacity=11, max_ticks=10000)
    assert (problem.bound, len(problem.operators)) == (11, 6)
    assert neap.read(tmp_path / "skip.json").bound == 18


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"recompute": True},
        {"max_time": 1.2},
        {"recompute": True, "max_time": 0.9},
        {"recompute": True, "max_time": 11},
    ],
)
def test_recomputation_of_files_needs_a_limit(tmp_path, options, process) -> None:
    skip().save(tmp_path / "skip.json")
    with pytest.raises(neap.ArgumentError):
        neap.plan(tmp_path / "skip.json", process=process, **options)


@pytest.mark.parametrize("process", [False, True])
def test_a_problem_has_no_operators_to_run_again(process) -> None:
    with pytest.raises(neap.ArgumentError, match="recompute"):
        neap.plan(skip().problem(), recompute=True, capacity=11, process=process)


def test_the_times_of_a_model_count_its_work() -> None:
    model = SOURCE / "tests/fuzz/corpus/onnx/skip.onnx"
    report = neap.plan(model, recompute=True, max_time=1, max_ticks=1000).report
    assert (report.time, report.time_once, report.time_unit) == (130, 130, "work")


@pytest.mark.parametrize(
    "options",
    [
        {"recompute": True},
        {"capacity": 11},
        {"recompute": True, "max_time": 0.9},
        {"recompute": True, "max_time": "2"},
        {"recompute": 2, "capacity": 11},
    ],
)
def test_recomputation_needs_a_limit(options) -> None:
    with pytest.raises(neap.ArgumentError):
        skip().problem(**options)


def test_a_file_is_read_in_a_better_order(tmp_path) -> None:
    branches().save(tmp_path / "graph.json")
    assert neap.read(tmp_path / "graph.json").bound == 210
    assert neap.read(tmp_path / "graph.json", schedule="optimal").bound == 115
    assert neap.plan(tmp_path / "graph.json", schedule="optimal").peak == 115
    there = neap.plan(tmp_path / "graph.json", schedule="optimal", process=True)
    assert (there.peak, there.report.order_status) == (115, "optimal")
    graph = neap.read_graph(tmp_path / "graph.json")
    assert graph.operators == branches().operators
    assert repr(graph) == "<neap.Graph: 5 operators, 6 tensors>"


def test_parts_need_no_copies(tmp_path) -> None:
    graph = neap.Graph()
    graph.add_tensor("x", 64, is_input=True)
    for name, size in (("a", 64), ("b", 64), ("c", 128)):
        graph.add_tensor(name, size, is_output=name == "c")
    graph.add_operator("OP", ["x"], ["a"])
    graph.add_operator("OP", ["x"], ["b"])
    graph.add_operator("CONCAT", ["a", "b"], ["c"], concat=[(0, 0, 0), (1, 0, 64)])
    assert graph.problem(no_inputs=True).bound == 256
    assert graph.problem(no_inputs=True, aliases=["concat"]).bound == 128
    graph.save(tmp_path / "graph.json")
    assert neap.read(tmp_path / "graph.json", no_inputs=True, aliases=["concat"]).bound == 128


def test_an_output_is_an_input_of_the_next_run() -> None:
    graph = neap.Graph()
    graph.add_tensor("h", 64, is_input=True)
    graph.add_tensor("a", 32)
    graph.add_tensor("g", 64, is_output=True)
    graph.add_operator("Cell", ["h"], ["a"])
    graph.add_operator("Gate", ["a"], ["g"])
    with pytest.raises(neap.InputError, match="not from 'h' to 'g'"):
        graph.add_state("h", "g")
    graph.add_state("g", "h")
    plan = neap.plan(graph.problem())
    assert plan.offset("h") == plan.offset("g")


def test_networks_are_generated() -> None:
    graph = neap.Graph.generate("nasnet-a-cifar")
    assert graph.operator_count > 100
    assert graph.copy().operators == graph.operators
    with pytest.raises(neap.ArgumentError):
        neap.Graph.generate("no-such-network")


def test_bad_graphs_are_rejected() -> None:
    graph = chain()
    with pytest.raises(neap.InputError):
        graph.add_tensor("x", 1)
    with pytest.raises(neap.ArgumentError, match="'unknown'"):
        graph.add_operator("OP", ["unknown"])
    with pytest.raises(neap.ArgumentError, match="99"):
        graph.add_operator("OP", [99])
    assert graph.operator_count == 3
    with pytest.raises(neap.ArgumentError, match="kind"):
        graph.add_tensor("w", 1, kind="weights")
    with pytest.raises(neap.ArgumentError, match="schedule"):
        graph.problem(schedule="best")
    with pytest.raises(neap.ArgumentError, match="aliases"):
        graph.problem(aliases="concat")
    with pytest.raises(TypeError):
        graph.problem(no_such=True)


def test_warnings_are_python_warnings(tmp_path) -> None:
    path = tmp_path / "extra.csv"
    path.write_text("id,lower,upper,size,colour\na,0,2,8,red\n")
    with pytest.warns(UserWarning, match="colour"):
        neap.read(path)


def test_examples_in_docstrings_work(tmp_path, monkeypatch) -> None:
    (tmp_path / "examples").symlink_to((SOURCE / "examples").resolve())
    monkeypatch.chdir(tmp_path)
    modules = (neap, neap.graph, neap.models)
    results = [doctest.testmod(module, extraglobs={"neap": neap}) for module in modules]
    assert all(result.attempted > 0 and result.failed == 0 for result in results)
