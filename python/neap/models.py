# SPDX-License-Identifier: GPL-3.0-or-later
"""TensorFlow Lite and ONNX models: what they need, how to make them fit, and bands."""
from __future__ import annotations

import dataclasses
import os
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Union

from _neap.declarations import ffi
from _neap.interrupt import Watch
from _neap.library import call, lib, make, models, sized, text
from _neap.plan import NativePlan, native
from _neap.problem import NativeProblem, items
from _neap.reading import Members, Reading, Scheduling, fill_reading, fill_scheduling, reading_of
from _neap.values import choose, encode, encode_path, integer, seconds, shown
from neap import planning
from neap.errors import ArgumentError, InputError, Interrupted
from neap.graph import Graph
from neap.plan import Plan
from neap.problem import Operator, Problem

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import ModelOptions, OrderOptions, RunOptions

GOALS = ("arena", "peak", "work")
PLACES = ("together", "head_first", "tail_first")


# ---------------------------------------------------------------- results


@dataclass(frozen=True)
class ArenaOperator:
    """An operator's share of an arena.

    Attributes:
        type: such as "CONV_2D".
        subgraph, index: of the operator in the model.
        persistent: bytes that its kernel keeps in the tail.
        scratch: bytes that it borrows in the head.
    """

    type: str
    subgraph: int
    index: int
    persistent: int
    scratch: int


@dataclass(frozen=True)
class Arena:
    """The memory that TensorFlow Lite Micro needs for a model, in bytes.

    Attributes:
        head: of the planned buffers.
        tail: what the interpreter keeps.
        used: both.
        preparing: the smallest arena for everything that comes before the head.
        smallest: the smallest arena that works.
        persistent, non_persistent: the smallest arenas that work if tail and head have one each.
        parts: of the tail, by name.
        operators: the shares of the operators, in the model's order.
        unknown: types of operators whose kernels are unknown; the arena is larger.
        refused: operators that the runtime cannot run, with the reason; no arena is enough.
        kernels, version: the kernels and the version of the runtime.
        has_overlap: whether outputs may lie over inputs.
        pointer: bytes of a pointer.
    """

    head: int
    tail: int
    used: int
    preparing: int
    smallest: int
    persistent: int
    non_persistent: int
    parts: Mapping[str, int]
    operators: tuple[ArenaOperator, ...]
    unknown: tuple[str, ...]
    refused: tuple[str, ...]
    kernels: str
    version: str
    has_overlap: bool
    pointer: int


@dataclass(frozen=True)
class Need:
    """The memory that a model with its plan needs, in bytes, and its work.

    Attributes:
        peak: of the plan.
        tail, arena: of `Arena`; for an ONNX model, 0 and the peak.
        persistent, non_persistent: of `Arena`; for an ONNX model, the bytes in the second memory
            and in the first.
        is_partial: whether the arena is larger, because operators have unknown kernels.
        is_refused: whether no arena is enough, because the runtime refuses an operator.
        macs: multiply-accumulates.
        operators: their number.
        file_bytes: of the model's file.
    """

    peak: int
    tail: int
    arena: int
    persistent: int
    non_persistent: int
    is_partial: bool
    is_refused: bool
    macs: int
    operators: int
    file_bytes: int


@dataclass(frozen=True)
class Segment:
    """Operators [first, end) of a model in bands of rows, or in groups of channels.

    Attributes:
        ends: where each band of `output` ends.
        by_channels: whether they are groups of channels.
        keeps_rows: whether a band keeps the rows that the next one needs again.
        input, output: names of tensors.
    """

    first: int
    end: int
    ends: tuple[int, ...]
    by_channels: bool
    keeps_rows: bool
    input: str
    output: str


@dataclass(frozen=True)
class Step:
    """Something that was tried to make a model fit.

    Attributes:
        means: "layout", "order", "overlap", "pools" or "split".
        place: "together", or where head and tail are if each has a memory of its own.
        needs: bytes of each memory.
        need: of the model; its work is only known with bands.
        fits: whether it fits.
        is_open: whether it fits if operators with unknown kernels need nothing.
    """

    means: str
    place: str
    needs: tuple[int, int]
    need: Need
    fits: bool
    is_open: bool


@dataclass(frozen=True)
class Search:
    """The state of a search for bands.

    Attributes:
        peak: the lowest so far; None: none yet.
        measured: the number of candidates.
        seconds: since the beginning.
    """

    peak: Optional[int]
    measured: int
    seconds: float


# ---------------------------------------------------------------- C


class _Opened:
    """A model in C, with the memory that its reading points to."""

    def __init__(self, source: Union[str, os.PathLike[str], bytes], reading: Reading) -> None:
        members, item = Members(), sized("neap_reading")
        self._watch = Watch()
        self._ignored: list[str] = []
        fill_reading(item, reading, members)
        item.warn = members.hold(self._watch.callback("neap_warning_function *", self._warn))
        self._members = members
        c, free = models(), models().neap_model_free
        if isinstance(source, (bytes, bytearray, memoryview)):
            content = ffi.from_buffer("char[]", source)
            function, given = c.neap_model_open_bytes, [b"model", content, len(content)]
            self.name = "model"
        else:
            function, given = c.neap_model_open, [encode_path(source)]
            self.name = os.path.basename(os.fsdecode(source))
        self.pointer = make(function, "neap_model", free, *given, item)
        self.tell()

    def _warn(self, warning: Any, _user: object) -> None:
        where = InputError(text(warning.text), text(warning.source), warning.line, warning.column)
        if str(where) not in self._ignored:
            self._ignored.append(str(where))

    def tell(self) -> None:
        """Passes warnings on."""
        ignored, self._ignored = self._ignored, []
        for message in ignored:
            warnings.warn(message, stacklevel=4)

    @property
    def has_arena(self) -> bool:
        """Whether the runtime of the model has an arena."""
        return text(models().neap_model_format(self.pointer)) == "tflite"


def _schedule(given: Mapping[str, Any], members: Members, watch: Watch) -> Any:
    item = ffi.new("neap_scheduling *")
    fill_scheduling(item, Scheduling(**given), members)
    go_on = watch.callback("neap_order_function *", lambda *_: watch.caught is None, failed=False)
    item.progress = members.hold(go_on)
    return item


def _plan_of(pointer: Any, owner: object, name: str) -> Plan:
    """A plan that owns its problem, or that `owner` owns."""
    backing = NativePlan(pointer, None)
    problem = NativeProblem(lib().neap_plan_problem(pointer))
    problem.owner = (backing, owner)
    plan = Plan(Problem._from_native(problem), backing)
    plan.name = name
    return plan


def _notes(item_at: Callable[..., bool], owners: list[Any]) -> tuple[str, ...]:
    found = [text(note.text) for one in owners for note in items("neap_arena_note", item_at, one)]
    return tuple(dict.fromkeys(found))


def _arena(problem: Any, head: int) -> Arena:
    item = sized("neap_arena")
    if not lib().neap_problem_arena(problem, head, item):
        raise ArgumentError("the model has no arena: that is for TensorFlow Lite Micro")
    return _list_arena(item, [problem])


def _list_arena(item: Any, problems: list[Any]) -> Arena:
    c = lib()
    parts = {
        text(c.neap_arena_part_name(part)): item.parts[part] for part in range(c.NEAP_ARENA_PARTS)
    }
    operators = [
        ArenaOperator(text(one.type), one.subgraph, one.index, one.persistent, one.scratch)
        for problem in problems
        for one in items("neap_arena_operator", c.neap_problem_arena_operator_at, problem)
    ]
    numbers = ("head", "tail", "used", "preparing", "smallest", "persistent", "non_persistent")
    return Arena(
        **{name: getattr(item, name) for name in numbers},
        parts=parts,
        operators=tuple(operators),
        unknown=_notes(c.neap_problem_arena_unknown_at, problems),
        refused=_notes(c.neap_problem_arena_refused_at, problems),
        kernels=text(item.kernels),
        version=text(item.version),
        has_overlap=item.has_overlap,
        pointer=item.pointer,
    )


def share_arena(plans: Iterable[Plan]) -> Arena:
    """The arena that the interpreters of several models share, in the order of their plans.

    They run in turn, and are made with one MicroAllocator: their tails add up, and their heads
    overlap.  The plans are those of `Model.plan` or `Model.current_plan`.  The operators are those
    of all models; `subgraph` and `index` count within each model.
    """
    c = lib()
    held = [native(plan) for plan in plans]
    problems = [c.neap_plan_problem(one.pointer) for one in held]
    item = sized("neap_arena")
    if not c.neap_plans_arena([one.pointer for one in held], len(held), item):
        raise ArgumentError(
            "only models for TensorFlow Lite Micro share an arena, with the same kernels and pointers"
        )
    return _list_arena(item, problems)


def _need(item: Any) -> Need:
    return Need(**{field.name: getattr(item, field.name) for field in dataclasses.fields(Need)})


class _Limits:
    """A neap_model_limits, with its callback."""

    def __init__(
        self,
        max_work: Optional[float],
        time_limit: Optional[float],
        on_progress: Optional[Callable[[Search], object]],
    ) -> None:
        self.members, self.watch = Members(), Watch()
        self.item = sized("neap_model_limits")
        self._until = time.monotonic() + seconds(time_limit, "time_limit") if time_limit else None
        self._on_progress = on_progress
        if on_progress is not None and not callable(on_progress):
            raise ArgumentError(f"on_progress is not a function: {shown(on_progress)}")
        if max_work is not None:
            factor = seconds(max_work, "max_work")
            if factor < 1:
                raise ArgumentError(f"max_work is below 1: {shown(max_work)}")
            self.item.most_millionths = round(factor * 1000000)
        declaration = "bool (*)(const neap_bands_progress *, void *)"
        keep_on = self.watch.callback(declaration, self._keep_on, failed=False)
        self.item.keep_on = self.members.hold(keep_on)

    def _keep_on(self, progress: Any, _user: object) -> bool:
        if self.watch.caught is not None:
            return False
        if self._until is not None and time.monotonic() >= self._until:
            return False
        if self._on_progress is None:
            return True
        peak = progress.peak if progress.peak >= 0 else None
        return self._on_progress(Search(peak, progress.measured, progress.seconds)) is not False

    def end(self, plan: Callable[[], Optional[Plan]]) -> None:
        """Raises the exception that ended the search, if any."""
        self.watch.raise_caught()
        if self.watch.is_interrupted():
            raise Interrupted(plan())


# ---------------------------------------------------------------- bands and fits


class Bands:
    """A model with segments in bands of rows, or in groups of channels, and its plan.

    Attributes:
        before, after: the needs of the model and of the result.
        is_split: False: the result is the model as it is.
        is_proven: no choice of segments and bands is better; found by search, without a certificate.
        lower_bound: no choice has a lower peak; 0: nothing is proven.
        segments: those that are computed in bands.
        whole: types of operators that cannot run in bands.
        choices: what was found between the lowest peak and the model as it is.
        plan, plan_before: of the result, and of the model as it is.
    """

    def __init__(self, pointer: Any, opened: _Opened, owner: object = None) -> None:
        c, report = models(), sized("neap_bands_report")
        self._pointer, self._held = pointer, (pointer, opened, owner)
        c.neap_bands_get_report(pointer, report)
        self.before, self.after = _need(report.before), _need(report.after)
        self.is_split = bool(report.is_split)
        self.is_proven = bool(report.is_proven)
        self.lower_bound = int(report.lower_bound)
        self.segments = tuple(
            Segment(
                item.first,
                item.end,
                tuple(ffi.unpack(item.ends, item.count)),
                bool(item.is_by_channels),
                bool(item.keeps_rows),
                text(item.input),
                text(item.output),
            )
            for item in items("neap_bands_segment", c.neap_bands_segment_at, pointer)
        )
        self.choices = tuple(self._list_choices())
        self.whole = _notes(c.neap_bands_whole_at, [pointer])
        self.plan = _plan_of(c.neap_bands_plan(pointer), self._held, opened.name)
        before = c.neap_bands_plan_before(pointer)
        self.plan_before = _plan_of(before, self._held, opened.name)

    def _list_choices(self) -> list[Need]:
        item = ffi.new("neap_model_need *")
        found: list[Need] = []
        while models().neap_bands_choice_at(self._pointer, len(found), item):
            found.append(_need(item))
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model in bands, a TensorFlow Lite model with its plan."""
        call(models().neap_bands_write, self._pointer, ffi.NULL, encode_path(path))

    def _repr_html_(self) -> Optional[str]:
        """The page of the plan, for notebooks."""
        return self.plan._repr_html_()

    def __repr__(self) -> str:
        return (
            f"<neap.Bands: {len(self.segments)} segments, arena {self.after.arena} bytes, "
            f"before {self.before.arena} bytes>"
        )


class Fit:
    """A model that was made to fit, or what is missing.

    Attributes:
        fits: whether the last step fits.
        is_open: whether it fits if operators with unknown kernels need nothing.
        is_refused: the runtime cannot run the model, so nothing was tried.
        is_infeasible: proven: no layout, order or choice of bands fits.
        steps: what was tried, cheapest first; `best` is the one with the smallest arena, or the
            one that lacks the fewest bytes.
        lower_bound: of the arena, for everything that was tried; 0: nothing is proven.
        missing: bytes, proven for everything that was tried.
        plan: of the best step.
        bands: None if they were not tried; `no_bands` is the reason, if the model does not allow them.
    """

    def __init__(self, pointer: Any, opened: _Opened) -> None:
        c, report = models(), sized("neap_fit_report")
        self._pointer, self._opened = pointer, opened
        c.neap_fit_get_report(pointer, report)
        self.fits, self.is_open = bool(report.fits), bool(report.is_open)
        self.is_refused = bool(report.is_refused)
        self.is_infeasible = bool(report.is_infeasible)
        self.lower_bound, self.missing = int(report.lower_bound), int(report.missing)
        self.steps = tuple(
            Step(
                text(c.neap_fit_means_name(item.means)),
                PLACES[item.place],
                (item.needs[0], item.needs[1]),
                _need(item.need),
                bool(item.fits),
                bool(item.is_open),
            )
            for item in items("neap_fit_step", c.neap_fit_step_at, pointer)
        )
        self.best = self.steps[report.best]
        self.plan = _plan_of(c.neap_fit_plan(pointer), (pointer, opened), opened.name)
        bands = c.neap_fit_bands(pointer)
        self.bands = Bands(bands, opened, pointer) if bands else None
        self.no_bands = text(c.neap_fit_no_bands(pointer)) or None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model of the best step with its plan."""
        call(models().neap_fit_write, self._pointer, encode_path(path))

    def _repr_html_(self) -> Optional[str]:
        """The page of the plan, for notebooks."""
        return self.plan._repr_html_()

    def __repr__(self) -> str:
        verdict = "fits" if self.fits else "unknown" if self.is_open else "does not fit"
        return f"<neap.Fit: {verdict}, {self.best.means}, arena {self.best.need.arena} bytes>"


@dataclass(frozen=True)
class SharedFit:
    """Models that were made to fit an arena that they share.

    Attributes:
        fits: whether all fit together.
        models: the fit of each, which can be saved.
        arena: that they share.
    """

    fits: bool
    models: tuple[Fit, ...]
    arena: Arena


def fit_models(
    models_to_fit: Iterable[Model],
    arena: int,
    *,
    max_work: Optional[float] = None,
    time_limit: Optional[float] = None,
    on_progress: Optional[Callable[[Search], object]] = None,
) -> SharedFit:
    """Makes models fit one arena, in bytes, that their interpreters share; see `share_arena`.

    The other arguments are those of `Model.fit`.
    """
    limits = _Limits(max_work, time_limit, on_progress)
    limits.item.capacity = integer(arena, "arena", 1)
    opened = [model._opened for model in models_to_fit]
    c, made = models(), ffi.new("neap_fit *[]", len(opened))
    pointers = ffi.new("neap_model *[]", [one.pointer for one in opened])
    given = ffi.cast("neap_model **", pointers)
    call(c.neap_models_fit, given, len(opened), limits.item, made)
    held = [ffi.gc(pointer, c.neap_fit_free) for pointer in made]
    for one in opened:
        one.tell()
    fits = tuple(Fit(pointer, one) for pointer, one in zip(held, opened))
    limits.end(lambda: None)
    shared = share_arena(fit.plan for fit in fits)
    fit = shared.smallest <= arena and not shared.unknown and not shared.refused
    return SharedFit(fit, fits, shared)


# ---------------------------------------------------------------- models


class Model:
    """A TensorFlow Lite or ONNX model.

        >>> model = neap.Model("examples/branches.tflite")
        >>> model.arena().smallest
        6944
        >>> fit = model.fit(arena=6144)
        >>> fit.fits, fit.best.means
        (True, 'order')
        >>> fit.save("fits.tflite")

    Without a target, a TensorFlow Lite model is for TensorFlow Lite Micro ("tflm").
    """

    def __init__(
        self,
        source: Union[str, os.PathLike[str], bytes],
        **reading: Unpack[ModelOptions],
    ) -> None:
        """Opens a model.

        Args:
            source: a path, or the bytes of the file.
            reading: its kernels and other options, such as kernels="cmsis-nn", pointer=8,
                overlap=True, dimensions={"batch": 1}; see `neap.files.Reading`.
        """
        self._source, self._given = source, dict(reading)
        given = reading_of(reading, "Model")
        for name in {item.name for item in dataclasses.fields(Scheduling)} & reading.keys():
            raise TypeError(f"{name} is an argument of plan, problem and split")
        self._opened = _Opened(source, given)

    @property
    def name(self) -> str:
        """The name of its file."""
        return self._opened.name

    @property
    def format(self) -> str:
        """ "tflite" or "onnx"."""
        return text(models().neap_model_format(self._opened.pointer))

    @property
    def operators(self) -> list[Operator]:
        """The operators in the order of the model, with the buffers that they use."""
        return list(self.problem().operators)

    def graph(self) -> Graph:
        """The graph of its operators."""
        c = models()
        free = lib().neap_graph_free
        graph = make(c.neap_model_graph, "neap_graph", free, self._opened.pointer)
        self._opened.tell()
        return Graph._from_native(graph)

    def problem(self, **scheduling: Unpack[OrderOptions]) -> Problem:
        """Its problem: each planned tensor is a buffer.

        With schedule="optimal", for example, its operators are in a better order; the arguments
        are those of `neap.files.Scheduling`.  After Ctrl-C, it raises `neap.Interrupted`, whose
        `problem` has the best order so far.
        """
        members, watch = Members(), Watch()
        item = _schedule(scheduling, members, watch)
        function, free = models().neap_model_problem, lib().neap_problem_free
        made = make(function, "neap_problem", free, self._opened.pointer, item)
        watch.raise_caught()
        self._opened.tell()
        problem = Problem._from_native(NativeProblem(made))
        problem._source = self.name
        if watch.is_interrupted():
            raise Interrupted(problem=problem)
        return problem

    def plan(self, schedule: str = "keep", **options: Unpack[RunOptions]) -> Plan:
        """Plans the model; `save` writes it with the plan.

        Args:
            schedule: "keep", "depth-first", "min-peak" or "optimal": the order of its operators.
            options: those of `neap.plan`, such as time_limit=1.
        """
        return planning.plan(self.problem(schedule=schedule), **options)

    def current_plan(self) -> Plan:
        """The plan that a TensorFlow Lite model holds, or the layout that the runtime makes itself."""
        function, free = models().neap_model_own_plan, lib().neap_plan_free
        made = make(function, "neap_plan", free, self._opened.pointer)
        self._opened.tell()
        return _plan_of(made, self._opened, self.name)

    def arena(
        self,
        plan: Optional[Plan] = None,
        *,
        kernels: Optional[str] = None,
        pointer: Optional[int] = None,
    ) -> Arena:
        """The memory that TensorFlow Lite Micro needs for the model.

        Args:
            plan: of this model; None: the plan that it holds, or the runtime's own layout.
            kernels, pointer: used instead of those that the model was opened with; only without `plan`.
        """
        if plan is not None:
            if kernels is not None or pointer is not None:
                raise ArgumentError("a plan is for the kernels that the model was opened with")
            return _arena(lib().neap_plan_problem(native(plan).pointer), plan.peak)
        if not self._opened.has_arena:
            raise ArgumentError("an ONNX model has no arena of TensorFlow Lite Micro")
        model = self
        if kernels is not None or pointer is not None:
            given = {"kernels": kernels, "pointer": pointer}
            used = {name: value for name, value in given.items() if value is not None}
            model = Model(self._source, **{**self._given, **used})  # type: ignore[arg-type]
        own = model.current_plan()
        return _arena(lib().neap_plan_problem(native(own).pointer), own.peak)

    def fit(
        self,
        arena: Optional[int] = None,
        *,
        memories: Optional[Mapping[str, int]] = None,
        max_work: Optional[float] = None,
        time_limit: Optional[float] = None,
        on_progress: Optional[Callable[[Search], object]] = None,
    ) -> Fit:
        """Makes the model fit at the least cost: by a better layout, another order, overlap if the
        model was opened with one, two memories, or bands.

        It also returns a `Fit` if nothing fits.  After Ctrl-C, it raises `neap.Interrupted`.

        Args:
            arena: bytes; of TensorFlow Lite Micro, or of an ONNX model's tensors.
            memories: instead of arena: bytes of two by name, such as {"sram": 65536, "dtcm": 8192}.
            max_work: with bands, at most this multiple of the multiply-accumulates; None: 2.
            time_limit: seconds for bands.
            on_progress: called often; False ends the search with the best so far.
        """
        limits = _Limits(max_work, time_limit, on_progress)
        if (arena is None) == (memories is None):
            raise ArgumentError("fit needs arena or memories")
        if memories is None:
            limits.item.capacity = integer(arena, "arena", 1)
        else:
            if not isinstance(memories, Mapping) or len(memories) != 2:
                raise ArgumentError(f"memories: expected two, by name, found {shown(memories)}")
            sizes = [(integer(size, "memories", 1), name) for name, size in memories.items()]
            if sizes[0][0] < sizes[1][0]:
                sizes.reverse()
            limits.item.capacity, limits.item.second_capacity = sizes[0][0], sizes[1][0]
            for index, (_, name) in enumerate(sizes):
                limits.item.memories[index] = limits.members.text(name, "memories")
        c = models()
        function, free = c.neap_model_fit, c.neap_fit_free
        pointer = make(function, "neap_fit", free, self._opened.pointer, limits.item)
        self._opened.tell()
        fit = Fit(pointer, self._opened)
        limits.end(lambda: fit.plan)
        return fit

    def split(
        self,
        goal: str = "arena",
        *,
        capacity: Optional[int] = None,
        max_work: Optional[float] = None,
        schedule: str = "keep",
        time_limit: Optional[float] = None,
        on_progress: Optional[Callable[[Search], object]] = None,
    ) -> Bands:
        """Computes segments of the model in bands of rows or groups of channels, so that less is in
        memory at a time.  Outputs stay the same.

        Args:
            goal: "arena", the smallest; "peak", the lowest; or "work", the least extra work with
                which the peak is at most `capacity` bytes.
            capacity: for "work".
            max_work: at most this multiple of the multiply-accumulates; None: 2.
            schedule: the order of the operators before the search.
            time_limit: seconds.
            on_progress: called often; False ends the search with the best so far.

        Raises:
            Infeasible: it is proven that no choice fits the capacity.
            NoPlan: none was found.
        """
        limits = _Limits(max_work, time_limit, on_progress)
        limits.item.goal = choose("goal", goal, GOALS)
        limits.item.capacity = 0 if capacity is None else integer(capacity, "capacity", 1)
        limits.item.keep_on_curve = max_work is None and capacity is None
        order = _schedule({"schedule": schedule}, limits.members, limits.watch)
        c = models()
        function, free = c.neap_model_bands, c.neap_bands_free
        pointer = make(function, "neap_bands", free, self._opened.pointer, order, limits.item)
        self._opened.tell()
        bands = Bands(pointer, self._opened)
        limits.end(lambda: bands.plan)
        return bands

    def save(self, path: str | os.PathLike[str], plan: Optional[Plan] = None) -> None:
        """Writes a copy of the model with a plan: order and offsets in a TensorFlow Lite model,
        the order in an ONNX model.  Without one, it is planned first."""
        written = self.plan() if plan is None else plan  # held, because it holds its problem
        call(
            models().neap_model_write,
            self._opened.pointer,
            native(written).pointer,
            encode_path(path),
        )

    def __repr__(self) -> str:
        return f"<neap.Model: {shown(self.name)}, {self.format}>"


__all__ = [
    "Arena",
    "ArenaOperator",
    "Bands",
    "Fit",
    "Model",
    "Need",
    "Search",
    "Segment",
    "SharedFit",
    "Step",
    "fit_models",
    "share_arena",
]
