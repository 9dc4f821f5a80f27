# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the memory pools of PyTorch's compiler with and without neap, for twelve models on the CPU.

    python3 compare.py [MODEL...]

For each model, it prints how many pools the compiled graph has, their bytes with Inductor's own planner
and with neap, the bound, and whether the outputs are equal bit by bit.
"""
import pathlib
import sys

import torch

import neap.hosts.inductor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from pytorch_models import MODELS


def run(model, x):
    """The output of a model, compiled again."""
    torch._dynamo.reset()
    with torch.no_grad():
        return torch.compile(model)(x)


def measure(name):
    """What neap found, and whether the output is equal to that without it."""
    make, shape = MODELS[name]
    torch.manual_seed(1)
    model, x = make().eval(), torch.rand(shape)
    without = run(model, x)
    found = neap.hosts.inductor.install()
    try:
        return found, torch.equal(without, run(model, x))
    finally:
        neap.hosts.inductor.uninstall()


def main(names):
    torch._inductor.config.memory_planning = True
    print(f"{'model':<16} {'pools':>5} {'Inductor':>12} {'neap':>12} {'bound':>12} {'saved':>7}  outputs")
    for name in names or MODELS:
        found, equal = measure(name)
        saved = 100 * (1 - found.after / found.before) if found.before else 0
        verdict = "equal" if equal else "DIFFERENT"
        print(f"{name:<16} {found.pools:>5} {found.before:>12,} {found.after:>12,} {found.bound:>12,} {saved:>5.1f} %  {verdict}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
