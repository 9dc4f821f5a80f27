#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# best.sh IN OUT: after a fleet with seeds, copies the plan of the best seed of each model to OUT/NAME.plan.json.
# merge.py chooses it: the one with the lowest peak; among equals, a proven one, then the fastest.
set -u
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=fleet.sh
. "$here/fleet.sh"

[ $# -eq 2 ] || die "usage: best.sh IN OUT"
fleet_begin "$1" "$2"

# lines: the lines of all seeds of $target
lines() {
  for file in "$target"@*.jsonl; do
    number=${file##*@}
    case ${number%.jsonl} in '' | *[!0-9]*) continue ;; esac
    cat "$file"
  done
}

# best_seed: prints the best seed that has a plan; counts columns from the end, because names may have commas
best_seed() {
  lines | python3 "$here/merge.py" - --csv | awk -F , '
    NR > 1 && NF >= 18 && $(NF - 12) >= 0 && (seed == "" || $(NF - 12) < peak) { seed = $(NF - 5); peak = $(NF - 12) }
    END { print seed }'
}

items=$("$here/list.sh" "$models") || exit
for item in $items; do
  fleet_open "$item"
  [ -n "$(lines)" ] || continue
  seed=$(best_seed)
  [ -n "$seed" ] || continue
  part=${target%/*}/.part-$(uname -n)-$$
  cp "$target@$seed.plan.json" "$part" && mv -f "$part" "$target.plan.json" || exit 1
done
