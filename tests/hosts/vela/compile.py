# SPDX-License-Identifier: GPL-3.0-or-later
"""compile.py MODEL [OPTION...]: compiles a model with Vela, with and without neap.

With neap, nothing that Vela allocates may be larger.  Exits with 77 if Vela alone cannot compile
the model.
"""
from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WAYS = {
    "host": "Vela alone",
    "function": "neap's function in place of Vela's",
    "install": "neap installed",
}


def compile_model(way: str, folder: str, arguments: list[str]) -> dict[str, object]:
    """Compiles in this process, and returns what is compared."""
    from ethosu.vela import hillclimb_allocation as hill_climb
    from ethosu.vela import vela

    import neap.hosts.vela

    if way == "function":
        hill_climb.allocate_live_ranges = neap.hosts.vela.allocate_live_ranges
    elif way == "install":
        neap.hosts.vela.install()
    allocate = hill_climb.allocate_live_ranges
    peaks = []

    def note(lrs, *limits):
        addresses = allocate(lrs, *limits)
        peaks.append(max((int(a + lr.size) for a, lr in zip(addresses, lrs)), default=0))
        return addresses

    hill_climb.allocate_live_ranges = note
    if vela.main([*arguments, "--output-dir", folder]):
        sys.exit("Vela failed")
    (summary,) = Path(folder).glob("*_summary_*.csv")
    (output,) = Path(folder).glob("*_vela.tflite")
    with summary.open() as file:
        row = next(csv.DictReader(file))
    return {
        "sram": round(float(row["sram_memory_used"]) * 1024),
        "peaks": peaks,
        "cycles": float(row["cycles_total"]),
        "output": hashlib.sha256(output.read_bytes()).hexdigest()[:8],
    }


def run(way: str, arguments: list[str]) -> dict[str, object] | None:
    """Compiles in a process of its own; None if Vela fails."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [sys.executable, __file__, way, folder, report, *arguments]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        if process.returncode:
            print(f"{WAYS[way]}:", (process.stdout + process.stderr)[-2000:])
            return None
        with open(report, encoding="utf-8") as file:
            return json.load(file)


def compare(arguments: list[str]) -> int:
    """Prints the results of all ways, and returns whether those with neap are good."""
    results = {way: run(way, arguments) for way in WAYS}
    for way, result in results.items():
        print(f"{WAYS[way]}: {result}")
    host = results["host"]
    if host is None:
        return 77
    for result in results.values():
        if result is None or result["sram"] > host["sram"]:
            return 1
        if len(result["peaks"]) != len(host["peaks"]):
            return 1
        if any(ours > theirs for ours, theirs in zip(result["peaks"], host["peaks"])):
            return 1
    return 0


def main() -> int:
    """Compares, or compiles in the way given by the first argument."""
    if sys.argv[1] not in WAYS:
        return compare(sys.argv[1:])
    way, folder, report, *arguments = sys.argv[1:]
    result = compile_model(way, folder, arguments)
    with open(report, "w", encoding="utf-8") as file:
        json.dump(result, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
