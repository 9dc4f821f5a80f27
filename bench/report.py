#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the tables of BENCHMARKS.md, results.md, README.md and the guides, and prints them or writes them there.

A table is what is between two comments:

    <!-- table NAME: begin, COMMIT -->
    <!-- table NAME: end -->

and a figure in a text is a cell of such a table, by the starts of its row and its column:

    <!-- cell NAME; ROW; COLUMN -->CELL<!-- end -->
"""

import argparse
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import measure
import tables

FILES = ("BENCHMARKS.md", "bench/results.md", "README.md", "doc/guide/beside.md", "doc/guide/research.md",
         "doc/guide/tinyml.md")
BLOCK = re.compile(r"<!-- table (\w+): begin, (\S*) -->\n(.*?)<!-- table \1: end -->", re.DOTALL)
CELL = re.compile(r"<!-- cell (\w+); ([^;>]+); ([^;>]+) -->(.*?)<!-- end -->")


# ---------------------------------------------------------------- text


def markdown(command, header, rows):
    """A table; columns of figures are aligned right."""
    figure = re.compile(r"[-<>~\d]|no |not |killed|unsound|failed|does|$")
    rules = ["---:" if rows and all(figure.match(row[column]) for row in rows) else "---"
             for column in range(len(header))]
    lines = ["| " + " | ".join(row) + " |" for row in ([*header], ["---", *rules[1:]], *rows)]
    return "\n".join([*([command + ":", ""] if command else []), *lines]) + "\n"


def cells(block):
    """The rows of a table in Markdown, the header first."""
    return [line[2:-2].split(" | ")
            for line in block.splitlines() if line.startswith("| ") and not line.startswith("| ---")]


def look_up(blocks, name, row, column):
    """The cell of the first row and the first column that begin like this; None if there is none."""
    header, *rows = cells(blocks.get(name, "")) or [[]]
    columns = [index for index, text in enumerate(header) if text.startswith(column)]
    found = [line[columns[0]] for line in rows if columns and line[0].startswith(row)]
    return found[0] if found else None


def blocks_of(root):
    """The tables of all files by name, and their commits."""
    found = [match for file in FILES for match in BLOCK.findall((root / file).read_text(encoding="utf-8"))]
    return {name: text for name, _, text in found}, {name: commit for name, commit, _ in found}


def filled(text, blocks):
    """The text with current cells from the tables; cells that no table has stay as they are."""
    def cell(match):
        name, row, column, old = match.groups()
        new = look_up(blocks, name, row, column)
        return f"<!-- cell {name}; {row}; {column} -->{old if new is None else new}<!-- end -->"
    return CELL.sub(cell, text)


def replace(file, text):
    """Writes a file at once or not at all."""
    part = file.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def insert(root, name, commit, text):
    """Puts a table between its comments, and its cells wherever a text quotes them."""
    for file in FILES:
        old = (root / file).read_text(encoding="utf-8")
        new = BLOCK.sub(lambda match: f"<!-- table {name}: begin, {commit} -->\n{text}<!-- table {name}: end -->"
                        if match[1] == name else match[0], old)
        if new != old:
            replace(root / file, new)
    blocks = blocks_of(root)[0]
    for file in FILES:
        old = (root / file).read_text(encoding="utf-8")
        if filled(old, blocks) != old:
            replace(root / file, filled(old, blocks))


def problems(root):
    """The faults of the figures in the files."""
    blocks, commits = blocks_of(root)
    for name in ["machine", *tables.TABLES]:
        if not cells(blocks.get(name, ""))[1:]:
            yield f"table {name} is missing or empty"
    for name, commit in commits.items():
        if not re.fullmatch("[0-9a-f]{7,40}", commit):
            yield f"table {name}: measured at '{commit}', which is no commit"
    timed = {commit for name, commit in commits.items() if name not in tables.APART}
    if len(timed) > 1:
        yield f"tables were measured at several commits: {', '.join(sorted(timed))}"
    for file in FILES:
        text = (root / file).read_text(encoding="utf-8")
        for name, row, column, quoted in CELL.findall(text):
            if look_up(blocks, name, row, column) != quoted:
                yield f"{file}: '{quoted}', but {name}; {row}; {column} is '{look_up(blocks, name, row, column)}'"


# ---------------------------------------------------------------- where and what


def git(*arguments):
    if not shutil.which("git"):
        return ""
    result = subprocess.run(["git", "-C", measure.ROOT, *arguments], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else ""


def commit_now():
    """The commit, with marks for anything that makes figures worthless as a record."""
    written = [f":!{name}" for name in (*FILES, "doc/pictures/growth.svg")]
    changed = git("status", "--porcelain", "-uno", "--", ".", *written)
    short = any(measure.caps.get(name) for name in ("limit", "seeds", "count"))
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + "+changes" * bool(changed) + "+short" * short


def machine(commit):
    """The table that says where all others were measured."""
    model = "unknown"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    compiler = subprocess.run([*os.environ.get("NEAP_CC", "cc").split(), "--version"], capture_output=True, text=True)
    rows = [["commit", commit],
            ["built with", f"{compiler.stdout.splitlines()[0]}, `{os.environ.get('NEAP_CFLAGS', '')}`"],
            ["machine", f"{os.cpu_count()} cores of {model}, {platform.system()} {platform.machine()}"],
            ["public instances", f"{len(measure.instances())}"]]
    return markdown("", ["", "measured with"], rows)


def measure_all(names, root, commit, wanted):
    """Measures tables, and prints them or puts each into its file as soon as it is complete."""
    if root and not tables.APART.issuperset(names):
        insert(root, "machine", commit, machine(commit))
    for name in names:
        print(f"== {name}", file=sys.stdout if not root else sys.stderr, flush=True)
        text = markdown(*tables.TABLES[name]())
        if root:
            insert(root, name, commit, text)
        else:
            print(text, flush=True)
    if root and not wanted:
        print("\n".join(problems(root)), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Measures tables; without names, all of them.")
    parser.add_argument("names", nargs="*", metavar="TABLE", help=", ".join(tables.TABLES))
    parser.add_argument("--report", action="store_true", help="write them into their files; without names, "
                        "measure only those that were not measured at this commit")
    parser.add_argument("--check", action="store_true", help="measure nothing: compare the figures in these files")
    parser.add_argument("--root", type=pathlib.Path, default=measure.ROOT, help="the folder of these files")
    for name, what in (("limit", "seconds for each run"), ("seeds", "seeds"), ("count", "buffers, runs and problems")):
        parser.add_argument(f"--{name}", type=float if name == "limit" else int, help=f"at most so many {what}")
    arguments = parser.parse_args()
    wanted = [name for name in arguments.names if name != "all"]
    for name in wanted:
        if name not in tables.TABLES:
            parser.error(f"unknown table '{name}'; tables are {', '.join(tables.TABLES)}")
    if arguments.check:
        found = list(problems(arguments.root))
        sys.exit("\n".join(found) if found else 0)
    measure.caps.update({name: getattr(arguments, name) for name in ("limit", "seeds", "count")},
                        picture=arguments.root / "doc/pictures/growth.svg" if arguments.report else "growth.svg")
    commit = commit_now()
    done = blocks_of(arguments.root)[1] if arguments.report else {}
    names = wanted or [name for name in tables.TABLES if done.get(name) != commit]
    measure_all(names, arguments.root if arguments.report else None, commit, wanted)


if __name__ == "__main__":
    measure.until_interrupted(main)
