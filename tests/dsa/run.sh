#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lets dsa-solver's own library validate solutions: for problems that it could have written, and for tables that neap
# converts. The objective that it computes must be the one that neap reports. Skipped unless configured
# --with-dsa=DIR, a source tree of dsa-solver that has been built in its folder build.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
dsa=${NEAP_DSA:-}
sample=20 # files of each folder of the shared corpus

if [ -z "$dsa" ]; then
  skip_all "solutions in dsa-solver" "configure was run without --with-dsa=DIR"
fi
make_work

compile() {
  ${CXX:-c++} -std=c++17 -O1 -Wall -Wextra -Werror -I"$dsa/src" "$here/replay.cc" "$dsa/build/libdsa_solver.a" \
    -o "$work/replay"
}

# solve PROBLEM DOCUMENT: plans PROBLEM; dsa-solver validates the solution for DOCUMENT, and computes the same cost
solve() {
  "$program" plan "$1" -q --time-limit 2 -o "$work/solution.json" --format dsa --json >"$work/report" || return 1
  value=$("$work/replay" "$2" "$work/solution.json") || { echo "$value" && return 1; }
  echo "dsa-solver: $value" && cat "$work/report"
  cost=$(sed -n 's/.*"reuse_cost": *\([0-9]*\).*/\1/p' "$work/report")
  [ "${cost:-${value##* }}" = "${value##* }" ]
}

# replans PROBLEM
replans() {
  solve "$1" "$1"
}

# converts FILE: a problem in another format, whose solution is for the document that neap writes of it
converts() {
  "$program" convert "$1" -o "$work/problem.json" --format dsa && solve "$1" "$work/problem.json" &&
    solve "$work/problem.json" "$work/problem.json"
}

# copies PROBLEM: neap writes the document with the same fingerprint
copies() {
  "$program" convert "$1" -o "$work/copy.json" --format dsa &&
    [ "$("$work/replay" "$1")" = "$("$work/replay" "$work/copy.json")" ]
}

# changes PROBLEM: a problem without its pins is written as another document, which dsa-solver accepts
changes() {
  "$program" convert "$1" --replan -o "$work/changed.json" --format dsa || return 1
  [ "$("$work/replay" "$1")" != "$("$work/replay" "$work/changed.json")" ] && replans "$work/changed.json"
}

# infeasible PROBLEM: whether it is proven that there is no solution
infeasible() {
  "$program" plan "$1" -q --time-limit 2 -o "$work/solution.json" --format dsa >"$work/messages" 2>&1
  [ $? -eq 4 ]
}

# A solution of another problem is refused.
foreign() {
  ! value=$("$work/replay" "$source_root/tests/fuzz/corpus/dsa/full.json" "$work/solution.json") && echo "$value"
}

check "the test program compiles" compile
if [ -x "$work/replay" ]; then
  for file in "$source_root"/tests/fuzz/corpus/dsa/*.json; do
    check "${file##*/}: dsa-solver accepts the solution" replans "$file"
    check "${file##*/}: the copy has the same fingerprint" copies "$file"
  done
  check "a problem without its pins is another document" changes "$source_root/tests/fuzz/corpus/dsa/full.json"
  for file in "$source_root"/examples/*.csv; do
    check "${file##*/}: dsa-solver accepts the solution of a table" converts "$file"
  done
  check "a solution of another problem is refused" foreign
  for folder in "${NEAP_SHARED:-}"/data/constraints/*/; do
    [ -d "$folder" ] || continue
    for file in $(find "$folder" -name '*.json' -size -64k | LC_ALL=C sort | head -n "$sample"); do
      name=${file##*/constraints/}
      if infeasible "$file"; then
        skip "$name" "$(cat "$work/messages")"
      else
        check "$name: dsa-solver accepts the solution" replans "$file"
      fi
    done
  done
fi
tap_end
