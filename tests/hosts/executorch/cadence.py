# SPDX-License-Identifier: GPL-3.0-or-later
"""Random cases for the Cadence backend, compared with its own planners."""
from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Optional

import cases
import host
from executorch.backends.cadence.aot.memory_constraints import MemConstraints
from executorch.backends.cadence.aot.memory_planning import (
    GreedyWithHeuristic,
    PositionBasedGreedyWithHierarchy,
)
from executorch.backends.cadence.aot.memory_planning_algo import (
    MemoryPlanningAlgo,
    MemoryPlanningState,
)
from executorch.backends.cadence.aot.utils import MemoryConfig, MemoryPlanningAlgoFailure
from suite import Failure

import neap
import neap.hosts.cadence


@dataclass
class Wish:
    """A constraint on the tensor with this index."""

    index: int
    memory: int
    offset: Optional[int] = None
    is_blocked: bool = False


@dataclass
class View:
    """A part of a tensor, without memory of its own."""

    source: int
    size: int
    offset: int
    lifetime: tuple[int, int]


@dataclass
class CadenceCase:
    """Sizes and lifetimes of tensors, memories, and constraints."""

    tensors: list[tuple[int, int, int]]
    views: list[View]
    config: MemoryConfig
    wishes: list[Wish]


def generate(seed: int) -> CadenceCase:
    """A random case with up to three memories."""
    chance = random.Random(seed)
    tensors = []
    for _ in range(chance.randint(1, 16)):
        first = chance.randrange(20)
        tensors.append((chance.randrange(400), first, first + chance.randrange(8)))
    views = []
    for _ in range(chance.randrange(4)):
        source = chance.randrange(len(tensors))
        size, first, last = tensors[source]
        offset = chance.randint(0, size)
        views.append(View(source, size - offset, offset, (first, last + chance.randrange(5))))
    count = chance.randint(1, 3)
    total = 512 + sum(size for size, _, _ in tensors)
    sizes = [chance.randint(total // 8, total) for _ in range(count)]
    alignments = [chance.choice((1, 16, 64)) for _ in range(count)]
    wishes = []
    for index in chance.sample(range(len(tensors)), len(tensors) // 4):
        wishes.append(Wish(index, chance.randint(1, count), is_blocked=chance.random() < 0.5))
    if wishes and not wishes[0].is_blocked:
        wishes[0].offset = 16 * chance.randrange(8)
    return CadenceCase(tensors, views, MemoryConfig(sizes, alignments), wishes)


class Neap(neap.hosts.cadence.CadencePlanner, MemoryPlanningAlgo):
    """neap, set up as in the README."""


def with_constraints(kind: type, case: CadenceCase, nodes: list[Any], views: list[Any]) -> Any:
    """A planner whose constraints are those of the case, rather than derived from operators."""

    def populate(self: Any, module: object) -> tuple[Any, Any]:
        constraints = MemConstraints()
        for view, node in zip(case.views, views):
            constraints.add_relative_placement_constraint(nodes[view.source], node, view.offset)
        for wish in case.wishes:
            if wish.is_blocked:
                constraints.add_mem_id_to_blocklist(nodes[wish.index].meta["spec"], wish.memory)
            else:
                constraints.add_absolute_placement_constraint(
                    nodes[wish.index], wish.memory, wish.offset
                )
        return MemoryPlanningState(self.memory_config), constraints

    made = type(kind.__name__, (kind,), {"populate_constraints": populate})
    return made(case.config)


def make_nodes(tensors: list[tuple[int, int, int]]) -> list[Any]:
    """A node for each tensor."""
    return [host.Node("call_function", None, cases.tensor(*given), ()) for given in tensors]


def run(kind: type, case: CadenceCase) -> Optional[tuple[list[Any], list[Any], list[int]]]:
    """The tensors and views with their places, and the sizes; None: the planner finds no place."""
    nodes = make_nodes(case.tensors)
    views = make_nodes([(view.size, *view.lifetime) for view in case.views])
    algorithm = with_constraints(kind, case, nodes, views)
    specs = [node.meta["spec"] for node in [*nodes, *views]]
    try:
        sizes = algorithm(16, specs, host.GraphModule([*nodes, *views]), None)
    except (MemoryPlanningAlgoFailure, MemoryError, neap.Infeasible, neap.InputError):
        return None
    return specs[: len(nodes)], specs[len(nodes) :], sizes


def faults(case: CadenceCase, specs: list[Any], views: list[Any], sizes: list[int]) -> list[str]:
    """What is wrong with places.  Lifetimes of tensors include those of their views by now."""
    found = []
    for k, first in enumerate(specs):
        end = first.mem_offset + first.allocated_memory
        if end > case.config.memory_sizes[first.mem_id - 1] or end > sizes[first.mem_id]:
            found.append(f"tensor {k} ends at {end}: {case.config}")
        for other in specs[:k]:
            if (
                first.mem_id == other.mem_id
                and max(first.mem_offset, other.mem_offset)
                < min(end, other.mem_offset + other.allocated_memory)
                and first.lifetime[0] <= other.lifetime[1]
                and other.lifetime[0] <= first.lifetime[1]
            ):
                found.append(f"tensor {k} overlaps another: {first.mem_offset}")
    for wish in case.wishes:
        spec = specs[wish.index]
        if (spec.mem_id == wish.memory) == wish.is_blocked:
            found.append(f"{wish}: tensor is in memory {spec.mem_id}")
        if wish.offset is not None and spec.mem_offset != wish.offset:
            found.append(f"{wish}: tensor is at {spec.mem_offset}")
    for view, spec in zip(case.views, views):
        source = specs[view.source]
        if (spec.mem_id, spec.mem_offset) != (source.mem_id, source.mem_offset + view.offset):
            found.append(f"{view} is at {spec.mem_offset} of memory {spec.mem_id}")
    return found


def spilled(specs: list[Any]) -> int:
    """The sum of sizes times the number of memories that were preferred."""
    return sum(spec.allocated_memory * (spec.mem_id - 1) for spec in specs)


def check_all(count: int) -> None:
    """Checks `count` cases and prints how they ended."""
    none = only = less = 0
    for seed in range(count):
        case = generate(seed)
        result = run(Neap, case)
        wrong = [] if result is None else faults(case, *result)
        others = [run(GreedyWithHeuristic, case), run(PositionBasedGreedyWithHierarchy, case)]
        sound = [other for other in others if other and not faults(case, *other)]
        for other in sound:
            if result is None or spilled(result[0]) > spilled(other[0]):
                wrong.append(f"{result and result[2]} is worse than {other[2]}")
        if wrong:
            raise Failure("\n".join([f"seed {seed}: {case}", *wrong]))
        none += result is None
        only += result is not None and not sound
        less += bool(sound) and spilled(result[0]) < min(spilled(other[0]) for other in sound)
    print(f"{count} cases: {none} do not fit, {only} fit only by neap, {less} spill less by neap")
