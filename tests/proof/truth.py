# SPDX-License-Identifier: GPL-3.0-or-later
"""What certificate.md says of offsets, in the most obvious form, and words for the checker."""
from __future__ import annotations

import itertools
import zlib
from typing import Any, Iterable, Optional

Row = dict[str, Any]


def meet(a: Iterable[tuple[int, int]], b: Iterable[tuple[int, int]]) -> bool:
    return any(s < f and u < e for s, e in a for u, f in b)


def may_be_at(problem: Row, own: Row, at: int) -> bool:
    """Whether a buffer may have this offset by itself."""
    size, end = own["size"], at + own["size"]
    if at % own["align"] or own["fixed"] not in (None, at) or at < own["low"] or (own["high"] and end > own["high"]):
        return False
    if own["bank"] and size and at // own["bank"] != (end - 1) // own["bank"]:
        return False
    return not any(size and low < end and at < high and meet(own["life"], [(s, e)]) for low, high, s, e in problem["reserved"])


def is_one_body(problem: Row, i: int, j: int) -> bool:
    """Whether two buffers are colocated, directly or through others."""
    body = {i}
    for _ in problem["buffers"]:
        body |= {p for kind, *pair, _ in problem["relations"] if kind == "colocation" and body & set(pair) for p in pair}
    return j in body


def suit(problem: Row, i: int, j: int, at: list[int]) -> bool:
    """Whether the offsets of two buffers suit each other, by what the relations mean."""
    a, b = problem["buffers"][i], problem["buffers"][j]
    x, y = at[i], at[j]
    between = [(kind, p, q, n) for kind, p, q, n in problem["relations"] if {p, q} == {i, j}]
    kinds = {kind for kind, *_ in between}
    for kind, p, q, n in between:
        if kind == "colocation" and at[q] - at[p] != n:
            return False
        if kind == "bank_separation" and {k // n for k in range(x, x + a["size"])} & {k // n for k in range(y, y + b["size"])}:
            return False
    if not a["size"] or not b["size"]:
        return True
    if "separation" not in kinds and ("exclusion" in kinds or not meet(a["life"], b["life"]) or is_one_body(problem, i, j)):
        return True
    gap = {(i, j): a["size"], (j, i): b["size"]}
    for kind, p, q, n in between:
        if kind == "overlap":
            gap[p, q] = min(gap[p, q], n)
    return y - x >= gap[i, j] or x - y >= gap[j, i]


def is_sound(problem: Row, at: list[int]) -> bool:
    """Whether a layout keeps all constraints."""
    buffers = problem["buffers"]
    return all(may_be_at(problem, own, x) for own, x in zip(buffers, at)) and all(
        suit(problem, i, j, at) for i, j in itertools.combinations(range(len(buffers)), 2))


def word(value: Optional[int]) -> str:
    return "-" if value is None else str(value)


def buffer_line(number: int, own: Row, offset: Optional[int] = None) -> str:
    times = " ".join(f"{s} {e}" for s, e in own["life"])
    numbers = " ".join(word(own[key]) for key in ("size", "align", "fixed", "low", "high", "bank"))
    return f'buffer "b{number}" {numbers} {word(offset)} {times}'


def sealed(lines: list[str]) -> str:
    """A certificate of these lines, with its last line."""
    text = "\n".join(lines) + "\n"
    return text + f"end {len(lines)} {zlib.crc32(text.encode()):08x}\n"


def read_lines(checker: Any, lines: list[str]) -> Any:
    """The certificate of these lines as the checker reads it."""
    return checker.read_certificate(sealed(lines).encode())
