# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports of the programs that neap plans for."""
from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Callable


def load(module: str, package: str) -> ModuleType:
    """Imports a module of another program; if it is missing, the error says how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        text = f"cannot import {module} ({error}); to get it: python3 -m pip install {package}"
        raise ModuleNotFoundError(text, name=error.name) from None


def install_or_exit(name: str, install: Callable[[], None]) -> None:
    """Installs neap in a program; if that is missing, exits with one line."""
    try:
        install()
    except ModuleNotFoundError as error:
        sys.exit(f"{name}: {error}")
