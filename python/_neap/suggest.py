# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that were probably meant, for messages about unknown ones."""
from __future__ import annotations

import re
from typing import Any, Iterable

UNKNOWN = re.compile(r"unknown (target|profile|format|value) '(.*?)'(?:; use one of (.*))?")


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about a name: "; did you mean 'size'?", or ""."""
    import difflib  # not before it is needed

    found = difflib.get_close_matches(name, list(known), 1, 0.6)
    return f"; did you mean '{found[0]}'?" if found else ""


def _names(item_at: Any, kind: str) -> Iterable[str]:
    from _neap.library import sized, text

    item, index = sized(kind), 0
    while item_at(index, item):
        yield text(item.name).replace("-", "_") if kind == "neap_option_info" else text(item.name)
        index += 1


def improve(message: str, source: str) -> str:
    """A message of the library, with the name that was probably meant."""
    from _neap.library import io, lib

    if message == "unknown option":
        return message + nearest(source.replace("-", "_"), _names(lib().neap_option_at, "neap_option_info"))
    found = UNKNOWN.search(message)
    if not found:
        return message
    what, name, listed = found.groups()
    if what == "value":
        known: Iterable[str] = (listed or "").split(", ")
    else:
        known = _names(getattr(io(), f"neap_{what}_at"), f"neap_{what}_info")
    rest = message[found.end(2) + 1 :].replace("; use one of", " Use one of", 1)
    suggestion = nearest(name, known)
    return message[: found.end(2) + 1] + suggestion + rest if suggestion else message
