# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning for the Cadence backend, with stand-ins for its classes; tests/hosts/executorch has them."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional

import neap
import pytest
from neap.hosts.arenas import BankTooSmall
from neap.hosts.cadence import CadencePlanner


class Spec:
    """A tensor."""

    def __init__(self, size: int, first: Optional[int], last: int) -> None:
        self.allocated_memory = size
        self.lifetime = [first, last]
        self.mem_id: Optional[int] = None
        self.mem_offset: Optional[int] = None


class State:
    """What is placed in each memory."""

    def __init__(self, memories: int) -> None:
        self.allocated_buffers: list[list[Spec]] = [[] for _ in range(memories + 1)]

    def place_spec(self, spec: Spec) -> None:
        assert spec.mem_id is not None
        self.allocated_buffers[spec.mem_id].append(spec)

    def is_placed(self, spec: Spec) -> bool:
        return spec.mem_id is not None and spec in self.allocated_buffers[spec.mem_id]


Pins = dict[Spec, tuple[int, Optional[int]]]


class Constraints:
    """Pins, blocked memories, and tensors that are in others."""

    def __init__(self, pins: Pins, blocked: dict[Spec, int]) -> None:
        self.pins, self.blocked = pins, blocked
        self.skipped: set[Spec] = set()
        self.resolved: list[Spec] = []

    def get_absolute_placement_constraint(self, spec: Spec) -> Optional[SimpleNamespace]:
        pin = self.pins.get(spec)
        return pin and SimpleNamespace(pinned_memory_id=pin[0], offset=pin[1])

    def is_mem_id_in_blocklist(self, spec: Spec, mem_id: int) -> bool:
        return self.blocked.get(spec) == mem_id

    def skipped_spec(self, spec: Spec) -> bool:
        return spec in self.skipped

    def resolve_relative_loc_constraints(self, spec: Spec) -> None:
        self.resolved.append(spec)


class Algorithm(CadencePlanner):
    """The planner, with the members that it inherits from the host."""

    def __init__(self, sizes: list[int], alignments: list[int]) -> None:
        self.sizes, self.alignments = sizes, alignments
        self.memory_config = SimpleNamespace(memory_names=None)
        self.memory_id_is_valid = [True] * (len(sizes) + 1)

    def get_num_memories(self) -> int:
        return len(self.sizes) + 1

    def get_size(self, mem_id: int) -> int:
        return self.sizes[mem_id - 1]

    def get_alignment(self, mem_id: int) -> int:
        return self.alignments[mem_id - 1]

    def _place_pinned_specs(
        self, constraints: dict[Spec, Any], state: State, _: Constraints
    ) -> None:
        for spec, pin in constraints.items():
            if pin is not None and pin.offset is not None:
                spec.mem_id, spec.mem_offset = pin.pinned_memory_id, pin.offset
                state.place_spec(spec)


def run(
    specs: list[Spec],
    sizes: list[int],
    pins: Optional[Pins] = None,
    blocked: Optional[dict[Spec, int]] = None,
    skipped: Optional[set[Spec]] = None,
) -> list[tuple[Optional[int], Optional[int]]]:
    """Where each tensor is."""
    constraints = Constraints(pins or {}, blocked or {})
    constraints.skipped = skipped or set()
    algorithm = Algorithm(sizes, [16] * len(sizes))
    algorithm.plan_with_constraints(specs, None, None, State(len(sizes)), constraints)
    free = [spec for spec in specs if spec not in constraints.skipped]
    assert all(spec in constraints.resolved or spec in constraints.pins for spec in free)
    return [(spec.mem_id, spec.mem_offset) for spec in specs]


def test_the_first_memory_is_preferred() -> None:
    assert run([Spec(64, 0, 1), Spec(32, 1, 2), Spec(64, 2, 3)], [96, 640]) in (
        [(1, 0), (1, 64), (1, 0)],
        [(1, 32), (1, 0), (1, 32)],
    )
    assert run([Spec(64, 0, 1), Spec(128, 1, 2)], [96, 640]) == [(1, 0), (2, 0)]


def test_tensors_are_placed_around_those_with_an_offset() -> None:
    fixed = Spec(32, 2, 4)
    assert run([fixed, Spec(48, 4, 6)], [96], {fixed: (1, 16)}) == [(1, 16), (1, 48)]
    specs = [Spec(96, 0, 1), fixed, Spec(96, 5, 6)]
    assert run(specs, [96], {fixed: (1, 16)}) == [(1, 0), (1, 16), (1, 0)]


def test_pins_and_blocked_memories_are_respected() -> None:
    pinned, blocked, nowhere = Spec(32, 0, 1), Spec(32, 0, 1), Spec(32, 0, 1)
    assert run([pinned, blocked], [640, 640], {pinned: (2, None)}, {blocked: 1}) in (
        [(2, 0), (2, 32)],
        [(2, 32), (2, 0)],
    )
    with pytest.raises(neap.InputError, match="not allowed in any memory"):
        run([nowhere], [64], {nowhere: (1, None)}, {nowhere: 1})


def test_parts_of_other_tensors_are_skipped() -> None:
    part = Spec(32, 0, 1)
    assert run([Spec(64, 0, 1), part], [64], skipped={part}) == [(1, 0), (None, None)]


def test_memories_that_are_too_small_are_named() -> None:
    with pytest.raises(BankTooSmall, match="'memory 1'.* 128 bytes required, 96 available"):
        run([Spec(64, 0, 1), Spec(64, 1, 2)], [96])
    fixed = Spec(64, 0, 1)
    with pytest.raises(BankTooSmall, match="128 bytes required, 96 available, 32 in excess"):
        run([fixed], [96], {fixed: (1, 64)})
    with pytest.raises(neap.InputError, match="no lifetime"):
        run([Spec(64, None, 1)], [96])
