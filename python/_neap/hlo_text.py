# SPDX-License-Identifier: GPL-3.0-or-later
"""Parses the text of XLA's HLO modules, as far as memory is concerned.

For each instruction, the parser keeps the shape, operands, called computations, aliases and source
location, and skips other attributes and literals.  It should read dumps of any version since 2018:
names with and without a percent sign, operands with and without their shapes, computations with and
without their signatures.
"""
from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import NoReturn, Optional, Union

from neap.errors import InputError

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<array>[a-z][a-z0-9]*\[[^\]\n]*\](?:\{[^}\n]*\})?)
      | (?P<name>%[A-Za-z0-9_.\-]+|[A-Za-z_][A-Za-z0-9_.\-]*)
      | (?P<number>-?[0-9][A-Za-z0-9_.]*)
      | (?P<mark>[^\s])""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_CALLS = (
    "calls",
    "to_apply",
    "body",
    "condition",
    "true_computation",
    "false_computation",
    "branch_computations",
    "called_computations",
)
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
_ARRAY = re.compile(r"([a-z][a-z0-9]*)\[([^\]]*)\](?:\{(.*)\})?", re.DOTALL)
_BITS = re.compile(r"(?:s|u|f|bf|c)([0-9]+)")
_ALIAS = re.compile(r"\{([0-9,\s]*)\}\s*:\s*\(\s*([0-9]+)\s*,\s*\{([0-9,\s]*)\}")
_LARGEST = 2**63


@dataclass(frozen=True)
class Array:
    """The shape of an array: the bytes that it takes, its memory space, and its text."""

    size: int
    space: int
    text: str


Shape = Union[Array, tuple["Shape", ...]]
Index = tuple[int, ...]


@dataclass(frozen=True)
class Alias:
    """An output that uses the memory of a part of an operand."""

    output: Index
    operand: int
    index: Index


@dataclass
class Instruction:
    """One instruction.

    `number` is that of a parameter, or the index of a tuple's element; `after` are the control
    predecessors, and `fusion` the kind of a fusion.
    """

    name: str
    shape: Shape
    opcode: str
    line: int
    column: int
    operands: list[str] = field(default_factory=list)
    called: dict[str, list[str]] = field(default_factory=dict)
    aliases: list[Alias] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    number: int = 0
    fusion: str = ""
    origin: str = ""


@dataclass
class Computation:
    """Instructions in the order of the text, and which of them is the root."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)
    root: int = 0


@dataclass
class Module:
    """A module: its computations by name, its entry, and which outputs use memory of inputs."""

    source: str
    scheduled: bool = False
    donated: list[Alias] = field(default_factory=list)
    computations: dict[str, Computation] = field(default_factory=dict)
    entry: Computation = field(default_factory=lambda: Computation(""))


class _Tokens:
    """The tokens of a text, and a place among them."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        found = [
            (match.lastgroup or "", match.group(), match.start())
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "comment"
        ]
        self.kinds = [kind for kind, _, _ in found] + ["end"]
        self.texts = [text for _, text, _ in found] + [""]
        self.starts = [start for _, _, start in found] + [len(text)]
        self.at = 0
        self.counted = (0, 1, 0)  # up to where lines are counted, the line there, and its start

    @property
    def kind(self) -> str:
        return self.kinds[self.at]

    @property
    def word(self) -> str:
        return self.texts[self.at]

    def place(self, at: Optional[int] = None) -> tuple[int, int]:
        """The line and the column of a token; counts on from the last place that was asked for."""
        start = self.starts[self.at if at is None else at]
        done, line, begin = self.counted
        if start < done:
            done, line, begin = 0, 1, 0
        newlines = self.text.count("\n", done, start)
        if newlines:
            begin = self.text.rfind("\n", done, start) + 1
        self.counted = (start, line + newlines, begin)
        return line + newlines, start - begin + 1

    def fail(self, text: str, at: Optional[int] = None) -> NoReturn:
        line, column = self.place(at)
        raise InputError(text, source=self.source, line=line, column=column)

    def expect(self, word: str) -> None:
        if self.word != word:
            self.fail(f"expected '{word}', found {self.found()}")
        self.at += 1

    def found(self) -> str:
        return f"'{self.word[:40]}'" if self.word else "the end of the file"

    def take_name(self, what: str) -> str:
        if self.kind != "name":
            self.fail(f"expected {what}, found {self.found()}")
        self.at += 1
        return self.texts[self.at - 1].lstrip("%")

    def take_number(self, what: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", self.word):
            self.fail(f"expected {what}, found {self.found()}")
        self.at += 1
        return int(self.texts[self.at - 1])

    def begins_line(self) -> bool:
        """Whether the token is the first on its line."""
        if self.at == 0:
            return True
        before = self.starts[self.at - 1] + len(self.texts[self.at - 1])
        return "\n" in self.text[before : self.starts[self.at]]

    def take_group(self) -> str:
        """Skips a group in brackets and returns its text."""
        first = self.at
        awaited: list[str] = []
        while self.kind != "end":
            if self.word in _CLOSING:
                awaited.append(_CLOSING[self.word])
            elif self.word in (")", "]", "}"):
                if self.word != awaited.pop():
                    self.fail(f"'{self.word}' does not close the bracket that is open")
            self.at += 1
            if not awaited:
                return self.text[self.starts[first] : self.starts[self.at - 1] + 1]
        return self.fail(f"'{self.texts[first]}' is never closed", first)


def _numbers(text: str) -> Index:
    return tuple(int(number) for number in re.findall(r"[0-9]{1,18}", text))


def _aliases(text: str) -> list[Alias]:
    """The pairs {output}: (operand, {part of it}) in a text."""
    return [
        Alias(_numbers(output), int(operand[:18]), _numbers(index))
        for output, operand, index in _ALIAS.findall(text)
    ]


def _element_bits(kind: str) -> Optional[int]:
    """The bits of an element in memory; None: unknown type."""
    if kind in ("token", "opaque"):
        return 0
    match = _BITS.match(kind)
    if kind == "pred":
        return 8
    return max(8, int(match.group(1))) if match and len(match.group(1)) <= 4 else None


def _padded(sizes: list[int], layout: str) -> list[int]:
    """The sizes, from major to minor, after the first tile of the layout."""
    order = _numbers(layout.split(":")[0])
    if sorted(order) == list(range(len(sizes))):
        sizes = [sizes[dimension] for dimension in reversed(order)]
    tile = re.search(r"T\(([0-9,\s]*)\)", layout)
    steps = list(_numbers(tile.group(1))) if tile else []
    sizes = [1] * (len(steps) - len(sizes)) + sizes
    for place, step in enumerate(reversed(steps), 1):
        sizes[-place] = -(-sizes[-place] // max(1, step)) * max(1, step)
    return sizes


def parse_array(text: str) -> Union[Array, str]:
    """The shape of an array, or what is wrong with it."""
    match = _ARRAY.fullmatch(text)
    bits = _element_bits(match.group(1)) if match else None
    if match is None or bits is None:
        return f"unknown element type '{text.split('[')[0]}'"
    sizes = []
    for part in match.group(2).split(",") if match.group(2).strip() else []:
        size = re.fullmatch(r"\s*(?:<=)?\s*([0-9]{1,18})\s*", part)
        if not size:
            return f"expected the size of a dimension, found '{part.strip()[:40]}'"
        sizes.append(int(size.group(1)))
    layout = match.group(3) or ""
    packed = re.search(r"E\(([0-9]{1,3})\)", layout)
    space = re.search(r"S\(([0-9]{1,3})\)", layout)
    bits = int(packed.group(1)) if packed else bits
    size_in_bytes = (math.prod(_padded(sizes, layout)) * bits + 7) // 8
    if size_in_bytes >= _LARGEST:
        return f"the array {text[:40]} is too large"
    return Array(size_in_bytes, int(space.group(1)) if space else 0, text)


class _Parser:
    """Parses a module."""

    def __init__(self, text: str, source: str) -> None:
        self.tokens = _Tokens(text, source)
        self.module = Module(source)
        self.tables: dict[str, dict[int, str]] = {name: {} for name in _TABLES}
        self.arrays: dict[str, Array] = {}

    def parse(self) -> Module:
        tokens = self.tokens
        if tokens.word != "HloModule":
            tokens.fail(f"expected 'HloModule', found {tokens.found()}")
        tokens.at += 1
        tokens.take_name("the name of the module")
        start = tokens.starts[tokens.at]
        self.skip_attributes()
        header = tokens.text[start : tokens.starts[tokens.at]]
        self.module.scheduled = bool(re.search(r"is_scheduled\s*=\s*true", header))
        donated = re.search(r"input_output_alias\s*=\s*\{(.*)", header, re.DOTALL)
        self.module.donated = _aliases(donated.group(1)) if donated else []
        while tokens.kind != "end":
            if tokens.word in _TABLES:
                self.parse_table()
            else:
                self.parse_computation()
        if not self.module.entry.instructions:
            tokens.fail("the module has no ENTRY computation")
        return self.module

    def parse_table(self) -> None:
        """One of the tables of source locations: numbers with a string or a group each."""
        tokens = self.tokens
        table = self.tables[tokens.word]
        tokens.at += 1
        while tokens.kind == "number":
            number = tokens.take_number("a number")
            if tokens.kind == "string":
                table[number] = tokens.word[1:-1]
                tokens.at += 1
            elif tokens.word == "{":
                table[number] = tokens.take_group()
            else:
                tokens.fail(f"expected a string or '{{', found {tokens.found()}")

    def parse_computation(self) -> None:
        tokens = self.tokens
        is_entry = tokens.word == "ENTRY"
        tokens.at += is_entry
        first = tokens.at
        computation = Computation(tokens.take_name("a computation"))
        if computation.name in self.module.computations:
            tokens.fail(f"duplicate computation '{computation.name}'", first)
        while tokens.word != "{" and tokens.kind != "end":
            if tokens.word == "(":
                tokens.take_group()
            else:
                tokens.at += 1
        tokens.expect("{")
        self.parse_instructions(computation)
        self.skip_attributes()
        self.module.computations[computation.name] = computation
        if is_entry:
            if self.module.entry.instructions:
                tokens.fail("a second ENTRY computation", first)
            self.module.entry = computation

    def parse_instructions(self, computation: Computation) -> None:
        tokens = self.tokens
        computation.root = -1
        while tokens.word != "}":
            if tokens.word == "ROOT":
                tokens.at += 1
                computation.root = len(computation.instructions)
            computation.instructions.append(self.parse_instruction())
        if not computation.instructions:
            tokens.fail(f"the computation '{computation.name}' is empty")
        if computation.root < 0:
            computation.root = len(computation.instructions) - 1
        tokens.at += 1

    def parse_instruction(self) -> Instruction:
        tokens = self.tokens
        line, column = tokens.place()
        name = tokens.take_name("an instruction")
        tokens.expect("=")
        shape = self.parse_shape(0)
        opcode = tokens.take_name("an operation")
        found = Instruction(name, shape, opcode, line, column)
        if tokens.word != "(":
            tokens.fail(f"expected '(', found {tokens.found()}")
        if opcode == "parameter":
            tokens.at += 1
            found.number = tokens.take_number("the number of the parameter")
            tokens.expect(")")
        elif opcode == "constant":
            tokens.take_group()
        else:
            self.parse_operands(found)
        while tokens.word == ",":
            tokens.at += 1
            self.parse_attribute(found)
        return found

    def parse_shape(self, depth: int) -> Shape:
        tokens = self.tokens
        if tokens.word == "(":
            if depth > 50:
                tokens.fail("tuples are nested too deeply")
            tokens.at += 1
            parts: list[Shape] = []
            while tokens.word != ")":
                parts.append(self.parse_shape(depth + 1))
                if tokens.word != ")":
                    tokens.expect(",")
            tokens.at += 1
            return tuple(parts)
        if tokens.kind != "array":
            tokens.fail(f"expected a shape, found {tokens.found()}")
        array = self.arrays.get(tokens.word) or parse_array(tokens.word)
        if isinstance(array, str):
            tokens.fail(array)
        self.arrays[tokens.word] = array
        tokens.at += 1
        return array

    def parse_operands(self, found: Instruction) -> None:
        """Operands between brackets: names, each perhaps after its shape."""
        tokens = self.tokens
        first = tokens.at
        tokens.at += 1
        while tokens.word != ")":
            if tokens.kind in ("array", "mark"):
                if tokens.kind == "mark" and tokens.word != "(":
                    tokens.fail(f"expected an operand, found {tokens.found()}")
                self.parse_shape(0)
            if tokens.kind == "end":
                tokens.fail("'(' is never closed", first)
            found.operands.append(tokens.take_name("an operand"))
            if tokens.word != ")":
                tokens.expect(",")
        tokens.at += 1

    def skip_attributes(self) -> None:
        """Skips attributes, each after a comma."""
        while self.tokens.word == ",":
            self.tokens.at += 1
            self.take_attribute()

    def take_attribute(self) -> tuple[str, str]:
        """Takes a name and the text of its value, which ends before a comma or with its line."""
        tokens = self.tokens
        name = tokens.take_name("an attribute")
        if tokens.word != "=":
            return name, ""
        tokens.at += 1
        start = tokens.starts[tokens.at]
        first = tokens.at
        while tokens.word not in (",", "}", "") and (
            tokens.at == first or not tokens.begins_line()
        ):
            if tokens.word in _CLOSING:
                tokens.take_group()
            else:
                tokens.at += 1
        if tokens.at == first:
            tokens.fail(f"expected the value of '{name}', found {tokens.found()}")
        last = tokens.at - 1
        return name, tokens.text[start : tokens.starts[last] + len(tokens.texts[last])]

    def parse_attribute(self, found: Instruction) -> None:
        at = self.tokens.at
        name, value = self.take_attribute()
        if name in _CALLS:
            found.called[name] = [call.lstrip("%") for call in re.findall(r"[%\w.\-]+", value)]
        elif name == "control-predecessors":
            found.after = [call.lstrip("%") for call in re.findall(r"[%\w.\-]+", value)]
        elif name == "index" and found.opcode == "get-tuple-element":
            if not re.fullmatch(r"[0-9]{1,18}", value):
                self.tokens.fail("expected 'index=' and a number", at)
            found.number = int(value)
        elif name == "output_to_operand_aliasing":
            found.aliases = _aliases(value)
        elif name == "kind":
            found.fusion = value
        elif name == "metadata":
            found.origin = self.origin(value)

    def origin(self, metadata: str) -> str:
        """The source file and line in the metadata of an instruction, or else its op_name."""
        frame = re.search(r"stack_frame_id=([0-9]{1,9})", metadata)
        if frame:
            place = self.frame_origin(int(frame.group(1)))
            if place:
                return place
        file = re.search(r'source_file="([^"]*)"', metadata)
        line = re.search(r"source_line=([0-9]+)", metadata)
        if file and line:
            return f"{file.group(1)}:{line.group(1)}"
        operation = re.search(r'op_name="([^"]*)"', metadata)
        return operation.group(1) if operation else ""

    def frame_origin(self, frame: int) -> str:
        """The file and line of a stack frame, from the tables before the computations."""

        def number(text: str, key: str) -> int:
            match = re.search(rf"\b{key}=([0-9]{{1,9}})", text)
            return int(match.group(1)) if match else 0

        location = number(self.tables["StackFrames"].get(frame, ""), "file_location_id")
        text = self.tables["FileLocations"].get(location, "")
        file = self.tables["FileNames"].get(number(text, "file_name_id"), "")
        return f"{file}:{number(text, 'line')}" if file else ""


def parse(text: str, source: str = "") -> Module:
    """Parses the text of a module; errors name `source`."""
    return _Parser(text, source).parse()
