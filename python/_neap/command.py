# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of modules that convert a file, such as `python3 -m neap.hlo`."""
from __future__ import annotations

import sys
from typing import Callable

from neap.errors import Error, FileError


def run(module: str, convert: Callable[[], str]) -> int:
    """Prints the summary that a conversion returns, or its error; returns the exit status."""
    try:
        print(convert(), file=sys.stderr)
    except Error as error:
        print(f"{module}: {error}", file=sys.stderr)
        return 1 if isinstance(error, FileError) else 3
    return 0
