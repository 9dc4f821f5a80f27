# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments as the library takes them: 64-bit integers, texts and switches, or an ArgumentError."""
from __future__ import annotations

import math
import operator
import os
import reprlib
from typing import Mapping, Optional, Sequence

from _neap.suggest import nearest
from neap.errors import ArgumentError

LOW, HIGH = -(2**63), 2**63 - 1

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80


def shown(value: object) -> str:
    """A value in a message: its beginning and its end."""
    return _SHORT.repr(value)


def choose(what: str, value: object, names: Sequence[str]) -> int:
    """The index of a name."""
    for index, name in enumerate(names):
        if isinstance(value, str) and value == name:
            return index
    meant = nearest(value, names) if isinstance(value, str) else ""
    raise ArgumentError(f"{what}: expected one of {', '.join(names)}, found {shown(value)}{meant}")


def integer(value: object, what: str, low: int = LOW) -> int:
    """A 64-bit integer, `low` or more, of any type that has one, such as those of numpy."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"{what} is not an integer: {shown(value)}") from None
    if not LOW <= number <= HIGH:
        raise ArgumentError(f"{what} exceeds 64 bits")
    if number < low:
        raise ArgumentError(f"{what} is {number}; use {low} or more")
    return number


def maybe_integer(value: object, what: str) -> Optional[int]:
    """An integer that is not negative, or None."""
    return None if value is None else integer(value, what, 0)


def seconds(value: Optional[float], what: str) -> float:
    """A time limit in seconds; None and 0: no limit."""
    if value is None:
        return 0.0
    try:
        number = math.nan if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise ArgumentError(f"{what} is not a number of seconds: {shown(value)}")
    return number


def string(value: object, what: str) -> str:
    """A text that C can hold: valid Unicode without NUL."""
    if not isinstance(value, str):
        raise ArgumentError(f"{what} is not a text: {shown(value)}")
    if "\0" in value:
        raise ArgumentError(f"{what} contains a NUL character")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ArgumentError(f"{what} is not valid Unicode: {shown(value)}") from None
    return value


def encode(value: object, what: str) -> bytes:
    """A text for C."""
    return string(value, what).encode("utf-8")


def encode_path(path: str | os.PathLike[str]) -> bytes:
    """A path for C."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise ArgumentError(f"the path is not valid Unicode: {shown(path)}") from None
    if b"\0" in encoded:
        raise ArgumentError("the path contains a NUL character")
    return encoded


def maybe_string(value: object, what: str) -> Optional[str]:
    """A text, or None."""
    return None if value is None else string(value, what)


def is_switch(value: object) -> bool:
    """Whether a value is True or False, also of numpy's type."""
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def is_given(value: object) -> bool:
    """Whether an argument says anything: it is neither None nor False."""
    return value is not None and (not is_switch(value) or bool(value))


def switch(value: object, what: str) -> bool:
    """True or False."""
    if not is_switch(value):
        raise ArgumentError(f"{what} is neither True nor False: {shown(value)}")
    return bool(value)


def listed(values: object, what: str) -> list[object]:
    """The items of anything that has some, other than a text."""
    if not isinstance(values, (str, bytes)):
        try:
            return list(values)  # type: ignore[call-overload,no-any-return]
        except TypeError:
            pass
    raise ArgumentError(f"{what}: expected a list, found {shown(values)}")


def integers(values: object, count: int, what: str) -> tuple[int, ...]:
    """Exactly `count` integers."""
    numbers = tuple(integer(item, what) for item in listed(values, what))
    if len(numbers) != count:
        raise ArgumentError(f"{what}: expected {count} integers, found {shown(values)}")
    return numbers


def dimensions(value: object) -> Optional[tuple[int, ...]]:
    """The dimensions of a shape, or None if it is unknown."""
    if value is None:
        return None
    return tuple(integer(item, "a dimension") for item in listed(value, "shape"))


def option_text(value: object) -> str:
    """The value of an option as the library and the program read it; lists become "a,b"."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ",".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    if is_switch(value):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{max(value, 1e-6) if value > 0 else value:.6f}"
    return str(value)
