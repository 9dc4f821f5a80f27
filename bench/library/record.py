#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""record.py [REPORT...]: puts what `neap bench --library --json` has found into instances.txt beside this script.

A lower peak, a higher bound or a size or certificate that was not known replaces what the table has; with --all,
everything that was planned does, so that the table states what this version of the program finds.
"""
import argparse
import json
import pathlib

TABLE = pathlib.Path(__file__).with_name("instances.txt")
INSTANCE, KIND, SIZE, BEST, BOUND, FOUND, CERTIFICATE = 0, 4, 6, 7, 8, 9, 10


def known(number):
    return str(number) if number >= 0 else "-"


def size(row):
    return row["operators"] if row["kind"] in ("order", "split") else row["buffers"]


def update(fields, row, everything):
    """The fields of a line with the figures of a row."""
    is_new = fields[BEST] == "-" or row["peak"] < int(fields[BEST])
    is_same = not is_new and row["peak"] == int(fields[BEST])
    if everything or is_new:
        fields[BEST] = known(row["peak"])
    if is_new:
        fields[FOUND] = "neap"
    if everything or fields[BOUND] == "-" or row["lower_bound"] > int(fields[BOUND]):
        fields[BOUND] = known(row["lower_bound"])
    if everything or is_new or is_same and fields[CERTIFICATE] == "-":
        fields[CERTIFICATE] = row["certificate_now"] or "-"
    fields[SIZE] = known(size(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("reports", nargs="+", type=argparse.FileType(encoding="utf-8"), metavar="REPORT")
    parser.add_argument("--all", action="store_true", help="also take what is not better")
    arguments = parser.parse_args()
    rows = {(row["instance"], row["kind"]): row
            for report in arguments.reports for row in json.load(report)["rows"] if row["peak"] >= 0}
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    for index, line in enumerate(lines):
        fields = line.split()
        if fields and not line.startswith("#") and (fields[INSTANCE], fields[KIND]) in rows:
            update(fields, rows[fields[INSTANCE], fields[KIND]], arguments.all)
            lines[index] = " ".join(fields)
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
