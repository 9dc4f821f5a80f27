# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans: offsets of buffers, and reports on them."""
from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Protocol, Union, overload

from _neap.declarations import ffi
from _neap.values import maybe_integer, switch
from neap.errors import ArgumentError
from neap.problem import Place, Problem

Numbers = Union[memoryview, "array[int]"]

# Pages and drawings with more buffers are too large to be put into notebooks.
PAGE_BUFFERS_MAX = 20_000


class Offsets(Sequence[int]):
    """Offsets in bytes, one per buffer.

    numpy.asarray(offsets) is an array that shares their memory.
    """

    def __init__(self, numbers: Numbers, owner: object = None) -> None:
        self._numbers = numbers
        self._owner = owner  # of the memory

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> int:
        ...

    @overload
    def __getitem__(self, index: slice) -> list[int]:
        ...

    def __getitem__(self, index: Union[int, slice]) -> Union[int, list[int]]:
        found = self._numbers[index]
        return found if isinstance(found, int) else found.tolist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(str(offset) for offset in self[:10])
        return f"[{shown}{', ...' if len(self) > 10 else ''}]"

    def __reduce__(self) -> tuple[type[Offsets], tuple[Numbers]]:
        """For pickle and copy: the numbers, without the plan."""
        return Offsets, (array("q", self._numbers),)

    def tolist(self) -> list[int]:
        """A list of the offsets."""
        return self._numbers.tolist()

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """How numpy finds the memory."""
        order = "<" if sys.byteorder == "little" else ">"
        return {
            "shape": (len(self),),
            "typestr": f"{order}i8",
            "data": (int(ffi.cast("uintptr_t", ffi.from_buffer("char[]", self._numbers))), True),
            "version": 3,
        }


@dataclass(frozen=True)
class Report:
    """What is known about a plan.

    Sizes are bytes.  Lower bounds are proven.

    Attributes:
        buffers: their number.
        bound: the largest sum of sizes alive at one moment.
        lower_bound: no plan has a lower peak.
        peak: the highest end of a buffer.
        gap_percent: excess of the peak over the lower bound.
        status: "optimal" or "feasible".
        stop_reason: "bound", "proven", "fixed_point", "iteration_cap", "time_limit", "tick_limit",
            "cancelled", "capacity", "complete", "runtime" or "incomplete".
        engine: which made the plan; "" if none did.
        rounds: of the tuner.
        seconds: of planning.
        objects, object_bound: the number of shared objects, and a lower bound on their sizes.
        is_scheduled: whether the operators got a new order.
        given_bound: the bound of the original order.
        order_lower_bound: the bound of every order is at least this; 0: nothing is proven.
        order_status: "optimal" if no order has a lower bound; None without a new order.
        order_saved_bytes, layout_saved_bytes: bytes that the order and the layout save.
        capacity: of the arena, or None.
        overlapped_bytes: shared by buffers that are alive together, as relations allow.
        reuse_cost, spilled_bytes, moved_bytes: the other terms of the objective, each with its
            lower bound.
        is_runtimes_own: for a target: whether its runtime's own layout is as low.
        free_peak: the peak if the runtime placed no buffers itself, as with a buffer plan.
        time, time_once: how long all runs take, and how long the operators take if each runs once;
            None without recomputation.
        least_time: proven: no runs that fit the capacity take less.
        time_unit: of these: "runs", "given" (the unit of the graph's durations) or "work"
            (multiply-accumulates, or elements made if these are more).
    """

    buffers: int = 0
    bound: int = 0
    lower_bound: int = 0
    peak: int = 0
    gap_percent: float = 0.0
    status: str = "feasible"
    stop_reason: str = "complete"
    engine: str = ""
    rounds: int = 0
    seconds: float = 0.0
    seed: int = 0
    objects: int = 0
    object_bound: int = 0
    is_scheduled: bool = False
    given_bound: int = 0
    order_lower_bound: int = 0
    order_status: Optional[str] = None
    order_saved_bytes: int = 0
    layout_saved_bytes: int = 0
    capacity: Optional[int] = None
    overlapped_bytes: int = 0
    reuse_cost: int = 0
    reuse_cost_lower_bound: int = 0
    spilled_bytes: int = 0
    spilled_lower_bound: int = 0
    moved_bytes: int = 0
    moved_lower_bound: int = 0
    is_runtimes_own: bool = False
    free_peak: int = 0
    time: Optional[int] = None
    time_once: Optional[int] = None
    least_time: Optional[int] = None
    time_unit: Optional[str] = None


# Members of a report that describe an order with recomputation.
TIMES = ("time", "time_once", "least_time", "time_unit")


@dataclass(frozen=True)
class PoolReport:
    """What a plan uses of a pool: the number of buffers in it, and bytes."""

    buffers: int
    peak: int
    bound: int
    lower_bound: int


@dataclass(frozen=True)
class Round:
    """One round of the tuner: a layout of all buffers.

    Attributes:
        round: from 1.
        peak: bytes.
        excess_area: bytes above the lower bound times the time they are used.
        excess_count: the number of buffers that end above the lower bound.
        improved: whether the peak is lower than in every earlier round.
    """

    round: int
    peak: int
    excess_area: int
    excess_count: int
    improved: bool


@dataclass(frozen=True)
class Placed:
    """A buffer with its place: bytes [offset, offset + size), in the pool of this index."""

    name: str
    offset: int
    size: int
    pool: int = 0


class Backing(Protocol):
    """Where a plan is kept: in the library, or in the output of the program."""

    def offsets(self) -> Offsets:
        ...

    def pools(self) -> list[int]:
        ...

    def order(self) -> Optional[list[int]]:
        ...

    def report(self) -> Report:
        ...

    def pool_reports(self) -> list[PoolReport]:
        ...

    def rounds(self) -> list[Round]:
        ...

    def verify(self, capacity: Optional[int]) -> None:
        ...

    def write(self, path: str | os.PathLike[str], writing: dict[str, Any]) -> None:
        ...

    def render(self, format: str, name: Optional[str] = None) -> str:
        ...


class Plan:
    """Offsets for the buffers of a problem.  Every plan that neap makes has been verified.

    Attributes:
        name: the name of the file that it was planned or read from, the title in notebooks; or None.
    """

    def __init__(self, problem: Problem, backing: Backing) -> None:
        self._problem = problem
        self._backing = backing
        self.name: Optional[str] = problem._source
        self._report: Optional[Report] = None
        self._offsets: Optional[Offsets] = None
        self._pools: Optional[list[int]] = None

    @property
    def problem(self) -> Problem:
        """The problem as it was when it was planned."""
        return self._problem

    @property
    def offsets(self) -> Offsets:
        """The offset of every buffer in bytes, in its pool if there are pools."""
        if self._offsets is None:
            self._offsets = self._backing.offsets()
        return self._offsets

    @property
    def pools(self) -> list[int]:
        """The index of every buffer's pool; 0 without pools."""
        if self._pools is None:
            self._pools = self._backing.pools()
        return self._pools

    @property
    def report(self) -> Report:
        """What is known about the plan."""
        if self._report is None:
            self._report = self._backing.report()
        return self._report

    @property
    def pool_reports(self) -> list[PoolReport]:
        """What the plan uses of each pool; empty without pools."""
        return self._backing.pool_reports()

    @property
    def rounds(self) -> list[Round]:
        """The rounds of the tuner."""
        return self._backing.rounds()

    @property
    def peak(self) -> int:
        """The size of the arena in bytes; with pools, the sum of theirs."""
        return self.report.peak

    @property
    def bound(self) -> int:
        """The largest sum of sizes alive at one moment, in bytes."""
        return self.report.bound

    @property
    def lower_bound(self) -> int:
        """The proven lower bound on the peak of every plan, in bytes."""
        return self.report.lower_bound

    @property
    def status(self) -> str:
        """ "optimal" if it is proven that no plan is better, otherwise "feasible"."""
        return self.report.status

    @property
    def stop_reason(self) -> str:
        """Why planning stopped; see `Report`."""
        return self.report.stop_reason

    def __iter__(self) -> Iterator[Placed]:
        """The buffers with their places, in the order of the problem."""
        for index, buffer in enumerate(self._problem.buffers):
            yield Placed(buffer.name, self.offsets[index], buffer.size, self.pools[index])

    def as_dict(self) -> dict[str, int]:
        """The offset of every buffer by its name."""
        return {placed.name: placed.offset for placed in self}

    def as_arrays(self) -> dict[str, Any]:
        """Arrays "offset", "size" and "pool" of 64-bit integers, with one item per buffer.

        They are numpy's if it is installed, otherwise those of the module array.
        """
        columns = {
            "offset": self.offsets.tolist(),
            "size": [buffer.size for buffer in self._problem.buffers],
            "pool": self.pools,
        }
        try:
            import numpy  # not before it is needed: it imports much
        except ImportError:
            return {name: array("q", column) for name, column in columns.items()}
        return {name: numpy.array(column, dtype="int64") for name, column in columns.items()}

    def offset(self, place: Place) -> int:
        """The offset in bytes of a buffer, given by its name or index."""
        index = self._problem.index(place)
        if index >= len(self.offsets):
            raise ArgumentError(f"there is no buffer {index}")
        return self.offsets[index]

    def verify(self, capacity: Optional[int] = None) -> None:
        """Raises UnsoundError if buffers collide, break relations or exceed `capacity` bytes."""
        self._backing.verify(maybe_integer(capacity, "capacity"))

    def to_json(self) -> str:
        """The plan as a JSON document; its format is in the manual of the program neap."""
        return self._backing.render("json")

    def save(
        self,
        path: str | os.PathLike[str],
        format: Optional[str] = None,
        *,
        name: Optional[str] = None,
        colour_by: Optional[str] = None,
        prefix: Optional[str] = None,
        model: Optional[str | os.PathLike[str]] = None,
        replace: bool = False,
        other: Optional[Plan] = None,
    ) -> None:
        """Writes the plan to a file, in the format of its extension.

        .json, .csv and so on are plans; .svg, .png and .pdf pictures; .html is an interactive page;
        .h a C header; .tflite a copy of a model with the plan in it.

        Args:
            format: the name of a format, used instead of the extension.
            name: the name of the model or problem, for titles.
            colour_by: "auto", "risk", "operator", "name", "size", "lifetime", "pool", "waste",
                "age" or "object".
            prefix: of the names in a header.
            model: the TensorFlow Lite model to copy; `replace` permits one that has a plan already.
            other: for pages: a plan to compare with.
        """
        given = {
            "format": format,
            "name": name,
            "colour_by": colour_by,
            "prefix": prefix,
            "model": model,
            "replace": switch(replace, "replace") or None,
            "other": other,
        }
        used = {key: value for key, value in given.items() if value is not None}
        self._backing.write(path, used)

    def __repr__(self) -> str:
        report = self.report
        return (
            f"<neap.Plan: {report.buffers} buffers, peak {report.peak} bytes, "
            f"bound {report.bound} bytes, {report.status}>"
        )

    def __copy__(self) -> Plan:
        """The plan itself: it does not change."""
        return self

    def __deepcopy__(self, _memo: object) -> Plan:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a neap.Plan cannot be pickled; use its offsets, to_json() or save()")

    def _repr_svg_(self) -> Optional[str]:
        """The layout as a drawing, for notebooks; None if it would be too large for one."""
        if self.report.buffers > PAGE_BUFFERS_MAX:
            return None
        return self._backing.render("svg", self.name)

    def _repr_html_(self) -> Optional[str]:
        """The interactive page, for notebooks; None if it would be too large for one."""
        if self.report.buffers > PAGE_BUFFERS_MAX:
            return None
        import html  # not before it is needed: it is large

        page = html.escape(self._backing.render("html", self.name), quote=True)
        title = html.escape(self.name or "Memory plan", quote=True)
        return (
            f'<iframe title="{title}" srcdoc="{page}" '
            'style="width:100%;height:720px;border:0"></iframe>'
        )
