# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems: buffers with sizes and lifetimes, and constraints on their layout."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, TypeVar, Union

from _neap import faults
from _neap.columns import Columns, to_columns
from _neap.values import (
    choose,
    dimensions,
    integer,
    integers,
    listed,
    maybe_integer,
    maybe_string,
    shown,
    string,
)
from neap.errors import ArgumentError

if TYPE_CHECKING:
    from _neap.problem import NativeProblem

Range = tuple[int, int]
Item = TypeVar("Item")
Place = Union[int, str]  # the index of a buffer or a pool, or its name

KINDS = (
    "separation",
    "exclusion",
    "overlap",
    "colocation",
    "bank_separation",
    "reuse_penalty",
)
TERMS = ("spill", "peak", "reuse", "moved")


@dataclass(frozen=True)
class Buffer:
    """A buffer to be placed.

    Attributes:
        name: unique in its problem.
        size: bytes, 0 or more.
        ranges: when it is alive: ascending half-open ranges of time.
        alignment: bytes, 1 or more; the offset is a multiple of it.
        fixed_offset: the offset in bytes that plans must use, or None.
        hint: any text for output files, or None.
        window: bytes [low, high) of the arena in which it must lie; None: anywhere.
        bank: bytes; it must not cross a multiple of this; 0: no banks.
        pools: indices of the pools that it may be in, the preferred one first; empty: any.
        near: its offset in an earlier plan, in bytes, or None.
        move_cost: the cost of moving it from there; None: its size.
        shape: the dimensions of the tensor in it, -1 where unknown; None: unknown.
        dtype: the type of its elements, such as "float32", or None.
    """

    name: str
    size: int
    ranges: tuple[Range, ...]
    alignment: int = 1
    fixed_offset: Optional[int] = None
    hint: Optional[str] = None
    window: Optional[Range] = None
    bank: int = 0
    pools: tuple[int, ...] = ()
    near: Optional[int] = None
    move_cost: Optional[int] = None
    shape: Optional[tuple[int, ...]] = None
    dtype: Optional[str] = None

    @property
    def start(self) -> int:
        """The first moment at which it is alive."""
        return self.ranges[0][0]

    @property
    def end(self) -> int:
        """The end of its last range."""
        return self.ranges[-1][1]


@dataclass(frozen=True)
class Pool:
    """An arena of its own.

    Attributes:
        name: unique among the pools.
        capacity: bytes; None: unlimited.
        alignment: bytes, 1 or more, of every offset in it.
        base: the address of its first byte.
        cost: of a byte in it; None: its position in the `pools` of the buffer, from 0.
    """

    name: str
    capacity: Optional[int] = None
    alignment: int = 1
    base: int = 0
    cost: Optional[int] = None


@dataclass(frozen=True)
class Relation:
    """A constraint between two buffers.

    Attributes:
        kind: one of `neap.problem.KINDS`.
        first, second: indices of buffers.
        bytes: overlap: the least distance from the offset of `first` up to that of `second`;
            colocation: the offset of `second` minus that of `first`; bank_separation: the size of a
            bank; reuse_penalty: the cost; otherwise 0.
        reason: any text, or None.
    """

    kind: str
    first: int
    second: int
    bytes: int = 0
    reason: Optional[str] = None


@dataclass(frozen=True)
class Reserved:
    """Bytes [low, high) of a pool that no buffer may use during [start, end); None: no end."""

    low: int
    high: Optional[int] = None
    start: int = 0
    end: Optional[int] = None
    pool: int = 0


@dataclass(frozen=True)
class Operator:
    """An operator; operator k of a problem runs during [k, k + 1).  Planning ignores operators.

    Attributes:
        type: such as "CONV_2D", or "".
        reads: indices of the buffers that hold its inputs.
        makes: indices of the buffers that hold its outputs and temporaries.
        name: its own name in the model, or None.
    """

    type: str
    reads: tuple[int, ...] = ()
    makes: tuple[int, ...] = ()
    name: Optional[str] = None


def _pair(value: object, what: str) -> Range:
    first, second = integers(value, 2, what)
    return first, second


class Problem:
    """Buffers to be placed, with the relations between them.

    A call that raises an error changes nothing.  The problem as a whole is checked for
    contradictions when it is first used: by `check`, `bound`, `save` or `neap.plan`.
    A plan keeps the problem as it was; buffers that are added later do not change the plan.  A
    problem that was read from a graph keeps its operators, but forgets the graph, which some
    engines and formats need, once it is changed or pickled.
    """

    _source: Optional[str] = None  # the name of the file that it was read from

    def __init__(self) -> None:
        self._buffers: Optional[list[Buffer]] = []
        self._columns: Optional[Columns] = None
        self._native: Optional[NativeProblem] = None
        self._names: Optional[dict[str, int]] = None
        self._views: dict[str, tuple[Any, ...]] = {}  # of lists that only grow
        self._pools: list[Pool] = []
        self._relations: list[Relation] = []
        self._reserved: list[Reserved] = []
        self._operators: list[Operator] = []
        self._objective: Optional[tuple[str, ...]] = None
        self._missing: list[str] = []

    @classmethod
    def from_arrays(
        cls,
        starts: Iterable[int],
        ends: Iterable[int],
        sizes: Iterable[int],
        alignments: Optional[Iterable[int]] = None,
        names: Optional[Iterable[str]] = None,
    ) -> Problem:
        """Builds a problem from arrays with one item per buffer.

        Contiguous arrays of 64-bit integers, such as numpy's, are not copied; do not change them
        before the problem is planned.  Other sequences are copied.

        Args:
            starts, ends: when each buffer is alive: [start, end).
            sizes, alignments: bytes; alignments default to 1.
            names: default to "0", "1" and so on.
        """
        problem = cls()
        problem._columns = to_columns(starts, ends, sizes, alignments, names)
        problem._buffers = None
        return problem

    @classmethod
    def _from_native(cls, native: NativeProblem) -> Problem:
        problem = cls()
        problem._native = native
        problem._buffers = None
        return problem

    # ------------------------------------------------------------ building

    def add(
        self,
        size: int,
        start: Optional[int] = None,
        end: Optional[int] = None,
        name: Optional[str] = None,
        *,
        alignment: int = 1,
        fixed_offset: Optional[int] = None,
        ranges: Optional[Iterable[Range]] = None,
        hint: Optional[str] = None,
        window: Optional[Range] = None,
        bank: int = 0,
        pools: Iterable[Place] = (),
        near: Optional[int] = None,
        move_cost: Optional[int] = None,
        shape: Optional[Iterable[int]] = None,
        dtype: Optional[str] = None,
    ) -> int:
        """Adds a buffer and returns its index.

        It is alive during [start, end), or during several `ranges` instead.  The name defaults to
        the index; the other arguments are those of `Buffer`.  ArgumentError: no problem can have such
        a buffer, or another one has its name; nothing is added.
        """
        if ranges is None:
            if start is None or end is None:
                raise ArgumentError("a buffer needs start and end, or ranges")
            ranges = [(start, end)]
        elif start is not None or end is not None:
            raise ArgumentError("a buffer has either start and end, or ranges")
        index = len(self)
        buffer = Buffer(
            name=str(index) if name is None else string(name, "the name of a buffer"),
            size=integer(size, "size"),
            ranges=tuple(_pair(item, "a range") for item in listed(ranges, "ranges")),
            alignment=integer(alignment, "alignment"),
            fixed_offset=maybe_integer(fixed_offset, "fixed_offset"),
            hint=maybe_string(hint, "hint") or None,
            window=None if window is None else _pair(window, "window"),
            bank=integer(bank, "bank"),
            pools=tuple(self._pool(pool) for pool in listed(pools, "pools")),
            near=maybe_integer(near, "near"),
            move_cost=maybe_integer(move_cost, "move_cost"),
            shape=dimensions(shape),
            dtype=maybe_string(dtype, "dtype") or None,
        )
        fault = faults.find(buffer)
        if fault is not None:
            raise ArgumentError(f"buffer {shown(buffer.name)}: {fault}")
        earlier = self._find(buffer.name)
        if earlier is not None:
            raise ArgumentError(f"duplicate name {shown(buffer.name)}, which buffer {earlier} has")
        self._change().append(buffer)
        if self._names is not None:
            self._names[buffer.name] = index
        return index

    def add_pool(
        self,
        name: str,
        *,
        capacity: Optional[int] = None,
        alignment: int = 1,
        base: int = 0,
        cost: Optional[int] = None,
    ) -> int:
        """Adds an arena of its own and returns its index; the arguments are those of `Pool`."""
        pool = Pool(
            string(name, "the name of a pool"),
            maybe_integer(capacity, "capacity"),
            integer(alignment, "alignment"),
            integer(base, "base"),
            maybe_integer(cost, "cost"),
        )
        self._change()
        self._pools.append(pool)
        return len(self._pools) - 1

    def relate(
        self,
        kind: str,
        first: Place,
        second: Place,
        bytes: int = 0,  # pylint: disable=redefined-builtin
        reason: Optional[str] = None,
    ) -> None:
        """Adds a relation between two buffers, given by index or name; see `Relation`."""
        choose("kind", kind, KINDS)
        ends = self.index(first), self.index(second)
        if max(ends) >= len(self):
            raise ArgumentError(f"there is no buffer {max(ends)}")
        if ends[0] == ends[1]:
            raise ArgumentError(f"a relation of buffer {ends[0]} with itself")
        relation = Relation(
            kind, *ends, integer(bytes, "bytes"), maybe_string(reason, "reason") or None
        )
        self._change()
        self._relations.append(relation)

    def reserve(
        self,
        low: int,
        high: Optional[int] = None,
        *,
        start: int = 0,
        end: Optional[int] = None,
        pool: Place = 0,
    ) -> None:
        """Reserves bytes [low, high), during [start, end), that no buffer may use."""
        reserved = Reserved(
            integer(low, "low"),
            maybe_integer(high, "high"),
            integer(start, "start"),
            maybe_integer(end, "end"),
            self._pool(pool),
        )
        self._change()
        self._reserved.append(reserved)

    def add_operator(
        self,
        type: str = "",  # pylint: disable=redefined-builtin
        reads: Iterable[Place] = (),
        makes: Iterable[Place] = (),
        *,
        name: Optional[str] = None,
    ) -> int:
        """Adds an operator, which runs after those added before it, and returns its index.

        Buffers are given by index or name; the other arguments are those of `Operator`.
        """
        operator = Operator(
            string(type, "type"),
            self._indices(reads, "reads"),
            self._indices(makes, "makes"),
            maybe_string(name, "name") or None,
        )
        self._change()
        self._operators.append(operator)
        return len(self._operators) - 1

    def set_objective(self, terms: Iterable[str]) -> None:
        """Sets what plans minimise, the most important first; missing terms follow.

        The terms are "spill", "peak", "reuse" and "moved", which is also the default order.
        """
        given = [TERMS[choose("objective", term, TERMS)] for term in listed(terms, "objective")]
        if len(set(given)) < len(given):
            raise ArgumentError(f"objective: expected each of {', '.join(TERMS)} once at most")
        order = tuple(given + [term for term in TERMS if term not in given])
        self._change()
        self._objective = None if order == TERMS else order

    def _change(self) -> list[Buffer]:
        """Returns the buffers for a change, and drops everything derived from them."""
        buffers = self._listed()
        self._columns = None
        self._native = None
        return buffers

    # ------------------------------------------------------------ asking

    def __len__(self) -> int:
        if self._buffers is not None:
            return len(self._buffers)
        columns = self._columns
        return len(columns) if columns is not None else self._handle().count

    def __repr__(self) -> str:
        count = len(self)
        return f"<neap.Problem: {count} buffer{'' if count == 1 else 's'}>"

    def _view(self, name: str, items: list[Item]) -> tuple[Item, ...]:
        """A list as a tuple, which is made once for all loops over it."""
        view = self._views.get(name, ())
        if len(view) != len(items):
            view = self._views[name] = tuple(items)
        return view

    @property
    def buffers(self) -> Sequence[Buffer]:
        """The buffers."""
        return self._view("buffers", self._listed())

    @property
    def pools(self) -> Sequence[Pool]:
        """The pools; empty if there is one arena without a name."""
        self._listed()
        return self._view("pools", self._pools)

    @property
    def relations(self) -> Sequence[Relation]:
        """The relations."""
        self._listed()
        return self._view("relations", self._relations)

    @property
    def reserved(self) -> Sequence[Reserved]:
        """The reserved bytes."""
        self._listed()
        return self._view("reserved", self._reserved)

    @property
    def operators(self) -> Sequence[Operator]:
        """The operators, in the order in which they run; empty if they are not known."""
        self._listed()
        return self._view("operators", self._operators)

    @property
    def missing(self) -> Sequence[str]:
        """Parts that a reader left out, such as an operator's body; then no plan is optimal."""
        self._listed()
        return self._view("missing", self._missing)

    @property
    def objective(self) -> Optional[tuple[str, ...]]:
        """What plans minimise, the most important first; None: the default."""
        self._listed()
        return self._objective

    def index(self, place: Place) -> int:
        """The index of a buffer, given by its name or by the index itself."""
        if not isinstance(place, str):
            return integer(place, "the index of a buffer", 0)
        found = self._find(place)
        if found is None:
            raise ArgumentError(f"there is no buffer {shown(place)}")
        return found

    def _indices(self, places: Iterable[Place], what: str) -> tuple[int, ...]:
        return tuple(self.index(place) for place in listed(places, what))  # type: ignore[arg-type]

    def _find(self, name: str) -> Optional[int]:
        if self._buffers is None and self._native is not None:
            return self._native.find(name)  # without a list of all buffers
        if self._names is None:
            names: dict[str, int] = {}
            for index, buffer in enumerate(self._listed()):
                names.setdefault(buffer.name, index)
            self._names = names
        return self._names.get(name)

    def _pool(self, place: object) -> int:
        if not isinstance(place, str):
            return integer(place, "the index of a pool", 0)
        self._listed()
        for index, pool in enumerate(self._pools):
            if pool.name == place:
                return index
        raise ArgumentError(f"there is no pool {shown(place)}")

    @property
    def bound(self) -> int:
        """The largest sum of sizes alive at one moment, in bytes; no plan has a lower peak."""
        return self._handle().bound()[0]

    @property
    def lower_bound(self) -> int:
        """A proven lower bound on the peak, in bytes, which also counts alignments and so on."""
        return self._handle().bound()[1]

    def check(self) -> None:
        """Raises InputError if the problem is malformed or contradicts itself."""
        self._handle().check()

    def save(self, path: str | os.PathLike[str], format: Optional[str] = None) -> None:
        """Writes the problem to a file, in the format of its extension (.csv, .json, ...)."""
        self._handle().save(path, format)

    def to_json(self) -> str:
        """The problem as a JSON document; its format is in the manual of the program neap."""
        return self._handle().to_json()

    # ------------------------------------------------------------ representations

    def _handle(self) -> NativeProblem:
        """The problem in C, which is built when it is first needed."""
        from _neap import problem as _problem  # not before it is needed: it loads the library

        native = self._native
        if native is None:
            native = self._native = _problem.build(self)
            self._columns = None  # later changes of the arrays have no effect
        return native

    def _listed(self) -> list[Buffer]:
        """The buffers as Python objects, listed when they are first needed."""
        buffers, columns, native = self._buffers, self._columns, self._native
        if buffers is not None:
            return buffers
        if columns is not None:
            buffers = columns.buffers(Buffer)
        elif native is not None:
            listing = native.listing()
            buffers = listing.buffers
            self._pools = listing.pools
            self._relations = listing.relations
            self._reserved = listing.reserved
            self._operators = listing.operators
            self._objective = listing.objective
            self._missing = listing.missing
        assert buffers is not None
        self._buffers = buffers  # last: other threads may look for it
        return buffers

    # ------------------------------------------------------------ copies

    def copy(self) -> Problem:
        """A copy; changes to one problem do not affect the other."""
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        if self._columns is not None:
            copied._columns = self._columns.copy()
        if self._buffers is not None:
            copied._buffers = list(self._buffers)
        copied._names = None if self._names is None else dict(self._names)
        copied._views = dict(self._views)
        copied._pools = list(self._pools)
        copied._relations = list(self._relations)
        copied._reserved = list(self._reserved)
        copied._operators = list(self._operators)
        copied._missing = list(self._missing)
        return copied

    __copy__ = copy

    def __deepcopy__(self, _memo: object) -> Problem:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        """For pickle: everything except objects of C."""
        columns = self._columns if self._buffers is None else None
        if columns is None:
            self._listed()
        state = dict(self.__dict__, _native=None, _names=None, _views={})
        state["_columns"] = None if columns is None else columns.copy()
        return state
