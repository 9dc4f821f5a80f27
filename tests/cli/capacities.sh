#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A capacity says what fits, and not where to stop: a plan with one is the plan without, and below the optimum there is
# none.  Plans public models with 50, 75, 100 and 125 % of their optimum.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
models=${NEAP_SHARED:-}/data/models
[ -d "$models" ] || skip_all "models" "no models in $models"

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

# A plan that stops at the capacity is sound, and no higher than it.
model=$models/tflite/vww_96_int8.tflite
until_fits=$(report "$model" --capacity 64K --until-fits)
if [ "$(figure stop_reason "$until_fits")" = capacity ] && [ "$(figure peak "$until_fits")" -le 65536 ]; then
  pass "--until-fits"
else
  fail "--until-fits" "$until_fits"
fi

# explain spares as much as the best plan leaves.
spare=$("$program" explain "$model" --capacity 64K 2>/dev/null | sed -n 's/^spare *\([0-9]*\) .*/\1/p')
check "explain --capacity" test "$spare" = $((65536 - $(figure peak "$(report "$model")")))

tap_end
