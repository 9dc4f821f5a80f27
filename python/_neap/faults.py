# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a single buffer, found without the library.

The library makes the same checks, with the same messages, when a problem is first used.  Callers
have already checked the numbers that may not be negative.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

if TYPE_CHECKING:
    from neap.problem import Buffer

RANK_MAX = 1024


def _of_lifetime(buffer: Buffer) -> Iterator[str]:
    if not buffer.ranges:
        yield "a buffer is never alive: it has no range of time"
    last = 0
    for start, end in buffer.ranges:
        if start < 0:
            yield f"expected a start of 0 or more, found {start}"
        if end <= start:
            yield f"expected an end after the start {start}, found {end}"
        if start < last:
            yield (
                f"ranges of time must ascend without overlap: one starts at {start}, before the "
                f"end {last} of the one before"
            )
        last = end


def _of_place(buffer: Buffer) -> Iterator[str]:
    size, fixed, bank = buffer.size, buffer.fixed_offset, buffer.bank
    if size < 0:
        yield f"expected a size of 0 or more, found {size}"
    if buffer.alignment < 1:
        yield f"expected an alignment of 1 or more, found {buffer.alignment}"
    elif fixed is not None and fixed % buffer.alignment != 0:
        yield f"fixed offset {fixed} is not a multiple of the alignment {buffer.alignment}"
    if bank < 0:
        yield f"expected a bank of 0 or more bytes, found {bank}"
    elif 0 < bank < size:
        yield f"the buffer's {size} bytes do not fit into a bank of {bank}"
    elif bank > 0 and fixed is not None and fixed % bank > bank - size:
        yield f"at fixed offset {fixed} the buffer crosses banks of {bank} bytes"


def _of_window(buffer: Buffer) -> Iterator[str]:
    if buffer.window is None:
        return
    (low, high), fixed = buffer.window, buffer.fixed_offset
    if low < 0 or high < low:
        yield (
            "expected a window that begins at 0 or more and does not end before that, found "
            f"[{low}, {high})"
        )
    elif high - low < buffer.size:
        yield f"the window [{low}, {high}) is smaller than the buffer's {buffer.size} bytes"
    elif fixed is not None and not low <= fixed <= high - buffer.size:
        yield f"fixed offset {fixed} is outside the window [{low}, {high})"


def _of_shape(buffer: Buffer) -> Iterator[str]:
    shape = buffer.shape or ()
    if len(shape) > RANK_MAX:
        yield f"expected at most {RANK_MAX} dimensions, found {len(shape)}"
    if min(shape, default=0) < -1:
        found = min(shape)
        yield f"expected a dimension of 0 or more, or -1 if it is unknown, found {found}"


def find(buffer: Buffer) -> Optional[str]:
    """The first fault, or None."""
    if not buffer.name:
        return "a buffer's name is empty"
    for faults in (_of_lifetime, _of_place, _of_window, _of_shape):
        for fault in faults(buffer):
            return fault
    return None
