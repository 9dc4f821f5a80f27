# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads problems from XLA: the text of HLO modules, and dumps of buffer assignments.

    python3 -m neap.hlo module.txt -o problem.json

XLA writes both to the folder given by XLA_FLAGS=--xla_dump_to=FOLDER: `*after_optimizations.txt` is
HLO text whose order is the schedule (is_scheduled=true), and
`*after_optimizations-buffer-assignment.txt` is the layout that XLA chose, with the live ranges in
`*after_optimizations-live-range.txt`.

A problem has the temporaries and the outputs; inputs and constants, which exist before the module
runs, are added on request.  An output that a scheduled module keeps in a donated input is part of
that input, and other donated inputs are free after their last read.  Operations write over operands
as in XLA, except elementwise fusions with several results.  The tables of addresses of tuples, some
bytes each, are not counted.  A module that is not scheduled is assumed to run in the order of its
text.
"""
from __future__ import annotations

import argparse
import os
import sys
from typing import Optional, Sequence, Union

from _neap import command, hlo_assignment, hlo_graph, hlo_live, hlo_text
from _neap.hlo_live import Buffer
from neap.errors import FileError, InputError
from neap.graph import Graph
from neap.problem import Problem

Path = Union[str, "os.PathLike[str]"]
_ASSIGNMENT = "-buffer-assignment.txt"
_RANGES = "-live-range.txt"


def read(
    path: Path,
    *,
    alignment: int = 64,
    inputs: bool = False,
    outputs: bool = True,
    constants: bool = False,
    in_place: bool = True,
    live_range: Optional[Path] = None,
) -> Problem:
    """Reads an HLO module or a buffer assignment.

    Args:
        path: the file; neap recognizes by its text which of the two it is.
        alignment: bytes; of every buffer.
        inputs, outputs, constants: whether buffers of these kinds are part of the problem, beside
            temporaries.  Inputs and constants are always alive, outputs until the end.
        in_place: whether elementwise operations may write over an operand that is not read later,
            as in XLA; in a buffer assignment, XLA has already decided.
        live_range: the file with the live ranges of a buffer assignment, if they are neither in it
            nor in the file beside it.

    Time counts instructions; the computations of a while, call or conditional are inlined.
    Memory spaces other than the default one become pools.

    Raises:
        FileError: the file cannot be read.
        InputError: it is malformed; the error has the line and the column.
    """
    text, source = _read_text(path), os.fspath(path)
    if is_assignment(text):
        buffers = hlo_assignment.parse(text, source, _ranges(text, path, live_range))
    else:
        buffers = hlo_live.find_buffers(hlo_text.parse(text, source), in_place)
    wanted = {"temporary"}
    wanted |= {
        kind for kind, on in (("input", inputs), ("output", outputs), ("constant", constants)) if on
    }
    return _problem([buffer for buffer in buffers if buffer.kind in wanted], alignment)


def read_graph(
    path: Path, *, alignment: int = 64, inputs: bool = False, outputs: bool = True
) -> Graph:
    """Reads an HLO module as a graph, whose operators `Graph.problem` can put into a better order.

    Args:
        path: the file.
        alignment: bytes; of every tensor.
        inputs, outputs: whether these are planned.

    Only the entry computation is ordered.  A while, a conditional or a call is one operator, with a
    temporary as large as the bound of what it calls.  Values in other memory spaces are not
    planned.  Errors are those of `read`.
    """
    module = hlo_text.parse(_read_text(path), os.fspath(path))
    return hlo_graph.make_graph(module, alignment, inputs, outputs)


def is_assignment(text: str) -> bool:
    """Whether a text is a buffer assignment, and not an HLO module."""
    return text.lstrip().startswith(("BufferAssignment:", "allocation 0:"))


def _read_text(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise FileError(error.strerror or str(error), source=os.fspath(path)) from None


def _ranges(text: str, path: Path, live_range: Optional[Path]) -> dict[str, tuple[int, int]]:
    """The live ranges of an assignment: in its own text, a file beside it, or `live_range`."""
    name = os.fspath(path)
    beside = name[: -len(_ASSIGNMENT)] + _RANGES if name.endswith(_ASSIGNMENT) else ""
    if live_range is not None:
        name, text = os.fspath(live_range), _read_text(live_range)
    elif "BufferLiveRange:" not in text and os.path.exists(beside):
        name, text = beside, _read_text(beside)
    ranges = hlo_assignment.parse_ranges(text, name)
    if not ranges:
        wanted = f"; expected them in {beside}" if beside and name != beside else ""
        raise InputError(
            "no live ranges (BufferLiveRange:)" + wanted, source=name, line=1, column=1
        )
    return ranges


def _problem(buffers: Sequence[Buffer], alignment: int) -> Problem:
    """The problem of some buffers, with a pool for each memory space if there are several."""
    problem = Problem()
    spaces = sorted({buffer.space for buffer in buffers})
    pools = {space: () for space in spaces}  # type: dict[int, tuple[int, ...]]
    if spaces not in ([], [0]):
        pools = {space: (problem.add_pool(f"memory space {space}"),) for space in spaces}
    names: dict[str, int] = {}
    for buffer in buffers:
        names[buffer.name] = count = names.get(buffer.name, 0) + 1
        problem.add(
            buffer.size,
            buffer.start,
            buffer.end,
            name=buffer.name if count == 1 else f"{buffer.name} #{count}",
            alignment=alignment,
            hint=buffer.hint or None,
            pools=pools[buffer.space],
        )
    problem.check()
    return problem


def _parse_arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m neap.hlo",
        description="Convert an HLO module or a buffer assignment of XLA to a problem.",
    )
    parser.add_argument("input", help="HLO text, or a file *-buffer-assignment.txt")
    parser.add_argument("-o", "--output", required=True, help="the problem: .json, .csv, ...")
    parser.add_argument("--alignment", type=int, default=64, help="bytes, of every buffer (64)")
    parser.add_argument("--inputs", action="store_true", help="add the inputs, always alive")
    parser.add_argument("--constants", action="store_true", help="add the constants, always alive")
    parser.add_argument("--no-outputs", action="store_true", help="skip the outputs")
    parser.add_argument(
        "--no-in-place",
        action="store_true",
        help="elementwise operations never write over an operand",
    )
    parser.add_argument(
        "--graph", action="store_true", help="write a graph, in JSON, for neap plan --schedule"
    )
    parser.add_argument("--live-range", metavar="FILE", help="live ranges of a buffer assignment")
    return parser.parse_args(arguments)


def _convert(given: argparse.Namespace) -> str:
    """Reads and writes; returns a summary."""
    outputs = not given.no_outputs
    if given.graph:
        graph = read_graph(
            given.input, alignment=given.alignment, inputs=given.inputs, outputs=outputs
        )
        graph.save(given.output)
        return f"{graph.operator_count:,} operators, {graph.tensor_count:,} tensors"
    problem = read(
        given.input,
        alignment=given.alignment,
        inputs=given.inputs,
        outputs=outputs,
        constants=given.constants,
        in_place=not given.no_in_place,
        live_range=given.live_range,
    )
    problem.save(given.output)
    summary = f"{len(problem):,} buffers, bound {problem.bound:,} bytes"
    text = _read_text(given.input)
    if is_assignment(text):
        total = hlo_assignment.total(text, given.input, outputs)
        summary += f"; XLA's own layout takes {total:,}"
    return summary


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit status."""
    given = _parse_arguments(arguments)
    return command.run("neap.hlo", lambda: _convert(given))


if __name__ == "__main__":
    sys.exit(main())
