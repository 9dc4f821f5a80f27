# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems and solutions of dsa-solver, in version 1 of its JSON schema.

    python3 -m neap.dsa document.json -o problem.json                    a problem for neap
    python3 -m neap.dsa problem.csv -o document.json                     a document for dsa-solver
    python3 -m neap.dsa plan.json --solution --document document.json -o solution.json

A problem document has pools, buffers, constraints, an optional cost model and an objective.  A
solution names the problem by a *fingerprint*: the 64-bit FNV-1a hash, in hexadecimal, of the
document as dsa-solver prints it.

    pools                 pools; a single one without a capacity is the arena without a name
    allowed_pools         the pools of a buffer, in order of preference
    separations           separations; their reasons are joined with ", "
    temporal_exclusions   exclusions, except where they have no effect: in a separated pair, within
                          a class of colocated buffers, and of a buffer pinned for all time
    colocations           colocations.  dsa-solver treats a class of colocated buffers as one
                          allocation of the largest size, so all members get that size.
    pinned_allocations    a fixed offset and a list of one pool; if it is exclusive for all time,
                          the buffer is alive throughout
    reuse_penalties       reuse penalties, except within a class of colocated buffers
    objective             the order of terms: capacities are always kept, total_peak and max_peak
                          are both the peak of all pools together, and bank_cost, which is always
                          0, is ignored

Times are shifted if the earliest is negative.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, Iterable, Optional, Sequence, Union

import neap
from _neap import command, dsa_reading
from _neap.dsa_reading import PENALTY_REASONS, SEPARATION_REASONS
from neap.errors import FileError, FormatError, InputError
from neap.plan import Plan
from neap.problem import TERMS, Problem, Relation

Path = Union[str, "os.PathLike[str]"]


class Document:
    """A problem document of dsa-solver.

    Attributes:
        content: what it says, as dsa-solver writes it.
        source: its file, or "".
    """

    def __init__(self, content: Any, source: Path = "") -> None:
        """Takes the parsed JSON; raises InputError if it is not a problem document."""
        self.content, self.source = content, os.fspath(source)
        self._build(replan=False)
        _complete(content)
        try:
            self.to_json().encode("utf-8")
        except UnicodeEncodeError:
            raise InputError("a string is not valid Unicode", source=self.source) from None

    def _build(self, replan: bool) -> Problem:
        try:
            return dsa_reading.build(self.content, replan)
        except InputError as error:
            raise InputError(error.text, source=self.source) from None

    def problem(self, *, replan: bool = False) -> Problem:
        """The problem for neap, with `replan` without the pins' offsets."""
        problem = self._build(replan)
        problem.check()
        return problem

    def to_json(self) -> str:
        """The text of the document as dsa-solver prints it."""
        return _print(self.content)

    @property
    def fingerprint(self) -> str:
        """How solutions name the document."""
        fingerprint = 14695981039346656037
        for byte in self.to_json().encode("utf-8"):
            fingerprint = (fingerprint ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
        return f"{fingerprint:016x}"

    def save(self, path: Path) -> None:
        """Writes the document."""
        _write(path, self.to_json())

    def solution(self, plan: Plan) -> str:
        """The text of a plan of this document's problem as a solution."""
        names = [(buffer.name, buffer.size) for buffer in plan.problem.buffers]
        if names != [(buffer.name, buffer.size) for buffer in self.problem().buffers]:
            raise InputError("the plan is not for this document's problem", source=self.source)
        body = self.content["problem"]
        placements = [
            {"buffer": buffer["id"], "offset": offset, "pool": body["pools"][pool]["id"]}
            for buffer, offset, pool in zip(body["buffers"], plan.offsets, plan.pools)
        ]
        return _print(
            {
                "instance": self.content["instance"],
                "metadata": {"solver": "neap", "solver_version": _version()},
                "placements": sorted(placements, key=lambda placement: placement["buffer"]),
                "problem_fingerprint": self.fingerprint,
                "profile": self.content["profile"],
                "schema_version": 1,
            }
        )


def read(path: Path) -> Document:
    """Reads a problem document.

    Raises:
        FileError: the file cannot be read.
        InputError: it is malformed; the error names the value.
    """
    document = _parse(path)
    if document is None:
        raise InputError("expected a document of dsa-solver", source=os.fspath(path))
    return document


def write(problem: Problem, path: Path, *, like: Optional[Document] = None) -> None:
    """Writes a problem as a document; the arguments are those of `make`."""
    make(problem, like=like).save(path)


def write_solution(plan: Plan, path: Path, document: Optional[Document] = None) -> None:
    """Writes a plan as a solution: for a document, or for one made from its problem."""
    _write(path, (document or make(plan.problem)).solution(plan))


def fingerprint(path: Path) -> str:
    """How solutions name the document in a file."""
    return read(path).fingerprint


def make(problem: Problem, *, like: Optional[Document] = None) -> Document:
    """Makes a document from a problem.

    Args:
        problem: rejected unless a document can hold all of it.
        like: the document from which the problem was derived, with as many buffers and pools;
            its ids, names, metadata and provenance are kept.

    Reasons that the schema does not list become "generic".

    Raises:
        FormatError: a document cannot hold the problem.
    """
    _check(problem)
    given: dict[str, Any] = like.content if like else {}
    body = given.get("problem", {})
    counts = len(body.get("buffers", ())), len(body.get("pools", ()))
    if counts != (len(problem), max(1, len(problem.pools))):
        given, body = {}, {}
    return Document(_Writer(problem, given, body).content())


# ---------------------------------------------------------------- texts


def _print(content: Any) -> str:
    """The text of JSON as dsa-solver prints it."""
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _complete(content: Any) -> None:
    """dsa-solver writes metadata even if there are none, and no empty lists of reasons or features."""
    content.setdefault("metadata", {})
    if not content.get("relaxed_features", True):
        del content["relaxed_features"]
    for separation in content["problem"]["constraints"].get("separations", ()):
        if isinstance(separation, dict) and not separation.get("reasons", True):
            del separation["reasons"]


def _version() -> str:
    from _neap.library import lib, text  # not before it is needed: it loads the library

    return text(lib().neap_version())


def _write(path: Path, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise FileError(error.strerror or str(error), source=os.fspath(path)) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key occurs twice in an object")
    return members


def _parse(path: Path) -> Optional[Document]:
    """The document in a file; None if the file is something else."""
    source = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise FileError(error.strerror or str(error), source=source) from None
    if b'"schema_version"' not in data:
        return None
    try:
        content = json.loads(data.decode("utf-8"), object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        fault = f"not valid JSON: {error.msg}"
        raise InputError(fault, source=source, line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}", source=source) from None
    return Document(content, source) if _is_document(content) else None


def _is_document(content: object) -> bool:
    """Whether it has dsa-solver's keys, and not the one that neap's documents have."""
    return isinstance(content, dict) and "schema_version" in content and "format" not in content


# ---------------------------------------------------------------- what a document can hold


def _refuse(what: str, name: str) -> None:
    raise FormatError(f"dsa-solver's documents cannot hold {what} {name!r}")


def _check(problem: Problem) -> None:
    """Refuses what a document would lose."""
    for pool in problem.pools:
        for what, lost in (
            ("the alignment of pool", pool.alignment != 1),
            ("the address of pool", pool.base != 0),
            ("the cost of pool", pool.cost is not None),
        ):
            if lost:
                _refuse(what, pool.name)
    for reserved in problem.reserved:
        if reserved.start > 0 or reserved.end is not None:
            raise FormatError(
                "dsa-solver's documents cannot hold bytes that are reserved for some time only"
            )
    for buffer in problem.buffers:
        choices = len(buffer.pools or problem.pools)
        for what, lost in (
            ("the size of 0 of buffer", buffer.size == 0),
            ("the window of buffer", buffer.window is not None),
            ("the bank of buffer", buffer.bank > 0),
            ("the earlier offset of buffer", buffer.near is not None),
            ("the hint of buffer", bool(buffer.hint)),
            (
                "the fixed offset without a fixed pool of buffer",
                buffer.fixed_offset is not None and choices > 1,
            ),
        ):
            if lost:
                _refuse(what, buffer.name)
    for relation in problem.relations:
        _check_relation(problem, relation)


def _check_relation(problem: Problem, relation: Relation) -> None:
    """Refuses a relation that a document would lose; there, colocated buffers have one size."""
    first, second = problem.buffers[relation.first], problem.buffers[relation.second]
    is_colocation = relation.kind == "colocation"
    for what, lost in (
        ("the overlap allowed for buffer", relation.kind == "overlap"),
        ("the bank separation of buffer", relation.kind == "bank_separation"),
        ("the colocation at a distance of buffer", is_colocation and relation.bytes != 0),
        (
            "the colocation with a buffer of another size of buffer",
            is_colocation and first.size != second.size,
        ),
    ):
        if lost:
            _refuse(what, first.name)


# ---------------------------------------------------------------- writing


class _Writer:
    """Makes the content of a document, with the details of an earlier document of the problem."""

    def __init__(self, problem: Problem, given: dict[str, Any], body: dict[str, Any]) -> None:
        self.problem, self.given, self.body = problem, given, body
        order = problem.objective or TERMS
        self.has_capacity = any(pool.capacity is not None for pool in problem.pools)
        self.has_costs = any(relation.kind == "reuse_penalty" for relation in problem.relations)
        self.reuse_first = order.index("reuse") < order.index("peak")
        self.profile = self.find_profile()

    def find_profile(self) -> str:
        """The most specific profile; the legacy one permits everything and claims nothing."""
        problem = self.problem
        is_standard = (
            len(problem.pools) <= 1
            and not problem.reserved
            and all(relation.kind == "reuse_penalty" for relation in problem.relations)
            and all(
                buffer.fixed_offset is None and buffer.alignment == 1 and len(buffer.ranges) == 1
                for buffer in problem.buffers
            )
        )
        if is_standard and not self.has_costs and not self.reuse_first:
            return "standard_dsa"
        if is_standard and self.reuse_first and self.has_capacity:
            return "dsa_rp_v1"
        return "pypto_structured"

    def metrics(self) -> list[str]:
        """The terms of the objective."""
        metrics = ["capacity_overflow"] if self.has_capacity else []
        if self.reuse_first:
            metrics.append("reuse_cost")
        if self.profile != "dsa_rp_v1":
            metrics.append("total_peak")
        if not self.reuse_first and self.has_costs:
            metrics.append("reuse_cost")
        return metrics

    def given_of(self, kind: str, index: int) -> dict[str, Any]:
        """What the earlier document says of a buffer or a pool."""
        found: dict[str, Any] = self.body[kind][index] if self.body else {}
        return found

    def id_of(self, kind: str, index: int) -> int:
        """The id of a buffer or a pool."""
        number: int = self.given_of(kind, index).get("id", index)
        return number

    def content(self) -> dict[str, Any]:
        """The document."""
        metrics = self.metrics()
        metadata = {}
        order = self.problem.objective or TERMS
        if list(order) != dsa_reading.order_of(metrics, self.problem):
            metadata[dsa_reading.OBJECTIVE_KEY] = " ".join(order)
        body = {
            "buffers": [self.buffer(index) for index in range(len(self.problem))],
            "constraints": {
                "colocations": self.relations("colocation"),
                "pinned_allocations": self.pins(),
                "separations": self.relations("separation"),
                "temporal_exclusions": self.relations("exclusion"),
            },
            "objective": {"aggregation": "lexicographic", "terms": metrics},
            "pools": self.pools(),
        }
        if self.has_costs or self.profile == "dsa_rp_v1" or "cost_model" in self.body:
            body["cost_model"] = {"reuse_penalties": self.relations("reuse_penalty")}
        if "pypto_structure" in self.body:
            body["pypto_structure"] = self.body["pypto_structure"]
        content = {"instance": "neap", "metadata": metadata, "profile": self.profile}
        return {**content, **self.given, "problem": body, "schema_version": 1}

    def buffer(self, index: int) -> dict[str, Any]:
        """A buffer."""
        buffer = self.problem.buffers[index]
        pools: Iterable[int] = buffer.pools or range(max(1, len(self.problem.pools)))
        return {
            "alignment": buffer.alignment,
            "allowed_pools": [self.id_of("pools", pool) for pool in pools],
            "id": self.id_of("buffers", index),
            "live_intervals": [{"lower": start, "upper": end} for start, end in buffer.ranges],
            "name": self.given_of("buffers", index).get("name", buffer.name),
            "size": buffer.size,
        }

    def pools(self) -> list[dict[str, Any]]:
        """The pools, at least one."""
        found = [(pool.name, pool.capacity) for pool in self.problem.pools] or [("default", None)]
        pools = []
        for index, (name, capacity) in enumerate(found):
            given = self.given_of("pools", index)
            pool = {
                "capacity": capacity,
                "id": self.id_of("pools", index),
                "name": given.get("name", name),
                "reserved_ranges": [
                    {"begin": reserved.low, "end": reserved.high}
                    for reserved in self.problem.reserved
                    if reserved.pool == index
                ],
            }
            if "bank_geometry" in given:
                pool["bank_geometry"] = given["bank_geometry"]
            pools.append(pool)
        return pools

    def pins(self) -> list[dict[str, Any]]:
        """The buffers with fixed offsets."""
        return [
            {
                "buffer": self.id_of("buffers", index),
                "exclusive_for_all_time": False,
                "offset": buffer.fixed_offset,
                "pool": self.id_of("pools", buffer.pools[0] if buffer.pools else 0),
            }
            for index, buffer in enumerate(self.problem.buffers)
            if buffer.fixed_offset is not None
        ]

    def relations(self, kind: str) -> list[dict[str, Any]]:
        """The relations of one kind."""
        return [self.relation(item) for item in self.problem.relations if item.kind == kind]

    def relation(self, relation: Relation) -> dict[str, Any]:
        """A relation; a reason that the schema does not list becomes the first of its list."""
        item: dict[str, Any] = {
            "first": self.id_of("buffers", relation.first),
            "second": self.id_of("buffers", relation.second),
        }
        if relation.kind == "reuse_penalty":
            known = relation.reason in PENALTY_REASONS
            item.update(
                cost=relation.bytes, reason=relation.reason if known else PENALTY_REASONS[0]
            )
        if relation.kind == "separation" and relation.reason:
            given = relation.reason.split(", ")
            reasons = [text if text in SEPARATION_REASONS else "generic" for text in given]
            item["reasons"] = list(dict.fromkeys(reasons))
        return item


# ---------------------------------------------------------------- the command


def _parse_arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m neap.dsa",
        description="Convert documents of dsa-solver to problems for neap, problems to documents, "
        "and plans to solutions.",
    )
    parser.add_argument("input", help="a document, a problem in another format, or a plan")
    parser.add_argument("-o", "--output", help="the problem, document or solution")
    parser.add_argument("--solution", action="store_true", help="INPUT is a plan; write a solution")
    parser.add_argument(
        "--document", metavar="FILE", help="the document that a plan or a changed problem is for"
    )
    parser.add_argument("--replan", action="store_true", help="ignore fixed offsets in INPUT")
    parser.add_argument("--fingerprint", action="store_true", help="print the document's fingerprint")
    given = parser.parse_args(arguments)
    if not given.output and not given.fingerprint:
        parser.error("expected --output or --fingerprint")
    return given


def _convert(given: argparse.Namespace) -> str:
    """Reads and writes; returns a summary."""
    like = read(given.document) if given.document else None
    if given.solution:
        plan = neap.read_plan(given.input)
        write_solution(plan, given.output, like)
        return f"{len(plan.problem):,} buffers, peak {plan.peak:,} bytes"
    document = _parse(given.input)
    if given.fingerprint:
        print((document or make(neap.read(given.input), like=like)).fingerprint)
    if not given.output:
        return ""
    if document:
        problem = document.problem(replan=given.replan)
        problem.save(given.output)
    else:
        problem = neap.read(given.input, replan=given.replan)
        write(problem, given.output, like=like)
    return f"{len(problem):,} buffers, bound {problem.bound:,} bytes"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit status."""
    given = _parse_arguments(arguments)
    return command.run("neap.dsa", lambda: _convert(given))


if __name__ == "__main__":
    sys.exit(main())
