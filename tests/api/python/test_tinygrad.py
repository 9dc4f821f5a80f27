# SPDX-License-Identifier: GPL-3.0-or-later
"""neap.hosts.tinygrad without tinygrad."""
from __future__ import annotations

import sys
import types
from typing import Any, Callable, Iterator, Sequence

import pytest

import neap
import neap.hosts.tinygrad

UNIT = 256

# A buffer: its lane, its size in bytes, and the steps that it is alive at, both inclusive.
Buffer = tuple[str, int, int, int]
Layout = dict[int, int]

# Allocated one after the other at run time, these leave a hole that the last buffer does not fit into.
FRAGMENTED: list[Buffer] = [
    ("a", 512, 0, 1),
    ("a", 256, 0, 3),
    ("a", 768, 2, 3),
]
PERFECT: list[Buffer] = [("b", 256, 0, 1), ("b", 256, 2, 3)]


class LowestFit:
    """An allocator made for run time: it uses the lowest gap, in blocks."""

    def __init__(self, size: int, base: int = 0, block_size: int = 16) -> None:
        self.size, self.base, self.block = size, base, block_size
        self.taken: dict[int, int] = {}

    def alloc(self, size: int) -> int:
        size = max(size, self.block)
        start = self.base
        for low, high in sorted(self.taken.items()):
            if start + size <= low:
                break
            start = high
        self.taken[start] = start + size
        return start

    def free(self, start: int) -> None:
        del self.taken[start]


class Host:
    """Modules of tinygrad: a planner like its own, and two modules that import it by name."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self.memory = types.ModuleType(neap.hosts.tinygrad.HOST)
        self.users = types.ModuleType("tinygrad.schedule"), types.ModuleType("tinygrad.engine.jit")
        self.other = types.ModuleType("other")
        self.memory.TLSFAllocator = LowestFit  # type: ignore[attr-defined]
        self.planner = self.rewrite  # one object
        for module in (self.memory, *self.users, self.other):
            module.memory_plan_rewrite = self.planner  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, module.__name__, module)

    def rewrite(self, buffers: Sequence[Buffer], held: Sequence[int] = ()) -> Layout:
        """Returns the offset of every buffer that is not held."""
        self.calls += 1
        planned = [i for i in range(len(buffers)) if i not in held]
        events = [(buffers[i][2], True, i) for i in planned]
        events += [(buffers[i][3] + 1, False, i) for i in planned]
        allocators: dict[str, Any] = {}
        layout: Layout = {}
        for _, begins, i in sorted(events):
            lane, size, _, _ = buffers[i]
            if lane not in allocators:
                make: Callable[..., Any] = getattr(self.memory, "TLSFAllocator")
                allocators[lane] = make(1 << 30, block_size=UNIT)
            if begins:
                layout[i] = allocators[lane].alloc(-(-size // UNIT) * UNIT)
            else:
                allocators[lane].free(layout[i])
        return layout

    @property
    def current(self) -> Callable[..., Layout]:
        """What tinygrad calls now."""
        (planner,) = {user.memory_plan_rewrite for user in self.users}
        function: Callable[..., Layout] = planner
        return function


def peak(buffers: Sequence[Buffer], layout: Layout) -> dict[str, int]:
    """The bytes of every lane, after a check of the layout."""
    peaks: dict[str, int] = {}
    for i, low in layout.items():
        lane, size, first, last = buffers[i]
        assert low >= 0 and low % UNIT == 0
        peaks[lane] = max(peaks.get(lane, 0), low + size)
        for j, base in layout.items():
            other, bytes_, begin, end = buffers[j]
            apart = i == j or lane != other or last < begin or end < first
            assert apart or low + size <= base or base + bytes_ <= low
    return peaks


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    yield Host(monkeypatch)


@pytest.mark.parametrize("process", [False, True])
def test_a_layout_above_the_bound_is_replaced(host: Host, process: bool) -> None:
    assert peak(FRAGMENTED, host.current(FRAGMENTED)) == {"a": 1536}
    neap.hosts.tinygrad.install(process=process)
    assert peak(FRAGMENTED, host.current(FRAGMENTED)) == {"a": 1024}


def test_lanes_are_planned_apart(host: Host) -> None:
    neap.hosts.tinygrad.install()
    both = PERFECT + FRAGMENTED
    layout = host.current(both)
    assert peak(both, layout) == {"a": 1024, "b": 256}
    assert layout[0] == layout[1] == 0


def test_a_layout_at_the_bound_is_kept(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neap, "plan", None)
    neap.hosts.tinygrad.install()
    assert host.current(PERFECT) == {0: 0, 1: 0}
    assert host.calls == 1


def test_arguments_are_passed_on(host: Host) -> None:
    neap.hosts.tinygrad.install()
    assert set(host.current(FRAGMENTED, held=[1])) == {0, 2}
    assert host.current(FRAGMENTED, [0, 1, 2]) == {} == host.current([])


def test_layouts_are_remembered(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[int] = []
    plan = neap.plan

    def count(problem: neap.Problem, **options: Any) -> neap.Plan:
        planned.append(len(problem))
        return plan(problem, **options)

    monkeypatch.setattr(neap, "plan", count)
    neap.hosts.tinygrad.install(max_ticks=10000)
    assert host.current(FRAGMENTED) == host.current(FRAGMENTED)
    assert planned == [3]


def test_no_plan_keeps_tinygrads_layout(host: Host) -> None:
    expected = host.current(FRAGMENTED)
    neap.hosts.tinygrad.install(time_limit=0, max_ticks=1)
    assert peak(FRAGMENTED, host.current(FRAGMENTED))["a"] <= peak(FRAGMENTED, expected)["a"]


def test_a_higher_plan_is_not_used(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    class Worse:
        peak, bound, offsets = 4096, 1024, [0, 1024, 2048]

    expected = host.current(FRAGMENTED)
    monkeypatch.setattr(neap, "plan", lambda problem, **options: Worse())
    neap.hosts.tinygrad.install()
    assert host.current(FRAGMENTED) == expected


def test_other_requests_keep_tinygrads_layout(host: Host) -> None:
    neap.hosts.tinygrad.install()
    rewrite, schedules = host.rewrite, [FRAGMENTED, [*FRAGMENTED, ("c", 256, 0, 0)]]
    neap.hosts.tinygrad.uninstall()
    # The second time, the planner sees another schedule.
    changing = lambda _: rewrite(schedules.pop(0))  # noqa: E731
    for module in (host.memory, *host.users):
        module.memory_plan_rewrite = changing  # type: ignore[attr-defined]
    neap.hosts.tinygrad.install()
    assert peak(FRAGMENTED, host.current(None)) == {"a": 1536}
    assert not schedules


def test_main_without_tinygrad_or_program(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "train.py"
    with pytest.raises(SystemExit, match="^neap.hosts.tinygrad: there is no program .*train.py$"):
        neap.hosts.tinygrad.main([str(program)])
    program.touch()
    monkeypatch.setitem(sys.modules, "tinygrad", None)
    missing = "^neap.hosts.tinygrad: cannot import tinygrad.* python3 -m pip install tinygrad$"
    with pytest.raises(SystemExit, match=missing):
        neap.hosts.tinygrad.main([str(program)])
    with pytest.raises(ModuleNotFoundError, match="pip install tinygrad"):
        neap.hosts.tinygrad.install()


def test_a_lane_keeps_requests() -> None:
    lane = neap.hosts.tinygrad.Lane(LowestFit(1 << 20))
    first, second = lane.alloc(256), lane.alloc(320)
    lane.free(first)
    lane.free(second)
    assert lane.requests == ((256, 0, 2), (320, 1, 3))
    assert (lane.bound, lane.peak, lane.offsets, lane.alignment) == (576, 576, [0, 256], 64)


def test_buffers_without_bytes(host: Host) -> None:
    # tinygrad's allocator gives them a block each.
    neap.hosts.tinygrad.install()
    buffers = FRAGMENTED + [("a", 0, 0, 3), ("a", 0, 1, 2)]
    assert peak(buffers, host.current(buffers))["a"] <= 2048


def test_install_again_and_uninstall(host: Host) -> None:
    neap.hosts.tinygrad.uninstall()
    neap.hosts.tinygrad.install(seed=1)
    neap.hosts.tinygrad.install(seed=2)
    assert getattr(host.other, neap.hosts.tinygrad.HOOK) is host.planner  # not one of tinygrad's
    neap.hosts.tinygrad.uninstall()
    assert host.current is host.planner is getattr(host.memory, neap.hosts.tinygrad.HOOK)
    assert getattr(host.memory, neap.hosts.tinygrad.ALLOCATOR) is LowestFit


def test_the_allocator_alone_is_tinygrads(host: Host) -> None:
    neap.hosts.tinygrad.install()
    make = getattr(host.memory, neap.hosts.tinygrad.ALLOCATOR)
    assert isinstance(make(1 << 20, block_size=UNIT), LowestFit)


def test_main_runs_a_program(
    host: Host, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "train.py"
    program.write_text("import sys\nprint(__name__, sys.argv[1:])\n")
    monkeypatch.setattr(sys, "argv", [])
    neap.hosts.tinygrad.main([str(program), "--steps", "7"])
    assert capsys.readouterr().out == "__main__ ['--steps', '7']\n"
    assert host.current is not host.planner
    with pytest.raises(SystemExit):
        neap.hosts.tinygrad.main([])
