#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # Markdown, and scripts for other shells
# Tests the figures in BENCHMARKS.md, results.md, README.md and the guides, without measuring any: README and the guides quote the
# tables, and all tables are of one commit.  Then the scripts in bench/, with tiny limits: every table can be measured;
# reports contain only complete tables; peers that are missing, fail or cheat are told apart; and constrain.awk adds the
# constraints that it is asked for.

. "$(dirname "$0")/../tap.sh"
bench=$source_root/bench
make_work
export NEAP_BENCH_DATA="$work/none" NEAP_TFLM='' PYTHONDONTWRITEBYTECODE=1
unset NEAP_PEER_MINIMALLOC NEAP_PEER_SUPERMALLOC NEAP_PEER_IDEALLOC NEAP_PEER_DSA_SOLVER NEAP_PEER_CPSAT

# prints EXPECTED COMMAND...: whether a command prints exactly this
prints() {
  printf '%s\n' "$1" >"$work/expected"
  shift
  "$@" >"$work/got" 2>&1 && diff "$work/expected" "$work/got"
}

# rejects TEXT COMMAND...: whether a command fails and prints the text
rejects() {
  rejected=$1
  shift
  ! "$@" >"$work/got" 2>&1 && { grep -F "$rejected" "$work/got" || { cat "$work/got" && false; }; }
}

# report ARGUMENT...: measures with tiny limits, where a picture may be left behind
report() {
  (cd "$work" && python3 "$bench/report.py" --limit 0.01 --seeds 1 --count 50 "$@")
}

# runs TABLE [OPTION...]: whether it can be measured, and has a heading
runs() {
  report "$@" >"$work/out" 2>"$work/messages"
  echo "exit $?"
  cat "$work/out" "$work/messages"
  grep -q "^== $1" "$work/out" && grep -q '^| --- |' "$work/out" && ! grep -v '^no picture' "$work/messages"
}

# python CODE: runs it with the modules of bench/
python() {
  printf '%s\n' 'import sys; sys.path.insert(0, sys.argv[1]); import measure, report, tables' "$1" >"$work/code.py"
  python3 "$work/code.py" "$bench" "$work"
}

# copy_files [SED-SCRIPT]: the files in a folder of their own, README changed
copy_files() {
  rm -rf "$work/root" && mkdir -p "$work/root/doc/guide" "$work/root/bench" || exit 1
  for file in BENCHMARKS.md bench/results.md doc/guide/beside.md doc/guide/research.md doc/guide/tinyml.md; do
    cat "$source_root/$file" >"$work/root/$file" || exit 1
  done
  sed "${1-}" "$source_root/README.md" >"$work/root/README.md" || exit 1
}

test_files() {
  check "documents have the figures of the tables, which are of one commit" python3 "$bench/report.py" --check
  copy_files 's/\(<!-- cell runtimes; neap; peak -->\)[^<]*/\199/'
  check "a figure that differs is found" rejects "README.md: '99', but runtimes; neap; peak is" \
    report --check --root "$work/root"
  check "a new table brings README.md up to date" report --report runtimes --root "$work/root"
  check "a table of another commit is found" rejects 'at several commits' report --check --root "$work/root"
  check "a short run is no record" rejects "+short', which is no commit" report --check --root "$work/root"
  check "the figure is right again" sh -c '! grep "README.md:" "$1"' - "$work/got"
  sed -i '/table pins: begin/,/table pins: end/d' "$work/root/bench/results.md"
  check "a missing table is found" rejects "table pins is missing" report --check --root "$work/root"
}

# An interrupted report keeps the tables that are complete, and the old text of others.
test_interruption() {
  copy_files
  printf '#!/bin/sh\nkill -INT "$PPID"\nsleep 9\n' >"$work/peer" && chmod +x "$work/peer"
  NEAP_PEER_MINIMALLOC=$work/peer report --report --root "$work/root" tuner capacity >"$work/got" 2>&1
  check "an interruption ends the report" prints 130 echo $?
  check "a complete table is kept" grep -q 'table tuner: begin, .*+short' "$work/root/bench/results.md"
  check "an incomplete one is not written" sh -c '[ "$(grep -A 20 "table capacity: begin" "$1")" = \
    "$(grep -A 20 "table capacity: begin" "$2")" ]' - "$source_root/BENCHMARKS.md" "$work/root/BENCHMARKS.md"
  check "no file is left behind" prints 'BENCHMARKS.md
README.md
bench/results.md
doc/guide/beside.md
doc/guide/research.md
doc/guide/tinyml.md' sh -c 'cd "$1" && find . -type f | sed "s/^..//" | LC_ALL=C sort' - "$work/root"
}

# peer NAME SCRIPT: makes a program that is called with INPUT OUTPUT SECONDS CAPACITY
peer() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/$1" && chmod +x "$work/$1"
}

test_peers() {
  peer good '"$NEAP_PROGRAM" plan "$1" -q --time-limit 5 -o "$2"; echo 0.25'
  peer unsound 'sed "1s/$/,offset/; 2,\$s/$/,0/" "$1" >"$2"'
  peer other '"$NEAP_PROGRAM" gen chain --count 5 | "$NEAP_PROGRAM" plan - -q -o "$2"'
  peer failing 'exit 3'
  peer hanging 'sleep 99'
  check "plans of peers are verified" prints "good 1048576 0.25 
unsound None  unsound
other None  unsound
failing None  failed
hanging None  killed
absent None  not run" python '
import os
measure.PEERS.update((name, name) for name in ("good", "unsound", "other", "failing", "hanging", "absent"))
for name in ("good", "unsound", "other", "failing", "hanging", "absent"):
    os.environ["NEAP_PEER_" + name.upper()] = sys.argv[2] + "/" + name
    measure.GRACE = 0.2 if name == "hanging" else 600
    peak, took, why = measure.peer_plan(name, measure.instance("minimalloc/B"), 0.1 if name == "hanging" else 10)
    print(name, peak, took if name == "good" else "", why)'
}

test_summaries() {
  check "medians, worst cases and runs that are not solved" prints "2 of 3 ['1.50', '> 3.00'] ['0 %', '20.0000 %']
0 of 1 ['> 2.00', '> 2.00'] ['no plan', 'no plan']" python '
def row(peak, gap, reason, seconds): return dict(peak=peak, gap_percent=gap, stop_reason=reason, seconds=seconds)
some = [row(5, 0, "bound", 1.5), row(6, 20, "time_limit", 3.0), row(5, 0, "proven", 0.5)]
for rows in (some, [row(-1, -1, "", 2.0)]):
    print(measure.solved(rows), measure.spread(rows), measure.gaps(rows))'
  check "slopes" prints '2.00 None' python '
print("%.2f" % tables.slope([(10, 0.1), (10, 0.1), (100, 10), (1000, 1000)])[0], tables.slope([(10, 1), (20, 2)])[0])'
  check "tables in Markdown" prints '`neap`:

| a | b |
| --- | ---: |
| x | > 1 |
' python 'print(report.markdown("`neap`", ["a", "b"], [["x", "> 1"]]))'
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

test_files
test_interruption
test_peers
test_summaries
test_constraints
test_random
# shellcheck disable=SC2013 # names
for table in $(sed -n '/^@table/{n;s/^def \(.*\)():/\1/p;}' "$bench/tables.py"); do
  case $table in
    capacity | orders | packings | tuner) check "table $table" runs "$table" ;; # of one kind each
    *) check_full "table $table" runs "$table" ;;
  esac
done
if command -v gnuplot >/dev/null; then
  check "runs that end have lines" runs growth --limit 60 --count 400
  check "the picture states slopes" grep -q 'chain, slope [0-9]' "$work/growth.svg"
else
  skip "the picture states slopes" "gnuplot is missing"
fi
check "unknown tables are rejected" rejects "unknown table 'nothing'" report nothing
tap_end
