#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans every problem of a folder and prints what the plans pay for reuse, and what is proven about it.
#
#     costs.sh FOLDER [OPTION...]        options are those of neap plan; NEAP_PROGRAM names the program

neap=${NEAP_PROGRAM:-build/neap}
folder=${1:?usage: costs.sh FOLDER [OPTION...]}
shift

# number KEY: prints the first number of that key in the report in standard input, or -
number() {
  found=$(grep -o "\"$1\": [-+0-9.e]*" | head -n 1 | sed 's/.*: //')
  echo "${found:--}"
}

printf '%-12s %8s %8s %8s %8s  %s\n' status buffers cost proven seconds problem
for file in "$folder"/*.json; do
  report=$("$neap" plan "$file" --json "$@" 2>/dev/null | head -n 1)
  status=$(printf '%s' "$report" | sed -n 's/.*"status": "\([a-z]*\)".*/\1/p')
  printf '%-12s %8s %8s %8s %8s  %s\n' "${status:-none}" "$(printf '%s' "$report" | number buffers)" \
    "$(printf '%s' "$report" | number reuse_cost)" "$(printf '%s' "$report" | number reuse_cost_lower_bound)" \
    "$(printf '%s' "$report" | number seconds)" "$(basename "$file" .json)"
done | awk '
  { print; cost += $3; proven += $4; seconds += $5; same += $3 != "-" && $3 == $4 }
  END { printf "%d problems: cost %d, proven %d, equal for %d, %.2f s\n", NR, cost, proven, same, seconds }'
