# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads problems from memory snapshots of PyTorch's CUDA allocator.

    torch.cuda.memory._record_memory_history()
    ...
    torch.cuda.memory._dump_snapshot("snapshot.pickle")

    python3 -m neap.snapshot snapshot.pickle -o problem.csv

A snapshot is a pickle, but neap runs nothing in it: it first checks all instructions, and accepts
only those that make numbers, strings, lists, tuples and dictionaries.

A buffer is alive from its `alloc` to its `free_completed`.  Without an `alloc` in the trace, it is
alive from the start; without a `free_completed`, to the end.  Blocks that the final state lists but
the trace never mentions are always alive.  Time counts allocations and frees.  Problems do not have
the addresses: they ask how low a plan could be if all requests were known in advance.
"""
from __future__ import annotations

import argparse
import io
import os
import pickle
import pickletools
import re
import sys
from dataclasses import dataclass, field
from typing import NoReturn, Optional, Sequence, Union

from _neap import command
from neap.errors import ArgumentError, FileError, InputError
from neap.problem import Problem

Path = Union[str, "os.PathLike[str]"]
_FREES = ("free_completed", "free")
_LARGEST = 2**62
_FRAMES = 3  # in a hint
_DEEPEST = 200  # frames to search for the user's own


# Instructions of a pickle that need no code and make nothing large.  A match is limited to 4096 of
# them, because the matcher keeps a record of each.
_PLAIN = re.compile(
    rb"(?:[()0-2N\x85-\x89\x94\]}adelstu]|[Khq\x80].|M..|[Jj]....|[G\x95].{8}|[IFLSVg][^\n]*\n)"
    rb"{1,4096}",
    re.DOTALL,
)
# Instructions with a length before their data, and the number of bytes of that length.
_SIZED = {
    b"X": 4,
    b"\x8c": 1,
    b"\x8d": 8,
    b"B": 4,
    b"C": 1,
    b"\x8e": 8,
    b"U": 1,
    b"T": 4,
    b"\x8a": 1,
    b"\x8b": 4,
}
_NAMES = {opcode.code.encode("latin-1"): opcode.name for opcode in pickletools.opcodes}


def _check_pickle(data: bytes) -> None:
    """Raises UnpicklingError if a pickle has an instruction that could run code or waste memory."""
    at = 0
    while True:
        plain = _PLAIN.match(data, at)
        if plain:
            at = plain.end()
            continue
        opcode = data[at : at + 1]
        if opcode == b".":
            return
        if opcode in _SIZED:
            begin = at + 1 + _SIZED[opcode]
            at = begin + int.from_bytes(data[at + 1 : begin], "little")
        elif opcode == b"r" and int.from_bytes(data[at + 1 : at + 5], "little") <= len(data):
            at += 5
        elif opcode == b"p" and re.match(rb"p[0-9]{1,6}\n", data[at : at + 8]):
            at = data.index(b"\n", at) + 1
        else:
            name = _NAMES.get(opcode, "an unknown instruction" if opcode else "the end of the file")
            raise pickle.UnpicklingError(f"refused {name} at byte {min(at, len(data))}")


class _Unpickler(pickle.Unpickler):
    """A second safeguard after the check."""

    def find_class(self, module_name: str, global_name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"refused to load {module_name}.{global_name}")


@dataclass
class Block:
    """Requested memory: its address, bytes and lifetime; `end` None: to the end."""

    address: int
    size: int
    start: int
    end: Optional[int]
    frames: object
    asked: Optional[int] = None  # when its freeing was requested


@dataclass
class Trace:
    """The blocks of one device.

    `early` counts those alive before the trace starts, and `late` those alive after it ends.
    `reserved` is the bytes of all segments at the end of the trace, and `events` its length.
    """

    blocks: list[Block] = field(default_factory=list)
    early: int = 0
    late: int = 0
    reserved: int = 0
    events: int = 0


def read(
    path: Path, device: int = 0, *, stream: Optional[int] = None, alignment: int = 512
) -> Problem:
    """Reads the requests of one device.

    Args:
        path: a pickle that torch.cuda.memory._dump_snapshot wrote.
        device: its number.
        stream: only requests on this stream; None: all.  The allocator keeps memory of streams
            apart, because work on different streams may overlap in time; a plan for all of them
            assumes that it does not.
        alignment: bytes; PyTorch's allocator rounds to 512.

    Raises:
        FileError: the file cannot be read.
        InputError: it is not a snapshot, or contains code.
        ArgumentError: there is no such device.
    """
    return _problem(_read_trace(path, device, stream), alignment)


def _load(path: Path) -> dict[object, object]:
    """The dictionary in a pickle."""
    source = os.fspath(path)
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise FileError(error.strerror or str(error), source=source) from None
    try:
        _check_pickle(content)
        data: object = _Unpickler(io.BytesIO(content)).load()
    except Exception as error:  # pickles can fail in many ways
        raise InputError(
            f"not a snapshot: {error or type(error).__name__}", source=source
        ) from None
    if not isinstance(data, dict):
        raise InputError("not a snapshot: expected a dictionary", source=source)
    return data


def _read_trace(path: Path, device: int, stream: Optional[int]) -> Trace:
    source = os.fspath(path)
    data = _load(path)
    traces = data.get("device_traces")
    if not isinstance(traces, (list, tuple)):
        raise InputError("not a snapshot: it has no list 'device_traces'", source=source)
    if not 0 <= device < len(traces):
        raise ArgumentError(
            f"there is no device {device}; the snapshot has {len(traces)}", source=source
        )
    reader = _Reader(source, f"device_traces[{device}]", stream)
    reader.read_events(traces[device])
    reader.read_segments(data.get("segments", []), device)
    return reader.finish()


class _Reader:
    """Turns events into blocks."""

    def __init__(self, source: str, name: str, stream: Optional[int]) -> None:
        self.source = source
        self.name = name
        self.stream = stream
        self.time = 0
        self.trace = Trace()
        self.open: dict[int, Block] = {}
        self.seen: set[int] = set()

    def fail(self, place: str, text: str) -> NoReturn:
        raise InputError(f"{place}: {text}", source=self.source)

    def number(self, event: dict[object, object], key: str, place: str) -> int:
        value = event.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**64:
            self.fail(place, f"expected a number as '{key}', found {_short(value)}")
        return value

    def size(self, event: dict[object, object], place: str, key: str = "size") -> int:
        value = self.number(event, key, place)
        if value >= _LARGEST:
            self.fail(place, f"the size {value} is too large")
        return value

    def read_events(self, events: object) -> None:
        if not isinstance(events, (list, tuple)):
            self.fail(self.name, "expected a list")
        for index, event in enumerate(events):
            if not isinstance(event, dict):
                self.fail(f"{self.name}[{index}]", "expected a dictionary")
            action = event.get("action")
            if action == "alloc":
                self.allocate(event, index)
            elif action == "free_requested":
                self.request(event, index)
            elif isinstance(action, str) and action in _FREES:
                self.release(event, index)

    def place(self, index: int) -> str:
        return f"{self.name}[{index}]"

    def skips(self, event: dict[object, object]) -> bool:
        return self.stream is not None and event.get("stream") != self.stream

    def allocate(self, event: dict[object, object], index: int) -> None:
        address = self.number(event, "addr", self.place(index))
        size = self.size(event, self.place(index))
        self.seen.add(address)
        before = self.open.pop(address, None)
        if before is not None:  # its freeing is not in the trace, or was only requested
            before.end = self.time if before.asked is None else before.asked
        if self.skips(event):
            return
        block = Block(address, size, self.time, None, event.get("frames"))
        self.trace.blocks.append(block)
        self.open[address] = block
        self.time += 1

    def request(self, event: dict[object, object], index: int) -> None:
        address = self.number(event, "addr", self.place(index))
        block = self.open.get(address)
        if block is not None:
            block.asked = self.time
            self.time += 1
        elif address not in self.seen and not self.skips(event):
            early = self.early(address, self.size(event, self.place(index)), event)
            early.asked = self.time
            self.open[address] = early
            self.time += 1

    def release(self, event: dict[object, object], index: int) -> None:
        address = self.number(event, "addr", self.place(index))
        block = self.open.pop(address, None)
        if block is None:
            if address in self.seen or self.skips(event):
                return
            block = self.early(address, self.size(event, self.place(index)), event)
        block.end = self.time
        self.time += 1

    def early(self, address: int, size: int, event: dict[object, object]) -> Block:
        """A block that was allocated before the trace begins."""
        self.seen.add(address)
        self.trace.early += 1
        block = Block(address, size, -1, None, None)
        self.trace.blocks.append(block)
        return block

    def read_segments(self, segments: object, device: int) -> None:
        """Reads the final state, and adds the blocks that the trace does not mention."""
        if not isinstance(segments, (list, tuple)):
            self.fail("segments", "expected a list")
        for number, segment in enumerate(segments):
            place = f"segments[{number}]"
            if not isinstance(segment, dict):
                self.fail(place, "expected a dictionary")
            if segment.get("device", device) != device or self.skips(segment):
                continue
            self.trace.reserved += self.size(segment, place, "total_size")
            self.read_blocks(segment, place)

    def read_blocks(self, segment: dict[object, object], place: str) -> None:
        blocks = segment.get("blocks", [])
        if not isinstance(blocks, (list, tuple)):
            self.fail(f"{place}.blocks", "expected a list")
        address = self.number(segment, "address", place) if "address" in segment else None
        for number, block in enumerate(blocks):
            where = f"{place}.blocks[{number}]"
            if not isinstance(block, dict):
                self.fail(where, "expected a dictionary")
            size = self.size(block, where)
            at = self.number(block, "address", where) if "address" in block else address
            address = None if at is None else at + size
            state = block.get("state")
            active = isinstance(state, str) and state.startswith("active")
            if not active or at is None or at in self.seen:
                continue
            requested = (
                self.size(block, where, "requested_size") if "requested_size" in block else size
            )
            self.early(at, requested, block).frames = block.get("frames")

    def finish(self) -> Trace:
        self.trace.events = self.time
        self.trace.late = sum(block.end is None for block in self.trace.blocks)
        return self.trace


def _short(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 100:
        return "a huge number"
    text = (
        repr(value)
        if isinstance(value, (int, str, float, bool, type(None)))
        else type(value).__name__
    )
    return text if len(text) <= 40 else text[:37] + "..."


# ---------------------------------------------------------------- names


def _clean(text: str) -> str:
    """A text that any output format can hold."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _described(frame: object) -> tuple[str, str, bool]:
    """A frame's function, its file and line, and whether it is likely to be the user's."""
    if not isinstance(frame, dict):
        return "", "", False
    file, line, name = frame.get("filename"), frame.get("line"), frame.get("name")
    if not isinstance(file, str) or not isinstance(line, int) or not isinstance(name, str):
        return "", "", False
    if line.bit_length() > 40:
        return "", "", False
    path = file.replace("\\", "/")
    own = path.endswith(".py") and "/torch/" not in path and not path.startswith("torch/")
    return _clean(name)[:200], _clean(f"{file}:{line}"), own


class _Namer:
    """Names for blocks: where they were requested, and a number."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[str, str]] = {}
        self.kept: list[object] = []  # so that no other object gets the same id

    def describe(self, block: Block) -> tuple[str, str]:
        """The start of the name, and the hint; frames that blocks share are only searched once."""
        found = self.known.get(id(block.frames))
        if found is None:
            found = self.known[id(block.frames)] = self.look(block.frames)
            self.kept.append(block.frames)
        return found

    def look(self, frames: object) -> tuple[str, str]:
        if not isinstance(frames, (list, tuple)):
            return "", ""
        described = [_described(frame) for frame in frames[:_DEEPEST]]
        shown = [each for each in described if each[2]] or [each for each in described if each[1]]
        hint = ", ".join(f"{place} {name}" for name, place, _ in shown[:_FRAMES])
        if not shown:
            return "", ""
        name, place, _ = shown[0]
        base = place.replace("\\", "/").rsplit("/", 1)[-1]
        return f"{name} {base}", hint


def _problem(trace: Trace, alignment: int) -> Problem:
    problem = Problem()
    namer = _Namer()
    for index, block in enumerate(trace.blocks):
        end = trace.events if block.end is None else block.end
        start = max(0, block.start)
        name, hint = namer.describe(block)
        problem.add(
            block.size,
            start,
            max(end, start + 1),
            name=f"{name or hex(block.address)} #{index}",
            alignment=alignment,
            hint=hint or None,
        )
    problem.check()
    return problem


def _parse_arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m neap.snapshot",
        description="Convert a memory snapshot of PyTorch to a problem.",
    )
    parser.add_argument("input", help="a pickle written by torch.cuda.memory._dump_snapshot")
    parser.add_argument("-o", "--output", required=True, help="the problem: .json, .csv, ...")
    parser.add_argument("--device", type=int, default=0, help="its number (0)")
    parser.add_argument("--stream", type=int, help="only requests on this stream")
    parser.add_argument("--alignment", type=int, default=512, help="bytes, of every buffer (512)")
    return parser.parse_args(arguments)


def _convert(given: argparse.Namespace) -> str:
    """Reads and writes; returns a summary."""
    trace = _read_trace(given.input, given.device, given.stream)
    problem = _problem(trace, given.alignment)
    problem.save(given.output)
    return (
        f"{len(problem):,} buffers, {trace.early:,} alive before the trace and {trace.late:,} "
        f"after it; bound {problem.bound:,} bytes; PyTorch holds {trace.reserved:,} at the end"
    )


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit status."""
    given = _parse_arguments(arguments)
    return command.run("neap.snapshot", lambda: _convert(given))


if __name__ == "__main__":
    sys.exit(main())
