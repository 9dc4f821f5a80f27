#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh [GCOV]: prints the share of lines that the tests executed and of branches that they took, first in each folder and
# in all, then in each file.  Run it in the build folder after `make check` in a build configured with --enable-coverage;
# `make coverage` does both, and puts the report into coverage.txt.

gcov=${1:-gcov}
find src viz -name '*.gcda' | LC_ALL=C sort | while read -r counts; do
  $gcov -b -n "$counts"
done 2>/dev/null | LC_ALL=C awk -v quote="'" '
  /^File / {
    split($0, part, quote)
    file = part[2]
    sub(/.*\/src\//, "src/", file)
    sub(/.*\/viz\//, "viz/", file)
  }
  # A header is counted in every file that includes it, with the lines that are compiled there: keep the best count.
  function count(kind,    all, hit) {
    split($0, part, /[:% ]+/)
    all = part[kind == "lines" ? 5 : 7]
    hit = int(part[kind == "lines" ? 3 : 5] * all / 100 + 0.5)
    if ((kind, file) in hits && hit <= hits[kind, file]) return
    hits[kind, file] = hit
    of[kind, file] = all
  }
  function add(to, from) {
    for (k in kinds) {
      hits[k, to] += hits[k, from]
      of[k, to] += of[k, from]
    }
    rows[to]
  }
  function cell(kind, name) {
    return sprintf("%6d of %6d %-8s %5.1f %%", hits[kind, name], of[kind, name], kind,
                   of[kind, name] ? 100 * hits[kind, name] / of[kind, name] : 100)
  }
  BEGIN { kinds["lines"]; kinds["branches"] }
  /^Lines executed:/ && file ~ /^(src|viz)\// { files[file]; count("lines") }
  /^Taken at least once:/ && file ~ /^(src|viz)\// { count("branches") }
  END {
    for (name in files) {
      folder = name
      sub(/\/[^\/]*$/, "", folder)
      rows[name]
      add(folder, name)
      add("in all", name)
    }
    for (name in rows)
      printf "%s\t%s  %s  %s\n", name == "in all" ? "1~" : (name in files ? "2" : "1") name, cell("lines", name), cell("branches", name), name
  }' | LC_ALL=C sort | cut -f 2-
