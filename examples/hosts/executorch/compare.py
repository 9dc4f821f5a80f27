# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the arenas that ExecuTorch's planner and neap make, for twelve exported models in ExecuTorch's runtime.

    python3 compare.py [MODEL...]

For each model, it prints the bytes of the arena with ExecuTorch's greedy planner and with neap, and whether the outputs of the
runtime are equal bit by bit.
"""
import contextlib
import os
import pathlib
import sys

import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy
from executorch.exir.passes import MemoryPlanningPass

import neap.hosts.executorch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from pytorch_models import MODELS


@contextlib.contextmanager
def quiet():
    """Hides what the runtime prints about the processor."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def lower(exported, planner):
    """A program, planned by `planner`."""
    suite = MemoryPlanningAlgorithmSuite(algo_list=[planner])
    planning = MemoryPlanningPass(memory_planning_algo=suite)
    return to_edge(exported).to_executorch(ExecutorchBackendConfig(memory_planning_pass=planning))


def run(program, x):
    from executorch.runtime import Runtime

    return Runtime.get().load_program(program.buffer).load_method("forward").execute([x])


def measure(name):
    """The bytes of the arenas with ExecuTorch's planner and with neap, and whether the outputs are equal."""
    make, shape = MODELS[name]
    torch.manual_seed(1)
    x = torch.rand(shape)
    exported = torch.export.export(make().eval(), (x,))
    with quiet():
        programs = [lower(exported, planner) for planner in (greedy, neap.hosts.executorch.planner)]
        outputs = [run(program, x) for program in programs]
    sizes = [sum(program.executorch_program.execution_plan[0].non_const_buffer_sizes) for program in programs]
    return *sizes, all(map(torch.equal, *outputs))


def main(names):
    print(f"{'model':<16} {'greedy':>12} {'neap':>12} {'saved':>7}  outputs")
    for name in names or MODELS:
        before, after, equal = measure(name)
        verdict = "equal" if equal else "DIFFERENT"
        print(f"{name:<16} {before:>12,} {after:>12,} {100 * (1 - after / before):>5.1f} %  {verdict}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
