#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of DenseNet-121: its plan, what the tuner begins with when it sorts by duration, and all
# engines side by side.  The same bytes each time.
#
#     pictures.sh FOLDER-OF-EXAMPLES FOLDER

set -e
neap=${NEAP_PROGRAM:-neap}
input=$1/densenet121.csv
output=$2/densenet121

"$neap" plan "$input" -q --svg "$output.svg"
"$neap" plan "$input" -q --engine sort --order duration,size --max-rounds 1 --svg "$output-before.svg"
"$neap" compare "$input" -q --svg "$output-compare.svg" >/dev/null
