#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh run SOURCE-FOLDER [READER...]: runs libFuzzer on every reader, or on those named, for FUZZ_SECONDS each,
# starting from a copy of its seeds.  Findings are stored in fuzzing/, as READER-crash-... and the like; the status
# is 0 only if there are none.  The working folder must be that of a build with --enable-fuzzers.
#
# fuzz.sh build SOURCE-FOLDER: makes such a build in fuzzers/ and runs it there; skips it without libFuzzer.
# fuzz.sh prepare SOURCE-FOLDER: only makes it, unless this build is one; the status is 1 without libFuzzer.
set -u

what=$1 source=$2
shift 2

has_libfuzzer() {
  probe=$(mktemp -d) || return 1
  echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' >"$probe/probe.c"
  $CC -fsanitize=fuzzer,address,undefined "$probe/probe.c" -o "$probe/probe" >"$probe/log" 2>&1
  probed=$?
  rm -rf "$probe"
  return "$probed"
}

# configured: enters fuzzers/, a build for libFuzzer
configured() {
  CC=${FUZZ_CC:-clang}
  if ! has_libfuzzer; then
    echo "fuzz: skipped: $CC with libFuzzer is missing (Debian: clang and libclang-rt-dev)"
    return 77
  fi
  mkdir -p fuzzers && cd fuzzers || return 1
  if [ ! -e config.status ]; then
    "$source/configure" --enable-fuzzers --enable-checks CC="$CC" CFLAGS='-O1 -g' >configure.log 2>&1 || {
      tail -n 20 configure.log >&2
      return 1
    }
  fi
}

build() {
  configured || return "$(($? == 77 ? 0 : 1))"
  ${MAKE:-make} fuzz FUZZ_SECONDS="$FUZZ_SECONDS" FUZZ_READERS="$FUZZ_READERS"
}

prepare() {
  [ ! -x tests/fuzz/fuzzer ] || return 0
  (
    configured || exit 1
    ${MAKE:-make} tests/fuzz/fuzzer >fuzzer.log 2>&1 && exit
    tail -n 5 fuzzer.log >&2
    exit 1
  )
}

# readers: prints a line with the name and the format of each reader
readers() {
  NEAP_FUZZ_READER='' tests/fuzz/fuzzer -runs=0 2>&1 | sed -n 's/^\([a-z-]* [a-z]*\)$/\1/p'
}

# seeds READER FORMAT FOLDER: copies the format's seeds and the inputs that earlier runs kept for the reader there
seeds() {
  mkdir -p "$3" && cp "$source/tests/fuzz/corpus/$2"/* "$3" || return 1
  xz -dc "$source/tests/fuzz/corpus/reached.tar.xz" | tar -x -C "$3" --strip-components=1 "$1" || return 1
  find "$source/examples" -name "*.$2" -size -16k -exec cp {} "$3" \;
}

# run_reader READER FORMAT.  libFuzzer's entropic schedule is off: it takes up to a third of the time, and readers
# reach more without it.
run_reader() {
  log=fuzzing/$1.log
  seeds "$1" "$2" "fuzzing/$1" || return 1
  NEAP_FUZZ_READER=$1 tests/fuzz/fuzzer -max_total_time="$FUZZ_SECONDS" -rss_limit_mb=2048 -timeout=25 \
    -entropic=0 -max_len=8192 -dict="$source/tests/fuzz/words/$2.dict" \
    -artifact_prefix="fuzzing/$1-" -print_final_stats=1 \
    "fuzzing/$1" >"$log" 2>&1
  ended=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  if [ "$ended" -eq 0 ]; then
    echo "$1: ${runs:-0} runs, ${edges:-0} edges, nothing found"
  else
    echo "$1: ${runs:-0} runs, ${edges:-0} edges, FOUND something (status $ended): see $log"
    grep -E "^$1: |ERROR: |SUMMARY: |runtime error: |Assertion" "$log" | head -n 4
  fi
  return "$ended"
}

run() {
  failed=0
  list=$(readers)
  [ -n "$list" ] || { echo "fuzz: the fuzzer names no readers" >&2; return 1; }
  # shellcheck disable=SC2048 # names without spaces
  for name in ${*:-$(echo "$list" | sed 's/ .*//')}; do
    format=$(echo "$list" | sed -n "s/^$name //p")
    [ -n "$format" ] || { echo "fuzz: there is no reader $name" >&2; return 2; }
    run_reader "$name" "$format" || failed=1
  done
  return "$failed"
}

case $what in
  build) build ;;
  prepare) prepare ;;
  run) run "$@" ;;
esac
