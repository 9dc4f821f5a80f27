#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# list.sh [-s SEEDS] IN: prints the items of a fleet, one per line (see fleet.sh): the models in the folder IN, or the
# file IN; with -s, each with every seed.  SEEDS is a number N, for seeds 1 to N, or FIRST..LAST.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source-path=SCRIPTDIR source=fleet.sh
. "$(dirname "$0")/fleet.sh"

fleet_options "$@"
shift "$given"
[ $# -eq 1 ] || die "usage: list.sh [-s SEEDS] IN"
fleet_begin "$1" .

first=1 last=${seeds##*..}
case $seeds in *..*) first=${seeds%%..*} ;; esac
case $first$last in *[!0-9]*) die "-s: expected N or FIRST..LAST, found '$seeds'" ;; esac

# names: prints "./", a name and a zero byte for each
names() {
  if [ ! -d "$models" ]; then
    printf './%s\0' "${models##*/}"
  else
    # The files that 'neap bench' would measure, except the results of a fleet.
    cd "$models" && find -L . -name '.?*' -prune -o -type f ! -name '*.plan.json' \
      \( -iname '*.csv' -o -iname '*.ops' -o -iname '*.json' -o -iname '*.dot' -o -iname '*.gv' \
      -o -iname '*.tflite' -o -iname '*.onnx' \) -print0
  fi
}

items=$(names | fleet_encode | sed 's/^\.\///' | sort)
[ -n "$items" ] || die "$models: no problems and no models found"
if [ -z "$seeds" ]; then
  printf '%s\n' "$items"
else
  printf '%s\n' "$items" | awk -v "first=$first" -v "last=$last" \
    '{ for (seed = first + 0; seed <= last + 0; seed++) print $0 "@" seed }'
fi
