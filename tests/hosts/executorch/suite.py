# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs planners of ExecuTorch and neap, and checks their results.

Call host.install before this module is imported.
"""
from __future__ import annotations

from typing import Any, Optional

import cases
import contract
from executorch.exir import memory_planning
from executorch.exir.error import InternalError

import neap.hosts.executorch


class Failure(Exception):
    """A check failed."""


def verify(case: cases.Case, result: Any) -> Optional[str]:
    """What ExecuTorch's Verifier says against a result, or None.

    The result is written into the tensors as the suite does, and removed again.
    """
    pins = [spec.mem_id for spec in case.specs]
    for spec in case.specs:
        spec.realign(case.alignment)
    for spec, place in result.spec_dict.items():
        spec.mem_id, spec.mem_obj_id = place.mem_id, place.mem_obj_id
        spec.mem_offset = place.mem_offset
    try:
        memory_planning.Verifier(case.module(), True, True, True, None).verify_storage_reuse()
    except InternalError as error:
        return str(error)
    finally:
        for spec, pin in zip(case.specs, pins):
            spec.mem_id = pin
            spec.mem_obj_id = spec.mem_offset = None
    return None


def run(case: cases.Case, algorithm: Any) -> Any:
    """The result of an algorithm, called as the suite calls it."""
    return algorithm(case.alignment, case.specs, case.module(), None, case.padding)


def faults(case: cases.Case, result: Any) -> list[str]:
    """What ExecuTorch's Verifier and the contract say against a result."""
    found = contract.faults(case.specs, result, case.alignment, case.padding, case.reserved)
    message = verify(case, result)
    return found if message is None else [*found, message]


def check(case: cases.Case, planner: Any = neap.hosts.executorch.planner) -> tuple[Any, Any]:
    """Plans by neap and by greedy, whose result is None if it is not sound."""
    result = run(case, planner)
    wrong = faults(case, result)
    if wrong:
        raise Failure("\n".join(wrong))
    greedy = run(case, memory_planning.greedy)
    if len(greedy.bufsizes) != len(result.bufsizes):
        raise Failure(f"arenas: {len(result.bufsizes)}, greedy has {len(greedy.bufsizes)}")
    if faults(case, greedy):
        return result, None
    for mem_id in {place.mem_id for place in result.spec_dict.values()}:
        if result.bufsizes[mem_id] > greedy.bufsizes[mem_id]:
            raise Failure(f"arena {mem_id}: {result.bufsizes}, greedy needs {greedy.bufsizes}")
    return result, greedy
