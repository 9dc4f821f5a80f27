#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All outputs print the same figures under the same words, for each example and each kind of relation.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
source=${NEAP_SOURCE:-$here/../..}
models=${NEAP_SHARED:-}/data/models/tflite
python=${NEAP_PYTHON:-python3}

command -v "$python" >/dev/null || skip_all "figures that agree" "there is no python3"

# agree INPUT [OPTION...]
agree() {
  name=${1##*/}
  check "figures of $name agree${2+ with $(shift && echo "$*")}" "$python" "$here/agree.py" "$program" "$@"
}

for file in "$source"/examples/*.csv "$source"/examples/*.ops "$source"/examples/*.tflite \
  "$source"/examples/relations/*.json; do
  agree "$file"
done
examples=$source/examples
agree "$examples/bert_base.dot" --schedule min-peak
agree "$examples/branches.tflite" --schedule optimal --in-place
agree "$examples/branches.tflite" --target tflm
agree "$examples/bert_base.csv" --align 4096
agree "$examples/densenet121.csv" --engine sort --order size
agree "$examples/keyword.tflite" --align 16
agree "$examples/keyword.tflite" --capacity 64K
agree "$examples/keyword.tflite" --overlap tflite-reference
agree "$examples/keyword.tflite" --pool fast=3000 --pool slow
agree "$examples/mobilenet_v2.csv" --pool sram=1M --pool dram
agree "$examples/relations/near/after.csv" --near "$examples/relations/near/before.csv"
agree "$examples/relations/pools.json" --engine sort
if [ -e "$models/vww_96_int8.tflite" ]; then
  agree "$models/vww_96_int8.tflite" --overlap tflite-reference
else
  skip "figures of vww_96_int8.tflite agree" "there are no public models"
fi

# agree_ladder INPUT [OPTION...]
agree_ladder() {
  name=${1##*/}
  check "each rung of $name${2+ with $(shift && echo "$*")} is what plan gives" \
    "$python" "$here/agree_ladder.py" "$program" "$@"
}

for file in "$examples"/*.tflite "$models"/*.tflite; do
  [ ! -e "$file" ] || agree_ladder "$file"
  [ ! -e "$file" ] || agree_ladder "$file" --target tflm
done
agree_ladder "$examples/bert_base.dot"
tap_end
