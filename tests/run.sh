#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run.sh [CONFIGURE-ARGUMENT...]: installs missing packages, builds in build/ (or in the folder NEAP_BUILD,
# relative to the source) and runs all tests.  With NEAP_BROWSER=1 it also installs what the browser tests need, with
# NEAP_PROOFS=1 what checks proofs; otherwise these run only if that is installed already.  NEAP_FULL=1 checks what short
# runs leave out.  The last line is the result, counted in test cases:
#
#     N passed, N failed, N skipped
#
# Exits with 0 only if at least one test ran and none failed.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}
. "$root/build-aux/setup.sh"

# Print the result however the script ends.
passed=0 failed=0 skipped=0
trap 'echo "$passed passed, $failed failed, $skipped skipped"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# results: the result of each case, one word per line
results() {
  find tests -name '*.trs' -exec sed -n 's/^:test-result: *\([A-Z]*\).*/\1/p' {} +
}

# count RESULT...
count() {
  pattern=$(printf '%s|' "$@")
  results | grep -c -x -E "${pattern%|}"
}

# named RESULT...: the cases with one of these results, as named in the logs
named() {
  pattern=$(printf '%s|' "$@")
  find tests -name '*.log' -exec grep -h -E "^(${pattern%|}): tests/" {} + | LC_ALL=C sort
}

# failing_logs: the log of each test that has a failing case
failing_logs() {
  find tests -name '*.trs' -exec grep -l -E '^:test-result: *(FAIL|XPASS|ERROR)' {} + | LC_ALL=C sort |
    sed 's/\.trs$/.log/'
}

setup_start
setup_packages cmocka:libcmocka-dev libxml-2.0:libxml2-dev librsvg-2.0:librsvg2-dev
setup_python cffi:python3-cffi pytest:python3-pytest numpy:python3-numpy setuptools:python3-setuptools \
  pip:python3-pip wheel:python3-wheel
setup_parallel
[ "${NEAP_BROWSER:-0}" != 1 ] || setup_browser
[ "${NEAP_PROOFS:-0}" != 1 ] || setup_proofs
setup_build "$@"

say "Testing ..." # one test more than processors, because some wait for signals and clocks
find tests -name '*.trs' -exec rm -f {} +
make -k -j "$(($(setup_jobs) + 1))" check >check.log 2>&1 </dev/null
status=$?

passed=$(count PASS)
failed=$(count FAIL XPASS ERROR)
skipped=$(count SKIP XFAIL)

named SKIP
if [ "$failed" -gt 0 ]; then
  failing_logs | while read -r log; do
    printf '\n--- %s\n' "$log"
    cat "$log"
  done
  echo
  named FAIL XPASS ERROR
elif [ "$status" -ne 0 ]; then
  # With make -k the error is seldom at the end.
  grep -n -A 3 -E 'error:|undefined reference|\*\*\*' check.log | head -n 60
  tail -n 20 check.log
  say "make check failed (status $status), though no test did; its output is in $build/check.log"
fi
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
