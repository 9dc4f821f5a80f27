# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of check-certificate.py that compares a certificate with the problem or plan it is about."""
from __future__ import annotations
import csv
import json
from dataclasses import astuple
from typing import Any
from certificate_order import NOWHERE, require

KINDS = ("separation", "exclusion", "overlap", "colocation", "bank_separation", "reuse_penalty")

TERMS = ("spill", "peak", "reuse", "moved")

def read_table(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8-sig", newline="") as stream:
        rows = [{name.strip().lower(): text.strip() for name, text in row.items()} for row in csv.DictReader(stream)]
    known = {"id", "lower", "upper", "size", "alignment", "offset", "hint"}
    require(all(name in known or not text for row in rows for name, text in row.items()), "INPUT: use JSON instead")
    return [{"name": row["id"], "size": int(row["size"]), "alignment": int(row.get("alignment") or 1),
             "lifetimes": [(int(row["lower"]), int(row["upper"]))],
             **({"offset": int(row["offset"])} if row.get("offset") else {})} for row in rows]

def relations_of(document: dict[str, Any], names: dict[str, int]) -> set[tuple[int, ...]]:
    found: set[tuple[int, ...]] = set()
    costs: dict[tuple[int, int], int] = {}
    for kind, name in enumerate(KINDS):
        for item in document.get(f"{name}s".replace("ys", "ies"), []):
            if name == "reuse_penalty":  # repeated ones add up
                i, j = sorted(names[buffer] for buffer in item["buffers"])
                costs[i, j] = costs.get((i, j), 0) + item["cost"]
            elif "buffers" in item:
                indices = [names[buffer] for buffer in item["buffers"]]
                found |= {(kind, i, j, item.get("bank", 0)) for i in indices for j in indices if i < j}
            else:
                i, j = names[item["first"]], names[item["second"]]
                count = item.get("bytes", 0) if name == "overlap" else item.get("offset", 0)
                found.add((kind, i, j, count) if i < j or name == "overlap" else (kind, j, i, -count))
    return found | {(KINDS.index("reuse_penalty"), i, j, cost) for (i, j), cost in costs.items()}

def compare_terms(certificate: Any, document: dict[str, Any]) -> None:
    """Pools, earlier offsets and the order of the terms."""
    problem, items, pools = certificate.problem, document["buffers"], document.get("pools", [])
    stated = [(pool["name"], pool["capacity"] if pool.get("capacity") is not None else NOWHERE, pool.get("alignment", 1),
               pool["cost"] if pool.get("cost") is not None else -1) for pool in pools]
    require(stated == [tuple(pool) for pool in problem.pools], "INPUT has other pools")
    index = {pool["name"]: k for k, pool in enumerate(pools)}
    choices = [[index[name] for name in item.get("pools") or index] for item in items] if pools else []
    chosen = [index.get(item.get("pool"), -1) for item in items] if pools else []
    suits = all(own in (-1, known) for own, known in zip(chosen, problem.chosen))
    require(choices == problem.choices and (suits or certificate.claim == "over"), "INPUT has other pools for buffers")
    near = [("moved", i, item["near"], item.get("move_cost", item["size"])) for i, item in enumerate(items)
            if item.get("near") is not None and item.get("move_cost", item["size"]) > 0]
    require(near == [tuple(soft) for soft in problem.near], "INPUT has other earlier offsets")
    order = document.get("objective", []) + [t for t in TERMS if t not in document.get("objective", [])]
    if certificate.claim == "best":
        require(certificate.terms[::2] == [t for t in order if t in certificate.terms[::2]], "INPUT has another objective")

def buffer_of(item: dict[str, Any], own: Any, is_plan: bool) -> tuple[Any, ...]:
    low, high = item.get("window", (0, None))
    ranges: list[tuple[int, int]] = []
    for start, end in item["lifetimes"]:
        if ranges and ranges[-1][1] == start:
            start = ranges.pop()[0]
        ranges.append((start, end))
    fixed = item.get("fixed_offset", -1 if is_plan else item.get("offset", -1))
    offset = item.get("offset", own.offset) if is_plan and own.offset >= 0 else own.offset
    return (item["name"], item["size"], item.get("alignment", 1), fixed, low, high if high else NOWHERE,
            item.get("bank", 0), offset, ranges)

def compare_operators(proof: list[list[str]], document: dict[str, Any]) -> None:
    """A plan that lists operators has the values of the order, and their makers and readers."""
    values = sorted(line[1:] for line in proof if line[0] == "value")
    shares = any(line[0] in ("in_place", "over") for line in proof) or document.get("colocations")
    if not values or shares or not document.get("operators"):
        return
    expected = []
    for item in document["buffers"]:
        made = [str(k) for k, own in enumerate(document["operators"]) if item["name"] in own.get("makes", [])]
        read = [str(k) for k, own in enumerate(document["operators"]) if item["name"] in own.get("reads", [])]
        value = [str(item["size"]), (made or ["-"])[0]]
        is_last = item["lifetimes"][-1][1] >= len(document["operators"])
        stays = is_last and value + ["stays", "-"] in values
        if item["size"] > 0:
            expected.append(value + (["stays", "-"] if stays else ["ends", *(read or ["-"])]))
    require(values == sorted(expected), "the operators in INPUT make or read other values")
    before = [line[1:] for line in proof if line[0] == "operator"]
    require(len(before) == len(document["operators"]), "INPUT has another number of operators")
    makers = {name: str(k) for k, own in enumerate(document["operators"]) for name in own.get("makes", [])}
    for listed, own in zip(before, document["operators"]):
        needed = {makers[name] for name in own.get("reads", []) if name in makers}
        require(needed <= set(listed), "an operator does not wait for what it reads")

def compare(certificate: Any, path: str) -> None:
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
        require(astuple(own) == buffer_of(item, own, is_plan), f"buffer {own.name} differs in INPUT")
    pools = {pool["name"]: k for k, pool in enumerate(document.get("pools", []))}
    reserved = {(item["bytes"][0], item["bytes"][1] or NOWHERE, item.get("when", [0, 0])[0],
                 item.get("when", [0, 0])[1] or NOWHERE, *([pools.get(item.get("pool"), 0)] if pools else []))
                for item in document.get("reserved", [])}
    require(reserved == set(problem.reserved), "INPUT has other reserved bytes")
    names = {own.name: i for i, own in enumerate(problem.buffers)}
    require(relations_of(document, names) == set(problem.relations), "INPUT has other relations")
    compare_terms(certificate, document)
    compare_operators(certificate.proof, document)
