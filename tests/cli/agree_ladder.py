# SPDX-License-Identifier: GPL-3.0-or-later
"""agree_ladder.py PROGRAM INPUT [OPTION...]: each rung of the ladder that `info` prints is what `plan` gives with the
options of that rung.  Prints each disagreement; exits with 1 if there is any."""

import json
import subprocess
import sys

program, source, options = sys.argv[1], sys.argv[2], sys.argv[3:]
faults = []


def run(*arguments: str) -> dict:
    ended = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if ended.returncode != 0:
        sys.exit(f"neap {' '.join(arguments)}: status {ended.returncode}: {ended.stderr}")
    return json.loads(ended.stdout)


used = list(options)
rungs = run("info", source, *options)["model"]["ladder"]
for rung in rungs[1:]:
    if rung.get("option"):
        words = rung["option"].split(" ")
        if words[0] in used:
            del used[used.index(words[0]) : used.index(words[0]) + len(words)]
        used += words
    plan = run("plan", source, *used)
    found = (rung["bytes"], rung["lower_bound"])
    if found[0] != plan["bound"] or not found[1] <= plan["lower_bound"] <= plan["peak"]:
        faults.append(f"{rung['step']} has {found}; 'plan {' '.join(used)}' {plan['bound']}, {plan['lower_bound']}")
    if plan["status"] == "optimal" and plan["stop_reason"] == "bound" and found[1] != plan["peak"]:
        faults.append(f"{rung['step']} has {found[1]}, the plan {plan['peak']}")

print(*faults, sep="\n", end="\n" if faults else "")
sys.exit(1 if faults or len(rungs) < 3 else 0)
