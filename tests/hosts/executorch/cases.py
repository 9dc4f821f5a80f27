# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors to plan: of files with lifetimes, and random ones with in-place chains."""
from __future__ import annotations

import csv
import random
from dataclasses import dataclass, field
from pathlib import Path

import host
import torch
from executorch.exir.tensor import TensorSpec

from neap.hosts.executorch import Bank


@dataclass
class Case:
    """The arguments of a planner."""

    specs: list[TensorSpec]
    alignment: int = 16
    padding: int = 0
    reserved: list[int] = field(default_factory=list)

    def module(self) -> host.GraphModule:
        """A graph with one node per tensor."""
        nodes = [host.Node("call_function", None, spec, ()) for spec in self.specs]
        made = host.GraphModule(nodes)
        if self.reserved:
            made.input_mem_buffer_sizes = list(self.reserved)
        return made


def tensor(size: int, first: int, last: int) -> TensorSpec:
    """A tensor of bytes that is used from node `first` to node `last`."""
    spec = TensorSpec(torch.uint8, [size])
    spec.lifetime = [first, last]
    return spec


def read(path: Path, alignment: int) -> Case:
    """The buffers of a table, in which lifetimes are half-open."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    specs = [
        tensor(int(row["size"]), int(row["lower"]), int(row["upper"]) - 1)
        for row in rows
        if int(row["lower"]) < int(row["upper"])
    ]
    return Case(specs, alignment)


def bound(case: Case) -> int:
    """The largest sum of sizes alive at one node; no arena is smaller."""
    change: dict[int, int] = {}
    for spec in case.specs:
        size = spec.realign(case.alignment)
        change[spec.lifetime[0]] = change.get(spec.lifetime[0], 0) + size
        change[spec.lifetime[1] + 1] = change.get(spec.lifetime[1] + 1, 0) - size
    total = most = 0
    for moment in sorted(change):
        total += change[moment]
        most = max(most, total)
    return most


def _follow(chance: random.Random, base: TensorSpec, moments: int) -> TensorSpec:
    """A tensor computed in place over another, usually of the same size, by its last reader."""
    size = base.shape[0]
    if chance.random() < 0.3:
        size = chance.randint(0, 2 * size)
    first = base.lifetime[1] + chance.choice((0, 0, 0, 1, 3))
    spec = tensor(size, first, first + 1 + chance.randrange(1 + moments // 4))
    spec.inplace_base = base
    if chance.random() < 0.2:
        spec.mem_id = chance.randint(1, 3)  # which its base overrides
    return spec


def generate(seed: int, chains: float = 0.35) -> Case:
    """A random case: up to 24 tensors, some in chains, in up to three arenas."""
    chance = random.Random(seed)
    moments = chance.randint(4, 30)
    case = Case([], chance.choice((1, 16, 64)), chance.choice((0, 0, 64)))
    ends: list[TensorSpec] = []  # over which nothing has been computed yet
    for _ in range(chance.randint(1, 24)):
        if ends and chance.random() < chains:
            spec = _follow(chance, ends.pop(chance.randrange(len(ends))), moments)
        else:
            first = chance.randrange(moments)
            spec = tensor(chance.randrange(400), first, first + chance.randrange(1 + moments // 3))
            spec.mem_id = chance.choice((None, None, None, None, 1, 2, 3))
        case.specs.append(spec)
        ends.append(spec)
    chance.shuffle(case.specs)
    if chance.random() < 0.3:
        case.reserved = [0] + [case.alignment * chance.randrange(20) for _ in range(3)]
    return case


def generate_banks(seed: int) -> tuple[Case, list[Bank]]:
    """A random case with two or three banks, perhaps too small; half of them have no chains."""
    case = generate(seed, 0.35 * (seed % 2))
    chance = random.Random(seed)
    total = 1 + sum(spec.allocated_memory for spec in case.specs)
    banks = []
    for mem_id in chance.sample((1, 2, 3, 4), chance.randint(2, 3)):
        alignment = chance.choice((None, None, 2 * case.alignment))
        banks.append(Bank(f"bank {mem_id}", chance.randint(1, total), mem_id, alignment))
    return case, banks
