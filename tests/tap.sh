# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by test scripts, which are in the folders of tests.  Each case is one call of pass, fail, skip or check; call
# tap_end last.

tap_count=0
tap_failures=0
source_root=$(
  cd "${NEAP_SOURCE:-$(dirname "$0")}" && until [ -e tests/tap.sh ] || [ "$PWD" = / ]; do cd ..; done && pwd
) || exit 1
full=${NEAP_FULL-}${NEAP_LONG-} # whether to check what short runs leave out
build_root=$(cd "${NEAP_BUILD:-.}" && pwd) || exit 1

# pass NAME
pass() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $1"
}

# fail NAME [DETAIL]: prints every line of DETAIL as a comment below the result
fail() {
  tap_count=$((tap_count + 1))
  tap_failures=$((tap_failures + 1))
  echo "not ok $tap_count - $1"
  [ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/#   /'
}

# skip NAME REASON
skip() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $1 # SKIP $2"
}

# check NAME COMMAND [ARGUMENT...]: passes if the command succeeds; otherwise fails and shows its output
check() {
  tap_name=$1
  shift
  if tap_output=$("$@" 2>&1); then
    pass "$tap_name"
  else
    fail "$tap_name" "$tap_output"
  fi
}

# check_full NAME COMMAND [ARGUMENT...]: a check that short runs skip
check_full() {
  if [ -n "$full" ]; then
    check "$@"
  else
    skip "$1" "NEAP_FULL=1 checks it"
  fi
}

# check_empty NAME TEXT: passes if TEXT, a list of problems, is empty
check_empty() {
  if [ -z "$2" ]; then
    pass "$1"
  else
    fail "$1" "$2"
  fi
}

tap_end() {
  echo "1..$tap_count"
}

# skip_all NAME REASON: skips all that the script would test, and exits
skip_all() {
  skip "$1" "$2"
  tap_end
  exit 0
}

# make_work: makes the folder $work, which goes when the script ends
make_work() {
  work=$(mktemp -d) || exit 1
  trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
}

# put_in_path: "neap" is the program to test from now on, and messages are as in the C locale; needs $work
put_in_path() {
  mkdir -p "$work/bin"
  printf '#!/bin/sh\nexec "%s" "$@"\n' "${NEAP_PROGRAM:?the program to test}" >"$work/bin/neap"
  chmod +x "$work/bin/neap"
  PATH=$work/bin:$PATH
  LC_ALL=C
  export PATH LC_ALL
}
