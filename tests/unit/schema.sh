#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON Schema of problems and plans lists the keys that the program reads, and accepts what it writes.

here=$(dirname "$0")
. "$here/../tap.sh"
source_root=${NEAP_SOURCE:-$here/../..}
program=${NEAP_PROGRAM:?the program to test}
schema=$source_root/doc/neap-problem.schema.json
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# compare MODE ARGUMENT...
compare() {
  python3 "$source_root/tests/unit/schema.py" "$@" 2>&1
}

if ! python3 -c 'import json' 2>/dev/null; then
  skip 'the schema' 'no python3'
  tap_end
  exit 0
fi
check_empty 'the schema has the keys that are read' "$(compare keys "$program" "$schema")"
if ! python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null; then
  skip 'documents are validated' 'no python3-jsonschema'
  tap_end
  exit 0
fi

"$program" convert "$source_root/examples/mobilenet_v2.csv" -o "$work/problem.json"
"$program" convert "$source_root/examples/keyword.tflite" --target tflm -o "$work/runtime.json"
"$program" plan "$source_root/examples/unet.csv" -q --engine tune --max-rounds 3 --keep-layouts -o "$work/plan.json"
"$program" plan "$source_root/examples/unet.csv" -q --engine tflite-gpu-greedy-best -o "$work/objects.json"
"$program" plan "$source_root/examples/unet.dot" -q --schedule min-peak --base 0x1000 -o "$work/graph.json"
"$program" convert "$source_root/tests/data/relations.json" -o "$work/relations.json"
"$program" gen trace --count 20000 -o "$work/many.csv"
"$program" plan "$work/many.csv" -q --engine sort --max-rounds 1 --html "$work/many.html"
sed -n '/id="plan"/,/<\/script>/p' "$work/many.html" | sed '1d;s/<.*//' | base64 -d | gzip -dc >"$work/columns.json"
check_empty 'what the program writes is valid' "$(compare validate "$schema" "$work"/*.json)"
check_empty 'examples of relations are valid' "$(compare validate "$schema" "$source_root"/tests/data/*relations*.json \
  "$source_root"/tests/data/conflicts.json)"

mkdir "$work/bad"
sed 's/"exclusions"/"exclusion"/' "$source_root/tests/data/relations.json" >"$work/bad/key.json"
sed 's/"type": "ADD"/"typ": "ADD"/' "$work/runtime.json" >"$work/bad/operator.json"
sed 's/"cost": 64/"cost": -1/' "$source_root/tests/data/relations.json" >"$work/bad/cost.json"
sed 's/"reuse"\]/"use"]/' "$source_root/tests/data/relations.json" >"$work/bad/term.json"
check_empty 'what is malformed is invalid' "$(compare reject "$schema" "$work/bad"/*.json)"
tap_end
