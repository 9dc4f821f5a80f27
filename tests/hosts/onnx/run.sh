#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Splits public ONNX models and 80 random ones, and compares their outputs with those of the whole in ONNX Runtime; with
# NEAP_LONG=1, 4,000 random ones.  Half of these have many channels.  Also writes 40 (2,000) random models in another
# order and with repeated operators, and fits 10 (500) into arenas.
# Skipped unless the Python in NEAP_ONNX_PYTHON, otherwise python3, has the packages onnx, onnxruntime and numpy.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
python=${NEAP_ONNX_PYTHON:-python3}
models=${NEAP_SHARED:-}/data/models/onnx
count=40
[ -z "${NEAP_LONG:-}" ] || count=2000

message=$("$python" -c 'import onnx, onnxruntime, numpy' 2>&1) ||
  skip_all "models in ONNX Runtime" "$(echo "$message" | tail -n 1)"

check "random models give the same outputs in bands" "$python" "$here/split.py" "$program" --random $count
check "random models that fit an arena give the same outputs" "$python" "$here/fit.py" "$program" $((count / 4))
check "random models give the same outputs when operators run again" "$python" "$here/recompute.py" "$program" $count
check "random models give the same outputs in groups of channels" "$python" "$here/split.py" "$program" --groups $count
for model in "$models"/*.onnx; do
  [ -e "$model" ] || continue
  check "$(basename "$model"): bands give the same outputs" "$python" "$here/split.py" "$program" "$model"
done
tap_end
