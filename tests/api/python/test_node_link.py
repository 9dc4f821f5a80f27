# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs in node-link JSON, and documents that are not such graphs."""
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import neap
import neap.node_link
import pytest

CHECKMATE = {
    "directed": True,
    "graph": {"name": "net_train"},
    "nodes": [
        {"name": "conv", "cost_cpu": 7.5, "cost_ram": 40, "id": 0},
        {"name": "conv_backward", "cost_cpu": 9, "cost_ram": 30, "id": 2},
        {"name": "loss", "cost_cpu": 1, "cost_ram": 8, "id": 1},
    ],
    "links": [{"source": 0, "target": 1}, {"source": 0, "target": 2}, {"source": 1, "target": 2}],
}
MOCCASIN = {
    "directed": True,
    "graph": {"node_output_cost_tag": "out_cost", "order": [0, 3, 2, 1]},
    "nodes": [{"out_cost": 5 - name, "name": name} for name in range(4)],
    "edges": [{"0": 0, "1": 2}, {"0": 0, "1": 3}, {"0": 2, "1": 1}, {"0": 3, "1": 1}],
}


def lives(graph: neap.Graph) -> list[tuple[str, int, int, int]]:
    return [(buffer.name, buffer.start, buffer.end, buffer.size) for buffer in graph.problem().buffers]


def changed(**members: Any) -> dict[str, Any]:
    return {**CHECKMATE, **members}


def test_operators_run_after_all_that_they_depend_on() -> None:
    graph = neap.node_link.from_document(CHECKMATE)
    assert graph.operators == ["conv", "loss", "conv_backward"]
    assert lives(graph) == [("conv", 0, 3, 40), ("conv_backward", 2, 3, 30), ("loss", 1, 3, 8)]
    assert graph.problem().bound == 78


def test_documents_name_their_keys_and_an_order() -> None:
    graph = neap.node_link.from_document(MOCCASIN)
    assert lives(graph) == [("0", 0, 3, 5), ("1", 3, 4, 4), ("2", 2, 4, 3), ("3", 1, 4, 2)]


def test_durations_are_rounded(tmp_path: Path) -> None:
    neap.node_link.from_document(CHECKMATE).save(tmp_path / "graph.json")
    operators = json.loads((tmp_path / "graph.json").read_text())["operators"]
    assert [operator.get("duration", 1) for operator in operators] == [8, 1, 9]


NODES: list[dict[str, Any]] = CHECKMATE["nodes"]  # type: ignore[assignment]
LINKS: list[dict[str, Any]] = CHECKMATE["links"]  # type: ignore[assignment]


@pytest.mark.parametrize(
    "document, words",
    [
        (changed(directed=False), "directed: expected true"),
        (changed(nodes=7), "nodes: expected list"),
        (changed(nodes=[NODES[0], NODES[0]]), "nodes[1].id: two nodes are called 0"),
        (changed(nodes=[{"id": 0}, *NODES[1:]]), "nodes[0].cost_ram: expected int"),
        (changed(nodes=[{**NODES[0], "cost_cpu": -1}, *NODES[1:]]), "nodes[0].cost_cpu: expected"),
        (changed(links=[{"source": 0, "target": 7}]), "links[0]: no node is called 7"),
        (changed(links=[3]), "links[0]: expected an object"),
        (changed(links=[*LINKS, {"source": 2, "target": 0}]), "nodes depend on each other"),
        (changed(graph={"order": [0, 1]}), "graph.order: expected 3 nodes, found 2"),
        (changed(graph={"order": [0, 1, 1]}), "graph.order[2]: the node is there twice"),
    ],
)
def test_other_documents_are_refused(document: dict[str, Any], words: str) -> None:
    with pytest.raises(neap.InputError) as caught:
        neap.node_link.from_document(document)
    assert words in str(caught.value)


def convert(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "neap.node_link", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_a_graph(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(json.dumps(CHECKMATE))
    done = convert(tmp_path / "in.json", "-o", tmp_path / "out.json")
    assert (done.returncode, done.stderr) == (0, "3 operators; bound 78 bytes\n")
    assert neap.plan(tmp_path / "out.json", schedule="optimal").peak == 78


def test_the_command_reports_files_that_are_no_graphs(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text("[1")
    assert convert(tmp_path / "none.json", "-o", tmp_path / "out.json").returncode == 1
    done = convert(tmp_path / "in.json", "-o", tmp_path / "out.json")
    assert done.returncode == 3 and "not JSON" in done.stderr
    (tmp_path / "in.json").write_text(json.dumps(changed(nodes=7)))
    done = convert(tmp_path / "in.json", "-o", tmp_path / "out.json")
    assert done.returncode == 3 and "in.json: nodes: expected list" in done.stderr
