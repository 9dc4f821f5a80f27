# SPDX-License-Identifier: GPL-3.0-or-later
"""agree.py [--ladder] PROGRAM INPUT [OPTION...]: plans INPUT and compares the figures of all outputs: text, JSON, the
plan, what `check` says of it, the page and the drawings.  With --ladder: each rung of the ladder that `info` prints is
what `plan` gives with the options of that rung.  Prints each disagreement; exits with 1 if there is any."""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

is_ladder = sys.argv[1] == "--ladder"
program, source, *options = sys.argv[1 + is_ladder :]
faults = []


def run(*arguments: str) -> str:
    ended = subprocess.run([program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if ended.returncode != 0:
        sys.exit(f"neap {' '.join(arguments)}: status {ended.returncode}: {ended.stderr}")
    return ended.stdout


def expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        faults.append(f"{what}: {found!r}, but the JSON of 'plan' has {expected!r}")


def grouped(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def bytes_after(label: str, text: str) -> int | None:
    found = re.search(rf"{label} +(\d+) bytes", text)
    return int(found[1]) if found else None


def check_line(what: str, text: str, report: dict) -> None:
    """A lower bound is shown where it is above the bound."""
    expect(f"{what}, peak", bytes_after(r"\bpeak", text), report["peak"])
    expect(f"{what}, bound", bytes_after(r"(?<!lower )\bbound", text), report["bound"])
    lower = report["lower_bound"] if report["lower_bound"] > report["bound"] else None
    expect(f"{what}, lower bound", bytes_after(r"\blower bound", text), lower)


def check_summary(text: str, report: dict) -> None:
    head, _, pools = text.partition("\npools ")
    check_line("text", head, report)
    gap = re.search(r"^gap +([\d.]+) %", text, re.M)
    expect("text, gap", float(gap[1]) if gap else None, round(report["gap_percent"], 2))
    expect("text, status", bool(re.search(rf"^status +{report['status']}\b", text, re.M)), True)
    lines = pools.split("\n")
    for line, pool in zip(lines, report.get("pools", [])):
        check_line(f"text, pool {pool['name']}", line, pool)


KEYS = ["peak", "bound", "lower_bound", "status", "pools"]


def check_report(what: str, found: dict, report: dict, keys: list[str] = KEYS) -> None:
    for key in keys:
        expect(f"{what}, {key}", found.get(key), report.get(key))
    expect(f"{what}, gap", round(found["gap_percent"], 2), round(report["gap_percent"], 2))


def live_curves(plan: dict) -> Iterator[tuple[list[int], list[int]]]:
    """The curve of each pool as the page finds it: from the plan, or else as sums of sizes."""
    if "live" in plan:
        for curve in plan["live"]:
            yield curve["times"], curve["bytes"]
        return
    for pool in [pool["name"] for pool in plan.get("pools", [])] or [None]:
        changes: dict[int, int] = {}
        for buffer in plan["buffers"]:
            if pool is None or buffer["pool"] == pool:
                for start, end in buffer["lifetimes"]:
                    changes[start] = changes.get(start, 0) + buffer["size"]
                    changes[end] = changes.get(end, 0) - buffer["size"]
        times, alive, total = sorted(changes), [], 0
        for time in times:
            total += changes[time]
            alive.append(total)
        yield times, alive


def check_curves(plan: dict, report: dict) -> int:
    """Checks that each curve reaches the bound; returns the highest sum of all curves at one moment."""
    curves = list(live_curves(plan))
    for (_, alive), pool in zip(curves, report.get("pools", [report])):
        expect(f"the highest live bytes of {pool.get('name', 'the plan')}", max(alive, default=0), pool["bound"])
    most = 0
    for moment in sorted({time for times, _ in curves for time in times}):
        total = 0
        for times, alive in curves:
            total += next((b for t, b in zip(reversed(times), reversed(alive)) if t <= moment), 0)
        most = max(most, total)
    return most


def check_svg(svg: str, report: dict, most: int) -> None:
    texts = [re.sub("<[^>]*>", "", text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)]
    described = re.search(r"Peak (\d+) bytes, bound (\d+) bytes, best lower bound (\d+) bytes", svg)
    expect(
        "SVG, description",
        [int(number) for number in described.groups()] if described else None,
        [report["peak"], report["bound"], report["lower_bound"]],
    )
    figures = {"Peak": report["peak"], "Bound": report["bound"]}
    if report["lower_bound"] > report["bound"]:
        figures["Lower bound"] = report["lower_bound"]
    expect("SVG, shows a lower bound", "Lower bound" in texts, "Lower bound" in figures)
    for label, number in figures.items():
        beside = texts[texts.index(label) + 1 :][:2] if label in texts else []
        shown = [int(re.sub(r"\D", "", text)) for text in beside if text.endswith("bytes") or text.endswith(" B")]
        expect(f"SVG, {label}", shown[-1:], [number])
    level = "most at one moment" if len(report.get("pools", [])) > 1 else "bound"
    expect("SVG, level of the curve", texts[texts.index(level) + 1] if level in texts else None, human(most))


def human(number: int) -> str:
    for unit, size in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if number >= size:
            return f"{number / size:.2f} {unit}"
    return f"{number} B"


def check_text_drawing(text: str, report: dict) -> None:
    words = f"peak {human(report['peak'])}, bound {human(report['bound'])}"
    if report["lower_bound"] > report["bound"]:
        words += f", lower bound {human(report['lower_bound'])}"
    expect("text drawing", words in text, True)


def check_outputs() -> None:
    with tempfile.TemporaryDirectory() as folder:
        plan, page, svg = (str(Path(folder) / name) for name in ("a.plan.json", "a.html", "a.svg"))
        report = json.loads(run("plan", source, *options, "--json"))
        summary = run("plan", source, *options, "-o", plan, "--html", page, "--svg", svg)
        check_summary(summary, report)
        written = json.loads(Path(plan).read_text())
        check_report("plan", written["report"], report)
        checked = json.loads(run("check", plan, "--json"))
        check_report("check --json", checked, report, ["peak", "bound", "lower_bound"])
        check_line("check", run("check", plan).split("\npools")[0], report)
        embedded = re.search(r'<script type="application/json" id="plan"[^>]*>\n(.*?)</script>', Path(page).read_text(), re.S)
        shown = json.loads(embedded[1]) if embedded else {}
        expect("page, plan", {key: shown.get(key) for key in ("report", "live", "buffers")}, {key: written.get(key) for key in ("report", "live", "buffers")})
        most = check_curves(written, report)
        check_svg(Path(svg).read_text(), report, most)
        check_text_drawing(run("draw", plan, "--text"), report)


def check_bands(rung: dict, used: list[str]) -> None:
    """The search of `info` ends early, and its bands use no colocated tensors."""
    kept = [word for k, word in enumerate(used) if "--alias" not in used[max(k - 1, 0) : k + 1] and word != "--in-place"]
    plan = json.loads(run("plan", source, *kept, "--json"))
    if plan["bound"] > rung["bytes"]:
        faults.append(f"bands have {rung['bytes']}; 'plan {' '.join(kept)}' {plan['bound']}")


def check_ladder() -> None:
    used = list(options)
    rungs = json.loads(run("info", source, *options, "--json"))["model"]["ladder"]
    if len(rungs) < 3:
        faults.append(f"the ladder has {len(rungs)} rungs")
    for rung in rungs[1:]:
        if rung.get("option"):
            for option in re.split(" (?=--)", rung["option"]):
                words = option.split(" ")
                if words[0] in used:
                    del used[used.index(words[0]) : used.index(words[0]) + len(words)]
                used += words
        if rung["step"].startswith("bands"):
            check_bands(rung, used)
            continue
        plan = json.loads(run("plan", source, *used, "--json"))
        found = (rung["bytes"], rung["lower_bound"])
        if found[0] != plan["bound"] or not found[1] <= plan["lower_bound"] <= plan["peak"]:
            faults.append(f"{rung['step']} has {found}; 'plan {' '.join(used)}' {plan['bound']}, {plan['lower_bound']}")
        if plan["status"] == "optimal" and plan["stop_reason"] == "bound" and found[1] != plan["peak"]:
            faults.append(f"{rung['step']} has {found[1]}, the plan {plan['peak']}")


check_ladder() if is_ladder else check_outputs()
print(*faults, sep="\n", end="\n" if faults else "")
sys.exit(1 if faults else 0)
