# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a graph of the entry computation of an HLO module, whose operators can run in other orders.

Instructions that define values are operators.  Views disappear, except that a `-done` has a view as
its output, so nothing reads the result earlier.  A while, a conditional or a call is one operator,
with one temporary as large as the bound of the computations that it calls; a while may keep its
state in place.  Control dependences are tensors without bytes.
"""
from __future__ import annotations

from typing import Optional, Sequence

from _neap.hlo_live import Buffer, Merge, Tree, Value, Walk, leaves, like, matches
from _neap.hlo_text import Array, Computation, Instruction, Module
from neap.graph import Graph

_CALLING = ("while", "conditional", "call")


def _bound(buffers: Sequence[Buffer]) -> int:
    """The largest sum of sizes of temporaries that are alive at one moment."""
    events = [(each.start, each.size) for each in buffers if each.kind == "temporary"]
    events += [(each.end, -each.size) for each in buffers if each.kind == "temporary"]
    largest = total = 0
    for _, change in sorted(events):
        total += change
        largest = max(largest, total)
    return largest


class _Grapher(Walk):
    """Goes through the entry and records operators."""

    def __init__(self, module: Module, alignment: int, inputs: bool, outputs: bool) -> None:
        super().__init__(module)
        self.graph = Graph()
        self.alignment = alignment
        self.planned = {"temporary": True, "input": inputs, "output": outputs, "constant": False}
        self.tensors: dict[int, int] = {}
        self.results: set[int] = set()
        self.free: set[int] = set()  # donated inputs
        self.views: list[tuple[Value, Value]] = []
        self.bounds: dict[str, int] = {}
        self.awaited = {name for each in module.entry.instructions for name in each.after}
        self.controls: dict[str, Value] = {}
        self.operators: list[tuple[Instruction, list[Value], list[Value], int, int]] = []

    # ------------------------------------------------------------ instructions

    def step(
        self, instruction: Instruction, known: dict[str, Tree], arguments: Sequence[Tree]
    ) -> Tree:
        before, merges, views = len(self.values), len(self.in_place), len(self.views)
        tree = super().step(instruction, known, arguments)
        if instruction.opcode in ("parameter", "constant"):
            return tree
        reads = [value for name in instruction.operands for value in leaves(known[name])]
        if instruction.opcode.endswith("-done"):
            begun = self.pending.get(instruction.operands[0], [])
            reads += [value for operand in begun for value in leaves(operand)]
        reads += [self.controls[name] for name in instruction.after if name in self.controls]
        if instruction.name in self.awaited:
            control = self.new(instruction, Array(0, 0, ""), "temporary")
            self.controls[instruction.name] = leaves(control)[0]
        if len(self.values) > before:
            unique = list({id(value): value for value in reads}.values())
            self.operators.append((instruction, unique, self.values[before:], merges, views))
        return tree

    def loop(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        """A while, whose state may stay in place; what its body does not change is a view."""
        shape = instruction.shape
        if len(operands) != 1 or not matches(operands[0], shape):
            self.fail(instruction, "the operand of a while has the shape of its result")
        self.use(operands[0])
        if isinstance(shape, Array) or isinstance(operands[0], Value):
            return None
        kept = self.kept(self.called(instruction, "body")[0])
        result: list[Tree] = []
        for place, part in enumerate(shape):
            given = operands[0][place]
            state = given if place in kept else self.new(instruction, part, "temporary", (place,))
            result.append(state)
            if place not in kept:
                self.in_place += map(Merge, leaves(given), leaves(state))
        return result

    def kept(self, body: str) -> set[int]:
        """The elements of the state that the body of a loop passes on as they are."""
        computation = self.module.computations.get(body)
        if computation is None:
            return set()
        known = {each.name: each for each in computation.instructions}
        root = computation.instructions[computation.root]
        found = set()
        for place, name in enumerate(root.operands if root.opcode == "tuple" else []):
            element = known.get(name)
            if element and element.opcode == "get-tuple-element" and element.number == place:
                source = known.get(element.operands[0]) if element.operands else None
                if source and source.opcode == "parameter":
                    found.add(place)
        return found

    def call(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        return None

    def conditional(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        return None

    def finish(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        tree = super().finish(instruction, operands)
        if tree is None or not instruction.opcode.endswith("-done"):
            return tree
        copies = [self.version(value, instruction.name) for value in leaves(tree)]
        self.views += zip(leaves(tree), copies)
        return like(tree, iter(copies))

    def bound_of(self, instruction: Instruction) -> int:
        """The largest bound of the computations that an instruction calls, in bytes."""
        names = [name for names in instruction.called.values() for name in names]
        for name in names:
            if name in self.bounds:
                continue
            computation = self.module.computations.get(name)
            if computation is None:
                self.fail(instruction, f"there is no computation '{name}'")
            self.bounds[name] = _bound(_buffers_of(self.module, computation))
        return max((self.bounds[name] for name in names), default=0)

    # ------------------------------------------------------------ the graph

    def build(self, inputs: list[Tree], outputs: Tree) -> Graph:
        self.free = self.donated(inputs)
        self.results = {id(value) for value in leaves(outputs)}
        for value in self.values:
            self.add_tensor(value)
        ends = [(merges, views) for *_, merges, views in self.operators[1:]]
        ends.append((len(self.in_place), len(self.views)))
        for (instruction, reads, writes, merges, views), end in zip(self.operators, ends):
            merged = [(each.first, each.second) for each in self.in_place[merges : end[0]]]
            self.graph.add_operator(
                instruction.opcode,
                [self.tensors[id(value)] for value in reads],
                [self.tensors[id(value)] for value in writes],
                temporaries=self.temporaries(instruction),
                in_place=_positions(merged, reads, writes),
                views=_positions(self.views[views : end[1]], reads, writes),
            )
        return self.graph

    def add_tensor(self, value: Value) -> None:
        kind = "output" if id(value) in self.results and value.kind == "temporary" else value.kind
        external = not self.planned[kind] or value.array.space != 0
        self.tensors[id(value)] = self.graph.add_tensor(
            value.name,
            value.array.size,
            kind="constant" if kind == "constant" else "external" if external else "activation",
            alignment=self.alignment,
            is_input=value.kind == "input",
            is_output=id(value) in self.results,
            is_kept=value.kind == "input" and not external and id(value) not in self.free,
        )

    def temporaries(self, instruction: Instruction) -> list[int]:
        size = self.bound_of(instruction) if instruction.opcode in _CALLING else 0
        if size == 0:
            return []
        name = self.unique(instruction.name + ".temporaries")
        return [self.graph.add_tensor(name, size, alignment=self.alignment)]


def _positions(
    pairs: Sequence[tuple[Value, Value]], reads: Sequence[Value], writes: Sequence[Value]
) -> list[tuple[int, int]]:
    """Pairs of values as positions among the inputs and the outputs of an operator."""
    first = {id(value): place for place, value in enumerate(reads)}
    second = {id(value): place for place, value in enumerate(writes)}
    found: dict[int, int] = {}
    for source, target in pairs:
        if id(source) in first and id(target) in second and source.array.size == target.array.size:
            found.setdefault(second[id(target)], first[id(source)])
    return [(source, target) for target, source in found.items()]


def _buffers_of(module: Module, computation: Computation) -> list[Buffer]:
    """The buffers of a called computation, on its own."""
    walk = Walk(module)
    walk.calls.append(computation.name)
    inputs = walk.arguments(computation)
    return walk.buffers([], walk.run(computation, inputs))


def make_graph(module: Module, alignment: int, inputs: bool, outputs: bool) -> Graph:
    """The graph of the entry of a module."""
    grapher = _Grapher(module, alignment, inputs, outputs)
    grapher.calls.append(module.entry.name)
    arguments = grapher.arguments(module.entry)
    return grapher.build(arguments, grapher.run(module.entry, arguments))
