#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What neap explain advises makes public models fit.  NEAP_LONG=1 tries more capacities.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
models=${NEAP_SHARED:-}/data/models
python=${NEAP_PYTHON:-python3}
command -v "$python" >/dev/null || skip_all "explanations" "there is no python3"
[ -d "$models" ] || skip_all "explanations" "no models in $models"

percents='75 100 125'
[ "${NEAP_LONG:-0}" != 1 ] || percents="50 $percents 99"
for model in "$models"/tflite/*.tflite "$models"/onnx/*.onnx; do
  # shellcheck disable=SC2086
  check_empty "${model##*/}" "$("$python" "$here/explained.py" "$program" "$model" $percents 2>&1)"
done

# Overlap ends 7 bytes above the capacity: a tensor that is 7 bytes smaller closes the rest.
near=$("$program" explain "$models/tflite/mobilenet_v1_0.25_128_quant.tflite" --capacity 64K 2>/dev/null)
check "options with the smallest change" test 1 = "$(printf '%s\n' "$near" |
  grep -c "^  7 B + other kernels  .* plan with --overlap tflite-reference and make .* 7 bytes smaller")"

tap_end
