#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The example networks, models and pictures in examples/ are up to date (`make examples` regenerates them).

here=$(dirname "$0")
. "$here/../tap.sh"
examples=${NEAP_SOURCE:-$here/../..}/examples
generator=${NEAP_BUILD:-.}/networks
modeller=${NEAP_BUILD:-.}/models
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# unlike KIND: prints the files of that kind that only one side has
unlike() {
  { (cd "$work" && ls ./*."$1"); (cd "$examples" && ls ./*."$1"); } | sort | uniq -u
}

check "the generator runs" "$generator" --all "$work"
check "the generator of models runs" "$modeller" --all "$work"
for made in "$work"/*.csv "$work"/*.ops "$work"/*.dot "$work"/*.tflite; do
  check "${made##*/} is up to date" cmp "$made" "$examples/${made##*/}"
done
check "the pictures can be drawn" sh "$examples/pictures.sh" "$examples" "$work"
for made in "$work"/*.svg; do
  check "${made##*/} is up to date" cmp "$made" "$examples/${made##*/}"
done
check "relations/together.svg is up to date" cmp "$work/relations/together.svg" "$examples/relations/together.svg"
"${NEAP_BUILD:-.}/examples/hosts/c/pack" >"$work/arena.h"
check "hosts/c/arena.h is up to date" cmp "$work/arena.h" "$examples/hosts/c/arena.h"
check_empty "every .csv has its network" "$(unlike csv)"
check_empty "every .ops has its network" "$(unlike ops)"
check_empty "every .dot has its network" "$(unlike dot)"
check_empty "every .tflite has its model" "$(unlike tflite)"
for model in least nibbles; do
  "$modeller" $model >"$work/$model"
  check "the tests' model $model is up to date" cmp "$work/$model" "$examples/../tests/fuzz/corpus/tflite/$model.tflite"
done

# rows FILE: prints the sorted names, lifetimes and sizes of the buffers to plan
rows() {
  "${NEAP_BUILD:-.}/neap" convert "$1" -o - -q | tail -n +2 | cut -d, -f1-4 | LC_ALL=C sort
}

for graph in "$examples"/*.dot; do
  check "${graph##*/} has the tensors of its .csv" test "$(rows "$graph")" = "$(rows "${graph%.dot}.csv")"
done
tap_end
