#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The proofs in proof/ hold, and the checker extracted from them accepts true certificates and no false one.  Building
# them takes half a minute, so they are skipped without NEAP_FULL or NEAP_PROOFS in the environment.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
. "$here/layered.sh"
program=${NEAP_PROGRAM:?the program to test}

command -v coqc >/dev/null && command -v ocamlopt >/dev/null || skip_all "proofs" "there is no coqc or no ocamlopt (NEAP_PROOFS=1 tests/run.sh installs them)"
[ -n "$full${NEAP_PROOFS-}" ] || skip_all "proofs" "NEAP_FULL=1 or NEAP_PROOFS=1 checks them"
make_work
proven=$work/proof/check-proven

check "the proofs hold and rest on nothing unproven" sh "$source_root/proof/build.sh" "$work/proof"

if [ -n "${NEAP_PYTHON:-}" ] && "$NEAP_PYTHON" -c 'import cffi' 2>/dev/null; then
  PYTHONPATH=$NEAP_PYTHONPATH PYTHONDONTWRITEBYTECODE=1
  export PYTHONPATH PYTHONDONTWRITEBYTECODE
  check "layouts are sound by the proofs if they are by the other definitions" "$NEAP_PYTHON" "$here/layouts.py" \
    "$source_root/doc/check-certificate.py" 100 "$proven"
fi

certify() {
  rm -f "$work/a.cert"
  "$program" plan "$@" -q --certificate "$work/a.cert" </dev/null
  [ -s "$work/a.cert" ]
}

accepts() {
  certify "$@" && "$proven" "$work/a.cert"
}

# after STATUS SED: this script changes the last certificate, and the checker then exits with this status
after() {
  sed "$2" "$work/a.cert" >"$work/b.cert"
  ! cmp -s "$work/a.cert" "$work/b.cert" && "$proven" "$work/b.cert"
  [ $? = "$1" ]
}

# changed SED: the checker rejects the changed certificate
changed() { after 1 "$1"; }

# refused SED: the changed certificate is beyond the proofs, or not a certificate
refused() { after 2 "$1"; }

# without WORD: the checker rejects the last certificate without its first line of this kind
without() {
  changed "0,/^$1/{/^$1/d}
    \$s/.*/end $(($(wc -l <"$work/a.cert") - 2))/"
}

for file in "$source_root"/bench/minimalloc/*.csv "$source_root"/examples/*.csv; do
  case $file in
    */J.*) continue ;; # its optimum is not known
  esac
  check "${file##*/}: the certificate is accepted" accepts "$file" --time-limit 60
done
model=$source_root/examples/keyword.tflite
check "a model whose outputs may begin in inputs" accepts "$model" --kernels tflm-reference --overlap
check "it has such allowances" grep -q '^overlap' "$work/a.cert"
check "without them, it is rejected" changed '/^overlap/s/[0-9]*$/9999999/'
cat >"$work/all.json" <<'end'
{"format": "neap-problem", "version": 1, "reserved": [{"bytes": [16, 24], "when": [0, 4]}],
 "separations": [{"buffers": ["a", "d"]}], "exclusions": [{"buffers": ["b", "c"]}],
 "buffers": [{"name": "a", "size": 8, "lifetimes": [[0, 2], [5, 6]], "alignment": 8},
  {"name": "b", "size": 8, "lifetimes": [[0, 2]], "window": [0, 32]},
  {"name": "c", "size": 6, "lifetimes": [[1, 2]], "bank": 16},
  {"name": "d", "size": 16, "lifetimes": [[4, 6]]}, {"name": "e", "size": 8, "lifetimes": [[5, 6]], "fixed_offset": 24}]}
end
check "alignments, windows, banks, fixed offsets, reserved bytes and pairs" accepts "$work/all.json"
check "a higher peak is rejected" changed '2s/.*/peak 33/'
check "a lower peak is rejected" changed '2s/.*/peak 31/'
check "a fixed offset elsewhere is rejected" changed 's/^\(buffer "e" 8 1\) 24/\1 16/'
check "an offset in reserved bytes is rejected" changed 's/^\(reserved\) 16 24 0 4/\1 0 64 0 4/'
check "another window is rejected" changed 's/^\(buffer "[ab]" 8 [18] -\) 0/\1 40/'
check "another bank is rejected" changed 's/^\(buffer "d" 16 1 - 0 -\) -/\1 3/'
check "a separation that is broken is rejected" changed 's/^separation 0 3/separation 1 3/'
check "bytes that are shared without an exclusion are rejected" changed 's/^exclusion 1 2/exclusion 1 3/'
check "a buffer that overlaps is rejected" changed 's/^\(buffer "[ad]" .* -\) [0-9]* /\1 0 /'
check "another moment is rejected" changed 's/^load [0-9]*/load 0/'
check "a proof of nothing is rejected" changed '/^load/d;s/^end .*/end 10/'
check "relations without a proof are refused" refused 's/^separation/reuse_penalty/'
check "a reason without a proof is refused" refused 's/^load/pairs/'
check "a column of the same buffers is as true" after 0 's/^load [0-9]*/column/'
check "a text that is cut off is refused" refused '/^end/d'
check "numbers with signs are refused" refused 's/^load /load -/'
cat >"$work/colocated.json" <<'end'
{"format": "neap-problem", "version": 1,
 "colocations": [{"first": "a", "second": "b", "offset": -4}, {"first": "b", "second": "d", "offset": 6}],
 "buffers": [{"name": "a", "size": 4, "lifetimes": [[0, 1]]}, {"name": "b", "size": 12, "lifetimes": [[2, 4]]},
  {"name": "c", "size": 16, "lifetimes": [[0, 4]]}, {"name": "d", "size": 4, "lifetimes": [[0, 1]]}]}
end
check "colocated buffers" accepts "$work/colocated.json"
check "an offset that breaks a colocation is rejected" changed 's/^colocation 0 1 -4/colocation 0 1 -5/'
check "buffers that are no longer colocated collide" changed 's/^colocation 1 3 6/overlap 1 3 8/'
check "what colocations may require is refused" refused '2s/.*/peak 27/'
cat >"$work/large.json" <<'end'
{"format": "neap-problem", "version": 1,
 "buffers": [{"name": "a", "size": 9223372036854775800, "lifetimes": [[0, 2]]}, {"name": "b", "size": 6, "lifetimes": [[0, 2]]}]}
end
check "sizes near 2^63" accepts "$work/large.json"
cat >"$work/least.json" <<'end'
{"format": "neap-problem", "version": 1,
 "buffers": [{"name": "a\"\\ b", "size": 9, "lifetimes": [[0, 2]]}, {"name": "c", "size": 7, "lifetimes": [[0, 2]]}]}
end
check "what no layout can have" accepts "$work/least.json" --capacity 15
check "a higher bound is rejected" changed '2s/.*/least 17/'

# A ring of five buffers, of which each two neighbours are separated
cat >"$work/ring.json" <<'end'
{"format": "neap-problem", "version": 1,
 "separations": [{"buffers": ["a", "b"]}, {"buffers": ["b", "c"]}, {"buffers": ["c", "d"]}, {"buffers": ["d", "e"]},
  {"buffers": ["e", "a"]}],
 "buffers": [{"name": "a", "size": 4, "lifetimes": [[0, 1]]}, {"name": "b", "size": 4, "lifetimes": [[1, 2]]},
  {"name": "c", "size": 4, "lifetimes": [[2, 3]]}, {"name": "d", "size": 4, "lifetimes": [[3, 4]]},
  {"name": "e", "size": 4, "lifetimes": [[4, 5]]}]}
end
check "clauses about pairs" accepts "$work/ring.json"
check "there are some" grep -q '^below' "$work/a.cert"
check "without one, they are refused" refused '/^below/d;$s/[0-9]* /1 /'
check "with the opposite, they are rejected" changed 's/^below [0-9]* [0-9]*/below 0 2/'
check "with a higher peak, it is rejected" changed '2s/.*/peak 13/'
check "with fewer separations, it is rejected" without separation
sed 's/"e", "a"/"e", "d"/' "$work/ring.json" >"$work/column.json"
check "a column" accepts "$work/column.json"
check "it is one" grep -q '^column' "$work/a.cert"

# Of two buffers alive together, one is fixed, and the other fits neither below it nor in the rest of the first bank.
cat >"$work/limits.json" <<'end'
{"format": "neap-problem", "version": 1,
 "buffers": [{"name": "a", "size": 7, "lifetimes": [[3, 4]], "alignment": 3, "bank": 20},
  {"name": "b", "size": 1, "lifetimes": [[0, 1]], "alignment": 2}, {"name": "c", "size": 12, "lifetimes": [[3, 4]], "fixed_offset": 2},
  {"name": "d", "size": 2, "lifetimes": [[0, 1]], "bank": 12}]}
end
check "pairs with limits of single buffers" accepts "$work/limits.json"
check "these are the reason" grep -q '^pairs' "$work/a.cert"
check "with another alignment, it is rejected" changed 's/^\(buffer "a" 7\) 3/\1 1/'
check "with a larger bank, it is rejected" changed 's/^\(buffer "a" .* -\) 20/\1 40/'
check "with no fixed offset, it is rejected" changed 's/^\(buffer "c" 12 1\) 2/\1 -/'
cat >"$work/nowhere.json" <<'end'
{"format": "neap-problem", "version": 1, "reserved": [{"bytes": [8, 14], "when": [3, 8]}],
 "buffers": [{"name": "a", "size": 10, "lifetimes": [[6, 7]], "window": [4, 30]}, {"name": "b", "size": 10, "lifetimes": [[5, 6]], "window": [3, 23]}]}
end
no_layout() { "$program" plan "$work/nowhere.json" -q --certificate "$work/a.cert"; "$proven" "$work/a.cert"; }
check "that there is no layout" no_layout
check "with a larger window, it is rejected" changed '/^buffer "b"/s/ 23 / 24 /'
cat >"$work/banks.json" <<'end'
{"format": "neap-problem", "version": 1, "bank_separations": [{"buffers": ["a", "b", "c"], "bank": 12}],
 "buffers": [{"name": "a", "size": 20, "lifetimes": [[0, 1]]}, {"name": "b", "size": 5, "lifetimes": [[1, 2]]},
  {"name": "c", "size": 7, "lifetimes": [[2, 3]], "alignment": 8}]}
end
check "separated banks" accepts "$work/banks.json"
check "these are the reason" grep -q '^banks' "$work/a.cert"
check "with smaller banks, they are rejected" changed '/^bank/s/12\( \|$\)/6\1/;/^banks/s/12/6/'
check "without one separation, they are rejected" without bank_separation
check "with an offset in the bank of another, they are rejected" changed 's/^\(buffer "b" .*\) [0-9]* 1 2/\1 23 1 2/'
"$program" gen chain -n 30 --seed 2970 -o "$work/chain.json"
check "a chain that needs more than what is alive" accepts "$work/chain.json"
check "it has clauses" grep -q '^below ' "$work/a.cert"
check "with a higher peak, it is rejected" changed '2s/peak [0-9]*/peak 99999999/'
check "with smaller buffers, it is rejected" changed 's/^\(buffer [^ ]*\) [0-9]*/\1 1/'
check "another number of clauses is refused" refused 's/^pairs [0-9]*/pairs 1/'
check "another reason after it is refused" refused 's/^clique/load/'

# random SEED: writes a problem with limits
random() {
  awk -v seed="$1" 'function below(n) { return int(rand() * n) }
    BEGIN {
      srand(seed)
      print "{\"format\": \"neap-problem\", \"version\": 1, \"reserved\": [{\"bytes\": [" below(9) ", " 9 + below(6) "], \"when\": [0, " 1 + below(3) "]}], \"buffers\": ["
      for (i = 0; i < 9; i++) {
        from = below(5)
        printf "%s{\"name\": \"%d\", \"size\": %d, \"lifetimes\": [[%d, %d]]", i ? ", " : "", i, 1 + below(12), from, from + 1 + below(4)
        if (below(2)) printf ", \"alignment\": %d", 2 ^ below(5) * (1 + 2 * below(2))
        if (below(8) == 0) printf ", \"window\": [%d, %d]", below(6), 30 + below(20)
        if (below(8) == 0) printf ", \"bank\": %d", 12 + 4 * below(4)
        print "}"
      }
      print "]"
      if (below(3) == 0) print ", \"bank_separations\": [{\"buffers\": [\"0\", \"1\", \"2\"], \"bank\": 16}]"
      print "}"
    }' >"$work/random.json"
}

# Its certificate is accepted if it has one.
random_accepted() {
  random "$1"
  certify "$work/random.json" --max-ticks 300000 || return 0
  "$proven" "$work/a.cert"
}
clauses=0
for seed in $(seq 40); do
  check "random limits $seed" random_accepted "$seed"
  grep -q '^pairs' "$work/a.cert" 2>/dev/null && clauses=$((clauses + 1))
done
echo "# $clauses with pairs"
check "many of these are about pairs" [ "$clauses" -ge 5 ]

check "an order whose cut needs no flow" accepts "$source_root/examples/resnet50.dot" --schedule optimal
check "a higher bound of the order is rejected" changed 's/order \([0-9]*\)/order 9\1/'
check "another bound than that of the claim is refused" refused '2s/order \([0-9]*\)/order 9\1/'
layered 20 6 24
check "an order with rules, flows and needs" accepts "$work/layered.json" --schedule optimal
check "it has these" sh -c "grep -q '^before' '$work/a.cert' && grep -q '^flow' '$work/a.cert' && grep -q '^need' '$work/a.cert'"
for kind in before flow need; do
  check "without one line '$kind', it is rejected" without "$kind"
done
check "with more flow than a value has, it is rejected" changed '/^flow/s/[0-9]*$/99999999/'
check "with smaller values, it is rejected" changed '/^value/s/^value [0-9]*/value 1/'
check "with a rule the other way around, it is rejected" changed 's/^before \([0-9]*\) \([0-9]*\)/before \2 \1/'
check "with fewer needs of operators, it is rejected" changed 's/^operator .*/operator -/'
layered 30 5 3
check "an order with sets and chains" accepts "$work/layered.json" --schedule optimal
check "it has these" sh -c "grep -q '^set' '$work/a.cert' && grep -q '^run' '$work/a.cert'"
for kind in set run; do
  check "without one line '$kind', it is rejected" without "$kind"
done
check "with longer chains, it is rejected" changed 's/^\(run .*\) [0-9]*$/\1/'
check "with smaller values, it is rejected" changed '/^value/s/^value [0-9]*/value 1/'
check "with a higher bound, it is rejected" changed 's/order \([0-9]*\)/order 9\1/'
layered 80 9 15
check "an order with dead ends" accepts "$work/layered.json" --schedule optimal --max-ticks 15000000
check "it has these" grep -q '^stop' "$work/a.cert"
check "with another operator of a dead end, it is rejected" changed '/^stop/s/[0-9]*$/0/'

tap_end
