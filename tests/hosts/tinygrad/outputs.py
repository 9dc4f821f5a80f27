# SPDX-License-Identifier: GPL-3.0-or-later
"""outputs.py: trains and runs a small network with neap and without; the results are the same."""
from __future__ import annotations

import logging

from tinygrad import Context, Device, Tensor, TinyJit, nn

import neap.hosts.tinygrad


class Branches:
    """Convolutions of different widths, some of them side by side."""

    def __init__(self) -> None:
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.wide = nn.Conv2d(4, 12, 3, padding=1)
        self.narrow = nn.Conv2d(4, 2, 1)
        self.back = nn.Conv2d(14, 4, 1)
        self.last = nn.Linear(4 * 4 * 4, 4)

    def __call__(self, images: Tensor) -> Tensor:
        stem = self.stem(images).relu()
        both = self.wide(stem).relu().contiguous().cat(self.narrow(stem).contiguous(), dim=1)
        joined = self.back(both.contiguous()).contiguous() + stem
        return self.last(joined.max_pool2d().flatten(1))


def work() -> list[float]:
    """Everything that the network computes, from the same random numbers."""
    Tensor.manual_seed(18)
    network = Branches()
    images, classes = Tensor.rand(4, 3, 8, 8).realize(), Tensor([0, 1, 2, 3]).realize()
    descent = nn.optim.Adam(nn.state.get_parameters(network))

    @TinyJit
    def train(some: Tensor) -> Tensor:
        descent.zero_grad()
        loss = network(some).sparse_categorical_crossentropy(classes).backward()
        return loss.realize(*descent.schedule_step())

    results = [network(images).flatten().tolist()]
    with Context(TRAINING=1):
        results += [[train(images * k).item()] for k in range(1, 4)]
    results += [weight.flatten().tolist() for weight in nn.state.get_parameters(network)]
    return [number for result in results for number in result]


class Counter(logging.Handler):
    """Counts the layouts of neap that are lower than tinygrad's."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        assert isinstance(record.args, tuple)
        _, theirs, ours, _ = record.args
        self.count += ours < theirs


def main() -> None:
    """Compares."""
    counter = Counter()
    logger = logging.getLogger("neap.hosts.tinygrad")
    logger.addHandler(counter)
    logger.setLevel(logging.INFO)
    without = work()
    assert counter.count == 0
    neap.hosts.tinygrad.install()
    again = work()
    assert counter.count > 0
    assert without == again
    print(f"{Device.DEFAULT}: {len(again)} numbers equal, {counter.count} lower layouts")


if __name__ == "__main__":
    main()
