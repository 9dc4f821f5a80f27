# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
# SC2154: bench.sh, which sources this file, sets here, program and work.
#
# How planning time grows with the number of buffers, for every kind that `neap gen` makes: a table, the slopes in the
# log-log plane, and with gnuplot a picture.  The environment sets what runs:
#
#   GROWTH_COUNTS  numbers of buffers, ascending (default 1000 to a million, two per decade)
#   GROWTH_SEEDS   seeds of the generator (default '1 2 3')
#   GROWTH_LIMIT   seconds for each run (default 30); a kind of which no seed ends in this time gets no larger problems
#   GROWTH_SVG     the picture (default growth.svg)

# kinds: all that neap gen makes, but for networks
kinds() {
  "$program" help kinds | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

# growth_bench ENGINE FILE RUNS: plans a file, and prints "seconds status" with the shortest time
growth_bench() {
  growth_options=
  [ "$1" != sort ] || growth_options='--order size' # one layout; otherwise their number depends on the problem
  # shellcheck disable=SC2086
  "$program" bench "$2" -q --csv --engine "$1" $growth_options --time-limit "$growth_limit" --runs "$3" |
    awk -F , 'NR > 1 { print $11, ($9 == "time_limit" || $9 == "" ? "open" : "ended") }'
}

# growth_run ENGINE FILE: as growth_bench; short runs count with the best of five more
growth_run() {
  growth_result=$(growth_bench "$1" "$2" 1)
  case $growth_result in 0.[0-2]*ended) growth_result=$(growth_bench "$1" "$2" 5) ;; esac
  echo "$growth_result"
}

# growth_of KIND COUNT: measures the engines that are left for this kind, in $work/left, and keeps those that end
growth_of() {
  growth_kind=$1 growth_count=$2
  [ -s "$work/left" ] || return 0
  : >"$work/still"
  for seed in ${GROWTH_SEEDS:-1 2 3}; do
    rm -f "$work"/growth.*
    # CSV cannot hold relations.
    generate "$1" "$2" "$seed" "$work/growth.csv" 2>/dev/null || generate "$1" "$2" "$seed" "$work/growth.json"
    while read -r engine; do
      result=$(growth_run "$engine" "$work"/growth.*)
      echo "$engine $growth_kind $growth_count $seed $result" >>"$work/times"
      case $result in *ended) echo "$engine" >>"$work/still" ;; esac
    done <"$work/left"
  done
  sort -u "$work/still" >"$work/left"
}

# growth_draw: draws what growth.awk wrote
growth_draw() {
  command -v gnuplot >/dev/null || {
    echo "No picture: gnuplot is missing (Debian: gnuplot-nox)."
    return
  }
  (cd "$work" && gnuplot "$here/growth.gnuplot") | growth_dark >"$growth_svg" && echo "Picture: $growth_svg"
}

# growth_dark: gives gnuplot's picture a title, and other colours on dark backgrounds
growth_dark() {
  sed 's|<title>.*</title>|<title>Planning time by number of buffers</title>\
<style>@media (prefers-color-scheme: dark) {\
rect[fill="#ffffff"] { fill: #10141b } [fill=black] { fill: #e4e9f0 }\
[stroke=black] { stroke: #e4e9f0 } [color=black] { color: #e4e9f0 }\
}</style>|; /<desc>/d'
}

table_growth() {
  growth_limit=${GROWTH_LIMIT:-30} growth_svg=${GROWTH_SVG:-growth.svg}
  table "Planning time by number of buffers: seconds of the slowest of seeds ${GROWTH_SEEDS:-1 2 3}, at most $growth_limit"
  : >"$work/times"
  for kind in $(kinds); do
    printf '%s\n' exact sort >"$work/left"
    for count in ${GROWTH_COUNTS:-1000 3000 10000 30000 100000 300000 1000000}; do
      growth_of "$kind" "$count"
    done
  done
  sort -s -k 1,1 "$work/times" | awk -f "$here/growth.awk" -v points="$work/points" -v lines="$work/lines" \
    -v names="$work/names"
  growth_draw
}
