# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of BENCHMARKS.md, results.md and the guides.  A function returns what was run, the header and the rows."""

import collections
import importlib.util
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

from measure import (BUILD, DATA, HERE, PEERS, PROGRAM, ROOT, WORK, bench, bench_seeds, capped, caps, constrain, cpsat,
                     from_dsa_solver, gaps, generate, instance, instances, is_solved, label, layered, mebibytes, number, outcome,
                     peer_plan, peer_title, percent, plan, run, seconds, seeds, solved, spread, timed)
from methods import what_each_is_worth

TABLES = {}
EXACT = ("--engine", "exact")
# Tables that no other table is compared with, because their figures are no times, change with the planner alone or their peer
# runs beside it; so they may be of other commits.
APART = {"methods", "wide", "constraints", "splits", "dominance", "field", "library", "mixed", "process",
         "tflm"}


def table(function):
    TABLES[function.__name__] = function
    return function


def shown(limit, seed_count=1):
    """The end of a command."""
    text = f" --time-limit {capped('limit', limit):g}"
    return text + (f" --seed S`, S from 1 to {len(seeds(seed_count))}" if seed_count > 1 else "`")


def elapsed(row):
    """The seconds of a run that need prove nothing."""
    return ("> " if row["stop_reason"] in ("time_limit", "") else "") + seconds(max(row["seconds"], 0))


def kinds():
    """The kinds of problems that neap or heap.awk generates."""
    return [*re.findall("^  ([a-z]+) ", run("help", "kinds").stdout, re.MULTILINE), "heap"]


def folders(rows):
    """Rows of neap bench by the folder of their instance."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[pathlib.Path(row["instance"]).parent.name].append(row)
    return groups


# ---------------------------------------------------------------- public instances


@table
def everything():
    rows = bench(instances(), 5)
    groups = [*folders(rows).items(), ("all", rows)]
    header = ["instances", "proven optimal", "most buffers", "seconds together", "slowest"]
    return (f"`neap bench INSTANCES{shown(5)}", header, [
        [name, f"{sum(row['status'] == 'optimal' for row in group)} of {len(group)}",
         number(max(row["buffers"] for row in group)), seconds(sum(row["seconds"] for row in group)), spread(group)[1]]
        for name, group in groups])


@table
def hard():
    rows = []
    for name, threads in itertools.product(("minimalloc/J", "minimalloc/D", "iopddl/ideal_S_1"), (1, 2)):
        file = instance(name)
        found = bench_seeds(file, 30, 10, "--threads", threads) if file else []
        if found:
            title = name.split("/")[1].removeprefix("ideal_")
            rows.append([title + (", two threads" if threads > 1 else ""), solved(found), *gaps(found), *spread(found)])
    header = ["problem", "proven", "gap, median", "gap, worst", "seconds, median", "seconds, worst"]
    return f"`neap bench FILE{shown(30, 10)}; with `--threads 2` as well", header, rows


@table
def threads():
    """Whether helpers delay results: on the hard three and all others that take longest."""
    slowest = sorted(bench(instances(), 5), key=lambda row: row["seconds"])[-20:]
    rows = []
    for file in sorted(pathlib.Path(row["instance"]) for row in slowest):
        found = [bench_seeds(file, 30, 5, "--threads", count) for count in (1, 2)]
        one, two = (statistics.median(row["seconds"] for row in group) for group in found)
        medians, worsts = zip(*map(spread, found))
        rows.append([label(file), number(found[0][0]["buffers"]), *medians, f"{two / one:.2f}", *worsts])
    return (f"`neap bench FILE --threads N{shown(30, 5)}, for the 20 public instances that take longest: seconds",
            ["instance", "buffers", "one thread, median", "two threads, median", "ratio", "one, worst", "two, worst"], rows)


@table
def lowest():
    files = [file for file in instances("minimalloc", "somas", "iopddl", "xla", "pytorch")
             if file.parent.name == "minimalloc" or sum(1 for _ in open(file, encoding="utf-8")) > 600]
    runs = collections.defaultdict(list)
    for seed in seeds(3):
        for row in bench(files, 30, seed=seed):
            runs[label(pathlib.Path(row["instance"]))].append(row)
    header = ["instance", "buffers", "peak, worst", "gap", "proven", "seconds, median", "seconds, worst", "memory"]
    return f"`neap bench INSTANCES{shown(30, 3)}", header, [
        [name, number(group[0]["buffers"]), number(max(row["peak"] for row in group)), gaps(group)[1], solved(group),
         *spread(group), mebibytes(max(row["memory"] for row in group))] for name, group in runs.items()]


@table
def capacity():
    """Peers as well, once each."""
    files, rows, sums = instances("minimalloc"), [], collections.Counter()
    for file in files:
        found = bench_seeds(file, 10, 10, *EXACT, "--capacity-from-name", "--until-fits")
        row = [label(file), number(found[0]["buffers"]), *spread(found)]
        sums["neap"] += statistics.median(run["seconds"] for run in found)
        for name in PEERS:
            peak, took, why = peer_plan(name, file, 10, 1048576)
            fits = peak is not None and peak <= 1048576
            row.append(seconds(took) if fits else why or f"does not fit ({number(peak)})")
            sums[name] += took if fits else math.inf
        rows.append(row)
    together = [seconds(sums[name]) if sums[name] < math.inf else "-" for name in PEERS]
    header = ["instance", "buffers", "neap: seconds, median", "neap: worst", *map(peer_title, PEERS)]
    command = " ".join([*EXACT, "--capacity-from-name", "--until-fits"])
    return (f"`neap bench FILE {command}{shown(10, 10)}; peers once, in the same time", header,
            [*rows, ["together", "", seconds(sums["neap"]), "", *together]])


@table
def peers():
    rows = []
    for file in filter(None, [*instances("minimalloc"), *map(instance, (
            "somas/resnet50", "somas/pangu_2.6B", "iopddl/ideal_S_1", "iopddl/K_s0"))]):
        own = bench([file], 5)[0]
        row = [label(file), number(own["lower_bound"]), outcome(own)]
        for name in PEERS:
            peak, took, why = peer_plan(name, file, 5)
            row.append(why if peak is None else f"{seconds(took)} s" if peak == own["lower_bound"] else
                       percent(100 * (peak / own["lower_bound"] - 1)))
        rows.append(row)
    return (f"`neap bench FILE{shown(5)}, and peers in the same time: seconds to a plan at the lower bound, or the "
            "gap of the best plan", ["instance", "lower bound", "neap", *map(peer_title, PEERS)], rows)


# ---------------------------------------------------------------- constraints


@table
def alignments():
    rows = []
    for file in instances("minimalloc"):
        row = [label(file)]
        for seed, list_of in ((1, "4096"), (1, "64 1024 2048 4096"), (2, "64 1024 2048 4096")):
            aligned = constrain(file, WORK / "aligned.csv", seed=seed, alignments=list_of)
            row.append(outcome(bench([aligned], 5)[0]))
        rows.append(row)
    return (f"`neap bench FILE{shown(5)}, with `constrain.awk -v seed=S -v alignments=LIST`",
            ["instance", "4096", "64, 1024, 2048 or 4096: choice 1", "choice 2"], rows)


@table
def mixed():
    rows = []
    for file in instances():
        aligned = constrain(file, WORK / f"mixed-{label(file).replace('/', '-')}.csv", seed=5, alignments="64 256 4096")
        rows.append({**bench([aligned], 3, "--threads", 1)[0], "instance": file})
    groups = [*folders(rows).items(), ("all", rows)]
    return (f"`neap bench FILE{shown(3)[:-1]} --threads 1`, with `constrain.awk -v seed=5 -v alignments='64 256 4096'`",
            ["instances", "proven", "gap, worst", "seconds together"],
            [[name, solved(group), gaps(group)[1], seconds(sum(row["seconds"] for row in group))] for name, group in groups])


def pinned(file, share):
    """The problem with a share of its buffers fixed where a plan within its capacity has them; None without a plan."""
    whole = WORK / f"{file.stem}.plan.csv"
    if not whole.exists():
        run("plan", file, "-q", *EXACT, "--capacity", 1048576, "--until-fits", "-o", whole)
    return constrain(whole, WORK / f"{file.stem}.{share}-pins.csv", seed=1, pins=share) if whole.exists() else None


@table
def pins():
    rows = []
    for share in (5, 20, 50, 80):
        files = filter(None, [pinned(file, share) for file in instances("minimalloc")])
        group = [bench([file], 5, *EXACT, "--capacity", 1048576, "--until-fits")[0] for file in files]
        left = [pathlib.Path(row["instance"]).name.split(".")[0] for row in group if not is_solved(row)]
        rows.append([f"{share} %", solved(group), *spread(group), ", ".join(left) or "none"])
    command = " ".join([*EXACT, "--capacity 1048576", "--until-fits"])
    return (f"`neap bench FILE {command}{shown(5)}, with `constrain.awk -v seed=1 -v pins=PERCENT`",
            ["fixed", "solved", "seconds, median", "seconds, worst", "open"], rows)


@table
def giants():
    mixed = {"alignments": "64 512"}
    rows = []
    for file in filter(None, map(instance, ("somas/pangu_2.6B", "iopddl/A_s0", "iopddl/K_s0", "iopddl/L_smin"))):
        whole, aligned, target = (WORK / f"{file.stem}.{what}.csv" for what in ("whole", "aligned", "target"))
        run("plan", file, "-q", "--time-limit", capped("limit", 10), "-o", whole)
        run("plan", constrain(file, target, seed=1, **mixed), "-q", "--time-limit", capped("limit", 10), "-o", aligned)
        row = [label(file), outcome(bench([file], 10)[0])]
        for source, how in ((whole, {"pin_count": 1}), (whole, {"pins": 1}), (whole, {"pins": 10}), (file, mixed),
                            (aligned, {"pins": 1})):
            row.append(outcome(bench([constrain(source, target, seed=1, **how)], 10)[0]) if source.exists()
                       else "no plan")
        rows.append(row)
    return (f"`neap bench FILE{shown(10)}, with `constrain.awk -v seed=1`: seconds to a proven plan, or the gap",
            ["instance", "free", "one fixed", "1 % fixed", "10 % fixed", "aligned to 64 or 512",
             "aligned and 1 % fixed"], rows)


# ---------------------------------------------------------------- generated problems


@table
def packings():
    rows = []
    for kind, count in itertools.product(("perfect", "sheet"), (200, 400, 1000, 2000)):
        found = [row for seed in seeds(20) for row in bench([generate(kind, capped("count", count), seed)], 10)]
        rows.append([f"{kind}, {count}", solved(found), gaps(found)[1], *spread(found)])
    return (f"`neap gen KIND --count N --seed S`, S from 1 to {len(seeds(20))}, then `neap bench FILE{shown(10)}",
            ["kind, pieces", "solved", "gap, worst", "seconds, median", "seconds, worst"], rows)


@table
def million():
    rows = []
    for kind in ("branch", "chain", "random", "trace", "heap"):
        file = generate(kind, capped("count", 1000000))
        for engine in ("auto", "sort"):
            row = bench([file], 30, "--engine", engine, *(("--order", "size") if engine == "sort" else ()))[0]
            memory = [mebibytes(row["memory"]), f"{row['memory'] / row['buffers']:.0f}"]
            rows.append([f"{kind}, {engine}", percent(row["gap_percent"]), row["status"], elapsed(row), *memory])
    return (f"`neap gen KIND --count {capped('count', 1000000)}`, then `neap bench FILE --engine ENGINE{shown(30)}, "
            "for `sort` with `--order size`; `heap` is from `heap.awk`",
            ["kind, engine", "gap", "status", "seconds", "memory", "bytes a buffer"], rows)


@table
def sorting():
    rules = ("lowest", "drop", "tight", "best-fit")
    rows = []
    for kind, order in itertools.product(("heap", "trace"), ("size", "duration,size", "size*duration")):
        file = generate(kind, capped("count", 1000000))
        options = ("--engine", "sort", "--order", order, "--place")
        rows.append([f"{kind}, `{order}`"] + [elapsed(bench([file], 60, *options, rule)[0]) for rule in rules])
    return (f"`neap bench FILE --engine sort --order ORDER --place RULE{shown(60)}, {capped('count', 1000000)} "
            "buffers: seconds", ["kind, order", *rules], rows)


def slope(points):
    """The slope of the least-squares line through the logarithms of (count, seconds), and its ends; None below three counts."""
    if len({count for count, _ in points}) < 3:
        return None, []
    logs = [(math.log(count), math.log(max(took, 1e-6))) for count, took in points]
    mean_x, mean_y = (statistics.fmean(values) for values in zip(*logs))
    value = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    counts = [count for count, _ in points]
    return value, [(x, math.exp(mean_y + value * (math.log(x) - mean_x))) for x in (min(counts), max(counts))]


def draw_growth(series):
    """Draws growth.svg, if gnuplot is installed."""
    if not shutil.which("gnuplot"):
        print("no picture: gnuplot is missing (Debian: gnuplot-nox)", file=sys.stderr)
        return
    blocks = {"points": "", "lines": ""}
    for _, _, runs, _, ends in series:
        blocks["points"] += "".join(f"{count} {took} {int(ended)}\n" for count, took, ended in runs) + "\n\n"
        blocks["lines"] += "".join(f"{x} {y}\n" for x, y in ends or [("NaN", "NaN")] * 2) + "\n\n"
    words = zip(*((engine, kind, text) for engine, kind, _, text, _ in series))
    blocks["names"] = "".join(f'{name} = "{" ".join(row)}"\n'
                              for name, row in zip(("engines", "kinds", "slopes"), words))
    for name, text in blocks.items():
        (WORK / name).write_text(text)
    svg = subprocess.check_output(["gnuplot", HERE / "growth.gnuplot"], cwd=WORK, text=True)
    dark = ('<title>Planning time by number of buffers</title>\n<style>@media (prefers-color-scheme: dark) {\n'
            'rect[fill="#ffffff"] { fill: #10141b } [fill=black] { fill: #e4e9f0 }\n'
            '[stroke=black] { stroke: #e4e9f0 } [color=black] { color: #e4e9f0 }\n}</style>')
    svg = re.sub("<title>.*</title>", dark, re.sub(".*<desc>.*\n", "", svg), count=1)
    pathlib.Path(caps["picture"] or "growth.svg").write_text(svg)


@table
def growth():
    most = capped("count", 1000000)
    counts = [count for count in (1000, 10000, 100000, 1000000) if count <= most]
    if len(counts) < 3:  # a slope needs three counts, further apart than the noise of a short run
        counts = [most // 100 + 1, most // 10 + 1, most]
    series = []
    for engine, kind in itertools.product(("auto", "sort"), kinds()):
        options, runs = (("--order", "size") if engine == "sort" else ()), []
        for count in counts:
            file = generate(kind, count)
            repeat = 3 if count < 100000 else 1
            row = bench([file], 12, "--engine", engine, *options, "--runs", repeat)[0]
            runs.append((count, row["seconds"], row["stop_reason"] not in ("time_limit", "")))
            if not runs[-1][2]:
                break
        value, ends = slope([(count, took) for count, took, ended in runs if ended])
        series.append((engine, kind, runs, f"{value:.2f}" if value else "-", ends))
    draw_growth(series)
    return (f"`neap gen KIND --count N`, then `neap bench FILE --engine ENGINE{shown(12)}, for `sort` with "
            "`--order size`; `heap` is from `heap.awk`: seconds",
            ["engine, kind", *map(number, counts), "slope"],
            [[f"{engine}, {kind}", *(("" if ended else "> ") + f"{took:.4f}" for _, took, ended in runs),
              *["-"] * (len(counts) - len(runs)), text] for engine, kind, runs, text, _ in series])


@table
def library():
    """One call of neap_pack for each problem."""
    loop = BUILD / "bench/loop"
    if not loop.exists():
        return "`make bench/loop` builds what this table runs", ["kind"], [["not run"]]
    text = subprocess.check_output([loop, str(capped("count", 10000))], text=True)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return "`bench/loop`: problems of 30 buffers, one call of `neap_pack` each; microseconds", cells[0], cells[2:]


@table
def process():
    small, target = str(generate("random", 30)), str(WORK / "small-plan.csv")
    rows = []
    for name, words in (("`true`, for comparison", ["/bin/true"]), ("`neap --version`", [PROGRAM, "--version"]),
                        ("`neap plan FILE`", [PROGRAM, "plan", small]),
                        ("`neap plan FILE -o PLAN`", [PROGRAM, "plan", small, "-q", "-o", target])):
        times = []
        for _ in range(capped("count", 200)):
            started = time.monotonic()
            subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
            times.append(1000 * (time.monotonic() - started))
        rows.append([name, f"{statistics.median(times):.2f}", f"{min(times):.2f}", f"{max(times):.2f}"])
    return (f"The whole process, 30 buffers, {capped('count', 200)} runs: milliseconds",
            ["command", "median", "best", "worst"], rows)


# ---------------------------------------------------------------- tuner, graphs, relations


@table
def tuner():
    rows = []
    ticks = capped("count", 1000000)
    for way in ("auto", "repack"):
        found = bench(instances(), 60, "--engine", "tune", "--rearrange", way, "--max-rounds", 1000000, "--max-ticks",
                      ticks)
        by_name = {label(pathlib.Path(row["instance"])): row["gap_percent"] for row in found}
        rows.append([f"`{way}`", percent(statistics.fmean(row["gap_percent"] for row in found)),
                     f"{sum(row['gap_percent'] == 0 for row in found)} of {len(found)}",
                     *(percent(by_name[f"minimalloc/{letter}"]) for letter in "ADJ"),
                     seconds(sum(row["seconds"] for row in found))])
    return (f"`neap bench INSTANCES --engine tune --rearrange WAY --max-rounds 1000000 --max-ticks {ticks}`",
            ["way", "mean gap", "at the lower bound", "A", "D", "J", "seconds together"], rows)


@table
def orders():
    networks = re.findall("^  ([a-z][a-z-]*)  ", run("help", "networks").stdout, re.MULTILINE)
    rows, times, proofs = [], [], []
    for network, seed in [(name, seed) for name in networks for seed in (seeds(5) if name == "randwire" else [1])]:
        file = WORK / "network.json"
        run("gen", network, "--seed", seed, "-q", "-o", file)
        row = [network + (f", seed {seed}" if network == "randwire" else ""),
               number(plan(file, "--engine", "sort")["bound"])]
        for options in ((), ("--in-place",)):
            report = plan(file, "--schedule", "optimal", "--time-limit", capped("limit", 5), *options)
            proofs.append(report["status"] == report.get("order_status") == "optimal")
            times.append(report["process_seconds"])
            row.append(number(report["peak"]) if "peak" in report else "no plan")
        rows.append([*row, "yes" if all(proofs[-2:]) else "no", seconds(max(times[-2:]))])
    rows.append(["all", "", "", "", f"{sum(proofs)} of {len(proofs)}", seconds(max(times))])
    return (f"`neap gen NETWORK | neap plan - --schedule optimal{shown(5)}, then with `--in-place`: bytes",
            ["network", "order as given", "best order", "in place", "both proven", "seconds, slower"], rows)


@table
def wide():
    rows, ticks = [], capped("count", 10000) * 1000
    for width in (30, 100, 300):
        report = plan(layered(capped("count", 10000), width), "--schedule", "optimal", "--max-ticks", ticks)
        given, least = report["given_bound"], report["order_lower_bound"]
        best = given - report["order_saved_bytes"]
        rows.append([str(width), number(given), number(best), number(least), f"{best / given:.3f}",
                     f"{100 * (best - least) / best:.1f} %"])
    return (f"`awk -f random.awk -f layered.awk -v count={capped('count', 10000)} -v width=WIDTH -v seed=1 | neap plan - "
            f"--schedule optimal --max-ticks {ticks}`: bytes",
            ["operators in a layer", "order as given", "best order", "no order is below", "best / given", "gap"], rows)


@table
def relations():
    rows = []
    for folder in ("kernels", "kernels-hard", "kernels-soft"):
        reports = [plan(from_dsa_solver(file), "--time-limit", capped("limit", 5))
                   for file in sorted((DATA / "constraints" / folder).glob("*.json"))]
        if reports:
            states = collections.Counter(report["status"] for report in reports)
            took = [report["process_seconds"] for report in reports]
            costs = [report for report in reports if "reuse_cost" in report]
            equal = sum(report["reuse_cost"] == report["reuse_cost_lower_bound"] for report in costs)
            rows.append([folder, len(reports),
                         *(states[state] for state in ("optimal", "feasible", "infeasible")),
                         len(reports) - sum(states[state] for state in ("optimal", "feasible", "infeasible")),
                         sum(report["reuse_cost"] for report in costs), f"{equal} of {len(costs)}", seconds(sum(took)),
                         seconds(max(took))])
    return (f"`neap plan FILE{shown(5)}, the whole process",
            ["problems", "number", "optimal", "feasible", "infeasible", "open", "cost of reuse", "proven for",
             "seconds together", "slowest"], [[str(cell) for cell in row] for row in rows])


def compare_peaks(files, limit):
    """Sums over files without costs: proofs, peaks lower than the other's, and seconds, of neap and CP-SAT."""
    sums = collections.Counter()
    for file in files:
        own = plan(file, "--time-limit", limit, "--threads", 1)
        if "reuse_cost" in own:
            continue
        other = cpsat(file, limit)
        sums["number"] += 1
        sums["own proofs"] += own["status"] in ("optimal", "infeasible")
        sums["own seconds"] += own["process_seconds"]
        if other:
            sums["other proofs"] += other["proven"]
            sums["other seconds"] += other["process_seconds"]
            peaks = [found if found is not None else math.inf for found in (own.get("peak"), other["peak"])]
            sums["own lower"] += peaks[0] < peaks[1]
            sums["other lower"] += peaks[1] < peaks[0]
    return sums


@table
def constraints():
    rows, limit = [], capped("limit", 5)
    folders = [("kernels-hard", [from_dsa_solver(file) for file in sorted((DATA / "constraints/kernels-hard").glob("*.json"))])]
    folders += [(name, sorted((DATA / name).glob("*.json"))) for name in ("bands", "medium")]
    for name, files in folders:
        if files:
            sums = compare_peaks(files, limit)
            has_run = "other seconds" in sums
            peer = [sums["other proofs"], sums["other lower"], seconds(sums["other seconds"])] if has_run else ["not run"] * 3
            rows.append([name, sums["number"], sums["own proofs"], sums["own lower"] if has_run else "-",
                         seconds(sums["own seconds"]), *peer])
    return (f"`neap plan FILE{shown(5)[:-1]} --threads 1`, and CP-SAT with one worker and the same time, the whole processes",
            ["problems", "number", "proven", "lower than CP-SAT", "seconds together", "CP-SAT: proven", "lower than neap",
             "seconds together"], [[str(cell) for cell in row] for row in rows])


def split(file, *options):
    """The peak as the model is and the lowest in bands, if it is proven, and the seconds that the process took."""
    found, _ = timed("split", file, "--goal", "peak", *options)
    if "before" not in found:
        return ["refused", "", "", ""]
    peaks = [number(one["peak"]) for one in (found["before"], found.get("after", found["before"]))]
    return [*peaks, "yes" if found["proven"] else "no", seconds(found["process_seconds"])]


@table
def splits():
    """Models that bands help; one is in the Python package onnx, if that is installed."""
    folder, package = DATA / "models", importlib.util.find_spec("onnx")
    light = pathlib.Path(package.origin).parent / "backend/test/data/light" if package else None
    names = ("person_detect", "vww_96_int8", "pretrainedResnet_quant", "palm_detection_lite")
    files = [folder / "tflite" / f"{name}.tflite" for name in names]
    files += [folder / "onnx" / f"light_{name}.onnx" for name in ("inception_v2", "resnet50")]
    files += [light / "light_densenet121.onnx"] if light else []
    rows = []
    for file in filter(pathlib.Path.exists, files[:capped("seeds", len(files))]):
        overlap = ("--overlap", "--kernels", "tflm-reference") if file.suffix == ".tflite" else ("--overlap",)
        rows.append([file.stem, *split(file), *split(file, *overlap)])
    return ("`neap split MODEL --goal peak` without and with `--overlap` (`--kernels tflm-reference`), the whole process",
            ["model", "as it is", "in bands", "proven", "seconds", "overlap", "bands, with overlap", "proven", "seconds"], rows)


FIELD = {"TensorFlow Lite": r"\.tflite$", "ONNX": r"^(?!onnx/node/).*\.onnx$", "ONNX, tests of operators": r"^onnx/node/"}


def listed(counts):
    """Reasons, the most frequent first: "3 broken file, 2 too large"."""
    return ", ".join(f"{number(count)} {name}" for name, count in collections.Counter(counts).most_common()) or "-"


@table
def field():
    """Models from other projects as they come, compared with the real interpreter and with the package onnx."""
    header = ["models", "tried", "planned", "once shapes are given", "refused", "compared", "false words"]
    if not os.environ.get("NEAP_FIELD"):
        return "`NEAP_FIELD=DIR`, a folder of clones, lets this table be measured", header, [["not run", *[""] * 6]]
    checks = {"in the interpreter": "interpreter", "arenas": "arena", "by shapes": "shapes"}
    rows = []
    for name, pattern in FIELD.items():
        script = [sys.executable, HERE / "field.py", "--from", os.environ["NEAP_FIELD"], "--neap", PROGRAM, "--json"]
        result = subprocess.run([*script, "--only", pattern], capture_output=True, text=True)
        if result.returncode == 2:  # no such model is at hand
            continue
        if not result.stdout:
            sys.exit(f"field.py failed: {result.stderr}")
        found = json.loads(result.stdout)
        compared = {words: found["checks"][key] for words, key in checks.items() if key in found["checks"]}
        rows.append([name, number(found["models"]), number(found.get("planned", 0)), number(found.get("planned_with_help", 0)),
                     listed(found["reasons"]), listed(compared), listed(found["false"])])
    return "`bench/field.py --from DIR`: why models are refused, what was compared, and what was not so", header, rows


@table
def reuse():
    folder = DATA / "constraints"
    known = json.loads((folder / "expected.json").read_text()) if folder.exists() else {}
    rows = []
    for file in sorted((folder / "minimalloc-reuse").glob("*.json")):
        report = plan(from_dsa_solver(file), "--time-limit", capped("limit", 10))
        best = known.get(f"minimalloc-reuse/{file.name}", {}).get("best_known_cost", "-")
        rows.append([file.stem, str(report.get("buffers", "-")), str(best), str(report.get("reuse_cost", "no plan")),
                     str(report.get("reuse_cost_lower_bound", "-"))])
    return (f"`neap plan FILE{shown(10)}",
            ["instance", "buffers", "lowest cost of dsa-solver's methods", "neap", "proven lower bound"], rows)


@table
def certificates():
    checker, proof, solution = ROOT / "doc/check-certificate.py", WORK / "proof.cert", WORK / "proven.json"
    limit = ("--time-limit", capped("limit", 10))
    rows, sums = [], collections.Counter()
    for name, files in itertools.groupby(instances(), lambda file: file.parent.name):
        counts = collections.Counter()
        for file in files:
            proof.unlink(missing_ok=True)
            counts["all"] += 1
            counts["without"] += plan(file, *limit)["process_seconds"]
            counts["with"] += plan(file, *limit, "-o", solution, "--certificate", proof)["process_seconds"]
            if proof.exists():
                started = time.monotonic()
                verdict = subprocess.run([sys.executable, checker, proof, solution], capture_output=True, text=True)
                counts["check"] += time.monotonic() - started
                counts["accepted"] += verdict.stdout.startswith("accepted")
        sums.update(counts)
        rows.append((name, counts))
    return (f"`neap plan FILE{shown(10)} without and with `--certificate`, the whole process, then "
            "`check-certificate.py`: seconds together",
            ["instances", "certificates accepted", "without", "with", "checking"],
            [[name, f"{counts['accepted']} of {counts['all']}",
              *(seconds(counts[key]) for key in ("without", "with", "check"))]
             for name, counts in [*rows, ("all", sums)]])


@table
def tflm():
    """What the interpreter reserves, printed by the test that runs it."""
    header = ["model", "runtime", "plan in the model", "buffer plan"]
    if not os.environ.get("NEAP_TFLM"):
        return "`configure --with-tflm=DIR` lets this table be measured", header, [["not run", "", "", ""]]
    environment = dict(os.environ, NEAP_PROGRAM=PROGRAM, NEAP_SOURCE=str(ROOT), NEAP_SHARED=str(DATA.parent))
    log = subprocess.run(["sh", ROOT / "tests/hosts/tflm/run.sh"], capture_output=True, text=True, env=environment).stdout
    rows = re.findall(r"^# (\S+)\.tflite: head [^:]*: (\d+), (\d+), (\d+)", log, re.MULTILINE)
    return ("`make check TESTS=tests/hosts/tflm/run.sh`: bytes of the head", header,
            [[name, *(number(int(cell)) for cell in cells)] for name, *cells in rows])


@table
def methods():
    return what_each_is_worth()


# ---------------------------------------------------------------- the default engine and its parts

PARTS = {"exact": EXACT, "tune": ("--engine", "tune"), **{
    f"sort by {order}": ("--engine", "sort", "--order", order) for order in ("size", "duration,size", "size*duration")}}
SLOWER = 3  # times as long as the best part
NOISE = 0.02  # seconds


def reaches(file, limit, peak, options=()):
    """The seconds until a peak is reached; infinity if it is not."""
    row = bench([file], limit, "--capacity", peak, "--until-fits", *options)[0]
    return row["seconds"] if 0 <= row["peak"] <= peak else math.inf


def compare_with_parts(file, limit):
    """By how much the peak of auto exceeds that of its best part, and how much longer auto takes to reach that peak."""
    found = {name: bench([file], limit, *options)[0] for name, options in PARTS.items()}
    peaks = {name: row["peak"] for name, row in found.items() if row["peak"] >= 0}
    own = bench([file], limit)[0]
    if not peaks:
        return "", 0, 0
    best = min(peaks.values())
    times = {name: reaches(file, limit, best, PARTS[name]) for name, peak in peaks.items() if peak == best}
    name = min(times, key=times.get)
    higher = own["peak"] - best if own["peak"] >= 0 else math.inf
    return name, higher, reaches(file, limit * SLOWER, best) / max(times[name], NOISE)


def dominated():
    """Problems on which a part could beat the whole, by family."""
    largest = capped("count", 100000)
    sizes = [count for count in (1000, 10000, 100000) if count <= largest] or [largest]
    for kind in kinds():
        yield kind, [generate(kind, count) for count in sizes]
    yield "public instances", instances()
    hard = instances("minimalloc")
    yield "aligned", [constrain(file, WORK / f"aligned-{file.name}", seed=1, alignments="64 1024 4096") for file in hard]
    yield "20 % fixed", [file for file in (pinned(file, 20) for file in hard) if file]
    for folder in ("bands", "medium"):
        yield folder, sorted((DATA / folder).glob("*.json"))


@table
def dominance():
    rows = []
    for family, files in dominated():
        found = {file: compare_with_parts(file, 3) for file in files}
        higher = [file for file in files if found[file][1] > 0]
        slower = [file for file in files if found[file][2] > SLOWER]
        worst = max(found, key=lambda file: found[file][1:], default=None)
        rows.append([family, number(len(files)), number(len(higher)), number(len(slower)),
                     f"{worst.stem}: {found[worst][0]}" if higher or slower else "-"])
    return (f"`neap bench FILE{shown(3)} with `auto`, `exact`, `tune` and sorted orders; then until the peak of the best part",
            ["problems", "number", "auto ends higher", f"auto takes over {SLOWER} times as long", "worst, and its best part"], rows)


# ---------------------------------------------------------------- guides


@table
def models():
    networks = BUILD / "networks"
    dense, nasnet = WORK / "densenet121.json", WORK / "nasnet.json"
    dense.write_text(subprocess.check_output([networks, "densenet121", "json"], text=True) if networks.exists() else "")
    run("gen", "nasnet-a-imagenet", "-q", "-o", nasnet)
    overlap = ("--kernels", "tflm-reference", "--overlap")
    rows = []
    for name, file, options in (
            ("`examples/keyword.tflite`", ROOT / "examples/keyword.tflite", overlap),
            ("person_detect of TensorFlow Lite Micro", DATA / "models/tflite/person_detect.tflite", overlap),
            ("NASNet-A for ImageNet", nasnet, ("--schedule", "optimal")),
            ("NASNet-A for ImageNet", nasnet, ("--schedule", "optimal", "--in-place")),
            ("DenseNet-121", dense, ("--alias", "concat"))):
        reports = [plan(file), plan(file, *options)]
        cells = [number(report["peak"]) + ("" if report["status"] == "optimal" else " (not proven)")
                 if "peak" in report else "not run" for report in reports]
        slower = max(report["process_seconds"] for report in reports)
        rows.append([name, f"`{' '.join(options)}`", *cells, seconds(slower)])
    return "", ["model", "options of `neap plan`", "peak without them", "peak with them", "seconds, slower"], rows


@table
def runtimes():
    names = {"auto": "neap", "tflite-arena": "TFLite arena", "tflite-gpu-offset-greedy-by-size": "TFLite GPU, offsets",
             "tflm-greedy": "TFLite Micro", "tflite-gpu-greedy-best": "TFLite GPU, greedy best (its default)",
             "pplnn-compact": "PPL.NN compact (its default)", "tflite-gpu-mincostflow": "TFLite GPU, minimum-cost flow",
             "nnvm": "NNVM", "tflite-gpu-greedy-in-order": "TFLite GPU, greedy in order",
             "pplnn-bestfit": "PPL.NN best fit", "tflite-gpu-naive": "no sharing"}
    found = json.loads(run("compare", ROOT / "examples/densenet121.csv", "--json").stdout)["engines"]
    rows = [[names[row["engine"]], f"{row['peak'] / 2**20:.2f} MiB", f"{row['gap_percent']:.0f} %",
             str(row["objects"] or "")] for row in found if row["engine"] in names]
    return "", ["planner", "peak of DenseNet-121", "above the bound", "shared objects"], rows

