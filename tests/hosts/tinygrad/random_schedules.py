# SPDX-License-Identifier: GPL-3.0-or-later
"""random_schedules.py COUNT: plans random schedules with copies; needs DEV=NULL."""
from __future__ import annotations

import random
import sys

from layouts import compare, sizes
from tinygrad import dtypes
from tinygrad.uop.ops import Ops, UOp

DEVICES = "NULL", "NULL:1"


def random_schedule(rng: random.Random) -> tuple[UOp, set]:
    """Makes operators that use recent buffers, some of them held, and some copies."""
    buffers: list[UOp] = []
    calls = []
    longest = rng.choice([2, 5, 30])
    largest = rng.choice([1, 300, 5000, 1 << 20])
    for _ in range(rng.randint(1, 40)):
        device = rng.choice(DEVICES)
        new = UOp.new_buffer(device, rng.randint(1, largest), dtypes.int8)
        recent = [buffer for buffer in buffers[-longest:] if buffer.device == device]
        elsewhere = [buffer for buffer in buffers[-longest:] if buffer.device != device]
        if elsewhere and rng.random() < 0.2:
            source = rng.choice(elsewhere)
            calls.append(source.copy_to_device(device).call(new, source))
        else:
            used = (new, *rng.sample(recent, min(len(recent), rng.randint(0, 3))))
            calls.append(UOp(Ops.CALL, src=(UOp(Ops.SINK, src=used), *used)))
        buffers.append(new)
    held = {buffer for buffer in buffers if rng.random() < 0.1}
    return UOp(Ops.LINEAR, src=tuple(calls)), held


def main() -> None:
    """Checks the layouts and counts those that are lower with neap."""
    rng = random.Random(18)
    lower = 0
    for _ in range(int(sys.argv[1])):
        before, after = compare(*random_schedule(rng), max_ticks=100_000)
        lower += sizes(after) != sizes(before)
    print(f"{sys.argv[1]} schedules, {lower} of them lower with neap")


if __name__ == "__main__":
    main()
