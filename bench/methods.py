# SPDX-License-Identifier: GPL-3.0-or-later
"""The worth of every rule, method and neighbourhood of the searches: runs on all sets of problems, with and without it.

Runs end after a number of ticks, so that neither the machine nor other work on it changes a result."""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import statistics

from measure import DATA, ROOT, WORK, capped, constrain, from_dsa_solver, generate, instances, run, seeds

TUNER = ("groups", "everything", "whole", "rounded", "orders")
MEBI, KIBI = 1 << 20, 1 << 10


# ---------------------------------------------------------------- sets of problems


def cut(tile, is_pinwheel, draw):
    """The pieces of a tile (start, end, offset, size), as omnimalloc's PinwheelSource and TilingSource cut it."""
    start, end, offset, size = tile
    if is_pinwheel:
        time, height = draw.randint(1, (end - start - 1) // 2), draw.randint(KIBI, (size - KIBI) // 2)
        return [(start, end - time, offset, height), (end - time, end, offset, size - height),
                (start + time, end, offset + size - height, height), (start, start + time, offset + height, size - height),
                (start + time, end - time, offset + height, size - 2 * height)]
    is_wide, is_high = end - start >= 2, size >= 2 * KIBI
    if draw.random() < 0.5 if is_wide and is_high else is_high:
        height = draw.randint(offset + KIBI, offset + size - KIBI) - offset
        return [(start, end, offset, height), (start, end, offset + height, size - height)]
    middle = draw.randint(start + 1, end - 1)
    return [(start, middle, offset, size), (middle, end, offset, size)]


def tiles(count, is_pinwheel, seed):
    """A rectangle cut into pieces: a problem of omnimalloc 1.0.0 with its default bounds, the same for each seed."""
    draw, pieces, least = random.Random(seed), [(0, MEBI, 0, MEBI)], 3 if is_pinwheel else 2
    fits = (lambda wide, high: wide and high) if is_pinwheel else (lambda wide, high: wide or high)
    while len(pieces) < count:
        able = [i for i, (start, end, _, size) in enumerate(pieces) if fits(end - start >= least, size >= least * KIBI)]
        chosen = draw.choices(able, weights=[(pieces[i][1] - pieces[i][0]) * pieces[i][3] for i in able])[0]
        pieces[chosen:chosen + 1] = cut(pieces[chosen], is_pinwheel, draw)
    file = WORK / f"{'pinwheel' if is_pinwheel else 'tiling'}-{count}-{seed}.csv"
    rows = [f"{i},{start},{end},{size}\n" for i, (start, end, _, size) in enumerate(pieces)]
    file.write_text("id,lower,upper,size\n" + "".join(rows))
    return file


def dense(count, seed):
    """A small problem with alignments.  Many have no layout as low as the bound, which takes a complete search to prove."""
    draw, file = random.Random(1000 * seed + count), WORK / f"dense-{count}-{seed}.csv"
    rows = []
    for i in range(count):
        start = draw.randrange(9)
        rows.append(f"{i},{start},{draw.randint(start + 1, min(10, start + 6))},{draw.randint(1, 20)},"
                    f"{draw.choice((1, 1, 4, 8))}\n")
    file.write_text("id,lower,upper,size,alignment\n" + "".join(rows))
    return file


def changed(files, name, **constraints):
    return [constrain(file, WORK / f"{file.stem}.{name}.csv", seed=1, **constraints) for file in files]


def pinned(files, share):
    """Problems with a share of the buffers where a plan within the capacity has them."""
    plans = []
    for file in files:
        plans.append(WORK / f"{file.stem}.plan.csv")
        run("plan", file, "-q", "--engine", "exact", "--capacity", MEBI, "--until-fits", "-o", plans[-1])
    return changed(filter(pathlib.Path.exists, plans), f"pins{share}", pins=share)


def generated(kinds, counts, each=2):
    return [generate(kind, capped("count", count), seed) for kind in kinds for count in counts for seed in seeds(each)]


def kernels(folder):
    """A quarter of dsa-solver's kernels of a kind."""
    return [from_dsa_solver(file) for file in sorted((DATA / "constraints" / folder).glob("*.json"))[::4]]


def sets():
    """For each set its name, problems, ticks for each run, and options."""
    hard = instances("minimalloc")
    large = [file for file in instances() if file not in hard and sum(1 for _ in open(file, encoding="utf-8")) > 600]
    exact = ("--engine", "exact")
    return [
        ("A to J", hard, 180000, ()),
        ("A to J, aligned", changed(hard, "aligned", alignments="64 1024 2048 4096"), 30000, ()),
        ("A to J, fixed", pinned(hard, 5) + pinned(hard, 20), 60000, (*exact, "--capacity", MEBI, "--until-fits")),
        ("large", large, 300000, ()),
        ("perfect, sheet", generated(("perfect", "sheet"), (200, 1000, 2000)), 60000, ()),
        ("pinwheels, tilings", [tiles(count + is_pinwheel, is_pinwheel, 42 + seed) for is_pinwheel in (True, False)
                                for count in (128, 512, 1024) for seed in seeds(2)], 60000, ()),
        ("random, chain, branch, trace", generated(("random", "chain", "branch", "trace"), (1000,)), 60000, ()),
        ("dense", [dense(count, seed) for count in (12, 16, 20) for seed in seeds(8)], 60000, exact),
        ("related", generated(("related",), (40, 200), each=4), 60000, ()),
        ("separations", kernels("kernels-hard"), 60000, ()),
        ("relations", sorted((ROOT / "examples/relations").glob("*.json")), 60000, ()),
        ("reuse penalties", kernels("kernels-soft"), 20000, ()),
        ("medium", sorted((DATA / "medium").glob("*.json")), 60000, ()),
        ("bands", sorted((DATA / "bands").glob("*.json")), 100000, ()),
    ]


# ---------------------------------------------------------------- runs


def sweep(file, ticks, first, *options):
    """The runs of a problem with three seeds.  A run without a plan counts as having used all its ticks."""
    result = run("sweep", file, "-q", "--json", "--max-rounds", 1000000, "--seed", first, "--seeds", len(seeds(3)),
                 "--max-ticks", capped("count", ticks), *options)
    point = json.loads(result.stdout)["points"][0]
    return [{"gap_percent": 0, "ticks": 0 if row["status"] == "infeasible" else ticks, "stop_reason": ""} | row
            for row in point.get("runs", [point])]


def is_solved(row):
    return row["status"] in ("optimal", "infeasible") or row["stop_reason"] == "capacity"


def cell(rows, reference):
    """Runs solved, the mean gap, and thousands of ticks together; '=' if every run equals that of another row."""
    def results(some):
        return [(row["status"], row["peak"], row["ticks"]) for row in some or []]
    if results(rows) == results(reference):
        return "="
    return (f"{sum(map(is_solved, rows))}, {statistics.fmean(row['gap_percent'] for row in rows):.3f} %, "
            f"{sum(row['ticks'] for row in rows) / 1000:,.0f}")


def variants():
    """Rows: title, first seed, options, and the title of the row to compare with."""
    names, tune = re.findall("^  ([a-z]+) ", run("help", "methods").stdout, re.MULTILINE), ("--engine", "tune")
    yield "nothing", 1, (), None
    yield "nothing, other seeds", 4, (), "nothing"
    for name in names[:-len(TUNER)]:
        yield name, 1, ("--disable", name), "nothing"
    yield "`tune`: nothing", 1, tune, None
    yield "`tune`: nothing, other seeds", 4, tune, "`tune`: nothing"
    for name in TUNER:
        yield f"`tune`: {name}", 1, (*tune, "--disable", name), "`tune`: nothing"


def what_each_is_worth():
    problems = [(name, files[:capped("seeds", len(files))], *rest) for name, files, *rest in sets() if files]
    found, rows = {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for title, first, options, other in variants():
            found[title] = [[row for rows in pool.map(lambda file: sweep(file, ticks, first, *own, *options), files)
                             for row in rows] for _, files, ticks, own in problems]
            rows.append([title, *map(cell, found[title], found.get(other, [None] * len(problems)))])
    header = [f"{name} ({len(runs)} runs)" for (name, *_), runs in zip(problems, found["nothing"])]
    return ("`neap sweep FILE --seeds 3 --max-ticks N --disable PART`, and the same with `--engine tune`: runs solved, mean "
            "gap, thousands of ticks together", ["without", *header], rows)
