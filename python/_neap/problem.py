# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems in C: builds them from Python objects, and converts them back."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Optional

from _neap import files
from _neap.declarations import ffi
from _neap.library import call, created, io, lib, optional, sized, text
from _neap.values import encode, shown
from neap.errors import InputError
from neap.problem import KINDS, TERMS, Buffer, Operator, Pool, Problem, Relation, Reserved

if TYPE_CHECKING:
    from _neap.columns import Column, Columns

MAX = 2**63 - 1
UNPLACED = -1


@dataclass
class Listing:
    """The contents of a problem as Python objects."""

    buffers: list[Buffer]
    pools: list[Pool]
    relations: list[Relation]
    reserved: list[Reserved]
    operators: list[Operator]
    objective: Optional[tuple[str, ...]]
    missing: list[str]


def items(kind: str, item_at: Any, owner: Any) -> Iterator[Any]:
    """The items that a function named _at lists, all in one struct that is filled anew for each."""
    item = ffi.new("size_t *") if kind == "size_t" else sized(kind)
    index = 0
    while item_at(owner, index, item):
        yield item
        index += 1


def _known(value: int) -> Optional[int]:
    """A number; None if it is negative, which means none in C."""
    return None if value < 0 else value


def _finite(value: int) -> Optional[int]:
    return None if value == MAX else value


def _move_cost(item: Any) -> Optional[int]:
    """The cost, or None if it is the default, which C does not mark as such."""
    is_default = item.near_offset < 0 or item.move_cost == item.size
    return None if is_default else int(item.move_cost)


def _list_buffer(item: Any) -> Buffer:
    has_window = item.window_low > 0 or item.window_high < MAX
    return Buffer(
        name=text(item.name),
        size=item.size,
        ranges=tuple((item.ranges[k].start, item.ranges[k].end) for k in range(item.range_count)),
        alignment=item.alignment,
        fixed_offset=_known(item.fixed_offset),
        hint=text(item.hint) if item.hint else None,
        window=(item.window_low, item.window_high) if has_window else None,
        bank=item.bank,
        pools=tuple(item.pools[k] for k in range(item.pool_count)),
        near=_known(item.near_offset),
        move_cost=_move_cost(item),
        shape=tuple(item.shape[k] for k in range(item.rank)) if item.shape else None,
        dtype=text(item.dtype) if item.dtype else None,
    )


def _list_relation(item: Any) -> Relation:
    reason = text(item.reason) if item.reason else None
    return Relation(KINDS[item.kind], item.first, item.second, item.bytes, reason)


def _list_pool(item: Any) -> Pool:
    return Pool(
        text(item.name), _known(item.capacity), item.alignment, item.base, _known(item.cost)
    )


def _list_reserved(item: Any) -> Reserved:
    return Reserved(
        item.low, _finite(item.high), item.when.start, _finite(item.when.end), item.pool
    )


def _list_operator(item: Any) -> Operator:
    reads = tuple(item.reads[k] for k in range(item.read_count))
    makes = tuple(item.makes[k] for k in range(item.make_count))
    return Operator(text(item.type), reads, makes, text(item.name) if item.name else None)


class NativeProblem:
    """A problem in C.  It never changes once it is built."""

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer
        self.owner: object = None  # keeps the owner of a borrowed pointer alive

    def order(self) -> Optional[list[int]]:
        """For each operator, its index in the graph; None if the graph kept its order."""
        item = sized("neap_operator_order")
        is_scheduled = lib().neap_problem_order(self.pointer, item)
        return ffi.unpack(item.given, item.count) if is_scheduled else None

    @property
    def count(self) -> int:
        """The number of buffers."""
        return int(lib().neap_problem_count(self.pointer))

    def bound(self) -> tuple[int, int]:
        """The bound and the lower bound, in bytes."""
        bound = sized("neap_bound")
        call(lib().neap_problem_bound, self.pointer, bound)
        return bound.bytes, bound.lower_bound

    def check(self) -> None:
        """Raises InputError if fixed offsets or relations contradict each other."""
        call(lib().neap_problem_check, self.pointer)

    def save(self, path: str | os.PathLike[str], format: Optional[str]) -> None:
        """Writes a file."""
        files.save(io().neap_problem_write, self.pointer, path, files.name_of(format))

    def to_json(self) -> str:
        """The problem as a JSON document."""

        def write(path: bytes) -> None:
            call(io().neap_problem_write, self.pointer, path, b"json")

        return files.capture(write)

    def find(self, name: str) -> Optional[int]:
        """The index of a buffer."""
        index = ffi.new("size_t *")
        encoded = encode(name, "the name of a buffer")
        return int(index[0]) if lib().neap_problem_find(self.pointer, encoded, index) else None

    def listing(self) -> Listing:
        """The problem as Python objects."""
        c = lib()
        order = ffi.new("neap_term[]", len(TERMS))
        c.neap_problem_objective(self.pointer, order)
        terms = tuple(TERMS[term] for term in order)
        return Listing(
            [_list_buffer(i) for i in items("neap_buffer", c.neap_problem_buffer_at, self.pointer)],
            [_list_pool(i) for i in items("neap_pool", c.neap_problem_pool_at, self.pointer)],
            [
                _list_relation(i)
                for i in items("neap_relation", c.neap_problem_relation_at, self.pointer)
            ],
            [
                _list_reserved(i)
                for i in items("neap_reserved", c.neap_problem_reserved_at, self.pointer)
            ],
            [
                _list_operator(i)
                for i in items("neap_operator_info", c.neap_problem_operator_at, self.pointer)
            ],
            None if terms == TERMS else terms,
            list(self._missing()),
        )

    def _missing(self) -> Iterator[str]:
        index = 0
        while part := text(lib().neap_problem_missing(self.pointer, index)):
            yield part
            index += 1


# ---------------------------------------------------------------- building


def _add_pool(pointer: Any, pool: Pool) -> None:
    name = ffi.new("char[]", encode(pool.name, "the name of a pool"))
    item = sized(
        "neap_pool",
        {
            "name": name,
            "capacity": optional(pool.capacity, -1),
            "alignment": pool.alignment,
            "base": pool.base,
            "cost": optional(pool.cost, -1),
        },
    )
    call(lib().neap_problem_add_pool, pointer, item)


def shape_array(shape: Optional[tuple[int, ...]]) -> tuple[Any, int]:
    """The dimensions for C, and their number; even a scalar has an array, not NULL."""
    return (ffi.NULL, 0) if shape is None else (ffi.new("neap_size[]", [*shape, 0]), len(shape))


def _add_buffer(pointer: Any, buffer: Buffer) -> None:
    name = ffi.new("char[]", encode(buffer.name, "the name of a buffer"))
    ranges = ffi.new("neap_range[]", list(buffer.ranges))
    hint = ffi.new("char[]", encode(buffer.hint, "a hint")) if buffer.hint else ffi.NULL
    pools = ffi.new("size_t[]", list(buffer.pools)) if buffer.pools else ffi.NULL
    shape, rank = shape_array(buffer.shape)
    dtype = ffi.new("char[]", encode(buffer.dtype, "a dtype")) if buffer.dtype else ffi.NULL
    low, high = optional(buffer.window, (0, MAX))
    item = sized(
        "neap_buffer",
        {
            "name": name,
            "size": buffer.size,
            "alignment": buffer.alignment,
            "fixed_offset": optional(buffer.fixed_offset, UNPLACED),
            "ranges": ranges,
            "range_count": len(buffer.ranges),
            "hint": hint,
            "window_low": low,
            "window_high": high,
            "bank": buffer.bank,
            "pools": pools,
            "pool_count": len(buffer.pools),
            "near_offset": optional(buffer.near, UNPLACED),
            "move_cost": optional(buffer.move_cost, -1),
            "shape": shape,
            "rank": rank,
            "dtype": dtype,
        },
    )
    call(lib().neap_problem_add, pointer, item)


def _relate(pointer: Any, relation: Relation) -> None:
    reason = ffi.new("char[]", encode(relation.reason, "a reason")) if relation.reason else ffi.NULL
    item = sized(
        "neap_relation",
        {
            "kind": KINDS.index(relation.kind),
            "first": relation.first,
            "second": relation.second,
            "bytes": relation.bytes,
            "reason": reason,
        },
    )
    call(lib().neap_problem_relate, pointer, item)


def _reserve(pointer: Any, reserved: Reserved) -> None:
    item = sized(
        "neap_reserved",
        {
            "pool": reserved.pool,
            "low": reserved.low,
            "high": optional(reserved.high, MAX),
            "when": (reserved.start, optional(reserved.end, MAX)),
        },
    )
    call(lib().neap_problem_reserve, pointer, item)


def _add_operator(pointer: Any, operator: Operator) -> None:
    held = [
        ffi.new("char[]", encode(operator.type, "the type of an operator")),
        ffi.new("size_t[]", list(operator.reads)),
        ffi.new("size_t[]", list(operator.makes)),
    ]
    item = sized("neap_operator_info")
    item.type, item.reads, item.makes = held
    item.read_count, item.make_count = len(operator.reads), len(operator.makes)
    if operator.name:
        held.append(ffi.new("char[]", encode(operator.name, "the name of an operator")))
        item.name = held[-1]
    call(lib().neap_problem_add_operator, pointer, item)


def _with_buffer(error: InputError, index: int, name: str) -> InputError:
    return InputError(f"buffer {index}, {shown(name)}: {error.text}")


def _pointer_to(column: Optional[Column]) -> Any:
    return ffi.NULL if column is None else ffi.from_buffer("int64_t[]", column)


def _add_columns(pointer: Any, columns: Columns) -> None:
    names, texts = ffi.NULL, []
    if columns.names is not None:
        texts = [ffi.new("char[]", encode(name, "a name")) for name in columns.names]
        names = ffi.new("char *[]", texts)
    arrays = sized("neap_arrays")
    held = [
        _pointer_to(columns.starts),
        _pointer_to(columns.ends),
        _pointer_to(columns.sizes),
        _pointer_to(columns.alignments),
    ]
    arrays.count = len(columns)
    arrays.starts, arrays.ends, arrays.sizes, arrays.alignments = held
    arrays.names = names
    try:
        call(lib().neap_problem_add_arrays, pointer, arrays)
    except InputError as error:
        index = error.line - 1
        name = str(index) if columns.names is None else columns.names[index]
        raise _with_buffer(error, index, name) from None


def new() -> Any:
    """An empty problem in C."""
    return created(lib().neap_problem_new(), lib().neap_problem_free)


def build(problem: Problem) -> NativeProblem:
    """Builds the C problem of a Python problem."""
    pointer = new()
    if problem._columns is not None:
        _add_columns(pointer, problem._columns)
        return NativeProblem(pointer)
    for pool in problem.pools:
        _add_pool(pointer, pool)
    for index, buffer in enumerate(problem.buffers):
        try:
            _add_buffer(pointer, buffer)
        except InputError as error:
            raise _with_buffer(error, index, buffer.name) from None
    for relation in problem.relations:
        _relate(pointer, relation)
    for reserved in problem.reserved:
        _reserve(pointer, reserved)
    for index, operator in enumerate(problem.operators):
        try:
            _add_operator(pointer, operator)
        except InputError as error:
            raise InputError(f"operator {index}: {error.text}") from None
    if problem.objective is not None:
        order = [TERMS.index(term) for term in problem.objective]
        call(lib().neap_problem_set_objective, pointer, ffi.new("neap_term[]", order))
    for part in problem.missing:
        call(lib().neap_problem_add_missing, pointer, encode(part, "a part that is missing"))
    return NativeProblem(pointer)
