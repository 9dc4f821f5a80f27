# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems from snapshots of PyTorch's allocator, and files that are not snapshots."""
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import neap
import neap.snapshot
import pytest
from random_problems import tries

LIBRARY = {"filename": "/site-packages/torch/nn/functional.py", "line": 1500, "name": "relu"}
OWN = {"filename": "/home/me/model.py", "line": 12, "name": "forward"}
NATIVE = {"filename": "??", "line": 0, "name": "torch::alloc"}


def event(action: str, addr: int, size: int, *frames: object, stream: int = 0) -> dict[str, Any]:
    return {"action": action, "addr": addr, "size": size, "stream": stream, "frames": list(frames)}


def save(path: Path, *events: dict[str, Any], segments: object = (), second: object = ()) -> Path:
    data = {"device_traces": [list(events), second], "segments": segments}
    path.write_bytes(pickle.dumps(data))
    return path


def lives(problem: neap.Problem) -> list[tuple[int, int, int]]:
    return [(buffer.size, buffer.start, buffer.end) for buffer in problem.buffers]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "snapshot.pickle"


def test_requests_become_buffers(path: Path) -> None:
    save(
        path,
        event("segment_alloc", 0x1000, 2097152),
        event("alloc", 0x1000, 100, NATIVE, LIBRARY, OWN),
        event("alloc", 0x1200, 200, LIBRARY),
        event("free_requested", 0x1000, 100),
        event("free_completed", 0x1000, 100),
        event("alloc", 0x1000, 50),
        event("free_requested", 0x1200, 200),
        event("free_completed", 0x1200, 200),
        event("snapshot", 0, 0),
    )
    problem = neap.snapshot.read(path)
    assert lives(problem) == [(100, 0, 3), (200, 1, 6), (50, 4, 7)]
    names = [buffer.name for buffer in problem.buffers]
    assert names == ["forward model.py:12 #0", "relu functional.py:1500 #1", "0x1000 #2"]
    assert problem.buffers[0].hint == "/home/me/model.py:12 forward"
    assert problem.buffers[2].hint is None
    assert {buffer.alignment for buffer in problem.buffers} == {512}
    assert problem.bound == 300
    plan = neap.plan(problem)
    assert plan.peak == 512 + 100


def test_what_lives_before_and_after_the_trace(path: Path) -> None:
    blocks = [
        {"size": 512, "requested_size": 500, "state": "active_allocated", "address": 0x2000},
        {"size": 512, "state": "inactive", "address": 0x2200},
        {"size": 512, "state": 10**5000, "address": 0x2400},
        {"size": 1024, "requested_size": 700, "state": "active_allocated", "address": 0x1400},
    ]
    segments = [
        {"device": 0, "total_size": 4096, "stream": 0, "address": 0x2000, "blocks": blocks},
        {"device": 1, "total_size": 9999, "stream": 0, "address": 0x2000, "blocks": blocks},
    ]
    save(
        path,
        event("free_completed", 0x1000, 10),
        event("alloc", 0x1400, 700),
        event("free_requested", 0x1800, 30),
        segments=segments,
    )
    found = lives(neap.snapshot.read(path))
    assert found == [(10, 0, 1), (700, 1, 3), (30, 0, 3), (500, 0, 3)]


def test_addresses_of_blocks_follow_from_their_sizes(path: Path) -> None:
    blocks = [
        {"size": 512, "state": "active_allocated"},
        {"size": 1024, "state": "active_allocated", "requested_size": 1000},
    ]
    segments = [{"device": 0, "total_size": 4096, "address": 0x1000, "blocks": blocks}]
    save(path, event("alloc", 0x1000, 400), segments=segments)
    assert lives(neap.snapshot.read(path)) == [(400, 0, 1), (1000, 0, 1)]


def test_a_free_that_was_lost_ends_at_the_next_request_of_the_address(path: Path) -> None:
    save(
        path,
        event("alloc", 0x1000, 1),
        event("alloc", 0x1000, 2),
        event("free_requested", 0x1000, 2),
        event("alloc", 0x2000, 4),
        event("alloc", 0x1000, 8),
    )
    assert lives(neap.snapshot.read(path)) == [(1, 0, 1), (2, 1, 2), (4, 3, 5), (8, 4, 5)]


def test_devices_and_streams(path: Path) -> None:
    save(
        path,
        event("alloc", 0x1000, 1, stream=0),
        event("alloc", 0x2000, 2, stream=7),
        event("free_completed", 0x1000, 1, stream=0),
        second=[event("alloc", 0x1000, 64)],
    )
    assert lives(neap.snapshot.read(path, 1)) == [(64, 0, 1)]
    assert lives(neap.snapshot.read(path, stream=7)) == [(2, 0, 1)]
    assert lives(neap.snapshot.read(path, stream=0)) == [(1, 0, 1)]
    with pytest.raises(neap.ArgumentError, match="there is no device 2; the snapshot has 2"):
        neap.snapshot.read(path, 2)


class Evil:
    """Calls a function when it is unpickled."""

    def __init__(self, function: object, *arguments: object) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


def test_nothing_is_run(path: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        path.write_bytes(
            pickle.dumps({"device_traces": [[Evil(os.remove, str(victim))]]}, protocol)
        )
        with pytest.raises(neap.InputError, match="refused (STACK_)?GLOBAL at byte"):
            neap.snapshot.read(path)
    assert victim.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    "data",
    [
        b"cos\nsystem\n(S'echo x'\ntR.",  # GLOBAL, REDUCE
        b"(S'echo x'\nios\nsystem\n.",  # INST
        b"\x8c\x02os\x8c\x06system\x93.",  # STACK_GLOBAL
        b"Pid\n.",  # PERSID
        b"K\x01Q.",  # BINPERSID
        b"\x82\x01.",  # EXT1
        b"\x97.",  # NEXT_BUFFER
        b"]K\x01b.",  # BUILD
        b"K\x01)R.",  # REDUCE of a number
        b"K\x01)\x81.",  # NEWOBJ
        b"Nr\xff\xff\xff\x7f.",  # LONG_BINPUT with an index that needs gigabytes
        b"Np99999999\n.",  # PUT, likewise
        b"\x8f(K\x01\x90.",  # sets
        b"X\xff\xff\xff\x7fabc.",  # a string beyond the end
        b"]",
    ],
)
def test_opcodes_that_need_code_are_refused(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(neap.InputError, match="not a snapshot"):
        neap.snapshot.read(path)


@pytest.mark.parametrize(
    "data, message",
    [
        ([], "expected a dictionary"),
        ({}, "it has no list 'device_traces'"),
        ({"device_traces": [5]}, r"device_traces\[0\]: expected a list"),
        ({"device_traces": [[5]]}, r"device_traces\[0\]\[0\]: expected a dictionary"),
        ({"device_traces": [[{"action": "alloc"}]]}, "expected a number as 'addr', found None"),
        ({"device_traces": [[{"action": "alloc", "addr": 1, "size": -1}]]}, "as 'size', found -1"),
        ({"device_traces": [[{"action": "alloc", "addr": 1, "size": "8"}]]}, "found '8'"),
        ({"device_traces": [[{"action": "alloc", "addr": 1, "size": 2**63}]]}, "too large"),
        (
            {"device_traces": [[{"action": "alloc", "addr": 10**5000, "size": 1}]]},
            "found a huge number",
        ),
        (
            {"device_traces": [[]], "segments": [{}]},
            r"segments\[0\]: expected a number as 'total_size'",
        ),
        ({"device_traces": [[]], "segments": [{"total_size": 1, "blocks": [1]}]}, r"blocks\[0\]"),
    ],
)
def test_malformed_snapshots(path: Path, data: object, message: str) -> None:
    path.write_bytes(pickle.dumps(data))
    with pytest.raises(neap.InputError, match=message) as caught:
        neap.snapshot.read(path)
    assert caught.value.source == str(path)


def test_odd_names_can_be_saved(path: Path, tmp_path: Path) -> None:
    odd = {"filename": 'a\0b\ud800\n,".py', "line": 3, "name": "f\t\u2028"}
    huge = {"filename": "a.py", "line": 10**5000, "name": "f"}
    save(path, event("alloc", 1, 8, odd, huge), event("alloc", 2, 8, odd))
    problem = neap.snapshot.read(path)
    for name in ("problem.csv", "problem.json"):
        problem.save(tmp_path / name)
        assert lives(neap.read(tmp_path / name)) == [(8, 0, 2), (8, 1, 2)]


def test_damaged_files_raise_errors_of_neap(path: Path) -> None:
    events = [event("alloc", 4096 * n, n * 100, OWN, LIBRARY) for n in range(1, 8)]
    events += [event("free_requested", 4096 * n, n * 100) for n in (3, 5)]
    events += [event("free_completed", 4096 * n, n * 100) for n in (3, 5, 90)]
    blocks = [{"size": 512, "requested_size": 5, "state": "active_allocated", "address": 9}]
    segments = [{"device": 0, "total_size": 4096, "stream": 0, "blocks": blocks}]
    save(path, *events, segments=segments)
    good = path.read_bytes()
    rng = random.Random(2)
    for _ in range(tries(2000)):
        data = bytearray(good)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(data))
            if rng.random() < 0.5:
                data[place] = rng.randrange(256)
            else:
                data[place : place + rng.randrange(4)] = rng.randbytes(rng.randrange(4))
        path.write_bytes(data)
        try:
            neap.snapshot.read(path)
        except neap.Error:
            pass


def test_the_command(path: Path, tmp_path: Path) -> None:
    save(path, event("alloc", 4096, 100), event("free_completed", 8192, 10))

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "neap.snapshot", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    output = tmp_path / "problem.csv"
    done = run(path, "-o", output, "--device", "0")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(
        "2 buffers, 1 alive before the trace and 1 after it; bound 110 bytes"
    )
    assert neap.read(output).bound == 110
    assert run(path, "-o", output, "--device", "5").returncode == 3
    assert run("missing", "-o", output).returncode == 1
