#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh [TABLE...]: prints the tables of BENCHMARKS.md from the instances at hand, and says what is missing; by
# default, all but those of the corners.  `make bench` runs it; `make bench BENCH='capacity perfect'` chooses tables.
#
#   default    every instance with the default engine, 5 seconds each
#   capacity   MiniMalloc's instances within 1048576 bytes
#   lowest     the lowest peak of the large instances, 10 seconds each
#   tuner      the tuner alone, with two ways to rearrange groups, a million ticks each
#   options    how the peak depends on the tuner's options, 300,000 ticks each, five seeds
#   shared     auto against exact in the same time, 10 seconds each
#   orders     the best order of the operators of published networks
#   million    a million buffers of each kind
#   runtimes   the planners of runtimes side by side
#   growth     planning time against the number of buffers, as a table and a picture (growth.sh)
#
# and the hard corners (corners.sh), which 'corners' stands for:
#
#   j d s1     the lowest peak of J, D and ideal_S_1 over 20 seeds
#   align      MiniMalloc's instances with all buffers aligned to 4096
#   mixed      MiniMalloc's instances with a random alignment for each buffer
#   pins       MiniMalloc's instances within 1048576 bytes, 5 to 80 % of the buffers fixed
#   giants     large instances with fixed buffers and with alignments
#   perfect    perfect packings of 200 to 2000 pieces
#   sheet      perfect packings with 1000 moments
#   sorted     every rule and order on a million buffers
#   auto       the default engine against exact on giants
#   memory     the memory of the process
#   threads    two threads against one
#   process    the whole process on 30 buffers
#   library    10,000 problems of 30 buffers through the library
#
# NEAP_PROGRAM is the program, NEAP_BENCH_DATA a folder that fetch.sh filled (default: data/ beside this script).
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
program=${NEAP_PROGRAM:-$here/../build/neap}
data=${NEAP_BENCH_DATA:-$here/data}
instances=$data/instances
[ -x "$program" ] || {
  echo "bench.sh: no program $program; set NEAP_PROGRAM" >&2
  exit 1
}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT

# table TITLE
table() {
  printf '\n== %s\n' "$1"
}

# listed: the instances that fetch.sh makes
listed() {
  sed -n 's/^\([a-z][^ ]*\) .*/\1/p' "$here/instances.txt"
}

# missing: those that are not in the folder
missing() {
  listed | while read -r instance; do
    [ -e "$instances/$instance.csv" ] || echo "$instance"
  done
}

# bench FOLDER... OPTION...: runs neap bench where instances have short names
bench() {
  (cd "$work/all" && "$program" bench "$@")
}

# collect: links MiniMalloc's instances and those fetched into one folder
collect() {
  mkdir "$work/all" && ln -s "$here/minimalloc" "$work/all/minimalloc" || exit 1
  for folder in "$instances"/*/; do
    [ ! -d "$folder" ] || [ -e "$work/all/$(basename "$folder")" ] || ln -s "$folder" "$work/all/"
  done
}

# generate KIND COUNT SEED FILE
generate() {
  "$program" gen "$1" --count "$2" --seed "$3" -q -o "$4"
}

table_default() {
  table "Everything with the default engine, 5 seconds each"
  # shellcheck disable=SC2046 # names of folders, none of which has a space
  bench $(ls "$work/all") --time-limit 5
}

table_capacity() {
  table "MiniMalloc's instances within 1048576 bytes"
  bench minimalloc --engine exact --capacity-from-name --until-fits --runs 3
}

table_lowest() {
  table "The lowest peak, 10 seconds each"
  set --
  for folder in somas iopddl xla pytorch minimalloc; do
    [ ! -d "$work/all/$folder" ] || set -- "$@" "$folder"
  done
  bench "$@" --engine exact --time-limit 10 --runs 3
}

table_tuner() {
  for way in auto repack; do
    table "The tuner alone, --rearrange $way, a million ticks"
    # shellcheck disable=SC2046
    bench $(ls "$work/all") --engine tune --rearrange $way --max-rounds 1000000 --max-ticks 1000000
  done
}

table_options() {
  for name in A D J; do
    file=$work/all/minimalloc/$name.1048576.csv
    for list in '--max-rounds 1,2,5,10,20,50,100,200' '--max-group-rounds 5,10,30,60,120' \
      '--group-size 4,8,12,16,24,48' '--group-overlap 0,0.25,0.5,0.75,1' '--rearrange all' \
      '--order size:size,duration:duration,size:overlap,size:size*duration'; do
      table "$name, $list"
      # shellcheck disable=SC2086
      "$program" sweep "$file" $list --seeds 5 --max-ticks 300000
    done
  done
}

# hard: instances that the exact search does not solve soon
hard() {
  (cd "$work/all" && find -L ./* -name 'J.1048576.csv' -o -name 'ideal_S_1.csv' -o -name 'param_resnet_1gpu_et*.csv')
}

table_shared() {
  for engine in exact auto; do
    table "Engine $engine, 10 seconds"
    # shellcheck disable=SC2046
    bench $(hard) --engine $engine --time-limit 10
  done
}

table_million() {
  table "A million buffers, 30 seconds each"
  mkdir "$work/million"
  for kind in branch chain random trace; do
    generate $kind 1000000 1 "$work/million/$kind.csv"
  done
  (cd "$work/million" && "$program" bench . --engine exact --time-limit 30)
}

# number KEY: the number under a key of a report on standard input
number() {
  sed 's/.*"'"$1"'": \([0-9]*\),.*/\1/'
}

# best NETWORK SEED OPTION...: the peak of a network in its best order, and whether order and layout are proven
best() {
  best_network=$1 best_seed=$2
  shift 2
  "$program" gen "$best_network" --seed "$best_seed" |
    "$program" plan - -q --schedule optimal --time-limit 5 --json "$@" >"$work/report"
  number peak <"$work/report"
  if grep -q '"status": "optimal".*"order_status": "optimal"' "$work/report"; then echo proven; else echo open; fi
}

table_orders() {
  table "Published networks: bound as given, peak in the best order, and with sharing in place"
  "$program" help networks | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | while read -r network; do
    seeds=1
    [ "$network" != randwire ] || seeds='1 2 3 4 5'
    for seed in $seeds; do
      given=$("$program" gen "$network" --seed "$seed" | "$program" plan - -q --engine sort --json | number bound)
      # shellcheck disable=SC2046,SC2183 # a number and a word each
      printf '%-21s %d %8d   %8d %-6s   %8d %s\n' "$network" "$seed" "$given" \
        $(best "$network" "$seed") $(best "$network" "$seed" --in-place)
    done
  done
}

table_runtimes() {
  table "DenseNet-121 with every engine"
  "$program" compare "$here/../examples/densenet121.csv"
  table "A heap trace of 60000 buffers with every engine"
  generate trace 60000 1 "$work/trace.csv"
  "$program" compare "$work/trace.csv"
}

corners='j d s1 align mixed pins giants perfect sheet sorted auto memory threads process library'
# shellcheck source=bench/growth.sh
. "$here/growth.sh"
# shellcheck source=bench/corners.sh
. "$here/corners.sh"
[ $# -gt 0 ] || set -- default capacity lowest tuner options shared orders million runtimes growth
# shellcheck disable=SC2086 # a list of words
for name in "$@"; do
  shift
  if [ "$name" = corners ]; then set -- "$@" $corners; else set -- "$@" "$name"; fi
done
for name in "$@"; do
  command -v "table_$name" >/dev/null || {
    echo "bench.sh: unknown table '$name'" >&2
    exit 2
  }
done
collect
for name in "$@"; do
  "table_$name"
done
count=$(missing | wc -l)
if [ "$count" -gt 0 ]; then
  table "Missing: $count of $(listed | wc -l) public instances"
  missing | sed 's/\/.*//' | uniq -c
  echo "bench/fetch.sh gets them."
fi
