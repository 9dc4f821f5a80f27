#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# NEAP_TRACE records the planning of programs: replaying a trace gives the same results.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
neap=${NEAP_PROGRAM:?the program to test}
calls=$build_root/tests/fuzz/calls
data=$here/../../examples
make_work
NEAP_TRACE=$work/probe "$neap" info "$data/unet.csv" >/dev/null 2>&1 || exit 1
NEAP_TRACE=$work/probe "$neap" plan -q -o "$work/probe.csv" "$data/unet.csv" || exit 1
[ -e "$work/probe" ] || skip_all "traces" "the build has neither --enable-checks nor --enable-sanitizers"

# same_plan INPUT [OPTION...]: the program's plan has the same offsets as the plan of its trace
same_plan() {
  input=$1
  shift
  NEAP_TRACE=$work/trace "$neap" plan -q "$@" -o "$work/plan.json" "$input" &&
    "$calls" replay "$work/trace" && "$calls" show "$work/trace" >"$work/shown" &&
    sed -n 's/.*"offset": *\([0-9]*\).*/\1/p' "$work/plan.json" >"$work/offsets" && grep -v peak "$work/shown" | cmp - "$work/offsets"
}

cat >"$work/everything.json" <<'end'
{"format": "neap-problem", "version": 1, "pools": [{"name": "fast", "capacity": 96, "alignment": 4}, {"name": "slow", "cost": 3}],
 "objective": ["peak", "spill", "moved", "reuse"],
 "buffers": [{"name": "a b", "size": 40, "lifetimes": [[0, 3], [5, 9]], "alignment": 8, "pools": ["slow", "fast"]},
  {"name": "c", "size": 24, "lifetimes": [[1, 4]], "window": [8, 80], "near": 16, "move_cost": 5},
  {"name": "d", "size": 16, "lifetimes": [[2, 6]], "bank": 32}, {"name": "f", "size": 9, "lifetimes": [[8, 9]]},
  {"name": "e", "size": 20, "lifetimes": [[3, 7]], "fixed_offset": 0, "pools": ["fast"]}],
 "overlaps": [{"first": "d", "second": "c", "bytes": 4}], "reuse_penalties": [{"buffers": ["e", "f"], "cost": 7}],
 "separations": [{"buffers": ["a b", "f"]}], "reserved": [{"pool": "fast", "bytes": [90, 96], "when": [0, 4]}]}
end

check "a table" same_plan "$data/unet.csv"
check "an order, a list and limits" same_plan "$data/densenet121.csv" --order=overlap,-size*duration --disable=twins,weights \
  --max-rounds=3 --group-overlap=0.25 --max-ticks=20000 --engine=tune
check "pools, relations and limits of buffers" same_plan "$work/everything.json" --max-ticks=2000

NEAP_TRACE=$work/pack.trace "$build_root/examples/hosts/c/pack" | sed -n 's/.*arena + \([0-9]*\)).*/\1/p' >"$work/packed"
check "a program that calls neap_pack" sh -c '"$0" show "$1" | grep -v peak | cmp - "$2"' "$calls" "$work/pack.trace" "$work/packed"

# Lines can be dropped, as a reducer does.
grep -v '^range 0' "$work/pack.trace" >"$work/fewer.trace"
check "a trace without some of its lines" "$calls" replay "$work/fewer.trace"
check "a file that cannot be written" sh -c '! NEAP_TRACE=/nowhere/trace "$0" --version 2>&1' "$neap"
tap_end
