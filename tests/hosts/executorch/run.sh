#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans in the real planning suite of ExecuTorch, whose Verifier checks every result, as contract.py does. PyTorch is
# not needed. Skipped unless configured --with-executorch=DIR, a source tree of ExecuTorch.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
python=${NEAP_PYTHON:-}
tree=${NEAP_EXECUTORCH:-}
data=${NEAP_SHARED:-/nonexistent}/data/instances
count=200
[ -z "${NEAP_LONG:-}" ] || count=10000

if [ -z "$tree" ] || [ -z "$python" ]; then
  skip_all "neap in ExecuTorch" "configure was run without --with-executorch=DIR, or without Python"
fi
PYTHONPATH=$NEAP_PYTHONPATH PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# plan COMMAND [ARGUMENT...]
plan() {
  "$python" "$here/plan.py" "$tree" "$@"
}

# at_bound COUNT FILE...: plans tables; no arena is larger than greedy's, and COUNT arenas have the least possible size
at_bound() {
  expected=$1
  shift
  rows=$(plan table 16 "$@") || {
    echo "$rows"
    return 1
  }
  echo "$rows"
  [ "$(echo "$rows" | awk -F'\t' '$2 == $4' | wc -l)" -ge "$expected" ]
}

check "hard instances are planned at the bound" at_bound 8 "$source_root"/bench/minimalloc/*.csv
if [ -d "$data/dot" ]; then
  check "44 graphs are planned at the bound" at_bound 44 "$data"/dot/*.csv
else
  skip "44 graphs are planned at the bound" "public data is missing"
fi
check "$count random cases with in-place chains are planned" plan random "$count"
check "graphs are planned by MemoryPlanningPass" plan pass
check "$count random cases with banks are planned" plan banks "$count"
check "$count random cases for the Cadence backend are planned" plan cadence "$count"
tap_end
[ "$tap_failures" -eq 0 ]
