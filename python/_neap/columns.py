# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of 64-bit integers, which are not copied if they come from numpy or array."""
from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Iterable, Optional, Sequence, Union

from _neap.values import listed, string
from neap.errors import ArgumentError

if TYPE_CHECKING:
    from neap.problem import Buffer

Column = Union[memoryview, "array[int]"]


def to_column(values: Iterable[int], what: str) -> Column:
    """The values as contiguous 64-bit integers; values of that form are not copied."""
    try:
        view = memoryview(values)  # type: ignore[arg-type]
    except TypeError:
        pass
    else:
        is_integer = view.format in ("q", "l") and view.itemsize == 8
        if is_integer and view.ndim == 1 and view.c_contiguous:
            return view
    try:
        return array("q", iter(values))  # iter: array() takes bytes as the memory of its items
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"{what}: expected 64-bit integers: {error}") from None


def _copy(column: Column) -> Column:
    copied = array("q")
    copied.frombytes(bytes(column))
    return copied


def _to_names(names: Iterable[str]) -> list[str]:
    return [string(name, "names") for name in listed(names, "names")]


@dataclass
class Columns:
    """Buffers as columns: starts and ends as moments, sizes and alignments in bytes; and names."""

    starts: Column
    ends: Column
    sizes: Column
    alignments: Optional[Column]
    names: Optional[Sequence[str]]

    def __len__(self) -> int:
        return len(self.sizes)

    def copy(self) -> Columns:
        """A copy with memory of its own."""
        return Columns(
            _copy(self.starts),
            _copy(self.ends),
            _copy(self.sizes),
            None if self.alignments is None else _copy(self.alignments),
            self.names,
        )

    def buffers(self, make: Callable[..., Buffer]) -> list[Buffer]:
        """A list of the buffers."""
        alignments = self.alignments if self.alignments is not None else [1] * len(self)
        names = self.names if self.names is not None else [str(i) for i in range(len(self))]
        columns = zip(names, self.sizes, self.starts, self.ends, alignments)
        return [make(n, size, ((start, end),), a) for n, size, start, end, a in columns]


def to_columns(
    starts: Iterable[int],
    ends: Iterable[int],
    sizes: Iterable[int],
    alignments: Optional[Iterable[int]],
    names: Optional[Iterable[str]],
) -> Columns:
    """Makes columns; raises ArgumentError for one that differs in length."""
    columns = Columns(
        to_column(starts, "starts"),
        to_column(ends, "ends"),
        to_column(sizes, "sizes"),
        None if alignments is None else to_column(alignments, "alignments"),
        None if names is None else _to_names(names),
    )
    for what in ("starts", "ends", "alignments", "names"):
        column = getattr(columns, what)
        if column is not None and len(column) != len(columns):
            raise ArgumentError(f"{what} has {len(column)} items, and sizes {len(columns)}")
    return columns
