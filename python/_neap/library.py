# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads the C libraries when they are first used, and turns their failures into exceptions."""
from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any, Callable, Optional, TypeVar

from _neap import location
from _neap.declarations import ffi
from _neap.suggest import improve
from neap.errors import BY_STATUS, FileError, OutOfMemoryError

# The interface version in the names of the shared libraries (libneap.so.1).
ABI = 1

PARTS = ("MAJOR", "MINOR", "MICRO")

# The struct that C's messages name before a member, which is an argument in Python.  Members for
# DOT get the prefix dot_.
MEMBER = re.compile(r"\bneap_[a-z_]+\.(?:(dot)\.|[a-z]+\.(?=[a-z_]))?")

Result = TypeVar("Result")


def _paths(name: str) -> list[str]:
    """Where to look: NEAP_LIBRARIES, the folder of the installation, then the system's folders."""
    file = f"{name}.so.{ABI}"
    folders = [os.environ.get("NEAP_LIBRARIES", ""), location.LIBRARIES]
    candidates = [os.path.join(folder, file) for folder in folders if folder]
    return [path for path in candidates if os.path.exists(path)] + [file]


def _load(name: str) -> Any:
    reason = ""
    for path in _paths(name):
        try:
            return ffi.dlopen(path)
        except OSError as error:
            reason = reason or str(error)
    raise FileError(
        f"cannot load {name}, which comes with neap: {reason}; "
        "install it, or set NEAP_LIBRARIES to its folder"
    )


def _check_version(loaded: Any) -> None:
    """Accepts the version that the package was made for, and later ones of the same minor."""
    major, minor, micro = (getattr(loaded, f"NEAP_VERSION_{part}") for part in PARTS)
    number = loaded.neap_version_number()
    if number // 100 != major * 100 + minor or number % 100 < micro:
        raise FileError(
            f"libneap has version {text(loaded.neap_version())}, but the Python package neap is "
            f"for {major}.{minor}.{micro}; install both from one source"
        )


@lru_cache(maxsize=None)
def lib() -> Any:
    """libneap, which plans."""
    loaded = _load("libneap")
    _check_version(loaded)
    return loaded


@lru_cache(maxsize=None)
def _files() -> Any:
    lib()  # libneap-io needs it, and finds it only if it is loaded already
    return _load("libneap-io")


@lru_cache(maxsize=None)
def io() -> Any:
    """libneap-io, which reads, writes and draws; and models, if libneap-models is there."""
    loaded = _files()
    try:
        models()
    except FileError:
        pass
    return loaded


@lru_cache(maxsize=None)
def models() -> Any:
    """libneap-models, which knows TensorFlow Lite and ONNX."""
    _files()
    return _load("libneap-models")


def sized(kind: str, members: Optional[dict[str, object]] = None) -> Any:
    """A new struct with its struct_size and these members."""
    return ffi.new(f"{kind} *", {"struct_size": ffi.sizeof(kind), **(members or {})})


def text(pointer: Any) -> str:
    """A C string; NULL is ""."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def _argument(member: re.Match[str]) -> str:
    return "dot_" if member[1] else ""


def call(function: Callable[..., int], *arguments: object) -> None:
    """Calls a function that returns a status and takes an error last."""
    error = ffi.new("neap_error *")
    status = function(*arguments, error)
    if status != 0:
        kind = BY_STATUS[status - 1]
        message = improve(MEMBER.sub(_argument, text(error.text)), text(error.source))
        raise kind(message, text(error.source), error.line, error.column)


def make(
    function: Callable[..., int], kind: str, free: Callable[[Any], None], *arguments: object
) -> Any:
    """Calls a function that stores a new object through its last argument but one."""
    place = ffi.new(f"{kind} **")
    call(function, *arguments, place)
    return ffi.gc(place[0], free)


def created(pointer: Any, free: Callable[[Any], None]) -> Any:
    """Takes ownership of the object that a function named _new returned."""
    if not pointer:
        raise OutOfMemoryError("out of memory")
    return ffi.gc(pointer, free)


def optional(value: Optional[Result], default: Result) -> Result:
    """A value, or the default that stands for None in C."""
    return default if value is None else value
