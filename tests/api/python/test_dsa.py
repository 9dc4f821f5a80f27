# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents of dsa-solver: the problems that they become, refused documents, and written ones."""
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

import neap
import neap.dsa
import pytest
from random_problems import tries

DATA = Path(__file__).resolve().parent / "data"
ONE_POOL = [{"id": 0, "name": "p", "capacity": None, "reserved_ranges": []}]


def buffer(
    number: int, name: str, size: int, lower: int, upper: int, pools: Optional[list[int]] = None
) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "size": size,
        "alignment": 1,
        "live_intervals": [{"lower": lower, "upper": upper}],
        "allowed_pools": [0] if pools is None else pools,
    }


def pairs(*given: tuple[int, int]) -> list[dict[str, Any]]:
    return [{"first": first, "second": second} for first, second in given]


THREE = [buffer(1, "a", 8, -2, 1), buffer(2, "b", 16, 0, 3), buffer(3, "c", 4, 4, 6)]


def document(
    buffers: Any = THREE, pools: Any = ONE_POOL, terms: Any = ("total_peak",), **more: Any
) -> dict[str, Any]:
    kinds = ("colocations", "separations", "temporal_exclusions", "pinned_allocations")
    constraints = {kind: more.pop(kind, []) for kind in kinds}
    content = {
        "schema_version": 1,
        "profile": "pypto_structured",
        "instance": "i",
        "problem": {
            "pools": pools,
            "buffers": buffers,
            "constraints": constraints,
            "objective": {"aggregation": "lexicographic", "terms": list(terms)},
        },
    }
    if "costs" in more:
        content["problem"]["cost_model"] = {  # type: ignore[index]
            "reuse_penalties": more.pop("costs")
        }
    content.update(more)
    copied: dict[str, Any] = json.loads(json.dumps(content))
    return copied


def problem_of(*given: Any, **more: Any) -> neap.Problem:
    return neap.dsa.Document(document(*given, **more)).problem()


def related(problem: neap.Problem) -> list[tuple[str, int, int, int, Optional[str]]]:
    return [(r.kind, r.first, r.second, r.bytes, r.reason) for r in problem.relations]


# ---------------------------------------------------------------- reading


def test_pools_are_read() -> None:
    pools = [dict(ONE_POOL[0], id=7, capacity=64), dict(ONE_POOL[0], id=3)]
    problem = problem_of([buffer(5, "a", 8, 0, 2, [3, 7]), buffer(2, "", 8, 1, 2, [7])], pools)
    assert [(pool.name, pool.capacity) for pool in problem.pools] == [("p", 64), ("p#3", None)]
    assert problem.buffers[0].pools == (1, 0)
    assert problem.buffers[1].name == "#2"
    # dsa-solver has no term for the choice of pools.
    assert problem.objective is not None and problem.objective[:2] == ("peak", "spill")


def test_one_unlimited_pool_is_no_pool() -> None:
    problem = problem_of()
    assert not problem.pools and not problem.relations
    assert [buffer.ranges for buffer in problem.buffers] == [((0, 3),), ((2, 5),), ((6, 8),)]


def test_relations_are_read() -> None:
    problem = problem_of(
        separations=[{"first": 3, "second": 1, "reasons": ["cross_pipe", "generic"]}],
        temporal_exclusions=pairs((1, 2), (1, 3)),
        costs=[{"first": 2, "second": 3, "cost": 9, "reason": "cross_core"}],
        terms=("reuse_cost", "total_peak"),
    )
    assert related(problem) == [
        ("separation", 2, 0, 0, "cross_pipe, generic"),
        ("exclusion", 0, 1, 0, None),  # not of the first and the third, which are separated
        ("reuse_penalty", 1, 2, 9, "cross_core"),
    ]
    assert problem.objective is not None and problem.objective[1] == "reuse"


def test_colocated_buffers_get_the_largest_size() -> None:
    problem = problem_of(colocations=pairs((1, 3), (2, 1)))
    assert [buffer.size for buffer in problem.buffers] == [16, 16, 16]
    assert related(problem)[1] == ("colocation", 1, 0, 0, None)


def test_an_exclusive_pin_lives_throughout() -> None:
    pin = {"buffer": 3, "pool": 0, "offset": 32, "exclusive_for_all_time": True}
    made = neap.dsa.Document(document(pinned_allocations=[pin]))
    pinned = made.problem().buffers[2]
    assert (pinned.fixed_offset, pinned.ranges) == (32, ((0, 8),))
    assert made.problem(replan=True).buffers[2].fixed_offset is None


# ---------------------------------------------------------------- writing


# As dsa-solver prints it; its fingerprint there is that in the solution below.
CANONICAL = """{
  "instance": "i",
  "metadata": {
    "k": "\\u001f\\n\\""
  },
  "problem": {
    "buffers": [
      {
        "alignment": 1,
        "allowed_pools": [
          4
        ],
        "id": 9,
        "live_intervals": [
          {
            "lower": -1,
            "upper": 2
          }
        ],
        "name": "a",
        "size": 8
      }
    ],
    "constraints": {
      "colocations": [],
      "pinned_allocations": [],
      "separations": [],
      "temporal_exclusions": []
    },
    "objective": {
      "aggregation": "lexicographic",
      "terms": [
        "total_peak"
      ]
    },
    "pools": [
      {
        "capacity": null,
        "id": 4,
        "name": "p",
        "reserved_ranges": []
      }
    ]
  },
  "profile": "standard_dsa",
  "schema_version": 1
}
"""


def compact() -> neap.dsa.Document:
    pools = [dict(ONE_POOL[0], id=4)]
    content = document([buffer(9, "a", 8, -1, 2, [4])], pools, profile="standard_dsa")
    return neap.dsa.Document(dict(content, metadata={"k": '\x1f\n"'}))


def test_an_unchanged_document_is_written_as_dsa_solver_prints_it(tmp_path: Path) -> None:
    compact().save(tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == CANONICAL
    assert neap.dsa.fingerprint(tmp_path / "out.json") == "e44340f92e0a251c"


def test_a_changed_document_keeps_its_envelope() -> None:
    problem = neap.Problem()
    problem.add(8, 0, 3, "a", alignment=64)
    text = neap.dsa.make(problem, like=compact()).to_json()
    for part in ('"alignment": 64', '"id": 9', '"k": "\\u001f', '"lower": 0'):
        assert part in text
    problem.add(8, 0, 3, "b")  # the document of another problem is of no use
    assert '"id": 9' not in neap.dsa.make(problem, like=compact()).to_json()


def test_a_solution_names_its_problem() -> None:
    problem = neap.Problem()
    problem.add(8, 0, 3, "a", fixed_offset=24)
    text = compact().solution(neap.plan(problem))
    assert json.loads(text) == {
        "schema_version": 1,
        "profile": "standard_dsa",
        "instance": "i",
        "problem_fingerprint": "e44340f92e0a251c",
        "metadata": {"solver": "neap", "solver_version": json.loads(text)["metadata"]["solver_version"]},
        "placements": [{"buffer": 9, "offset": 24, "pool": 4}],
    }
    problem.add(8, 0, 3, "b")
    with pytest.raises(neap.InputError, match="not for this document"):
        compact().solution(neap.plan(problem))


def test_a_problem_of_ones_own_is_read_back() -> None:
    problem = neap.Problem()
    problem.add_pool("ram", capacity=64)
    problem.add(8, 0, 2, "a")
    problem.add(8, 2, 4, "b")
    problem.relate("reuse_penalty", 0, 1, 3)
    problem.relate("separation", 1, 0, reason="ours, ours")
    problem.set_objective(("moved", "reuse", "spill", "peak"))
    again = neap.dsa.make(problem).problem()
    assert again.objective == problem.objective
    assert again.buffers[0].name == "a" and again.pools == problem.pools
    assert related(again) == [
        ("separation", 1, 0, 0, "generic"),
        ("reuse_penalty", 0, 1, 3, None),
    ]


def test_what_would_be_lost_is_refused() -> None:
    for kind, count in (("overlap", 0), ("bank_separation", 8), ("colocation", 4), ("colocation", 0)):
        problem = neap.Problem()
        problem.add(8, 0, 2, "a")
        problem.add(16, 2, 4, "b")
        problem.relate(kind, 0, 1, count)
        with pytest.raises(neap.FormatError, match="'a'"):
            neap.dsa.make(problem)
    for lost in ({"hint": "x"}, {"window": (0, 64)}, {"bank": 64}, {"near": 0}):
        problem = neap.Problem()
        problem.add(8, 0, 2, "a", **lost)  # type: ignore[arg-type]
        with pytest.raises(neap.FormatError, match="'a'"):
            neap.dsa.make(problem)


# ---------------------------------------------------------------- faults


CASES: list[tuple[dict[str, Any], str]] = [
    ({"schema_version": 2}, "schema_version: .*found 2"),
    ({"profile": "x"}, "profile: unknown name 'x'.*standard_dsa"),
    ({"placements": []}, "solution"),
    ({"extra": 1}, "extra: unknown key"),
    ({"pools": []}, "problem.pools: .*at least one"),
    ({"buffers": [buffer(1, "a", 8, 0, 1, [2])]}, r"buffers\[0\].allowed_pools\[0\]: .*pool.*2"),
    ({"buffers": [buffer(1, "a", 0, 0, 1)]}, r"problem.buffers\[0\].size: .*found 0"),
    ({"buffers": [buffer(1, "a", 8, 1, 1)]}, r"live_intervals\[0\]: .*lower"),
    ({"buffers": [buffer(1, "a", 8, 0, 1)] * 2}, r"problem.buffers\[1\].id: duplicate id 1"),
    ({"buffers": [buffer(1, "a", 8, -(2**63), 1)]}, "2.63"),
    ({"temporal_exclusions": pairs((1, 4))}, "buffer, found 4"),
    ({"separations": [{"first": 1, "second": 2, "reasons": ["x"]}]}, r"reasons\[0\]: .*'x'"),
    (
        {"pinned_allocations": [{"buffer": 1, "pool": 0, "offset": 0, "exclusive_for_all_time": 1}]},
        "exclusive_for_all_time: expected true or false",
    ),
    (
        {
            "pinned_allocations": [
                {"buffer": 1, "pool": 0, "offset": 0, "exclusive_for_all_time": False}
            ]
            * 2
        },
        "pinned twice",
    ),
    ({"terms": ["total_peak", "total_peak"]}, r"terms\[1\]: total_peak is listed twice"),
    ({"terms": ["colour"]}, "unknown name 'colour'"),
]


@pytest.mark.parametrize("changes, text", CASES, ids=[text for _, text in CASES])
def test_faults_are_named(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(neap.InputError, match=text):
        problem_of(**changes)


def test_files_that_are_no_documents_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    for text, fault in (
        ('{"format": "neap-problem", "schema_version": 1}', "expected a document"),
        ('["schema_version"]', "expected a document"),
        ("", "expected a document"),
        ('{"schema_version": 1', ":1:21: not valid JSON"),
        ('{"schema_version": 1, "schema_version": 1}', "twice"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(neap.InputError, match=fault):
            neap.dsa.read(path)
    with pytest.raises(neap.FileError):
        neap.dsa.read(tmp_path / "missing.json")


@pytest.mark.parametrize("name", ["full", "plain"])
def test_damaged_documents_raise_errors(name: str, tmp_path: Path) -> None:
    given = (DATA / f"{name}.dsa.json").read_bytes()
    numbers = random.Random(name)
    path = tmp_path / "in.json"
    for _ in range(tries(400)):
        damaged = bytearray(given)
        for _ in range(numbers.randint(1, 3)):
            at = numbers.randrange(len(damaged))
            damaged[at : at + numbers.choice((0, 1, 1, 40))] = numbers.choice(
                (b"", b"0", b"-", b'"', b"}", b"9" * 19, b"null", b"[]", b"\\ud800", b"\xff")
            )
        path.write_bytes(bytes(damaged))
        try:
            neap.dsa.make(neap.dsa.read(path).problem())
        except neap.Error:
            pass


# ---------------------------------------------------------------- the command


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "neap.dsa", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command(tmp_path: Path) -> None:
    given = DATA / "full.dsa.json"
    problem, plan, solution = (tmp_path / f"{name}.json" for name in ("problem", "plan", "solution"))
    assert run(given, "-o", problem).returncode == 0
    neap.plan(neap.read(problem)).save(plan)
    done = run(plan, "--solution", "--document", given, "-o", solution)
    assert done.returncode == 0 and "6 buffers, peak" in done.stderr
    written = json.loads(solution.read_text(encoding="utf-8"))
    assert written["problem_fingerprint"] == run(given, "--fingerprint").stdout.strip()
    assert [item["buffer"] for item in written["placements"]] == [1, 2, 4, 5, 8, 9]


def test_the_command_writes_documents_of_other_problems(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,lower,upper,size\na,0,2,64\n", encoding="utf-8")
    assert run(tmp_path / "in.csv", "-o", tmp_path / "out.json").returncode == 0
    assert neap.dsa.read(tmp_path / "out.json").problem().buffers[0].size == 64
    missing = run(tmp_path / "missing.json", "-o", tmp_path / "out.json")
    assert missing.returncode == 1 and missing.stderr.startswith("neap.dsa: ")
    assert run(tmp_path / "in.csv").returncode == 2
