# SPDX-License-Identifier: GPL-3.0-or-later
"""neap as a memory planning algorithm of ExecuTorch.

    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy
    from executorch.exir.passes import MemoryPlanningPass
    import neap.executorch

    suite = MemoryPlanningAlgorithmSuite(algo_list=[greedy, neap.executorch.planner])
    memory_planning_pass = MemoryPlanningPass(memory_planning_algo=suite)

The suite keeps the result that needs the fewest bytes.  `Planner` has the settings: the engine, limits,
banks of fast and slow memory, and planning in a process of its own.

ExecuTorch itself is not imported: tensors are anything that is like its TensorSpec, and results have
the attributes that its suite reads.
"""
from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterable, Optional, Protocol, Sequence, Union

import neap

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
    """A memory that the planner may fill, like the Bank of ExecuTorch, which may be used instead.

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
    """What is used of a Bank."""

    @property
    def name(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def mem_id(self) -> int: ...

    @property
    def alignment(self) -> Optional[int]: ...


class AnyMap(Protocol):
    """What is used of ExecuTorch's TargetMemoryMap."""

    @property
    def banks(self) -> Sequence[AnyBank]: ...


class BankTooSmall(neap.Infeasible):
    """The tensors do not fit into the banks.

    Attributes:
        bank: the name of the bank that is too small.
        required, available, excess: bytes; the first minus the second is the third.
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


# -------------------------------------------------------------------- tensors


@dataclasses.dataclass
class _Tensor:
    """A tensor of `size` bytes that is alive during [start, end)."""

    index: int
    spec: Any
    size: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"tensor {self.index} ({self.size} bytes, alive [{self.start}, {self.end - 1}])"

    @property
    def base(self) -> object:
        """The spec over which it is computed in place, or None."""
        return getattr(self.spec, "inplace_base", None)


@dataclasses.dataclass
class _Body:
    """Tensors at one offset: one with memory of its own, and those that are computed over it."""

    tensors: list[_Tensor]
    arena: int = DEFAULT_ARENA
    offset: int = 0

    @property
    def pin(self) -> Optional[int]:
        """The arena in which it must be, or None.  What is computed in place follows its base."""
        pin: Optional[int] = self.tensors[0].spec.mem_id
        return pin

    def place(self, arena: _Arena, offset: int) -> None:
        """Puts it at an offset in the bytes that the arena has for tensors."""
        self.arena, self.offset = arena.mem_id, arena.start + offset

    @property
    def size(self) -> int:
        """The bytes of the largest tensor."""
        return max(tensor.size for tensor in self.tensors)

    def ranges(self) -> dict[int, list[tuple[int, int]]]:
        """For each size, in bytes, when its tensors are alive."""
        by_size: dict[int, list[tuple[int, int]]] = {}
        for tensor in self.tensors:
            if tensor.size > 0:
                by_size.setdefault(tensor.size, []).append((tensor.start, tensor.end))
        return {size: _union(ranges) for size, ranges in by_size.items()}

    def add_to(self, problem: neap.Problem, alignment: int, pools: Sequence[int] = ()) -> int:
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


def _tensors(specs: Iterable[Any], alignment: int) -> list[_Tensor]:
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
        tensors.append(_Tensor(index, spec, spec.allocated_memory, first, last + 1))
    return tensors


def _bodies(tensors: list[_Tensor]) -> list[_Body]:
    """Groups tensors that must be at the same offset."""
    by_spec = {id(tensor.spec): tensor for tensor in tensors}
    bodies: dict[int, _Body] = {}  # of each tensor, by its index
    made = []
    for tensor in tensors:
        path = []
        seen = set()
        while tensor.index not in bodies and tensor.base is not None:
            if tensor.index in seen:
                raise neap.InputError(f"{tensor} is computed in place over itself")
            seen.add(tensor.index)
            path.append(tensor)
            base = by_spec.get(id(tensor.base))
            if base is None:
                raise neap.InputError(f"{tensor} is computed in place over one that is not planned")
            tensor = base
        if tensor.index not in bodies:
            bodies[tensor.index] = _Body([tensor])
            made.append(bodies[tensor.index])
        for member in path:
            bodies[member.index] = bodies[tensor.index]
            bodies[tensor.index].tensors.append(member)
    for body in made:
        _check_lives(body)
    return made


def _check_lives(body: _Body) -> None:
    """Raises if a tensor is overwritten while it is alive, except by one computed from it.

    A tensor and the one that is computed in place over it may be alive together.
    """
    alive: list[_Tensor] = []
    for tensor in sorted(body.tensors, key=lambda item: item.start):
        if tensor.size == 0:
            continue
        alive = [other for other in alive if other.end > tensor.start]
        for other in alive:
            if tensor.base is not other.spec and other.base is not tensor.spec:
                raise neap.InputError(
                    f"in-place computation puts {other} and {tensor} at the same offset, but both "
                    "are alive and neither is computed from the other"
                )
        alive.append(tensor)


def object_ids(extents: Sequence[tuple[int, int]]) -> list[int]:
    """Numbers for extents [low, high) of one arena: equal for those that overlap, even indirectly.

    ExecuTorch's Verifier wants the same number for tensors that share bytes.
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


@dataclasses.dataclass
class _Arena:
    """An arena: bytes that submodules take at its start, then tensors, then padding."""

    mem_id: int
    alignment: int
    reserved: int
    padding: int
    name: str = ""
    size: Optional[int] = None  # None: unlimited

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

    def too_small(self, peak: int) -> tuple[str, str, int, int]:
        """What BankTooSmall says if the tensors need `peak` bytes."""
        required, available = self.required(peak), self.size or 0
        text = (
            f"bank '{self.name}' (mem_id {self.mem_id}) is too small: {required} bytes required, "
            f"{available} available, {required - available} in excess"
        )
        if self.reserved or self.padding:
            text += f"; submodules take {self.reserved} bytes of it and padding {self.padding}"
        return text, self.name, required, available


def _reserved(graph_module: Any) -> list[int]:
    """The bytes that submodules take at the start of each arena."""
    return list(getattr(graph_module, "input_mem_buffer_sizes", None) or [])


class _Arenas:
    """The arenas of a graph by mem_id, made when they are needed."""

    def __init__(
        self, graph_module: Any, alignment: int, padding: int, banks: Sequence[AnyBank]
    ) -> None:
        self._reserved = _reserved(graph_module)
        self._alignment = alignment
        self._padding = padding
        self._arenas: dict[int, _Arena] = {}
        self.banks = [self._add_bank(bank) for bank in banks]

    def reserved(self, mem_id: int) -> int:
        """The bytes that submodules take."""
        return self._reserved[mem_id] if mem_id < len(self._reserved) else 0

    def _add_bank(self, bank: AnyBank) -> _Arena:
        arena = self[bank.mem_id]
        arena.alignment = bank.alignment or self._alignment
        if arena.alignment % self._alignment != 0:
            raise neap.ArgumentError(
                f"bank '{bank.name}' has alignment {arena.alignment}, which is not a multiple of "
                f"the graph's, {self._alignment}"
            )
        arena.name, arena.size = bank.name, bank.size
        return arena

    def __getitem__(self, mem_id: int) -> _Arena:
        if mem_id not in self._arenas:
            self._arenas[mem_id] = _Arena(
                mem_id, self._alignment, self.reserved(mem_id), self._padding
            )
        return self._arenas[mem_id]

    def sizes(self, bodies: Iterable[_Body]) -> list[int]:
        """The size of each arena; as many as ExecuTorch's own planner returns."""
        ends: dict[int, int] = {}
        for body in bodies:
            ends[body.arena] = max(ends.get(body.arena, 0), body.offset + body.size)
        count = 1 + max([DEFAULT_ARENA, *ends, *(bank.mem_id for bank in self.banks)])
        sizes = [0] + [self.reserved(mem_id) for mem_id in range(1, count)]
        for mem_id, end in ends.items():
            arena = self[mem_id]
            sizes[mem_id] = arena.required(max(0, end - arena.start))
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


def _add_pools(problem: neap.Problem, arenas: list[_Arena]) -> list[int]:
    """Adds a pool for each arena; a single one without a limit needs none."""
    if len(arenas) == 1 and arenas[0].room is None:
        return []
    return [
        problem.add_pool(
            arena.name or str(arena.mem_id), capacity=arena.room, alignment=arena.alignment
        )
        for arena in arenas
    ]


class Planner:
    """A memory planning algorithm with its settings.

    A tensor is in the arena that its `mem_id` names, or in arena 1.  With banks, tensors without a
    `mem_id` are in any of the banks: as few bytes as possible in those that are not the first.  A
    `mem_id` that no bank has names an arena of its own, without a limit.

    Args:
        engine: one of `neap.engines()`.
        time_limit: seconds for each arena; None: a fixed amount of work, with the same result on
            every machine.
        process: call the program neap, so that no code of neap but this package is loaded.
        banks: the banks in order of preference, or a TargetMemoryMap.
        on_plan: called with the list of the arenas and the `neap.Plan` of each run.
        options: of `neap.plan`.
    """

    def __init__(
        self,
        engine: str = "auto",
        time_limit: Optional[float] = None,
        process: bool = False,
        banks: Optional[Union[AnyMap, Sequence[AnyBank]]] = None,
        on_plan: Optional[Callable[[list[int], neap.Plan], object]] = None,
        **options: Any,
    ) -> None:
        self.__name__ = "neap"  # the suite tells its algorithms apart by their names
        self._options: dict[str, Any] = {
            "engine": engine,
            "time_limit": time_limit,
            "process": process,
            **options,
        }
        self._banks = _check_banks(banks)
        self._on_plan = on_plan

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
            extra_padding: bytes at the end of every arena that has a tensor.

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

    def _assign(self, bodies: list[_Body], arenas: _Arenas) -> None:
        """Gives each body an arena and an offset."""
        managed = {bank.mem_id for bank in arenas.banks}
        banked = []
        pinned: dict[int, list[_Body]] = {}
        for body in bodies:
            if managed and (body.pin is None or body.pin in managed):
                _check_device(body)
                banked.append(body)
            else:
                pinned.setdefault(body.pin or DEFAULT_ARENA, []).append(body)
        for mem_id, members in pinned.items():
            self._plan([arenas[mem_id]], members)
        if banked:
            self._plan_banks(arenas.banks, banked)

    def _plan(self, arenas: list[_Arena], bodies: list[_Body]) -> dict[int, int]:
        """Plans bodies in one or several arenas and returns the bytes needed in each."""
        problem = neap.Problem()
        pools = _add_pools(problem, arenas)
        alignment = 1 if pools else arenas[0].alignment  # pools have theirs
        placed = []
        for body in bodies:
            allowed = [pool for pool in pools if arenas[pool].mem_id == body.pin] or pools
            body.place(arenas[allowed[0] if allowed else 0], 0)
            if body.size > 0:
                placed.append((body, body.add_to(problem, alignment, allowed)))
        peaks = {arena.mem_id: 0 for arena in arenas}
        if not placed:
            return peaks
        plan = neap.plan(problem, **self._options)
        if self._on_plan is not None:
            self._on_plan([arena.mem_id for arena in arenas], plan)
        offsets, chosen = plan.offsets, plan.pools
        for body, first in placed:
            body.place(arenas[chosen[first]], offsets[first])
            peaks[body.arena] = max(peaks[body.arena], offsets[first] + body.size)
        return peaks

    def _plan_banks(self, banks: list[_Arena], bodies: list[_Body]) -> None:
        """Plans bodies in banks of limited sizes."""
        try:
            self._plan(banks, bodies)
        except neap.Infeasible:
            bank, peak = self._overflow(banks, bodies)
            raise BankTooSmall(*bank.too_small(peak)) from None
        except neap.NoPlan:
            bank, peak = self._overflow(banks, bodies)
            if bank.required(peak) > (bank.size or 0):
                text = bank.too_small(peak)[0]
                raise neap.NoPlan(f"found no plan within the limits of the search: {text}") from None

    def _overflow(self, banks: list[_Arena], bodies: list[_Body]) -> tuple[_Arena, int]:
        """Plans bodies without a limit where they do not fit: which bank that is, and the bytes.

        It is the first bank too small for what is pinned to it, or the last bank.
        """
        for bank in banks:
            unlimited = dataclasses.replace(bank, size=None)
            pins = [body for body in bodies if body.pin == bank.mem_id]
            peak = self._plan([unlimited], pins)[bank.mem_id]
            if bank.required(peak) > (bank.size or 0) and peak > 0:
                return bank, peak
        last = banks[-1]
        peaks = self._plan([*banks[:-1], dataclasses.replace(last, size=None)], bodies)
        return last, peaks[last.mem_id]


def _check_device(body: _Body) -> None:
    """Raises for tensors of other devices, whose memory is not in the banks."""
    for tensor in body.tensors:
        device = getattr(getattr(tensor.spec, "device", None), "name", "CPU")
        if device != "CPU":
            raise neap.InputError(f"{tensor} is on {device}; banks are for tensors on the CPU")


def _result(bodies: list[_Body], arenas: _Arenas) -> MemoryAlgoResult:
    """The result in ExecuTorch's form, with the tensors in the order given."""
    by_arena: dict[int, list[tuple[_Tensor, int]]] = {}
    for body in bodies:
        members = by_arena.setdefault(body.arena, [])
        members.extend((tensor, body.offset) for tensor in body.tensors)
    placed: dict[int, tuple[_Tensor, SpecAllocResult]] = {}
    for mem_id, members in by_arena.items():
        ids = object_ids([(offset, offset + tensor.size) for tensor, offset in members])
        for (tensor, offset), object_id in zip(members, ids):
            placed[tensor.index] = (tensor, SpecAllocResult(mem_id, object_id, offset))
    ordered = (placed[index] for index in sorted(placed))
    return MemoryAlgoResult(
        {tensor.spec: place for tensor, place in ordered}, arenas.sizes(bodies)
    )


planner = Planner()
