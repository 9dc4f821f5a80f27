#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws DenseNet-121: its plan, the tuner's first layout when it sorts by duration, and all engines side by side; and
# the example that has relations of all kinds.
# The result is the same every time.
#
#     pictures.sh FOLDER-OF-EXAMPLES FOLDER

set -e
neap=${NEAP_PROGRAM:-neap}
input=$1/densenet121.csv
output=$2/densenet121

"$neap" plan "$input" -q --svg "$output.svg"
"$neap" plan "$input" -q --engine sort --order duration,size --max-rounds 1 --svg "$output-before.svg"
"$neap" compare "$input" -q --svg "$output-compare.svg" >/dev/null
mkdir -p "$2/relations"
"$neap" plan "$1/relations/together.json" -q --svg "$2/relations/together.svg"
