# SPDX-License-Identifier: GPL-3.0-or-later
"""Models for the comparisons in inductor and executorch: MODELS has a function that makes each, and the shape of its input."""
import torch
import torchvision.models as vision
from torch import nn


class UNet(nn.Module):
    def __init__(self, channels=(3, 16, 32, 64)):
        super().__init__()
        pairs = list(zip(channels, channels[1:]))
        self.down = nn.ModuleList(self.block(i, o) for i, o in pairs)
        self.up = nn.ModuleList(self.block(2 * o, max(i, 8)) for i, o in reversed(pairs))

    @staticmethod
    def block(inputs, outputs):
        return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU())

    def forward(self, x):
        skipped = []
        for block in self.down:
            skipped.append(block(x))
            x = nn.functional.max_pool2d(skipped[-1], 2)
        for block in self.up:
            skip = skipped.pop()
            x = nn.functional.interpolate(x, scale_factor=2.0)
            x = block(torch.cat([nn.functional.pad(x, (0, 0, 0, 0, 0, skip.shape[1] - x.shape[1])), skip], 1))
        return x


class Experts(nn.Module):
    def __init__(self, width=64, count=6):
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(width, 256), nn.GELU(), nn.Linear(256, width)) for _ in range(count))

    def forward(self, x):
        made = torch.stack([expert(x) for expert in self.experts], -1)
        return (made * self.gate(x).softmax(-1).unsqueeze(-2)).sum(-1)


class Siamese(nn.Module):
    """Two towers and a bilinear head."""

    def __init__(self):
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(3, 24, 5, 2, 2), nn.ReLU(), nn.Conv2d(24, 48, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.head = nn.Linear(2 * 48 * 16 * 16, 10)

    def forward(self, x):
        return self.head(torch.cat([self.tower(x), self.tower(x.flip(-1))], 1))


class Transformer(nn.Module):
    def __init__(self, width=64, depth=3):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * depth))
        self.mix = nn.ModuleList(nn.MultiheadAttention(width, 4, batch_first=True) for _ in range(depth))
        self.feed = nn.ModuleList(nn.Sequential(nn.Linear(width, 256), nn.GELU(), nn.Linear(256, width)) for _ in range(depth))

    def forward(self, x):
        for mix, feed, before, after in zip(self.mix, self.feed, self.norms[::2], self.norms[1::2]):
            y = before(x)
            x = x + mix(y, y, y, need_weights=False)[0]
            x = x + feed(after(x))
        return x


def autoencoder(widths=(64, 256, 32, 256, 64)):
    return nn.Sequential(*(nn.Sequential(nn.Linear(i, o), nn.SiLU()) for i, o in zip(widths, widths[1:])))


IMAGES, TOKENS = (4, 3, 64, 64), (4, 48, 64)
MODELS = {
    "autoencoder": (autoencoder, TOKENS),
    "efficientnet_b0": (vision.efficientnet_b0, IMAGES),
    "experts": (Experts, TOKENS),
    "googlenet": (lambda: vision.googlenet(aux_logits=False, init_weights=False), IMAGES),
    "mobilenet_v2": (vision.mobilenet_v2, IMAGES),
    "mobilenet_v3": (vision.mobilenet_v3_small, IMAGES),
    "resnet18": (vision.resnet18, IMAGES),
    "shufflenet_v2": (vision.shufflenet_v2_x0_5, IMAGES),
    "siamese": (Siamese, IMAGES),
    "squeezenet1_1": (vision.squeezenet1_1, IMAGES),
    "transformer": (Transformer, TOKENS),
    "unet": (UNet, IMAGES),
}
