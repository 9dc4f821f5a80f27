#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what is better or worse in the second of two files from `neap bench --json` or fleet/merge.py --json.

Rows of the same instance and engine are compared.  Times count if they differ by half and by at least 0.05 s.  The exit
status is 0 whatever differs, 1 if a file cannot be read, and 3 if it has no such rows.
"""

import argparse
import collections
import json
import sys

# Times that differ by less than either of these are considered equal.
NOISE_RATIO = 1.5
NOISE_SECONDS = 0.05

TYPES = {"instance": str, "engine": str, "status": str, "lower_bound": int, "peak": int, "seconds": (int, float)}


def fail(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


def read(path):
    """The rows of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        fail(1, f"{path}: cannot open: {error.strerror}")
    except json.JSONDecodeError as error:
        fail(3, f"{path}:{error.lineno}:{error.colno}: not the output of 'neap bench --json': {error.msg}")
    except (UnicodeDecodeError, RecursionError) as error:
        fail(3, f"{path}: not the output of 'neap bench --json': {error}")
    rows = found.get("rows") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        fail(3, f"{path}: not the output of 'neap bench --json': no \"rows\"")
    return rows


def key(row):
    """The key of a row; None if the row is not complete."""
    if not isinstance(row, dict) or not all(isinstance(row.get(name), kind) for name, kind in TYPES.items()):
        return None
    return row["instance"], row["engine"]


def lower_peak(one, other):
    return other >= 0 and (one < 0 or other < one)


def better_status(one, other):
    return other in ("optimal", "infeasible") or other == "feasible" and one != "optimal"


def are_apart(one, other):
    less, more = sorted((one, other))
    return more >= less * NOISE_RATIO and more - less >= NOISE_SECONDS


def changes(one, other):
    """Yields, for each difference between two rows, whether it is an improvement, and its description."""
    if one["peak"] != other["peak"]:
        yield lower_peak(one["peak"], other["peak"]), f"peak {one['peak']} -> {other['peak']}"
    if one["lower_bound"] != other["lower_bound"]:
        yield other["lower_bound"] > one["lower_bound"], f"lower bound {one['lower_bound']} -> {other['lower_bound']}"
    if one["status"] != other["status"]:
        yield better_status(one["status"], other["status"]), f"{one['status']} -> {other['status']}"
    if are_apart(one["seconds"], other["seconds"]):
        yield other["seconds"] < one["seconds"], f"{one['seconds']:.4f} s -> {other['seconds']:.4f} s"


def print_changes(one, other):
    """Prints the differences between two rows; returns a verdict for each: better or worse, or equal."""
    found = [("better" if is_better else "worse", what) for is_better, what in changes(one, other)]
    for verdict, what in found:
        print(f"{verdict:<6} {other['instance']} {other['engine']}: {what}")
    return [verdict for verdict, _ in found] or ["equal"]


def compare(first, second):
    """Prints the differences between two lists of rows, and how many there are."""
    counts, known = collections.Counter(), {}
    for row in first:
        known.setdefault(key(row), row)
    known.pop(None, None)
    for row in second:
        one = known.get(key(row))
        counts.update(print_changes(one, row) if one else ["alone"])
    print(f"{counts['better']} better, {counts['worse']} worse, {counts['equal']} rows equal, "
          f"{counts['alone']} not in the first")


def main():
    summary, rest = __doc__.split("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=rest,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", metavar="A.json")
    parser.add_argument("second", metavar="B.json")
    arguments = parser.parse_args()
    first = read(arguments.first)
    compare(first, read(arguments.second))


if __name__ == "__main__":
    main()
