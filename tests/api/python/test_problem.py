# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems: their parts are planned, listed, saved and read."""
from array import array
from pathlib import Path
from unittest import mock

import neap
import pytest


def every_kind() -> neap.Problem:
    """A problem that has everything that a problem can have."""
    problem = neap.Problem()
    problem.add_pool("sram", capacity=4096, alignment=16, base=0x20000000)
    problem.add_pool("dram", cost=5)
    problem.add(100, 0, 4, "a", alignment=8, fixed_offset=64, pools=["sram"])
    problem.add(200, ranges=[(0, 2), (6, 8)], name="b", hint="twice", pools=["sram", "dram"])
    problem.add(300, 1, 3, "c", window=(0, 2048), bank=1024, shape=[3, -1, 100], dtype="int8")
    problem.add(64, 3, 9, "d", near=128, move_cost=7)
    problem.add(32, 4, 5, "e")
    problem.relate("separation", "a", "e", reason="DMA")
    problem.relate("exclusion", "b", "d")
    problem.relate("reuse_penalty", "d", "e", 9)
    problem.reserve(1024, 1040, start=2, end=3, pool="dram")
    problem.set_objective(["peak", "spill"])
    problem.add_operator("CONV_2D", ["a"], ["b", 2], name="block1/conv")
    problem.add_operator()
    return problem


def test_buffers_are_added_and_listed() -> None:
    problem = neap.Problem()
    assert problem.add(10, 0, 2) == 0
    assert problem.add(20, 1, 3, "x", alignment=16) == 1
    assert len(problem) == 2
    assert [buffer.name for buffer in problem.buffers] == ["0", "x"]
    assert problem.buffers[1] == neap.Buffer("x", 20, ((1, 3),), alignment=16)
    assert (problem.buffers[1].start, problem.buffers[1].end) == (1, 3)
    assert problem.index("x") == 1
    assert problem.bound == 30
    assert problem.lower_bound >= 30


def test_the_library_has_what_was_added() -> None:
    problem = every_kind()
    listed = neap.plan(problem).problem
    assert listed.buffers == problem.buffers
    assert listed.pools == problem.pools
    assert listed.relations == problem.relations
    assert listed.reserved == problem.reserved
    assert listed.operators == problem.operators
    assert listed.objective == problem.objective == ("peak", "spill", "reuse", "moved")


def test_a_saved_problem_is_read_again(tmp_path) -> None:
    problem = every_kind()
    problem.save(tmp_path / "problem.json")
    read = neap.read(tmp_path / "problem.json")
    assert read.buffers == problem.buffers
    assert read.relations == problem.relations
    assert read.operators == problem.operators
    assert read.to_json() == problem.to_json()


def test_operators_are_added_and_listed() -> None:
    problem = every_kind()
    assert problem.add_operator("ADD", makes=["e"]) == 2
    assert problem.operators == (
        neap.Operator("CONV_2D", (0,), (1, 2), "block1/conv"),
        neap.Operator(""),
        neap.Operator("ADD", makes=(4,)),
    )


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize(
    "given, words",
    [(dict(reads=[0, 0]), "twice"), (dict(makes=[1, 7]), "there is no buffer 7")],
)
def test_bad_operators_are_named(process, given, words) -> None:
    problem = neap.Problem()
    problem.add(10, 0, 2)
    problem.add(10, 0, 2)
    problem.add_operator("ADD", [0], [1])
    problem.add_operator("MUL", **given)
    with pytest.raises(neap.InputError, match=words):
        neap.plan(problem, process=process)


@pytest.mark.parametrize("process", [False, True])
def test_operators_after_the_last_buffer_are_kept(process) -> None:
    problem = neap.Problem()
    problem.add(10, 0, 2, "x")
    for kind in ("MAKE", "USE", "PRINT", "PRINT"):
        problem.add_operator(kind)
    plan = neap.plan(problem, process=process)
    assert [operator.type for operator in plan.problem.operators] == ["MAKE", "USE"] + ["PRINT"] * 2
    assert plan.problem.operators == neap.plan(plan.problem).problem.operators


@pytest.mark.parametrize("process", [False, True])
def test_operators_of_a_graph_are_listed_and_survive_changes(process, tmp_path) -> None:
    graph = neap.Graph()
    graph.add_tensor("x", 64, is_input=True)
    graph.add_tensor("y", 64, shape=[1, 4, 4], dtype="float32")
    graph.add_tensor("z", 64, is_output=True)
    graph.add_operator("CONV_2D", ["x"], ["y"], label="block1/conv")
    graph.add_operator("RELU", ["y"], ["z"], in_place=[(0, 0)])
    graph.save(tmp_path / "graph.json")
    problem = neap.plan(tmp_path / "graph.json", process=process).problem
    operators = (
        neap.Operator("CONV_2D", (0,), (1,), "block1/conv"),
        neap.Operator("RELU", (1,), (2,)),
    )
    assert problem.operators == operators
    assert (problem.buffers[1].shape, problem.buffers[1].dtype) == ((1, 4, 4), "float32")
    problem.add(8, 0, 1, "more")
    assert neap.plan(problem, process=process).problem.operators == operators


def test_buffers_can_be_added_to_a_problem_that_was_planned() -> None:
    problem = neap.Problem()
    problem.add(10, 0, 2)
    first = neap.plan(problem)
    problem.add(20, 0, 2)
    second = neap.plan(problem)
    assert (first.peak, second.peak) == (10, 30)
    assert (len(first.problem), len(second.problem)) == (1, 2)


def test_buffers_can_be_added_to_a_problem_that_was_read(tmp_path) -> None:
    every_kind().save(tmp_path / "problem.json")
    problem = neap.read(tmp_path / "problem.json")
    problem.add(16, 0, 9, "late")
    assert len(problem) == 6
    assert [pool.name for pool in problem.pools] == ["sram", "dram"]
    neap.plan(problem).verify()


@pytest.mark.parametrize("make", [list, lambda values: array("q", values)])
def test_arrays_are_columns(make) -> None:
    problem = neap.Problem.from_arrays(make([0, 1]), make([2, 3]), make([10, 20]), make([1, 4]))
    assert len(problem) == 2
    assert problem.bound == 30
    assert problem.buffers[1] == neap.Buffer("1", 20, ((1, 3),), alignment=4)


def test_arrays_may_have_names() -> None:
    problem = neap.Problem.from_arrays([0], [1], [10], names=["x"])
    assert problem.index("x") == 0
    assert neap.plan(problem).problem.buffers[0].name == "x"


def test_numpy_arrays_are_used_in_place() -> None:
    numpy = pytest.importorskip("numpy")
    starts, ends, sizes = (numpy.array(values) for values in ([0, 1], [2, 3], [10, 20]))
    problem = neap.Problem.from_arrays(starts, ends, sizes)
    sizes[0] = 50  # before it is planned: a copy would not notice
    offsets = numpy.asarray(neap.plan(problem).offsets)
    assert problem.bound == 70
    assert offsets.dtype == numpy.int64
    assert sorted(offsets) in ([0, 20], [0, 50])
    assert not offsets.flags.writeable and not offsets.flags.owndata


def test_other_types_of_numpy_are_converted() -> None:
    numpy = pytest.importorskip("numpy")
    columns = [numpy.array(values, dtype) for values, dtype in zip(([0], [2], [9]), "iHL")]
    assert neap.Problem.from_arrays(*columns).bound == 9
    assert neap.Problem.from_arrays(*(numpy.array([[v, 7]]).T[0] for v in (0, 2, 9))).bound == 9


def test_offsets_outlive_their_plan() -> None:
    numpy = pytest.importorskip("numpy")
    offsets = numpy.asarray(neap.pack([0, 0], [1, 1], [8, 4]))
    assert sorted(offsets) in ([0, 4], [0, 8])


@pytest.mark.parametrize(
    "add, words",
    [
        (dict(size=-1, start=0, end=1), "size"),
        (dict(size=1, start=1, end=1, name="empty"), "empty"),
        (dict(size=1, start=0, end=1, alignment=0), "alignment"),
        (dict(size=1, start=0, end=1, name=""), "name"),
        (dict(size=1, start=0, end=1, name="first"), "duplicate name 'first', which buffer 0 has"),
        (dict(size=1, start=-1, end=1), "start"),
        (dict(size=1, ranges=[]), "never alive"),
        (dict(size=1, ranges=[(0, 2), (1, 3)]), "must ascend"),
        (dict(size=1, start=0, end=1, alignment=4, fixed_offset=6), "multiple of the alignment"),
        (dict(size=8, start=0, end=1, window=(4, 10)), "smaller than"),
        (dict(size=8, start=0, end=1, window=(9, 4)), "begins at 0 or more"),
        (dict(size=8, start=0, end=1, window=(0, 16), fixed_offset=9), "outside the window"),
        (dict(size=8, start=0, end=1, bank=-1), "bank of 0 or more"),
        (dict(size=8, start=0, end=1, bank=4), "do not fit into a bank"),
        (dict(size=8, start=0, end=1, bank=16, fixed_offset=12), "crosses banks"),
        (dict(size=8, start=0, end=1, shape=[-2]), "dimension"),
        (dict(size=8, start=0, end=1, shape=[1] * 1025), "1024 dimensions"),
    ],
)
def test_bad_buffers_are_rejected_and_the_problem_stays_usable(add, words) -> None:
    """The library, which checks again, agrees."""
    problem = neap.Problem()
    problem.add(8, 0, 2, "first")
    with pytest.raises(neap.ArgumentError, match=words):
        problem.add(**add)
    assert neap.plan(problem).peak == 8
    with mock.patch("_neap.faults.find", lambda buffer: None):
        with mock.patch.object(neap.Problem, "_find", lambda problem, name: None):
            problem.add(**add)
    with pytest.raises(neap.InputError, match=words.partition(",")[0]):
        problem.check()


@pytest.mark.parametrize(
    "arguments",
    [
        dict(size="x", start=0, end=1),
        dict(size=1.5, start=0, end=1),
        dict(size=2**63, start=0, end=1),
        dict(size=1, start=0),
        dict(size=1, start=0, end=1, ranges=[(0, 1)]),
        dict(size=1, ranges=[(0, 1, 2)]),
        dict(size=1, start=0, end=1, pools=["none"]),
        dict(size=1, start=0, end=1, fixed_offset=-8),
        dict(size=1, start=0, end=1, near=-1),
    ],
)
def test_bad_arguments_are_rejected_at_once(arguments) -> None:
    problem = neap.Problem()
    with pytest.raises(neap.ArgumentError):
        problem.add(**arguments)
    assert len(problem) == 0


def test_bad_relations_and_columns_are_rejected() -> None:
    problem = neap.Problem()
    problem.add(1, 0, 1, "a")
    with pytest.raises(neap.ArgumentError, match="expected one of"):
        problem.relate("friendship", 0, 0)
    with pytest.raises(neap.ArgumentError, match="'b'"):
        problem.relate("separation", "a", "b")
    with pytest.raises(neap.ArgumentError, match="ends has 2 items"):
        neap.Problem.from_arrays([0], [1, 2], [3])
    with pytest.raises(neap.ArgumentError, match="sizes"):
        neap.Problem.from_arrays([0], [1], [2**64])
    with pytest.raises(neap.ArgumentError, match="no buffer 5"):
        problem.relate("separation", 0, 5)
    with pytest.raises(neap.ArgumentError, match="itself"):
        problem.relate("separation", 0, "a")
    problem.check()


def test_names_for_c_have_no_nul() -> None:
    with pytest.raises(neap.ArgumentError, match="NUL"):
        neap.Problem().add(1, 0, 1, "a\0b")
    with pytest.raises(neap.ArgumentError, match="NUL"):
        neap.Problem.from_arrays([0], [1], [1], names=["a\0b"])


def test_messages_name_arguments(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("id,lower,upper,size\na,0,1,1\n")
    with pytest.raises(neap.ArgumentError, match="csv: dimensions needs a model"):
        neap.read(table, dimensions={"batch": 1})
    with pytest.raises(neap.ArgumentError, match="csv: schedule needs a graph"):
        neap.read(table, schedule="optimal")


def test_an_empty_problem_is_planned() -> None:
    plan = neap.plan(neap.Problem())
    assert (plan.peak, plan.offsets, plan.status) == (0, [], "optimal")
    assert repr(neap.Problem()) == "<neap.Problem: 0 buffers>"


def test_loops_over_lists_make_no_copies() -> None:
    problem = every_kind()
    for name in ("buffers", "pools", "relations", "reserved"):
        assert getattr(problem, name) is getattr(problem, name)
    problem.add(8, 0, 1, "late")
    problem.relate("separation", "late", "a")
    problem.add_pool("late")
    problem.reserve(0, 1)
    assert problem.buffers[-1].name == problem.pools[-1].name == "late"
    assert (len(problem.relations), len(problem.reserved)) == (4, 2)


def test_names_are_found_without_a_list_of_all_buffers() -> None:
    plan = neap.plan(every_kind())
    assert plan.problem.index("d") == 3 and plan.offset("a") == 64
    assert plan.problem._buffers is None
    with pytest.raises(neap.ArgumentError, match="no buffer 'x'"):
        plan.offset("x")


@pytest.mark.parametrize("names, words", [(None, "buffer 1, '1'"), (["a", "b"], "buffer 1, 'b'")])
def test_bad_items_of_arrays_are_named(names, words) -> None:
    problem = neap.Problem.from_arrays([0, 0], [1, 1], [8, -8], names=names)
    with pytest.raises(neap.InputError, match=f"^{words}: .*size"):
        problem.check()


@pytest.mark.parametrize("dtype", [">i8", "<u8", "i2", "u1"])
def test_arrays_of_any_layout_are_read(dtype) -> None:
    numpy = pytest.importorskip("numpy")
    sizes = numpy.array([10, 99, 20, 99, 30], dtype)[::2]
    sizes.setflags(write=False)
    for given in (sizes, sizes[::-1]):
        assert neap.Problem.from_arrays(numpy.zeros(3, "q"), numpy.ones(3, "q"), given).bound == 60
    empty = numpy.array([], "q")
    assert neap.plan(neap.Problem.from_arrays(empty, empty, empty)).offsets == []


def test_shapes_and_types_are_kept() -> None:
    problem = neap.Problem()
    problem.add(4, 0, 1, "scalar", shape=[], dtype="float32")
    problem.add(4, 0, 1, "plain")
    problem.add(8, 0, 1, "vector", shape=[2, -1])
    assert [(item.shape, item.dtype) for item in problem.buffers] == [((), "float32"), (None, None), ((2, -1), None)]
    plan = neap.plan(problem)
    assert '"shape": [2, -1]' in plan.to_json()
