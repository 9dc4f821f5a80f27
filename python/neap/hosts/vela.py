# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensor allocation for Vela, the compiler for Arm's Ethos-U processors.

Vela's hill climb, `ethosu.vela.hillclimb_allocation.allocate_live_ranges`, gives each live range an
address.  The function of this module has the same name, signature and meaning, and plans with neap.
`install` lets Vela use the lower layout of both, and its own if they are equally low:

    python3 -m neap.hosts.vela model.tflite --output-dir out  # Vela's program, with neap installed

    import neap.hosts.vela
    neap.hosts.vela.install()                                 # or this, in a program that calls Vela

Vela checks all layouts with its own `verify_allocation`.
"""
from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any, Callable, Optional, Protocol, Sequence

import neap
from neap.hosts import _host

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import RunOptions

__all__ = ["LiveRange", "allocate_live_ranges", "install", "main", "uninstall"]

HOST = "ethosu.vela.hillclimb_allocation"
HOOK = "allocate_live_ranges"
PROGRAM = "ethosu.vela.vela"
PACKAGE = "ethos-u-vela"


class LiveRange(Protocol):
    """What is read of Vela's live ranges: times, both inclusive, and a size in bytes."""

    start_time: int
    end_time: int
    size: int

    def get_alignment(self) -> int:
        """The number of bytes that the address must be a multiple of."""


Allocator = Callable[[Sequence[LiveRange], Optional[int], int], "list[int]"]


class _Task:
    """Live ranges to allocate, and the problem that they make."""

    def __init__(self, lrs: Sequence[LiveRange], options: dict[str, Any]) -> None:
        self.lrs = lrs
        self.options = options
        self.problem = neap.Problem()
        # A live range that nothing uses has no time, and collides with nothing.
        self.used = [index for index, lr in enumerate(lrs) if lr.start_time <= lr.end_time]
        for index in self.used:
            lr = lrs[index]
            self.problem.add(
                lr.size, lr.start_time, lr.end_time + 1, alignment=lr.get_alignment()
            )

    def plan(self, max_iterations: int | None, memory_limit: int) -> neap.Plan:
        """Plans, and searches on if the limit is exceeded and not proven to be out of reach."""
        plan = neap.plan(self.problem, **self.options)
        if not max_iterations or not plan.lower_bound <= memory_limit < plan.peak:
            return plan
        # An iteration of the hill climb places every live range once, which costs neap a tick each.
        limits = {"capacity": memory_limit, "max_ticks": max_iterations * len(self.used)}
        try:
            return neap.plan(self.problem, **{**self.options, **limits, "until_fits": True})
        except (neap.Infeasible, neap.NoPlan):
            return plan

    def addresses(self, plan: neap.Plan) -> list[int]:
        """The address of every live range."""
        addresses = [0] * len(self.lrs)
        for index, offset in zip(self.used, plan.offsets):
            addresses[index] = int(offset)
        return addresses

    def peak(self, addresses: Sequence[int]) -> int:
        """The bytes that a layout needs."""
        return max(int(address + lr.size) for address, lr in zip(addresses, self.lrs))


def allocate_live_ranges(
    lrs: Sequence[LiveRange], max_iterations: int | None, memory_limit: int
) -> list[int]:
    """Returns the address of every live range, in bytes.

    As in Vela, `memory_limit` (bytes) is a goal: a layout above it is still returned, and one that
    fits is still made as low as possible.  If neap misses a goal that may be in reach, it spends
    the work of `max_iterations` iterations of Vela on it; None: it does not.
    """
    task = _Task(lrs, {})
    if not task.used:
        return [0] * len(lrs)
    plan = task.plan(max_iterations, memory_limit)
    if memory_limit < plan.lower_bound:
        text = f"memory limit {memory_limit} is below the lower bound, {plan.lower_bound} bytes"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    return task.addresses(plan)


class _StandIn:
    """What `install` puts in the place of Vela's function: never higher than it."""

    def __init__(self, host: Allocator, options: dict[str, Any]) -> None:
        self.host = host
        self.options = options

    def __call__(
        self, lrs: Sequence[LiveRange], max_iterations: int | None, memory_limit: int
    ) -> list[int]:
        task = _Task(lrs, self.options)
        if not task.used:
            return self.host(lrs, max_iterations, memory_limit)
        plan = task.plan(max_iterations, memory_limit)
        # If neap's layout is proven optimal, a short hill climb tells whether Vela's is as low.
        theirs = self.host(lrs, 0 if plan.status == "optimal" else max_iterations, memory_limit)
        return theirs if task.peak(theirs) <= plan.peak else task.addresses(plan)


def install(**options: Unpack[RunOptions]) -> None:
    """Makes Vela use neap in this process; `options` are those of `neap.plan`.

    Vela's hill climb also runs, but only briefly if neap has proven that its layout is the lowest.
    If the hill climb is as low, its layout is used, so that Vela's output does not change.
    Installing again replaces the options.
    """
    uninstall()
    module = _host.load(HOST, PACKAGE)
    setattr(module, HOOK, _StandIn(getattr(module, HOOK), dict(options)))


def uninstall() -> None:
    """Gives Vela its own function back; does nothing if it has it."""
    module = _host.load(HOST, PACKAGE)
    current = getattr(module, HOOK)
    if isinstance(current, _StandIn):
        setattr(module, HOOK, current.host)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs Vela's program with neap installed; `arguments` are Vela's."""
    _host.install_or_exit("neap.hosts.vela", install)
    program = _host.load(PROGRAM, PACKAGE)
    return int(program.main(None if arguments is None else list(arguments)) or 0)


if __name__ == "__main__":
    sys.exit(main())
