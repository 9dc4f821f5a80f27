# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules of tinygrad, and what its planner makes of them."""
from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Iterator

import tinygrad.engine.jit
import tinygrad.schedule
from tinygrad import Tensor
from tinygrad.schedule import memory
from tinygrad.uop.ops import Ops, UOp

import neap.hosts.tinygrad

UNIT = 256  # bytes; sizes are multiples of it

Schedule = tuple[UOp, set]


@dataclass
class Placed:
    """A buffer: its arena, its bytes [low, high) there, and the steps that use it, inclusive."""

    arena: UOp
    low: int
    high: int
    first: int
    last: int


@contextlib.contextmanager
def captured() -> Iterator[list[Schedule]]:
    """Keeps tinygrad from planning, and yields the schedules that it would have planned."""
    schedules: list[Schedule] = []

    def capture(linear, held=None):
        schedules.append((linear, held or set()))
        return linear

    modules = tinygrad.schedule, tinygrad.engine.jit
    planner = memory.memory_plan_rewrite
    for module in modules:
        assert module.memory_plan_rewrite is planner
        module.memory_plan_rewrite = capture
    try:
        yield schedules
    finally:
        for module in modules:
            module.memory_plan_rewrite = planner


def schedule(*tensors: Tensor) -> Schedule:
    """The schedule that computes tensors, before it is planned."""
    with captured() as schedules:
        tensors[0].linear_with_vars(*tensors[1:])
    return max(schedules, key=lambda item: len(item[0].src))


def placed(linear: UOp, planned: UOp) -> list[Placed]:
    """Where the buffers of a schedule are after planning."""
    found: dict[UOp, Placed] = {}
    for step, (before, after) in enumerate(zip(linear.src, planned.src)):
        for old, new in zip(before.src[1:], after.src[1:]):
            view = new.src[0] if new.op is Ops.BITCAST else new
            if old is new or view.op is not Ops.SHRINK:
                continue
            arena, low = view.src[0], view.src[1].val
            place = found.setdefault(old, Placed(arena, low, low + old.nbytes(), step, step))
            assert place.arena is arena and place.low == low
            place.last = step
    return list(found.values())


def check(buffers: list[Placed]) -> None:
    """Fails if buffers that are used at the same time share bytes."""
    for i, one in enumerate(buffers):
        assert one.low >= 0 and one.high <= one.arena.nbytes()
        for other in buffers[:i]:
            apart = one.last < other.first or other.last < one.first
            assert apart or one.arena is not other.arena or (
                one.high <= other.low or other.high <= one.low
            ), (one, other)


def sizes(buffers: list[Placed]) -> list[int]:
    """The sizes of the arenas in bytes, ascending."""
    return sorted(arena.nbytes() for arena in {buffer.arena for buffer in buffers})


def bound(buffers: list[Placed]) -> int:
    """The most bytes that are used at one step."""
    steps = [0] * (1 + max(buffer.last for buffer in buffers))
    for buffer in buffers:
        for step in range(buffer.first, buffer.last + 1):
            steps[step] += -(-(buffer.high - buffer.low) // UNIT) * UNIT
    return max(steps)


def compare(linear: UOp, held: set, **options: object) -> tuple[list[Placed], list[Placed]]:
    """Plans a schedule by tinygrad alone and with neap, checks both, and returns both."""
    host = memory.memory_plan_rewrite
    before = placed(linear, host(linear, held))
    neap.hosts.tinygrad.install(**options)
    try:
        after = placed(linear, memory.memory_plan_rewrite(linear, held))
    finally:
        neap.hosts.tinygrad.uninstall()
    assert memory.memory_plan_rewrite is host
    assert len(before) == len(after)
    check(before)
    check(after)
    ours, theirs = sizes(after), sizes(before)
    assert len(ours) == len(theirs) and all(a <= b for a, b in zip(ours, theirs)), (ours, theirs)
    return before, after
