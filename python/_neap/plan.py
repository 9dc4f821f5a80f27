# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans in C."""
from __future__ import annotations

import dataclasses
import operator
import os
from typing import Any, Optional

from _neap import files
from _neap.declarations import ffi
from _neap.library import call, io, lib, optional, sized, text
from _neap.problem import NativeProblem, items
from _neap.values import encode, encode_path, shown, switch
from neap.errors import ArgumentError
from neap.plan import TIMES, Offsets, Plan, PoolReport, Report, Round

# Attributes of Report that need a conversion.
SPECIAL = ("status", "stop_reason", "engine", "capacity", "order_status")

# Members of neap_report for the other attributes, if they have other names.
PLACES = {
    "rounds": "run.rounds",
    "seconds": "run.seconds",
    "seed": "run.seed",
    "objects": "objects.count",
    "object_bound": "objects.bound",
    "is_scheduled": "order.is_scheduled",
    "given_bound": "order.given_bound",
    "order_lower_bound": "order.lower_bound",
    "order_saved_bytes": "order.saved_bytes",
    "overlapped_bytes": "costs.overlapped_bytes",
    "reuse_cost": "costs.reuse",
    "reuse_cost_lower_bound": "costs.reuse_lower_bound",
    "spilled_bytes": "costs.spilled_bytes",
    "spilled_lower_bound": "costs.spilled_lower_bound",
    "moved_bytes": "costs.moved_bytes",
    "moved_lower_bound": "costs.moved_lower_bound",
}


def list_report(item: Any) -> Report:
    """Converts a neap_report."""
    copied = {
        field.name: operator.attrgetter(PLACES.get(field.name, field.name))(item)
        for field in dataclasses.fields(Report)
        if field.name not in SPECIAL + TIMES
    }
    c = lib()
    return Report(
        status=text(c.neap_outcome_name(item.outcome)),
        stop_reason=text(c.neap_stop_reason_name(item.run.stop_reason)),
        engine=text(item.run.engine),
        capacity=None if item.capacity < 0 else item.capacity,
        order_status=text(c.neap_outcome_name(item.order.outcome))
        if item.order.is_scheduled
        else None,
        **copied,
    )


def _list_times(order: Any) -> dict[str, Any]:
    """Converts the times of a neap_operator_order; none without recomputation."""
    if order.time_once == 0:
        return {}
    name = text(lib().neap_time_unit_name(order.time_unit))
    return {"time_unit": name, **{key: getattr(order, key) for key in TIMES[:-1]}}


class NativePlan:
    """A plan in C, with its problem."""

    def __init__(self, pointer: Any, problem: Optional[NativeProblem]) -> None:
        self.pointer = pointer
        self._problem = problem  # must outlive the plan

    def offsets(self) -> Offsets:
        """The offsets, in the library's memory."""
        c = lib()
        count = c.neap_problem_count(c.neap_plan_problem(self.pointer))
        held = ffi.buffer(c.neap_plan_offsets(self.pointer), count * 8) if count else b""
        return Offsets(memoryview(held).toreadonly().cast("q"), self)

    def pools(self) -> list[int]:
        """The index of every buffer's pool."""
        pool_of = lib().neap_plan_pool
        return [pool_of(self.pointer, index) for index in range(len(self.offsets()))]

    def order(self) -> Optional[list[int]]:
        """For each operator, its index in the graph; None if the graph kept its order."""
        return NativeProblem(lib().neap_plan_problem(self.pointer)).order()

    def report(self) -> Report:
        """What is known about the plan."""
        item = sized("neap_report")
        lib().neap_plan_report(self.pointer, item)
        order = sized("neap_operator_order")
        lib().neap_problem_order(lib().neap_plan_problem(self.pointer), order)
        return dataclasses.replace(list_report(item), **_list_times(order))

    def pool_reports(self) -> list[PoolReport]:
        """What the plan uses of each pool."""
        return [
            PoolReport(item.buffers, item.peak, item.bound, item.lower_bound)
            for item in items("neap_pool_report", lib().neap_plan_pool_at, self.pointer)
        ]

    def rounds(self) -> list[Round]:
        """The rounds of the tuner."""
        return [
            Round(item.round, item.peak, item.excess_area, item.excess_count, item.improved)
            for item in items("neap_round", lib().neap_plan_round_at, self.pointer)
        ]

    def verify(self, capacity: Optional[int]) -> None:
        """Raises UnsoundError if the plan is not sound."""
        call(lib().neap_plan_verify, self.pointer, optional(capacity, -1))

    def write(self, path: str | os.PathLike[str], writing: dict[str, Any]) -> None:
        """Writes a file."""
        item, held = sized("neap_writing"), []
        for key, value in writing.items():
            if key == "replace":
                item.replace = switch(value, "replace")
            elif key == "other":
                item.other = native(value).pointer
            else:
                held.append(ffi.new("char[]", _encode_member(key, value)))
                setattr(item, key, held[-1])
        files.save(io().neap_plan_write, self.pointer, path, item)

    def render(self, format: str, name: Optional[str] = None) -> str:
        """The text of a file in this format, with a name for its title."""
        writing = {"format": format} if name is None else {"format": format, "name": name}
        return files.capture(lambda path: self.write(os.fsdecode(path), writing))


def _encode_member(key: str, value: Any) -> bytes:
    return encode_path(value) if key == "model" else encode(value, key)


def native(plan: object) -> NativePlan:
    """The plan in C."""
    if not isinstance(plan, Plan):
        raise ArgumentError(f"other is not a plan: {shown(plan)}")
    if not isinstance(plan._backing, NativePlan):
        raise ArgumentError("both plans must be made with process=True, or both without")
    return plan._backing
