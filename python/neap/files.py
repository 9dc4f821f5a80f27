# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading files."""
from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Callable

from _neap.declarations import ffi
from _neap.interrupt import Watch
from _neap.library import call, io, lib, make, sized, text
from _neap.plan import NativePlan
from _neap.problem import NativeProblem
from _neap.reading import Members, Reading, fill_reading, fill_scheduling, reading_of
from _neap.values import encode_path
from neap.errors import InputError, Interrupted
from neap.graph import Graph
from neap.plan import Plan
from neap.problem import Problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import ReadOptions


def _read(
    read: Any, given: Reading, at_interrupt: Callable[[Any], Interrupted] = lambda _: Interrupted()
) -> Any:
    """Calls read(reading, scheduling); Ctrl-C ends the search for an order."""
    members, watch = Members(), Watch()
    item, ignored = sized("neap_reading"), []
    scheduling = ffi.new("neap_scheduling *")
    fill_reading(item, given, members)
    fill_scheduling(scheduling, given, members)

    def warn(warning: Any, _user: object) -> None:
        where = InputError(text(warning.text), text(warning.source), warning.line, warning.column)
        ignored.append(str(where))

    def go_on(_progress: object, _user: object) -> bool:
        return watch.caught is None

    item.warn = members.hold(watch.callback("neap_warning_function *", warn))
    scheduling.progress = members.hold(
        watch.callback("neap_order_function *", go_on, failed=False)
    )
    made = read(item, scheduling)
    watch.raise_caught()
    for message in ignored:
        warnings.warn(message, stacklevel=3)
    if watch.is_interrupted():
        raise at_interrupt(made)
    return made


def read(path: str | os.PathLike[str], **reading: Unpack[ReadOptions]) -> Problem:
    """Reads a problem from a file in any format that neap reads.

    From a graph of operators, such as a model, it derives the problem; from a plan, it takes the
    problem.  The arguments are the attributes of `neap.files.Reading`, such as
    schedule="optimal", in_place=True, overlap=True, dimensions={"batch": 1}.  After
    Ctrl-C, it raises `neap.Interrupted`, whose `problem` has the best order so far.
    """

    def prepare(item: Any, scheduling: Any) -> Any:
        function, name = io().neap_problem_prepare, encode_path(path)
        return make(function, "neap_problem", lib().neap_problem_free, name, item, scheduling)

    def wrap(made: Any) -> Problem:
        problem = Problem._from_native(NativeProblem(made))
        problem._source = os.path.basename(os.fsdecode(path))
        return problem

    def interrupted(made: Any) -> Interrupted:
        return Interrupted(problem=wrap(made))

    return wrap(_read(prepare, reading_of(reading, "read"), interrupted))


def read_graph(path: str | os.PathLike[str], **reading: Unpack[ReadOptions]) -> Graph:
    """Reads a graph of operators from a model, JSON or DOT; the arguments are those of `read`."""

    def prepare(item: Any, _scheduling: Any) -> Any:
        function, name = io().neap_graph_read, encode_path(path)
        graph = make(function, "neap_graph", lib().neap_graph_free, name, item)
        item.graph.liveness.aliases = 0  # they are chosen when the problem is derived
        call(io().neap_graph_prepare, graph, item, ffi.new("neap_liveness *"))
        return graph

    return Graph._from_native(_read(prepare, reading_of(reading, "read_graph")))


def read_plan(path: str | os.PathLike[str], **reading: Unpack[ReadOptions]) -> Plan:
    """Reads a plan, without verifying it; the arguments are those of `read`."""

    def only_read(item: Any, _scheduling: Any) -> Any:
        return make(io().neap_plan_read, "neap_plan", lib().neap_plan_free, encode_path(path), item)

    pointer = _read(only_read, reading_of(reading, "read_plan"))
    backing = NativePlan(pointer, None)
    # The plan owns its problem, so this one must hold the plan.
    problem = NativeProblem(lib().neap_plan_problem(pointer))
    problem.owner = backing
    plan = Plan(Problem._from_native(problem), backing)
    plan.name = os.path.basename(os.fsdecode(path))
    return plan


__all__ = ["Reading", "read", "read_graph", "read_plan"]
