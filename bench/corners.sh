# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154,SC2046,SC2016
# SC2154: bench.sh, which sources this file, sets here, program and work.  SC2046: lists of words.  SC2016: Markdown.
#
# The tables of the hard corners, one function each, as rows of Markdown.  The environment sets what they run:
#
#   CORNER_SEEDS      list of seeds, such as '1 2 3'
#   CORNER_LIMIT      seconds for each run
#   CORNER_ENGINES    list of engines, such as 'exact auto'
#   CORNER_INSTANCES  list of MiniMalloc's instances, such as 'A D J'
#   CORNER_ORDERS     list of orders for sorted layouts
#   CORNER_KINDS      list of kinds of giants for sorted layouts
#   CORNER_RUNS       repeats of runs that end soon; their median counts
#   CORNER_THREADS    list of numbers of threads
#   CORNER_COUNT      number of buffers of the generated giants
#   CORNER_PROBLEMS   number of small problems of each kind

giant_count=${CORNER_COUNT:-1000000}

# seeds N: the seeds that a corner uses, 1 to N by default
seeds() {
  echo "${CORNER_SEEDS:-$(seq -s ' ' "$1")}"
}

# limit SECONDS
limit() {
  echo "${CORNER_LIMIT:-$1}"
}

# engines ENGINE...: comma-separated
engines() {
  echo "${CORNER_ENGINES:-$*}" | tr ' ' ,
}

# corner TITLE: heads a table, and forgets the runs of the one before
corner() {
  table "$1"
  : >"$work/rows"
}

# measure LABEL DETAIL ARGUMENT...: runs neap bench, and keeps its rows with label and detail before them
measure() {
  measure_as="$1;$2"
  shift 2
  "$program" bench "$@" -q --csv | sed "1d; s|^|$measure_as;|" >>"$work/rows"
}

# summary [-v NAME=VALUE]: the table of all runs that were kept
summary() {
  awk -f "$here/summary.awk" "$@" "$work/rows"
}

# instance NAME: the file of an instance; false if it is missing
instance() {
  instance_file=$work/all/$1.csv
  [ -e "$instance_file" ] || {
    echo "missing: $1"
    return 1
  }
}

# of_minimalloc: the files of MiniMalloc's instances
of_minimalloc() {
  for letter in ${CORNER_INSTANCES:-'*'}; do
    ls "$work"/all/minimalloc/$letter.*.csv
  done
}

# letter FILE: A of A.1048576.csv
letter() {
  letter_name=${1##*/}
  echo "${letter_name%%.*}"
}

# capacity FILE: 1048576 of A.1048576.csv
capacity() {
  capacity_name=${1%.csv}
  echo "${capacity_name##*.}"
}

# constrain [-v NAME=VALUE]... FILE: prints the table with constraints, see constrain.awk
constrain() {
  awk -f "$here/random.awk" -f "$here/constrain.awk" "$@"
}

# lowest LABEL INSTANCE: its lowest peak with every seed and engine
lowest() {
  corner "$1: the lowest peak, seeds $(seeds 20), $(limit 60) s"
  instance "$2" || return
  for seed in $(seeds 20); do
    measure "$1" "$seed" "$instance_file" --engine "$(engines exact auto)" --seed "$seed" --time-limit "$(limit 60)"
  done
  summary
}

table_j() {
  lowest J minimalloc/J.1048576
}

table_d() {
  lowest D minimalloc/D.1048576
}

table_s1() {
  lowest S_1 iopddl/ideal_S_1
}

table_align() {
  corner "MiniMalloc's instances, all buffers aligned to 4096, seeds $(seeds 3), $(limit 15) s"
  for file in $(of_minimalloc); do
    constrain -v alignments=4096 "$file" >"$work/aligned.csv"
    for seed in $(seeds 3); do
      measure "$(letter "$file")" "$seed" "$work/aligned.csv" --engine "$(engines exact auto)" --seed "$seed" \
        --time-limit "$(limit 15)"
    done
  done
  summary -v near=1
}

table_mixed() {
  corner "MiniMalloc's instances with alignments 64, 1024, 2048 and 4096, choices $(seeds 3), $(limit 15) s"
  for file in $(of_minimalloc); do
    for seed in $(seeds 3); do
      constrain -v seed="$seed" -v alignments='64 1024 2048 4096' "$file" >"$work/mixed.csv"
      measure "$(letter "$file")" "$seed" "$work/mixed.csv" --engine "$(engines exact auto)" \
        --time-limit "$(limit 15)"
    done
  done
  summary -v near=1
}

table_pins() {
  corner "MiniMalloc's instances within their capacity, some buffers fixed, choices $(seeds 3), $(limit 15) s"
  for share in 5 20 50 80; do
    for file in $(of_minimalloc); do
      for seed in $(seeds 3); do
        "$program" plan "$file" -q --engine exact --capacity "$(capacity "$file")" --seed "$seed" -o "$work/whole.csv"
        constrain -v seed="$seed" -v pins=$share "$work/whole.csv" >"$work/pins.csv"
        measure "$share % fixed" "$(letter "$file") $seed" "$work/pins.csv" --capacity "$(capacity "$file")" \
          --engine "$(engines exact auto)" --time-limit "$(limit 15)"
      done
    done
  done
  summary -v gaps=0
}

# vary VARIANT FILE: prints a giant with constraints; fails without the plan that it takes offsets from
vary() {
  case $1 in
    free) cat "$2" ;;
    'one fixed') constrain -v seed=1 -v pin_count=1 "$work/whole.csv" ;;
    '1 % fixed') constrain -v seed=1 -v pins=1 "$work/whole.csv" ;;
    '10 % fixed') constrain -v seed=1 -v pins=10 "$work/whole.csv" ;;
    'aligned to 64 or 512') constrain -v seed=1 -v alignments='64 512' "$2" ;;
    'aligned and 1 % fixed') constrain -v seed=1 -v pins=1 "$work/aligned.csv" ;;
  esac
}

table_giants() {
  corner "Giants with constraints, $(limit 20) s"
  for name in somas/pangu_2.6B iopddl/A_s0 iopddl/K_s0 iopddl/L_smin; do
    instance $name || continue
    rm -f "$work/whole.csv" "$work/aligned.csv"
    "$program" plan "$instance_file" -q --time-limit "$(limit 20)" -o "$work/whole.csv"
    vary 'aligned to 64 or 512' "$instance_file" |
      "$program" plan - -q --time-limit "$(limit 20)" -o "$work/aligned.csv"
    for variant in free 'one fixed' '1 % fixed' '10 % fixed' 'aligned to 64 or 512' 'aligned and 1 % fixed'; do
      vary "$variant" "$instance_file" >"$work/giant.csv" || continue
      measure "${name#*/}, $variant" "" "$work/giant.csv" --engine "$(engines exact auto)" --time-limit "$(limit 20)" \
        --runs "${CORNER_RUNS:-3}"
    done
  done
  summary -v baseline=variant
}

# packings KIND: perfect packings of 200 to 2000 pieces
packings() {
  corner "Perfect packings, neap gen $1, seeds $(seeds 20), $(limit 10) s"
  for pieces in 200 400 1000 2000; do
    for seed in $(seeds 20); do
      generate "$1" $pieces "$seed" "$work/packing.csv"
      measure "$pieces pieces" "$seed" "$work/packing.csv" --engine "$(engines exact)" --time-limit "$(limit 10)"
    done
  done
  summary
}

table_perfect() {
  packings perfect
}

table_sheet() {
  packings sheet
}

# giant KIND: a generated giant, made once
giant() {
  giant_file=$work/$1.$giant_count.csv
  [ -e "$giant_file" ] || case $1 in
    heap) awk -f "$here/random.awk" -f "$here/heap.awk" -v count="$giant_count" >"$giant_file" ;;
    *) generate "$1" "$giant_count" 1 "$giant_file" ;;
  esac
}

# cpu COMMAND...: the seconds of CPU that a command and its children take in user mode
cpu() {
  ("$@" >/dev/null 2>&1; times) | awk 'NR == 2 { split($1, parts, "m"); print 60 * parts[1] + parts[2] }'
}

# sorted_row KIND ORDER: how long each rule takes to place a giant in an order
sorted_row() {
  printf '| %s | `%s` |' "$1" "$2"
  for rule in lowest drop tight best-fit; do
    printf ' %.1f |' "$(cpu "$program" bench "$giant_file" -q --engine sort --order "$2" --place $rule --time-limit "$(limit 300)")"
  done
  echo
}

table_sorted() {
  corner "Sorted layouts of $giant_count buffers: seconds of CPU to read, sort, place and verify, by rule"
  echo '| kind | `--order` | `lowest` | `drop` | `tight` | `best-fit` |'
  echo '| --- | --- | ---: | ---: | ---: | ---: |'
  set -f # orders with *
  for kind in ${CORNER_KINDS:-heap trace}; do
    giant "$kind"
    for order in ${CORNER_ORDERS:-size duration overlap size,duration size*duration duration,size overlap,size \
      overlap*size size*duration*overlap size/duration size/overlap -size -duration,size -overlap}; do
      sorted_row "$kind" "$order"
    done
  done
  set +f
}

# is_large FILE: whether it exists and has more than 4000 buffers, so that its times are more than noise
is_large() {
  [ -e "$1" ] && [ "$(wc -l <"$1")" -gt 4000 ]
}

table_auto() {
  corner "The default engine against exact alone on giants, $(limit 60) s"
  for file in "$work"/all/somas/*.csv "$work"/all/iopddl/*.csv "$work"/all/xla/*.csv "$work"/all/pytorch/*.csv; do
    is_large "$file" || continue
    measure "$(basename "$file" .csv)" "" "$file" --engine exact,auto --time-limit "$(limit 60)" --runs "${CORNER_RUNS:-3}"
  done
  for kind in branch chain random trace; do
    giant $kind
    measure "$kind, $giant_count buffers" "" "$giant_file" --engine exact,auto --time-limit "$(limit 60)"
  done
  summary -v baseline=engine
}

table_memory() {
  corner "Memory of the process: seed 1, $(limit 60) s"
  generate random 30 1 "$work/small.csv"
  measure 'random, 30 buffers' "" "$work/small.csv" --engine "$(engines exact auto sort)"
  for name in pytorch/param_resnet_1gpu_et pytorch/param_resnet_1gpu_et_103 somas/pangu_2.6B; do
    instance $name || continue
    measure "${name#*/}" "" "$instance_file" --engine "$(engines exact auto sort)" --time-limit "$(limit 60)"
    measure "${name#*/}, --memory-limit 64 MiB" "" "$instance_file" --engine "$(engines exact auto sort)" \
      --time-limit "$(limit 60)" --memory-limit 67108864
  done
  for kind in branch chain random trace; do
    giant $kind
    measure $kind "" "$giant_file" --engine "$(engines exact auto sort tune)" --time-limit "$(limit 60)"
  done
  echo '| problem | engine | buffers | status | seconds | MiB | bytes a buffer |'
  echo '| --- | --- | ---: | --- | ---: | ---: | ---: |'
  awk -F ';' '{
    split($3, field, ",")
    if (field[3] < 1) printf "| %s | `%s` | - | %s | - | - | - |\n", $1, field[2], field[8]
    else
      printf "| %s | `%s` | %d | %s | %.2f | %.1f | %.0f |\n", $1, field[2], field[3], field[8], field[10],
        field[12] / 1048576, field[12] / field[3]
  }' "$work/rows"
}

table_threads() {
  corner "Threads, seeds $(seeds 5), $(limit 60) s"
  for name in minimalloc/J.1048576 minimalloc/D.1048576 iopddl/ideal_S_1; do
    instance $name || continue
    for threads in ${CORNER_THREADS:-1 2}; do
      for seed in $(seeds 5); do
        measure "$(letter "${name##*ideal_}"), threads $threads" "$seed" "$instance_file" --threads "$threads" \
          --engine "$(engines exact)" --seed "$seed" --time-limit "$(limit 60)"
      done
    done
  done
  summary -v baseline=variant
}

# spawn COUNT COMMAND...: the milliseconds of a command, mean of so many
spawn() {
  spawn_count=$1
  shift
  spawn_from=$(date +%s%N)
  for _ in $(seq "$spawn_count"); do "$@"; done >/dev/null
  awk -v ns=$(($(date +%s%N) - spawn_from)) -v n="$spawn_count" 'BEGIN { printf "%.2f\n", ns / n / 1e6 }'
}

# spawn_row NAME COMMAND...: median, best and worst of 11 batches
spawn_row() {
  spawn_name=$1
  shift
  for _ in $(seq 11); do spawn "${CORNER_RUNS:-100}" "$@"; done | sort -n |
    awk -v name="$spawn_name" '{ ms[NR] = $1 } END { printf "| %s | %s | %s | %s |\n", name, ms[6], ms[1], ms[NR] }'
}

# process_rows PROGRAM: the table's rows
process_rows() {
  generate random 30 1 "$work/small.csv"
  spawn_row '`true`, for comparison' /bin/true
  spawn_row '`neap --version`' "$1" --version
  spawn_row '`neap plan FILE`' "$1" plan "$work/small.csv" -q
  spawn_row '`neap plan FILE -o PLAN`' "$1" plan "$work/small.csv" -q -o "$work/small-plan.csv"
}

table_process() {
  corner "The whole process, 30 buffers: milliseconds, 11 batches of ${CORNER_RUNS:-100}"
  echo '| command | median | best | worst |'
  echo '| --- | ---: | ---: | ---: |'
  # With shared libraries, the program in the build folder is a script of libtool, which takes longer than the rest.
  libs=$(dirname "$program")/.libs
  if [ "$(head -c 2 "$program")" = '#!' ]; then
    (
      export LD_LIBRARY_PATH="$libs"
      process_rows "$libs/neap"
    )
  else
    process_rows "$program"
  fi
}

table_library() {
  corner "The library in a loop: microseconds for a problem of 30 buffers, one call of neap_pack each"
  loop=$(dirname "$program")/bench/loop
  if [ -x "$loop" ]; then "$loop" "${CORNER_PROBLEMS:-10000}"; else echo "missing: $loop; make bench/loop builds it"; fi
}
