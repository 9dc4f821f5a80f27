#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # Markdown, and scripts for sh -c
# Tests the scripts in bench/: bench.sh prints the tables of growth and of the hard corners, with tiny limits; summaries
# of given rows are right; and constrain.awk adds the constraints that it is asked for.

here=$(dirname "$0")
. "$here/../tap.sh"
bench=$(cd "${NEAP_SOURCE:-$here/../..}/bench" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# prints EXPECTED COMMAND...: whether a command prints exactly this
prints() {
  printf '%s\n' "$1" >"$work/expected"
  shift
  "$@" >"$work/got" 2>&1 && diff "$work/expected" "$work/got"
}

# runs TABLE: whether bench.sh, with tiny limits, prints a table with a heading and at least one row (or which data is
# missing), and no messages
runs() {
  env NEAP_BENCH_DATA="$work/none" CORNER_SEEDS=1 CORNER_LIMIT=0.01 CORNER_ENGINES=exact CORNER_INSTANCES=B \
    CORNER_ORDERS=size CORNER_RUNS=1 CORNER_COUNT=100 CORNER_PROBLEMS=9 GROWTH_COUNTS='100 200 300' GROWTH_SEEDS=1 \
    GROWTH_LIMIT=2 GROWTH_SVG="$work/growth.svg" "$bench/bench.sh" "$1" >"$work/out" 2>"$work/messages"
  echo "exit $?"
  cat "$work/out" "$work/messages"
  grep -q '^== ' "$work/out" && grep -q -E '^(\| (--- )?[^-|]+ \|.*[0-9]|missing: )' "$work/out" &&
    [ ! -s "$work/messages" ]
}

test_summaries() {
  row='"x.csv",exact,10,5,5'
  printf '%s\n' "A;1;$row,5,0.000000,optimal,bound,1.5,1.5,100" "A;2;$row,6,20.000000,feasible,time_limit,3.0,3.0,100" \
    "A;3;$row,5,0.000000,optimal,proven,0.5,0.5,100" "B;4;$row,-1,-1.000000,infeasible,proven,2.0,2.0,100" \
    "A, free;;$row,7,0.900000,feasible,capacity,2,2,100" "A, fixed;;$row,7,0.900000,feasible,capacity,5,5,100" \
    >"$work/rows"
  check "medians, worst cases and runs that are not solved" prints '| problem | engine | solved | within 1 % | gap, median | worst | seconds, median | worst | ratio of medians |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| A | `exact` | 2 of 3 | 2 of 3 | 0.0000 % | 20.0000 % | 1.50 | > 3.00 | 1.00 |
| B | `exact` | 0 of 1 | 0 of 1 | none | none | > 2.00 | > 2.00 | 1.00 |
| A, free | `exact` | 1 of 1 | 1 of 1 | 0.9000 % | 0.9000 % | 2.00 | 2.00 | 1.33 |
| A, fixed | `exact` | 1 of 1 | 1 of 1 | 0.9000 % | 0.9000 % | 5.00 | 5.00 | 3.33 |

Not solved, A, `exact`: 2.
Not solved, B, `exact`: 4.' awk -f "$bench/summary.awk" -v near=1 -v baseline=variant "$work/rows"
  printf '%s\n' 'exact a 10 1 0.1 ended' 'exact a 10 2 0.1 ended' 'exact a 100 1 10 ended' 'exact a 1000 1 1000 ended' \
    'exact b 10 1 0.5 ended' 'exact b 100 1 2 open' >"$work/times"
  check "slopes" prints '| engine | kind | 10 | 100 | 1000 | slope |
| --- | --- | ---: | ---: | ---: | ---: |
| `exact` | a | 0.1000 | 10.0000 | 1000.0000 | 2.00 |
| `exact` | b | 0.5000 | > 2.0000 | - | - |' awk -f "$bench/growth.awk" "$work/times"
}

# pinned ASSIGNMENT...: how many of 40 buffers keep their offsets, and whether others change anything else
pinned() {
  constrained=$(awk -f "$bench/random.awk" -f "$bench/constrain.awk" -v seed=7 "$@" "$work/plan.csv")
  echo "$constrained" | awk -F , 'NR > 1 && $5 != "" && $5 == 16 * (NR - 2)' | wc -l | tr -d ' '
  echo "$constrained" | cut -d , -f 1-4 | diff - "$work/table.csv"
}

test_constraints() {
  seq 0 39 | awk 'BEGIN { print "id,lower,upper,size,offset" } { print $1 ",0,1,16," 16 * $1 }' >"$work/plan.csv"
  cut -d , -f 1-4 "$work/plan.csv" >"$work/table.csv"
  check "a share of the buffers is fixed" prints 8 pinned -v pins=20
  check "one buffer is fixed" prints 1 pinned -v pin_count=1
  check "all are" prints 40 pinned -v pins=100
  check "alignments come from the list" prints '512
64
alignment' sh -c 'awk -f "$1/random.awk" -f "$1/constrain.awk" -v seed=1 -v alignments="64 512" "$2" |
    cut -d , -f 5 | LC_ALL=C sort -u' - "$bench" "$work/table.csv"
  check "pins need a plan" sh -c '! awk -f "$1/random.awk" -f "$1/constrain.awk" -v pins=5 "$2"' - "$bench" \
    "$work/table.csv"
}

# The first numbers of two seeds, in 1/2^24.
test_random() {
  echo 'BEGIN { for (s = 1; s <= 2; s++) { random_seed(s); print int(16777216 * random()) } }' >"$work/draw.awk"
  check "random numbers are the same everywhere" prints '7857827
13172952' awk -f "$bench/random.awk" -f "$work/draw.awk"
}

test_summaries
test_constraints
test_random
for table in growth $(sed -n "s/^corners='\(.*\)'$/\1/p" "$bench/bench.sh"); do
  check "bench.sh $table" runs "$table"
done
if command -v gnuplot >/dev/null; then
  check "the picture states slopes" grep -q 'chain, slope [0-9]' "$work/growth.svg"
else
  skip "the picture states slopes" "gnuplot is missing"
fi
check "unknown tables are rejected" sh -c '"$1" nothing 2>&1 | grep "unknown table"' - "$bench/bench.sh"
tap_end
