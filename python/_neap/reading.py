# SPDX-License-Identifier: GPL-3.0-or-later
"""How to read files and graphs: the arguments of neap.read, and their form in C."""
from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import Any, Mapping, Optional, Sequence, Union

from _neap.declarations import ffi
from _neap.library import sized
from _neap.start import Start, check_start, order_of
from _neap.suggest import nearest
from _neap.values import (
    choose,
    encode,
    encode_path,
    integer,
    listed,
    maybe_integer,
    seconds,
    shown,
    switch,
)
from neap.errors import ArgumentError

SCHEDULES = ("keep", "depth-first", "min-peak", "optimal")
VARIABLES = ("default", "plan", "runtime")
KERNELS = (  # in the order of neap_kernels
    "default",
    "tflm-reference",
    "cmsis-nn",
    "cmsis-nn-dsp",
    "cmsis-nn-mve",
    "tflm-python",
    "elementwise",
)
ALIASES = {"views": 1, "concat": 2, "split": 4}


@dataclass
class Liveness:
    """Which tensors of a graph are planned, and how long they live.

    Attributes:
        in_place: outputs use the bytes of inputs where the operator allows it.
        overlap: outputs lie over inputs as far as the allowances of a graph permit, and for a
            file, its kernels.
        aliases: any of "views", "concat" and "split": tensors that lie in others.
        keep: names of tensors that live to the end; `keep_all`: all do.
        no_inputs, no_outputs: do not plan the graph's inputs or outputs.
    """

    in_place: bool = False
    overlap: bool = False
    aliases: Sequence[str] = ()
    keep: Sequence[str] = ()
    keep_all: bool = False
    no_inputs: bool = False
    no_outputs: bool = False


@dataclass
class Scheduling:
    """How to order the operators of a graph, and whether they may run again.

    Attributes:
        schedule: "keep", "depth-first", "min-peak" or "optimal", which proves its result.
        time_limit: seconds for "optimal" or recompute; None: 5, or no limit with max_ticks.
        max_ticks: work for them: sets of operators, or sequences of runs; None: no limit.
        memory_limit: bytes for them; None: 1 GiB.
        recompute: recompute values instead of keeping them: with capacity in the least extra time
            that fits, with max_time for the lowest bound.  It needs one of the two.
        max_time: from 1 to 10; at most this multiple of the time that the operators take
            once.
        capacity: bytes that the layout should fit; with recompute only.
        start: with "min-peak" or "optimal": an order to begin with, so the result is no
            worse: a plan of the same graph, its path, the problem of `neap.Interrupted`, or a list
            of the indices of all operators.
    """

    schedule: str = "keep"
    time_limit: Optional[float] = None
    max_ticks: Optional[int] = None
    memory_limit: Optional[int] = None
    recompute: bool = False
    max_time: Optional[float] = None
    capacity: Optional[int] = None
    start: Optional[Start] = None


# What `neap.plan` also accepts for files; it has limits of its own.
ORDERING = ("schedule", "recompute", "max_time", "start")


@dataclass
class Reading(Scheduling, Liveness):
    """How to read a file; see also `Liveness` and `Scheduling`, which are for graphs.

    Attributes:
        format: the name of a format; None: that of the extension or the content.
        replan: ignore offsets in the file, so that plans may choose every one.
        dimensions: values for dimensions that a model leaves open.
        alignment: of every tensor of a model, in bytes; None: that of its element type.
        target: the runtime to plan for, such as "tflm".
        variables: "plan", "runtime" or "default": what allocates a graph's variables.
        kernels: which ones run the graph: "tflm-reference", "cmsis-nn", "cmsis-nn-dsp",
            "cmsis-nn-mve", "tflm-python" (the package tflite-micro), "elementwise" (any that go
            through their elements in order) or "default": what the model was written for, or the
            default of its target.
        pointer: bytes of a pointer of the target, 4, or 8 for an interpreter on a PC; None: what
            the model was written for, or 4.
        resource_variables: for how many resource variables the target has room.
        place_all: also plan the tensors that the target would place itself.
        scratch: a table of the scratch buffers of a TensorFlow Lite model.
        dot_size, dot_order: attributes in DOT files.
        columns: names of a table's columns, by role, such as {"id": "buffer"}.
        inclusive: `upper` in a table is the last moment alive.
        conflicts: a table of buffers that never share bytes.
    """

    format: Optional[str] = None
    replan: bool = False
    dimensions: Mapping[str, int] = field(default_factory=dict)
    alignment: Optional[int] = None
    target: Optional[str] = None
    variables: str = "default"
    kernels: str = "default"
    pointer: Optional[int] = None
    resource_variables: int = 0
    place_all: bool = False
    scratch: Union[str, os.PathLike[str], None] = None
    dot_size: Optional[str] = None
    dot_order: Optional[str] = None
    columns: Mapping[str, str] = field(default_factory=dict)
    inclusive: bool = False
    conflicts: Union[str, os.PathLike[str], None] = None


def reading_of(given: Mapping[str, Any], caller: str) -> Reading:
    """A reading from the arguments of a function."""
    known = {item.name for item in fields(Reading)}
    for name in given:
        if name not in known:
            meant = nearest(name, known)
            raise TypeError(f"{caller}() got an unexpected keyword argument '{name}'{meant}")
    return Reading(**given)


class Members:
    """Fills structs of C, and holds the memory that they point to."""

    def __init__(self) -> None:
        self._held: list[Any] = []

    def hold(self, made: Any) -> Any:
        """Keeps memory as long as this object."""
        self._held.append(made)
        return made

    def text(self, value: object, what: str) -> Any:
        """A text."""
        return self.hold(ffi.new("char[]", encode(value, what)))

    def maybe_text(self, value: Optional[str], what: str) -> Any:
        """A text, or NULL for None."""
        return ffi.NULL if value is None else self.text(value, what)

    def path(self, value: Union[str, os.PathLike[str], None]) -> Any:
        """A path, or NULL for None."""
        return ffi.NULL if value is None else self.hold(ffi.new("char[]", encode_path(value)))

    def texts(self, values: Sequence[object], what: str) -> Any:
        """An array of texts, or NULL if there are none."""
        texts = [self.text(value, what) for value in values]
        return self.hold(ffi.new("char *[]", texts)) if texts else ffi.NULL

    def order(self, indices: Sequence[int]) -> Any:
        """A neap_operator_order."""
        given = self.hold(ffi.new("size_t[]", indices))
        return self.hold(sized("neap_operator_order", {"given": given, "count": len(indices)}))


def _fill_switches(item: Any, given: object, names: Sequence[str]) -> None:
    """Sets members that are True or False."""
    for name in names:
        setattr(item, name, switch(getattr(given, name), name))


def fill_liveness(item: Any, liveness: Liveness, members: Members) -> None:
    """Sets the members of a neap_liveness."""
    switches = ("in_place", "overlap", "keep_all", "no_inputs", "no_outputs")
    _fill_switches(item, liveness, switches)
    keep = listed(liveness.keep, "keep")
    item.keep = members.texts(keep, "keep")
    item.keep_count = len(keep)
    for alias in listed(liveness.aliases, "aliases"):
        choose("aliases", alias, list(ALIASES))
        item.aliases |= ALIASES[str(alias)]


def fill_scheduling(item: Any, scheduling: Scheduling, members: Members) -> None:
    """Sets the members of a neap_scheduling, except the callback."""
    item.schedule = choose("schedule", scheduling.schedule, SCHEDULES)
    item.time_limit = seconds(scheduling.time_limit, "time_limit")
    item.max_ticks = maybe_integer(scheduling.max_ticks, "max_ticks") or 0
    item.memory_limit = maybe_integer(scheduling.memory_limit, "memory_limit") or 0
    _fill_recomputation(item, scheduling)
    check_start(vars(scheduling))
    if scheduling.start is not None:
        item.start = members.order(order_of(scheduling.start))


def _fill_recomputation(item: Any, scheduling: Scheduling) -> None:
    if scheduling.capacity is not None:
        item.capacity = integer(scheduling.capacity, "capacity", 1)
    if scheduling.max_time is not None:
        factor = seconds(scheduling.max_time, "max_time")
        if not 1 <= factor <= 10:
            raise ArgumentError(
                f"max_time is not from 1 to 10: {shown(scheduling.max_time)}"
            )
        item.most_time = round(factor * 1000000)
    item.recompute = switch(scheduling.recompute, "recompute")
    if item.recompute != (item.capacity > 0 or item.most_time > 0):
        raise ArgumentError("recompute and capacity or max_time need each other")


def fill_reading(item: Any, reading: Reading, members: Members) -> None:
    """Sets the members of a neap_reading, except the callbacks."""
    item.format = members.maybe_text(reading.format, "format")
    _fill_switches(item, reading, ("replan",))
    item.dot.size = members.maybe_text(reading.dot_size, "dot_size")
    item.dot.order = members.maybe_text(reading.dot_order, "dot_order")
    _fill_table(item.table, reading, members)
    _fill_graph(item.graph, reading, members)
    _fill_model(item.model, reading, members)


def _entries(mapping: Mapping[str, object], what: str) -> list[tuple[object, object]]:
    if not isinstance(mapping, Mapping):
        raise ArgumentError(f"{what}: expected a dictionary, found {shown(mapping)}")
    return list(mapping.items())


def _fill_graph(item: Any, reading: Reading, members: Members) -> None:
    fill_liveness(item.liveness, reading, members)
    _fill_switches(item, reading, ("place_all",))
    item.alignment = maybe_integer(reading.alignment, "alignment") or 0
    item.target = members.maybe_text(reading.target, "target")
    item.variables = choose("variables", reading.variables, VARIABLES)
    item.kernels = choose("kernels", reading.kernels, KERNELS)


def _fill_model(item: Any, reading: Reading, members: Members) -> None:
    item.pointer = maybe_integer(reading.pointer, "pointer") or 0
    item.resource_variables = maybe_integer(reading.resource_variables, "resource_variables") or 0
    item.scratch = members.path(reading.scratch)
    dimensions = [
        {
            "name": members.text(name, "dimensions"),
            "value": integer(value, f"dimension {name}"),
        }
        for name, value in _entries(reading.dimensions, "dimensions")
    ]
    if dimensions:
        item.dimensions = members.hold(ffi.new("neap_dimension[]", dimensions))
        item.dimension_count = len(dimensions)


def _fill_table(item: Any, reading: Reading, members: Members) -> None:
    _fill_switches(item, reading, ("inclusive",))
    item.conflicts = members.path(reading.conflicts)
    columns = [
        {"role": members.text(role, "columns"), "name": members.text(name, "columns")}
        for role, name in _entries(reading.columns, "columns")
    ]
    if columns:
        item.columns = members.hold(ffi.new("neap_column[]", columns))
        item.column_count = len(columns)
