#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# parallel.sh [-s SEEDS] IN OUT [PLAN-OPTION...] [-- PARALLEL-OPTION...]: plans all models in IN with GNU parallel.  See
# README.md.  To resume, run it again: plan-one.sh skips what is done, whatever the job log says.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
# shellcheck source-path=SCRIPTDIR source=fleet.sh
. "$here/fleet.sh"

fleet_options "$@"
shift "$given"
[ $# -ge 2 ] || die "usage: parallel.sh [-s SEEDS] IN OUT [PLAN-OPTION...] [-- PARALLEL-OPTION...]"
fleet_begin "$1" "$2"
shift 2
parallel --version 2>/dev/null | grep -q '^GNU parallel' || die "needs GNU parallel (Debian: apt-get install parallel)"

# encode TEXT
encode() {
  printf '%s\0' "$1" | fleet_encode
}

# Turns P... [-- Q...] into Q... COMMAND P..., with P encoded, because GNU parallel replaces {.}, {1} and so on
fleet_count "$@"
[ -n "$found" ] || set -- "$@" --
set -- "$@" "$here/plan-one.sh" -e "$(encode "$models")" "$(encode "$plans")" '{item}'
while [ "$count" -gt 0 ]; do
  set -- "$@" "$(encode "$1")"
  shift
  count=$((count - 1))
done
shift

mkdir -p "$plans" || exit 1
items=$("$here/list.sh" ${seeds:+-s "$seeds"} "$models") || exit
printf '%s\n' "$items" |
  parallel --joblog "$plans/jobs.tsv" --halt soon,fail=1 --workdir . --env NEAP_PROGRAM -I '{item}' -q "$@"
status=$?
if [ "$status" -eq 0 ] && [ -n "$seeds" ]; then
  "$here/best.sh" "$models" "$plans"
  status=$?
fi
exit "$status"
