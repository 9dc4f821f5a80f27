# SPDX-License-Identifier: GPL-3.0-or-later
"""Which outputs of an HLO instruction may be written over which of its operands.

As XLA does when it assigns buffers, this allows aliases that the instruction states, updates of
slices (also as the root of a fusion), and operations that compute each element from the elements at
the same place, alone or as a fusion of kind kLoop, if operand and result have the same shape and
layout.  Whether anyone reads the operand later is decided elsewhere.
"""
from __future__ import annotations

from typing import Optional, Sequence

from _neap.hlo_text import Array, Computation, Index, Instruction, Module, Shape

_UPDATES = ("dynamic-update-slice", "scatter")
_ELEMENTWISE = frozenset(
    """abs add and atan2 cbrt ceil clamp complex convert cosine count-leading-zeros divide erf
    exponential exponential-minus-one floor imag is-finite log log-plus-one logistic maximum minimum
    multiply negate not or popcnt power real reduce-precision remainder round-nearest-afz
    round-nearest-even rsqrt select shift-left shift-right-arithmetic shift-right-logical sign sine
    sqrt subtract tan tanh xor""".split()
)

Pair = tuple[Index, int, Index]  # output, number of the operand, part of it


class Rules:
    """The rules for a module; `elementwise` switches those for elementwise operations."""

    def __init__(self, module: Module, elementwise: bool) -> None:
        self.module = module
        self.elementwise = elementwise
        self.fusions: dict[str, list[Pair]] = {}

    def pairs(self, instruction: Instruction, shapes: Sequence[Optional[Shape]]) -> list[Pair]:
        """The pairs of an instruction, given the shapes of operands that are arrays."""
        found: list[Pair] = [
            (each.output, each.operand, each.index) for each in instruction.aliases
        ]
        if instruction.opcode in _UPDATES and isinstance(instruction.shape, Array):
            found.append(((), 0, ()))
        elif instruction.opcode in _ELEMENTWISE and self.elementwise:
            alike = [n for n, shape in enumerate(shapes) if shape == instruction.shape]
            found += [((), number, ()) for number in alike]
        elif instruction.opcode == "fusion":
            for name in instruction.called.get("calls", []):
                found += self.of_fusion(name, instruction.fusion == "kLoop")
        return found

    def of_fusion(self, name: str, is_loop: bool) -> list[Pair]:
        """The pairs of a fusion, from the computation that it calls."""
        computation = self.module.computations.get(name)
        if computation is None:
            return []
        if name not in self.fusions:
            self.fusions[name] = _updates(computation)
            if is_loop and self.elementwise:
                self.fusions[name] += _elementwise(computation)
        return self.fusions[name]


def _updates(computation: Computation) -> list[Pair]:
    """The roots that are updates of slices of a parameter, through bitcasts."""
    by_name = {each.name: each for each in computation.instructions}

    def through(name: str) -> Optional[Instruction]:
        for _ in range(len(by_name)):
            instruction = by_name.get(name)
            if instruction is None or instruction.opcode != "bitcast" or not instruction.operands:
                return instruction
            name = instruction.operands[0]
        return None

    root = computation.instructions[computation.root]
    is_tuple = root.opcode == "tuple"
    found: list[Pair] = []
    for place, name in enumerate(root.operands if is_tuple else [root.name]):
        update = through(name)
        if update is None or update.opcode != "dynamic-update-slice" or not update.operands:
            continue
        target = through(update.operands[0])
        if target is not None and target.opcode == "parameter":
            found.append(((place,) if is_tuple else (), target.number, ()))
    return found


def _extent(shape: Shape) -> str:
    """Dimensions and layout of an array."""
    return shape.text[shape.text.index("[") :] if isinstance(shape, Array) else ""


def _elementwise(computation: Computation) -> list[Pair]:
    """The parameters that reach the root, an array, only through elementwise operations."""
    root = computation.instructions[computation.root]
    if not isinstance(root.shape, Array):
        return []
    extent = _extent(root.shape)
    spoilt: set[str] = set()  # read by something else
    reached = {root.name}
    for each in reversed(computation.instructions):
        fine = each.opcode in _ELEMENTWISE and _extent(each.shape) == extent
        if not fine or each.name in spoilt:
            spoilt.update(each.operands)
        elif each.name in reached:
            reached.update(each.operands)
    return [
        ((), each.number, ())
        for each in computation.instructions
        if each.opcode == "parameter"
        and each.name in reached
        and each.name not in spoilt
        and each.shape == root.shape
    ]
