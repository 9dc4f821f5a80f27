# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs of operators, from which problems are derived."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, NoReturn, Optional, Union

from _neap import files
from _neap.declarations import ffi
from _neap.interrupt import Watch
from _neap.library import call, created, io, lib, make, sized, text
from _neap.problem import NativeProblem, shape_array
from _neap.reading import (
    ALIASES,
    Liveness,
    Members,
    Scheduling,
    fill_liveness,
    fill_scheduling,
)
from _neap.values import (
    choose,
    dimensions,
    encode,
    integer,
    integers,
    listed,
    maybe_integer,
    maybe_string,
    shown,
    switch,
)
from neap.errors import ArgumentError, Interrupted
from neap.problem import Problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import LivenessOptions, Schedule
    from _neap.start import Start

TENSOR_KINDS = ("activation", "constant", "variable", "external")
LINKS = ("inputs", "outputs", "temporaries")

Tensor = Union[int, str]  # its index or its name
Pair = tuple[int, int]  # positions among the inputs and the outputs of an operator
Part = tuple[int, int, int]  # such positions, and bytes


# The functions that add to an operator, by what they add.
ADDING = {
    "neap_in_place": "neap_graph_add_pair",
    "neap_allowance": "neap_graph_add_allowance",
    "neap_part": "neap_graph_add_part",
}


def _structs(
    kind: str, groups: Iterable[Iterable[int]], count: int, what: str, *more: int
) -> list[tuple[str, Any]]:
    """Structs of C with `count` integers each, and `more` members after them."""
    made = []
    for group in listed(groups, what):
        numbers = integers(group, count, what)
        if min(numbers[:2]) < 0:
            raise ArgumentError(f"{what}: positions count from 0, found {shown(group)}")
        made.append((kind, ffi.new(f"{kind} *", (ffi.sizeof(kind), *numbers, *more))))
    return made


class Graph:
    """Operators in execution order, and the tensors that they read and write.

    Operator k runs during [k, k + 1); a tensor is alive from the operator that writes it to the
    last one that reads it.

        >>> graph = neap.Graph()
        >>> graph.add_tensor("x", 64, is_input=True)
        0
        >>> graph.add_tensor("y", 4096)
        1
        >>> graph.add_tensor("z", 4096, is_output=True)
        2
        >>> graph.add_operator("CONV_2D", inputs=["x"], outputs=["y"])
        0
        >>> graph.add_operator("RELU", inputs=["y"], outputs=["z"], in_place=[(0, 0)])
        1
        >>> graph.problem(in_place=True).bound
        4160
    """

    def __init__(self) -> None:
        self._pointer = created(lib().neap_graph_new(), lib().neap_graph_free)
        self._names: dict[str, int] = {}

    @classmethod
    def _from_native(cls, pointer: Any) -> Graph:
        graph = cls()
        graph._pointer = pointer
        return graph

    @classmethod
    def generate(cls, name: str, seed: int = 1) -> Graph:
        """The graph of a published network, such as "nasnet-a-cifar"; see `neap help networks`."""
        c = lib()
        arguments = encode(name, "the name of a network"), integer(seed, "seed", 0)
        return cls._from_native(
            make(c.neap_graph_generate, "neap_graph", c.neap_graph_free, *arguments)
        )

    def copy(self) -> Graph:
        """A copy."""
        copied = self._from_native(
            created(lib().neap_graph_copy(self._pointer), lib().neap_graph_free)
        )
        copied._names = dict(self._names)
        return copied

    __copy__ = copy

    def __deepcopy__(self, _memo: object) -> Graph:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a neap.Graph cannot be pickled; use save() and neap.read_graph()")

    # ------------------------------------------------------------ building

    def add_tensor(
        self,
        name: str,
        bytes: int,  # pylint: disable=redefined-builtin
        *,
        kind: str = "activation",
        alignment: int = 1,
        is_input: bool = False,
        is_output: bool = False,
        is_kept: bool = False,
        shape: Optional[Iterable[int]] = None,
        dtype: Optional[str] = None,
    ) -> int:
        """Adds a tensor and returns its index.

        Args:
            name: unique in the graph.
            bytes: its size.
            kind: "activation"; "constant" or "external", which are not planned; or "variable",
                which is alive throughout.
            alignment: bytes.
            is_input, is_output: of the graph.
            is_kept: alive to the end once it is written.
            shape, dtype: as in `neap.Buffer`, and not checked against `bytes`.
        """
        held, rank = shape_array(dimensions(shape))
        element = ffi.new("char[]", encode(maybe_string(dtype, "dtype") or "", "dtype"))
        item = sized(
            "neap_tensor",
            {
                "bytes": integer(bytes, "bytes"),
                "alignment": integer(alignment, "alignment"),
                "kind": choose("kind", kind, TENSOR_KINDS),
                "is_input": switch(is_input, "is_input"),
                "is_output": switch(is_output, "is_output"),
                "is_kept": switch(is_kept, "is_kept"),
                "shape": held,
                "rank": rank,
                "dtype": element,
            },
        )
        index = self.tensor_count
        call(lib().neap_graph_add_tensor, self._pointer, encode(name, "a name"), item)
        self._names[name] = index
        return index

    def add_operator(
        self,
        name: str = "",
        inputs: Iterable[Tensor] = (),
        outputs: Iterable[Tensor] = (),
        *,
        temporaries: Iterable[Tensor] = (),
        in_place: Iterable[Pair] = (),
        views: Iterable[Pair] = (),
        overlap: Iterable[Part] = (),
        concat: Iterable[Part] = (),
        split: Iterable[Part] = (),
        label: Optional[str] = None,
        duration: Optional[int] = None,
    ) -> int:
        """Adds an operator, which runs after those added before it, and returns its index.

        Pairs and parts begin with a position among the inputs and one among the outputs.

        Args:
            name: its type, such as "CONV_2D".
            inputs, outputs, temporaries: tensors, by index or name.
            in_place: pairs: the output may use the bytes of the input.
            views: pairs: the output is the input's data with another shape.
            overlap: the output may begin this many bytes below the input, or lower, and overlap it.
            concat: the input's bytes are those of the output from this offset on.
            split: the output's bytes are those of the input from this offset on.
            label: its own name, such as "block1/conv".
            duration: how long it runs, from 0 to 2**53 in any unit, for `recompute`; None: 1.
        """
        links = [
            [self._tensor(tensor) for tensor in listed(tensors, what)]
            for what, tensors in zip(LINKS, (inputs, outputs, temporaries))
        ]
        encoded = encode(name, "the name of an operator")
        encoded_label = encode(maybe_string(label, "label") or "", "label")
        additions = [
            *_structs("neap_in_place", in_place, 2, "in_place", False),
            *_structs("neap_in_place", views, 2, "views", True),
            *_structs("neap_allowance", overlap, 3, "overlap"),
            *_structs("neap_part", concat, 3, "concat", ALIASES["concat"]),
            *_structs("neap_part", split, 3, "split", ALIASES["split"]),
        ]
        given_duration = maybe_integer(duration, "duration")
        index, c = self.operator_count, lib()
        call(c.neap_graph_add_operator, self._pointer, encoded)
        try:
            call(c.neap_graph_label_operator, self._pointer, encoded_label)
            if given_duration is not None:
                call(c.neap_graph_time_operator, self._pointer, given_duration)
            for role, tensors in enumerate(links):
                for tensor in tensors:
                    call(c.neap_graph_add_link, self._pointer, role, tensor)
            for kind, item in additions:
                call(getattr(c, ADDING[kind]), self._pointer, item)
        except BaseException:
            c.neap_graph_remove_operator(self._pointer)
            raise
        return index

    def add_state(self, output: Tensor, input: Tensor) -> None:  # pylint: disable=redefined-builtin
        """States that an output of the graph is an input of the next run.

        If nothing reads the input once the output is made, the two share their bytes; otherwise
        both are alive to the end, and the caller copies the output to the input between runs.
        """
        call(lib().neap_graph_add_state, self._pointer, self._tensor(output), self._tensor(input))

    def _tensor(self, tensor: object) -> int:
        if not isinstance(tensor, str):
            index = integer(tensor, "the index of a tensor", 0)
            if index >= self.tensor_count:
                raise ArgumentError(f"there is no tensor {index}")
            return index
        if tensor not in self._names:
            raise ArgumentError(f"there is no tensor {shown(tensor)} that was added by name")
        return self._names[tensor]

    # ------------------------------------------------------------ asking

    @property
    def tensor_count(self) -> int:
        """The number of tensors."""
        return int(lib().neap_graph_tensor_count(self._pointer))

    @property
    def operator_count(self) -> int:
        """The number of operators."""
        return int(lib().neap_graph_operator_count(self._pointer))

    @property
    def operators(self) -> list[str]:
        """The types of the operators in execution order."""
        name_of = lib().neap_graph_operator_name
        return [text(name_of(self._pointer, index)) for index in range(self.operator_count)]

    def __repr__(self) -> str:
        return f"<neap.Graph: {self.operator_count} operators, {self.tensor_count} tensors>"

    def problem(
        self,
        *,
        schedule: Schedule = "keep",
        time_limit: Optional[float] = None,
        max_ticks: Optional[int] = None,
        memory_limit: Optional[int] = None,
        recompute: bool = False,
        capacity: Optional[int] = None,
        max_time: Optional[float] = None,
        start: Optional[Start] = None,
        **liveness: Unpack[LivenessOptions],
    ) -> Problem:
        """Derives a problem: each planned tensor is a buffer.

        With `recompute`, operators may run again instead of keeping their outputs: with `capacity`
        in the least extra time that fits, with `max_time` for the lowest bound.  The `operators` of
        the problem then have an item for each run, and "x#2" is the second buffer x.

        The graph itself keeps its order.  After Ctrl-C, it raises `neap.Interrupted`, whose
        `problem` has the best order so far.

        Args:
            schedule, time_limit, max_ticks, memory_limit, recompute, capacity, max_time,
                start: see `neap.files.Scheduling`.
            liveness: in_place=True, overlap=True, aliases=["views", "concat", "split"], keep=[...],
                keep_all, no_inputs, no_outputs; see `neap.files.Liveness`.
        """
        members = Members()
        item = ffi.new("neap_liveness *")
        fill_liveness(item, Liveness(**liveness), members)
        scheduling = Scheduling(
            schedule=schedule,
            recompute=recompute,
            max_time=max_time,
            capacity=capacity,
            time_limit=time_limit,
            max_ticks=max_ticks,
            memory_limit=memory_limit,
            start=start,
        )
        watch = Watch()
        ordered = self._scheduled(scheduling, item, watch)
        c = lib()
        pointer = make(
            c.neap_graph_to_problem, "neap_problem", c.neap_problem_free, ordered._pointer, item
        )
        problem = Problem._from_native(NativeProblem(pointer))
        if watch.is_interrupted():
            raise Interrupted(problem=problem)
        return problem

    def _scheduled(self, scheduling: Scheduling, liveness: Any, watch: Watch) -> Graph:
        """A copy in another order, or with an operator for each run; Ctrl-C ends the search."""
        item = ffi.new("neap_scheduling *")
        members = Members()
        fill_scheduling(item, scheduling, members)
        if item.schedule == 0 and not item.recompute:
            return self
        graph = self.copy()
        callback = watch.callback(
            "neap_order_function *", lambda *_: watch.caught is None, failed=False
        )
        item.progress = callback
        reorder = lib().neap_graph_recompute if item.recompute else lib().neap_graph_reorder
        call(reorder, graph._pointer, item, liveness)
        watch.raise_caught()
        return graph

    def save(self, path: str | os.PathLike[str], format: Optional[str] = None) -> None:
        """Writes the graph as JSON."""
        files.save(io().neap_graph_write, self._pointer, path, files.name_of(format))
