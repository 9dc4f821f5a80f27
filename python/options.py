#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints _neap/options.py: the arguments of neap.plan and neap.read with their types.

    PYTHONPATH=build/python/staged python3 python/options.py > python/_neap/options.py

The options of planning come from the library's table, and those of reading from
neap.files.Reading.  A test compares the module with what this prints.
"""

import dataclasses
import re
import sys
import textwrap
from typing import Iterable, Iterator

sys.path.pop(0)  # the package beside this script lacks its generated modules
from _neap import problem
from _neap.library import lib, text
from _neap.reading import KERNELS, ORDERING, SCHEDULES, VARIABLES, Liveness, Reading, Scheduling

HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
"""The arguments of `neap.plan` and `neap.read`, for editors and type checkers.

Made by python/options.py: change the tables, not this file.
"""
from __future__ import annotations

import os
from typing import Callable, Literal, Mapping, Optional, Sequence, TypedDict, Union

from _neap.start import Start

'''

# By neap_option_kind; a choice also names its values.
TYPES = (
    "int",
    "Union[int, str]",
    "float",
    "float",
    "str",
    "Union[str, Sequence[str]]",
    "str",
    "bool",
)
CHOICE = 4
# Options that are arguments of neap.plan itself.
NAMED = ("engine", "time_limit", "capacity")
RUN = (
    "    engine: Engine",
    "    time_limit: Optional[float]",
    "    capacity: Optional[int]",
    "    on_progress: Optional[Callable[..., object]]",
    "    process: bool",
)


def wrapped(help_text: str) -> Iterator[str]:
    """A text below the member that it describes."""
    sentence = re.sub(r"\s+", " ", help_text[0].upper() + help_text[1:]).rstrip(".")
    space = " " if sentence.startswith('"') else ""
    lines = textwrap.wrap(f'"""{space}{sentence}."""', 90, break_on_hyphens=False)
    yield from (f"    {line}" for line in lines)


def literal(names: Iterable[str]) -> str:
    """One of these names; editors offer them, and type checkers accept others."""
    listed = ", ".join(f'"{name}"' for name in names)
    return f"Union[Literal[{listed}], str]"


# Attributes of neap.files.Reading that are one of these.
CHOSEN = {"schedule": "Schedule", "variables": literal(VARIABLES), "kernels": literal(KERNELS)}


def planning() -> Iterator[str]:
    """The options in the library's table."""
    listed = problem.items(
        "neap_option_info", lambda _, index, item: lib().neap_option_at(index, item), None
    )
    for item in listed:
        name = text(item.name).replace("-", "_")
        if name not in NAMED:
            chosen = [text(item.choices[k]) for k in range(item.choice_count)]
            kind = literal(chosen) if item.kind == CHOICE else TYPES[item.kind]
            yield f"    {name}: Optional[{kind}]"
            yield from wrapped(text(item.help))


def described(kind: type) -> dict[str, str]:
    """The descriptions of attributes in the text of a class; several may share one."""
    found = {}
    attributes = (kind.__doc__ or "").partition("Attributes:\n")[2]
    for names, says in re.findall(r"^ {8}([\w, ]+): (.*(?:\n {12}.*)*)", attributes, re.MULTILINE):
        for name in names.split(", "):
            found[name] = says
    return found


def reading(kind: type, without: tuple[str, ...] = ()) -> Iterator[str]:
    """The attributes of neap.files.Reading, or those of a class that it extends."""
    says = {name: item for part in kind.__mro__ for name, item in described(part).items()}
    for field in dataclasses.fields(kind):
        if field.name not in without:
            yield f"    {field.name}: {CHOSEN.get(field.name, field.type)}"
            if field.name in says:
                yield from wrapped(says[field.name])


def table(name: str, base: str, says: str, members: Iterator[str]) -> str:
    """A class."""
    body = "\n".join(members)
    return (
        f'class {name}({base}, total=False):\n    """{says}"""\n'
        + (f"\n{body}\n" if body else "")
        + "\n"
    )


def engines() -> str:
    """The names of the engines."""
    listed = problem.items(
        "neap_engine_info", lambda _, index, item: lib().neap_engine_at(index, item), None
    )
    return f"Engine = {literal(text(item.name) for item in listed)}"


def main() -> None:
    """Prints the module."""
    ours = tuple(field.name for field in dataclasses.fields(Liveness))
    limits = tuple(
        field.name for field in dataclasses.fields(Scheduling) if field.name not in ORDERING
    )
    print(f"{HEAD}{engines()}\nSchedule = {literal(SCHEDULES)}\n\n")
    print(table("Options", "TypedDict", "The options of planning.", planning()))
    print(
        table(
            "RunOptions", "Options", "The arguments of `neap.plan` besides the problem.", iter(RUN)
        )
    )
    print(table("LivenessOptions", "TypedDict", "See `neap.files.Liveness`.", reading(Liveness)))
    every = tuple(field.name for field in dataclasses.fields(Scheduling))
    print(table("OrderOptions", "TypedDict", "See `neap.files.Scheduling`.", reading(Scheduling)))
    model = reading(Reading, every + ours)
    print(table("ModelOptions", "LivenessOptions", "See `neap.files.Reading`.", model))
    order = reading(Scheduling, limits)
    print(table("FileOptions", "ModelOptions", "See `neap.files.Reading`.", order))
    plan = "Options and, for files, arguments of `neap.read`."
    print(table("PlanOptions", "Options, FileOptions", plan, iter(())))
    print(
        table(
            "ReadOptions",
            "FileOptions",
            "See `neap.files.Reading`.",
            reading(Scheduling, ORDERING),
        ).rstrip()
    )


if __name__ == "__main__":
    main()
