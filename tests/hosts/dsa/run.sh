#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lets dsa-solver's own library validate solutions that neap.dsa writes: for problems that it could have written, and
# for tables that neap.dsa converts. The objective that it computes must be the one that neap reports. Skipped unless
# configured --with-dsa=DIR, a source tree of dsa-solver that has been built in its folder build.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
dsa=${NEAP_DSA:-}
sample=20 # files of each folder of the shared corpus

if [ -z "$dsa" ]; then
  skip_all "solutions in dsa-solver" "configure was run without --with-dsa=DIR"
fi
if [ -z "${NEAP_PYTHON:-}" ]; then
  skip_all "solutions in dsa-solver" "Python with cffi is not installed"
fi
PYTHONPATH=$NEAP_PYTHONPATH PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
make_work

compile() {
  ${CXX:-c++} -std=c++17 -O1 -Wall -Wextra -Werror -I"$dsa/src" "$here/replay.cc" "$dsa/build/libdsa_solver.a" \
    -o "$work/replay"
}

dsa() {
  "$NEAP_PYTHON" -m neap.dsa "$@" 2>"$work/messages"
}

# solve PROBLEM DOCUMENT: plans PROBLEM; dsa-solver validates the solution for DOCUMENT, and computes the same cost
solve() {
  "$program" plan "$1" -q --time-limit 2 -o "$work/plan.json" --json >"$work/report" || return 1
  dsa "$work/plan.json" --solution --document "$2" -o "$work/solution.json" || return 1
  value=$("$work/replay" "$2" "$work/solution.json") || { echo "$value" && return 1; }
  echo "dsa-solver: $value" && cat "$work/report"
  cost=$(sed -n 's/.*"reuse_cost": *\([0-9]*\).*/\1/p' "$work/report")
  [ "${cost:-${value##* }}" = "${value##* }" ]
}

# replans PROBLEM
replans() {
  dsa "$1" -o "$work/problem.json" && solve "$work/problem.json" "$1"
}

# converts FILE: a problem in another format, whose solution is for the document that neap writes of it
converts() {
  dsa "$1" -o "$work/document.json" && solve "$1" "$work/document.json" && replans "$work/document.json"
}

# copies PROBLEM: neap computes the same fingerprint
copies() {
  [ "$("$work/replay" "$1")" = "$(dsa "$1" --fingerprint)" ]
}

# changes PROBLEM: a problem without its pins is written as another document, which dsa-solver accepts
changes() {
  dsa "$1" --replan -o "$work/problem.json" || return 1
  dsa "$work/problem.json" --document "$1" -o "$work/changed.json" || return 1
  [ "$("$work/replay" "$1")" != "$("$work/replay" "$work/changed.json")" ] && replans "$work/changed.json"
}

# infeasible PROBLEM: whether it is proven that there is no solution
infeasible() {
  dsa "$1" -o "$work/problem.json" || return 1
  "$program" plan "$work/problem.json" -q --time-limit 2 -o "$work/plan.json" >"$work/messages" 2>&1
  [ $? -eq 4 ]
}

# A solution of another problem is refused.
foreign() {
  ! value=$("$work/replay" "$source_root/tests/api/python/data/full.dsa.json" "$work/solution.json") && echo "$value"
}

check "the test program compiles" compile
if [ -x "$work/replay" ]; then
  for file in "$source_root"/tests/api/python/data/*.dsa.json; do
    check "${file##*/}: dsa-solver accepts the solution" replans "$file"
    check "${file##*/}: neap computes the same fingerprint" copies "$file"
  done
  check "a problem without its pins is another document" changes "$source_root/tests/api/python/data/full.dsa.json"
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
