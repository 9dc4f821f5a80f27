#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# grid.sh TFLM [LIBRARY]: compares the arena that neap predicts with what the kernels of TensorFlow Lite Micro allocate when
# they prepare models of one operator each, or of few, over a grid of shapes, types and options (grid.c).  Run it by hand when
# the runtime's version changes; it takes some minutes.  TFLM is the runtime's source tree and LIBRARY its
# libtensorflow-microlite.a, by default that with the reference kernels.  One whose path has cmsis_nn is compared for
# processors with extensions, too (sizes.c).  NEAP_TFLM_FLAGS are as for arena.sh.  Run it in the build folder.
#
# Prints for each kind of kernels and each operator how many models the runtime accepts and refuses, and for how many
# the prediction differs, with the differences.  Then gives the tensors of some models other types (types.cc), and compares the
# accepted types with kernels.def (accepted.c).  Exits with 1 if anything differs, or if no model of an operator is accepted.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
source_root=$(cd "$here/../../.." && pwd) || exit 1
. "$here/arena_program.sh"
[ $# -ge 1 ] || { sed -n 3,8p "$0" | cut -c 3- && exit 2; }
tflm=$1 library=${2:-}
[ -n "$library" ] || library=$(ls "$tflm"/gen/*_default_gcc/lib/libtensorflow-microlite.a | head -n 1)
program=${NEAP_PROGRAM:-./neap} prepare=--prepare
work=$(mktemp -d) && mkdir "$work/models" || exit 1
trap 'rm -rf "$work"' EXIT

# compare FILE: prints the operator, and whether the prediction is right
compare() {
  name=${1##*/}
  measured=$(measure "$1") || { echo "${name%-*} refused" && return; }
  got=${measured#* }
  said=$("$program" info "$1" --target tflm --kernels "$kernels" --pointer "$pointer" \
    --resource-variables "${measured%% *}" --json | figures)
  if [ "$got" = "$said" ]; then
    echo "${name%-*} agree"
  else
    echo "${name%-*} differ" && echo "  $name: found $got, predicted $said" >&3
  fi
}

# tabulate: counts what compare prints
tabulate() {
  awk '{ operators[$1]; count[$1, $2]++; count["all", $2]++ }
    function line(name) {
      printf "%s: %d accepted, %d differ, %d refused\n", name, count[name, "agree"] + count[name, "differ"],
        count[name, "differ"], count[name, "refused"]
    }
    END { for (name in operators) line(name); line("all") }'
}

# sample OPERATOR: prints some models of it, all if there are few
sample() {
  ls "$work/models/$1"-*.tflite | awk '{ file[NR] = $0 }
    END { step = NR > 16 ? int(NR / 7) : 1
      while (step > 1 && (step % 2 == 0 || step % 3 == 0)) step++ # as families count types by twos and threes
      for (i = 1; i <= NR; i += step) print file[i] }'
}

# types_of KERNELS: compares the types that are accepted
types_of() {
  compile "$1" types || return 1
  for name in $(ls "$work/models" | sed 's/-[0-9]*\.tflite$//' | sort -u); do
    # shellcheck disable=SC2046 # names without spaces
    "$work/types" $(sample "$name")
  done | tests/hosts/tflm/accepted "$1" >"$work/accepted" || cat "$work/accepted" >&3
  tail -n 1 "$work/accepted"
}

"${NEAP_GRID:-tests/hosts/tflm/grid}" "$work/models" || exit 1
exec 3>"$work/differences"
for kernels in $(kernels_of_library); do
  compile "$kernels" || exit 1
  echo "$kernels kernels, pointers of $pointer bytes"
  for file in "$work"/models/*.tflite; do compare "$file"; done | tabulate | LC_ALL=C sort >"$work/table"
  cat "$work/table"
  grep ' 0 accepted' "$work/table" >&3
  case $kernels in cmsis-nn-*) ;; *) types_of "$kernels" ;; esac # the library accepts the same for all processors
done
[ ! -s "$work/differences" ] || { cat "$work/differences" && exit 1; }
