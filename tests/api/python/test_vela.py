# SPDX-License-Identifier: GPL-3.0-or-later
"""neap.hosts.vela without Vela."""
from __future__ import annotations

import sys
import types
import warnings
from dataclasses import dataclass
from typing import Callable, Iterator, Sequence

import pytest

import neap
import neap.hosts.vela

PLENTY = 1 << 32  # bytes


@dataclass
class Range:
    """A live range with what neap reads of it."""

    start_time: int
    end_time: int
    size: int
    alignment: int = 16

    def get_alignment(self) -> int:
        return self.alignment


# The best layout in the order of the hill climb's first attempt is 16,032 bytes.
FIVE = [
    Range(0, 100, 8000),
    Range(0, 1, 8016),
    Range(100, 110, 2000),
    Range(108, 110, 4000),
    Range(109, 110, 6000),
]


def peak(ranges: Sequence[Range], addresses: Sequence[int]) -> int:
    """The bytes of a layout, after a check of it."""
    assert len(ranges) == len(addresses)
    for i, (one, low) in enumerate(zip(ranges, addresses)):
        assert type(low) is int and low >= 0 and low % one.alignment == 0
        for other, base in list(zip(ranges, addresses))[:i]:
            apart = one.end_time < other.start_time or other.end_time < one.start_time
            assert apart or low + one.size <= base or base + other.size <= low
    return max(low + one.size for one, low in zip(ranges, addresses))


def test_ends_are_inclusive() -> None:
    ranges = [Range(0, 1, 64), Range(1, 2, 32), Range(3, 4, 96)]
    assert peak(ranges, neap.hosts.vela.allocate_live_ranges(ranges, None, PLENTY)) == 96


def test_finds_the_lowest() -> None:
    assert peak(FIVE, neap.hosts.vela.allocate_live_ranges(FIVE, None, PLENTY)) == 16016


def test_alignments() -> None:
    ranges = [Range(0, 1, 10, 1), Range(0, 1, 10, 64), Range(0, 1, 10, 16)]
    assert peak(ranges, neap.hosts.vela.allocate_live_ranges(ranges, 99999, PLENTY)) == 36


def test_nothing_to_allocate() -> None:
    assert neap.hosts.vela.allocate_live_ranges([], 0, 0) == []


def test_unused_ranges_collide_with_nothing() -> None:
    unused = Range(99999999999, -1, 0)
    assert neap.hosts.vela.allocate_live_ranges([unused], None, PLENTY) == [0]
    ranges = [Range(0, 4, 160), unused, Range(2, 3, 16)]
    addresses = neap.hosts.vela.allocate_live_ranges(ranges, None, PLENTY)
    assert addresses[1] == 0 and sorted(addresses) in ([0, 0, 16], [0, 0, 160])


def test_the_limit_is_no_capacity() -> None:
    with pytest.warns(RuntimeWarning, match="memory limit 16000 is below the lower bound, 16016"):
        addresses = neap.hosts.vela.allocate_live_ranges(FIVE, 10, 16000)
    assert peak(FIVE, addresses) == 16016
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert peak(FIVE, neap.hosts.vela.allocate_live_ranges(FIVE, 10, 16016)) == 16016


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    ranges = [Range(0, 1, numpy.int64(64)), Range(numpy.int64(1), 2, 32)]
    assert peak(ranges, neap.hosts.vela.allocate_live_ranges(ranges, None, PLENTY)) == 96


# ---------------------------------------------------------------- install


class Host:
    """Vela's module, with a hill climb that puts all live ranges side by side, or at given addresses."""

    def __init__(self) -> None:
        self.module = types.ModuleType(neap.hosts.vela.HOST)
        self.module.allocate_live_ranges = self.allocate  # type: ignore[attr-defined]
        self.addresses: list[int] = []
        self.iterations: list[int | None] = []

    def allocate(self, lrs: Sequence[Range], iterations: int | None, _limit: int) -> list[int]:
        self.iterations.append(iterations)
        return self.addresses or [sum(lr.size for lr in lrs[:i]) for i in range(len(lrs))]

    @property
    def current(self) -> Callable[..., list[int]]:
        """What Vela calls now."""
        function: Callable[..., list[int]] = getattr(self.module, neap.hosts.vela.HOOK)
        return function


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    made = Host()
    monkeypatch.setitem(sys.modules, neap.hosts.vela.HOST, made.module)
    yield made


@pytest.mark.parametrize("process", [False, True])
def test_install_takes_the_lower_layout(host: Host, process: bool) -> None:
    neap.hosts.vela.install(process=process)
    assert peak(FIVE, host.current(FIVE, 99999, PLENTY)) == 16016
    assert host.iterations == [0]  # a proof, so the hill climb is short
    host.addresses = [8016, 0, 0, 2000, 10000 + 6016]  # as high as neap's, or higher
    ranges = FIVE[:2]
    assert host.current(ranges, None, PLENTY) is host.addresses


def test_without_a_proof_the_hill_climb_is_whole(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Result:
        status, offsets, lower_bound, peak = "feasible", [0, 100], 90, 150

    monkeypatch.setattr(neap, "plan", lambda problem, **options: Result())
    neap.hosts.vela.install()
    ranges = [Range(0, 1, 50), Range(1, 2, 50)]
    assert host.current(ranges, 77, PLENTY) == [0, 50]  # 100 bytes
    assert host.iterations == [77]


def test_install_again_and_uninstall(host: Host) -> None:
    neap.hosts.vela.uninstall()
    neap.hosts.vela.install(max_ticks=1000)
    neap.hosts.vela.install(max_ticks=2000)
    assert host.current is not host.allocate
    neap.hosts.vela.uninstall()
    assert host.current == host.allocate
    assert host.current([], 1, 1) == []


def test_installed_without_live_ranges(host: Host) -> None:
    neap.hosts.vela.install()
    assert host.current([], 5, 5) == [] and host.iterations == [5]


def test_search_goes_on_while_the_limit_may_be_met(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[dict[str, object]] = []

    class Result:
        status, offsets, lower_bound, peak = "feasible", [0, 100], 90, 150

    def plan(_problem: neap.Problem, **options: object) -> Result:
        calls.append(options)
        if len(calls) == 4:
            raise neap.NoPlan("limits")
        return Result()

    monkeypatch.setattr(neap, "plan", plan)
    ranges = [Range(0, 1, 50), Range(1, 2, 50)]
    more = {"capacity": 100, "until_fits": True, "max_ticks": 20}
    assert neap.hosts.vela.allocate_live_ranges(ranges, 10, 100) == [0, 100]
    assert calls == [{}, more]
    assert neap.hosts.vela.allocate_live_ranges(ranges, 10, 100) == [0, 100]
    assert calls[2:] == [{}, more]
    for iterations, limit in (None, 100), (0, 100), (10, 150):
        calls.clear()
        neap.hosts.vela.allocate_live_ranges(ranges, iterations, limit)
        assert calls == [{}]
    with pytest.warns(RuntimeWarning):
        calls.clear()
        neap.hosts.vela.allocate_live_ranges(ranges, 10, 80)
        assert calls == [{}]


def test_main_without_vela(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ethosu", None)
    with pytest.raises(SystemExit, match="^neap.hosts.vela: cannot import .* pip install ethos-u-vela$"):
        neap.hosts.vela.main([])


def test_main_runs_velas_program(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    program = types.ModuleType(neap.hosts.vela.PROGRAM)
    given: list[object] = []
    program.main = given.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, neap.hosts.vela.PROGRAM, program)
    assert neap.hosts.vela.main(["model.tflite"]) == 0
    assert given == [["model.tflite"]] and host.current is not host.allocate
