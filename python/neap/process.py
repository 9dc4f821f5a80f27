# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning with the program neap, for hosts that cannot load the library.

Every call starts one process, with the problem and the plan as JSON in pipes.
"""
from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
import subprocess
from array import array
from pathlib import Path
from typing import Any, Mapping, NoReturn, Optional, Union

from _neap import document as _document, files, location
from _neap.start import check_start, order_of
from _neap.values import encode, encode_path, is_given, is_switch, maybe_string, option_text
from neap.errors import (
    ArgumentError,
    Error,
    FileError,
    Infeasible,
    InputError,
    Interrupted,
    NoPlan,
    UnsoundError,
)
from neap.plan import TIMES, Offsets, Plan, PoolReport, Report, Round
from neap.problem import Problem

NO_PLAN = 5
EXITS: dict[int, type[Error]] = {
    1: FileError,
    2: ArgumentError,
    3: InputError,
    4: Infeasible,
    NO_PLAN: NoPlan,
    70: UnsoundError,
}
# Arguments of neap.read that have another name in the program.
RENAMED = {"aliases": "alias", "dimensions": "dim"}
# Options of the program that would change its output.
RESERVED = {"output", "format", "json", "help", "help_all", "version"}
Arguments = list[Union[str, bytes]]
PICTURES = ("svg", "png", "pdf", "tex", "html")

# "FILE:LINE:COLUMN: TEXT", in which the column may be missing.
LOCATED = re.compile(r"(?P<source>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<text>.*)", re.S)


def program() -> str:
    """The program: NEAP_PROGRAM, the one that was installed with this package, or that in PATH."""
    given = os.environ.get("NEAP_PROGRAM")
    if given:
        return given
    return location.PROGRAM if os.path.exists(location.PROGRAM) else "neap"


def _raise(code: int, message: str) -> NoReturn:
    """Raises what the program reported on standard error."""
    lines = [line for line in message.splitlines() if line.startswith("neap: ")]
    if not lines:
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        raise EXITS.get(code, FileError)(f"the program neap ended {how}: {message.strip()}")
    text = lines[-1][len("neap: ") :].removeprefix("standard input: ")
    kind = EXITS.get(code, FileError)
    located = LOCATED.fullmatch(text)
    if located is None:
        raise kind(text)
    column = int(located["column"] or 0)
    raise kind(located["text"], located["source"], int(located["line"]), column)


def _communicate(
    child: subprocess.Popen[bytes], given: Optional[bytes]
) -> tuple[bytes, bytes, bool]:
    """What the child prints and reports, and whether it was interrupted.

    Once the child has its input, the first Ctrl-C asks it for its best plan.  Any other exception
    kills it.
    """
    try:
        try:
            return (*child.communicate(given), False)
        except KeyboardInterrupt:
            if child.stdin is not None and not child.stdin.closed:
                raise
            child.send_signal(signal.SIGINT)
            return (*child.communicate(), True)
    except BaseException:
        child.kill()
        raise


def _run(arguments: Arguments, given: Optional[bytes] = None) -> tuple[bytes, bool]:
    """Runs the program with standard input; its standard output, and whether it was interrupted."""
    try:
        child = subprocess.Popen(
            [program(), *arguments],
            stdin=subprocess.PIPE if given is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # a terminal would also interrupt it
        )
    except OSError as error:
        raise FileError(f"cannot run {program()}: {error.strerror}") from None
    with child:
        output, message, is_interrupted = _communicate(child, given)
    if is_interrupted and child.returncode in (NO_PLAN, -signal.SIGINT):
        raise Interrupted
    if child.returncode != 0:
        _raise(child.returncode, message.decode("utf-8", "replace"))
    return output, is_interrupted


def run(arguments: Arguments, given: Optional[bytes] = None) -> bytes:
    """Runs the program with standard input, and returns its standard output."""
    output, is_interrupted = _run(arguments, given)
    if is_interrupted:
        raise Interrupted
    return output


# ---------------------------------------------------------------- planning


def _arguments(given: Mapping[str, object]) -> list[bytes]:
    """The arguments for the program that stand for these options."""
    arguments = []
    for name, value in given.items():
        if name in RESERVED:
            raise ArgumentError(f"{name} is not supported with process=True")
        option = "--" + RENAMED.get(name, name).replace("_", "-")
        if not is_given(value):
            continue
        if isinstance(value, os.PathLike):
            arguments.append(option.encode("utf-8") + b"=" + encode_path(value))
        elif is_switch(value):
            arguments.append(encode(option, "an option"))
        else:
            arguments.append(encode(f"{option}={option_text(value)}", name))
    return arguments


def _take_start(options: dict[str, Any]) -> Optional[bytes]:
    """The plan that the program reads as its --previous from standard input; a path is its own."""
    check_start(options)
    start = options.pop("start", None)
    if start is None:
        return None
    if isinstance(start, (str, os.PathLike)):
        options["previous"] = start
        return None
    options["previous"] = "-"
    schedule = {"given_bound": 0, "operators": order_of(start)}
    document = {"format": "neap-plan", "version": 1, "buffers": [], "schedule": schedule}
    return json.dumps(document).encode("ascii")


def plan(problem: Union[Problem, str, os.PathLike[str]], options: dict[str, Any]) -> Plan:
    """What `neap.plan` does with process=True."""
    start = _take_start(options)
    command: Arguments = ["plan", "-q", "-o", "-", "--format", "json", *_arguments(options)]
    if isinstance(problem, Problem):
        given = json.dumps(_document.write(problem)).encode("ascii")
        written, is_interrupted = _run([*command, "-"], given)
    else:
        written, is_interrupted = _run([*command, "--", encode_path(problem)], start)
    try:
        backing = ProcessPlan(written)
        made = Plan(backing.problem(), backing)
    except (ValueError, KeyError, TypeError):
        raise FileError(
            f"{program()} did not write a plan; is it the neap that belongs to this package?"
        ) from None
    if is_interrupted:
        raise Interrupted(made)
    return made


class ProcessPlan:
    """A plan that the program wrote as JSON."""

    def __init__(self, written: bytes) -> None:
        self._written = written
        self._document: dict[str, Any] = json.loads(written)
        buffers = self._document["buffers"]
        self._offsets = array("q", [buffer["offset"] for buffer in buffers])

    def problem(self) -> Problem:
        """The problem of the plan."""
        return _document.read(self._document)

    def offsets(self) -> Offsets:
        """The offsets."""
        return Offsets(self._offsets)

    def pools(self) -> list[int]:
        """The index of every buffer's pool."""
        index = {pool["name"]: k for k, pool in enumerate(self._document.get("pools", ()))}
        return [index.get(buffer.get("pool"), 0) for buffer in self._document["buffers"]]

    def order(self) -> Optional[list[int]]:
        """For each operator, its index in the graph; None if the graph kept its order."""
        order: Optional[list[int]] = self._document.get("schedule", {}).get("operators")
        return order

    def report(self) -> Report:
        """What is known about the plan."""
        written = self._document["report"]
        names = {field.name for field in dataclasses.fields(Report)}
        known = {key: value for key, value in written.items() if key in names}
        schedule = self._document.get("schedule", {})
        known.update({key: schedule[key] for key in TIMES if key in schedule})
        peak, lower_bound = written["peak"], written["lower_bound"]
        above = max(peak - lower_bound, 0)
        total = sum(buffer["size"] for buffer in self._document["buffers"])
        return Report(
            **{
                "layout_saved_bytes": max(total - peak, 0),
                **known,
                "buffers": len(self._offsets),
                "gap_percent": 100.0 * above / lower_bound if lower_bound else 0.0,
                "is_scheduled": "order_status" in written,
                "is_runtimes_own": bool(written.get("runtimes_own")),
                "free_peak": written.get("free_peak", peak),
                "given_bound": written.get("given_bound", written["bound"]),
                "capacity": written.get("capacity", self._document.get("capacity")),
            }
        )

    def pool_reports(self) -> list[PoolReport]:
        """What the plan uses of each pool."""
        return [
            PoolReport(pool["buffers"], pool["peak"], pool["bound"], pool["lower_bound"])
            for pool in self._document["report"].get("pools", ())
        ]

    def rounds(self) -> list[Round]:
        """The rounds of the tuner."""
        names = [field.name for field in dataclasses.fields(Round)]
        return [
            Round(**{name: item[name] for name in names})
            for item in self._document.get("rounds", ())
        ]

    def verify(self, capacity: Optional[int]) -> None:
        """Raises UnsoundError if the plan is not sound."""
        limit = [] if capacity is None else [f"--capacity={capacity}"]
        try:
            run(["check", "-q", *limit, "-"], self._written)
        except InputError as error:
            raise UnsoundError(error.text) from None

    def write(self, path: str | os.PathLike[str], writing: dict[str, Any]) -> None:
        """Writes a file."""
        unknown = writing.keys() - {"format", "colour_by"}
        if unknown:
            raise ArgumentError(f"{', '.join(sorted(unknown))}: not supported with process=True")
        given = maybe_string(writing.get("format"), "format")
        format = given or Path(os.fsdecode(path)).suffix.lstrip(".").lower()
        command: Arguments
        if format in PICTURES:
            command = ["draw", "-", "-q", *_arguments({"colour_by": writing.get("colour_by")})]
        else:
            command = ["convert", "-", "-q", *([f"--format={given}"] if given else [])]
        run([*command, "-o", encode_path(path)], self._written)

    def render(self, format: str, name: Optional[str] = None) -> str:
        """The text of a file in this format; ignores the name, which no option can set."""
        if format == "json":
            return self._written.decode("utf-8")

        def write(path: bytes) -> None:
            drawn = f"{os.fsdecode(path)}.{format}"
            self.write(drawn, {})
            os.rename(drawn, path)

        return files.capture(write)
