#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run.sh [CONFIGURE-ARGUMENT...]: installs what is missing, builds in build/ (or in the folder that
# NEAP_BUILD names, relative to the source) and runs all tests.  With NEAP_BROWSER=1 it installs what the tests in a
# browser need too; without it they run only where that is there.  The last line is the result:
#
#     N passed, N failed, N skipped
#
# counted in test cases.  The status is 0 only if something ran and nothing failed.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}
. "$root/build-aux/setup.sh"

# Every way out ends with the result.
passed=0 failed=0 skipped=0
trap 'echo "$passed passed, $failed failed, $skipped skipped"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# results: the results of single cases, a word a line
results() {
  find tests -name '*.trs' -exec sed -n 's/^:test-result: *\([A-Z]*\).*/\1/p' {} +
}

# count RESULT...
count() {
  pattern=$(printf '%s|' "$@")
  results | grep -c -x -E "${pattern%|}"
}

# named RESULT...: the cases with that result, as the logs name them
named() {
  pattern=$(printf '%s|' "$@")
  find tests -name '*.log' -exec grep -h -E "^(${pattern%|}): tests/" {} + | LC_ALL=C sort
}

# failing_logs: each log of a test with a failing case
failing_logs() {
  find tests -name '*.trs' -exec grep -l -E '^:test-result: *(FAIL|XPASS|ERROR)' {} + | LC_ALL=C sort |
    sed 's/\.trs$/.log/'
}

setup_start
setup_packages cmocka:libcmocka-dev librsvg-2.0:librsvg2-dev
[ "${NEAP_BROWSER:-0}" != 1 ] || setup_browser
setup_build "$@"

say "Testing ..."
find tests -name '*.trs' -exec rm -f {} +
make -k -j "$(setup_jobs)" check >check.log 2>&1 </dev/null
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
  tail -n 60 check.log
  say "make check failed (status $status) beside the tests; all of its output is in $build/check.log"
fi
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
