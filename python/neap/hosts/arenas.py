# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors in arenas of limited sizes, for the adapters of compilers with several memories.

A body is a group of tensors at one offset.  It may be in some of the arenas, which are in order of
preference.  Some bytes of an arena may be taken already.
"""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Collection, Iterable, Optional, Sequence

import neap


class BankTooSmall(neap.Infeasible):
    """It is proven that the tensors do not fit into the banks.

    Attributes:
        bank: the name of the bank that is too small.
        required, available, excess: bytes; excess is required minus available.
    """

    def __init__(self, text: str, bank: str, required: int, available: int) -> None:
        super().__init__(text)
        self.bank = bank
        self.required = required
        self.available = available
        self.excess = required - available


def round_up(size: int, alignment: int) -> int:
    """The least multiple of `alignment` that is not below `size`."""
    return -(-size // alignment) * alignment


@dataclasses.dataclass
class Tensor:
    """A tensor of `size` bytes that is alive during [start, end); `spec` is the host's object."""

    index: int
    spec: Any
    size: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"tensor {self.index} ({self.size} bytes, alive [{self.start}, {self.end - 1}])"


@dataclasses.dataclass
class Body:
    """Tensors at one offset.

    Attributes:
        tensors: they may be alive together.
        allowed: the arenas in which it may be; None: all.
        arena, offset: where it is; the offset is in bytes from the start of the arena.
    """

    tensors: list[Tensor]
    allowed: Optional[Collection[int]] = None
    arena: int = 0
    offset: int = 0

    @property
    def size(self) -> int:
        """The bytes of the largest tensor."""
        return max(tensor.size for tensor in self.tensors)

    def may_be_in(self, mem_id: int) -> bool:
        """Whether an arena is allowed."""
        return self.allowed is None or mem_id in self.allowed

    def ranges(self) -> dict[int, list[tuple[int, int]]]:
        """For each size in bytes, when tensors of this size are alive."""
        by_size: dict[int, list[tuple[int, int]]] = {}
        for tensor in self.tensors:
            if tensor.size > 0:
                by_size.setdefault(tensor.size, []).append((tensor.start, tensor.end))
        return {size: _union(ranges) for size, ranges in by_size.items()}

    def add_to(self, problem: neap.Problem, alignment: int, pools: Sequence[int]) -> int:
        """Adds its buffers, one per size, to a problem and returns the index of the first."""
        first = len(problem)
        for size, ranges in self.ranges().items():
            index = problem.add(size, ranges=ranges, alignment=alignment, pools=pools)
            if index > first:
                problem.relate("colocation", first, index)
        return first


def _union(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges in ascending order; those that overlap or touch are merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


@dataclasses.dataclass
class Arena:
    """An arena: bytes that are taken at its start, then tensors, then padding.

    Attributes:
        mem_id: what the host calls it.
        alignment: bytes; of offsets.
        reserved: the bytes at its start.
        padding: the bytes after the last tensor.
        name: for messages.
        size: bytes; None: unlimited.
        taken: further bytes that tensors have already, each as (low, high, start, end).
    """

    mem_id: int
    alignment: int = 1
    reserved: int = 0
    padding: int = 0
    name: str = ""
    size: Optional[int] = None
    taken: Sequence[tuple[int, int, int, int]] = ()

    @property
    def start(self) -> int:
        """The offset of the first byte for tensors."""
        return round_up(self.reserved, self.alignment)

    @property
    def room(self) -> Optional[int]:
        """The bytes for tensors, or None."""
        if self.size is None:
            return None
        free = max(0, self.size - self.start - self.padding)
        return free - free % self.alignment

    def required(self, peak: int) -> int:
        """The size of an arena whose tensors need `peak` bytes."""
        return self.start + round_up(peak, self.alignment) + self.padding

    def is_too_small(self, peak: int) -> bool:
        """Whether tensors that need `peak` bytes do not fit."""
        return self.size is not None and peak > 0 and self.required(peak) > self.size

    def too_small(self, peak: int) -> BankTooSmall:
        """What to raise if tensors that need `peak` bytes do not fit."""
        required, available = self.required(peak), self.size or 0
        text = (
            f"'{self.name}' (mem_id {self.mem_id}) is too small: {required} bytes required, "
            f"{available} available, {required - available} in excess"
        )
        if self.reserved or self.padding:
            text += f"; submodules need {self.reserved} bytes of it, padding {self.padding}"
        return BankTooSmall(text, self.name, required, available)

    def add_to(self, problem: neap.Problem, cost: int) -> int:
        """Adds it as a pool with this cost per byte, and returns the index."""
        pool = problem.add_pool(
            self.name or str(self.mem_id),
            capacity=self.room,
            alignment=self.alignment,
            cost=cost,
        )
        for low, high, start, end in self.taken:
            problem.reserve(low - self.start, high - self.start, start=start, end=end, pool=pool)
        return pool


def _is_plain(arenas: Sequence[Arena]) -> bool:
    """Whether the arenas need no pools."""
    return len(arenas) == 1 and arenas[0].size is None and not arenas[0].taken


class Placer:
    """Places bodies in arenas.

    Args:
        options: of `neap.plan`.
        on_plan: called with the list of the arenas and the `neap.Plan` of each run.
    """

    def __init__(
        self,
        options: dict[str, Any],
        on_plan: Optional[Callable[[list[int], neap.Plan], object]] = None,
    ) -> None:
        self._options = options
        self._on_plan = on_plan

    def place(self, arenas: Sequence[Arena], bodies: Sequence[Body]) -> None:
        """Gives each body an arena and an offset; each may be in at least one of the arenas.

        It puts as few bytes as possible outside the first arena.

        Raises:
            BankTooSmall: it is proven that the bodies do not fit.
            neap.NoPlan: no plan was found that fits.
        """
        try:
            self._plan(arenas, bodies)
        except neap.Infeasible:
            self._explain(arenas, bodies, is_proven=True)
        except neap.NoPlan:
            self._explain(arenas, bodies, is_proven=False)

    def _plan(self, arenas: Sequence[Arena], bodies: Sequence[Body]) -> dict[int, int]:
        """Places bodies, and returns the bytes that they need in each arena."""
        problem = neap.Problem()
        pools = []
        if not _is_plain(arenas):
            pools = [arena.add_to(problem, rank) for rank, arena in enumerate(arenas)]
        alignment = arenas[0].alignment if _is_plain(arenas) else 1  # pools have their own
        placed = []
        for body in bodies:
            allowed = [k for k, arena in enumerate(arenas) if body.may_be_in(arena.mem_id)]
            body.arena, body.offset = arenas[allowed[0]].mem_id, arenas[allowed[0]].start
            if body.size > 0:
                possible = [pools[k] for k in allowed] if pools else []
                placed.append((body, body.add_to(problem, alignment, possible)))
        peaks = {arena.mem_id: 0 for arena in arenas}
        if not placed:
            return peaks
        plan = neap.plan(problem, **self._options)
        if self._on_plan is not None:
            self._on_plan([arena.mem_id for arena in arenas], plan)
        offsets, chosen = plan.offsets, plan.pools
        for body, first in placed:
            arena = arenas[chosen[first]]
            body.arena, body.offset = arena.mem_id, arena.start + offsets[first]
            peaks[body.arena] = max(peaks[body.arena], offsets[first] + body.size)
        return peaks

    def _explain(
        self, arenas: Sequence[Arena], bodies: Sequence[Body], is_proven: bool
    ) -> None:
        """Raises with the bank that is too small, unless the bodies fit after all."""
        for arena in arenas:
            pinned = [body for body in bodies if list(body.allowed or ()) == [arena.mem_id]]
            self._demand([dataclasses.replace(arena, size=None)], pinned, arena, is_proven)
        last = arenas[-1]
        self._demand([*arenas[:-1], dataclasses.replace(last, size=None)], bodies, last, is_proven)
        if is_proven:
            raise neap.Infeasible("the tensors do not fit into the banks")

    def _demand(
        self, arenas: Sequence[Arena], bodies: Sequence[Body], bank: Arena, is_proven: bool
    ) -> None:
        """Raises if the bodies need more of a bank, here without a limit, than it has."""
        peak = self._plan(arenas, bodies)[bank.mem_id]
        if not bank.is_too_small(peak):
            return
        error = bank.too_small(peak)
        if is_proven:
            raise error from None
        raise neap.NoPlan(f"found no plan within the limits of the search: {error}") from None
