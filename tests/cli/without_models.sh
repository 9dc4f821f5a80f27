#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program without models (configure --disable-models): cases that need none, and its messages about models.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"

# says STATUS TEXT ARGUMENT...: the program ends with this status, and a message that has the text
says() {
  expected=$1 text=$2
  shift 2
  printed=$("$NEAP_PROGRAM" "$@" 2>&1)
  found=$?
  case $found:$printed in
    "$expected:"*"$text"*) ;;
    *)
      printf 'status %s: %s\n' "$found" "$printed"
      return 1
      ;;
  esac
}

check "a TensorFlow Lite model is named" says 3 "a TensorFlow Lite model, which neap cannot read" \
  plan "$source_root/examples/branches.tflite"
check "fit says what is missing" says 2 "was built without models" fit "$source_root/examples/branches.tflite" --arena 6K
check "fit says so for several models" says 2 "was built without models" \
  fit "$source_root/examples/branches.tflite" "$source_root/examples/keyword.tflite" --arena 6K
check "split says what is missing" says 2 "was built without models" split "$source_root/examples/branches.tflite"
check "tables are planned" says 0 "optimal" plan "$source_root/examples/unet.csv"
for cases in check minimalloc near relations terminal; do
  check "the cases of $cases.cases hold" sh "$here/run.sh" "$here/$cases.cases"
done
tap_end
