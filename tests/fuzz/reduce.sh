#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/fuzz/reduce finds the smallest input of predicates for which it is known; NEAP_FULL=1 tries more predicates.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
command -v python3 >/dev/null || skip_all "the reducer" "there is no Python"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
make_work
neap=${NEAP_PROGRAM:?the program to test}

# reduces INPUT EXPECTED COMMAND [ARGUMENT...]: the smallest input for which COMMAND succeeds is EXPECTED
reduces() {
  input=$1 expected=$2
  shift 2
  python3 "$here/reduce" -o "$work/reduced" "$work/$input" "$@" || return 1
  found=$(cat "$work/reduced")
  [ "$found" = "$expected" ] || {
    printf 'expected: %s\nfound:    %s\n' "$expected" "$found"
    return 1
  }
}

# Whether FILE is a problem that neap plans, has a bound of at least BYTES, and contains TEXT.
cat >"$work/holds" <<'end'
#!/bin/sh
# holds BYTES TEXT FILE
grep -q "$2" "$3" && "$NEAP_PROGRAM" info --json "$3" >"$3.info" 2>&1 || exit 1
[ "$(sed -n 's/.*"bound": *\([0-9]*\).*/\1/p' "$3.info")" -ge "$1" ]
end
chmod +x "$work/holds"

cat >"$work/problem.json" <<'end'
{"format": "neap-problem", "version": 1, "horizon": 40, "pools": [{"name": "p", "capacity": 5000}, {"name": "q"}],
 "buffers": [{"name": "a", "size": 900, "lifetimes": [[0, 9], [12, 30]], "hint": "a b"},
  {"name": "b", "size": 123, "lifetimes": [[31, 40]], "alignment": 16, "pools": ["q"]},
  {"name": "c", "size": 12, "lifetimes": [[1, 4]]}, {"name": "d", "size": 12, "lifetimes": [[2, 3]], "near": 64},
  {"name": "e", "size": 7, "lifetimes": [[5, 8]]}, {"name": "f", "size": 44, "lifetimes": [[1, 9]]}],
 "separations": [{"buffers": ["a", "b", "c"], "reason": "a test"}, {"buffers": ["d", "e"]}],
 "overlaps": [{"first": "e", "second": "f", "bytes": 3}], "reserved": [{"pool": "p", "bytes": [0, 16]}]}
end
check "a problem" reduces problem.json '{"format": "neap-problem", "version": 1, "buffers": [{"name": "a", "size": 800, "lifetimes": [[0, 1]]}]}' \
  "$work/holds" 800 buffers '{}'
check_full "a problem with a relation" reduces problem.json \
  '{"format": "neap-problem", "version": 1, "buffers": [{"name": "e", "size": 0, "lifetimes": [[0, 1]]}, {"name": "f", "size": 0, "lifetimes": [[0, 1]]}], "overlaps": [{"first": "e", "second": "f", "bytes": 0}]}' \
  "$work/holds" 0 '"bytes": [0-9]' '{}'

"$neap" plan "$work/problem.json" -q -o "$work/plan.json" || exit 1
check_full "a plan" reduces plan.json \
  '{"format": "neap-plan", "version": 1, "buffers": [{"name": "a", "size": 800, "lifetimes": [[0, 1]], "offset": 0}]}' \
  "$work/holds" 800 '"offset": 0' '{}'

cat >"$work/graph.json" <<'end'
{"format": "neap-graph", "version": 1,
 "tensors": [{"name": "x", "bytes": 64}, {"name": "y", "bytes": 4096, "keep": true}, {"name": "z", "bytes": 64}],
 "operators": [{"name": "CONV", "inputs": ["x"], "outputs": ["y"]},
  {"name": "RELU", "inputs": ["y"], "outputs": ["z"], "in_place": [[0, 0]]}], "inputs": ["x"], "outputs": ["z"]}
end
check_full "a graph" reduces graph.json \
  '{"format": "neap-graph", "version": 1, "tensors": [{"name": "y", "bytes": 4000}], "operators": [{"name": "CONV", "inputs": [], "outputs": ["y"]}], "inputs": [], "outputs": []}' \
  "$work/holds" 4000 outputs '{}'

cat >"$work/table.csv" <<'end'
id,lower,upper,size,alignment,hint
a,0,9,77,1,first
b,3,12,1024,64,second
c,20,33,5,1,third
end
check "a table" reduces table.csv 'id,lower,upper,size
b,0,1,1000' "$work/holds" 1000 id '{}'

printf '%s\n' 'new p0' 'add p0 7 90' 'solve p0 33' 'add p0 12345 4' 'free p0' >"$work/calls.trace"
check "lines and their numbers" reduces calls.trace 'add p0 100 0' grep -E 'add p[0-9]+ [0-9]{3}' '{}'
check "nothing, if the command fails at once" sh -c '! python3 "$0" -o "$2" "$1" false' "$here/reduce" \
  "$work/table.csv" "$work/reduced"
tap_end
