# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# For test scripts, which source it: each case is one call of pass, fail, skip or check; tap_end comes last.

tap_count=0
tap_failures=0

# pass NAME
pass() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $1"
}

# fail NAME [DETAIL]: every line of DETAIL becomes a comment under it.
fail() {
  tap_count=$((tap_count + 1))
  tap_failures=$((tap_failures + 1))
  echo "not ok $tap_count - $1"
  [ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/#   /'
}

# skip NAME WHY
skip() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $1 # SKIP $2"
}

# check NAME COMMAND [ARGUMENT...]: the case passes if the command does; otherwise shows what it printed.
check() {
  tap_name=$1
  shift
  if tap_output=$("$@" 2>&1); then
    pass "$tap_name"
  else
    fail "$tap_name" "$tap_output"
  fi
}

# check_empty NAME TEXT: the case passes if there is nothing in TEXT, a list of what is wrong.
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
