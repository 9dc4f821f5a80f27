# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the buffers of an HLO module and when they are alive.

This follows XLA.  The computations of a while, call or conditional are inlined, once per call, so
time is one sequence of instructions.  Values that must share memory (the state of a loop before, in
and after its body; results of the branches of a conditional; updates in place) are one buffer.
Tuples, get-tuple-element, bitcast and the results of asynchronous operations are views of other
values.  Instructions inside a fusion or a reduction need no memory.
"""
from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Callable, Iterator, NoReturn, Optional, Sequence, Union

from _neap.hlo_in_place import Rules
from _neap.hlo_text import Array, Computation, Index, Instruction, Module, Shape
from neap.errors import InputError

_DEPTH = 64  # of calls within calls
_VIEWS = (
    "bitcast",
    "optimization-barrier",
    "domain",
    "add-dependency",
    "async-update",
    "all-reduce-done",
)
Span = tuple[int, int]


class Value:
    """An array that an instruction defines.

    It is written at `start` and read at `last` for the last time; its memory is needed from `since`
    to `until`.
    """

    __slots__ = (
        "array",
        "name",
        "hint",
        "kind",
        "start",
        "last",
        "since",
        "until",
        "parent",
        "spans",
    )

    def __init__(self, array: Array, name: str, hint: str, kind: str, start: int) -> None:
        self.array = array
        self.name = name
        self.hint = hint
        self.kind = kind
        self.start = self.last = self.since = self.until = start
        self.parent = self
        self.spans: list[Span] = []  # of a root: of all values that share its memory, sorted

    @property
    def span(self) -> Span:
        return self.start, self.last

    def root(self) -> Value:
        """The value that stands for all that share its memory."""
        value = self
        while value.parent is not value:
            value.parent = value.parent.parent
            value = value.parent
        return value


@dataclass(frozen=True)
class Merge:
    """A request that two values share memory; the second may begin when the first is last read.

    `strict`: the second has to begin later.  If the request cannot be granted, the second value is
    a copy of the first that needs memory from `copied` on.
    """

    first: Value
    second: Value
    strict: bool = False
    copied: Optional[int] = None


Tree = Union[Value, list["Tree"]]


@dataclass
class Buffer:
    """Bytes that are alive during [start, end); `kind` is temporary, input, output or constant."""

    name: str
    hint: str
    size: int
    space: int
    kind: str
    start: int
    end: int


def leaves(tree: Tree) -> list[Value]:
    """The values of a tree, from left to right."""
    if isinstance(tree, Value):
        return [tree]
    found: list[Value] = []
    for part in tree:
        found += leaves(part)
    return found


def matches(tree: Tree, shape: Shape) -> bool:
    """Whether a tree has the structure of a shape."""
    if isinstance(tree, Value) or isinstance(shape, Array):
        return isinstance(tree, Value) and isinstance(shape, Array)
    return len(tree) == len(shape) and all(map(matches, tree, shape))


def part_of(tree: Tree, index: Index) -> Optional[Tree]:
    """The part of a tree at an index, None if there is none."""
    for place in index:
        if isinstance(tree, Value) or place >= len(tree):
            return None
        tree = tree[place]
    return tree


class Walk:
    """Goes through the instructions in order of time and collects values."""

    def __init__(self, module: Module, elementwise: bool = True) -> None:
        self.module = module
        self.time = 0
        self.values: list[Value] = []
        self.names: dict[str, int] = {}
        self.calls: list[str] = []
        self.merges: list[Merge] = []
        self.in_place: list[Merge] = []
        self.pending: dict[str, list[Tree]] = {}  # the operands that a start does not repeat
        total = sum(len(each.instructions) for each in module.computations.values())
        self.limit = max(200_000, 10 * total)
        self.rules = Rules(module, elementwise)
        self.special: dict[str, Callable[[Instruction, list[Tree]], Optional[Tree]]] = {
            "tuple": lambda _, operands: list(operands),
            "get-tuple-element": self.element,
            "while": self.loop,
            "call": self.call,
            "conditional": self.conditional,
        }

    def fail(self, instruction: Instruction, text: str) -> NoReturn:
        raise InputError(
            text, source=self.module.source, line=instruction.line, column=instruction.column
        )

    # ------------------------------------------------------------ values

    def unique(self, name: str) -> str:
        """The name, with a number if it was used before."""
        count = self.names.get(name, 0) + 1
        self.names[name] = count
        if count == 1:
            return name
        return self.unique(f"{name}~{count}")

    def new(self, instruction: Instruction, shape: Shape, kind: str, index: Index = ()) -> Tree:
        """New values for a shape."""
        if not isinstance(shape, Array):
            return [
                self.new(instruction, part, kind, index + (place,))
                for place, part in enumerate(shape)
            ]
        suffix = "{" + ",".join(map(str, index)) + "}" if index else ""
        hint = f"{instruction.opcode} {shape.text} {instruction.origin}".rstrip()
        name = self.unique(instruction.name + suffix)
        value = Value(shape, name, hint, kind, self.time)
        self.values.append(value)
        return value

    def version(self, value: Value, name: str) -> Value:
        """A new value with the shape of another."""
        copy = Value(value.array, self.unique(name), value.hint, "temporary", self.time)
        self.values.append(copy)
        return copy

    def use(self, tree: Tree) -> None:
        for value in leaves(tree):
            value.last = max(value.last, self.time)

    # ------------------------------------------------------------ instructions

    def run(self, computation: Computation, arguments: Sequence[Tree]) -> Tree:
        """Goes through a computation; returns its result."""
        known: dict[str, Tree] = {}
        for instruction in computation.instructions:
            if self.time >= self.limit:
                self.fail(instruction, f"calls expand to more than {self.limit} instructions")
            if instruction.name in known:
                self.fail(instruction, f"duplicate instruction '{instruction.name}'")
            known[instruction.name] = self.step(instruction, known, arguments)
            self.time += 1
        return known[computation.instructions[computation.root].name]

    def arguments(self, computation: Computation) -> list[Tree]:
        """New values for the parameters of a computation that nothing calls."""
        parameters = [each for each in computation.instructions if each.opcode == "parameter"]
        found: list[Tree] = []
        for number, parameter in enumerate(sorted(parameters, key=lambda each: each.number)):
            if parameter.number != number:
                self.fail(parameter, f"expected parameter {number}")
            found.append(self.new(parameter, parameter.shape, "input"))
        return found

    def step(
        self, instruction: Instruction, known: dict[str, Tree], arguments: Sequence[Tree]
    ) -> Tree:
        opcode = instruction.opcode
        if opcode == "parameter":
            return self.argument(instruction, arguments)
        if opcode == "constant":
            return self.new(instruction, instruction.shape, "constant")
        operands = []
        for name in instruction.operands:
            if name not in known:
                self.fail(
                    instruction, f"'{name}' is not defined before '{instruction.name}' uses it"
                )
            operands.append(known[name])
        view = self.view(instruction, operands)
        if view is None:
            return self.define(instruction, operands)
        if not matches(view, instruction.shape):
            self.fail(instruction, f"the operands of '{instruction.name}' do not have its shape")
        return view

    def argument(self, instruction: Instruction, arguments: Sequence[Tree]) -> Tree:
        if instruction.number >= len(arguments):
            self.fail(instruction, f"there is no argument {instruction.number}")
        if not matches(arguments[instruction.number], instruction.shape):
            self.fail(instruction, f"the argument for '{instruction.name}' does not have its shape")
        return arguments[instruction.number]

    def view(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        """The result of an instruction without memory of its own; None if it defines new values."""
        opcode = instruction.opcode
        if opcode in self.special:
            return self.special[opcode](instruction, operands)
        if opcode.endswith("-start") or opcode == "send":
            return self.begin(instruction, operands)
        if opcode in _VIEWS or opcode.endswith("-done"):
            return self.finish(instruction, operands)
        return None

    def define(self, instruction: Instruction, operands: list[Tree]) -> Tree:
        """New values, some perhaps in place of operands."""
        for operand in operands:
            self.use(operand)
        if instruction.opcode.endswith("-start"):
            self.pending[instruction.name] = operands
        result = self.new(instruction, instruction.shape, "temporary")
        shapes = [each.array if isinstance(each, Value) else None for each in operands]
        for output, number, index in self.rules.pairs(instruction, shapes):
            target = part_of(result, output)
            source = part_of(operands, (number,) + index)
            if not isinstance(target, Value) or not isinstance(source, Value):
                continue
            if instruction.opcode != "fusion" or operands.count(source) == 1:
                self.in_place.append(Merge(source, target))
        return result

    # ------------------------------------------------------------ views

    def element(self, instruction: Instruction, operands: list[Tree]) -> Tree:
        part = part_of(operands[0], (instruction.number,)) if operands else None
        if part is None:
            self.fail(instruction, f"there is no element {instruction.number} in its operand")
        return part

    def begin(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        """The start of an asynchronous operation: a tuple that repeats the operands, and new
        values."""
        shape = instruction.shape
        if isinstance(shape, Array) or len(shape) < 2 or instruction.opcode == "all-reduce-start":
            return None
        for operand in operands:
            self.use(operand)
        repeated = 1 if instruction.opcode == "copy-start" else 0
        whole: Tree = list(operands)
        parts: list[Tree] = []
        for place, part in enumerate(shape):
            if place == repeated and matches(whole, part):
                parts.append(whole)
            elif place == repeated and operands and matches(operands[0], part):
                parts.append(operands[0])
            else:
                parts.append(self.new(instruction, part, "temporary", (place,)))
        return parts

    def finish(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        """The result of an asynchronous operation, or a view: an operand or a part of it."""
        if not operands:
            self.fail(instruction, f"'{instruction.opcode}' needs an operand")
        if instruction.opcode.endswith("-done"):
            self.use(operands[0])
            for operand in self.pending.get(instruction.operands[0], []):
                self.use(operand)
        if instruction.opcode == "recv-done" and not isinstance(operands[0], Value):
            received = [operands[0][place] for place in (0, 2) if place < len(operands[0])]
            return received if matches(received, instruction.shape) else None
        for index in ((), (0,)) if instruction.opcode == "copy-done" else ((), (1,), (0,)):
            part = part_of(operands[0], index)
            if part is not None and matches(part, instruction.shape):
                return part
        return None

    # ------------------------------------------------------------ calls

    def enter(
        self, instruction: Instruction, name: str, arguments: Sequence[Tree], shape: Shape
    ) -> Tree:
        """Goes through a called computation, whose result must have a shape; () fits any."""
        computation = self.module.computations.get(name)
        if computation is None:
            self.fail(instruction, f"there is no computation '{name}'")
        if name in self.calls:
            self.fail(instruction, f"the computation '{name}' calls itself")
        if len(self.calls) >= _DEPTH:
            self.fail(instruction, f"calls are nested more than {_DEPTH} deep")
        self.calls.append(name)
        result = self.run(computation, arguments)
        self.calls.pop()
        if shape != () and not matches(result, shape):
            self.fail(instruction, f"the result of '{name}' does not have the shape of its call")
        return result

    def called(self, instruction: Instruction, *attributes: str) -> list[str]:
        names = [name for each in attributes for name in instruction.called.get(each, [])]
        if not names:
            self.fail(instruction, f"'{instruction.opcode}' needs {' or '.join(attributes)}")
        return names

    def call(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        name = self.called(instruction, "to_apply", "called_computations", "calls")[0]
        return self.enter(instruction, name, operands, instruction.shape)

    def loop(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        """A while: its operand, the parameter and the result of its body, and its own result share
        memory."""
        if len(operands) != 1 or not matches(operands[0], instruction.shape):
            self.fail(instruction, "the operand of a while has the shape of its result")
        body = self.called(instruction, "body")[0]
        condition = self.called(instruction, "condition")[0]
        self.use(operands[0])
        values = leaves(operands[0])
        states = [self.version(value, instruction.name + ".state") for value in values]
        state = like(operands[0], iter(states))
        self.enter(instruction, condition, [state], ())
        self.time += 1
        result = self.enter(instruction, body, [state], instruction.shape)
        for value, own, new in zip(values, states, leaves(result)):
            self.carry(value, own, new)
        self.time += 1
        return like(operands[0], iter([self.final(instruction, value) for value in states]))

    def final(self, instruction: Instruction, state: Value) -> Value:
        """A state after the loop."""
        if state.parent is not state:
            return state  # the loop only reads it
        final = self.version(state, instruction.name + ".result")
        self.merges.append(Merge(state, final))
        return final

    def carry(self, value: Value, state: Value, new: Value) -> None:
        """Makes the result of a loop's body the next state, in place if the old one is not read
        again."""
        state.until = self.time
        new.last = max(new.last, self.time)
        if new is state and value.root().kind in ("input", "constant"):
            state.parent = value.root()  # the loop only reads it
        else:
            self.merges.append(Merge(value, state))
        if new is not state:
            self.merges.append(Merge(state, new, strict=not self.module.scheduled))

    def conditional(self, instruction: Instruction, operands: list[Tree]) -> Optional[Tree]:
        """The results of the branches share the memory of the conditional's result."""
        names = self.called(
            instruction, "true_computation", "false_computation", "branch_computations"
        )
        for operand in operands:
            self.use(operand)
        if len(operands) != len(names) + 1:
            self.fail(instruction, "a conditional needs an operand for each branch")
        results: list[tuple[int, list[Value]]] = []
        for name, operand in zip(names, operands[1:]):
            result = self.enter(instruction, name, [operand], instruction.shape)
            self.use(result)
            results.append((self.time, leaves(result)))
            self.time += 1
        own = self.new(instruction, instruction.shape, "temporary")
        for end, branch in results:
            pairs = zip(branch, leaves(own))
            self.merges += [Merge(value, final, copied=end) for value, final in pairs]
        return own

    # ------------------------------------------------------------ buffers

    def merge(self, request: Merge) -> bool:
        """Grants a request if no two values would be in the same memory at the same time."""
        first, second = request.first.root(), request.second.root()
        if first is second:
            return True
        if first.kind != "temporary" or second.kind != "temporary" or not _alike(first, second):
            return False
        if request.strict and request.first.last >= request.second.start:
            return False
        touching = (request.first.span, request.second.span)
        if len(first.spans) < len(second.spans):
            first, second = second, first
        for span in second.spans:
            for other in _crossing(first.spans, span):
                if (other, span) != touching and (span, other) != touching:
                    return False
                if request.first.last != request.second.start:
                    return False
        for span in second.spans:
            first.spans.insert(bisect_right(first.spans, span), span)
        second.spans = []
        second.parent = first
        return True

    def grant(self) -> None:
        """Grants requests in their order, updates in place last."""
        for value in self.values:
            value.spans = [value.span] if value.parent is value else []
        for request in self.merges + self.in_place:
            if not self.merge(request) and request.copied is not None:
                request.second.since = min(request.second.since, request.copied)

    def donate(self, inputs: list[Tree], outputs: Tree) -> None:
        """Outputs of a scheduled module take the place of the inputs that are donated for them."""
        for alias in self.module.donated if self.module.scheduled else []:
            value = part_of(outputs, alias.output)
            given = part_of(inputs, (alias.operand,) + alias.index)
            if isinstance(value, Value) and isinstance(given, Value):
                first, second = given.root(), value.root()
                if first.kind == "input" and second.kind == "temporary" and _alike(given, value):
                    second.parent = first

    def donated(self, inputs: list[Tree]) -> set[int]:
        """The ids of the inputs that are donated, whose memory is free after their last read."""
        parts = (
            part_of(inputs, (alias.operand,) + alias.index) for alias in self.module.donated
        )
        return {id(value) for part in parts if part is not None for value in leaves(part)}

    def buffers(self, inputs: list[Tree], outputs: Tree) -> list[Buffer]:
        """The buffers of all values that the walk has met."""
        self.time += 1
        self.use(outputs)
        self.grant()
        self.donate(inputs, outputs)
        final = {id(value.root()) for value in leaves(outputs)}
        free = self.donated(inputs) - final
        found: dict[int, Buffer] = {}
        for value in self.values:
            root = value.root()
            kind = "output" if root.kind == "temporary" and id(root) in final else root.kind
            size, space = value.array.size, value.array.space
            start, end = min(value.since, value.start), max(value.until, value.last) + 1
            buffer = found.setdefault(
                id(root), Buffer(value.name, value.hint, size, space, kind, start, end)
            )
            buffer.start, buffer.end = min(buffer.start, start), max(buffer.end, end)
        for place, buffer in found.items():
            buffer.start = 0 if buffer.kind in ("input", "constant") else buffer.start
            is_free = buffer.kind == "temporary" or place in free
            buffer.end = buffer.end if is_free else self.time
        return [buffer for buffer in found.values() if buffer.size > 0]


def _alike(first: Value, second: Value) -> bool:
    """Whether two values take the same bytes of the same memory."""
    return first.array.size == second.array.size and first.array.space == second.array.space


def _crossing(spans: list[Span], span: Span) -> list[Span]:
    """Those of `spans` that have a moment in common with `span`; they are sorted, and may touch but
    not overlap."""
    place = bisect_right(spans, (span[1], 2**63))
    found = []
    while place > 0 and spans[place - 1][1] >= span[0]:
        place -= 1
        found.append(spans[place])
    return found


def like(tree: Tree, values: Iterator[Value]) -> Tree:
    """A tree of the same structure with other values."""
    if isinstance(tree, Value):
        return next(values)
    return [like(part, values) for part in tree]


def find_buffers(module: Module, elementwise: bool) -> list[Buffer]:
    """The buffers of a module in order of time; time counts instructions."""
    walk = Walk(module, elementwise)
    walk.calls.append(module.entry.name)
    inputs = walk.arguments(module.entry)
    outputs = walk.run(module.entry, inputs)
    return sorted(walk.buffers(inputs, outputs), key=lambda buffer: buffer.start)
