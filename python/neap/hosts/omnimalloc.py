# SPDX-License-Identifier: GPL-3.0-or-later
"""An allocator for omnimalloc 1.0 that plans with neap.

    import omnimalloc
    import neap.hosts.omnimalloc

    placed = omnimalloc.allocate(allocations, "neap")

Importing this module registers the allocator "neap", so that omnimalloc's benchmark also lists it.
`NeapAllocator` has settings: the engine, limits and all other options of `neap.plan`.  Offsets that
allocations already have are kept.  Lifetimes are intervals; vector clocks are not supported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import neap
from neap.hosts import _host

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import RunOptions

_BaseAllocator: Any = getattr(
    _host.load("omnimalloc.allocators.base", "omnimalloc"), "BaseAllocator"
)


class NeapAllocator(_BaseAllocator):  # type: ignore[misc]
    """Plans with neap; `options` are those of `neap.plan`, such as time_limit=1."""

    supports_pinned = True

    def __init__(self, **options: Unpack[RunOptions]) -> None:
        self._options = options

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items())
        return f"{type(self).__name__}({given})"

    def _allocate(self, allocations: tuple[Any, ...]) -> tuple[Any, ...]:
        problem = neap.Problem()
        for index, allocation in enumerate(allocations):
            problem.add(
                allocation.size,
                allocation.start,
                allocation.end,
                str(index),  # ids may be both 1 and "1"
                fixed_offset=allocation.offset,
            )
        offsets = neap.plan(problem, **self._options).offsets
        return tuple(
            allocation.with_offset(offset) for allocation, offset in zip(allocations, offsets)
        )
