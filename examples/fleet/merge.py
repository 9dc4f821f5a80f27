#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Merges lines that `neap plan --json` printed, such as those of a fleet, into a table like that of `neap bench`.

PATH is a file, a folder that is searched for .jsonl files, or - for standard input.  If several lines have the same
input, engine and seed, the last one counts; otherwise, their order does not matter.  Several seeds of one input give
one row with the best, the median and the worst peak, and the number of seeds that reach the best.

The exit status is 1 if a file cannot be read, and 3 if a line is no such report, or a folder has no files; a message
says where and what to do.
"""

import argparse
import json
import math
import os
import re
import statistics
import sys

STATUSES = ("optimal", "feasible", "infeasible", "unknown", "failed", "timeout", "memory")
NUMBERS = ("buffers", "bound", "lower_bound", "peak", "memory")
COLUMNS = ("instance", "engine", "buffers", "bound", "lower_bound", "peak", "gap_percent", "status", "stop_reason",
           "error", "seconds", "best_seconds", "memory", "seed", "seeds", "planned", "at_best", "peak_median",
           "peak_max")
PERCENTS_AND_SECONDS = ("gap_percent", "seconds", "best_seconds")
PEAKS = ("peak_median", "peak_max")
ERROR_BYTES = 199  # of an error that are kept


def fail(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


# ---------------------------------------------------------------- one line


def is_whole(value):
    return type(value) is int and -2**63 < value < 2**63


def is_natural(value):
    return is_whole(value) and value >= 0


def is_time(value):
    return type(value) in (int, float) and 0 <= value < math.inf


def is_word(value):
    return isinstance(value, str) and re.fullmatch("[A-Za-z0-9_-]{1,63}", value)


def expect(is_good, key, expected):
    if not is_good:
        raise ValueError(f'"{key}": expected {expected}')


def value_of(line, key, is_good, expected, default):
    """A value; the default if it is missing or null."""
    value = line.get(key)
    expect(value is None or is_good(value), key, f"{expected} or null")
    return default if value is None else value


def error_of(line):
    """The reason why there is no plan, in one line."""
    text = line.get("error")
    text = re.sub(r"[\x00-\x1f\x7f]", "?", text) if isinstance(text, str) else ""
    return text.encode(errors="replace")[:ERROR_BYTES].decode(errors="ignore")


def check_peak(outcome):
    """A report with a plan has all figures; a report without one has no peak."""
    if outcome["status"] not in ("optimal", "feasible"):
        expect(outcome["peak"] < 0, "peak", "null with this status")
        return
    expect(outcome["peak"] >= 0, "peak", "a number with this status")
    for key in ("bound", "lower_bound"):
        expect(outcome[key] >= 0, key, "a number with a peak")


def outcome_of(line):
    """What a report states; of numbers, -1 stands for what is not known."""
    expect(line.get("status") in STATUSES, "status", ", ".join(STATUSES[:-1]) + " or " + STATUSES[-1])
    outcome = {"status": line["status"], "error": error_of(line),
               "stop_reason": value_of(line, "stop_reason", is_word, "a word", "")}
    for key in NUMBERS:
        outcome[key] = value_of(line, key, is_natural, "a whole number, 0 or more,", -1)
    outcome["seconds"] = value_of(line, "seconds", is_time, "a number, 0 or more,", -1)
    check_peak(outcome)
    return outcome


def report_of(line):
    """Input, engine and seed of a report, and what it states."""
    if not isinstance(line, dict):
        raise ValueError("expected an object")
    if not isinstance(line.get("input"), str):
        raise ValueError('no "input"')
    engine = value_of(line, "engine", is_word, "a word", "-")
    seed = value_of(line, "seed", is_whole, "a whole number", None)
    return (line["input"], engine, seed), outcome_of(line)


# ---------------------------------------------------------------- files


def refuse(place, column, text):
    fail(3, f"{place}:{column}: not a line of 'neap plan --json': {text}")


def parse(place, text):
    """The value of a line in JSON."""
    try:
        return json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        if not text.endswith(b"\n"):
            fail(3, f"{place}:{len(text)}: the last line is cut short; delete it and repeat its run")
        refuse(place, getattr(error, "colno", getattr(error, "start", 0) + 1), getattr(error, "msg", error))


def read_stream(name, stream):
    """The reports in the lines of a file."""
    for number, text in enumerate(stream, 1):
        if not text.strip():
            continue
        line = parse(f"{name}:{number}", text)
        try:
            yield report_of(line)
        except ValueError as error:
            refuse(f"{name}:{number}", 1, error)


def read_file(path):
    if path == "-":
        yield from read_stream("standard input", sys.stdin.buffer)
        return
    try:
        with open(path, "rb") as stream:
            yield from read_stream(path, stream)
    except OSError as error:
        fail(1, f"{path}: cannot be read: {error.strerror}")


def find(folder):
    """The .jsonl files in a folder and its sub-folders, without hidden ones."""
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.lower().endswith(".jsonl") and not name.startswith("."):
                yield os.path.join(parent, name)


def read_all(paths):
    """What the last line with each input, engine and seed states."""
    files = [file for path in paths for file in (sorted(find(path)) if os.path.isdir(path) else [path])]
    if not files:
        fail(3, f"{paths[0]}: no files that end in .jsonl found")
    return {key: outcome for file in files for key, outcome in read_file(file)}


# ---------------------------------------------------------------- rows


def preference(outcome):
    """Sorts runs: a lower peak, then a proof, then less time, and those without a plan last."""
    if outcome["peak"] < 0:
        return (True,)
    return False, outcome["peak"], outcome["status"] != "optimal", outcome["seconds"]


def best_lower_bound(outcomes, best):
    """What one run has proven holds for all runs of the same problem; another bound means another problem."""
    bounds = [outcome["lower_bound"] for outcome in outcomes
              if (outcome["bound"], outcome["buffers"]) == (best["bound"], best["buffers"])]
    possible = [bound for bound in bounds if best["peak"] < 0 or bound <= best["peak"]]
    return max([best["lower_bound"], *possible])


def gap(peak, lower):
    """The excess of the peak in percent of the lower bound; -1 without a plan."""
    if peak < 0:
        return -1
    return 100 * (peak - lower) / lower if peak > lower > 0 else 0


def row_of(instance, engine, runs):
    """The row of an input and an engine; `runs` are pairs of a seed and an outcome, sorted by seed."""
    outcomes = [outcome for _, outcome in runs]
    seed, best = min(runs, key=lambda run: preference(run[1]))
    seconds = [outcome["seconds"] for outcome in outcomes if outcome["seconds"] >= 0] or [-1]
    peaks = [outcome["peak"] for outcome in outcomes if outcome["peak"] >= 0]
    lower = best_lower_bound(outcomes, best)
    return {**best, "instance": instance, "engine": engine, "seed": seed, "lower_bound": lower,
            "gap_percent": gap(best["peak"], lower), "seconds": statistics.median(seconds),
            "best_seconds": min(seconds), "seeds": len(runs), "planned": len(peaks),
            "at_best": peaks.count(best["peak"]), "peak_median": statistics.median(peaks or [-1]),
            "peak_max": max(peaks, default=-1)}


def rows_of(reports):
    """A row per input and engine, in this order."""
    groups = {}
    for instance, engine, seed in sorted(reports, key=lambda key: (*key[:2], -math.inf if key[2] is None else key[2])):
        groups.setdefault((instance, engine), []).append((seed, reports[instance, engine, seed]))
    return [row_of(*key, runs) for key, runs in groups.items()]


def totals_of(rows):
    gaps = [row["gap_percent"] for row in rows if row["peak"] >= 0]
    return {"rows": len(rows), "optimal": sum(row["status"] == "optimal" for row in rows), "planned": len(gaps),
            "mean_gap_percent": sum(gaps) / len(gaps) if gaps else 0,
            "seconds": sum(max(row["seconds"], 0) for row in rows)}


# ---------------------------------------------------------------- CSV and JSON


def decimal(value):
    """A number with as many decimals as it needs, up to two."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def csv_cell(name, value):
    if name in PERCENTS_AND_SECONDS:
        return f"{value:.6f}"
    if name in PEAKS:
        return decimal(value)
    if name == "instance":
        return '"' + value.replace('"', '""') + '"'
    return "-1" if value is None else str(value)


def print_csv(rows):
    """Inputs are always quoted; nothing else needs it."""
    columns = [name for name in COLUMNS if name != "error"]
    print(",".join(columns))
    for row in rows:
        print(",".join(csv_cell(name, row[name]) for name in columns))


def rounded(values, names):
    return {**values, **{name: round(float(values[name]), 6) for name in names}}


def print_json(rows):
    listed = [rounded({name: row[name] for name in COLUMNS}, (*PERCENTS_AND_SECONDS, *PEAKS)) for row in rows]
    totals = rounded(totals_of(rows), ("mean_gap_percent", "seconds"))
    print(json.dumps({"rows": listed, "totals": totals}, ensure_ascii=False))


# ---------------------------------------------------------------- for people


def short_name(name):
    shown = "".join(character if character.isprintable() else "?" for character in name)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def number(value):
    return str(value) if value >= 0 else "-"


def median(value):
    return decimal(value) if value >= 0 else "-"


def seconds_text(value):
    return f"{max(value, 0):.4f}"


def percent(value):
    if value <= 0:
        return "-" if value < 0 else "0 %"
    if not 0.01 <= value <= 1e6:
        return "<0.01 %" if value < 1 else ">1,000,000 %"
    return f"{math.floor(value * 100 + 0.5) / 100:,.2f} %"


def size(value):
    """Bytes with a unit."""
    if value < 1024:
        return f"{value} B" if value >= 0 else "-"
    power = 1
    while value / 1024**power >= 1023.995:  # would print as 1024.00
        power += 1
    return f"{value / 1024**power:.2f} {'KMGTPE'[power - 1]}iB"


# Heading, key, width and text of each column; the texts of the first two and of the status are aligned left.
NAMES = (("instance", "instance", 8, short_name), ("engine", "engine", 6, str))
STATUS = ("status", "status", 10, str)
SECONDS = ("seconds", "seconds", 9, seconds_text)
GAP = ("gap", "gap_percent", 12, percent)
TABLE = (*NAMES, ("buffers", "buffers", 8, number), ("bound", "bound", 14, number), ("peak", "peak", 14, number), GAP,
         STATUS, SECONDS, ("memory", "memory", 11, size))
SEEDS = (*NAMES, ("seeds", "seeds", 6, number), ("bound", "bound", 14, number), ("best peak", "peak", 14, number),
         ("median peak", "peak_median", 16, median), ("worst peak", "peak_max", 14, median),
         ("at best", "at_best", 7, number), GAP, STATUS, SECONDS)


def line_of(columns, texts, widths):
    return " ".join(text.ljust(width) if column in (*NAMES, STATUS) else text.rjust(width)
                    for column, text, width in zip(columns, texts, widths))


def print_table(rows):
    columns = SEEDS if any(row["seeds"] > 1 for row in rows) else TABLE
    cells = [[show(row[key]) for _, key, _, show in columns] for row in rows]
    widths = [max([column[2], *(len(line[at]) for line in cells)]) if column in NAMES else column[2]
              for at, column in enumerate(columns)]
    print(line_of(columns, [column[0] for column in columns], widths))
    for row, line in zip(rows, cells):
        print(line_of(columns, line, widths) + ("  " + row["error"] if row["error"] else ""))


def print_summary(rows):
    totals = totals_of(rows)
    print(f"{len(rows)} row{'' if len(rows) == 1 else 's'}: {totals['optimal']} optimal, "
          f"{totals['planned']} with a plan, mean gap {percent(totals['mean_gap_percent'])}, {totals['seconds']:.3f} s")


def main():
    summary, rest = __doc__.split("\n\n", maxsplit=1)
    parser = argparse.ArgumentParser(description=summary, epilog=rest,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder or -")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the rows as CSV")
    form.add_argument("--json", action="store_true", help="print the rows as JSON, which differences.py compares")
    arguments = parser.parse_args()
    rows = rows_of(read_all(arguments.paths))
    if arguments.json:
        print_json(rows)
    elif arguments.csv:
        print_csv(rows)
    else:
        print_table(rows)
        print_summary(rows)


if __name__ == "__main__":
    main()
