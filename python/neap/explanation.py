# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a problem fits a capacity or not, and what would change that."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from _neap import problem as _problem
from _neap.interrupt import Watch
from _neap.library import lib, make, sized, text
from neap.errors import ArgumentError
from neap.planning import _make_options
from neap.problem import Problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import Engine, Options

# What an Explanation says first, by its verdict.
VERDICTS = {"fits": "it fits", "does_not_fit": "it does not fit (proven)", "unknown": "not known"}
# How a Change reads, by its kind.
CHANGES = {
    "alignment": "align {buffer} to {bytes}",
    "fixed": "let {buffer} leave its fixed offset",
    "window": "drop the window of {buffer}",
    "bank": "drop the bank of {buffer}",
    "relation": "drop relations[{index}], of {buffer} and {other}",
    "reserved": "free reserved[{index}]",
    "overlap": "let {buffer} overlap {other} by {bytes} bytes",
    "size": "make {buffer} {bytes} bytes smaller",
    "end": "free {buffer} at {time} instead of at {was}",
    "start": "allocate {buffer} at {time} instead of at {was}",
    "capacity": "make the capacity {bytes} bytes larger",
}
NAMES_MAX = 8  # how many buffers of a list are printed


@dataclass(frozen=True)
class Change:
    """One change to a problem.

    Attributes:
        kind: "alignment", "fixed", "window", "bank", "relation", "reserved", "overlap", "size",
            "end", "start" or "capacity".
        buffer, other: names of buffers, or None.
        index: of the relation, the reserved bytes or the pool.
        bytes: the new alignment, or the number of bytes removed, shared or added.
        time, was: the new and the present end or start.
    """

    kind: str
    buffer: Optional[str]
    other: Optional[str]
    index: int
    bytes: int
    time: int
    was: int

    def __str__(self) -> str:
        values = {**vars(self), "buffer": repr(self.buffer), "other": repr(self.other)}
        return CHANGES[self.kind].format(**values)


@dataclass(frozen=True)
class Fix:
    """Changes that together make the problem fit; planning with them has succeeded.

    Attributes:
        changes: one or two.
        cost: bytes, or bytes times time if is_area is true.
        is_area: whether lifetimes get shorter.
        peak: of the plan that was found.
    """

    changes: tuple[Change, ...]
    cost: int
    is_area: bool
    peak: int

    def __str__(self) -> str:
        unit = "bytes x time" if self.is_area else "bytes"
        return f"{' and '.join(map(str, self.changes))}: costs {self.cost} {unit}, peak {self.peak}"


def _shortened(names: tuple[str, ...]) -> str:
    more = len(names) - NAMES_MAX
    return ", ".join(names[:NAMES_MAX]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class Explanation:
    """What `explain` found.

    Attributes:
        verdict: "fits", "does_not_fit" (proven) or "unknown".
        reason: "none", "sum", "column", "pools" or "set".
        available, required, peak: bytes; None if unknown.
        bound: bytes.
        when: the time at which most bytes are alive.
        alive: the buffers alive then, the largest first.
        core: buffers that cannot fit together, the largest first.
        minimal: whether it is proven that removing any one of them lets the others fit.
        complete: whether no limit was reached.
        fixes: what would make it fit or, without a capacity, lower the peak.
    """

    verdict: str
    reason: str
    available: Optional[int]
    required: Optional[int]
    peak: Optional[int]
    bound: int
    when: tuple[int, int]
    alive: tuple[str, ...]
    core: tuple[str, ...]
    minimal: bool
    complete: bool
    fixes: tuple[Fix, ...]

    def __str__(self) -> str:
        figures = ("required", "available", "peak", "bound")
        lines = [f"verdict    {VERDICTS[self.verdict]}"]
        lines += [
            f"{name:11}{getattr(self, name)} bytes"
            for name in figures
            if getattr(self, name) is not None
        ]
        lines.append(f"moment     {self.when[0]} to {self.when[1]}: {_shortened(self.alive)}")
        if self.core:
            lines.append(f"too large  {_shortened(self.core)} together")
        lines += [f"{'' if k else 'fixes':11}{fix}" for k, fix in enumerate(self.fixes)]
        return "\n".join(lines)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        """What notebooks show."""
        printer.text(str(self))


def _known(value: int) -> Optional[int]:
    return value if value >= 0 else None


def _buffers(item_at: Callable[..., bool], pointer: Any, names: list[str]) -> Iterator[str]:
    for item in _problem.items("size_t", item_at, pointer):
        yield names[item[0]]


def _change(item: Any, names: list[str]) -> Change:
    def name(index: int) -> Optional[str]:
        return names[index] if index < len(names) else None

    return Change(
        text(lib().neap_change_kind_name(item.kind)),
        name(item.buffer),
        name(item.other),
        item.index,
        item.bytes,
        item.time,
        item.was,
    )


def _fix(item: Any, names: list[str]) -> Fix:
    changes = tuple(_change(item.changes[i], names) for i in range(item.change_count))
    return Fix(changes, item.cost, item.is_area, item.peak)


def _read(pointer: Any, names: list[str]) -> Explanation:
    c = lib()
    report = sized("neap_explanation_report")
    c.neap_explanation_get_report(pointer, report)
    fixes = _problem.items("neap_fix", c.neap_explanation_fix_at, pointer)
    return Explanation(
        text(c.neap_verdict_name(report.verdict)),
        text(c.neap_reason_name(report.reason)),
        _known(report.available),
        _known(report.required),
        _known(report.peak),
        report.bound,
        (report.when.start, report.when.end),
        tuple(_buffers(c.neap_explanation_alive_at, pointer, names)),
        tuple(_buffers(c.neap_explanation_core_at, pointer, names)),
        report.is_minimal,
        report.is_complete,
        tuple(_fix(item, names) for item in fixes),
    )


def explain(
    problem: Problem,
    capacity: Optional[int] = None,
    fixes: int = 12,
    engine: Engine = "auto",
    time_limit: Optional[float] = None,
    **options: Unpack[Options],
) -> Explanation:
    """Explains why a problem fits a capacity or the capacities of its pools, or why not.

    Without any, explains why the peak is not lower.  Unless time_limit or max_ticks is given, it
    takes at most ten seconds.  After Ctrl-C, it raises KeyboardInterrupt.

    Args:
        problem: a problem.
        capacity: bytes of the arena.
        fixes: the most changes to list; 0 looks for none.
        engine, time_limit, options: as for `neap.plan`.

    Raises:
        InputError: the problem is malformed, or the engine does not support it.
        ArgumentError: an argument is out of range, or there is no such option.
    """
    c = lib()
    if not 0 <= fixes <= c.NEAP_FIXES_MAX:
        raise ArgumentError(f"fixes is not between 0 and {c.NEAP_FIXES_MAX}: {fixes}")
    limits = {"engine": engine, "time_limit": time_limit, "capacity": capacity}
    given: dict[str, Any] = {**limits, **options}
    native = problem._handle()
    watch = Watch()
    explaining = sized("neap_explaining")
    explaining.fixes, explaining.no_fixes = fixes, fixes == 0
    # The callback is needed because Python handles Ctrl-C while it runs.
    callback = watch.callback("neap_explain_function *", lambda _progress, _user: True, False)
    explaining.progress = callback
    pointer = make(
        c.neap_explain,
        "neap_explanation",
        c.neap_explanation_free,
        native.pointer,
        _make_options(given),
        explaining,
    )
    if watch.caught is not None:
        raise watch.caught
    count = range(native.count)
    buffer = sized("neap_buffer")
    names = [text(buffer.name) for i in count if c.neap_problem_buffer_at(native.pointer, i, buffer)]
    return _read(pointer, names)
