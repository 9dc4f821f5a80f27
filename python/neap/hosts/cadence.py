# SPDX-License-Identifier: GPL-3.0-or-later
"""neap as a memory planning algorithm of ExecuTorch's Cadence backend.

    from executorch.backends.cadence.aot.memory_planning_algo import MemoryPlanningAlgo
    import neap.hosts.cadence

    class Neap(neap.hosts.cadence.CadencePlanner, MemoryPlanningAlgo):
        pass

    MemoryPlanningPass(Neap(memory_config), allow_lifetime_and_storage_overlap=True, ...)

Memories are in order of preference in the configuration.  Tensors with a fixed memory and offset
are placed first; all others are then planned together.
"""
from __future__ import annotations

from typing import Any, Iterable

import neap
from neap.hosts.arenas import Arena, Body, Placer, Tensor


class CadencePlanner:
    """A mix-in for subclasses of MemoryPlanningAlgo; name it first among the base classes.

    Attributes:
        options: of `neap.plan`, to be overridden.
    """

    options: dict[str, Any] = {}

    def plan_with_constraints(
        self,
        specs: Iterable[Any],
        graph_module: Any,
        graph_signature: Any,
        state: Any,
        placement_constraints: Any,
        extra_padding: int = 0,
    ) -> None:
        """Places all tensors in one call; the method that it overrides takes several steps.

        Raises:
            neap.hosts.arenas.BankTooSmall: it is proven that the memories cannot hold the tensors.
            neap.NoPlan: no plan was found that fits.
        """
        constraints = {
            spec: placement_constraints.get_absolute_placement_constraint(spec) for spec in specs
        }
        host: Any = self
        host._place_pinned_specs(constraints, state, placement_constraints)
        for mem_id in range(1, host.get_num_memories()):
            _check_pinned(_arena(host, mem_id, state))
        free = [
            spec
            for spec, constraint in constraints.items()
            if not state.is_placed(spec)
            and (constraint is not None or not placement_constraints.skipped_spec(spec))
        ]
        self.plan(free, graph_module, graph_signature, state, placement_constraints, extra_padding)
        for spec in free:
            placement_constraints.resolve_relative_loc_constraints(spec)

    def plan(
        self,
        specs: Iterable[Any],
        graph_module: Any,
        graph_signature: Any,
        state: Any,
        placement_constraints: Any,
        extra_padding: int = 0,
    ) -> None:
        """Places tensors around those that are in `state` already."""
        host: Any = self
        arenas = [
            _arena(host, mem_id, state)
            for mem_id in range(1, host.get_num_memories())
            if host.memory_id_is_valid[mem_id]
        ]
        bodies = [
            _body(index, spec, [arena.mem_id for arena in arenas], placement_constraints)
            for index, spec in enumerate(specs)
        ]
        Placer(self.options).place(arenas, bodies)
        for body in bodies:
            spec = body.tensors[0].spec
            spec.mem_id, spec.mem_offset = body.arena, body.offset
            state.place_spec(spec)


def _arena(host: Any, mem_id: int, state: Any) -> Arena:
    """A memory, with the tensors that are in it already."""
    names = host.memory_config.memory_names
    return Arena(
        mem_id,
        host.get_alignment(mem_id),
        name=names[mem_id - 1] if names else f"memory {mem_id}",
        size=host.get_size(mem_id),
        taken=[
            (
                spec.mem_offset,
                spec.mem_offset + spec.allocated_memory,
                spec.lifetime[0],
                spec.lifetime[1] + 1,
            )
            for spec in state.allocated_buffers[mem_id]
            if spec.allocated_memory > 0
        ],
    )


def _check_pinned(memory: Arena) -> None:
    """Raises if the tensors in a memory exceed it already; the host does not check that."""
    required = max([high for _, high, _, _ in memory.taken], default=0)
    if memory.size is not None and required > memory.size:
        raise memory.too_small(required)


def _body(index: int, spec: Any, memories: list[int], placement_constraints: Any) -> Body:
    """A tensor with the memories in which it may be."""
    first, last = spec.lifetime
    if first is None or last is None or first > last:
        raise neap.InputError(f"tensor {index} has no lifetime: {spec.lifetime}")
    tensor = Tensor(index, spec, spec.allocated_memory, first, last + 1)
    constraint = placement_constraints.get_absolute_placement_constraint(spec)
    allowed = [
        mem_id
        for mem_id in memories
        if not placement_constraints.is_mem_id_in_blocklist(spec, mem_id)
        and (constraint is None or constraint.pinned_memory_id == mem_id)
    ]
    if not allowed:
        raise neap.InputError(f"{tensor} is not allowed in any memory")
    return Body([tensor], allowed)
