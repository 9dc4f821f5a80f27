# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of operators that a search for an order begins with."""
from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

from _neap.declarations import ffi
from _neap.library import io, lib, make
from _neap.plan import NativePlan
from _neap.values import encode_path, integer, listed, shown
from neap.errors import ArgumentError, InputError
from neap.plan import Plan
from neap.problem import Problem

# A plan, a problem or the path of a plan, each made of the same graph; or indices of operators.
Start = Union[Plan, Problem, str, "os.PathLike[str]", Sequence[int]]

SEARCHES = ("min-peak", "optimal")
NO_ORDER = "there is no order of operators: it was made without schedule"


def check_start(ordering: Mapping[str, Any]) -> None:
    """Refuses a start without a search that would begin with it; for arguments of `neap.read`."""
    if ordering.get("start") is None:
        return
    if ordering.get("schedule") not in SEARCHES:
        raise ArgumentError(f"start needs a schedule of {' or '.join(SEARCHES)}")
    if ordering.get("recompute"):
        raise ArgumentError("start is for operators that run once; drop recompute")


def _read_order(path: Union[str, os.PathLike[str]]) -> list[int]:
    name = encode_path(path)
    plan = make(io().neap_plan_read, "neap_plan", lib().neap_plan_free, name, ffi.NULL)
    order = NativePlan(plan, None).order()
    if order is None:
        raise InputError(NO_ORDER, os.fsdecode(path))
    return order


def _list_order(start: object) -> list[int]:
    try:
        items = listed(start, "start")
    except ArgumentError:
        raise ArgumentError(
            f"start: expected a plan, a problem, a path or a list of indices, found {shown(start)}"
        ) from None
    return [integer(item, "an operator in start", 0) for item in items]


def order_of(start: Start) -> list[int]:
    """For each operator in the order, its index in the graph."""
    if isinstance(start, (str, os.PathLike)):
        return _read_order(start)
    if not isinstance(start, (Plan, Problem)):
        return _list_order(start)
    order = (start._backing if isinstance(start, Plan) else start._handle()).order()
    if order is None:
        raise ArgumentError(f"start: {NO_ORDER}")
    return order
