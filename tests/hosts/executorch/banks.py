# SPDX-License-Identifier: GPL-3.0-or-later
"""Random cases with banks, compared with ExecuTorch's own planner for them if the tree has it."""
from __future__ import annotations

from typing import Any, Sequence

import cases
import contract
from executorch.exir import banked_memory_planning
from suite import Failure, run, verify

import neap
from neap.hosts.executorch import Bank, Planner


def faults(case: cases.Case, result: Any, banks: Sequence[Bank]) -> list[str]:
    """What ExecuTorch's Verifier and the contract say against a result."""
    message = verify(case, result)  # which also restores sizes
    found = contract.bank_faults(
        case.specs, result, case.alignment, case.padding, case.reserved, banks
    )
    return found if message is None else [*found, message]


def spilled(case: cases.Case, result: Any, banks: Sequence[Bank]) -> int:
    """The sum of sizes times the number of banks preferred; chains count once per size."""
    rank = {bank.mem_id: place for place, bank in enumerate(banks)}
    counted = {
        (id(contract.root(spec)), spec.allocated_memory, rank.get(place.mem_id, 0))
        for spec, place in result.spec_dict.items()
    }
    return sum(size * preferred for _, size, preferred in counted)


def plan(case: cases.Case, banks: Sequence[Bank]) -> Any:
    """The result of neap; None: there is none."""
    try:
        return run(case, Planner(banks=banks))
    except neap.hosts.executorch.BankTooSmall as error:
        if error.excess <= 0 or error.required - error.available != error.excess:
            raise Failure(str(error)) from error
        return None


def plan_by_host(case: cases.Case, banks: Sequence[Bank]) -> Any:
    """The result of ExecuTorch's planner; None: there is none, or it is not sound."""
    if not hasattr(banked_memory_planning, "__file__"):
        return None
    module = banked_memory_planning
    target = module.TargetMemoryMap(
        [module.Bank(bank.name, bank.size, bank.mem_id, bank.alignment) for bank in banks]
    )
    try:
        result = run(case, module.BankedGreedy(target))
    except module.BankPlacementError:
        return None
    return None if faults(case, result, banks) else result


def check_all(count: int) -> None:
    """Checks `count` cases and prints how they ended."""
    none = only = less = 0
    for seed in range(count):
        case, banks = cases.generate_banks(seed)
        result, other = plan(case, banks), plan_by_host(case, banks)
        wrong = [] if result is None else faults(case, result, banks)
        if other is not None:
            theirs = spilled(case, other, banks)
            if result is None or spilled(case, result, banks) > theirs:
                wrong.append(f"{result} is worse than {other}")
            else:
                less += spilled(case, result, banks) < theirs
        if wrong:
            raise Failure("\n".join([f"seed {seed}: {banks}", *wrong]))
        none += result is None
        only += other is None and result is not None
    print(f"{count} cases: {none} do not fit, {only} fit only by neap, {less} spill less by neap")
