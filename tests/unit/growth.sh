#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Hostile input takes memory and work in proportion to its size: bench/hostile.py fits the exponents, which would be 2
# for what grows with pairs of names.  It takes four sizes: of three, a table that doubles at the last looks steep.  Only
# full runs do it.  Work is counted in instructions, with valgrind, if NEAP_LONG=1: that takes two minutes.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
# shellcheck disable=SC2154 # tap.sh sets it
[ -n "$full" ] || skip_all "hostile input" "NEAP_FULL=1 measures how it grows"
command -v python3 >/dev/null || skip_all "hostile input" "there is no python3"
# shellcheck disable=SC3045 # dash and bash have it
(ulimit -v 4000000 && "$program" --version) >/dev/null 2>&1 || skip_all "hostile input" "sanitizers take memory of their own"
make_work
# shellcheck disable=SC2154 # from Makefile.am
hostile=$source_root/bench/hostile.py

check "memory grows in proportion" python3 "$hostile" "$program" --memory --steps 4 --most 1.4
if [ "${NEAP_LONG:-}" ] && valgrind "$program" --version >/dev/null 2>&1; then
  check "work grows in proportion" python3 "$hostile" "$program" --instructions --steps 3 --most 1.2
fi
tap_end
[ "$tap_failures" -eq 0 ]
