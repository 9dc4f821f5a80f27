# SPDX-License-Identifier: GPL-3.0-or-later
"""What a result must be, checked pair by pair and without the help of ExecuTorch or neap."""
from __future__ import annotations

import itertools
from typing import Any, Sequence


def alive_together(first: Any, second: Any) -> bool:
    """Whether inclusive lifetimes meet."""
    return bool(
        first.lifetime[0] <= second.lifetime[1] and second.lifetime[0] <= first.lifetime[1]
    )


def are_pair(first: Any, second: Any) -> bool:
    """Whether one is computed in place over the other."""
    return first.inplace_base is second or second.inplace_base is first


def root(spec: Any) -> Any:
    """The tensor at the start of a chain."""
    while spec.inplace_base is not None:
        spec = spec.inplace_base
    return spec


def _at(sizes: Sequence[int], index: int) -> int:
    return sizes[index] if index < len(sizes) else 0


def faults(
    specs: Sequence[Any], result: Any, alignment: int, padding: int, reserved: Sequence[int]
) -> list[str]:
    """What is wrong with a result that was made without banks; nothing if it is right."""
    found = [*_placement_faults(specs, result, alignment), *_size_faults(specs, result, padding)]
    for spec in specs:
        place = result.spec_dict[spec]
        start, arena = _at(reserved, place.mem_id), root(spec).mem_id or 1
        if place.mem_id != arena:
            found.append(f"{place} is not in arena {arena}")
        if place.mem_offset < start:
            found.append(f"{place} is in the {start} bytes that submodules take")
    return found + pair_faults(specs, result)


def bank_faults(
    specs: Sequence[Any],
    result: Any,
    alignment: int,
    padding: int,
    reserved: Sequence[int],
    banks: Sequence[Any],
) -> list[str]:
    """What is wrong with a result that was made for banks; nothing if it is right."""
    found = [*_placement_faults(specs, result, alignment), *_size_faults(specs, result, padding)]
    by_id = {bank.mem_id: bank for bank in banks}
    for bank in banks:
        if result.bufsizes[bank.mem_id] > max(bank.size, _at(reserved, bank.mem_id)):
            found.append(f"{bank} is exceeded: {result.bufsizes}")
    for spec in specs:
        place, pin = result.spec_dict[spec], root(spec).mem_id
        if pin is not None and place.mem_id != pin or pin is None and place.mem_id not in by_id:
            found.append(f"{place} is not in arena {pin} or a bank")
        if place.mem_offset < _at(reserved, place.mem_id):
            found.append(f"{place} is in the bytes that submodules take")
        bank = by_id.get(place.mem_id)
        if bank is not None and place.mem_offset % (bank.alignment or 1) != 0:
            found.append(f"{place} is not aligned as {bank} demands")
    return found + pair_faults(specs, result)


def _placement_faults(specs: Sequence[Any], result: Any, alignment: int) -> list[str]:
    found = []
    if set(result.spec_dict) != set(specs):
        found.append("the result has other tensors")
    for spec in specs:
        place = result.spec_dict[spec]
        if place.mem_offset < 0 or place.mem_offset % alignment != 0:
            found.append(f"{place} is not aligned to {alignment}")
        base = spec.inplace_base
        if base is not None and place.mem_offset != result.spec_dict[base].mem_offset:
            found.append(f"{place} is not at the offset of its base {result.spec_dict[base]}")
    return found


def _size_faults(specs: Sequence[Any], result: Any, padding: int) -> list[str]:
    found = []
    if result.bufsizes[0] != 0:
        found.append("arena 0 is not empty")
    for spec in specs:
        place = result.spec_dict[spec]
        end = place.mem_offset + spec.allocated_memory
        end += padding if spec.allocated_memory > 0 else 0
        if not 1 <= place.mem_id < len(result.bufsizes) or end > result.bufsizes[place.mem_id]:
            found.append(f"{place} ends at {end}, beyond {result.bufsizes}")
    return found


def pair_faults(specs: Sequence[Any], result: Any) -> list[str]:
    """Pairs that share bytes though they must not, or without sharing an object."""
    found = []
    for first, second in itertools.combinations(specs, 2):
        one, other = result.spec_dict[first], result.spec_dict[second]
        if one.mem_id != other.mem_id:
            continue
        low = max(one.mem_offset, other.mem_offset)
        high = min(
            one.mem_offset + first.allocated_memory, other.mem_offset + second.allocated_memory
        )
        if low >= high:
            continue
        if alive_together(first, second) and not are_pair(first, second):
            found.append(f"{one} and {other} share bytes [{low}, {high}) while both are alive")
        if one.mem_obj_id != other.mem_obj_id:
            found.append(f"{one} and {other} share bytes [{low}, {high}), but not an object")
    return found
