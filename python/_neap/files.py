# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the C library writes, and texts that it writes as files."""
from __future__ import annotations

import os
from typing import Any, Callable, Optional

from _neap.declarations import ffi
from _neap.library import call
from _neap.values import encode, encode_path


def name_of(format: Optional[str]) -> Any:
    """The name of a format for C; None: the format follows from the path's extension."""
    return ffi.NULL if format is None else ffi.new("char[]", encode(format, "the format"))


def save(write: Callable[..., int], pointer: Any, path: str | os.PathLike[str], last: Any) -> None:
    """Writes a file with a function that takes the path before its last argument."""
    call(write, pointer, encode_path(path), last)


def capture(write: Callable[[bytes], None]) -> str:
    """Calls a function with the path of a temporary file, and returns what it writes there."""
    import tempfile  # not before it is needed: it imports much

    with tempfile.TemporaryDirectory(prefix="neap-") as folder:
        path = os.path.join(folder, "output")
        write(os.fsencode(path))
        with open(path, encoding="utf-8") as written:
            return written.read()
