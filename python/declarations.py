#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns neap's public headers into the module _neap/declarations.py, with which cffi loads libraries.

    declarations.py HEADER-FOLDER OUTPUT

The headers are the only place that declares the interface; no compiler is needed.
"""
import re
import sys
from pathlib import Path

from cffi import FFI

# In an order in which each header follows those that it includes.
HEADERS = (
    "neap.h",
    "relations.h",
    "graph.h",
    "arena.h",
    "planner.h",
    "proof.h",
    "neap-io.h",
    "models.h",
)
# Constants whose values in the headers are not plain numbers.
KNOWN = {"INT64_MAX": str(2**63 - 1), "SIZE_MAX": str(2**64 - 1)}


def constants(text: str) -> dict[str, str]:
    """The macros that stand for integers."""
    found = {}
    for name, value in re.findall(r"^#define (NEAP_\w+) +(\S+)$", text, re.MULTILINE):
        value = KNOWN.get(value, value.strip("()"))
        if re.fullmatch(r"-?\d+", value):
            found[name] = value
    return found


def declarations(text: str) -> str:
    """A header as cffi reads it: without comments, directives and attributes."""
    numbers = constants(text)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#(?:else|endif)$", " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\[(NEAP_\w+)\]", lambda match: f"[{numbers[match[1]]}]", text)
    text = text.replace("NEAP_API", "")
    return "\n".join([*(f"#define {name} {value}" for name, value in numbers.items()), text])


def main(folder: str, output: str) -> None:
    """Writes the module."""
    ffi = FFI()
    for header in HEADERS:
        text = (Path(folder) / header).read_text(encoding="utf-8")
        ffi.cdef(declarations(text))
    ffi.set_source("_neap.declarations", None)
    ffi.emit_python_code(output)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"Usage: {sys.argv[0]} HEADER-FOLDER OUTPUT")
    main(sys.argv[1], sys.argv[2])
