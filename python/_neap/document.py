# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems as JSON documents, without the library; the manual of the program describes them."""
from __future__ import annotations

from typing import Any, Callable, Iterable, Optional

from neap.errors import InputError
from neap.problem import Buffer, Operator, Pool, Problem, Relation, Reserved

# For each kind: the key of its list, and the key of its number ("": none).
RELATIONS = {
    "separation": ("separations", ""),
    "exclusion": ("exclusions", ""),
    "overlap": ("overlaps", "bytes"),
    "colocation": ("colocations", "offset"),
    "bank_separation": ("bank_separations", "bank"),
    "reuse_penalty": ("reuse_penalties", "cost"),
}
# Relations in which the order of the two buffers matters.
DIRECTED = ("overlap", "colocation")


def _given(**members: Any) -> dict[str, Any]:
    """The members that are not None."""
    return {key: value for key, value in members.items() if value is not None}


# ---------------------------------------------------------------- writing


def _write_buffer(buffer: Buffer, pools: list[str]) -> dict[str, Any]:
    return _given(
        name=buffer.name,
        size=buffer.size,
        lifetimes=[list(item) for item in buffer.ranges],
        alignment=buffer.alignment if buffer.alignment != 1 else None,
        fixed_offset=buffer.fixed_offset,
        hint=buffer.hint,
        window=list(buffer.window) if buffer.window is not None else None,
        bank=buffer.bank or None,
        pools=[pools[pool] for pool in buffer.pools] or None,
        near=buffer.near,
        move_cost=buffer.move_cost,
        shape=list(buffer.shape) if buffer.shape is not None else None,
        dtype=buffer.dtype,
    )


def _write_pool(pool: Pool) -> dict[str, Any]:
    return _given(
        name=pool.name,
        capacity=pool.capacity,
        alignment=pool.alignment,
        base=pool.base or None,
        cost=pool.cost,
    )


def _write_reserved(reserved: Reserved, pools: list[str]) -> dict[str, Any]:
    return _given(
        pool=pools[reserved.pool] if pools else None,
        bytes=[reserved.low, reserved.high],
        when=[reserved.start, reserved.end],
    )


def _name_of(names: list[str], index: int) -> str:
    if index >= len(names):
        raise InputError(f"there is no buffer {index}")
    return names[index]


def _write_relation(relation: Relation, names: list[str]) -> dict[str, Any]:
    first, second = _name_of(names, relation.first), _name_of(names, relation.second)
    number = RELATIONS[relation.kind][1]
    document = _given(reason=relation.reason)
    if relation.kind in DIRECTED:
        document.update(first=first, second=second)
    else:
        document.update(buffers=[first, second])
    if number:
        document[number] = relation.bytes
    return document


def _write_operator(operator: Operator, names: list[str]) -> dict[str, Any]:
    return _given(
        type=operator.type,
        name=operator.name,
        reads=[_name_of(names, index) for index in operator.reads],
        makes=[_name_of(names, index) for index in operator.makes],
    )


def _write_horizon(problem: Problem) -> dict[str, Any]:
    """The horizon, unless it follows from the lifetimes."""
    last = max((buffer.end for buffer in problem.buffers if buffer.ranges), default=0)
    count = len(problem.operators)
    return {"horizon": count} if count > last else {}


def write(problem: Problem) -> dict[str, Any]:
    """A problem as a document of the format neap-problem."""
    pools = [pool.name for pool in problem.pools]
    buffers = problem.buffers
    document: dict[str, Any] = {
        "format": "neap-problem",
        "version": 1,
        "buffers": [_write_buffer(buffer, pools) for buffer in buffers],
    }
    if pools:
        document["pools"] = [_write_pool(pool) for pool in problem.pools]
    if problem.reserved:
        document["reserved"] = [_write_reserved(item, pools) for item in problem.reserved]
    if problem.objective is not None:
        document["objective"] = list(problem.objective)
    needs_names = problem.relations or problem.operators
    names = [buffer.name for buffer in buffers] if needs_names else []
    for relation in problem.relations:
        key = RELATIONS[relation.kind][0]
        document.setdefault(key, []).append(_write_relation(relation, names))
    if problem.operators:
        document.update(_write_horizon(problem))
        document["operators"] = [_write_operator(item, names) for item in problem.operators]
    return document


# ---------------------------------------------------------------- reading


def _read_buffer(item: dict[str, Any], pool: Callable[[str], int]) -> Buffer:
    return Buffer(
        name=item["name"],
        size=item["size"],
        ranges=tuple((start, end) for start, end in item["lifetimes"]),
        alignment=item.get("alignment", 1),
        fixed_offset=item.get("fixed_offset"),
        hint=item.get("hint"),
        window=(item["window"][0], item["window"][1]) if "window" in item else None,
        bank=item.get("bank", 0),
        pools=tuple(pool(name) for name in item.get("pools", ())),
        near=item.get("near"),
        move_cost=item.get("move_cost"),
        shape=tuple(item["shape"]) if "shape" in item else None,
        dtype=item.get("dtype"),
    )


def _read_address(base: object) -> int:
    return int(base, 0) if isinstance(base, str) else int(str(base))


def _read_relations(document: dict[str, Any]) -> Iterable[tuple[str, str, str, int, Optional[str]]]:
    for kind, (key, number) in RELATIONS.items():
        for item in document.get(key, ()):
            names = item.get("buffers") or [item["first"], item["second"]]
            for second in range(1, len(names)):
                for first in range(second):
                    amount = item.get(number, 0) if number else 0
                    yield kind, names[first], names[second], amount, item.get("reason")


def read(document: dict[str, Any]) -> Problem:
    """The problem of a document that the program wrote."""
    problem = Problem()
    for item in document.get("pools", ()):
        problem.add_pool(
            item["name"],
            capacity=item.get("capacity"),
            alignment=item.get("alignment", 1),
            base=_read_address(item.get("base", 0)),
            cost=item.get("cost"),
        )
    problem._buffers = [_read_buffer(item, problem._pool) for item in document["buffers"]]
    for item in document.get("reserved", ()):
        low, high = item["bytes"]
        start, end = item.get("when", (0, None))
        problem.reserve(low, high, start=start, end=end, pool=item.get("pool", 0))
    if "objective" in document:
        problem.set_objective(document["objective"])
    for kind, first, second, amount, reason in _read_relations(document):
        problem.relate(kind, first, second, amount, reason)
    for item in document.get("operators", ()):
        problem.add_operator(item["type"], item["reads"], item["makes"], name=item.get("name"))
    return problem
