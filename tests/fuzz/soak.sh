#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# soak.sh SOURCE-FOLDER HOURS, in a build folder: runs in turn the sequences of calls, the readers under libFuzzer, the
# long property tests and the oracle, each for its share of the time, and prints how much each has executed.  What is
# found is kept in soaking/, and so are the counts of earlier runs, which go on from other seeds.
set -u

source=$(cd "$1" && pwd) hours=$2
mkdir -p soaking/calls soaking/oracle || exit 1
seconds=$(awk "BEGIN { print int($hours * 3600 / 4) + 1 }")
failed=0

# row NAME EXECUTIONS SECONDS FINDINGS: adds to the counts
row() {
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>soaking/counts
  [ "$4" -eq 0 ] || failed=1
}

# next NAME: prints a seed that no run has begun at
next() {
  awk -F '\t' -v name="$1" '$1 == name { sum += $2 } END { print sum + 1000000 }' soaking/counts 2>/dev/null || echo 1000000
}

soak_calls() {
  begun=$(date +%s) traces=0 found=0 first=$(next calls)
  while [ "$(($(date +%s) - begun))" -lt "$seconds" ]; do
    (cd soaking/calls && ../../tests/fuzz/calls run "$((first + traces))" 500 >>log 2>&1) || found=$((found + 1))
    traces=$((traces + 500))
  done
  row calls "$traces" "$(($(date +%s) - begun))" "$found"
  # Shrinks what was found.
  for trace in soaking/calls/calls-*.trace; do
    [ ! -e "$trace" ] || [ -e "$trace.small" ] ||
      timeout 600 python3 "$source/tests/fuzz/reduce" -o "$trace.small" "$trace" \
        sh -c '! tests/fuzz/calls replay "$0"' '{}' 2>>soaking/calls/log
  done
}

# Needs a build that is configured for fuzzing; a quarter of the time is for all readers together.
soak_readers() {
  [ -x tests/fuzz/fuzzer ] || return 0
  count=$(NEAP_FUZZ_READER='' tests/fuzz/fuzzer -runs=0 2>&1 | grep -c '^[a-z-]* [a-z]*$')
  begun=$(date +%s) found=0
  FUZZ_SECONDS=$((seconds / count + 1)) sh "$source/tests/fuzz/fuzz.sh" run "$source" >soaking/readers.log 2>&1 || found=1
  runs=$(awk '{ sum += $2 } END { print sum + 0 }' soaking/readers.log)
  row readers "$runs" "$(($(date +%s) - begun))" "$found"
  # Keeps the inputs that reach something of their own.
  for folder in fuzzing/*/; do
    [ -d "$folder" ] || continue
    name=$(basename "$folder")
    mkdir -p "soaking/corpus/$name"
    NEAP_FUZZ_READER=$name tests/fuzz/fuzzer -merge=1 "soaking/corpus/$name" "$folder" >>soaking/merge.log 2>&1
  done
}

soak_properties() {
  [ -x tests/property/test_relations ] || return 0
  begun=$(date +%s) problems=0 found=0 first=$(next properties)
  while [ "$(($(date +%s) - begun))" -lt "$seconds" ]; do
    tests/property/test_relations all 20 "$((first + problems))" >>soaking/properties.log 2>&1 || found=$((found + 1))
    problems=$((problems + 20 * 15))
  done
  row properties "$problems" "$(($(date +%s) - begun))" "$found"
}

soak_oracle() {
  python3 -c 'import ortools' 2>/dev/null || return 0
  begun=$(date +%s) found=0
  python3 "$source/tests/oracle/run" 1000000000 "$(next oracle)" --seconds "$seconds" --keep soaking/oracle \
    >soaking/oracle.log 2>&1 || found=1
  row oracle "$(sed -n 's/^\([0-9]*\) comparisons, .*/\1/p' soaking/oracle.log)" "$(($(date +%s) - begun))" "$found"
}

touch soaking/counts
soak_calls
soak_readers
soak_properties
soak_oracle
awk -F '\t' '
  { runs[$1] += $2; time[$1] += $3; found[$1] += $4 }
  END {
    printf "%-12s %14s %10s %12s %8s\n", "what", "executions", "seconds", "a second", "failed"
    for (name in runs)
      printf "%-12s %14d %10d %12.1f %8d\n", name, runs[name], time[name], time[name] ? runs[name] / time[name] : 0, found[name]
  }' soaking/counts
exit "$failed"
