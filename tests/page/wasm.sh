#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans models in a browser with the page that build-aux/wasm.sh has made, and compares the plans with those of the program.
# Skipped without that page, Chromium or playwright-core.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
. "$here/browser.sh"
program=${NEAP_PROGRAM:-$build_root/neap}
shared=${NEAP_SHARED:-}
page=$build_root/wasm/neap.html

[ -x "$program" ] || skip_all "WebAssembly" "there is no $program"
[ -e "$page" ] || skip_all "WebAssembly" "there is no $page: build-aux/wasm.sh makes it"
need_browser "WebAssembly"

check "the page is below 1.5 MB compressed" test "$(gzip -9 -c "$page" | wc -c)" -lt 1500000
for model in "$source_root"/examples/*.tflite "$source_root"/examples/unet.csv "$source_root"/examples/relations/together.json \
  "$shared"/data/models/tflite/*.tflite "$shared"/data/models/onnx/*.onnx "$shared"/data/models/order/*.json; do
  case $model in
    *_planned.tflite) continue ;;
    *.tflite) set -- --tflite "$work/planned.tflite" ;;
    *) set -- ;;
  esac
  [ -e "$model" ] || continue
  "$program" plan "$model" -q --threads 1 --max-ticks 100000 "$@" -o "$work/$(basename "$model").plan.json" </dev/null ||
    continue
  printf '%s\n' "$model" >>"$work/models"
done
node "$here/wasm.mjs" "$build_root" "$page" "$work" >"$work/results" || echo failed >>"$work/results"
while read -r result name; do
  case $result in
    same) pass "$name" ;;
    *) fail "${name:-the browser}" "$(grep "^# " "$work/results" | tail -n 20)" ;;
  esac
done <<END
$(grep -v '^#' "$work/results")
END
tap_end
