# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory planning for tinygrad.

tinygrad's `memory_plan_rewrite` (tinygrad/schedule/memory.py) walks through a schedule in time
order.  An allocator made for run time places each buffer when its lifetime begins and frees it when
it ends; it cannot know what comes later.  neap does:

    import neap.hosts.tinygrad
    neap.hosts.tinygrad.install()            # before anything is realized

    python3 -m neap.hosts.tinygrad train.py  # or this: runs train.py with neap installed

First, tinygrad plans a schedule alone, and its requests to the allocator are recorded.  If the
layout is above the bound, neap plans the recorded lifetimes, and tinygrad plans the schedule again
with an allocator that replays neap's offsets.  So tinygrad still decides which buffers are planned,
when they are alive and which arena they are in (one per device, and one more for copies).  A layout
is never higher than tinygrad's.
"""
from __future__ import annotations

import contextlib
import contextvars
import functools
import logging
import math
import os
import runpy
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Iterator, Protocol, Sequence

import neap
from neap.hosts import _host

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import RunOptions

__all__ = ["install", "main", "uninstall"]

HOST = "tinygrad.schedule.memory"
PACKAGE = "tinygrad"
HOOK = "memory_plan_rewrite"
ALLOCATOR = "TLSFAllocator"

_log = logging.getLogger(__name__)

# A buffer: size in bytes, and lifetime [start, end), counted in requests to its allocator.
Request = tuple[int, int, int]
Maker = Callable[..., Any]


class Allocator(Protocol):
    """What tinygrad's planner needs of an allocator; sizes and offsets in bytes."""

    def alloc(self, size: int, /) -> int:
        """Places a buffer and returns its offset."""

    def free(self, start: int, /) -> None:
        """Frees the buffer at an offset."""


class Replay:
    """An allocator that gives out the offsets of a plan, in the order of the requests."""

    def __init__(self, offsets: Sequence[int]) -> None:
        self.offsets = iter(offsets)

    def alloc(self, _size: int, /) -> int:
        """Returns the planned offset of the next buffer."""
        return next(self.offsets, 0)

    def free(self, _start: int, /) -> None:
        """Does nothing: the plan knows when lifetimes end."""


@dataclass
class Lane:
    """An allocator that passes requests on to another one, and keeps them.

    Attributes:
        allocator: answers the requests.
        sizes, starts, ends, offsets: of each buffer, in the order of the requests.
        bound: the largest sum of sizes alive at one moment, in bytes.
    """

    allocator: Allocator
    sizes: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    bound: int = 0
    _clock: int = 0
    _used: int = 0
    _alive: dict[int, int] = field(default_factory=dict)

    def alloc(self, size: int, /) -> int:
        """Places a buffer of `size` bytes and returns its offset."""
        offset = self.allocator.alloc(size)
        self._alive[offset] = len(self.sizes)
        self.sizes.append(size)
        self.starts.append(self._clock)
        self.ends.append(self._clock + 1)
        self.offsets.append(offset)
        self._clock += 1
        self._used += size
        self.bound = max(self.bound, self._used)
        return offset

    def free(self, start: int, /) -> None:
        """Ends the lifetime of the buffer at offset `start`."""
        self.allocator.free(start)
        index = self._alive.pop(start, None)
        if index is not None:
            self.ends[index] = self._clock
            self._used -= self.sizes[index]
        self._clock += 1

    @property
    def peak(self) -> int:
        """The size of the arena in bytes."""
        return max((size + offset for size, offset in zip(self.sizes, self.offsets)), default=0)

    @property
    def alignment(self) -> int:
        """The greatest common divisor of all sizes and offsets, in bytes."""
        return math.gcd(*self.sizes, *self.offsets)

    @property
    def requests(self) -> tuple[Request, ...]:
        """The buffers without their offsets."""
        return tuple(zip(self.sizes, self.starts, self.ends))


# Makes the allocators of the schedule that is being planned; None: tinygrad's own class does.
_maker: contextvars.ContextVar[Maker | None] = contextvars.ContextVar("_maker", default=None)


@contextlib.contextmanager
def _recording(make: Maker) -> Iterator[list[Lane]]:
    """Lets allocators be lanes over what `make` makes, and yields the list of them."""
    lanes: list[Lane] = []

    def make_lane(*args: Any, **keywords: Any) -> Lane:
        lanes.append(Lane(make(*args, **keywords)))
        return lanes[-1]

    token = _maker.set(make_lane)
    try:
        yield lanes
    finally:
        _maker.reset(token)


class _Switch:
    """What `install` puts in the place of the allocator's class in tinygrad's module."""

    def __init__(self, host: Maker) -> None:
        self.host = host

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return (_maker.get() or self.host)(*args, **keywords)


class _Planner:
    """What `install` puts in the place of tinygrad's planner."""

    def __init__(self, host: Callable[..., Any], switch: _Switch, options: dict[str, Any]) -> None:
        self.host = host
        self.switch = switch
        # Programs without tinygrad's JIT plan the same schedule again and again.
        self.layout = functools.lru_cache(maxsize=256)(functools.partial(_layout, options))
        functools.update_wrapper(self, host)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        with _recording(self.switch.host) as lanes:
            result = self.host(*args, **keywords)
        layouts = [self.lower(lane) for lane in lanes]
        if layouts == [lane.offsets for lane in lanes]:
            return result
        replays = (Replay(offsets) for offsets in layouts)
        with _recording(lambda *_, **__: next(replays, Replay(()))) as replayed:
            better = self.host(*args, **keywords)
        if [lane.requests for lane in replayed] == [lane.requests for lane in lanes]:
            return better
        _log.warning("tinygrad did not repeat its requests; its own layout is used")
        return result

    def lower(self, lane: Lane) -> Sequence[int]:
        """Returns the lower of neap's layout and tinygrad's: offsets in bytes."""
        if lane.peak <= lane.bound:
            return lane.offsets
        return self.layout(lane.requests, lane.alignment, lane.peak) or lane.offsets


def _layout(
    options: dict[str, Any], requests: Sequence[Request], alignment: int, peak: int
) -> list[int] | None:
    """Returns offsets, multiples of `alignment` bytes, with a peak below `peak`, or None."""
    problem = neap.Problem()
    for size, start, end in requests:
        problem.add(size, start, end, alignment=alignment)
    try:
        plan = neap.plan(problem, **options)
    except neap.NoPlan:
        return None
    numbers = len(requests), peak, plan.peak, plan.bound
    _log.info("%d buffers: tinygrad %d bytes, neap %d, bound %d", *numbers)
    return [int(offset) for offset in plan.offsets] if plan.peak < peak else None


def install(**options: Unpack[RunOptions]) -> None:
    """Makes tinygrad plan with neap in this process; `options` are those of `neap.plan`.

    Call it before anything is realized: what has been planned keeps its layout.  Installing again
    replaces the options.
    """
    uninstall()
    module = _host.load(HOST, PACKAGE)
    switch = _Switch(getattr(module, ALLOCATOR))
    planner = _Planner(getattr(module, HOOK), switch, dict(options))
    setattr(module, ALLOCATOR, switch)
    _replace(planner.host, planner)


def uninstall() -> None:
    """Gives tinygrad its own planner back; does nothing if it has it."""
    module = _host.load(HOST, PACKAGE)
    planner = getattr(module, HOOK)
    if isinstance(planner, _Planner):
        setattr(module, ALLOCATOR, planner.switch.host)
        _replace(planner, planner.host)


def _replace(old: object, new: object) -> None:
    """Replaces the planner in all modules of tinygrad, which import it by name."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "tinygrad" and vars(module).get(HOOK) is old:
            setattr(module, HOOK, new)


def main(arguments: Sequence[str]) -> None:
    """Runs a program with neap installed: `arguments` are its path and its arguments."""
    if not arguments:
        sys.exit("usage: python3 -m neap.hosts.tinygrad PROGRAM [ARGUMENT...]")
    if not os.path.exists(arguments[0]):
        sys.exit(f"neap.hosts.tinygrad: there is no program {arguments[0]}")
    _host.install_or_exit("neap.hosts.tinygrad", install)
    sys.argv = list(arguments)
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
