# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs neap in the real planning suite of ExecuTorch.

    plan.py TREE table ALIGNMENT FILE...    prints bound, greedy and neap of tables, in bytes
    plan.py TREE random COUNT               checks random cases with in-place chains
    plan.py TREE pass                       plans graphs by MemoryPlanningPass
    plan.py TREE banks COUNT                checks random cases with banks

Every result goes through ExecuTorch's Verifier and through contract.py.
"""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Optional

import host

host.install(sys.argv[1])

import cases  # noqa: E402
import contract  # noqa: E402
from executorch.exir import memory_planning  # noqa: E402
from executorch.exir.error import InternalError  # noqa: E402

import neap  # noqa: E402
import neap.executorch  # noqa: E402


class Failure(Exception):
    """A check failed."""


def verify(case: cases.Case, result: Any) -> Optional[str]:
    """Writes a result into the tensors as the suite does; what ExecuTorch's Verifier says, or None."""
    pins = [spec.mem_id for spec in case.specs]
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


def check(case: cases.Case, planner: Any = neap.executorch.planner) -> tuple[Any, Any]:
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


def table(alignment: int, paths: list[str]) -> None:
    """Prints a line for each file."""
    for path in paths:
        case = cases.read(Path(path), alignment)
        plans: list[neap.Plan] = []
        planner = neap.executorch.Planner(on_plan=lambda ids, plan: plans.append(plan))
        result, greedy = check(case, planner)
        if result.bufsizes[1] != plans[0].peak:
            raise Failure(f"{path}: {result.bufsizes[1]} bytes, but the plan has {plans[0].peak}")
        size = greedy.bufsizes[1] if greedy else 0
        print(f"{Path(path).stem}\t{cases.bound(case)}\t{size}\t{result.bufsizes[1]}")


def chance(count: int) -> None:
    """Checks random cases."""
    rejected = lower = 0
    for seed in range(count):
        try:
            result, greedy = check(cases.generate(seed))
        except (Failure, neap.Error) as error:
            raise Failure(f"seed {seed}: {error}") from error
        rejected += greedy is None
        lower += greedy is not None and sum(result.bufsizes) < sum(greedy.bufsizes)
    print(f"{count} cases: lower than greedy in {lower}, greedy is unsound in {rejected}")


def main() -> int:
    """Runs the command."""
    command, arguments = sys.argv[2], sys.argv[3:]
    try:
        if command == "table":
            table(int(arguments[0]), arguments[1:])
        elif command == "random":
            chance(int(arguments[0]))
        else:
            raise Failure(f"no such command: {command}")
    except Failure as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
