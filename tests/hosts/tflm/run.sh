#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs models in the real interpreter of TensorFlow Lite Micro: as they are, with a plan in the model, and with a
# buffer plan; then with operators in another order, and with outputs that overlap inputs, on forty random inputs.
# Results must be the same, and the head must not be larger than with the runtime's own planner.  Also runs random
# models, in exactly the head that neap predicts: 40 of them, with NEAP_LONG=1 400; as many with recomputation.  Models split into bands must
# return the same bytes in a head that is never larger; so must 40 random ones, with NEAP_LONG=1 5,000, and the
# networks of msf-CNN, of which one runs without NEAP_LONG.  Models that neap fit writes must return them
# in the head that was promised.
# Skipped unless configured --with-tflm=DIR, a source tree of tflite-micro in which `make -f
# tensorflow/lite/micro/tools/make/Makefile microlite` has been run.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
tflm=${NEAP_TFLM:-}
random_model=${NEAP_BUILD:-.}/tests/hosts/tflm/random_model
random_rows=${NEAP_BUILD:-.}/tests/hosts/tflm/random_rows
random_skips=${NEAP_BUILD:-.}/tests/hosts/tflm/random_skips
fused_networks=${NEAP_BUILD:-.}/tests/hosts/tflm/fused_networks
models=40 split_models=40 fused=mcunetv2-vww-5fps-r80
[ -z "${NEAP_LONG:-}" ] || models=400 split_models=5000 fused="$fused mbv2-w0.35-r144 mcunet-320kb-r176"

if [ -z "$tflm" ]; then
  skip_all "models in TensorFlow Lite Micro" "configure was run without --with-tflm=DIR"
fi
make_work
downloads=$tflm/tensorflow/lite/micro/tools/make/downloads

# The library with the reference kernels, or else another one: the folder's name ends in the kernels and the toolchain.
library=
for found in "$tflm"/gen/*/lib/libtensorflow-microlite.a "$tflm"/gen/*_default_gcc/lib/libtensorflow-microlite.a; do
  [ -e "$found" ] && library=$found
done

case $library in *cmsis_nn*) kernels="cmsis-nn" ;; *) kernels="tflm-reference" ;; esac

# compile SOURCE OBJECT: with the settings that the library was built with
compile() {
  ${CXX:-c++} -std=c++17 -O1 -Wall -Wextra -Werror -fno-rtti -fno-exceptions -fno-threadsafe-statics \
    -DTF_LITE_STATIC_MEMORY -DTF_LITE_DISABLE_X86_NEON -DTF_LITE_USE_CTIME -I"$source_root" -I"$work" -isystem "$tflm" \
    -isystem "$downloads/gemmlowp" -isystem "$downloads/flatbuffers/include" -isystem "$downloads/kissfft" \
    -isystem "$downloads/ruy" -c "$1" -o "$2"
}

# link: makes the program $work/run, with the buffer plan in $work/buffer_plan.h
link() {
  compile "$here/plan.cc" "$work/plan.o" &&
    ${CXX:-c++} "$work/run.o" "$work/plan.o" "$library" -lm -o "$work/run"
}

# runs WAY MODEL [RUNS OUTPUTS]: prints what the program prints, or why it fails
runs() {
  "$work/run" "$@" 2>"$work/messages" || {
    cat "$work/messages"
    return 1
  }
}

# compare BEFORE AFTER: whether the results are the same and the head is not larger; notes the head
compare() {
  echo "before: $1"
  echo "after:  $2"
  before=${1#head } after=${2#head }
  printf ', %s' "${after%% *}" >>"$work/heads"
  [ "${1##* }" = "${2##* }" ] && [ "${after%% *}" -le "${before%% *}" ]
}

# greedy HEAD: whether neap's version of the runtime's planner needs the same head for the recorded requests
greedy() {
  "$program" plan "$work/requests.csv" --engine tflm-greedy -q -o "$work/greedy.txt" || return 1
  grep "^peak  *$1 bytes" "$work/greedy.txt" || { sed -n 2p "$work/greedy.txt" && return 1; }
}

buffer_plan() {
  "$program" plan "$work/requests.csv" -q --buffer-plan "$work/buffer_plan.h" && link || return 1
  planned=$(runs planned "$1") || { echo "$planned" && return 1; }
  compare "$2" "$planned"
}

metadata() {
  "$program" plan "$1" --pointer 8 -q --force --tflite "$work/planned.tflite" || return 1
  planned=$(runs default "$work/planned.tflite") || { echo "$planned" && return 1; }
  compare "$2" "$planned"
}

# same_outputs BEFORE AFTER: whether the results are the same in every byte; the head may be limited
same_outputs() {
  compare "$1" "$2" && cmp "$work/outputs" "$work/overlapped" && {
    after=${2#head }
    [ "${after%% *}" -le "$limit" ] || { echo "expected a head of at most $limit bytes" && return 1; }
  }
}

overlapping_metadata() {
  # shellcheck disable=SC2086 # options
  "$program" plan "$1" --pointer 8 -q --force $overlap --tflite "$work/planned.tflite" &&
    "$program" check "$work/planned.tflite" --pointer 8 -q $overlap || return 1
  planned=$(runs default "$work/planned.tflite" 40 "$work/overlapped") || { echo "$planned" && return 1; }
  same_outputs "$2" "$planned"
}

# reordered FILE BEFORE: with the operators of each subgraph in the best order
reordered() {
  "$program" plan "$1" --pointer 8 -q --force --schedule optimal --tflite "$work/planned.tflite" || return 1
  planned=$(runs default "$work/planned.tflite" 40 "$work/overlapped") || { echo "$planned" && return 1; }
  echo "before: $2"
  echo "after:  $planned"
  printf ', %s reordered' "$(expr "$planned" : 'head \([0-9]*\)')" >>"$work/heads"
  cmp "$work/outputs" "$work/overlapped" && [ "$(expr "$planned" : 'head \([0-9]*\)')" -le "$limit" ]
}

# The requests of a model with several subgraphs cannot be used, but only forks.tflite needs scratch buffers.
overlapping_buffer_plan() {
  # shellcheck disable=SC2086 # options
  "$program" plan "$1" --pointer 8 -q $overlap --scratch "$work/requests.csv" --buffer-plan "$work/buffer_plan.h" && link || return 1
  planned=$(runs planned "$1" 40 "$work/overlapped") || { echo "$planned" && return 1; }
  same_outputs "$2" "$planned"
}

# split_model MODEL MOST OPTION...: whether the model split into bands gives the same outputs as those in $work/outputs,
# in the head that neap predicts, which is at most MOST; the lowest head, or the smallest arena if $goal is empty
split_model() {
  file=$1 most=$2
  shift 2
  # shellcheck disable=SC2086 # an option or nothing
  said=$("$program" split "$file" --pointer 8 --kernels "$kernels" -o "$work/split.tflite" --json ${goal---goal peak} "$@") &&
    after=$(runs default "$work/split.tflite" 40 "$work/bands") || { echo "$after" && return 1; }
  arenas=$(echo "$said" | grep -o '"arena": [0-9]*' | head -n 2 | tr -dc '0-9\n' | paste -s -d ' ')
  used=${after#head } said=${said#*\"after\": \{\"peak\": }
  used=${used%% *} said=${said%%,*}
  echo "$file $*: predicted $said, found $used, at most $most"
  cmp "$work/outputs" "$work/bands" && [ "$used" -le "$most" ] && { [ -z "$exact" ] || [ "$used" = "$said" ]; }
}

# smallest FILE MOST OPTION...: likewise in an arena that is no larger than that of the unchanged model
smallest() {
  goal=
  split_model "$@" && echo "arenas: $arenas" && [ "${arenas#* }" -le "${arenas% *}" ]
}

# fit FILE ARENA OPTION...: fits the model into an arena, and prints the head that is promised
fit() {
  file=$1 arena=$2
  shift 2
  "$program" fit "$file" --pointer 8 --arena "$arena" -o "$work/fitted.tflite" --json "$@" >"$work/fit.json" 2>"$work/messages" || return 1
  sed 's/.*"best": \([0-9]*\).*"steps": \[\([^]]*\)\].*/\1 \2/; s/}, {/} {/g' "$work/fit.json" |
    awk -F '{' '{ split($(2 + $1), step, /[:,]/); print step[4] + 0 }'
}

# fitted FILE OPTION...: whether the model fitted into the smallest arena that any means reaches gives the same outputs as
# those in $work/outputs, in the head that is promised
fitted() {
  file=$1
  shift
  ! fit "$file" 1 "$@" || return 1
  arena=$(sed 's/.*"steps": \[\([^]]*\)\].*/\1/' "$work/fit.json" | grep -o '"arena": [0-9]*' | sort -n -k 2 | head -n 1)
  said=$(fit "$file" "${arena#*: }" "$@") && after=$(runs default "$work/fitted.tflite" 40 "$work/bands") || return 1
  used=${after#head }
  echo "$file $*: $arena, predicted head $said, found $after"
  [ "${used%% *}" = "$said" ] && cmp "$work/outputs" "$work/bands"
}

# apart_in TAIL HEAD: whether the model gives the same outputs as those in $work/outputs in two arenas of these sizes
apart_in() {
  "$work/run" apart "$work/fitted.tflite" 40 "$work/bands" "$1" "$2" 2>"$work/messages" && cmp "$work/outputs" "$work/bands"
}

# needs HALF: prints the bytes that the head or the tail needs in the step with two memories
needs() {
  sed -n "s/.*\"means\": \"pools\"[^]]*\"holds\": \"$1\", \"bytes\": \([0-9]*\).*/\1/p" "$work/fit.json"
}

# fitted_apart FILE OPTION...: whether the model fitted into two memories that just suffice for its head and tail gives the
# same outputs there, and runs in nothing smaller
fitted_apart() {
  file=$1
  shift
  set -- --resource-variables 32 "$@"
  "$program" fit "$file" --pointer 8 --pool a=2 --pool b=1 --json "$@" >"$work/fit.json" 2>"$work/messages"
  tail=$(needs tail) head=$(needs head)
  echo "$file $*: tail $tail, head $head"
  "$program" fit "$file" --pointer 8 --pool "a=$tail" --pool "b=$head" -q -o "$work/fitted.tflite" "$@" &&
    apart_in "$tail" "$head" && ! apart_in "$((tail - 16))" "$head" && ! apart_in "$tail" "$((head - 16))"
}

# splits FILE NAME HEAD: the limits are heads that have been reached
splits() {
  exact='' most=$3 least=$3
  case $kernels/$2 in
  reference/person_detect.tflite) exact=yes most=21504 least=18944 ;;
  reference/vww_96_int8.tflite) exact=yes most=40320 least=27760 ;;
  reference/pretrainedResnet_quant.tflite) exact=yes most=20608 least=19456 ;;
  esac
  "$program" split "$1" --pointer 8 -q 2>"$work/messages" || { skip "$2: split" "$(head -n 1 "$work/messages")" && return; }
  check "$2: bands give the same outputs in no larger head" split_model "$1" "$most"
  check "$2: bands for the smallest arena, too" smallest "$1" "$3"
  check "$2: bands with overlap, too" split_model "$1" "$least" --overlap
}

# overlapping FILE NAME
overlapping() {
  overlap="--kernels $kernels --overlap" limit=9999999
  case $kernels/$2 in tflm-reference/person_detect.tflite | tflm-reference/vww_96_int8.tflite) limit=36880 ;; esac
  before=$(runs default "$1" 40 "$work/outputs")
  check "$2: the plan in the model gives the same results with overlap" overlapping_metadata "$1" "$before"
  [ "$2" = forks.tflite ] ||
    check "$2: the buffer plan gives the same results with overlap" overlapping_buffer_plan "$1" "$before"
}

# model FILE
model() {
  name=${1##*/}
  before=$(runs default "$1") || {
    skip "$name" "TensorFlow Lite Micro cannot run it"
    return
  }
  runs record "$1" >"$work/requests.csv"
  head=${before#head }
  grep -q OfflineMemoryAllocation "$1" || # without a plan, the runtime makes one
    check "$name: tflm-greedy needs the head of the runtime's planner" greedy "${head%% *}"
  : >"$work/heads"
  check "$name: the plan in the model gives the same results in no larger head" metadata "$1" "$before"
  check "$name: the buffer plan gives the same results in no larger head" buffer_plan "$1" "$before"
  limit=${head%% *}
  case $name in forks.tflite) limit=5168 ;; esac # of 9008, with 32 bytes of scratch
  before=$(runs default "$1" 40 "$work/outputs")
  check "$name: another order gives the same outputs in no larger head" reordered "$1" "$before"
  overlapping "$1" "$name"
  runs default "$1" 40 "$work/outputs" >"$work/messages"
  splits "$1" "$name" "${head%% *}"
  case $library in
  *_default_gcc/*)
    check "$name: fitted into the smallest arena, it gives the same outputs in the promised head" fitted "$1"
    check "$name: fitted with overlap, too" fitted "$1" --kernels "$kernels" --overlap
    check "$name: fitted into two memories, it gives the same outputs in two arenas" fitted_apart "$1"
    check "$name: fitted into two memories with overlap, too" fitted_apart "$1" --kernels "$kernels" --overlap
    ;;
  esac
  echo "# $name: head of the runtime, of the plan in the model, of the buffer plan, of both with overlap:" \
    "${head%% *}$(cat "$work/heads")"
}

# start: makes the program with a plan for no model
start() {
  printf 'name,first,last,size\nrequest0,0,0,16\n' >"$work/requests.csv"
  "$program" plan "$work/requests.csv" -q --buffer-plan "$work/buffer_plan.h" &&
    compile "$here/run.cc" "$work/run.o" && link
}

# random SEED OPTION...: whether a plan of a random model gives the same results, in the head that neap predicts
random() {
  seed=$1
  shift
  "$random_model" "$seed" "$work/random.tflite" && before=$(runs default "$work/random.tflite" 3 "$work/outputs") &&
    said=$("$program" plan "$work/random.tflite" --pointer 8 "$@" --json --tflite "$work/planned.tflite") &&
    after=$(runs default "$work/planned.tflite" 3 "$work/planned") || return 1
  echo "seed $seed $*, before: $before, after: $after"
  said=${said#*\"head\": } before=${before#head } used=${after#head }
  case $said in *'"head_is_lower_bound": false'*) ;; *) return 1 ;; esac
  echo "$((${before%% *} - ${used%% *}))" >>"$work/gains"
  [ "${said%%,*}" = "${used%% *}" ] && [ "${before##* }" = "${used##* }" ] && cmp "$work/outputs" "$work/planned" &&
    [ "${used%% *}" -le "${before%% *}" ]
}

# randoms OPTION...: likewise for many models; says for how many the head is lower than the runtime's own
randoms() {
  : >"$work/gains"
  for seed in $(seq 1 "$models"); do
    random "$seed" "$@" || return 1
  done
  echo "# $models random models, ${*:-no options}: $(grep -c '^[1-9]' "$work/gains") with a lower head" >&3
}

# random_splits OPTION...: likewise for random models split into bands
random_splits() {
  : >"$work/gains"
  for seed in $(seq 1 "$split_models"); do
    "$random_rows" "$seed" "$work/random.tflite" || return 1
    # CMSIS-NN aborts in some models before they are split.
    before=$(runs default "$work/random.tflite" 40 "$work/outputs") || { [ "$kernels" != reference ] && continue || return 1; }
    before=${before#head } exact=yes
    split_model "$work/random.tflite" "${before%% *}" "$@" || { echo "seed $seed" && return 1; }
    echo "$((${before%% *} - used))" >>"$work/gains"
  done
  echo "# $split_models random models in bands, ${*:-no options}: $(grep -c '^[1-9]' "$work/gains") with a lower head" >&3
}

# counted MOST OPTION...: whether the last network needs at most the peak that msf-CNN reports, which excludes the input
counted() {
  most=$1
  shift
  peak=$("$program" split "$work/fused.tflite" --target none --no-inputs --json "$@") || return 1
  peak=${peak#*\"after\": {\"peak\": }
  echo "without the input: ${peak%%,*}, at most $most"
  [ "${peak%%,*}" -le "$most" ]
}

# fused_network NAME: whether a network of msf-CNN needs the head `before`, which it reports without fusion, at most
# the head `most` in bands, and at most the head `least` with overlap
fused_network() {
  exact=yes
  case $1 in
  mcunetv2-vww-5fps-r80) before=96000 most=34880 least=26528 macs=1.1 reported=45283 ;;
  mbv2-w0.35-r144) before=194400 most=90304 least=63424 macs=1.1 reported=67996 ;;
  mcunet-320kb-r176) before=340736 most=147056 least=125888 macs=1.5 reported=94184 ;; # 309760 in the best layout
  esac
  "$fused_networks" "$1" "$work/fused.tflite" && whole=$(runs default "$work/fused.tflite" 40 "$work/outputs") &&
    [ "$(expr "$whole" : 'head \([0-9]*\)')" = "$before" ] &&
    split_model "$work/fused.tflite" "$most" --max-work "$macs" &&
    counted "$reported" --max-work "$macs" --kernels tflm-reference --overlap || return 1
  case $library in
  *_default_gcc/*) split_model "$work/fused.tflite" "$least" --max-work "$macs" --kernels tflm-reference --overlap || return 1 ;;
  esac
}

# recomputes SEED: whether a random model whose operators run again gives the same outputs, in the head that neap
# predicts, which is lower than that of the best order; notes the difference, or "none" if neap finds no such plan
recomputes() {
  "$random_skips" "$1" "$work/random.tflite" && before=$(runs default "$work/random.tflite" 3 "$work/outputs") &&
    least=$("$program" plan "$work/random.tflite" --pointer 8 --target tflm --schedule optimal --max-ticks 20000 --json) || return 1
  least=${least#*\"peak\": } least=${least%%,*}
  said=$("$program" plan "$work/random.tflite" --pointer 8 --recompute --capacity $((least * 19 / 20)) --max-ticks 20000 --json \
    --tflite "$work/planned.tflite" 2>"$work/messages") || { echo none >>"$work/gains" && return; }
  after=$(runs default "$work/planned.tflite" 3 "$work/planned") || { echo "seed $1: $after" && return 1; }
  echo "seed $1, before: $before, after: $after"
  said=${said#*\"head\": } used=${after#head }
  echo "$((least - ${used%% *}))" >>"$work/gains"
  [ "${said%%,*}" = "${used%% *}" ] && cmp "$work/outputs" "$work/planned" && [ "${used%% *}" -lt "$least" ]
}

# random_recomputations: likewise for many models
random_recomputations() {
  : >"$work/gains"
  for seed in $(seq 1 "$models"); do
    recomputes "$seed" || return 1
  done
  echo "# $models random models whose operators may run again: $(grep -c '^[1-9]' "$work/gains") with a lower head" >&3
  grep -q '^[1-9]' "$work/gains"
}

# The plan of the last model does not fit another.
foreign() {
  ! planned=$(runs planned "$1") && grep "made for another model or other kernels" "$work/messages"
}

check "the test program compiles" start
if [ -x "$work/run" ]; then
  seeds=$source_root/tests/fuzz/corpus/tflite
  for file in "$source_root"/examples/*.tflite "$seeds"/loop.tflite "$seeds"/nested.tflite "$seeds"/forks.tflite \
    "${NEAP_SHARED:-}"/data/models/tflite/*.tflite; do
    [ -e "$file" ] && model "$file"
  done
  check "a buffer plan is refused for another model" foreign "$source_root/examples/keyword.tflite"
  exec 3>&1
  for options in '' --no-outputs '--no-inputs --no-outputs' "--kernels $kernels --overlap"; do
    # shellcheck disable=SC2086 # options
    check "$models random models give the same results, in the predicted head: ${options:-no options}" randoms $options
  done
  check "$models random models whose operators run again give the same outputs, in the predicted head" random_recomputations
  for name in $fused; do
    check "$name of msf-CNN gives the same outputs in bands, in a head as low as was reached" fused_network "$name"
  done
  for options in '' --overlap; do
    # shellcheck disable=SC2086 # options
    check "$models random models in bands give the same outputs, in the predicted head: ${options:-no options}" \
      random_splits $options
  done
fi
tap_end
