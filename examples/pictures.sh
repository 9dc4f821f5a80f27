#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the plan of DenseNet-121, and the example that has relations of all kinds.
# The result is the same every time.
#
#     pictures.sh FOLDER-OF-EXAMPLES FOLDER

set -e
neap=${NEAP_PROGRAM:-neap}

"$neap" plan "$1/densenet121.csv" -q --svg "$2/densenet121.svg"
mkdir -p "$2/relations"
"$neap" plan "$1/relations/together.json" -q --svg "$2/relations/together.svg"
