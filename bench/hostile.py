# SPDX-License-Identifier: GPL-3.0-or-later
"""How time and memory grow with hostile input.

    hostile.py PROGRAM [--steps N] [--only FAMILY] [--most SLOPE] [--instructions | --memory]

Makes input of FAMILIES at doubling sizes, for each reader and relation, and prints processor seconds, MiB and the
slopes: the exponents of the input's size with which both grow, fitted to what goes beyond an empty run.  With --most,
exits with 1 if a slope is steeper.  With --instructions, counts these with valgrind instead of seconds, at smaller
sizes: it is the same on all machines.  With --memory, measures that alone.
"""
import argparse
import base64
import gzip
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import chains


def buffers(count, lives=True):
    """Buffers that are each alive together with the one before and the one after."""
    made = [{"name": f"b{i}", "size": 64} for i in range(count)]
    for i, buffer in enumerate(made if lives else []):
        buffer["lifetimes"] = [[i, i + 2]]
    return made


def document(**members):
    return json.dumps({"format": "neap-problem", "version": 1, **members})


def names(count):
    return [f"b{i}" for i in range(count)]


def chain(kind, **number):
    """Buffers that each have a relation with one other, alive at the same time or not."""

    def make(count):
        if kind in ("overlaps", "colocations"):
            items = [{"first": f"b{i}", "second": f"b{i + 1}", **number} for i in range(count - 1)]
        else:
            items = [{"buffers": [f"b{i}", f"b{i + 2}"], **number} for i in range(count - 2)]
        return {"in.json": document(buffers=buffers(count), **{kind: items})}

    return make


def lists(kind, lives=True):
    """Lists of up to 4,000 names, in which every two buffers have the relation."""

    def make(count):
        found = [names(count)[begin : begin + 4000] for begin in range(0, count, 4000)]
        items = found if kind == "conflicts" else [{"buffers": one} for one in found]
        return {"in.json": document(buffers=buffers(count, lives), **{kind: items})}

    return make


def table(rows):
    return lambda count: {"in.csv": "id,lower,upper,size\n" + "".join(rows(i) for i in range(count))}


def star(count):
    rows = "".join(f"b{i},64\n" for i in range(count))
    pairs = "".join(f"b0,b{i}\n" for i in range(1, count))
    return {"in.csv": "id,size\n" + rows, "pairs.csv": "first,second\n" + pairs}


def pools(count):
    made = [{"name": f"p{i}", "capacity": 64} for i in range(count)]
    return {"in.json": document(pools=made, buffers=[{"name": f"b{i}", "size": 64, "lifetimes": [[0, 2]]} for i in range(30)])}


def together(kind, of=None, **number):
    """Buffers alive all the time, each related to the next, or all to each other; with `of`, beside short-lived buffers."""

    def make(count):
        members = of or count
        made = [{"name": f"b{i}", "size": 64, "lifetimes": [[0, 2 * count]]} for i in range(members)]
        made += [{"name": f"s{i}", "size": 64, "lifetimes": [[2 * i, 2 * i + 1]]} for i in range(count if of else 0)]
        items = [{"first": f"b{i}", "second": f"b{i + 1}", **number} for i in range(members - 1)]
        return {"in.json": document(buffers=made, **{kind: [{"buffers": names(members)}] if kind == "exclusions" else items})}

    return make


def reserved(count):
    """Bytes that are reserved for a moment, one after another."""
    return {"in.json": document(buffers=[{"name": f"b{i}", "size": 64, "lifetimes": [[2 * i, 2 * i + 2]]} for i in range(count)],
                                reserved=[{"bytes": [64 * (i % 7), 64 * (i % 7) + 32], "when": [2 * i, 2 * i + 1]}
                                          for i in range(count)])}


def page(count):
    numbers = ",".join(str(i * 7919 % 999983) for i in range(count))
    text = f'{{"format": "neap-plan", "version": 1, "x": [{numbers}]}}'
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    return {"in.html": f'<!doctype html><script id="plan" data-encoding="gzip">{packed}</script>'}


def allocations(count):
    """Each block is freed after the next one is allocated."""
    rows = "".join(f"b{i},alloc,64\n" + (f"b{i - 1},free,\n" if i else "") for i in range(count))
    return {"in.ops": "name,type,size\n" + rows}


def graph(count):
    tensors = [{"name": f"t{i}", "bytes": 64} for i in range(count + 1)]
    operators = [{"name": "relu", "inputs": [f"t{i}"], "outputs": [f"t{i + 1}"]} for i in range(count)]
    text = {"tensors": tensors, "operators": operators, "inputs": ["t0"], "outputs": [f"t{count}"]}
    return {"in.json": json.dumps({"format": "neap-graph", "version": 1, **text})}


def dot(count):
    return {"in.dot": "digraph {" + "\n".join(f"t{i} -> t{i + 1} [size=64]" for i in range(count)) + "}"}


def moments(count):
    """One buffer with many separate lifetimes."""
    made = [{"name": "b", "size": 64, "lifetimes": [[2 * i, 2 * i + 1] for i in range(count)]}]
    return {"in.json": document(buffers=made + buffers(count))}


def limits(count):
    """Each buffer has a window, and every third a fixed offset."""
    made = buffers(count)
    for i, buffer in enumerate(made):
        buffer.update({"fixed_offset": 64 * (i % 3)} if i % 3 == 0 else {"window": [0, 64 * (3 + i % 5)]})
    return {"in.json": document(buffers=made)}


in_a_row = table(lambda i: f"b{i},{i},{i + 2},64\n")
LIMIT = ["--max-ticks", "1000"]
PLAN = ["plan", "-q", *LIMIT]
# Name, smallest size, files by size, command.
FAMILIES = [
    ("buffers in a row", 20000, in_a_row, PLAN),
    ("buffers at one moment", 20000, table(lambda i: f"b{i},0,1,64\n"), PLAN),
    ("one buffer against all", 20000, star, [*PLAN, "--conflicts", "pairs.csv"]),
    ("lists of conflicts", 32000, lists("conflicts", lives=False), PLAN),
    ("lists of separations", 32000, lists("separations"), PLAN),
    ("lists of separations, info", 32000, lists("separations"), ["info", "-q"]),
    ("lists of exclusions", 32000, lists("exclusions"), PLAN),
    ("colocations in a row", 4000, chain("colocations", offset=0), PLAN),
    ("overlaps in a row", 4000, chain("overlaps", bytes=0), PLAN),
    ("banks in a row", 4000, chain("bank_separations", bank=64), PLAN),
    ("exclusions at many moments", 4000, together("exclusions", of=32), PLAN),
    ("colocations at one moment", 4000, together("colocations", offset=0), PLAN),
    ("reserved bytes", 4000, reserved, PLAN),
    ("pools", 1000, pools, PLAN),
    ("moments of one buffer", 32000, moments, PLAN),
    ("windows and fixed offsets", 16000, limits, PLAN),
    ("allocations and frees", 16000, allocations, PLAN),
    ("operators, JSON", 8000, graph, PLAN),
    ("operators, DOT", 4000, dot, PLAN),
    ("operators, TensorFlow Lite", 8000, lambda count: {"in.tflite": chains.tflite(count)}, PLAN),
    ("operators, ONNX", 8000, lambda count: {"in.onnx": chains.onnx(count)}, PLAN),
    ("operators, in place", 8000, graph, [*PLAN, "--in-place"]),
    ("operators, in the best order", 4000, graph, [*PLAN, "--schedule", "optimal"]),
    ("operators, recomputed", 2000, graph, [*PLAN, "--recompute", "--capacity", "128"]),
    ("to DOT", 8000, in_a_row, ["convert", "-q", "-o", "out.dot"]),
    ("to SVG", 64000, in_a_row, [*PLAN, "--svg", "out.svg"]),
    ("compressed values", 250000, page, ["check", "-q"]),
]


# A process counts the memory of the process that forked it, so a small process starts the program.
STARTER = """
import os, sys
out = os.open(os.devnull, os.O_WRONLY)
actions = [(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, out, 2)]
_, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=actions), 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def run(program, arguments, folder):
    """Processor seconds and MiB."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", STARTER, program, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    status, seconds, mib = (float(word) for word in done.stdout.split())
    if status not in (0, 3, 4, 5):
        sys.exit(f"{arguments}: exit {status}")
    return seconds, mib


def count(program, arguments, folder):
    """Millions of instructions."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*tool, program, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return int(re.findall(r"Collected : (\d+)", done.stderr)[0]) / 1e6


def measure(program, family, arguments):
    """For each size: the bytes of input, seconds or millions of instructions, MiB."""
    _, smallest, make, command = family
    rows = []
    for step in range(arguments.steps):
        size = (smallest // 8 if arguments.instructions else smallest) << step
        with tempfile.TemporaryDirectory() as folder:
            files = make(size)
            for file, text in files.items():
                (Path(folder) / file).write_bytes(text if isinstance(text, bytes) else text.encode())
            call = program, [*command, next(iter(files))], folder
            runs = [run(*call) for _ in range(1 if arguments.instructions or arguments.memory else 3)]
            work = count(*call) if arguments.instructions else min(seconds for seconds, _ in runs)
        rows.append((size, work, min(mib for _, mib in runs)))
    return rows


def fit(points):
    """The slope of a line through logarithms; 0 for fewer than two points."""
    logs = [(math.log(size), math.log(value)) for size, value in points]
    x = sum(a for a, _ in logs) / max(len(logs), 1)
    y = sum(b for _, b in logs) / max(len(logs), 1)
    return sum((a - x) * (b - y) for a, b in logs) / (sum((a - x) ** 2 for a, _ in logs) or 1)


def slope_of_work(sizes, values, start):
    """The slope without the work of an empty run."""
    return fit([(size, max(value - start, start / 10)) for size, value in zip(sizes, values)])


def slope_of_memory(sizes, values):
    """The slope of the increase with each doubling, which leaves out the constant cost of a run."""
    added = [(size, after - before) for size, before, after in zip(sizes, values, values[1:])]
    return fit([(size, more) for size, more in added if more > 0.5])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--only")
    parser.add_argument("--most", type=float)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    program, steep = str(Path(arguments.program).resolve()), []
    empty = [count(program, ["--version"], ".")] if arguments.instructions else min(run(program, ["--version"], ".") for _ in range(5))
    work = "10^6 instructions" if arguments.instructions else "seconds"
    print(f"| input | sizes | {work} | MiB | slope of work | slope of memory |\n| --- | --- | --- | --- | ---: | ---: |")
    for family in FAMILIES:
        if arguments.only not in (None, family[0]):
            continue
        sizes, works, mib = zip(*measure(program, family, arguments))
        slopes = [slope_of_work(sizes, works, empty[0]), slope_of_memory(sizes, mib)]
        if arguments.memory or arguments.instructions:  # at small sizes, memory is that of the program
            slopes[0 if arguments.memory else 1] = 0
        steep += [family[0]] if arguments.most is not None and max(slopes) > arguments.most else []
        cells = ", ".join(map(str, sizes)), ", ".join(f"{w:.2f}" for w in works), ", ".join(f"{m:.0f}" for m in mib)
        print("|", " | ".join([family[0], *cells, *(f"{s:.2f}" for s in slopes)]), "|", flush=True)
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
