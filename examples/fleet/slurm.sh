#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slurm.sh [-s SEEDS] IN OUT [PLAN-OPTION...] [-- SBATCH-OPTION...]: plans all models in IN as a Slurm array.  See
# README.md.  Submits itself; each task of the array then plans every TASKS-th model, as many at a time as it has CPUs.
# To resume, submit it again: plan-one.sh skips what is done.
set -u
# Slurm runs a copy of this file.
NEAP_FLEET=${NEAP_FLEET:-$(cd "$(dirname "$0")" && pwd)}
export NEAP_FLEET
[ -f "$NEAP_FLEET/fleet.sh" ] || {
  echo "slurm.sh: NEAP_FLEET must be the folder of slurm.sh and plan-one.sh" >&2
  exit 2
}
# shellcheck source-path=SCRIPTDIR source=fleet.sh
. "$NEAP_FLEET/fleet.sh"

fleet_options "$@"
shift "$given"
[ $# -ge 2 ] || die "usage: slurm.sh [-s SEEDS] IN OUT [PLAN-OPTION...] [-- SBATCH-OPTION...]"
fleet_begin "$1" "$2"
shift 2
items=$("$NEAP_FLEET/list.sh" ${seeds:+-s "$seeds"} "$models") || exit
mkdir -p "$plans" || exit 1

# submit [P...] [-- Q...]: sbatch Q... COMMAND P...
submit() {
  tasks=$(printf '%s\n' "$items" | wc -l)
  most=${NEAP_TASKS:-100}
  [ "$tasks" -le "$most" ] || tasks=$most
  fleet_count "$@"
  [ -n "$found" ] || set -- "$@" --
  set -- "$@" "$NEAP_FLEET/slurm.sh" ${seeds:+-s "$seeds"} "$models" "$plans"
  while [ "$count" -gt 0 ]; do
    set -- "$@" "$1"
    shift
    count=$((count - 1))
  done
  shift
  exec sbatch --job-name neap --array "0-$((tasks - 1))" "$@"
}

# share: the items of this task
share() {
  index=$(((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}) / ${SLURM_ARRAY_TASK_STEP:-1}))
  [ "$index" -lt "$SLURM_ARRAY_TASK_COUNT" ] || die "expected an array without holes, such as --array 0-99"
  printf '%s\n' "$items" | awk -v "count=$SLURM_ARRAY_TASK_COUNT" -v "index_=$index" '(NR - 1) % count == index_'
}

[ -n "${SLURM_ARRAY_TASK_ID:-}" ] || submit "$@"
mine=$(share) || exit
[ -z "$mine" ] || printf '%s\n' "$mine" |
  xargs -I '{item}' -P "${SLURM_CPUS_PER_TASK:-1}" "$NEAP_FLEET/plan-one.sh" "$models" "$plans" '{item}' "$@"
