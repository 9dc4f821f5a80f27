# SPDX-License-Identifier: GPL-3.0-or-later
"""neap as a memory planning algorithm of ExecuTorch.

    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy
    from executorch.exir.passes import MemoryPlanningPass
    import neap.hosts.executorch

    suite = MemoryPlanningAlgorithmSuite(algo_list=[greedy, neap.hosts.executorch.planner])
    memory_planning_pass = MemoryPlanningPass(memory_planning_algo=suite)

The suite keeps the result that needs the fewest bytes.  `Planner` has settings: the engine, limits,
banks of fast and slow memory, and planning in a separate process.

This module does not import ExecuTorch.  Tensors are any objects like its TensorSpec, and results
have the attributes that its suite reads.
"""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Protocol, Sequence, Union

import neap
from neap.hosts.arenas import Arena, BankTooSmall, Body, Placer, Tensor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import Engine, Options

__all__ = [
    "Bank",
    "BankTooSmall",
    "MemoryAlgoResult",
    "Planner",
    "SpecAllocResult",
    "object_ids",
    "planner",
]

# Index 0 of the arenas is for constants; tensors without an arena go to arena 1.
DEFAULT_ARENA = 1


@dataclasses.dataclass
class SpecAllocResult:
    """Where a tensor is: in which arena, in which object, and at which offset in bytes."""

    mem_id: int
    mem_obj_id: int
    mem_offset: int


@dataclasses.dataclass
class MemoryAlgoResult:
    """Where each tensor is, and the size of each arena in bytes."""

    spec_dict: dict[Any, SpecAllocResult]
    bufsizes: list[int]


@dataclasses.dataclass(frozen=True)
class Bank:
    """A memory that the planner may fill; ExecuTorch's own Bank also works.

    Attributes:
        name: for messages.
        size: bytes.
        mem_id: the arena, 1 or more.
        alignment: bytes, a multiple of the alignment of the graph; None: that alignment.
    """

    name: str
    size: int
    mem_id: int
    alignment: Optional[int] = None


class AnyBank(Protocol):
    """The attributes of a Bank that the planner reads."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def mem_id(self) -> int: ...

    @property
    def alignment(self) -> Optional[int]: ...


class AnyMap(Protocol):
    """The attribute of ExecuTorch's TargetMemoryMap that the planner reads."""

    @property
    def banks(self) -> Sequence[AnyBank]: ...


# -------------------------------------------------------------------- tensors


def _tensors(specs: Iterable[Any], alignment: int) -> list[Tensor]:
    """The tensors, with their sizes rounded up to the alignment."""
    tensors = []
    for index, spec in enumerate(specs):
        spec.realign(alignment)
        first, last = spec.lifetime
        if first is None or last is None or first > last:
            raise neap.InputError(f"tensor {index} has no lifetime: {spec.lifetime}")
        if spec.mem_id is not None and spec.mem_id < 1:
            raise neap.InputError(
                f"tensor {index} is in arena {spec.mem_id}; arena 0 is for constants, use 1 or more"
            )
        tensors.append(Tensor(index, spec, spec.allocated_memory, first, last + 1))
    return tensors


def _base(tensor: Tensor) -> object:
    """The spec over which a tensor is computed in place, or None."""
    return getattr(tensor.spec, "inplace_base", None)


def _bodies(tensors: list[Tensor]) -> list[Body]:
    """Groups tensors that must be at the same offset; the one with its own memory comes first."""
    by_spec = {id(tensor.spec): tensor for tensor in tensors}
    bodies: dict[int, Body] = {}  # of each tensor, by its index
    made = []
    for tensor in tensors:
        path = []
        seen = set()
        while tensor.index not in bodies and _base(tensor) is not None:
            if tensor.index in seen:
                raise neap.InputError(f"{tensor} is computed in place over itself")
            seen.add(tensor.index)
            path.append(tensor)
            base = by_spec.get(id(_base(tensor)))
            if base is None:
                raise neap.InputError(f"{tensor} is computed in place over an unplanned tensor")
            tensor = base
        if tensor.index not in bodies:
            bodies[tensor.index] = Body([tensor])
            made.append(bodies[tensor.index])
        for member in path:
            bodies[member.index] = bodies[tensor.index]
            bodies[tensor.index].tensors.append(member)
    for body in made:
        _check_lives(body)
    return made


def _check_lives(body: Body) -> None:
    """Raises if a tensor is overwritten while it is alive, except by one computed from it.

    A tensor and the one that is computed in place over it may be alive together.
    """
    alive: list[Tensor] = []
    for tensor in sorted(body.tensors, key=lambda item: item.start):
        if tensor.size == 0:
            continue
        alive = [other for other in alive if other.end > tensor.start]
        for other in alive:
            if _base(tensor) is not other.spec and _base(other) is not tensor.spec:
                raise neap.InputError(
                    f"in-place computation puts {other} and {tensor} at the same offset, but both "
                    "are alive and neither is computed from the other"
                )
        alive.append(tensor)


def object_ids(extents: Sequence[tuple[int, int]]) -> list[int]:
    """Numbers for extents [low, high) of one arena: equal for those that overlap, even indirectly.

    ExecuTorch's Verifier requires the same number for tensors that share bytes.
    """
    ids = [0] * len(extents)
    reach, current = 0, -1
    for index in sorted(range(len(extents)), key=lambda item: extents[item]):
        low, high = extents[index]
        if current < 0 or low >= reach:
            current += 1
        ids[index] = current
        reach = max(reach, high)
    return ids


# --------------------------------------------------------------------- arenas


class _Arenas:
    """The arenas of a graph by mem_id, made when they are needed."""

    def __init__(
        self, graph_module: Any, alignment: int, padding: int, banks: Sequence[AnyBank]
    ) -> None:
        self._reserved: list[int] = list(
            getattr(graph_module, "input_mem_buffer_sizes", None) or []
        )
        self._alignment = alignment
        self._padding = padding
        self._arenas: dict[int, Arena] = {}
        self.banks = [self._add_bank(bank) for bank in banks]

    def reserved(self, mem_id: int) -> int:
        """The bytes that submodules take."""
        return self._reserved[mem_id] if mem_id < len(self._reserved) else 0

    def _add_bank(self, bank: AnyBank) -> Arena:
        arena = self[bank.mem_id]
        arena.alignment = bank.alignment or self._alignment
        if arena.alignment % self._alignment != 0:
            raise neap.ArgumentError(
                f"bank '{bank.name}' has alignment {arena.alignment}, which is not a multiple of "
                f"the graph's, {self._alignment}"
            )
        arena.name, arena.size = bank.name, bank.size
        return arena

    def __getitem__(self, mem_id: int) -> Arena:
        if mem_id not in self._arenas:
            reserved = self.reserved(mem_id)
            self._arenas[mem_id] = Arena(mem_id, self._alignment, reserved, self._padding)
        return self._arenas[mem_id]

    def sizes(self, bodies: Iterable[Body]) -> list[int]:
        """The size of each arena; as many as ExecuTorch's own planner returns."""
        ends: dict[int, int] = {}
        for body in bodies:
            ends[body.arena] = max(ends.get(body.arena, 0), body.offset + body.size)
        count = 1 + max([DEFAULT_ARENA, *ends, *(bank.mem_id for bank in self.banks)])
        sizes = [0] + [self.reserved(mem_id) for mem_id in range(1, count)]
        for mem_id, end in ends.items():
            arena = self[mem_id]
            sizes[mem_id] = arena.required(end - arena.start) if end > arena.start else arena.start
        return sizes


def _check_banks(banks: Optional[Union[AnyMap, Sequence[AnyBank]]]) -> list[AnyBank]:
    """The banks of a map or list."""
    if banks is None:
        return []
    listed = list(banks if isinstance(banks, Sequence) else banks.banks)
    if not listed:
        raise neap.ArgumentError("banks: expected at least one bank, found 0")
    for what in ("name", "mem_id"):
        values = [getattr(bank, what) for bank in listed]
        for value in values:
            if values.count(value) > 1:
                raise neap.ArgumentError(f"banks: duplicate {what} {value!r}")
    for bank in listed:
        if bank.mem_id < 1 or bank.size < 1 or (bank.alignment or 1) < 1:
            raise neap.ArgumentError(f"banks: mem_id, size and alignment must be positive: {bank}")
    return listed


# -------------------------------------------------------------------- planner


class Planner:
    """A memory planning algorithm with its settings.

    A tensor is in the arena that its `mem_id` names, or in arena 1.  With banks, tensors without a
    `mem_id` are in any of the banks, with as few bytes as possible outside the first.  A `mem_id`
    that no bank has names a separate arena without a limit.

    Args:
        engine: one of `neap.engines()`.
        time_limit: seconds for each arena; None: a fixed amount of work, with the same result on
            every machine.
        process: run the program neap instead of loading its library.
        banks: the banks in order of preference, or a TargetMemoryMap.
        on_plan: called with the list of the arenas and the `neap.Plan` of each run.
        name: must be unique among the algorithms of a suite.
        options: of `neap.plan`.
    """

    def __init__(
        self,
        engine: Engine = "auto",
        time_limit: Optional[float] = None,
        process: bool = False,
        banks: Optional[Union[AnyMap, Sequence[AnyBank]]] = None,
        on_plan: Optional[Callable[[list[int], neap.Plan], object]] = None,
        name: str = "neap",
        **options: Unpack[Options],
    ) -> None:
        self.__name__ = name
        given = {"engine": engine, "time_limit": time_limit, "process": process, **options}
        self._placer = Placer(given, on_plan)
        self._banks = _check_banks(banks)

    def __call__(
        self,
        alignment: int,
        specs: Iterable[Any],
        graph_module: Any,
        graph_signature: object = None,
        extra_padding: int = 0,
    ) -> MemoryAlgoResult:
        """Plans the tensors of a graph.

        Args:
            alignment: bytes; of sizes and offsets.
            specs: the tensors.
            graph_module: its `input_mem_buffer_sizes` are bytes at the start of the arenas that
                submodules take.
            graph_signature: not used.
            extra_padding: bytes at the end of every arena in which tensors have bytes.

        Raises:
            BankTooSmall: it is proven that the banks cannot hold the tensors.
            neap.NoPlan: no plan was found that fits the banks.
            neap.InputError: a tensor has no lifetime, or in-place computation would overwrite a
                tensor that is alive.
        """
        bodies = _bodies(_tensors(specs, alignment))
        arenas = _Arenas(graph_module, alignment, extra_padding, self._banks)
        self._assign(bodies, arenas)
        return _result(bodies, arenas)

    def _assign(self, bodies: list[Body], arenas: _Arenas) -> None:
        """Gives each body an arena and an offset."""
        managed = {bank.mem_id for bank in arenas.banks}
        banked = []
        apart: dict[int, list[Body]] = {}
        for body in bodies:
            pin: Optional[int] = body.tensors[0].spec.mem_id  # those in place follow their base
            body.allowed = None if pin is None else [pin]
            if managed and (pin is None or pin in managed):
                _check_device(body)
                banked.append(body)
            else:
                apart.setdefault(pin or DEFAULT_ARENA, []).append(body)
        for mem_id, members in apart.items():
            self._placer.place([arenas[mem_id]], members)
        if banked:
            self._placer.place(arenas.banks, banked)


def _check_device(body: Body) -> None:
    """Raises for tensors of other devices, whose memory is not in the banks."""
    for tensor in body.tensors:
        device = getattr(getattr(tensor.spec, "device", None), "name", "CPU")
        if device != "CPU":
            raise neap.InputError(f"{tensor} is on {device}; banks are for tensors on the CPU")


def _result(bodies: list[Body], arenas: _Arenas) -> MemoryAlgoResult:
    """The result in ExecuTorch's form, with the tensors in the order given."""
    by_arena: dict[int, list[tuple[Tensor, int]]] = {}
    for body in bodies:
        members = by_arena.setdefault(body.arena, [])
        members.extend((tensor, body.offset) for tensor in body.tensors)
    placed: dict[int, tuple[Tensor, SpecAllocResult]] = {}
    for mem_id, members in by_arena.items():
        ids = object_ids([(offset, offset + tensor.size) for tensor, offset in members])
        for (tensor, offset), object_id in zip(members, ids):
            placed[tensor.index] = (tensor, SpecAllocResult(mem_id, object_id, offset))
    ordered = (placed[index] for index in sorted(placed))
    return MemoryAlgoResult(
        {tensor.spec: place for tensor, place in ordered}, arenas.sizes(bodies)
    )


planner = Planner()
