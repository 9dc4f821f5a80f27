#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans schedules of tinygrad with and without neap: networks, 200 random schedules (2,000 with NEAP_LONG=1) and its own
# tests; and runs a small network, whose results must be the same.
# Skipped unless configured --enable-python and --with-tinygrad=DIR, a source tree of tinygrad.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
tinygrad=${NEAP_TINYGRAD:-}
python=${NEAP_PYTHON:-}
make_work
PYTHONPATH=$tinygrad:${NEAP_PYTHONPATH:-}
PYTHONDONTWRITEBYTECODE=1
CACHEDB=$work/cache.db
export PYTHONPATH PYTHONDONTWRITEBYTECODE CACHEDB

if [ -z "$tinygrad" ]; then
  skip_all "schedules of tinygrad" "configure was run without --with-tinygrad=DIR"
elif [ -z "$python" ]; then
  skip_all "schedules of tinygrad" "Python with cffi is not installed"
elif ! message=$("$python" -c 'import tinygrad' 2>&1); then
  skip_all "schedules of tinygrad" "tinygrad does not start: $(echo "$message" | tail -n 1)"
fi

# plan SCRIPT [ARGUMENT]: on a device that computes nothing
plan() {
  script=$1
  shift
  DEV=NULL "$python" "$here/$script" "$@"
}

# unit: runs the tests of tinygrad's planner with neap installed
unit() {
  echo 'import unittest; unittest.main("test.null.test_memory_planner")' >"$work/unit.py"
  DEV=NULL "$python" -m neap.hosts.tinygrad "$work/unit.py"
}

# run SCRIPT: on the processor; tinygrad calls the compiler CC
run() {
  CC=clang DEV=CPU "$python" "$here/$1"
}

count=200
[ -z "${NEAP_LONG:-}" ] || count=2000
check "tinygrad's own tests of its planner" unit
check "$count random schedules" plan random_schedules.py "$count"
plan networks.py >"$work/networks"
while read -r network; do
  check "$network: at the bound" plan networks.py "$network"
done <"$work/networks"
if command -v clang >/dev/null; then
  check "a network has the same results" run outputs.py
else
  skip "a network has the same results" "tinygrad needs clang to compile for the processor"
fi
tap_end
