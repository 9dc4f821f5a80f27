# SPDX-License-Identifier: GPL-3.0-or-later
"""The exceptions: one per status of the C library, and one for Ctrl-C."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from neap.plan import Plan
    from neap.problem import Problem


class Error(Exception):
    """An error that neap reports.

    Attributes:
        status: the name of the status in C, such as "NEAP_ERROR_INPUT".
        source: the file or the option, or "".
        line, column: the position in the source, from 1; 0: unknown.
        text: the message, without the source.
    """

    status = ""

    def __init__(self, text: str, source: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.source = source
        self.line = line
        self.column = column

    def __str__(self) -> str:
        parts = [self.source, self.line, self.column]
        place = ":".join(str(part) for part in parts if part)
        return f"{place}: {self.text}" if place else self.text


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    status = "NEAP_ERROR_SYSTEM"


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""

    status = "NEAP_ERROR_MEMORY"


class ArgumentError(Error, ValueError):
    """An argument or option is invalid."""

    status = "NEAP_ERROR_ARGUMENT"


class InputError(Error, ValueError):
    """A file or a problem is malformed."""

    status = "NEAP_ERROR_INPUT"


class FormatError(Error, ValueError):
    """The output format cannot represent the object."""

    status = "NEAP_ERROR_FORMAT"


class Infeasible(Error):
    """It is proven that no plan fits the capacity."""

    status = "NEAP_INFEASIBLE"


class NoPlan(Error):
    """The limits were reached, or the run was stopped, before a plan was found."""

    status = "NEAP_NO_PLAN"


class UnsoundError(Error):
    """A plan failed verification."""

    status = "NEAP_ERROR_UNSOUND"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run.

    Attributes:
        plan: the best plan so far, which has been verified; None if there was none.
        problem: the problem with the best order of operators so far, if it was still being read.
    """

    def __init__(self, plan: Optional[Plan] = None, problem: Optional[Problem] = None) -> None:
        found = "the exception has the best plan so far" if plan else "there is no plan yet"
        super().__init__(f"planning was interrupted; {found}")
        self.plan = plan
        self.problem = problem


# In the order of neap_status, from 1.
BY_STATUS: tuple[type[Error], ...] = (
    FileError,
    OutOfMemoryError,
    ArgumentError,
    InputError,
    FormatError,
    Infeasible,
    NoPlan,
    UnsoundError,
)
