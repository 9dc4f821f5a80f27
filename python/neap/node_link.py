# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads graphs that networkx wrote as node-link JSON, such as those of Checkmate and Moccasin.

    python3 -m neap.node_link train.json -o graph.json
    neap plan graph.json --schedule optimal

Each node is an operator with one output.  A link goes from the maker of a value to a reader.
`graph.node_output_cost_tag` names the key of a node with the bytes of its output ("cost_ram"), and
`graph.node_duration_tag` the key of its duration ("cost_cpu"); fractions are rounded.  Values that
nothing reads are outputs of the graph.  The order is `graph.order`, or that of the nodes, with
each operator after those that it depends on.
"""
from __future__ import annotations

import argparse
import heapq
import json
import os
import sys
from typing import Any, Mapping, Optional, Sequence, Union

from _neap import command
from _neap.values import shown
from neap.errors import FileError, InputError
from neap.graph import Graph

Path = Union[str, "os.PathLike[str]"]
Document = Mapping[str, Any]


def _member(mapping: object, key: str, kind: type, where: str) -> Any:
    """A member of a JSON object, which must have this type."""
    value = mapping.get(key) if isinstance(mapping, Mapping) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{where}{key}: expected {kind.__name__}, found {shown(value)}")
    return value


def _number_nodes(nodes: Sequence[Document]) -> dict[Any, int]:
    """The index of each node by its identifier, which is `id` or else `name`."""
    numbers: dict[Any, int] = {}
    for index, node in enumerate(nodes):
        key = "id" if isinstance(node, Mapping) and "id" in node else "name"
        name = _member(node, key, object, f"nodes[{index}].")
        if not isinstance(name, (int, str)):
            raise InputError(f"nodes[{index}].{key}: expected a number or text")
        if str(name) in numbers:
            raise InputError(f"nodes[{index}].{key}: two nodes are called {shown(name)}")
        numbers[str(name)] = index
    return numbers


def _find(numbers: Mapping[Any, int], name: object, where: str) -> int:
    if not isinstance(name, (int, str)) or str(name) not in numbers:
        raise InputError(f"{where}: no node is called {shown(name)}")
    return numbers[str(name)]


def _read_links(document: Document, numbers: Mapping[Any, int]) -> list[tuple[int, int]]:
    """Pairs of a maker and a reader."""
    what = "links" if document.get("links") is not None else "edges"
    pairs = []
    for index, link in enumerate(_member(document, what, list, "")):
        where = f"{what}[{index}]"
        if not isinstance(link, Mapping):
            raise InputError(f"{where}: expected an object, found {shown(link)}")
        ends = [link.get(number, link.get(key)) for number, key in (("0", "source"), ("1", "target"))]
        pairs.append((_find(numbers, ends[0], where), _find(numbers, ends[1], where)))
    return pairs


def _places(attributes: Document, numbers: Mapping[Any, int]) -> list[int]:
    """The place of each node in the order to aim at."""
    count = len(numbers)
    if attributes.get("order") is None:
        return list(range(count))
    order = _member(attributes, "order", list, "graph.")
    if len(order) != count:
        raise InputError(f"graph.order: expected {count} nodes, found {len(order)}")
    places = [-1] * count
    for place, name in enumerate(order):
        node = _find(numbers, name, f"graph.order[{place}]")
        if places[node] >= 0:
            raise InputError(f"graph.order[{place}]: the node is there twice")
        places[node] = place
    return places


def _sort(links: Sequence[tuple[int, int]], places: Sequence[int]) -> list[int]:
    """The nodes in topological order; of the ready ones, that with the first place is next."""
    readers: list[list[int]] = [[] for _ in places]
    waits = [0] * len(places)
    for maker, reader in links:
        readers[maker].append(reader)
        waits[reader] += 1
    ready = [(place, node) for node, place in enumerate(places) if waits[node] == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        node = heapq.heappop(ready)[1]
        order.append(node)
        for reader in readers[node]:
            waits[reader] -= 1
            if waits[reader] == 0:
                heapq.heappush(ready, (places[reader], reader))
    if len(order) < len(places):
        raise InputError(f"links: nodes depend on each other, among them nodes[{_first(waits)}]")
    return order


def _first(waits: Sequence[int]) -> int:
    return next(node for node, count in enumerate(waits) if count > 0)


def _duration(node: Document, key: str, where: str) -> Optional[int]:
    value = node.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 2**53:
        raise InputError(f"{where}.{key}: expected a number from 0 to 2**53, found {shown(value)}")
    return value if isinstance(value, int) else int(value + 0.5)


def from_document(document: Document) -> Graph:
    """Builds a graph from a document, such as that of `networkx.node_link_data`."""
    nodes = _member(document, "nodes", list, "")
    if _member(document, "directed", bool, "") is not True:
        raise InputError("directed: expected true: links go from maker to reader")
    attributes = document.get("graph") or {}
    size_key = attributes.get("node_output_cost_tag", "cost_ram")
    duration_key = attributes.get("node_duration_tag", "cost_cpu")
    numbers = _number_nodes(nodes)
    links = _read_links(document, numbers)
    order = _sort(links, _places(attributes, numbers))
    makers = {maker for maker, _ in links}
    inputs: list[list[int]] = [[] for _ in nodes]
    for maker, reader in links:
        inputs[reader].append(maker)
    names = [str(node.get("name", name)) for node, name in zip(nodes, numbers)]
    graph = Graph()
    for index, node in enumerate(nodes):
        size = _member(node, size_key, int, f"nodes[{index}].")
        graph.add_tensor(names[index], size, is_output=index not in makers)
    for index in order:
        duration = _duration(nodes[index], duration_key, f"nodes[{index}]")
        graph.add_operator(names[index], inputs[index], [index], duration=duration)
    return graph


def read_graph(path: Path) -> Graph:
    """Reads a graph from a file."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise FileError(error.strerror or "cannot be read", str(path)) from None
    except ValueError as error:
        raise InputError(f"not JSON: {error}", str(path)) from None
    try:
        if not isinstance(document, dict):
            raise InputError(f"expected an object, found {shown(document)}")
        return from_document(document)
    except InputError as error:
        raise InputError(error.text, str(path)) from None


def _convert(given: argparse.Namespace) -> str:
    """Reads and writes; returns a summary."""
    graph = read_graph(given.input)
    graph.save(given.output)
    return f"{graph.operator_count:,} operators; bound {graph.problem().bound:,} bytes"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python3 -m neap.node_link",
        description="Convert a graph in node-link JSON, as networkx writes it.",
    )
    parser.add_argument("input", help="the graph, with links from makers to readers")
    parser.add_argument("-o", "--output", required=True, help="the graph: .json, .dot, ...")
    given = parser.parse_args(arguments)
    return command.run("neap.node_link", lambda: _convert(given))


if __name__ == "__main__":
    sys.exit(main())
