# SPDX-License-Identifier: GPL-3.0-or-later
"""neap as an allocator of omnimalloc, if that is installed."""
import random

import neap
import pytest

omnimalloc = pytest.importorskip("omnimalloc")
host = pytest.importorskip("neap.hosts.omnimalloc")


def random_allocations(seed: int, count: int = 40) -> list:
    numbers = random.Random(seed)
    made = []
    for index in range(count):
        start = numbers.randrange(60)
        name = index if index % 2 else str(index)
        end = start + numbers.randrange(1, 20)
        made.append(omnimalloc.Allocation(name, numbers.randrange(1, 4000), start, end))
    return made


def peak(allocations) -> int:
    return max(allocation.height for allocation in allocations)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_registered_and_never_above_the_default(seed) -> None:
    given = random_allocations(seed)
    placed = omnimalloc.allocate(given, "neap", validate=True)
    assert [allocation.id for allocation in placed] == [allocation.id for allocation in given]
    assert peak(placed) <= peak(omnimalloc.allocate(given, validate=True))
    assert "neap" in omnimalloc.available_allocators()


def test_pins_stay_and_options_are_used() -> None:
    pinned = omnimalloc.Allocation("pinned", 64, 0, 9, offset=4096)
    allocator = host.NeapAllocator(max_ticks=1000, seed=7)
    placed = omnimalloc.allocate([pinned, *random_allocations(1)], allocator, validate=True)
    assert placed[0].offset == 4096
    assert repr(allocator) == "NeapAllocator(max_ticks=1000, seed=7)"
    with pytest.raises(neap.ArgumentError):
        omnimalloc.allocate([pinned], host.NeapAllocator(no_such=1))


def test_vector_clocks_are_refused() -> None:
    clocks = [omnimalloc.Allocation("a", 8, (0, 0), (1, 1))]
    with pytest.raises(ValueError, match="vector clocks"):
        omnimalloc.allocate(clocks, "neap")
