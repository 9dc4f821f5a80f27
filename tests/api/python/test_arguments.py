# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong arguments of any kind raise an error of neap, TypeError or ValueError."""
import os
from decimal import Decimal

import neap
import pytest
from random_problems import tries

ALLOWED = (neap.Error, TypeError, ValueError)
# How cffi and other parts below complain.
OBSCURE = (
    "can't convert",
    "initializer for",
    "does not fit",
    "cdata",
    "ctype",
    "attribute",
    "codec",
)


def odd_values() -> list:
    """Values that are seldom right.  Iterators are new for every call."""
    values = [
        None,
        True,
        False,
        -1,
        0,
        1,
        2**63,
        -(2**70),
        10**400,
        1.5,
        float("nan"),
        float("inf"),
    ]
    values += ["", "x", "auto", "\ud800", "a\0b", "é" * 5000, b"x", b"12345678", bytearray(8)]
    values += [[], (), {}, set(), [1], [None], ["x"], [(0, 1)], [(0, -1)], (0, 1), (0, 1, 2)]
    values += [[("a", "b")], {"a": 1}, {1: "a"}, object(), int, print, 1j, Decimal(1), range(3)]
    values += [iter([1]), (x for x in [1]), memoryview(b"12345678")]
    try:
        import numpy
    except ImportError:
        return values
    scalars = [numpy.int32(4), numpy.uint64(2**64 - 1), numpy.float32(0.5), numpy.bool_(True)]
    arrays = [numpy.array([1]), numpy.array(3), numpy.array([]), numpy.ones((2, 2), "q")]
    return values + scalars + arrays


def small() -> neap.Problem:
    problem = neap.Problem()
    problem.add(8, 0, 2, "a")
    problem.add(8, 1, 3, "b")
    problem.add_pool("sram", capacity=99)
    return problem


def graph() -> neap.Graph:
    made = neap.Graph()
    made.add_tensor("x", 64, is_input=True)
    made.add_tensor("y", 64, is_output=True)
    made.add_operator("RELU", ["x"], ["y"])
    return made


def changed(change) -> None:
    """Changes a problem and uses it; a change that is refused immediately leaves it unchanged."""
    problem = small()
    before = problem.to_json()
    try:
        change(problem)
    except ALLOWED:
        assert problem.to_json() == before
        raise
    problem.check()


READING = (
    "schedule time_limit max_ticks memory_limit in_place overlap aliases keep keep_all no_inputs "
    "no_outputs format replan dimensions alignment target variables place_all scratch dot_size "
    "dot_order columns inclusive conflicts start"
)
PLANNING = "engine capacity seed max_ticks threads order place keep_layouts group_overlap until_fits"
SAVING = "path format name colour_by prefix model replace other"

# A call, its valid arguments, and the arguments to replace by odd values.
CALLS = {
    "add": (
        lambda **given: changed(lambda problem: problem.add(**given)),
        dict(size=1, start=0, end=1),
        "size start end name alignment fixed_offset hint window bank pools near move_cost shape dtype",
    ),
    "ranges": (lambda **given: changed(lambda p: p.add(**given)), dict(size=1), "ranges"),
    "add_pool": (
        lambda **given: changed(lambda problem: problem.add_pool(**given)),
        dict(name="dram"),
        "name capacity alignment base cost",
    ),
    "relate": (
        lambda **given: changed(lambda problem: problem.relate(**given)),
        dict(kind="overlap", first=0, second=1),
        "kind first second bytes reason",
    ),
    "reserve": (
        lambda **given: changed(lambda problem: problem.reserve(**given)),
        dict(low=0, high=1),
        "low high start end pool",
    ),
    "problem.add_operator": (
        lambda **given: changed(lambda problem: problem.add_operator(**given)),
        {},
        "type reads makes name",
    ),
    "set_objective": (
        lambda **given: changed(lambda problem: problem.set_objective(**given)),
        {},
        "terms",
    ),
    "index": (lambda **given: small().index(**given), {}, "place"),
    "problem.save": (lambda **given: small().save(**given), dict(path="o.json"), "path format"),
    "from_arrays": (
        lambda **given: neap.plan(neap.Problem.from_arrays(**given)).problem.buffers,
        dict(starts=[0], ends=[1], sizes=[4]),
        "starts ends sizes alignments names",
    ),
    "pack": (neap.pack, dict(starts=[0], ends=[1], sizes=[4]), "starts alignments on_progress"),
    "plan": (neap.plan, dict(problem=small(), max_ticks=99), f"problem time_limit {PLANNING}"),
    "read": (neap.read, dict(path="graph.json"), f"path {READING}"),
    "read_graph": (neap.read_graph, dict(path="graph.json"), "path format"),
    "read_plan": (neap.read_plan, dict(path="plan.json"), "path format replan"),
    "verify": (lambda **given: neap.plan(small()).verify(**given), {}, "capacity"),
    "offset": (lambda **given: neap.plan(small()).offset(**given), {}, "place"),
    "plan.save": (lambda **given: neap.plan(small()).save(**given), dict(path="o.html"), SAVING),
    "add_tensor": (
        lambda **given: graph().add_tensor(**given),
        dict(name="z", bytes=4),
        "name bytes kind alignment is_input is_output is_kept shape dtype",
    ),
    "add_operator": (
        lambda **given: graph().add_operator(**given),
        dict(inputs=[0], outputs=[1]),
        "name inputs outputs temporaries in_place views overlap concat split label",
    ),
    "generate": (neap.Graph.generate, dict(name="nasnet-a-cifar"), "name seed"),
    "graph.problem": (
        lambda **given: graph().problem(**given),
        {},
        "schedule time_limit max_ticks memory_limit in_place overlap aliases keep keep_all "
        "no_inputs no_outputs start",
    ),
    "graph.save": (lambda **given: graph().save(**given), dict(path="o.json"), "path format"),
}


def check_message(error: Exception) -> None:
    message = str(error)
    assert message and len(message) < 1500
    assert not any(part in message for part in OBSCURE), message


def call_with_odd_values(function, given: dict, names: str, step: int = 1) -> None:
    for name in names.split():
        for index in range(0, len(odd_values()), step):
            try:
                function(**{**given, name: odd_values()[index]})
            except ALLOWED as error:
                check_message(error)


@pytest.fixture
def files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    graph().save("graph.json")
    neap.plan(small()).save("plan.json")


@pytest.mark.parametrize("name", CALLS)
def test_odd_arguments_are_refused_clearly(name, files) -> None:
    call_with_odd_values(*CALLS[name], 12 // tries(12))


def test_odd_arguments_are_refused_with_a_process(files) -> None:
    def plan(**given: object) -> None:
        neap.plan(process=True, **given)

    names = f"problem {PLANNING} output format json help schedule keep columns dimensions start"
    call_with_odd_values(plan, dict(problem=os.path.abspath("graph.json")), names, 11)
    plan_there = neap.plan(small(), process=True)
    call_with_odd_values(plan_there.save, dict(path="o.html"), SAVING, 11)
    call_with_odd_values(plan_there.verify, {}, "capacity", 11)


@pytest.mark.parametrize(
    "given, words",
    [
        (dict(fixed_offset=-1), "fixed_offset is -1"),
        (dict(near=-1), "near is -1"),
        (dict(near=0, move_cost=-1), "move_cost is -1"),
        (dict(pools="sram"), "expected a list"),
        (dict(pools=[-1]), "index of a pool is -1"),
        (dict(name=5), "name of a buffer is not a text"),
        (dict(hint=b"x"), "hint is not a text"),
        (dict(window=(0, 1, 2)), "expected 2 integers"),
    ],
)
def test_what_stands_for_none_in_c_is_refused(given, words) -> None:
    problem = small()
    with pytest.raises(neap.ArgumentError, match=words):
        problem.add(1, 0, 1, **given)
    assert len(problem) == 2


def test_indices_are_checked() -> None:
    problem = small()
    with pytest.raises(neap.ArgumentError, match="index of a buffer is -1"):
        problem.relate("separation", 0, -1)
    with pytest.raises(neap.ArgumentError, match="no buffer 2"):
        neap.plan(problem).offset(2)
    with pytest.raises(neap.ArgumentError, match="capacity is -1"):
        problem.add_pool("dram", capacity=-1)


def test_a_refused_change_keeps_the_operators_of_a_problem_that_was_read(tmp_path) -> None:
    graph().save(tmp_path / "graph.json")
    problem = neap.read(tmp_path / "graph.json")
    before = problem.to_json()
    for change in (
        lambda: problem.add(1.5, 0, 1),
        lambda: problem.relate("separation", "x", "none"),
        lambda: problem.reserve("low"),
        lambda: problem.add_pool(None),
        lambda: problem.add_operator("ADD", ["none"]),
    ):
        with pytest.raises(neap.ArgumentError):
            change()
    assert problem.to_json() == before


@pytest.mark.parametrize(
    "given",
    [
        dict(in_place=[(0, 5)]),
        dict(in_place=[(0, -1)]),
        dict(in_place=[0]),
        dict(views=[(0,)]),
        dict(overlap=[(0, 0, -1)]),
        dict(concat=[(0, 0, 10**6)]),
        dict(split=[(0, 0, 2**64)]),
        dict(outputs=["none"]),
        dict(temporaries=[7]),
    ],
)
def test_a_refused_operator_leaves_the_graph_as_it_was(given, tmp_path) -> None:
    made, twin = graph(), graph()
    made.add_tensor("z", 8)
    twin.add_tensor("z", 8)
    with pytest.raises(neap.Error):
        made.add_operator(
            "ADD", **{**dict(inputs=["y"], outputs=["z"], in_place=[(0, 0)]), **given}
        )
    assert made.operators == ["RELU"]
    for each, name in ((made, "made.json"), (twin, "twin.json")):
        each.add_operator("NEG", ["y"], ["z"], in_place=[(0, 0)])
        each.save(tmp_path / name)
    assert (tmp_path / "made.json").read_text() == (tmp_path / "twin.json").read_text()


def test_bytes_are_numbers_and_not_memory() -> None:
    problem = neap.Problem.from_arrays(bytes(8), bytearray([1] * 8), range(8))
    assert len(problem) == 8 and problem.bound == 28


def test_names_may_come_from_a_generator() -> None:
    problem = neap.Problem.from_arrays([0, 1], [1, 2], [4, 4], names=(name for name in "ab"))
    assert [buffer.name for buffer in problem.buffers] == ["a", "b"]
    for names in ("ab", [1, 2], ["a"]):
        with pytest.raises(neap.ArgumentError, match="names"):
            neap.Problem.from_arrays([0, 1], [1, 2], [4, 4], names=names)


def test_short_limits_are_limits() -> None:
    from test_plan import hard

    with pytest.raises(neap.NoPlan, match="time limit"):
        neap.plan(hard(), engine="exact", time_limit=1e-9)
