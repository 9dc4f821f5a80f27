# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs neap in the real planning suite of ExecuTorch.

    plan.py TREE table ALIGNMENT FILE...    prints bound, greedy and neap of tables, in bytes
    plan.py TREE random COUNT               checks random cases with in-place chains
    plan.py TREE banks COUNT                checks random cases with banks
    plan.py TREE cadence COUNT              checks random cases for the Cadence backend
    plan.py TREE pass                       plans graphs by MemoryPlanningPass

Every result goes through ExecuTorch's Verifier and through contract.py.
"""
from __future__ import annotations

import sys
from pathlib import Path

import host

host.install(sys.argv[1])

import banks  # noqa: E402
import cadence  # noqa: E402
import cases  # noqa: E402
import passes  # noqa: E402
from suite import Failure, check  # noqa: E402

import neap  # noqa: E402
import neap.hosts.executorch  # noqa: E402


def table(alignment: int, paths: list[str]) -> None:
    """Prints a line for each file."""
    for path in paths:
        case = cases.read(Path(path), alignment)
        plans: list[neap.Plan] = []
        planner = neap.hosts.executorch.Planner(on_plan=lambda ids, plan: plans.append(plan))
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
        elif command == "banks":
            banks.check_all(int(arguments[0]))
        elif command == "pass":
            passes.check_all()
        elif command == "cadence":
            cadence.check_all(int(arguments[0]))
        else:
            raise Failure(f"no such command: {command}")
    except Failure as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
