#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Certificates of public instances and of random ones: the checker accepts them, and rejects them after any change.
# Short runs try 60 changes of each certificate, and 100 random problems.  NEAP_FULL=1 tries all changes, 150
# problems and twice as many small ones; NEAP_LONG=1 5,000 problems and a hundred times as many small ones.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
. "$here/layered.sh"
program=${NEAP_PROGRAM:?the program to test}
checker=$source_root/doc/check-certificate.py
python=${NEAP_PYTHON:-python3}

command -v "$python" >/dev/null || skip_all "certificates" "there is no python3"
make_work

# certify INPUT [OPTION...]: writes work/a.json and work/a.cert; the checker accepts them for plan and input
certify() {
  input=$1
  shift
  rm -f "$work/a.cert"
  "$program" plan "$input" -q -o "$work/a.json" --certificate "$work/a.cert" "$@" </dev/null &&
    "$python" "$checker" "$work/a.cert" "$work/a.json"
}

accepts() {
  certify "$@" && "$python" "$checker" "$work/a.cert" "$1"
}

# refutes INPUT [OPTION...]: no plan fits, and the checker accepts the proof
refutes() {
  rm -f "$work/a.cert"
  "$program" plan "$@" -q --certificate "$work/a.cert"
  [ $? = 4 ] && "$python" "$checker" "$work/a.cert" "$1"
}

# mutates LIMIT INPUT [OPTION...]
mutates() {
  limit=$1
  [ -n "$full" ] || [ "$limit" -lt 60 ] || limit=60
  shift
  certify "$@" && "$python" "$here/mutate.py" "$checker" "$work/a.cert" "$work/a.json" - "$limit"
}

# runs_linked: the checker finds its modules from any folder and through a link, and leaves no files beside them
runs_linked() {
  ln -s "$checker" "$work/linked" && (cd / && "$python" "$work/linked" "$work/a.cert") &&
    [ ! -e "$source_root/doc/__pycache__" ]
}

# same_definition COUNT
same_definition() {
  PYTHONPATH=$NEAP_PYTHONPATH PYTHONDONTWRITEBYTECODE=1 "$python" "$here/layouts.py" "$checker" "$1"
}

for file in "$source_root"/bench/minimalloc/*.csv "$source_root"/examples/*.csv; do
  case $file in
    */J.*) continue ;; # its optimum is not known
  esac
  check "${file##*/} has a certificate" accepts "$file" --time-limit 60
done
for name in bank colocation overlap; do
  check "$name.json has a certificate" accepts "$source_root/examples/relations/$name.json"
  check "$name.json: no changed certificate is accepted" mutates 100000 "$source_root/examples/relations/$name.json"
done
check "the checker runs from any folder" runs_linked
for name in objective reuse together; do
  check "$name.json: the plan has a certificate" certify "$source_root/examples/relations/$name.json"
done
for name in objective reuse; do
  check "$name.json: no changed certificate is accepted" mutates 100000 "$source_root/examples/relations/$name.json"
done
cat >"$work/moved.json" <<'end'
{"format": "neap-problem", "version": 1, "pools": [{"name": "p"}, {"name": "q"}],
 "buffers": [{"name": "a", "size": 8, "lifetimes": [[0, 2]], "pools": ["p"]},
  {"name": "b", "size": 8, "lifetimes": [[0, 2]], "pools": ["q"], "near": 4}]}
end
check "an earlier offset is not mistaken for a buffer" accepts "$work/moved.json"
cat >"$work/free.json" <<'end'
{"format": "neap-problem", "version": 1,
 "buffers": [{"name": "a", "size": 8, "lifetimes": [[0, 2]]},
  {"name": "b", "size": 0, "lifetimes": [[0, 2]], "near": 4},
  {"name": "c", "size": 8, "lifetimes": [[0, 2]], "near": 4, "move_cost": 0}]}
end
check "moves that cost nothing are not in a claim" accepts "$work/free.json"
cat >"$work/bodies.json" <<'end'
{"format": "neap-problem", "version": 1, "colocations": [{"first": "b", "second": "a", "offset": 5}],
 "overlaps": [{"first": "c", "second": "e", "bytes": 3}, {"first": "d", "second": "g", "bytes": 0}],
 "buffers": [{"name": "a", "size": 8, "lifetimes": [[2, 3]], "alignment": 4},
  {"name": "b", "size": 2, "lifetimes": [[1, 2]]}, {"name": "c", "size": 5, "lifetimes": [[1, 4]]},
  {"name": "d", "size": 8, "lifetimes": [[1, 4]]}, {"name": "e", "size": 9, "lifetimes": [[0, 2]]},
  {"name": "f", "size": 8, "lifetimes": [[3, 5]]}, {"name": "g", "size": 5, "lifetimes": [[4, 6]]}]}
end
check "colocated buffers and overlaps that raise the peak have a certificate" accepts "$work/bodies.json"
check "it is about pairs" grep -q '^pairs 1$' "$work/a.cert"
check "so has a capacity that is too small for them" refutes "$work/bodies.json" --capacity 27
cat >"$work/due.json" <<'end'
{"format": "neap-problem", "version": 1, "reserved": [{"bytes": [0, 4], "when": [0, 4]}],
 "colocations": [{"first": "e", "second": "f", "offset": 2}],
 "reuse_penalties": [{"buffers": ["e", "f"], "cost": 3}],
 "buffers": [{"name": "a", "size": 3, "lifetimes": [[0, 2]], "near": 3},
  {"name": "b", "size": 3, "lifetimes": [[4, 6]], "alignment": 2, "near": 3},
  {"name": "c", "size": 3, "lifetimes": [[4, 6]], "bank": 4, "near": 2},
  {"name": "d", "size": 3, "lifetimes": [[4, 6]], "window": [5, 20], "near": 18, "move_cost": 7},
  {"name": "e", "size": 3, "lifetimes": [[8, 9]]}, {"name": "f", "size": 3, "lifetimes": [[9, 10]]},
  {"name": "g", "size": 1, "lifetimes": [[4, 6]], "fixed_offset": 4, "near": 5}]}
end
check "costs that each buffer pays by itself have a certificate" accepts "$work/due.json"
cat >"$work/empty.json" <<'end'
{"format": "neap-problem", "version": 1,
 "buffers": [{"name": "a", "size": 3, "lifetimes": [[1, 3]]},
  {"name": "b", "size": 0, "lifetimes": [[1, 3]], "fixed_offset": 40},
  {"name": "c", "size": 0, "lifetimes": [[1, 3]], "near": 41, "move_cost": 2}]}
end
check "empty buffers above all others have a certificate" accepts "$work/empty.json"
cat >"$work/allowed.json" <<'end'
{"format": "neap-problem", "version": 1,
 "overlaps": [{"first": "a", "second": "b", "bytes": 0}], "reuse_penalties": [{"buffers": ["a", "b"], "cost": 2}],
 "buffers": [{"name": "a", "size": 3, "lifetimes": [[1, 3]]}, {"name": "b", "size": 3, "lifetimes": [[2, 4]]}]}
end
check "a penalty for what an allowance permits has a certificate" accepts "$work/allowed.json"
cat >"$work/unlimited.json" <<'end'
{"format": "neap-problem", "version": 1, "objective": ["moved", "peak"],
 "buffers": [{"name": "a", "size": 3, "lifetimes": [[1, 3]], "near": 1},
  {"name": "b", "size": 2, "lifetimes": [[2, 4]], "near": 0}]}
end
check "moves that come before the peak have a certificate" accepts "$work/unlimited.json"
cat >"$work/choice.json" <<'end'
{"format": "neap-problem", "version": 1, "pools": [{"name": "p", "cost": 2}, {"name": "q", "cost": 0}, {"name": "r", "cost": 1}],
 "buffers": [{"name": "a", "size": 3, "lifetimes": [[0, 2]], "alignment": 8},
  {"name": "b", "size": 2, "lifetimes": [[1, 3]], "alignment": 8, "pools": ["p", "r"]},
  {"name": "c", "size": 3, "lifetimes": [[3, 5]], "alignment": 8}, {"name": "d", "size": 0, "lifetimes": [[0, 5]]},
  {"name": "e", "size": 3, "lifetimes": [[0, 5]], "alignment": 8}]}
end
check "buffers with a choice of pools, of which the cheapest are enough, have a certificate" accepts "$work/choice.json"
check "choice.json: no changed certificate is accepted" mutates 100000 "$work/choice.json"
cat >"$work/body.json" <<'end'
{"format": "neap-problem", "version": 1, "pools": [{"name": "p", "capacity": 12}, {"name": "q"}],
 "colocations": [{"first": "a", "second": "b", "offset": 0}],
 "overlaps": [{"first": "a", "second": "c", "bytes": 0}],
 "buffers": [{"name": "a", "size": 4, "lifetimes": [[0, 2]], "pools": ["p"]},
  {"name": "b", "size": 4, "lifetimes": [[0, 2]]},
  {"name": "c", "size": 12, "lifetimes": [[1, 2]], "pools": ["p"]},
  {"name": "d", "size": 4, "lifetimes": [[1, 2]], "pools": ["p"]}]}
end
check "a buffer follows one that it is colocated with into its only pool" refutes "$work/body.json"
cat >"$work/banks.json" <<'end'
{"format": "neap-problem", "version": 1, "bank_separations": [{"buffers": ["a", "b", "c"], "bank": 12},
  {"buffers": ["a", "d"], "bank": 6}],
 "buffers": [{"name": "a", "size": 13, "lifetimes": [[0, 1]], "alignment": 4}, {"name": "b", "size": 2, "lifetimes": [[1, 2]]},
  {"name": "c", "size": 3, "lifetimes": [[2, 3]], "window": [3, null]}, {"name": "d", "size": 2, "lifetimes": [[1, 3]]}]}
end
check "buffers in different banks have a certificate" accepts "$work/banks.json"
check "that certificate has banks" grep -q '^banks 12 0 1 2' "$work/a.cert"
check "banks.json: no changed certificate is accepted" mutates 100000 "$work/banks.json"
check "a capacity that is too small for the banks has a certificate" refutes "$work/banks.json" --capacity 36
"$program" gen chain -n 30 --seed 2970 -o "$work/chain.json"
check "a chain that needs more than what is alive has a certificate" accepts "$work/chain.json"
check "the certificate has clauses" grep -q '^below ' "$work/a.cert"
"$program" gen chain -n 600 --seed 86 -o "$work/chain.json"
check "of a longer one, a few columns are enough" accepts "$work/chain.json"
"$python" - "$work/tied.json" "$work/apart.json" <<'end'
import json
import sys
count = 28
buffers = [{"name": f"b{i}", "size": 3 + (5 * i * i + i) % 29, "lifetimes": [[2 * i, 2 * i + 3]]} for i in range(count)]
ties = [{"buffers": [f"b{k}", f"b{i}"]} for i in range(count) for k in range(i - 1) if (i * i * k + i + 3 * k * k) % 9 == 0]
apart = [{**own, "alignment": 4} for own in buffers] + [{"name": "apart", "size": 5, "lifetimes": [[1000, 1001]]}]
for path, listed in zip(sys.argv[1:], (buffers, apart)):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "neap-problem", "version": 1, "buffers": listed, "separations": ties}, file)
end
check "separations that tie times together have a certificate" accepts "$work/tied.json"
check "the certificate has clauses" grep -q '^below ' "$work/a.cert"
check "so have aligned ones, whatever the alignment of others" accepts "$work/apart.json"
check "that certificate has clauses, too" grep -q '^below ' "$work/a.cert"
check "load: no changed certificate is accepted" mutates 2000 "$source_root/bench/minimalloc/A.1048576.csv"

for kind in amoebanet-a-cifar darts-cifar; do
  "$program" gen "$kind" -o "$work/$kind.json"
  check "$kind: the order has a certificate" certify "$work/$kind.json" --schedule optimal
  check "$kind in place: the order has a certificate" certify "$work/$kind.json" --schedule optimal --in-place
  check "the certificate has an order" grep -q '^order ' "$work/a.cert"
done

cat >"$work/split.json" <<'end'
{"format": "neap-graph", "version": 1, "inputs": ["x"], "outputs": ["b", "y"],
 "tensors": [{"name": "x", "bytes": 8}, {"name": "a", "bytes": 4}, {"name": "b", "bytes": 4}, {"name": "y", "bytes": 2}],
 "operators": [{"inputs": ["x"], "outputs": ["a", "b"]}, {"inputs": ["a"], "outputs": ["y"]}]}
end
check "an output and a tensor that ends last: the order has a certificate" certify "$work/split.json" \
  --schedule optimal
check "views: the order has a certificate" certify "$source_root/examples/keyword.tflite" --schedule optimal --alias views

cat >"$work/flow.json" <<'end'
{"format": "neap-graph", "version": 1, "inputs": ["x"], "outputs": ["d", "e", "f"],
 "tensors": [{"name": "x", "bytes": 1}, {"name": "a", "bytes": 90}, {"name": "b", "bytes": 69}, {"name": "c", "bytes": 79},
  {"name": "d", "bytes": 77}, {"name": "e", "bytes": 52}, {"name": "f", "bytes": 80}],
 "operators": [{"inputs": ["x"], "outputs": ["a"]}, {"inputs": ["x"], "outputs": ["b"]},
  {"inputs": ["a", "b"], "outputs": ["c"]}, {"inputs": ["x", "b", "c"], "outputs": ["d"], "in_place": [[0, 0]]},
  {"inputs": ["x"], "outputs": ["e"]}, {"inputs": ["a", "e"], "outputs": ["f"], "in_place": [[0, 0]]}]}
end
check "a minimum cut has a flow, and no changed flow is accepted" mutates 1000000 "$work/flow.json" --schedule optimal --in-place
check "that certificate has a flow" grep -q '^need ' "$work/a.cert"

cat >"$work/rules.json" <<'end'
{"format": "neap-graph", "version": 1, "inputs": ["x"], "outputs": ["b", "d", "f"],
 "tensors": [{"name": "x", "bytes": 5}, {"name": "a", "bytes": 85}, {"name": "b", "bytes": 20}, {"name": "c", "bytes": 63},
  {"name": "d", "bytes": 4}, {"name": "e", "bytes": 12}, {"name": "f", "bytes": 66}],
 "operators": [{"inputs": ["x"], "outputs": ["a"]}, {"inputs": ["a", "x"], "outputs": ["b"]}, {"inputs": ["a"], "outputs": ["c"]},
  {"inputs": ["c", "x"], "outputs": ["d"]}, {"inputs": ["a", "c"], "outputs": ["e"]}, {"inputs": ["e"], "outputs": ["f"]}]}
end
check "pairs of operators have rules, and no changed rule is accepted" mutates 1000000 "$work/rules.json" --schedule optimal
check "that certificate has rules" grep -q '^before ' "$work/a.cert"

layered 20 6 24
check "the flow of a rule may need a rule before it" certify "$work/layered.json" --schedule optimal
layered 80 9 15
check "a long list of sets has dead ends with flows" certify "$work/layered.json" --schedule optimal --max-ticks 15000000
check "that certificate has dead ends and flows" sh -c "grep -q '^stop ' '$work/a.cert' && grep -q '^flow ' '$work/a.cert'"

stride=$([ -n "$full" ] && echo 5003 || echo 9001)
[ -z "${NEAP_LONG-}" ] || stride=97
check "no false certificate of a small problem or graph is accepted" "$python" "$here/exhaustive.py" "$checker" \
  "$stride"
layouts=$([ -n "$full" ] && echo 100 || echo 10)
[ -z "${NEAP_LONG-}" ] || layouts=4000
if [ -n "${NEAP_PYTHON:-}" ] && "$python" -c 'import cffi' 2>/dev/null; then
  check "checker and verifier have one definition of a sound layout" same_definition "$layouts"
else
  skip "checker and verifier have one definition of a sound layout" "Python with cffi is not installed"
fi
check "false certificates with the right checksum are rejected" "$python" "$here/hostile.py" "$checker" "$work"

random=$([ -n "$full" ] && echo 150 || echo 100)
[ -z "${NEAP_LONG-}" ] || random=5000
for model in branches keyword; do
  for options in "" --in-place "--in-place --kernels elementwise --overlap" "--alias views"; do
    # shellcheck disable=SC2086 # several options
    check "$model $options: no changed order is accepted" mutates 1000000 "$source_root/examples/$model.tflite" \
      --schedule optimal $options
    check "the certificate has an order" grep -q '^peak [0-9]* order ' "$work/a.cert"
  done
done
check "certificates of $random random problems" "$python" "$here/random_problems.py" "$program" "$checker" "$work" 1 \
  "$random"

tap_end
