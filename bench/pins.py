#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pins.py PERCENT SEED < PLAN: prints the problem that PLAN solves, with some offsets fixed.

PLAN is a table of CSV from `neap plan`.  PERCENT of its buffers, at least one, keep their offsets;
SEED chooses which.  So the problem has a layout of the plan's peak:

    neap plan A.1048576.csv --engine exact --capacity 1048576 -o - | bench/pins.py 20 1 > pins.csv
    neap plan pins.csv --engine exact --capacity 1048576

PERCENT 0 fixes one buffer.
"""
import csv
import random
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit('usage: pins.py PERCENT SEED < PLAN')
    percent, seed = float(sys.argv[1]), int(sys.argv[2])
    reader = csv.DictReader(sys.stdin)
    if 'offset' not in (reader.fieldnames or []):
        sys.exit('pins.py: the plan has no column offset')
    rows = list(reader)
    count = min(len(rows), max(1, round(len(rows) * percent / 100)))
    fixed = set(random.Random(seed).sample(range(len(rows)), count))
    writer = csv.DictWriter(sys.stdout, reader.fieldnames, lineterminator='\n')
    writer.writeheader()
    for i, row in enumerate(rows):
        writer.writerow(row if i in fixed else {**row, 'offset': ''})


main()
