#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the arena that neap predicts for models with the one that TensorFlow Lite Micro takes: recorded figures, in
# arena.txt, and, if configured --with-tflm=DIR, also those of the real interpreter for all models of that source tree:
# as they are, with a plan in the model, which must not be larger, and with one in a better order.  Random models follow:
# 20, with NEAP_LONG=1 520.  Then models are fitted into arenas, and interpreters of several models share one.
# NEAP_TFLM_LIBRARY and NEAP_TFLM_FLAGS choose another build of the library, such as one made with -m32, or with
# OPTIMIZED_KERNEL_DIR=cmsis_nn, which the library's path shows; sizes.c then stands in for processors with extensions.
# NEAP_TFLM_MODELS is a folder with more models.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
. "$here/arena_program.sh"
program=${NEAP_PROGRAM:?the program to test}
tflm=${NEAP_TFLM:-}
make_work

# predicted FILE KERNELS POINTER VARIABLES
predicted() {
  "$program" info "$1" --target tflm --kernels "$2" --pointer "$3" --resource-variables "$4" --json \
    >"$work/info.json" && figures <"$work/info.json"
}

# agrees FILE KERNELS POINTER VARIABLES FIGURES
agrees() {
  got=$(predicted "$1" "$2" "$3" "$4") || return 1
  echo "expected: $5"
  echo "found:    $got"
  [ "$got" = "$5" ]
}

# random SEED: writes a random model and prints where
random() {
  "${NEAP_BUILD:-.}/tests/hosts/tflm/random_model" "$1" "$work/random.tflite" && echo "$work/random.tflite"
}

# find_model NAME: prints where a model of arena.txt is; random-N is the random model of seed N, and grid/... is one of grid.c
find_model() {
  case $1 in random-*) random "${1#random-}" && return ;; esac
  [ -e "$work/grid" ] || { mkdir "$work/grid" && "${NEAP_BUILD:-.}/tests/hosts/tflm/grid" "$work/grid" || return 1; }
  for found in "$work/$1.tflite" "$source_root/examples/$1" "$source_root/tests/fuzz/corpus/tflite/$1" \
    "${NEAP_SHARED:-}/data/models/tflite/$1"; do
    [ -e "$found" ] && echo "$found" && return
  done
}

while read -r name whose bytes variables figures; do
  case $name in '#'*) continue ;; esac
  file=$(find_model "$name")
  if [ -n "$file" ]; then
    check "$name: the recorded arena, $whose kernels, pointers of $bytes bytes" \
      agrees "$file" "$whose" "$bytes" "$variables" "$figures"
  else
    skip "$name" "there is no such model"
  fi
done <"$here/arena.txt"

# planned FILE VARIABLES FIGURES [OPTION...]: whether the model takes the predicted arena with a plan in it, and no more
# than with FIGURES
planned() {
  file=$1 variables=$2 before=$3
  shift 3
  "$program" plan "$file" --target tflm --kernels "$kernels" --pointer "$pointer" --resource-variables "$variables" --force "$@" \
    --tflite "$work/planned.tflite" --json >"$work/plan.json" || return 1
  figures=$("$work/arena" $prepare "$work/planned.tflite" "$variables" 2>"$work/messages") || return 1
  promised=$(figures <"$work/plan.json")
  echo "before:   $before"
  echo "planned:  $promised"
  used=${figures#used } most=${before#used }
  agrees "$work/planned.tflite" "$kernels" "$pointer" "$variables" "$figures" && [ "$promised" = "$figures" ] &&
    [ "${used%% *}" -le "${most%% *}" ]
}

# gains FILE: whether another order of operators has a lower bound
gains() {
  "$program" plan "$1" --target tflm --kernels "$kernels" --schedule optimal --force --json >"$work/plan.json" 2>"$work/messages" &&
    grep -q '"order_saved_bytes": [1-9]' "$work/plan.json"
}

# model FILE [OPTION...]: notes whether the predictions are right, for the model, with a plan of it, and in another order
model() {
  file=$1
  shift
  measured=$(measure "$file") || return 0
  case $file in */data_behind.tflite) return 0 ;; esac # the runtime does not find the data of its constants
  models=$((models + 1))
  {
    agrees "$file" "$kernels" "$pointer" "${measured%% *}" "${measured#* }" &&
      planned "$file" "${measured%% *}" "${measured#* }" "$@" &&
      { ! gains "$file" || planned "$file" "${measured%% *}" "${measured#* }" --schedule optimal; }
  } >"$work/figures" 2>&1 || { echo "$file $*" && cat "$work/figures"; } >>"$work/wrong"
}

# fitted FILE VARIABLES ARENA [OPTION...]: whether the model that neap fit writes for an arena takes exactly the promised
# bytes, which become $promised; if none fits, no file is written
fitted() {
  file=$1 variables=$2 arena=$3 code=0
  shift 3
  rm -f "$work/fitted.tflite"
  "$program" fit "$file" --kernels "$kernels" --pointer "$pointer" --resource-variables "$variables" "$@" --arena "$arena" \
    -o "$work/fitted.tflite" --json >"$work/fit.json" 2>"$work/messages" || code=$?
  promised=$(sed 's/.*"steps": \[\([^]]*\)\].*/\1/' "$work/fit.json" | grep -o '"arena": [0-9]*' | sort -n -k 2 | head -n 1)
  promised=${promised#*: }
  echo "arena of $arena bytes $*: exit $code, promised $promised"
  case $code in 4 | 5) [ "$promised" -gt "$arena" ] && [ ! -e "$work/fitted.tflite" ] && return ;; esac
  figures=$("$work/arena" $prepare "$work/fitted.tflite" "$variables" 2>"$work/messages") || return 1
  fits=$((fits + 1))
  agrees "$work/fitted.tflite" "$kernels" "$pointer" "$variables" "$figures" && [ "${figures##* }" = "$promised" ] &&
    [ "$promised" -le "$arena" ]
}

# fitted_all FILE VARIABLES NEED [OPTION...]: likewise for the smallest arena that any means reaches, and for arenas between the
# tail of the model and the arena that it needs unchanged
fitted_all() {
  file=$1 variables=$2 need=$3
  shift 3
  fitted "$file" "$variables" 1 "$@" || return 1
  tail=$(sed 's/.*"steps": \[{[^}]*"tail": \([0-9]*\).*/\1/' "$work/fit.json")
  fitted "$file" "$variables" "$promised" "$@" && [ -e "$work/fitted.tflite" ] || return 1
  for part in 1 2 3 4; do
    fitted "$file" "$variables" $((tail + (need - tail) * part / 4)) "$@" || return 1
  done
  [ -e "$work/fitted.tflite" ]
}

# fit_model FILE: notes whether that holds for a model
fit_model() {
  measured=$(measure "$1") || return 0
  models=$((models + 1))
  for overlap in '' --overlap; do
    # shellcheck disable=SC2086 # one option or none
    fitted_all "$1" "${measured%% *}" "${measured##* }" $overlap >"$work/figures" 2>&1 ||
      { echo "$1 $overlap" && cat "$work/figures"; } >>"$work/wrong"
  done
}

# fit_all: for models with heads that can be lowered, and for random ones, with $kernels
fit_all() {
  models=0 fits=0
  : >"$work/wrong"
  while read -r file; do fit_model "$file"; done <"$work/to_fit"
  for seed in $(seq 1 "${NEAP_LONG:+5}10"); do
    file=$(random "$seed") && fit_model "$file"
  done
  check "$models models fitted into $fits arenas work in what was promised, $kernels kernels, to the byte" all_agree
}

# all_agree: whether the predictions were right for all models
all_agree() {
  [ ! -s "$work/wrong" ] || { cat "$work/wrong" && return 1; }
}

# compare_all: for all models, and for random ones, with $kernels
compare_all() {
  models=0 prepare=''
  case $kernels in cmsis-nn-*) prepare=--prepare ;; esac # kernels for this machine would run in buffers for another
  check "the test program compiles with $kernels kernels" compile "$kernels"
  : >"$work/wrong"
  while read -r file; do model "$file"; done <"$work/list"
  model "$source_root/examples/keyword.tflite" --variables plan
  for seed in $(seq 1 "${NEAP_LONG:+5}20"); do
    file=$(random "$seed") && model "$file"
  done
  check "$models models take the predicted arena, $kernels kernels, to the byte, and no more with a plan or another order" \
    all_agree
}

# shares FILE...: notes whether interpreters of these models, which run in turn, share the predicted arena
shares() {
  measured=$("$work/arena" --share "$@" 2>"$work/messages") || return 0
  groups=$((groups + 1))
  got=$("$program" info "$@" --target tflm --kernels "$kernels" --pointer "$pointer" --json 2>"$work/messages" | figures)
  [ "$got" = "$measured" ] || printf '%s\n' "$*" "interpreter: $measured" "neap:        $got" >>"$work/wrong"
}

# fits_shared FILE FILE: notes whether the two models, made to fit an arena with nine tenths of the head that they share,
# take the promised arena
fits_shared() {
  "$program" info "$@" --target tflm --kernels "$kernels" --pointer "$pointer" --json >"$work/info.json" 2>"$work/messages" || return 0
  arena=$(sed -n 's/.*"arena": {"head": \([0-9]*\), "tail": \([0-9]*\),.*/\1 \2/p' "$work/info.json")
  arena=$((${arena#* } + ${arena% *} * 9 / 10))
  rm -f "$work"/shared_*.tflite
  cp "$1" "$work/one.tflite" && cp "$2" "$work/two.tflite" || return 1
  "$program" fit "$work/one.tflite" "$work/two.tflite" --kernels "$kernels" --pointer "$pointer" --arena $arena \
    -o "$work/shared_%.tflite" --json >"$work/fit.json" 2>"$work/messages" || return 0
  fits=$((fits + 1))
  promised=$(figures <"$work/fit.json")
  measured=$("$work/arena" --share "$work/shared_one.tflite" "$work/shared_two.tflite" 2>"$work/messages")
  [ "$measured" = "$promised" ] && [ "${measured##* }" -le $((arena)) ] ||
    printf '%s\n' "$*" "interpreter: $measured" "neap fit:    $promised" >>"$work/wrong"
}

# share_all: for each model with the two after it in the list, and with itself, with $kernels
share_all() {
  groups=0 fits=0
  : >"$work/wrong"
  case $kernels in cmsis-nn-*) return ;; esac # which do not run here
  while read -r file; do
    measure "$file" >"$work/figures" && grep -q '^0 ' "$work/figures" && echo "$file"
  done <"$work/to_fit" >"$work/to_share"
  first='' second=''
  while read -r third; do
    [ -z "$first" ] || shares "$first" "$second" "$third"
    shares "$third" "$third"
    [ -z "$second" ] || fits_shared "$second" "$third"
    first=$second second=$third
  done <"$work/to_share"
  check "$groups groups of models share the predicted arena, and $fits pairs are made to fit one, $kernels kernels, to the byte" \
    all_agree
}

library=${NEAP_TFLM_LIBRARY:-}
[ -n "$library" ] || library=$(ls "$tflm"/gen/*_default_gcc/lib/libtensorflow-microlite.a 2>/dev/null | head -n 1)
if [ -z "$tflm" ] || [ ! -e "$library" ]; then
  skip "the arena in the real interpreter" "configure was run without --with-tflm=DIR, or its library is missing"
else
  find "$source_root/examples" "$source_root/tests/fuzz/corpus/tflite" "${NEAP_SHARED:-/nowhere}/data/models/tflite" \
    "$tflm/tensorflow" "$tflm/third_party" ${NEAP_TFLM_MODELS:+"$NEAP_TFLM_MODELS"} -name '*.tflite' 2>/dev/null |
    LC_ALL=C sort >"$work/list"
  grep -v "^$tflm/" "$work/list" | grep -v -e /planned_ -e /data_behind >"$work/to_fit"
  for kernels in $(kernels_of_library); do compare_all && fit_all && share_all; done
fi
tap_end
