#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands agree with each other: all outputs print the same figures under the same words; a capacity decides what fits,
# not when to stop; and the advice of explain makes public models fit (NEAP_FULL=1 tries more capacities, NEAP_LONG=1 most).
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
models=${NEAP_SHARED:-}/data/models
python=${NEAP_PYTHON:-python3}
examples=$source_root/examples

command -v "$python" >/dev/null || skip_all "figures that agree" "there is no python3"

# ---------------------------------------------------------------- figures

# agree INPUT [OPTION...]
agree() {
  name=${1##*/}
  check "figures of $name agree${2+ with $(shift && echo "$*")}" "$python" "$here/agree.py" "$program" "$@"
}

for file in "$examples"/*.csv "$examples"/*.ops "$examples"/*.tflite \
  "$examples"/relations/*.json; do
  agree "$file"
done
agree "$examples/bert_base.dot" --schedule min-peak
agree "$examples/branches.tflite" --schedule optimal --in-place
agree "$examples/branches.tflite" --target tflm
agree "$examples/bert_base.csv" --align 4096
agree "$examples/densenet121.csv" --engine sort --order size
agree "$examples/keyword.tflite" --align 16
agree "$examples/keyword.tflite" --capacity 64K
agree "$examples/keyword.tflite" --kernels tflm-reference --overlap
agree "$examples/keyword.tflite" --pool fast=3000 --pool slow
agree "$examples/mobilenet_v2.csv" --pool sram=1M --pool dram
agree "$examples/relations/near/after.csv" --previous "$examples/relations/near/before.csv"
agree "$examples/relations/pools.json" --engine sort
if [ -e "$models/tflite/vww_96_int8.tflite" ]; then
  agree "$models/tflite/vww_96_int8.tflite" --kernels tflm-reference --overlap
else
  skip "figures of vww_96_int8.tflite agree" "there are no public models"
fi

# agree_ladder INPUT [OPTION...]
agree_ladder() {
  name=${1##*/}
  check "each rung of $name${2+ with $(shift && echo "$*")} is what plan gives" \
    "$python" "$here/agree.py" --ladder "$program" "$@"
}

for file in "$examples"/*.tflite "$models"/tflite/*.tflite; do
  [ -e "$file" ] || continue
  case $full:$file in
    :*/person_detect.* | :*/pretrainedResnet_quant.* | :*/palm_detection_lite.*)
      skip "each rung of ${file##*/}" "NEAP_FULL=1 checks it" # and takes seconds
      continue
      ;;
  esac
  agree_ladder "$file"
  agree_ladder "$file" --target tflm
done
agree_ladder "$examples/bert_base.dot"

if [ ! -d "$models" ]; then
  skip "capacities and explanations" "no models in $models"
  tap_end
  exit 0
fi

# ---------------------------------------------------------------- capacities

# A capacity does not change the plan, and below the optimum there is no plan: public models within 50, 75, 100 and
# 125 % of their optimum.

# report MODEL [OPTION...]: the report on a plan, without what a capacity may change
report() {
  "$program" plan "$@" --json 2>/dev/null | sed 's/"seconds": [0-9.]*, //; s/, "capacity": [0-9]*//'
}

# figure KEY REPORT
figure() {
  printf '%s\n' "$2" | sed -n 's/.*"'"$1"'": "\{0,1\}\([a-z0-9]*\).*/\1/p'
}

# compare MODEL OPTION...: prints what differs
compare() {
  free=$(report "$@")
  optimum=$(figure peak "$free")
  [ "$(figure status "$free")" = optimal ] || echo "$1: no optimum is known: $free"
  for percent in 50 75 100 125; do
    capacity=$((optimum * percent / 100))
    if [ $percent -ge 100 ]; then
      held=$(report "$@" --capacity "$capacity")
      [ "$held" = "$free" ] || echo "$1 within $capacity: $held, without a capacity $free"
    else
      "$program" plan "$@" --capacity "$capacity" -q >/dev/null 2>&1
      status=$?
      [ $status -eq 4 ] || echo "$1 within $capacity: expected exit status 4, got $status"
    fi
  done
}

for model in "$models"/tflite/*.tflite "$models"/onnx/*.onnx; do
  check_empty "${model##*/}" "$(compare "$model")"
done
check_empty "in place, aligned" "$(compare "$models"/tflite/vww_96_int8.tflite --in-place --align 64)"

# A search that stops at the capacity gives a plan within it.
model=$models/tflite/vww_96_int8.tflite
until_fits=$(report "$model" --capacity 64K --until-fits)
if [ "$(figure stop_reason "$until_fits")" = capacity ] && [ "$(figure peak "$until_fits")" -le 65536 ]; then
  pass "--until-fits"
else
  fail "--until-fits" "$until_fits"
fi

# explain reports as many spare bytes as the best plan leaves.
spare=$("$program" explain "$model" --capacity 64K 2>/dev/null | sed -n 's/^spare *\([0-9]*\) .*/\1/p')
check "explain --capacity" test "$spare" = $((65536 - $(figure peak "$(report "$model")")))

# ---------------------------------------------------------------- advice

percents=100
[ -z "$full" ] || percents='75 100 125'
[ "${NEAP_LONG:-0}" != 1 ] || percents="50 $percents 99"
for model in "$models"/tflite/*.tflite "$models"/onnx/*.onnx; do
  # shellcheck disable=SC2086
  check_empty "advice on ${model##*/}" "$("$python" "$here/explained.py" "$program" "$model" $percents 2>&1)"
done

# Overlap ends 7 bytes above the capacity: a tensor that is 7 bytes smaller closes the rest.
near=$("$program" explain "$models/tflite/mobilenet_v1_0.25_128_quant.tflite" --capacity 64K 2>/dev/null)
check "options with the smallest change" test 1 = "$(printf '%s\n' "$near" |
  grep -c "^  7 B + other kernels  .* plan with --kernels tflm-reference --overlap and make .* 7 bytes smaller")"
tap_end
