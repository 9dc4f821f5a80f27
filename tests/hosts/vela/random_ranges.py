# SPDX-License-Identifier: GPL-3.0-or-later
"""random_ranges.py COUNT: lets Vela check what neap makes of random live ranges.

Every layout passes Vela's verify_allocation and keeps the alignments.  Installed, neap is never
higher than the hill climb.
"""
from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from typing import Sequence

from ethosu.vela import hillclimb_allocation as hill_climb
from ethosu.vela.data_type import DataType
from ethosu.vela.live_range import LiveRangeGraph
from ethosu.vela.tensor import Tensor
from ethosu.vela.tensor_allocation import verify_allocation

import neap.hosts.vela

ITERATIONS = 500
TICKS = 200_000


def random_graph(rng: random.Random) -> LiveRangeGraph:
    """Makes live ranges of random times, sizes and alignments."""
    graph = LiveRangeGraph()
    moments = rng.randint(1, 40)
    longest = rng.choice([2, 5, moments])
    quantum = rng.choice([16, 16, 16, 1, 1024])
    alignments = rng.choices([[16], [16, 64], [1], [1, 16, 4096]], [10, 10, 4, 1])[0]
    for index in range(rng.randint(1, 30)):
        size = quantum * rng.randint(1, rng.choice([4, 1000]))
        tensor = Tensor([size], DataType.int8, f"t{index}")
        live_range = graph.get_or_create_range(tensor, rng.choice(alignments))
        live_range.size = size
        start = rng.randint(0, moments - 1)
        live_range.mark_usage(start, rng.randint(0, longest))
    return graph


def allocate(graph: LiveRangeGraph, limit: int) -> int:
    """Allocates with the function that Vela has now, checks the layout and returns its peak."""
    addresses: Sequence[int] = hill_climb.allocate_live_ranges(graph.lrs, ITERATIONS, limit)
    assert len(addresses) == len(graph.lrs)
    for live_range, address in zip(graph.lrs, addresses):
        assert address >= 0 and address % live_range.get_alignment() == 0, (live_range, address)
        live_range.set_address(None)  # forgets the earlier layout
        live_range.set_address(address)
    verify_allocation(graph, 1)
    return max(address + lr.size for address, lr in zip(addresses, graph.lrs))


def main() -> None:
    """Compares the hill climb, neap's function in its place, and `install`."""
    rng = random.Random(18)
    host = hill_climb.allocate_live_ranges
    lower = 0
    for number in range(int(sys.argv[1])):
        graph = random_graph(rng)
        with contextlib.redirect_stdout(io.StringIO()):  # warnings about the limit
            theirs = allocate(graph, 1 << 32)
            limit = rng.choice([1 << 32, theirs, theirs - 1, theirs * 9 // 10, 0])
            hill_climb.allocate_live_ranges = neap.hosts.vela.allocate_live_ranges
            ours = allocate(graph, limit)
            hill_climb.allocate_live_ranges = host
            neap.hosts.vela.install(max_ticks=TICKS)
            installed = allocate(graph, limit)
            neap.hosts.vela.uninstall()
        assert hill_climb.allocate_live_ranges is host
        assert installed <= theirs, (number, theirs, installed)
        lower += installed < theirs
        if ours > theirs:
            print(f"case {number}: {ours} bytes without the hill climb, which has {theirs}")
    print(f"{sys.argv[1]} sets of live ranges, {lower} of them lower than the hill climb")


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)
    main()
