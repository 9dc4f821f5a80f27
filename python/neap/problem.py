# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems: buffers with sizes and lifetimes, and what is asked of their layout."""
from __future__ import annotations

import operator
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Optional, Sequence, Union

from neap._columns import Columns, to_columns
from neap.errors import ArgumentError

if TYPE_CHECKING:
    from neap._problem import NativeProblem

Range = tuple[int, int]
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
        window: bytes [low, high) of the arena that contain it; None: anywhere.
        bank: bytes; it crosses no multiple of this; 0: no banks.
        pools: indices of the pools that it may be in, the preferred one first; empty: any.
        near: its offset in an earlier plan, in bytes, or None.
        move_cost: what it costs to move it from there; None: its size.
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

    @property
    def start(self) -> int:
        """The first moment at which it is alive."""
        return self.ranges[0][0]

    @property
    def end(self) -> int:
        """The first moment from which on it is no longer alive."""
        return self.ranges[-1][1]


@dataclass(frozen=True)
class Pool:
    """An arena of its own.

    Attributes:
        name: unique among the pools.
        capacity: bytes; None: unlimited.
        alignment: bytes, 1 or more, of every offset in it.
        base: the address of its first byte.
        cost: of a byte in it; None: its place in the list of the buffer, from 0.
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
        bytes: overlap: how far above the offset of `first` the buffer `second` begins at least;
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


def _number(value: object, what: str) -> int:
    """A 64-bit integer of any type that has one, such as those of numpy."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"{what} is not an integer: {value!r}") from None
    if not -(2**63) <= number < 2**63:
        raise ArgumentError(f"{what} exceeds 64 bits: {number}")
    return number


def _maybe(value: object, what: str) -> Optional[int]:
    return None if value is None else _number(value, what)


def _pair(value: Iterable[object], what: str) -> Range:
    numbers = [_number(item, what) for item in value]
    if len(numbers) != 2:
        raise ArgumentError(f"{what} is not a pair of integers: {value!r}")
    return numbers[0], numbers[1]


class Problem:
    """Buffers to be placed, with the relations between them.

    Values are checked when the problem is first used: by `check`, `bound`, `save` or `neap.plan`.
    A plan keeps the problem as it was; buffers that are added later do not change the plan.  A problem
    that was read from a graph forgets the operators once it is changed.
    """

    def __init__(self) -> None:
        self._buffers: Optional[list[Buffer]] = []
        self._columns: Optional[Columns] = None
        self._native: Optional[NativeProblem] = None
        self._names: Optional[dict[str, int]] = None
        self._view: tuple[Buffer, ...] = ()  # of the buffers, which are only ever added
        self._pools: list[Pool] = []
        self._relations: list[Relation] = []
        self._reserved: list[Reserved] = []
        self._objective: Optional[tuple[str, ...]] = None

    @classmethod
    def from_arrays(
        cls,
        starts: Sequence[int],
        ends: Sequence[int],
        sizes: Sequence[int],
        alignments: Optional[Sequence[int]] = None,
        names: Optional[Sequence[str]] = None,
    ) -> Problem:
        """Makes a problem of arrays with one item per buffer.

        Contiguous arrays of 64-bit integers, such as numpy's, are used where they are, without a
        copy; do not change them before the problem is planned.  Other sequences are copied.

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
    ) -> int:
        """Adds a buffer and returns its index.

        It is alive during [start, end), or during several `ranges` instead.  The name defaults to
        the index; the other arguments are those of `Buffer`.
        """
        buffers = self._change()
        if ranges is None:
            if start is None or end is None:
                raise ArgumentError("a buffer needs start and end, or ranges")
            ranges = [(start, end)]
        elif start is not None or end is not None:
            raise ArgumentError("a buffer has either start and end, or ranges")
        index = len(buffers)
        buffer = Buffer(
            name=str(index) if name is None else name,
            size=_number(size, "size"),
            ranges=tuple(_pair(item, "a range") for item in ranges),
            alignment=_number(alignment, "alignment"),
            fixed_offset=_maybe(fixed_offset, "fixed_offset"),
            hint=hint,
            window=None if window is None else _pair(window, "window"),
            bank=_number(bank, "bank"),
            pools=tuple(self._pool(pool) for pool in pools),
            near=_maybe(near, "near"),
            move_cost=_maybe(move_cost, "move_cost"),
        )
        buffers.append(buffer)
        if self._names is not None:
            self._names.setdefault(buffer.name, index)
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
        self._change()
        self._pools.append(
            Pool(
                name,
                _maybe(capacity, "capacity"),
                _number(alignment, "alignment"),
                _number(base, "base"),
                _maybe(cost, "cost"),
            )
        )
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
        if kind not in KINDS:
            raise ArgumentError(f"no such relation: {kind!r}; use {', '.join(KINDS)}")
        self._change()
        self._relations.append(
            Relation(
                kind, self.index(first), self.index(second), _number(bytes, "bytes"), reason
            )
        )

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
        self._change()
        self._reserved.append(
            Reserved(
                _number(low, "low"),
                _maybe(high, "high"),
                _number(start, "start"),
                _maybe(end, "end"),
                self._pool(pool),
            )
        )

    def set_objective(self, terms: Iterable[str]) -> None:
        """Sets what plans minimise, the most important first; missing terms follow.

        The terms are "spill", "peak", "reuse" and "moved", which is also the default order.
        """
        given = list(terms)
        for term in given:
            if term not in TERMS or given.count(term) > 1:
                raise ArgumentError(f"objective: expected each of {', '.join(TERMS)} once at most")
        self._change()
        self._objective = tuple(given + [term for term in TERMS if term not in given])

    def _change(self) -> list[Buffer]:
        """The buffers, to be changed: what was derived from them is dropped."""
        buffers = self._listed()
        self._columns = None
        self._native = None
        return buffers

    # ------------------------------------------------------------ asking

    def __len__(self) -> int:
        if self._buffers is not None:
            return len(self._buffers)
        return len(self._columns) if self._columns else self._handle().count

    def __repr__(self) -> str:
        count = len(self)
        return f"<neap.Problem: {count} buffer{'' if count == 1 else 's'}>"

    @property
    def buffers(self) -> Sequence[Buffer]:
        """The buffers."""
        listed = self._listed()
        if len(self._view) != len(listed):
            self._view = tuple(listed)
        return self._view

    @property
    def pools(self) -> Sequence[Pool]:
        """The pools; empty if there is one arena without a name."""
        self._listed()
        return tuple(self._pools)

    @property
    def relations(self) -> Sequence[Relation]:
        """The relations."""
        self._listed()
        return tuple(self._relations)

    @property
    def reserved(self) -> Sequence[Reserved]:
        """The reserved bytes."""
        self._listed()
        return tuple(self._reserved)

    @property
    def objective(self) -> Optional[tuple[str, ...]]:
        """What plans minimise, the most important first; None: the default."""
        self._listed()
        return self._objective

    def index(self, place: Place) -> int:
        """The index of a buffer, given by its name or by the index itself."""
        if not isinstance(place, str):
            return _number(place, "the index of a buffer")
        if self._names is None:
            self._names = {}
            for index, buffer in enumerate(self._listed()):
                self._names.setdefault(buffer.name, index)
        if place not in self._names:
            raise ArgumentError(f"there is no buffer {place!r}")
        return self._names[place]

    def _pool(self, place: Place) -> int:
        if not isinstance(place, str):
            return _number(place, "the index of a pool")
        for index, pool in enumerate(self._pools):
            if pool.name == place:
                return index
        raise ArgumentError(f"there is no pool {place!r}")

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
        from neap import _problem  # not before it is needed: it loads the library

        if self._native is None:
            self._native = _problem.build(self)
        return self._native

    def _snapshot(self) -> Problem:
        """The problem as it is now, for a plan."""
        return Problem._from_native(self._handle())

    def _listed(self) -> list[Buffer]:
        """The buffers as Python objects, listed when they are first needed."""
        if self._buffers is None:
            if self._columns is not None:
                self._buffers = self._columns.buffers(Buffer)
            elif self._native is not None:
                listed = self._native.listing()
                self._buffers = listed.buffers
                self._pools = listed.pools
                self._relations = listed.relations
                self._reserved = listed.reserved
                self._objective = listed.objective
        assert self._buffers is not None
        return self._buffers
