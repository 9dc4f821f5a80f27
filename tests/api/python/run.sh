#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests of the Python package with pytest, each as one case; and mypy, where it is installed.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
python=${NEAP_PYTHON:-}

if [ -z "$python" ] || ! "$python" -c 'import pytest' 2>/dev/null; then
  skip_all "the Python package" "Python with cffi and pytest is not installed"
fi

make_work
PYTHONPATH=$NEAP_PYTHONPATH PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# The plugin in conftest.py writes one line for each case.  What a sanitizer prints before it aborts is not captured.
NEAP_TAP=$work/cases "$python" -m pytest -q --capture=sys -p no:cacheprovider --basetemp "$work/files" "$here" >"$work/log" 2>&1
status=$?
while read -r result name; do
  case $result in
    pass) pass "$name" ;;
    skip) skip "${name%%|*}" "${name#*|}" ;;
    *) fail "$name" "$(cat "$work/log")" ;;
  esac
done <"$work/cases"
[ "$status" -eq 0 ] || [ "$tap_failures" -gt 0 ] || fail "pytest" "$(cat "$work/log")"

if "$python" -m mypy --version >/dev/null 2>&1; then
  check "types are consistent" "$python" -m mypy --strict --cache-dir "$work/mypy" "$NEAP_PYTHONPATH/neap" "$NEAP_PYTHONPATH/_neap"
else
  skip "types are consistent" "mypy is not installed"
fi
tap_end
[ "$tap_failures" -eq 0 ]
