# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs neap and its peers for the tables, and writes their figures as text."""

import atexit
import csv
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = pathlib.Path(tempfile.mkdtemp(prefix="neap-bench-"))
atexit.register(shutil.rmtree, WORK, True)
PROGRAM = os.path.abspath(os.environ.get("NEAP_PROGRAM") or ROOT / "build/neap")
BUILD = pathlib.Path(PROGRAM).parent
DATA = pathlib.Path(os.environ.get("NEAP_BENCH_DATA") or HERE / "data").resolve()
PEERS = {"minimalloc": "MiniMalloc", "supermalloc": "SuperMalloc", "idealloc": "idealloc", "dsa_solver": "dsa-solver"}

GRACE = 5  # seconds that a peer gets beyond twice its limit
caps = {}  # --limit, --seeds and --count, for short runs


def capped(name, value):
    return min(value, caps.get(name) or value)


def seeds(count):
    return range(1, capped("seeds", count) + 1)


# ---------------------------------------------------------------- instances


def instances(*folders):
    """The files in folders of instances, MiniMalloc's from the source; without folders, all files."""
    if not folders:
        folders = sorted({"minimalloc"} | {found.name for found in (DATA / "instances").glob("*") if found.is_dir()})
    roots = [HERE if folder == "minimalloc" else DATA / "instances" for folder in folders]
    return [file for root, folder in zip(roots, folders) for file in sorted((root / folder).glob("*.csv"))]


def instance(name):
    """The file of one instance, such as minimalloc/J or iopddl/ideal_S_1; None if it is missing."""
    folder, start = name.split("/")
    return next((file for file in instances(folder) if file.name.startswith(start + ".")), None)


def label(file):
    return f"{file.parent.name}/{file.stem.removesuffix('.1048576')}"


def by_awk(target, script, *inputs, **values):
    """Writes the output of a script in this folder to a file."""
    settings = [text for key, value in values.items() for text in ("-v", f"{key}={value}")]
    scripts = ["-f", HERE / "random.awk", "-f", HERE / script]
    target.write_text(subprocess.check_output(["awk", *scripts, *settings, *inputs], text=True))
    return target


def constrain(source, target, **values):
    """Writes the table with constraints (see constrain.awk)."""
    return by_awk(target, "constrain.awk", source, **values)


def generate(kind, count, seed=1):
    """A generated problem; CSV cannot hold relations."""
    file = WORK / f"{kind}-{count}-{seed}.csv"
    if kind == "heap" and not file.exists():
        by_awk(file, "heap.awk", count=count)
    for file in (file, file.with_suffix(".json")):
        if file.exists() or run("gen", kind, "--count", count, "--seed", seed, "-q", "-o", file).returncode == 0:
            return file
    sys.exit(f"cannot generate {kind}")


def layered(count, width, seed=1):
    """A generated graph of operators."""
    return by_awk(WORK / f"layered-{count}-{width}-{seed}.json", "layered.awk", count=count, width=width, seed=seed)


# ---------------------------------------------------------------- neap


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def bench(files, limit, *options, seed=1):
    """The rows of neap bench."""
    if not files:
        return []
    result = run("bench", *files, "-q", "--json", "--time-limit", capped("limit", limit), "--seed", seed, *options)
    try:
        return json.loads(result.stdout)["rows"]
    except ValueError:
        sys.exit(f"neap bench failed: {result.stderr}")


def bench_seeds(file, limit, count, *options):
    return [row for seed in seeds(count) for row in bench([file], limit, *options, seed=seed)]


def timed(command, file, *options):
    """The JSON that a command of neap prints, without nulls; the seconds of the process; its exit code."""
    started = time.monotonic()
    result = run(command, file, "-q", "--json", *options)
    found = json.loads(result.stdout) if result.stdout.startswith("{") else {}
    report = {key: value for key, value in found.items() if value is not None}
    report["process_seconds"] = time.monotonic() - started
    return report, result.returncode


def plan(file, *options):
    """The report of neap plan, with the seconds of the process; without a plan, the status is 'none'."""
    report, code = timed("plan", file, *options)
    report.setdefault("status", "infeasible" if code == 4 else "none")
    return report


def from_dsa_solver(file):
    """A document of dsa-solver as a problem for neap."""
    target = WORK / f"{file.parent.name}-{file.stem}.json"
    packages = os.pathsep.join([str(BUILD / "python/staged"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": packages}
    if (BUILD / ".libs").exists():
        environment["NEAP_LIBRARIES"] = str(BUILD / ".libs")
    subprocess.run([sys.executable, "-m", "neap.dsa", file, "-o", target], env=environment, check=True,
                   capture_output=True)
    return target


# ---------------------------------------------------------------- peers


def cpsat(file, limit):
    """CP-SAT's result with the seconds of the process; None if NEAP_PEER_CPSAT names no Python with OR-Tools."""
    python = os.environ.get("NEAP_PEER_CPSAT")
    if not python:
        return None
    started = time.monotonic()
    result = subprocess.run([python, HERE / "cpsat.py", file, str(limit)], capture_output=True, text=True, check=True)
    return {**json.loads(result.stdout), "process_seconds": time.monotonic() - started}


def peer_program(name):
    return os.environ.get(f"NEAP_PEER_{name.upper()}")


def peer_title(name):
    version = os.environ.get(f"NEAP_PEER_{name.upper()}_VERSION")
    return PEERS[name] + (f" {version}" if version and peer_program(name) else "")


def buffers(path):
    """The buffers of a table by id, and the highest end of those that have offsets."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    peak = max((int(row.get("offset") or 0) + int(row["size"]) for row in rows), default=0)
    return {row["id"]: (int(row["lower"]), int(row["upper"]), int(row["size"])) for row in rows}, peak


def is_sound(problem, solution):
    return buffers(problem)[0] == buffers(solution)[0] and run("check", solution, "-q").returncode == 0


def stop(process):
    """Ends a peer and all processes that it has started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def peer_plan(name, problem, limit, capacity=0):
    """The result of a peer: (peak or None, seconds, why there is no peak)."""
    if not peer_program(name):
        return None, 0, "not run"
    limit, solution = capped("limit", limit), WORK / "peer.csv"
    solution.unlink(missing_ok=True)
    command = [peer_program(name), problem, solution, limit, capacity]
    started = time.monotonic()
    try:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    except OSError:
        return None, 0, "not run"
    try:
        output = process.communicate(timeout=2 * limit + GRACE)[0].split()
    except subprocess.TimeoutExpired:
        stop(process)
        return None, time.monotonic() - started, "killed"
    except KeyboardInterrupt:
        stop(process)
        raise
    took = time.monotonic() - started
    try:
        took = float(output[-1])
    except (IndexError, ValueError):
        pass
    if not solution.exists() or solution.stat().st_size == 0:
        return None, took, "no plan" if process.returncode == 0 or took >= limit else "failed"
    try:
        sound = is_sound(problem, solution)
    except (KeyError, ValueError):
        sound = False
    return (buffers(solution)[1], took, "") if sound else (None, took, "unsound")


# ---------------------------------------------------------------- figures as text


def number(value):
    return f"{value:,}"


def seconds(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def percent(value):
    return f"{value:.4f} %" if value else "0 %"


def mebibytes(value):
    return f"{value / 2**20:.0f} MiB"


def is_solved(row):
    """Whether the peak is proven to be the lowest, or is within the capacity that was asked for."""
    return row["peak"] >= 0 and row["stop_reason"] in ("bound", "proven", "capacity")


def solved(rows):
    return f"{sum(map(is_solved, rows))} of {len(rows)}"


def spread(rows):
    """Median and worst seconds.  Unsolved runs count with the time that they took, and mark times with a >."""
    open_from = min((row["seconds"] for row in rows if not is_solved(row)), default=float("inf"))
    times = [max(row["seconds"], 0) for row in rows]
    return [("> " if time >= open_from else "") + seconds(time) for time in (statistics.median(times), max(times))]


def gaps(rows):
    """Median and worst gap."""
    values = [row["gap_percent"] if row["peak"] >= 0 else float("inf") for row in rows]
    return ["no plan" if value == float("inf") else percent(value)
            for value in (statistics.median(values), max(values))]


def outcome(row):
    """Seconds to a proven plan, or else the gap."""
    if is_solved(row):
        return seconds(row["seconds"]) + " s"
    return percent(row["gap_percent"]) if row["peak"] >= 0 else "no plan"


# ---------------------------------------------------------------- programs


def until_interrupted(main):
    """Runs a program, and ends it on a signal as Ctrl-C does."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
