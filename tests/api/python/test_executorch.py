# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning for ExecuTorch, with stand-ins for its tensors; tests/hosts/executorch runs the host itself."""
from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, Optional

import neap
import pytest
from neap.hosts.executorch import Bank, BankTooSmall, MemoryAlgoResult, Planner, object_ids, planner


class Spec:
    """A tensor."""

    def __init__(
        self,
        size: int,
        first: Optional[int],
        last: Optional[int],
        base: Optional[Spec] = None,
        mem_id: Optional[int] = None,
    ) -> None:
        self._size = size
        self._alignment = 16
        self.lifetime = [first, last]
        self.inplace_base = base
        self.mem_id = mem_id

    @property
    def allocated_memory(self) -> int:
        return -(-self._size // self._alignment) * self._alignment

    def realign(self, new_alignment: int) -> int:
        self._alignment = new_alignment
        return self.allocated_memory


def run(
    specs: list[Spec],
    planner: Planner = planner,
    alignment: int = 16,
    reserved: Optional[list[int]] = None,
    padding: int = 0,
) -> MemoryAlgoResult:
    module = SimpleNamespace()
    if reserved is not None:
        module.input_mem_buffer_sizes = reserved
    return planner(alignment, specs, module, None, padding)


def places(specs: list[Spec], result: MemoryAlgoResult) -> list[tuple[int, int]]:
    found = [result.spec_dict[spec] for spec in specs]
    return [(place.mem_id, place.mem_offset) for place in found]


def test_lifetimes_are_inclusive() -> None:
    assert run([Spec(100, 0, 1), Spec(100, 1, 2)]).bufsizes == [0, 224]
    assert run([Spec(100, 0, 0), Spec(100, 1, 2)]).bufsizes == [0, 112]


def test_sizes_are_aligned_anew() -> None:
    specs = [Spec(100, 0, 1), Spec(1, 0, 1)]
    result = run(specs, alignment=64)
    assert result.bufsizes == [0, 192]
    assert specs[0].allocated_memory == 128
    assert all(place.mem_offset % 64 == 0 for place in result.spec_dict.values())


def test_nothing_is_planned() -> None:
    assert run([]).bufsizes == [0, 0]
    assert run([], reserved=[0, 48]).bufsizes == [0, 48]
    assert run([Spec(0, 0, 3)], reserved=[0, 40], padding=64).bufsizes == [0, 48]


def test_arenas_are_planned_apart() -> None:
    specs = [Spec(32, 0, 1), Spec(32, 0, 1, mem_id=3), Spec(64, 0, 1, mem_id=3)]
    result = run(specs)
    assert result.bufsizes == [0, 32, 0, 96]
    assert [place.mem_id for place in result.spec_dict.values()] == [1, 3, 3]


def test_submodules_and_padding_take_bytes() -> None:
    specs = [Spec(32, 0, 1), Spec(32, 0, 1, mem_id=2)]
    result = run(specs, reserved=[0, 100, 0, 48], padding=64)
    assert places(specs, result) == [(1, 112), (2, 0)]
    assert result.bufsizes == [0, 112 + 32 + 64, 32 + 64]


def test_in_place_chains_share_an_offset() -> None:
    first = Spec(64, 0, 2)
    second = Spec(64, 2, 4, first)
    third = Spec(64, 4, 6, second)
    beside = Spec(64, 1, 5)
    specs = [third, beside, second, first]
    result = run(specs)
    assert result.bufsizes == [0, 128]
    assert len({result.spec_dict[spec].mem_offset for spec in (first, second, third)}) == 1
    assert list(result.spec_dict) == specs


def test_room_is_left_for_larger_tensors_in_place() -> None:
    base = Spec(16, 0, 2)
    larger = Spec(64, 2, 4, base)
    above = Spec(48, 0, 1)
    result = run([base, larger, above])
    assert result.bufsizes == [0, 64]
    assert result.spec_dict[larger].mem_offset == result.spec_dict[base].mem_offset == 0


def test_in_place_follows_the_arena_of_its_base() -> None:
    base = Spec(16, 0, 2, mem_id=2)
    assert places([base], run([base, Spec(16, 2, 3, base, mem_id=5)])) == [(2, 0)]
    assert run([base, Spec(16, 2, 3, base, mem_id=5)]).bufsizes == [0, 0, 16]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: [Spec(16, None, None)], "no lifetime"),
        (lambda: [Spec(16, 3, 2)], "no lifetime"),
        (lambda: [Spec(16, 0, 2, mem_id=0)], "arena 0 is for constants"),
        (lambda: [Spec(16, 0, 2, Spec(16, 0, 0))], "an unplanned tensor"),
    ],
)
def test_malformed_tensors_are_refused(make: Any, text: str) -> None:
    with pytest.raises(neap.InputError, match=text):
        run(make())


def test_circles_are_refused() -> None:
    first, second = Spec(16, 0, 2), Spec(16, 2, 3)
    first.inplace_base, second.inplace_base = second, first
    with pytest.raises(neap.InputError, match="over itself"):
        run([first, second])


def test_two_results_cannot_replace_one_tensor() -> None:
    base = Spec(16, 0, 2)
    with pytest.raises(neap.InputError, match="neither is computed from the other"):
        run([base, Spec(16, 2, 4, base), Spec(16, 3, 5, base)])


def test_long_chains_need_no_recursion() -> None:
    specs = [Spec(16, 0, 1)]
    for start in range(1, 5000):
        specs.append(Spec(16, start, start + 1, specs[-1]))
    assert run(list(reversed(specs))).bufsizes == [0, 16]


def test_objects_are_connected_by_shared_bytes() -> None:
    assert object_ids([(0, 10), (10, 20), (5, 8), (15, 30), (30, 30)]) == [0, 1, 0, 1, 2]
    assert object_ids([(0, 4), (8, 12), (2, 9)]) == [0, 0, 0]
    assert object_ids([]) == []


def test_objects_agree_with_every_pair() -> None:
    chance = random.Random(1)
    for _ in range(200):
        extents = []
        for _ in range(chance.randint(1, 12)):
            low = chance.randrange(40)
            extents.append((low, low + chance.randrange(8)))
        ids = object_ids(extents)
        for i, (low, high) in enumerate(extents):
            for j, (other_low, other_high) in enumerate(extents):
                if max(low, other_low) < min(high, other_high):
                    assert ids[i] == ids[j]


def two_banks(fast: int, slow: int) -> Planner:
    return Planner(banks=[Bank("fast", fast, 2), Bank("slow", slow, 1, alignment=32)])


def test_tensors_spill_to_the_next_bank() -> None:
    specs = [Spec(96, 0, 9), Spec(16, 0, 9), Spec(80, 0, 9)]
    result = run(specs, two_banks(128, 4096))
    assert [place.mem_id for place in result.spec_dict.values()] == [2, 2, 1]
    assert result.bufsizes == [0, 96, 112]


def test_banks_lose_room_to_submodules_and_padding() -> None:
    specs = [Spec(64, 0, 9), Spec(64, 0, 9)]
    result = run(specs, two_banks(256, 4096), reserved=[0, 0, 128], padding=64)
    assert places(specs, result) in ([(2, 128), (1, 0)], [(1, 0), (2, 128)])
    assert result.bufsizes == [0, 128, 256]


def test_tensors_pinned_to_other_arenas_are_not_in_the_banks() -> None:
    specs = [Spec(64, 0, 9), Spec(640, 0, 9, mem_id=4), Spec(64, 0, 9, mem_id=1)]
    result = run(specs, two_banks(128, 128))
    assert [place.mem_id for place in result.spec_dict.values()] == [2, 4, 1]
    assert result.bufsizes == [0, 64, 64, 0, 640]


def test_a_bank_that_is_too_small_is_named() -> None:
    specs = [Spec(64, 0, 9) for _ in range(4)]
    with pytest.raises(BankTooSmall, match="'slow'.* 192 bytes required, 100 available") as caught:
        run(specs, two_banks(64, 100))
    assert (caught.value.bank, caught.value.excess) == ("slow", 92)
    with pytest.raises(neap.Infeasible, match="'fast'.* 128 bytes required, 64 available"):
        run([Spec(64, 0, 9, mem_id=2), Spec(64, 9, 9, mem_id=2)], two_banks(64, 4096))


def test_banks_are_checked() -> None:
    with pytest.raises(neap.ArgumentError, match="duplicate name 'a'"):
        Planner(banks=[Bank("a", 1, 1), Bank("a", 1, 2)])
    with pytest.raises(neap.ArgumentError, match="duplicate mem_id 1"):
        Planner(banks=[Bank("a", 1, 1), Bank("b", 1, 1)])
    with pytest.raises(neap.ArgumentError, match="must be positive"):
        Planner(banks=[Bank("a", 0, 1)])
    with pytest.raises(neap.ArgumentError, match="at least one bank"):
        Planner(banks=[])
    with pytest.raises(neap.ArgumentError, match="not a multiple"):
        run([], Planner(banks=[Bank("a", 64, 1, alignment=24)]))


def test_a_map_of_banks_is_accepted() -> None:
    target = SimpleNamespace(banks=[Bank("only", 64, 3)])
    assert run([Spec(64, 0, 9)], Planner(banks=target)).bufsizes == [0, 0, 0, 64]


def test_banks_are_for_the_cpu() -> None:
    spec: Any = Spec(16, 0, 1)
    spec.device = SimpleNamespace(name="CUDA")
    with pytest.raises(neap.InputError, match="is on CUDA"):
        run([spec], two_banks(64, 64))


def test_settings_are_passed_on() -> None:
    plans: list[tuple[list[int], neap.Plan]] = []
    specs = [Spec(64, 0, 2), Spec(32, 2, 3)]
    chosen = Planner(engine="sort", on_plan=lambda ids, plan: plans.append((ids, plan)))
    assert run(specs, chosen).bufsizes == [0, 96]
    assert [(ids, plan.report.engine) for ids, plan in plans] == [([1], "sort")]
    assert planner.__name__ == "neap"
    with pytest.raises(neap.ArgumentError):
        run(specs, Planner(engine="none"))


def test_planning_in_a_process_gives_the_same() -> None:
    specs = [Spec(64 * k, k, k + 3) for k in range(1, 9)]
    for banks in (None, [Bank("fast", 1024, 1), Bank("slow", 4096, 2)]):
        here, apart = Planner(banks=banks), Planner(banks=banks, process=True)
        assert run(specs, here) == run(specs, apart)
