# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning, with its engines and options."""
from __future__ import annotations

import dataclasses
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Union

from _neap import problem as _problem
from _neap.declarations import ffi
from _neap.interrupt import Watch
from _neap.library import call, created, lib, make, text
from _neap.plan import NativePlan
from _neap.reading import ORDERING, Reading, Scheduling
from _neap.values import encode, is_given, option_text, seconds, shown
from neap import files
from neap.errors import ArgumentError, Interrupted, NoPlan
from neap.plan import Offsets, Plan
from neap.problem import Problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import Engine, PlanOptions, RunOptions

Option = Union[str, int, float, bool, None]

# Seconds between two calls of on_progress.
PROGRESS_INTERVAL = 0.05

# The arguments for reading.  An argument that planning also has goes to planning.
READING = {field.name for field in dataclasses.fields(Reading)}
READING -= {field.name for field in dataclasses.fields(Scheduling)} - set(ORDERING)


@dataclass(frozen=True)
class Progress:
    """The state of a run.

    Attributes:
        ticks: units of work: buffers placed and nodes of the exact search.
        rounds: finished layouts.
        restarts: of the exact search.
        bound, lower_bound: bytes.
        peak: bytes; None before there is a plan.
        seconds: since the start.
    """

    ticks: int
    rounds: int
    restarts: int
    bound: int
    lower_bound: int
    peak: Optional[int]
    seconds: float


@dataclass(frozen=True)
class Choice:
    """An engine or an option: its name, and what it is or does."""

    name: str
    summary: str


def engines() -> list[Choice]:
    """The engines that `plan` accepts."""
    listed = _problem.items("neap_engine_info", *_without_owner(lib().neap_engine_at))
    return [Choice(text(item.name), text(item.summary)) for item in listed]


def options() -> list[Choice]:
    """The options that `plan` accepts, besides its own arguments."""
    listed = _problem.items("neap_option_info", *_without_owner(lib().neap_option_at))
    return [Choice(text(item.name).replace("-", "_"), text(item.help)) for item in listed]


def _without_owner(item_at: Callable[..., bool]) -> tuple[Callable[..., bool], None]:
    """The function and the owner for lists that belong to the library itself."""
    return (lambda _owner, index, item: bool(item_at(index, item))), None


def _make_options(given: dict[str, Option]) -> Any:
    c = lib()
    made = created(c.neap_options_new(), c.neap_options_free)
    for name, value in given.items():
        if value is not None:
            pair = encode(name.replace("_", "-"), "an option"), encode(option_text(value), name)
            call(c.neap_options_set, made, *pair)
    return made


# ---------------------------------------------------------------- planning


def _report_progress(item: Any) -> Progress:
    peak = item.peak if item.peak >= 0 else None
    return Progress(
        item.ticks,
        item.rounds,
        item.restarts,
        item.bound,
        item.lower_bound,
        peak,
        item.seconds,
    )


class _Run:
    """One run of a planner in C."""

    def __init__(
        self,
        native: _problem.NativeProblem,
        given: dict[str, Option],
        on_progress: Optional[Callable[[Progress], object]],
    ) -> None:
        c = lib()
        self._native = native
        self._planner = make(
            c.neap_planner_new,
            "neap_planner",
            c.neap_planner_free,
            native.pointer,
            _make_options(given),
        )
        self._on_progress = on_progress
        self._reported = time.monotonic()
        planner = self._planner

        def cancel() -> None:
            c.neap_planner_cancel(planner)

        self.watch = Watch(cancel)
        # The callback is needed even without on_progress: Python handles Ctrl-C while it runs.
        self._callback = self.watch.callback("neap_progress_function *", self._progress)
        c.neap_planner_on_progress(self._planner, self._callback, ffi.NULL)

    def _progress(self, item: Any, _user: object) -> None:
        now = time.monotonic()
        if self._on_progress is None or now - self._reported < PROGRESS_INTERVAL:
            return
        self._reported = now
        if self._on_progress(_report_progress(item)) is False:
            lib().neap_planner_cancel(self._planner)

    def steps(self) -> None:
        """Works until the run is over or interrupted."""
        done = ffi.new("bool *")
        while not done[0]:
            try:
                call(lib().neap_planner_step, self._planner, done)
            except KeyboardInterrupt as error:
                self.watch.catch(error)

    def close(self) -> None:
        """Removes the callback, which would otherwise keep this object alive."""
        lib().neap_planner_on_progress(self._planner, ffi.NULL, ffi.NULL)
        self._callback = None

    def best(self) -> NativePlan:
        """The best plan so far."""
        c = lib()
        pointer = make(c.neap_planner_plan, "neap_plan", c.neap_plan_free, self._planner)
        return NativePlan(pointer, self._native)


def _shared_limits(reading: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Limits on planning that also hold for recomputation, which may take half of the time."""
    if not reading.get("recompute"):
        return {}
    limit = given.get("time_limit")
    return {
        "capacity": given.get("capacity"),
        "max_ticks": given.get("max_ticks"),
        "time_limit": None if limit is None else seconds(limit, "time_limit") / 2,
    }


def _expect_no_ordering(given: dict[str, Any]) -> None:
    for name in ORDERING:
        if is_given(given.get(name)):
            raise ArgumentError(f"{name} is for files; a graph has it as an argument of problem()")


def _plan_here(
    problem: Problem,
    given: dict[str, Option],
    on_progress: Optional[Callable[[Progress], object]],
) -> Plan:
    native = problem._handle()  # as it is now: it may be changed while it is planned
    run = _Run(native, given, on_progress)
    try:
        run.steps()
        run.watch.raise_caught()
        plan = Plan(Problem._from_native(native), run.best())
        plan.name = problem._source
    except NoPlan:
        if run.watch.is_interrupted():
            raise Interrupted from None
        raise
    finally:
        run.close()
    if run.watch.is_interrupted():
        raise Interrupted(plan)
    return plan


def plan(
    problem: Union[Problem, str, os.PathLike[str]],
    engine: Engine = "auto",
    time_limit: Optional[float] = None,
    capacity: Optional[int] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    process: bool = False,
    **options: Unpack[PlanOptions],
) -> Plan:
    """Plans a problem and returns the best plan found, which has been verified.

    After Ctrl-C, it raises `neap.Interrupted`, a KeyboardInterrupt, whose attribute `plan` is the
    best plan so far.  Other threads run while neap works.

    Args:
        problem: a problem, or the path of a file with one; for a file, arguments of
            `neap.read` are also accepted, such as schedule="optimal" with start=plan, which begins with the
            order of an earlier plan.  With recompute=True, operators may run again, and time_limit,
            max_ticks and capacity also hold for the search for runs.
        engine: one of `neap.engines()`.
        time_limit: seconds.
        capacity: bytes of the arena.  With until_fits=True, the first plan that fits is returned;
            otherwise neap still looks for the lowest peak.
        on_progress: called up to twenty times a second; False ends the run with the best plan so
            far, and an exception ends it without one.
        process: run the program neap instead of calling the library, which is then not loaded.  The
            problem and the plan are JSON in pipes.  on_progress is not supported.
        options: further options with the names in `neap.options()`, such as seed=7.

    Raises:
        Infeasible: it is proven that no plan fits the capacity.
        NoPlan: the limits were too low to find a plan that fits.
        InputError: the problem is malformed, or the engine does not support it.
        ArgumentError: there is no such option, or it does not accept the value.
    """
    limits = {"engine": engine, "time_limit": time_limit, "capacity": capacity}
    given: dict[str, Any] = {**limits, **options}
    if on_progress is not None and not callable(on_progress):
        raise ArgumentError(f"on_progress is not a function: {shown(on_progress)}")
    if isinstance(problem, Problem):
        _expect_no_ordering(given)
    if process:
        if on_progress is not None:
            raise ArgumentError("on_progress needs the library; drop process=True")
        from neap import process as bridge  # not before it is needed: most programs never need it

        return bridge.plan(problem, given)
    if not isinstance(problem, Problem):
        reading = {name: given.pop(name) for name in READING & given.keys()}
        problem = files.read(problem, **reading, **_shared_limits(reading, given))
    return _plan_here(problem, given, on_progress)


def pack(
    starts: Iterable[int],
    ends: Iterable[int],
    sizes: Iterable[int],
    alignments: Optional[Iterable[int]] = None,
    **options: Unpack[RunOptions],
) -> Offsets:
    """Plans arrays, which may be numpy's, and returns the offsets in bytes.

    Buffer i is alive during [starts[i], ends[i]) and has sizes[i] bytes; its offset is a multiple
    of alignments[i].  Options and exceptions are those of `plan`.
    """
    return plan(Problem.from_arrays(starts, ends, sizes, alignments), **options).offsets
