# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows the advice of neap explain: does the model then fit?

    explained.py PROGRAM MODEL PERCENT...

Explains capacities of so many percent of the lowest peak.  Options that neap explain lists are given to neap plan.
Changes of buffers are made in the problem that neap convert writes with these options, which is then planned.  Prints
what is wrong.
"""
from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)


class Advice:
    def __init__(self, program: str, model: str, capacity: int) -> None:
        self.program, self.model, self.capacity = program, model, capacity

    def fits(self, path: str, *options: str) -> bool:
        return run(self.program, "plan", path, "--capacity", str(self.capacity), "-q", *options).returncode == 0

    def change(self, problem: dict[str, Any], change: dict[str, Any]) -> None:
        buffers = {buffer["name"]: buffer for buffer in problem["buffers"]}
        buffer, overlaps = buffers[change["buffer"]], problem.setdefault("overlaps", [])
        if change["kind"] == "size":
            buffer["size"] -= change["bytes"]
            for overlap in overlaps:
                overlap["bytes"] = min(overlap["bytes"], buffers[overlap["first"]]["size"])
        elif change["kind"] == "overlap":
            rest = buffer["size"] - change["bytes"]
            overlaps.append({"first": change["buffer"], "second": change["other"], "bytes": rest})
        else:
            raise ValueError(f"a change of a graph's tensor is {change['kind']}")

    def fix_fits(self, fix: dict[str, Any], *options: str) -> bool:
        if any(change["kind"] == "capacity" for change in fix["changes"]):
            return run(self.program, "plan", self.model, "--capacity", str(fix["peak"]), "-q").returncode == 0
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "changed.json"
            run(self.program, "convert", self.model, "-o", str(path), *options).check_returncode()
            problem = json.loads(path.read_text())
            del problem["operators"]  # tensors of other sizes would have other shapes
            for buffer in problem["buffers"]:
                buffer.pop("shape", None)
            for change in fix["changes"]:
                self.change(problem, change)
            path.write_text(json.dumps(problem))
            return self.fits(str(path))

    def check(self, optimum: int) -> None:
        done = run(self.program, "explain", self.model, "--capacity", str(self.capacity), "--json")
        found = json.loads(done.stdout)
        fits = self.capacity >= optimum
        if done.returncode != (0 if fits else 4) or (found["verdict"] == "fits") != fits:
            print(f"{self.capacity}: exit status {done.returncode}, verdict {found['verdict']}: {done.stderr}")
        if found["peak"] != optimum:
            print(f"{self.capacity}: peak {found['peak']}, that of neap plan {optimum}")
        for option in found["options"]:
            words, fix = option["options"].split(), option["fix"]
            if option["peak"] > self.capacity:
                print(f"{self.capacity}: too high: {option}")
            if not (self.fix_fits(fix, *words) if fix else self.fits(self.model, *words)):
                print(f"{self.capacity}: does not help: {option}")
        for fix in found["fixes"]:
            if not self.fix_fits(fix):
                print(f"{self.capacity}: does not help: {fix}")


def main(program: str, model: str, *percents: str) -> None:
    optimum = json.loads(run(program, "plan", model, "--json").stdout)["peak"]
    for percent in map(int, percents):
        Advice(program, model, optimum * percent // 100).check(optimum)


if __name__ == "__main__":
    main(*sys.argv[1:])
