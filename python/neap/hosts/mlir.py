# SPDX-License-Identifier: GPL-3.0-or-later
"""Places the buffers of an MLIR module in one arena per block.

Reads MLIR text, pretty or generic, and looks for memref.alloc of static shape whose memref.dealloc
is in the same block. The buffer is alive from one to the other, which includes all uses through
views or in nested regions. neap plans these buffers for each block and memory space. The rewritten
text has one memref.alloc for the arena, a memref.view in place of each alloc, and one
memref.dealloc of the arena in place of the last dealloc. The views keep the names and the types of
the buffers, so nothing else changes.

A buffer stays as it is if moving it would not be sound or possible; --verbose lists such buffers
with the reason.

    python3 -m neap.hosts.mlir INPUT [-o OUTPUT] [--alignment BYTES] [--time-limit SECONDS] [--verbose]
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

import neap

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<value>%(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*))
      | (?P<label>\^[A-Za-z0-9$._-]+)
      | (?P<alias>[#!@][A-Za-z0-9$._-]+)
      | (?P<word>[A-Za-z_][A-Za-z0-9_$.]*)
      | (?P<number>[0-9]+)
      | (?P<arrow>->)
      | (?P<mark>[^\s])""",
    re.VERBOSE,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
FLOATS = {"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "f64": 8, "f80": 16, "f128": 16}
# Ops with these names change which buffers are freed, or compare the addresses of allocations.
OWNERSHIP = re.compile(r"bufferization\..*|memref\.realloc")
# Buffers of this size or more stay as they are.
LARGEST = 1 << 62
FUNCTION = re.compile(r"[a-z_]+\.func")


class Storage(NamedTuple):
    """How an element lies in memory: bytes from one element to the next, and the alignment."""

    size: int
    alignment: int


class Token(NamedTuple):
    """A token: its kind (a group of TOKEN), its text, and where it starts in the module."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Block(NamedTuple):
    """A block: the braces of its region, and how many labels precede it there."""

    region: int
    number: int


class Dealloc(NamedTuple):
    """A memref.dealloc: its value, its place in the text, and its block."""

    name: str
    start: int
    end: int
    block: Block


class Alloc(NamedTuple):
    """A memref.alloc; its function is how many functions begin before it."""

    name: str
    start: int
    end: int
    block: Block
    function: int
    operands: bool
    attributes: str
    type: str
    location: str


class Buffer(NamedTuple):
    """A buffer that may move into an arena; bytes, and the memory space as in its type."""

    alloc: Alloc
    dealloc: Dealloc
    size: int
    alignment: int
    space: str


class Shape(NamedTuple):
    """Size and alignment of a buffer in bytes, and its memory space, from its type."""

    size: int
    alignment: int
    space: str


@dataclass
class Module:
    """The results of scanning a module."""

    allocs: List[Alloc] = field(default_factory=list)
    deallocs: Dict[str, List[Dealloc]] = field(default_factory=lambda: defaultdict(list))
    regions: List[Tuple[int, int]] = field(default_factory=list)
    aliases: Dict[str, str] = field(default_factory=dict)
    assumed: Dict[Tuple[int, str], int] = field(default_factory=dict)
    owning_functions: Dict[int, str] = field(default_factory=dict)
    names: Dict[str, int] = field(default_factory=dict)


class Arena(NamedTuple):
    """The buffers of one block and memory space, and their plan."""

    members: List[Buffer]
    plan: neap.Plan
    alignment: int


class Left(NamedTuple):
    """A buffer that stays as it is."""

    alloc: Alloc
    reason: str


class Result(NamedTuple):
    """The new text, its arenas, and the buffers that are not in any."""

    text: str
    arenas: List[Arena]
    left: List[Left]


class Scanner:
    """Finds allocs, deallocs, regions and blocks in the text of a module."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.tokens = list(self.tokenize())
        self.module = Module()
        self.at = 0
        self.function = 0
        self.open: List[Token] = []
        self.blocks = [Block(self.add_region(0), 0)]

    def fail(self, start: int, text: str) -> NoReturn:
        line = self.text.count("\n", 0, start) + 1
        column = start - self.text.rfind("\n", 0, start)
        raise neap.InputError(text, source=self.source, line=line, column=column)

    def tokenize(self) -> Iterator[Token]:
        for match in TOKEN.finditer(self.text):
            if match.lastgroup == "mark" and match.group() == '"':
                self.fail(match.start(), "the string does not end on its line")
            if match.lastgroup and match.lastgroup != "comment":
                yield Token(match.lastgroup, match.group(), match.start())

    def peek(self, ahead: int = 0) -> Token:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else Token("end", "", len(self.text))

    def add_region(self, start: int) -> int:
        self.module.regions.append((start, len(self.text)))
        return len(self.module.regions) - 1

    def scan(self) -> Module:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.scan_token(token)
        if self.open:
            self.fail(self.open[-1].start, f"'{self.open[-1].text}' is never closed")
        return self.module

    def scan_token(self, token: Token) -> None:
        name = token.text.strip('"') if token.kind in ("word", "string") else ""
        if token.kind == "value" and self.peek(1).text == "=":
            self.module.names[token.text] = token.start
            if self.peek(2).text.strip('"') == "memref.alloc":
                self.scan_alloc()
                return
        elif token.kind == "value":
            self.module.names[token.text] = token.start
        elif name == "memref.dealloc":
            self.scan_dealloc()
            return
        elif name == "memref.assume_alignment":
            self.scan_assumption()
            return
        elif token.kind == "label":
            self.scan_label()
            return
        elif token.kind == "alias" and not self.open and self.peek(1).text == "=":
            self.scan_alias()
            return
        elif name:
            self.scan_name(name)
        elif token.kind == "mark":
            self.scan_mark(token)
        self.at += 1

    def scan_name(self, name: str) -> None:
        if FUNCTION.fullmatch(name):
            self.function += 1
        elif OWNERSHIP.fullmatch(name):
            self.module.owning_functions[self.function] = name

    def scan_mark(self, token: Token) -> None:
        if token.text in CLOSING:
            self.open.append(token)
            if token.text == "{":
                self.blocks.append(Block(self.add_region(token.start), 0))
        elif token.text in CLOSING.values():
            if not self.open or CLOSING[self.open[-1].text] != token.text:
                self.fail(token.start, f"'{token.text}' closes nothing")
            self.open.pop()
            if token.text == "}":
                region = self.blocks.pop().region
                self.module.regions[region] = (self.module.regions[region][0], token.start)

    def scan_label(self) -> None:
        """Starts a block at a label if a colon follows it and its arguments; scans these next."""
        after = 1
        if self.peek(after).text == "(":
            after = self.skip_group(after)
        if self.peek(after).text == ":":
            self.blocks[-1] = Block(self.blocks[-1].region, self.blocks[-1].number + 1)
        self.at += 1

    def skip_group(self, ahead: int) -> int:
        """How far ahead the token after a group in brackets is."""
        depth = 0
        while self.peek(ahead).kind != "end":
            text = self.peek(ahead).text
            depth += (text in CLOSING) - (text in CLOSING.values())
            ahead += 1
            if depth == 0:
                return ahead
        self.fail(self.peek(0).start, "a bracket is never closed")

    def take_group(self) -> str:
        """Takes a group in brackets; its text without the brackets."""
        first = self.peek().end
        self.at += self.skip_group(0)
        return self.text[first : self.tokens[self.at - 1].start]

    def take_type(self) -> str:
        """Takes a type: an alias, or a name with parameters in angle brackets."""
        first, depth = self.peek(), 0
        self.at += 1
        while self.peek().text == "<" or (depth and self.peek().kind != "end"):
            depth += (self.peek().text == "<") - (self.peek().text == ">")
            self.at += 1
            if depth == 0:
                break
        if depth:
            self.fail(first.start, "the type does not end")
        return self.text[first.start : self.tokens[self.at - 1].end]

    def take_attributes(self) -> str:
        """Takes the attributes and the properties, <{ ... }>, of an op, if it has any."""
        found = []
        while self.peek().text in ("{", "<"):
            properties = self.peek().text == "<"
            self.at += properties
            if self.peek().text != "{":
                self.fail(self.peek().start, "expected '{'")
            found.append(self.take_group().strip())
            self.at += properties
        return ", ".join(part for part in found if part)

    def take_location(self) -> str:
        """Takes the trailing location of an op, if it has one."""
        start = self.peek().start
        if self.peek().text != "loc" or self.peek(1).text != "(":
            return ""
        self.at += 1
        self.take_group()
        return " " + self.text[start : self.tokens[self.at - 1].end]

    def take_text(self, text: str) -> None:
        if self.peek().text != text:
            self.fail(self.peek().start, f"expected '{text}'")
        self.at += 1

    def scan_alloc(self) -> None:
        value, op = self.peek(), self.peek(2)
        self.at += 3
        operands = self.take_group() if self.peek().text == "(" else "?"
        while self.peek().text == "[":
            operands += self.take_group() + "?"
        attributes = self.take_attributes()
        self.take_text(":")
        if op.kind == "string":
            self.take_group()
            self.take_text("->")
        kind = self.take_type()
        location = self.take_location()
        end = self.tokens[self.at - 1].end
        where = (value.text, value.start, end, self.blocks[-1], self.function)
        self.module.allocs.append(Alloc(*where, bool(operands.strip()), attributes, kind, location))

    def scan_dealloc(self) -> None:
        """memref.dealloc %x : type, or the generic form; other mentions of the op are skipped."""
        op = self.peek()
        generic = op.kind == "string"
        self.at += 1
        if self.peek(generic).kind != "value" or generic != (self.peek().text == "("):
            return
        self.at += generic
        name = self.peek().text
        self.at += 1
        if self.peek().text.startswith("#"):
            name += self.peek().text  # one of several results
            self.at += 1
        if generic:
            self.take_text(")")
        self.take_attributes()
        self.take_text(":")
        self.take_dealloc_type(generic)
        self.take_location()
        end = self.tokens[self.at - 1].end
        self.module.deallocs[name].append(Dealloc(name, op.start, end, self.blocks[-1]))

    def take_dealloc_type(self, generic: bool) -> None:
        if not generic:
            self.take_type()
            return
        self.take_group()
        self.take_text("->")
        self.take_group()

    def scan_assumption(self) -> None:
        """memref.assume_alignment %x, 64, or the generic form with its attribute."""
        self.at += 1
        generic = self.peek().text == "("
        value = self.peek(generic)
        if value.kind != "value":
            return
        if generic:
            self.take_group()
            number = alignment_of(self.take_attributes())
        else:
            number = int(self.peek(2).text) if self.peek(2).kind == "number" else 1
        key = (self.function, value.text)
        self.module.assumed[key] = max(number, self.module.assumed.get(key, 1))

    def scan_alias(self) -> None:
        """#name = attribute or !name = type; the rest of the line is all that matters here."""
        start = self.peek(2).start
        end = self.text.find("\n", start)
        self.module.aliases[self.peek().text] = self.text[start : end if end >= 0 else None].strip()
        self.at += 2


def alignment_of(attributes: str) -> int:
    """The attribute `alignment` in the text of a dictionary, 1 without it."""
    match = re.search(r"(?<![\w.$])alignment\s*=\s*([0-9]+)", attributes)
    return max(1, int(match.group(1))) if match else 1


def other_attributes(attributes: str) -> str:
    """The attributes that a memref.view can keep."""
    kept = [
        part.strip()
        for part in split(attributes)
        if not re.match(r"\s*(alignment|operandSegmentSizes|operand_segment_sizes)\s*=", part)
    ]
    return " {" + ", ".join(kept) + "}" if any(kept) else ""


def split(text: str) -> List[str]:
    """Splits a text at commas outside brackets and strings."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|->|.', text, re.DOTALL):
        mark = match.group()
        depth += (mark in "<([{" and len(mark) == 1) - (mark in ">)]}" and len(mark) == 1)
        if mark == "," and depth == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return parts + [text[start:]]


def product(dimensions: str) -> int:
    """The product of dimensions, each with an x after it; 1 if there are none."""
    return math.prod(int(size) for size in dimensions.split("x")[:-1])


def power_of_two(number: int) -> int:
    """The least power of two that is not below a positive number."""
    return 1 << max(0, number - 1).bit_length()


def integer_storage(bits: int) -> Storage:
    """An integer in memory: a power of two bytes up to 8, multiples of 16 beyond."""
    size = (bits + 7) // 8
    size = power_of_two(size) if size <= 8 else (size + 15) // 16 * 16
    return Storage(size, min(size, 16))


def bits_of(element: str) -> Optional[int]:
    """The bits of a scalar in a vector, None if it is none of the known types."""
    match = re.fullmatch(r"[su]?i([1-9][0-9]*)", element)
    if match:
        return int(match.group(1))
    if element == "index":
        return 64
    if re.fullmatch(r"f8E\w+", element):
        return 8
    return FLOATS[element] * 8 if FLOATS.get(element, 16) <= 8 else None


def vector_storage(inside: str) -> Optional[Storage]:
    """A vector in memory: an array of vectors of the last dimension, each a power of two bytes."""
    shape = re.fullmatch(r"((?:\d+x)*)(\S+)", inside)
    bits = bits_of(shape.group(2)) if shape else None
    if shape is None or bits is None:
        return None
    outer, _, last = ("1x" + shape.group(1)).rpartition("x")[0].rpartition("x")
    row = power_of_two((int(last) * bits + 7) // 8)
    return Storage(row * product(outer + "x" * bool(outer)), row)


def storage(element: str) -> Optional[Storage]:
    """How an element type lies in memory after lowering to LLVM, None if that is not known."""
    integer = re.fullmatch(r"[su]?i([1-9][0-9]{0,5})", element)
    inside = re.fullmatch(r"(complex|vector)<(.*)>", element)
    if integer:
        return integer_storage(int(integer.group(1)))
    if inside and inside.group(1) == "vector":
        return vector_storage(inside.group(2))
    if inside:
        half = storage(inside.group(2))
        return Storage(2 * half.size, half.alignment) if half else None
    if element == "index":
        return Storage(8, 8)
    if re.fullmatch(r"f[468]E\w+", element):
        return Storage(1, 1)
    return Storage(FLOATS[element], FLOATS[element]) if element in FLOATS else None


def measure(alloc: Alloc, aliases: Dict[str, str]) -> Union[Shape, str]:
    """The shape of a buffer, or the reason why it cannot be a view."""
    kind = aliases.get(alloc.type, alloc.type)
    match = re.fullmatch(r"memref\s*<(.*)>", kind, re.DOTALL)
    if not match:
        return f"its type {kind} is not a memref"
    shape, *rest = (part.strip() for part in split(match.group(1)))
    dimensions = re.fullmatch(r"((?:(?:[0-9]+|\?)x)*)(.+)", shape, re.DOTALL)
    if not dimensions or "?" in dimensions.group(1):
        return "its shape is dynamic"
    if len(rest) > 1 or any(is_layout(aliases.get(part, part)) for part in rest):
        return "it has a layout"
    element = storage(re.sub(r"\s", "", aliases.get(dimensions.group(2), dimensions.group(2))))
    if element is None:
        return f"the size of its elements, {dimensions.group(2)}, is not known"
    size = product(dimensions.group(1)) * element.size
    if size >= LARGEST:
        return "it is too large"
    return Shape(size, max(element.alignment, alignment_of(alloc.attributes)), "".join(rest))


def is_layout(parameter: str) -> bool:
    """Whether a parameter of a memref type is its layout; otherwise it is its memory space."""
    return parameter.startswith(("affine_map", "strided"))


def find_dealloc(alloc: Alloc, module: Module) -> Union[Dealloc, str]:
    """The dealloc, or the reason why the buffer's lifetime is unknown."""
    first, last = module.regions[alloc.block.region]
    found = [each for each in module.deallocs.get(alloc.name, []) if first <= each.start < last]
    if not found:
        return "nothing frees it"
    if len(found) > 1 or found[0].block != alloc.block or found[0].start < alloc.start:
        return "it is freed in another block"
    return found[0]


def judge(alloc: Alloc, module: Module) -> Union[Buffer, str]:
    """The buffer, or the reason why it stays as it is."""
    if alloc.operands:
        return "its shape is dynamic"
    if alloc.function in module.owning_functions:
        return f"its function has {module.owning_functions[alloc.function]}"
    dealloc = find_dealloc(alloc, module)
    if isinstance(dealloc, str):
        return dealloc
    shape = measure(alloc, module.aliases)
    if isinstance(shape, str):
        return shape
    assumed = module.assumed.get((alloc.function, alloc.name), 1)
    return Buffer(alloc, dealloc, shape.size, max(shape.alignment, assumed), shape.space)


def plan_block(buffers: List[Buffer], alignment: int, time_limit: Optional[float]) -> Arena:
    """Plans the buffers of a block; time is the order of allocs and deallocs."""
    events = [buffer.alloc.start for buffer in buffers] + [
        buffer.dealloc.start for buffer in buffers
    ]
    moments = {event: moment for moment, event in enumerate(sorted(events))}
    problem = neap.Problem()
    for alloc, dealloc, size, natural, _ in buffers:
        start, end = moments[alloc.start], moments[dealloc.start]
        problem.add(size, start, end, name=alloc.name, alignment=max(natural, alignment))
    plan = neap.plan(problem, time_limit=time_limit)
    return Arena(buffers, plan, max(alignment, *(buffer.alignment for buffer in buffers)))


class Editor:
    """Collects replacements of parts of a text, which do not overlap."""

    def __init__(self, text: str, names: Dict[str, int]) -> None:
        self.text = text
        self.names = names
        self.edits: List[Tuple[int, int, str]] = []
        self.counts: Dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """An unused name for a value."""
        name = base
        while name in self.names:
            self.counts[base] = self.counts.get(base, -1) + 1
            name = f"{base}_{self.counts[base]}"
        self.names[name] = 0
        return name

    def indentation(self, start: int) -> str:
        """What separates two ops at this place: a new line, and the space before the op on its
        line."""
        line = self.text.rfind("\n", 0, start) + 1
        before = self.text[line:start]
        return "\n" + before[: len(before) - len(before.lstrip())]

    def replace(self, start: int, end: int, ops: Sequence[str]) -> None:
        self.edits.append((start, end, self.indentation(start).join(ops)))

    def remove(self, start: int, end: int) -> None:
        """Removes an op, with its line if nothing else is on it."""
        line = self.text.rfind("\n", 0, start) + 1
        after = self.text.find("\n", end)
        if after >= 0 and not self.text[line:start].strip() and not self.text[end:after].strip():
            start, end = line, after + 1
        self.edits.append((start, end, ""))

    def result(self) -> str:
        parts, at = [], 0
        for start, end, text in sorted(self.edits):
            parts += [self.text[at:start], text]
            at = end
        return "".join(parts) + self.text[at:]


def edit_block(editor: Editor, arena: Arena) -> None:
    """Replaces the allocs and deallocs of a block by an arena and views of it."""
    name = editor.fresh("%neap_arena")
    space = arena.members[0].space
    kind = f"memref<{arena.plan.peak}xi8{', ' * bool(space)}{space}>"
    ops = [f"{name} = memref.alloc() {{alignment = {arena.alignment} : i64}} : {kind}"]
    for buffer, offset in zip(arena.members, arena.plan.offsets):
        alloc = buffer.alloc
        shift = editor.fresh("%neap_offset")
        view = f"{alloc.name} = memref.view {name}[{shift}][]{other_attributes(alloc.attributes)}"
        ops.append(f"{shift} = arith.constant {offset} : index")
        ops.append(f"{view} : {kind} to {alloc.type}{alloc.location}")
        editor.replace(alloc.start, alloc.end, ops)
        ops = []
    *earlier, last = sorted((each.dealloc for each in arena.members), key=lambda each: each.start)
    for dealloc in earlier:
        editor.remove(dealloc.start, dealloc.end)
    editor.replace(last.start, last.end, [f"memref.dealloc {name} : {kind}"])


def rewrite(
    text: str, source: str = "", alignment: int = 16, time_limit: Optional[float] = None
) -> Result:
    """Places the buffers of a module in arenas.

    `alignment`, in bytes, is the minimum for each buffer; its type or its attribute may require a
    larger one.
    """
    module = Scanner(text, source).scan()
    blocks: Dict[Tuple[Block, str], List[Buffer]] = defaultdict(list)
    left: List[Left] = []
    for alloc in module.allocs:
        buffer = judge(alloc, module)
        if isinstance(buffer, str):
            left.append(Left(alloc, buffer))
        else:
            blocks[(alloc.block, buffer.space)].append(buffer)
    editor = Editor(text, module.names)
    arenas = []
    for buffers in blocks.values():
        if len(buffers) == 1:
            left.append(Left(buffers[0].alloc, "it is alone in its block"))
            continue
        arenas.append(plan_block(buffers, alignment, time_limit))
        edit_block(editor, arenas[-1])
    return Result(editor.result(), arenas, left)


def report(result: Result, text: str, source: str, verbose: bool) -> None:
    """Prints one line for each arena, and with `verbose` one for each buffer that stays."""

    def line(alloc: Alloc) -> str:
        number = text.count("\n", 0, alloc.start) + 1
        return f"{source}:{number}"

    for arena in result.arenas:
        total = sum(buffer.size for buffer in arena.members)
        print(
            f"{line(arena.members[0].alloc)}: {len(arena.members)} buffers of {total:,} bytes "
            f"in an arena of {arena.plan.peak:,} ({arena.plan.status}, bound {arena.plan.bound:,})",
            file=sys.stderr,
        )
    for alloc, reason in result.left if verbose else []:
        print(f"{line(alloc)}: {alloc.name} stays: {reason}", file=sys.stderr)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m neap.hosts.mlir", description="Plan the static buffers of an MLIR module."
    )
    parser.add_argument("input", help="MLIR text, '-' for standard input")
    parser.add_argument("-o", "--output", default="-", help="where to write it (standard output)")
    parser.add_argument("--alignment", type=int, default=16, help="minimum alignment in bytes (16)")
    parser.add_argument("--time-limit", type=float, help="seconds for each block")
    parser.add_argument("-v", "--verbose", action="store_true", help="list buffers that stay")
    options = parser.parse_args(arguments)
    if options.alignment < 1 or options.alignment & (options.alignment - 1):
        parser.error("--alignment must be a power of two")
    source = "standard input" if options.input == "-" else options.input
    try:
        with sys.stdin if options.input == "-" else open(options.input, encoding="utf-8") as file:
            text = file.read()
        result = rewrite(text, source, options.alignment, options.time_limit)
        with sys.stdout if options.output == "-" else open(
            options.output, "w", encoding="utf-8"
        ) as file:
            file.write(result.text)
    except (OSError, UnicodeDecodeError, neap.Error) as error:
        print(f"neap.hosts.mlir: {error}", file=sys.stderr)
        return 1
    report(result, text, source, options.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())
