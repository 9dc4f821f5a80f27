# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks documents of dsa-solver and builds problems from them; `neap.dsa` has the mapping."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, NoReturn, Optional, Sequence

from _neap.values import HIGH, LOW, shown
from neap.errors import InputError
from neap.problem import TERMS, Problem, Range

PROFILES = (
    "standard_dsa",
    "dsa_rp_v1",
    "pypto_structured",
    "pypto_hard_v1",
    "pypto_research_v1",
    "pypto_core_relaxation",
)
METRICS = ("capacity_overflow", "total_peak", "max_peak", "reuse_cost", "bank_cost")
# The first reason of each kind says nothing.
SEPARATION_REASONS = (
    "generic",
    "pipeline_stage",
    "target_hazard",
    "semantic_no_alias",
    "cross_pipe",
)
PENALTY_REASONS = (
    "generic",
    "pipeline_serialization",
    "load_motion_serialization",
    "cross_pipe",
    "cross_core",
    "event_budget",
)
OBJECTIVE_KEY = "neap_objective"  # of metadata: an order of terms that metrics cannot express


def build(content: Any, replan: bool) -> Problem:
    """Checks a document and returns its problem; `replan` drops fixed offsets."""
    root = _Value(content)
    _check_envelope(root)
    return _Reader(root, replan).read()


class _Value:
    """A value in a document, with its place for messages."""

    def __init__(self, content: Any, place: str = "") -> None:
        self.content = content
        self.place = place

    def fail(self, text: str) -> NoReturn:
        """Raises an error about this value."""
        raise InputError(f"{self.place}: {text}" if self.place else text)

    def of(self, kind: type, what: str) -> Any:
        """The content, which must be of this type."""
        if not isinstance(self.content, kind) or isinstance(self.content, bool) != (kind is bool):
            self.fail(f"expected {what}, found {shown(self.content)}")
        return self.content

    def check_keys(self, required: Sequence[str], optional: Sequence[str] = ()) -> None:
        """Checks that it is an object with these keys and no others."""
        keys = self.of(dict, "an object").keys()
        for key in required:
            if key not in keys:
                _Value(None, self.path(key)).fail("missing")
        for key in keys:
            if key not in required and key not in optional:
                _Value(None, self.path(key)).fail("unknown key")

    def path(self, key: str) -> str:
        """The place of a member."""
        return f"{self.place}.{key}" if self.place else key

    def has(self, key: str) -> bool:
        """Whether it is an object with this key."""
        return key in self.of(dict, "an object")

    def member(self, key: str) -> _Value:
        """A member of an object."""
        if not self.has(key):
            _Value(None, self.path(key)).fail("missing")
        return _Value(self.content[key], self.path(key))

    def items(self) -> list[_Value]:
        """The elements of an array."""
        content = self.of(list, "an array")
        return [_Value(item, f"{self.place}[{index}]") for index, item in enumerate(content)]

    def number(self, low: int = 0, high: int = HIGH) -> int:
        """A whole number within limits."""
        number: int = self.of(int, "a whole number")
        if not low <= number <= high:
            limit = f"{low} or more" if number < low else f"{high} or less"
            self.fail(f"expected {limit}, found {number}")
        return number

    def string(self) -> str:
        """A text."""
        text: str = self.of(str, "a string")
        return text

    def choice(self, names: Sequence[str]) -> str:
        """One of some names."""
        if self.string() not in names:
            self.fail(f"unknown name {shown(self.content)}; expected one of {', '.join(names)}")
        return self.string()


def _check_envelope(root: _Value) -> None:
    """Checks the parts of a document around its problem."""
    if root.has("placements"):
        root.fail("this is a solution, which does not hold its problem; pass the problem instead")
    version = root.member("schema_version")
    if version.number() != 1:
        version.fail(f"expected version 1, found {version.content}")
    root.check_keys(
        ("schema_version", "profile", "instance", "problem"),
        ("relaxed_from", "relaxed_features", "metadata"),
    )
    root.member("profile").choice(PROFILES)
    if not root.member("instance").string():
        root.member("instance").fail("expected a name, found an empty string")
    if root.has("metadata"):
        metadata = root.member("metadata")
        for key in metadata.of(dict, "an object"):
            metadata.member(key).string()
    if root.has("relaxed_from"):
        root.member("relaxed_from").string()
    if root.has("relaxed_features"):
        for feature in root.member("relaxed_features").items():
            feature.string()


@dataclass
class _Ids:
    """The indices of pools or buffers by their ids."""

    what: str
    indices: dict[int, int]

    def find(self, at: _Value) -> int:
        number = at.number(high=2**32 - 1)
        if number not in self.indices:
            at.fail(f"expected the id of a {self.what}, found {number}")
        return self.indices[number]


def _find_ids(objects: Sequence[_Value], what: str) -> _Ids:
    ids = _Ids(what, {})
    for index, item in enumerate(objects):
        number = item.member("id").number(high=2**32 - 1)
        if number in ids.indices:
            item.member("id").fail(f"duplicate id {number} of a {what}")
        ids.indices[number] = index
    return ids


@dataclass
class _Pin:
    offset: int
    pool: int
    is_exclusive: bool  # for all time


def _unique(name: str, number: int, taken: set[str]) -> str:
    """A name that is unique and not empty, as neap requires and dsa-solver does not."""
    if not name or name in taken:
        name = f"{name}#{number}"
    taken.add(name)
    return name


def _merge(ranges: list[Range]) -> list[Range]:
    """Sorts ranges and merges those that overlap."""
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


class _Reader:
    """Builds the problem of a document whose envelope has been checked."""

    def __init__(self, root: _Value, replan: bool) -> None:
        body = root.member("problem")
        body.check_keys(
            ("pools", "buffers", "constraints", "objective"), ("cost_model", "pypto_structure")
        )
        self.root, self.body, self.replan = root, body, replan
        self.problem = Problem()
        self.pools, self.buffers = body.member("pools").items(), body.member("buffers").items()
        if not self.pools:
            body.member("pools").fail("expected at least one pool, found none")
        for pool in self.pools:
            pool.check_keys(("id", "name", "capacity", "reserved_ranges"), ("bank_geometry",))
        for buffer in self.buffers:
            buffer.check_keys(
                ("id", "name", "size", "alignment", "live_intervals", "allowed_pools")
            )
        self.pool_ids, self.ids = _find_ids(self.pools, "pool"), _find_ids(self.buffers, "buffer")
        self.pins: dict[int, _Pin] = {}
        self.classes = list(range(len(self.buffers)))  # links to the buffer of the class

    def read(self) -> Problem:
        """The problem."""
        constraints = self.body.member("constraints")
        constraints.check_keys(
            ("colocations", "separations", "temporal_exclusions", "pinned_allocations")
        )
        self.read_pools()
        self.read_pins(constraints.member("pinned_allocations"))
        colocations = list(self.pairs(constraints.member("colocations")))
        for _, first, second in colocations:
            self.classes[self.class_of(second)] = self.class_of(first)
        self.read_buffers()
        for _, first, second in colocations:
            if first != second:
                self.problem.relate("colocation", first, second)
        self.read_separations(constraints)
        self.read_penalties()
        self.read_objective()
        return self.problem

    # ------------------------------------------------------------ pools

    def read_pools(self) -> None:
        """Adds the pools, except a single one without a capacity, which is the default arena."""
        has_pools = len(self.pools) > 1 or self.pools[0].member("capacity").content is not None
        taken: set[str] = set()
        for index, pool in enumerate(self.pools):
            capacity = pool.member("capacity")
            name = _unique(pool.member("name").string(), pool.content["id"], taken)
            limit = None if capacity.content is None else capacity.number()
            if has_pools:
                self.problem.add_pool(name, capacity=limit)
            if pool.has("bank_geometry"):  # without effect in version 1
                geometry = pool.member("bank_geometry")
                geometry.check_keys(("bank_size", "num_banks"))
                for key in geometry.content:
                    geometry.member(key).number(1)
            for item in pool.member("reserved_ranges").items():
                item.check_keys(("begin", "end"))
                begin = item.member("begin").number()
                end = item.member("end").number(begin + 1)
                self.problem.reserve(begin, end, pool=index)

    def read_pins(self, pins: _Value) -> None:
        """Reads which buffers have fixed offsets."""
        for pin in pins.items():
            pin.check_keys(("buffer", "pool", "offset", "exclusive_for_all_time"))
            buffer = self.ids.find(pin.member("buffer"))
            if buffer in self.pins:
                pin.member("buffer").fail("the buffer is pinned twice")
            pool = self.pool_ids.find(pin.member("pool"))
            exclusive: bool = pin.member("exclusive_for_all_time").of(bool, "true or false")
            self.pins[buffer] = _Pin(pin.member("offset").number(), pool, exclusive)

    # ------------------------------------------------------------ buffers

    def class_of(self, buffer: int) -> int:
        """The buffer that stands for a class of colocated buffers."""
        while self.classes[buffer] != buffer:
            self.classes[buffer] = self.classes[self.classes[buffer]]
            buffer = self.classes[buffer]
        return buffer

    def read_spans(self, buffer: _Value) -> list[Range]:
        """The times of a buffer, which may be negative."""
        spans = []
        for item in buffer.member("live_intervals").items():
            item.check_keys(("lower", "upper"))
            lower, upper = item.member("lower").number(LOW), item.member("upper").number(LOW)
            if lower >= upper:
                item.fail(f"expected `lower` below `upper`, found {lower} and {upper}")
            spans.append((lower, upper))
        if not spans:
            buffer.member("live_intervals").fail("expected an interval, found none")
        return spans

    def read_buffers(self) -> None:
        """Adds the buffers: all colocated ones get the largest size of their class."""
        spans = [self.read_spans(buffer) for buffer in self.buffers]
        first = min((lower for each in spans for lower, _ in each), default=0)
        shift = -min(first, 0)
        last = max((upper for each in spans for _, upper in each), default=0) + shift
        if shift > HIGH or last > HIGH:
            self.body.member("buffers").fail("expected times that span less than 2^63")
        extents: dict[int, int] = {}
        for index, buffer in enumerate(self.buffers):
            chief = self.class_of(index)
            extents[chief] = max(extents.get(chief, 0), buffer.member("size").number(1))
        taken: set[str] = set()
        for index, buffer in enumerate(self.buffers):
            pin = self.pins.get(index)
            ranges = [(lower + shift, upper + shift) for lower, upper in spans[index]]
            self.problem.add(
                extents[self.class_of(index)],
                name=_unique(buffer.member("name").string(), buffer.content["id"], taken),
                ranges=[(0, last)] if pin and pin.is_exclusive else _merge(ranges),
                alignment=buffer.member("alignment").number(1),
                fixed_offset=pin.offset if pin and not self.replan else None,
                pools=self.read_allowed(buffer.member("allowed_pools"), pin),
            )

    def read_allowed(self, allowed: _Value, pin: Optional[_Pin]) -> list[int]:
        """The pools of a buffer; none if the document has a single pool."""
        pools = [self.pool_ids.find(pool) for pool in allowed.items()]
        if not pools:
            allowed.fail("expected a pool, found none")
        if pin and pin.pool not in pools:
            allowed.fail("the buffer is pinned to a pool that is not in the list")
        if len(self.pools) == 1:
            return []
        return [pin.pool] if pin else pools

    # ------------------------------------------------------------ relations

    def pairs(
        self, pairs: _Value, required: Sequence[str] = (), optional: Sequence[str] = ()
    ) -> Iterator[tuple[_Value, int, int]]:
        """The pairs of buffers in a list."""
        for pair in pairs.items():
            pair.check_keys(("first", "second", *required), optional)
            first, second = pair.member("first"), pair.member("second")
            yield pair, self.ids.find(first), self.ids.find(second)

    def read_separations(self, constraints: _Value) -> None:
        """Adds separations, and those exclusions that have an effect of their own."""
        separated = set()
        for pair, first, second in self.pairs(constraints.member("separations"), (), ("reasons",)):
            reasons = pair.member("reasons").items() if pair.has("reasons") else []
            reason = ", ".join(item.choice(SEPARATION_REASONS) for item in reasons)
            self.problem.relate("separation", first, second, reason=reason)
            separated.add(frozenset((first, second)))
        for _, first, second in self.pairs(constraints.member("temporal_exclusions")):
            is_exclusive = any(
                pin and pin.is_exclusive for pin in (self.pins.get(first), self.pins.get(second))
            )
            is_colocated = first != second and self.class_of(first) == self.class_of(second)
            if not (is_exclusive or is_colocated or frozenset((first, second)) in separated):
                self.problem.relate("exclusion", first, second)

    def read_penalties(self) -> None:
        """Adds the reuse penalties, except within a class of colocated buffers."""
        if not self.body.has("cost_model"):
            return
        costs = self.body.member("cost_model")
        costs.check_keys(("reuse_penalties",))
        for pair, first, second in self.pairs(costs.member("reuse_penalties"), ("cost", "reason")):
            cost = pair.member("cost").number()
            reason = pair.member("reason").choice(PENALTY_REASONS)
            if self.class_of(first) != self.class_of(second):
                known = None if reason == PENALTY_REASONS[0] else reason
                self.problem.relate("reuse_penalty", first, second, cost, known)

    # ------------------------------------------------------------ the objective

    def read_objective(self) -> None:
        """Sets the order of the terms."""
        objective = self.body.member("objective")
        objective.check_keys(("aggregation", "terms"))
        objective.member("aggregation").choice(("lexicographic",))
        metrics: list[str] = []
        for term in objective.member("terms").items():
            metric = term.choice(METRICS)
            if metric in metrics:
                term.fail(f"{metric} is listed twice")
            metrics.append(metric)
        own = self.root.content.get("metadata", {}).get(OBJECTIVE_KEY, "").split(" ")
        order = own if sorted(own) == sorted(TERMS) else order_of(metrics, self.problem)
        self.problem.set_objective(order)


def has_choices(problem: Problem) -> bool:
    """Whether some buffer may be in several pools."""
    return any(len(buffer.pools or problem.pools) > 1 for buffer in problem.buffers)


def order_of(metrics: Sequence[str], problem: Problem) -> list[str]:
    """The order of neap's terms for a document's metrics.

    Spilled bytes are no metric, so they come after the metrics.  If no buffer has a choice of
    pools, they keep their usual place, the first.
    """
    terms = {"total_peak": "peak", "max_peak": "peak", "reuse_cost": "reuse"}
    order = [] if has_choices(problem) else ["spill"]
    order += [terms[metric] for metric in metrics if metric in terms]
    return list(dict.fromkeys([*order, *TERMS]))
