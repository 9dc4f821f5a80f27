#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh [GCOV]: prints the share of lines that the tests executed, per file and module.  Run it in the build
# folder after `make check` in a build configured with --enable-coverage.

gcov=${1:-gcov}
find src viz -name '*.gcda' | LC_ALL=C sort | while read -r counts; do
  $gcov -n "$counts"
done 2>/dev/null | LC_ALL=C awk -v quote="'" '
  /^File / {
    split($0, part, quote)
    file = part[2]
    sub(/.*\/src\//, "src/", file)
    sub(/.*\/viz\//, "viz/", file)
  }
  /^Lines executed:/ && file ~ /^(src|viz)\// {
    split($0, part, /[:% ]+/)
    lines = part[5]
    hit = int(part[3] * lines / 100 + 0.5)
    # A header is counted in every file that includes it: keep the best count.
    if (!(file in total) || hit > executed[file]) executed[file] = hit
    total[file] = lines
    file = ""
  }
  END {
    for (file in total) {
      module = file
      sub(/\/[^\/]*$/, "", module)
      row[module] += executed[file]; of[module] += total[file]
      row["in all"] += executed[file]; of["in all"] += total[file]
      row[file] = executed[file]; of[file] = total[file]
    }
    for (name in row) {
      key = name == "in all" ? "~" : name
      printf "%s\t%6d of %6d lines  %5.1f %%  %s\n", key, row[name], of[name], of[name] ? 100 * row[name] / of[name] : 100, name
    }
  }' | LC_ALL=C sort | cut -f 2-
