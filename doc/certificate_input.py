# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what a certificate states with INPUT, a problem or a plan in CSV or JSON.

Start with compare() at the end.  The proof rests on nothing here: this only tells whether it is about INPUT.
"""
from __future__ import annotations
import csv
import itertools
import json
from collections import Counter
from typing import Any
from certificate_text import KINDS, NOWHERE, Buffer, Certificate, require

TERMS = ("spill", "peak", "reuse", "moved")
Relations = list[tuple[int, ...]]  # each the place of its kind in KINDS, two buffers, and bytes
def read_table(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8-sig", newline="") as stream:
        rows = [{name.strip().lower(): text.strip() for name, text in row.items()} for row in csv.DictReader(stream)]
    known = {"id", "lower", "upper", "size", "alignment", "offset", "hint"}
    require(all(name in known or not text for row in rows for name, text in row.items()), "INPUT: use JSON instead")
    return [{"name": row["id"], "size": int(row["size"]), "alignment": int(row.get("alignment") or 1),
             "lifetimes": [(int(row["lower"]), int(row["upper"]))],
             **({"offset": int(row["offset"])} if row.get("offset") else {})} for row in rows]
def relations_of(document: dict[str, Any]) -> Relations:
    index = {item["name"]: i for i, item in enumerate(document["buffers"])}
    found: Relations = []
    for kind, name in enumerate(KINDS):
        for item in document.get(f"{name}s".replace("ys", "ies"), []):
            if "buffers" in item:
                listed = sorted({index[buffer] for buffer in item["buffers"]})
                count = item.get("bank", item.get("cost", 0))
                found += [(kind, i, j, count) for i, j in itertools.combinations(listed, 2)]
            else:
                i, j = index[item["first"]], index[item["second"]]
                count = item.get("bytes" if name == "overlap" else "offset", 0)
                found.append((kind, i, j, count) if i < j or name == "overlap" else (kind, j, i, -count))
    return found
def merged(relations: Relations) -> Relations:
    """The relations, sorted and each once; the penalties of a pair add up."""
    costs: dict[tuple[int, ...], int] = {}
    for kind, i, j, count in relations:
        costs[kind, i, j] = costs.get((kind, i, j), 0) + count
    penalty = KINDS.index("reuse_penalty")
    return sorted({(*own[:3], costs[own[:3]]) if own[0] == penalty else own for own in relations})
def end_of(bound: int | None) -> int:
    return NOWHERE if bound is None else bound
def compare_pools(certificate: Certificate, document: dict[str, Any]) -> None:
    """Compares the pools, the pools of buffers, and reserved bytes."""
    problem, items, pools = certificate.problem, document["buffers"], document.get("pools", [])
    stated = [(pool["name"], end_of(pool.get("capacity")), pool.get("alignment", 1),
               -1 if pool.get("cost") is None else pool["cost"]) for pool in pools]
    require(stated == problem.pools, "INPUT has other pools")
    index = {pool["name"]: k for k, pool in enumerate(pools)}
    choices = [[index[name] for name in item.get("pools") or index] for item in items] if pools else problem.choices
    chosen = [index.get(item.get("pool"), known) for item, known in zip(items, problem.chosen)]
    suits = chosen == problem.chosen or certificate.claim == "over"
    require(choices == problem.choices and suits, "INPUT has other pools for buffers")
    reserved = set()
    for item in document.get("reserved", []):
        (low, high), (start, end) = item["bytes"], item.get("when", (0, None))
        pool = [index[item["pool"]] if "pool" in item else 0] if pools else []
        reserved.add((low, end_of(high), start, end_of(end), *pool))
    require(reserved == set(problem.reserved), "INPUT has other reserved bytes")
def compare_terms(certificate: Certificate, document: dict[str, Any]) -> None:
    """Earlier offsets, and the order of the terms."""
    costs = [item.get("move_cost", item["size"]) for item in document["buffers"]]
    near = [("moved", i, item["near"], cost) for i, (item, cost) in enumerate(zip(document["buffers"], costs))
            if item.get("near") is not None and cost > 0]
    require(near == certificate.problem.near, "INPUT has other earlier offsets")
    order = document.get("objective", []) + [term for term in TERMS if term not in document.get("objective", [])]
    terms = certificate.terms[::2]
    require(certificate.claim != "best" or terms == [term for term in order if term in terms], "INPUT has another objective")
def buffer_of(item: dict[str, Any], own: Buffer, is_plan: bool) -> Buffer:
    """A buffer in INPUT; without an offset, it may be where the certificate has it."""
    ranges: list[tuple[int, int]] = []
    for start, end in item["lifetimes"]:
        ranges.append((ranges.pop()[0], end) if ranges and ranges[-1][1] == start else (start, end))
    low, high = item.get("window", (0, None))
    fixed = item.get("fixed_offset", -1 if is_plan else item.get("offset", -1))
    offset = item.get("offset", own.offset) if is_plan and own.offset >= 0 else own.offset
    return Buffer(item["name"], item["size"], item.get("alignment", 1), fixed, low, end_of(high), item.get("bank", 0),
                  offset, ranges)
def compare_operators(proof: list[list[str]], document: dict[str, Any]) -> None:
    """A plan that lists operators has the values of the order, and their makers and readers."""
    values = Counter(" ".join(line[1:]) for line in proof if line[0] == "value")
    shares = any(line[0] in ("in_place", "over") for line in proof) or document.get("colocations")
    if not values or shares or not document.get("operators"):
        return
    makers: dict[str, list[str]] = {}  # several if the buffer has views
    readers: dict[str, list[str]] = {}
    for k, own in enumerate(document["operators"]):
        for name in own.get("makes", []):
            makers.setdefault(name, []).append(str(k))
        for name in set(own.get("reads", [])):
            readers.setdefault(name, []).append(str(k))
    end = len(document["operators"])
    for item in sorted(document["buffers"], key=lambda item: item["lifetimes"][-1][1] >= end):
        value = f"{item['size']} {makers.get(item['name'], '-')[0]}"
        ends = " ".join([value, "ends", *readers.get(item["name"], "-")])
        stays = item["lifetimes"][-1][1] >= end and values[ends] == 0  # buffers that end earlier have taken theirs
        values[f"{value} stays -" if stays else ends] -= item["size"] > 0
    require(not any(values.values()), "the operators in INPUT make or read other values")
    before = [line[1:] for line in proof if line[0] == "operator"]
    require(len(before) == end, "INPUT has another number of operators")
    for k, own in enumerate(document["operators"]):
        for made in (set(makers.get(name, [])) - {str(k)} for name in own.get("reads", [])):
            require(not made or bool(made & set(before[k])), "an operator does not wait for what it reads")
def compare(certificate: Certificate, path: str) -> None:
    problem, is_json = certificate.problem, path.endswith(".json")
    if is_json:
        with open(path, encoding="utf-8") as stream:
            document: dict[str, Any] = json.load(stream)
        require(document.get("format") in ("neap-problem", "neap-plan"), "INPUT is of no known format")
    else:
        document = {"buffers": read_table(path)}
    unknown = [key for key in ("conflicts", "conflict_matrix") if document.get(key)]
    require(not unknown, f"INPUT has {', '.join(unknown)}, which certificates do not cover")
    is_plan = is_json or all(own.fixed < 0 for own in problem.buffers)  # else a table has fixed offsets
    require(len(document["buffers"]) == len(problem.buffers), "INPUT has another number of buffers")
    for own, item in zip(problem.buffers, document["buffers"]):
        require(own == buffer_of(item, own, is_plan), f"buffer {own.name} differs in INPUT")
    require(merged(relations_of(document)) == merged(problem.relations), "INPUT has other relations")
    compare_pools(certificate, document)
    compare_terms(certificate, document)
    compare_operators(certificate.proof, document)
