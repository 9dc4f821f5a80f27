# SPDX-License-Identifier: GPL-3.0-or-later
"""networks.py [NAME]: plans schedules of networks; with neap, the arena is at the bound.

Needs DEV=NULL, which computes nothing, and PYTHONPATH with neap and a source tree of tinygrad, whose
networks (extra/models) are not in its package.  Without NAME, lists the names.
"""
from __future__ import annotations

import sys
from typing import Callable

try:
    from extra.models.efficientnet import EfficientNet
    from extra.models.resnet import ResNet50
    from layouts import Schedule, bound, captured, compare, schedule, sizes
    from tinygrad import Context, Tensor, TinyJit, nn
except ModuleNotFoundError as missing:
    sys.exit(f"networks.py: {missing}; PYTHONPATH needs neap and a source tree of tinygrad")


def without_weights(network):
    """Leaves out the computation of random weights, which is not part of the network."""
    for weight in nn.state.get_parameters(network):
        weight.replace(Tensor.empty(*weight.shape, dtype=weight.dtype))
    return network


def resnet50() -> Schedule:
    """Inference with four images."""
    return schedule(without_weights(ResNet50())(Tensor.empty(4, 3, 224, 224)))


def efficientnet_b0() -> Schedule:
    """Inference with one image."""
    return schedule(without_weights(EfficientNet(0)).forward(Tensor.empty(1, 3, 224, 224)))


class Digits:
    """A convolutional network for images of 28 by 28 pixels."""

    def __init__(self) -> None:
        self.first = nn.Conv2d(1, 16, 3)
        self.norm = nn.BatchNorm(16)
        self.second = nn.Conv2d(16, 32, 3)
        self.last = nn.Linear(32 * 12 * 12, 10)

    def __call__(self, images: Tensor) -> Tensor:
        features = self.norm(self.first(images).relu())
        return self.last(self.second(features).relu().max_pool2d().flatten(1))


def step(optimizer: Callable[..., nn.optim.Optimizer]) -> Schedule:
    """A step of training, as tinygrad's JIT captures it."""
    network = Digits()
    descent = optimizer(nn.state.get_parameters(network))

    @TinyJit
    def train(images: Tensor, digits: Tensor) -> Tensor:
        descent.zero_grad()
        loss = network(images).sparse_categorical_crossentropy(digits).backward()
        return loss.realize(*descent.schedule_step())

    with captured() as schedules, Context(TRAINING=1):
        for _ in range(3):
            train(Tensor.empty(64, 1, 28, 28), Tensor.empty(64, dtype="int32"))
    return max(schedules, key=lambda item: len(item[0].src))


NETWORKS = {
    "ResNet-50, batch of 4": resnet50,
    "EfficientNet-B0": efficientnet_b0,
    "step of SGD": lambda: step(nn.optim.SGD),
    "step of Adam": lambda: step(nn.optim.Adam),
}


def main() -> None:
    """Plans one network and prints its figures."""
    if len(sys.argv) == 1:
        print("\n".join(NETWORKS))
        return
    if sys.argv[1] not in NETWORKS:
        sys.exit(f"networks.py: no network {sys.argv[1]!r}; there are: {', '.join(NETWORKS)}")
    before, after = compare(*NETWORKS[sys.argv[1]]())
    (theirs,), (ours,) = sizes(before), sizes(after)
    print(f"{len(after)} buffers: tinygrad {theirs} bytes, neap {ours}, bound {bound(after)}")
    assert ours == bound(after)


if __name__ == "__main__":
    main()
