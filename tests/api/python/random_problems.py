# SPDX-License-Identifier: GPL-3.0-or-later
"""Random problems with constraints of every kind; some contradict themselves."""
import os
import random

import neap
from neap.problem import KINDS, TERMS


def tries(count: int) -> int:
    """The number of tries in a test: with NEAP_FULL=1 all of them, otherwise a quarter."""
    return count if os.environ.get("NEAP_FULL") else count // 4


def _ranges(numbers: random.Random) -> list:
    """One to three ascending ranges, some of which touch."""
    start, ranges = numbers.randrange(12), []
    for _ in range(numbers.choice((1, 1, 1, 2, 3))):
        end = start + numbers.randrange(1, 6)
        ranges.append((start, end))
        start = end + numbers.randrange(4)
    return ranges


def _maybe(numbers: random.Random, rate: float, value: object) -> object:
    return value if numbers.random() < rate else None


def _window(numbers: random.Random, size: int) -> tuple:
    low = numbers.choice((0, numbers.randrange(100)))
    return low, low + size + numbers.randrange(400)


def _text(numbers: random.Random) -> str:
    return numbers.choice(("", "DMA", "ж,\"'\\", "line\nbreak", "\t/*"))


def _add_buffer(problem: neap.Problem, numbers: random.Random, rate: float) -> None:
    size = numbers.choice((0, 1, 8, 64, 100, numbers.randrange(300)))
    alignment = numbers.choice((1, 1, 1, 4, 8, 3, 64))
    pools = range(len(problem.pools))
    near = _maybe(numbers, rate, numbers.randrange(300))
    given = dict(
        name=_maybe(numbers, 0.5, f"buffer {len(problem)} ☃"),
        ranges=_ranges(numbers),
        alignment=alignment,
        fixed_offset=_maybe(numbers, rate / 4, alignment * numbers.randrange(40)),
        hint=_maybe(numbers, rate, _text(numbers)),
        window=_maybe(numbers, rate / 2, _window(numbers, size)),
        bank=_maybe(numbers, rate / 2, numbers.choice((256, 300, 512))) or 0,
        pools=numbers.sample(pools, numbers.randrange(len(pools) + 1)) if pools else (),
        near=near,
        move_cost=None if near is None else _maybe(numbers, 0.5, numbers.randrange(99)),
        shape=_maybe(numbers, rate, [numbers.randrange(-1, 9) for _ in range(numbers.randrange(4))]),
        dtype=_maybe(numbers, rate, _text(numbers)),
    )
    try:
        problem.add(size, **given)
    except neap.ArgumentError:  # its fixed offset is outside its window, or crosses banks
        problem.add(size, **{**given, "fixed_offset": None})


def _add_pools(problem: neap.Problem, numbers: random.Random, rate: float) -> None:
    for name in ("sram", "dram", "flash")[: numbers.randrange(4)]:
        problem.add_pool(
            name,
            capacity=_maybe(numbers, 0.5, numbers.randrange(200, 2000)),
            alignment=numbers.choice((1, 1, 16)),
            base=numbers.choice((0, 0x20000000)),
            cost=_maybe(numbers, rate, numbers.randrange(5)),
        )


def _relate(problem: neap.Problem, numbers: random.Random, rate: float) -> None:
    kind = numbers.choice(KINDS if rate > 0.3 else ("separation", "exclusion", "reuse_penalty"))
    first, second = numbers.sample(range(len(problem)), 2)
    amount = 0
    if kind in ("overlap", "reuse_penalty"):
        amount = numbers.randrange(60)
    elif kind == "colocation":
        amount = 8 * numbers.randrange(-4, 5)
    elif kind == "bank_separation":
        amount = numbers.choice((64, 256))
    problem.relate(kind, first, second, amount, _maybe(numbers, rate, _text(numbers)))


def _reserve(problem: neap.Problem, numbers: random.Random) -> None:
    low, start = numbers.randrange(400), numbers.randrange(10)
    problem.reserve(
        low,
        _maybe(numbers, 0.8, low + numbers.randrange(1, 99)),
        start=start,
        end=_maybe(numbers, 0.8, start + numbers.randrange(1, 9)),
        pool=numbers.randrange(len(problem.pools) or 1),
    )


def _add_operators(problem: neap.Problem, numbers: random.Random) -> None:
    """Also operators that run after the last buffer is dead."""
    buffers = range(len(problem))
    for _ in range(numbers.randrange(1, 30)):
        problem.add_operator(
            numbers.choice(("", "ADD", "ж\"\\")),
            numbers.sample(buffers, numbers.randrange(3)),
            numbers.sample(buffers, numbers.randrange(3)),
            name=_maybe(numbers, 0.5, _text(numbers)),
        )


def random_problem(seed: int) -> neap.Problem:
    """A small problem; half of them have few constraints, so that most of these can be planned."""
    numbers = random.Random(seed)
    problem = neap.Problem()
    rate = numbers.choice((0.0, 0.1, 0.4, 0.8))
    if numbers.random() < 0.4:
        _add_pools(problem, numbers, rate)
    for _ in range(numbers.randrange(2, 14)):
        _add_buffer(problem, numbers, rate)
    if rate:
        for _ in range(numbers.randrange(4)):
            _relate(problem, numbers, rate)
    if numbers.random() < rate / 2:
        _reserve(problem, numbers)
    if numbers.random() < rate:
        problem.set_objective(numbers.sample(TERMS, numbers.randrange(5)))
    if numbers.random() < 0.4:
        _add_operators(problem, numbers)
    return problem
