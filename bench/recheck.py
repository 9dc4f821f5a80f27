#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans the public instances at hand in FOLDER, and compares what neap finds with what the table of the library states.

FOLDER has the tables sources.txt and instances.txt, which library/README.md describes, and files in instances/;
fetch.sh makes such a folder.  Work is limited by ticks, not by time, so that everybody gets the same figures.
NEAP_PROGRAM names the program; without it, build/neap is used.

Ctrl-C ends the checks and prints the rows so far.  The exit status is 0 if nothing is worse than stated, 5 if
something is, 70 if a peak and a bound contradict each other, 3 if a table is malformed, 1 if one cannot be read, and
130 if rows are left unchecked.
"""

import argparse
import collections
import csv
import hashlib
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import measure

TICKS = 1000000  # where a row states none
PATIENCE = 86400  # seconds until a process is killed, without a time limit
OVERLAP = "--kernels tflm-reference --overlap"
HOW = {"layout": "plan", "order": "plan --schedule optimal", "overlap": f"plan {OVERLAP}",
       "split": f"split --goal peak {OVERLAP}", "recompute": "plan --recompute"}

NUMBERS = ("capacity", "ticks", "size", "best", "bound")
STATED = ("instance", "source", "derivation", "path", "kind", *NUMBERS, "found", "certificate")
SOURCE = ("repository", "commit", "licence")
FIGURES = ("buffers", "operators", "peak", "lower_bound", "time", "least_time", "seconds")
COLUMNS = ("instance", "kind", "source", *SOURCE, "derivation", "path", *NUMBERS, "found", "certificate", "verdict",
           *FIGURES[:-1], "status", "certificate_now", "seconds")
VERDICTS = ("same", "better", "changed", "worse", "contradiction", "missing")

CERTIFICATE = measure.WORK / "plan.cert"
PLAN = measure.WORK / "plan.json"


def fail(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


# ---------------------------------------------------------------- tables


def lines(path):
    """The place and the words of each line that is neither empty nor a comment."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as error:
        fail(1, f"{path}: cannot open: {error.strerror}")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield f"{path}:{number}", line.split()


def read_sources(folder):
    """Repository, commit and licence of each source."""
    sources = {}
    for place, words in lines(f"{folder}/sources.txt"):
        if len(words) <= len(SOURCE):  # a remark may follow
            fail(3, f"{place}: expected {len(SOURCE) + 1} columns, found {len(words)}")
        sources.setdefault(words[0], dict(zip(SOURCE, words[1:])))
    return sources


def complaint(row, sources):
    """The fault in the words of a row; None if they are valid."""
    if row["instance"].startswith("/") or ".." in row["instance"]:
        return f"instance '{row['instance']}' is outside the folder"
    if row["source"] not in sources:
        return f"source '{row['source']}' is not in sources.txt"
    if row["kind"] not in HOW:
        return f"unknown kind '{row['kind']}'; use layout, order, overlap, split or recompute"
    for name in NUMBERS:
        if not re.fullmatch("-|[0-9]{1,18}", row[name]):
            return f"expected a whole number or '-', found '{row[name]}'"
    if (row["kind"] == "recompute") != (row["capacity"] != "-"):
        return "expected a capacity with recompute only"
    return None


def origin(source):
    """Where to get an instance that is missing; the program itself makes those whose source has no repository."""
    if source["repository"] == "-":
        return "bench/fetch.sh makes it"
    where = f"github.com/{source['repository']} at {source['commit'][:10]}"
    return f"bench/fetch.sh gets it from {where} ({source['licence']})"


def read_row(place, words, sources):
    """A row, which counts as missing until it is checked; -1 stands for an unknown number."""
    if len(words) != len(STATED):
        fail(3, f"{place}: expected {len(STATED)} columns, found {len(words)}")
    row = dict(zip(STATED, words))
    wrong = complaint(row, sources)
    if wrong:
        fail(3, f"{place}: {wrong}")
    row.update((name, -1 if row[name] == "-" else int(row[name])) for name in NUMBERS)
    source = sources[row["source"]]
    return {**row, **source, **dict.fromkeys(FIGURES, -1), "status": "failed", "certificate_now": "",
            "verdict": "missing", "remark": origin(source)}


def read_rows(folder):
    """The rows of the library."""
    sources = read_sources(folder)
    return [read_row(place, words, sources) for place, words in lines(f"{folder}/instances.txt")]


# ---------------------------------------------------------------- planning


def command(row, file, ticks, limit):
    """The call that plans an instance; splits need no limits, and neither they nor recomputations have certificates."""
    words = [measure.PROGRAM, *HOW[row["kind"]].split(), str(file), "--json", "-q"]
    if row["kind"] == "split":
        return words
    words += ["--max-ticks", str(ticks)]
    if limit is not None:
        words += ["--time-limit", str(limit)]
    if row["kind"] in ("order", "recompute"):
        words += ["-o", str(PLAN)]  # it tells how many operators there are
    if row["kind"] == "recompute":
        return [*words, "--capacity", str(row["capacity"])]
    return [*words, "--certificate", str(CERTIFICATE)]


def reason(result, file):
    """Why there is no plan, in the words of the program."""
    if result.returncode < 0:
        return f"ended by signal {-result.returncode}"
    message = (result.stderr.splitlines() or [""])[-1]
    return re.sub(rf"^neap: ({re.escape(str(file))}(:\d+)*: )?", "", message)


def report(row, file, ticks, limit):
    """The program's output for an instance, and its message if there is one."""
    words, patience = command(row, file, ticks, limit), PATIENCE if limit is None else 2 * limit + 30
    try:
        result = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience)
    except subprocess.TimeoutExpired:
        return {"status": "timeout", "error": ""}
    except OSError as error:
        fail(1, f"{words[0]}: cannot run: {error.strerror}")
    found = json.loads(result.stdout) if result.stdout.startswith("{") else {"status": "failed"}
    return {**found, "error": reason(result, file)}


def of_split(found):
    """The report of a split under the names of columns."""
    peak, proven = found["after"]["peak"], found["proven"]
    return {"peak": peak, "lower_bound": peak if proven else found.get("lower_bound") or -1,
            "operators": found["before"]["operators"], "status": "optimal" if proven else "feasible",
            "seconds": found["seconds"], "error": ""}


def ordered(row, file, ticks, limit):
    """The report of an order; proven bounds in it hold for every order.

    The search for the order takes a part of the ticks.  If the rest is too little, the layout gets all of them: that of
    the plan which has this order; or if no order is better, in a run that can certify it, with ticks for both.
    """
    found = report(row, file, ticks, limit)
    if found.get("stop_reason") == "tick_limit" and found.get("order_status") == "optimal":
        found = report(row, file, 2 * ticks, limit)
    elif found.get("stop_reason") == "tick_limit":
        found = report({"kind": "layout"}, PLAN, ticks, limit)
    bound = found.get("order_lower_bound")
    if bound is None:
        return found
    return {**found, "lower_bound": bound, "status": "feasible" if found["peak"] > bound else found["status"]}


def operators():
    """How many operators the plan has; those that run again count once."""
    if not PLAN.exists():
        return -1
    schedule = json.loads(PLAN.read_text(encoding="utf-8")).get("schedule", {})
    return len(set(schedule.get("operators", []))) or -1


def digest():
    return hashlib.sha256(CERTIFICATE.read_bytes()).hexdigest() if CERTIFICATE.exists() else ""


def plan(row, file, ticks, limit):
    """The program's result for a row, with the reason if there is no plan."""
    ticks = ticks or max(row["ticks"], 0) or TICKS
    for left in (CERTIFICATE, PLAN):
        left.unlink(missing_ok=True)
    found = (ordered if row["kind"] == "order" else report)(row, file, ticks, limit)
    if "after" in found:
        return of_split(found)
    return {**found, "operators": operators(), "certificate_now": digest() if found["status"] == "optimal" else ""}


# ---------------------------------------------------------------- verdicts


def known(number):
    return str(number) if number >= 0 else "-"


def judge_certificate(stated, now):
    if now == stated or stated == "-" and not now:
        return "same", ""
    if stated == "-":
        return "better", f"has a certificate now, {now}"
    return ("changed", f"certificate {now}") if now else ("worse", "no certificate")


def judge_figures(row, what, now, proven):
    """An unknown peak or time counts as the highest possible, an unknown bound as the lowest.

    The bound of a split is one of the choices that the program searched then; it may search more now.
    """
    best, bound = row["best"], row["bound"]
    if now < bound and row["kind"] != "split":
        return "contradiction", f"{what} {now}, below the bound of {bound}"
    if 0 <= best < proven:
        return "contradiction", f"bound {proven}, above the {what} of {best}"
    if now != best:
        return "better" if best < 0 or now < best else "worse", f"{what} {known(best)} -> {now}"
    if proven != bound:
        return "better" if proven > bound else "worse", f"bound {known(bound)} -> {proven}"
    return judge_certificate(row["certificate"], row["certificate_now"])


def judge(row, error):
    """The verdict on a checked row, and a remark.  If no plan is known, finding none is no change."""
    if row["best"] < 0 and row["status"] == "unknown":
        return "same", ""
    if row["peak"] < 0:
        return "worse", ": ".join(text for text in (row["status"], error[:180]) if text)
    size = row["buffers" if row["kind"] in ("layout", "overlap") else "operators"]
    if row["size"] not in (-1, size):
        return "worse", f"not the instance that is described: size {row['size']} -> {size}"
    if row["kind"] == "recompute":
        return judge_figures(row, "time", row["time"], row["least_time"])
    return judge_figures(row, "peak", row["peak"], row["lower_bound"])


def check(row, file, ticks=None, limit=None):
    """Records in a row the program's result and the verdict, if the instance is at hand."""
    if not os.access(file, os.R_OK):
        return
    found = plan(row, file, ticks, limit)
    row.update((name, found[name]) for name in (*FIGURES, "status", "certificate_now") if found.get(name) is not None)
    row["seconds"] = round(row["seconds"], 6)
    row["verdict"], row["remark"] = judge(row, found["error"])


def show_status(text):
    """Replaces the line that tells a terminal what is going on."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def check_all(rows, options):
    """Checks the rows; returns whether Ctrl-C left some unchecked."""
    files = {id(row): f"{options.folder}/instances/{row['instance']}" for row in rows}
    at_hand = [row for row in rows if os.access(files[id(row)], os.R_OK)]
    for done, row in enumerate(at_hand):
        show_status(f"{done + 1} of {len(at_hand)}: {row['kind']} {row['instance']}")
        try:
            check(row, files[id(row)], options.max_ticks, options.time_limit)
        except KeyboardInterrupt:
            show_status("")
            print(f"interrupted: {len(at_hand) - done} of {len(at_hand)} instances are not checked", file=sys.stderr)
            return True
    show_status("")
    return False


# ---------------------------------------------------------------- results


def print_text(rows, counts):
    for row in rows:
        within = f" within {row['capacity']}" if row["capacity"] >= 0 else ""
        if row["verdict"] != "same":
            print(f"{row['verdict']:<13} {row['kind']} {row['instance']}{within}: {row['remark']}")
    checked = len(rows) - counts["missing"]
    print(f"{checked} row{'' if checked == 1 else 's'} checked: {counts['same']} same, {counts['better']} better, "
          f"{counts['worse']} worse, {counts['changed']} other certificates, {counts['contradiction']} contradictions; "
          f"{counts['missing']} missing")


def print_csv(rows):
    """Without seconds, so that the table is the same everywhere."""
    writer = csv.DictWriter(sys.stdout, COLUMNS[:-1], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def print_json(rows, counts):
    listed = [{name: row[name] for name in COLUMNS} for row in rows]
    totals = {verdict: counts[verdict] for verdict in VERDICTS}
    print(json.dumps({"rows": listed, "totals": totals}, ensure_ascii=False))


def show(rows, counts, options):
    if options.json:
        print_json(rows, counts)
    elif options.csv:
        print_csv(rows)
    else:
        print_text(rows, counts)
    sys.stdout.flush()
    if counts["worse"] or counts["contradiction"]:
        print(f"{options.folder}: {counts['worse']} rows worse than stated, {counts['contradiction']} contradicted",
              file=sys.stderr)


def whole(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def read_arguments():
    summary, *rest = __doc__.split("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog="\n\n".join(rest),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="by default, the current one")
    parser.add_argument("--max-ticks", type=whole, metavar="N",
                        help="work for each instance, instead of that of its row")
    parser.add_argument("--time-limit", type=float, metavar="S",
                        help="also stop each run after S seconds; one that takes much longer is killed")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print all rows as CSV")
    form.add_argument("--json", action="store_true", help="print all rows as JSON, for library/record.py")
    return parser.parse_args()


def main():
    options = read_arguments()
    rows = read_rows(options.folder)
    is_left = check_all(rows, options)
    counts = collections.Counter(row["verdict"] for row in rows)
    show(rows, counts, options)
    sys.exit(70 if counts["contradiction"] else 130 if is_left else 5 if counts["worse"] else 0)


if __name__ == "__main__":
    measure.until_interrupted(main)
