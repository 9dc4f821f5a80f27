#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# soak.sh SOURCE-FOLDER HOURS, in a build folder: runs in turn the sequences of calls, the readers under libFuzzer, the
# long property tests and the oracle, or those that SOAK names, each for its share of the time and on all processors
# (JOBS), and prints how much each has executed, and how fast per processor.  Findings are kept in soaking/, with the
# inputs of readers that are worth keeping, and the counts of runs, so that later runs begin at other seeds.
set -u

source=$(cd "$1" && pwd) hours=$2
# Keep short-lived files in memory: on a disk, they would take a third of the time of calls.
[ ! -w /dev/shm ] || export TMPDIR="${TMPDIR:-/dev/shm}"
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
mkdir -p soaking/calls soaking/properties soaking/readers soaking/oracle || exit 1
failed=0

# The jobs and their parts of the time.
parts='calls 3 readers 5 properties 1 oracle 1'
chosen=${SOAK:-calls readers properties oracle}

# share NAME: prints its share of the time, in seconds
share() {
  echo "$parts" | awk -v hours="$hours" -v chosen=" $chosen " -v name="$1" '{
    for (i = 1; i < NF; i += 2) {
      if (index(chosen, " " $i " ")) sum += $(i + 1)
      if ($i == name) part = $(i + 1)
    }
    print int(hours * 3600 * part / sum) + 1
  }'
}

# row NAME EXECUTIONS SECONDS FAILED: adds to the counts; the seconds are those of one processor
row() {
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>soaking/counts
  [ "$4" -eq 0 ] || failed=1
}

# next NAME: prints a seed that no run has begun at; the seeds of different processors are far apart
next() {
  awk -F '\t' -v name="$1" '$1 == name { sum += $2 } END { printf "%d\n", sum + 1000000 }' soaking/counts
}

# all_processors SECONDS FOLDER COMMAND: calls COMMAND PROCESSOR ROUND on each until the time is over, and sets `used` to the
# seconds of all and `found` to the calls that failed
all_processors() {
  begun=$(date +%s) processor=0
  rm -f "$2"/log.*
  while [ "$processor" -lt "$jobs" ]; do
    (
      round=0
      while [ "$(($(date +%s) - begun))" -lt "$1" ]; do
        "$3" "$processor" "$round" || echo "a call FAILED"
        round=$((round + 1))
      done
    ) >"$2/log.$processor" 2>&1 &
    processor=$((processor + 1))
  done
  wait
  used=$((jobs * ($(date +%s) - begun)))
  found=$(cat "$2"/log.* | grep -c '^a call FAILED')
}

# ---------------------------------------------------------------- calls

# shellcheck disable=SC2317 # called by all_processors
some_calls() {
  (cd soaking/calls && ../../tests/fuzz/calls run "$((first + $1 * 10000000000 + $2 * 20000))" 20000)
}

soak_calls() {
  first=$(next "traces of calls")
  all_processors "$(share calls)" soaking/calls some_calls
  row "traces of calls" "$(cat soaking/calls/log.* | awk '/ traces, / { sum += $1 } END { printf "%d", sum }')" "$used" "$found"
  row "calls of the API" "$(cat soaking/calls/log.* | awk '/ traces, / { sum += $3 } END { printf "%d", sum }')" "$used" "$found"
  # Shrinks the findings.
  for trace in soaking/calls/calls-*.trace; do
    [ ! -e "$trace" ] || [ -e "$trace.small" ] ||
      timeout 600 python3 "$source/tests/fuzz/reduce" -o "$trace.small" "$trace" \
        sh -c '! tests/fuzz/calls replay "$0"' '{}' 2>>soaking/calls/reduce.log
  done
}

# ---------------------------------------------------------------- readers

# one_reader NAME: runs it, adds its row, and keeps the inputs that add coverage
one_reader() {
  kept=$here/soaking/readers/$1
  begun=$(date +%s) found=0
  rm -rf "fuzzing/$1.merged"
  sh "$source/tests/fuzz/fuzz.sh" run "$source" "$1" >"$kept.log" 2>&1 || found=1
  runs=$(sed -n "s/^$1: \([0-9]*\) runs.*/\1/p" "$kept.log")
  printf '%s\t%s\t%s\t%s\n' "reader $1" "${runs:-0}" "$(($(date +%s) - begun))" "$found" >"$kept.row"
  mkdir -p "$kept" "fuzzing/$1.merged"
  NEAP_FUZZ_READER=$1 tests/fuzz/fuzzer -merge=1 -rss_limit_mb=2048 -max_len=8192 "fuzzing/$1.merged" "$kept" "fuzzing/$1" \
    >>"$kept.log" 2>&1 || return
  rm -rf "$kept" "fuzzing/$1"
  cp -R "fuzzing/$1.merged" "$kept" && mv "fuzzing/$1.merged" "fuzzing/$1"
}

# In a build that is configured for fuzzing: this one, or that of `make fuzz`, which is made first.
soak_readers() {
  here=$PWD
  sh "$source/tests/fuzz/fuzz.sh" prepare "$source" || return 0
  (
    [ -x tests/fuzz/fuzzer ] || cd fuzzers || exit
    list=$(NEAP_FUZZ_READER='' tests/fuzz/fuzzer -runs=0 2>&1 | sed -n 's/^\([a-z-]*\) [a-z]*$/\1/p')
    FUZZ_SECONDS=$(($(share readers) * jobs / $(echo "$list" | wc -w) + 1))
    export FUZZ_SECONDS
    running=0
    for name in $list; do
      one_reader "$name" &
      running=$((running + 1))
      [ "$((running % jobs))" -ne 0 ] || wait
    done
    wait
  )
  for file in soaking/readers/*.row; do
    [ -e "$file" ] || continue
    IFS='	' read -r name runs used found <"$file" && row "$name" "$runs" "$used" "$found"
    rm -f "$file"
  done
}

# ---------------------------------------------------------------- properties and the oracle

# shellcheck disable=SC2317 # called by all_processors
some_properties() {
  tests/property/test_relations all 20 "$((first + $1 * 10000000000 + $2 * 300))" && echo "20 of each"
}

soak_properties() {
  [ -x tests/property/test_relations ] || return 0
  first=$(next "random problems")
  all_processors "$(share properties)" soaking/properties some_properties
  row "random problems" "$((300 * $(cat soaking/properties/log.* | grep -c '^20 of each')))" "$used" "$found"
}

soak_oracle() {
  python3 -c 'import ortools' 2>/dev/null || return 0
  begun=$(date +%s) found=0
  python3 "$source/tests/property/oracle/run" 1000000000 "$(next "oracle")" --seconds "$(share oracle)" --keep soaking/oracle \
    --jobs "$jobs" >soaking/oracle.log 2>&1 || found=1
  used=$((jobs * ($(date +%s) - begun)))
  row oracle "$(sed -n 's/^\([0-9]*\) comparisons, .*/\1/p' soaking/oracle.log)" "$used" "$found"
}

for what in $chosen; do
  case $what in
    calls | readers | properties | oracle) ;;
    *) echo "soak: there is no '$what'; SOAK can have calls, readers, properties and oracle" >&2; exit 2 ;;
  esac
done
touch soaking/counts
for what in $chosen; do
  case $what in
    calls) soak_calls ;;
    readers) soak_readers ;;
    properties) soak_properties ;;
    oracle) soak_oracle ;;
  esac
done
awk -F '\t' '
  function line(name, runs, time, found) {
    printf "%-24s %14d %12d %12.1f %8d\n", name, runs, time, time ? runs / time : 0, found
  }
  !($1 in runs) { names[++count] = $1 }
  { runs[$1] += $2; time[$1] += $3; found[$1] += $4 }
  $1 != "traces of calls" { all += $2; time_of_all += $3; found_in_all += $4 } # calls count already
  END {
    printf "%-24s %14s %12s %12s %8s\n", "what", "executions", "core seconds", "a second", "failed"
    for (i = 1; i <= count; i++)
      line(names[i], runs[names[i]], time[names[i]], found[names[i]])
    line("in all", all, time_of_all, found_in_all)
  }' soaking/counts | tee soaking/report.txt
exit "$failed"
