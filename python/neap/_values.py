# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of options as text."""
from __future__ import annotations

from typing import Union


def option_text(value: Union[str, int, float, bool]) -> str:
    """The value of an option as the library and the program read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6f}"
    return str(value)
