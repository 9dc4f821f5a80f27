#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# budget.sh [--base COMMIT] [--pages DIR] [FILE]: plans the models in FILE (memory-budgets), and exits with 1 if the arena
# of one exceeds its budget.  Each line of FILE has a model, its budget, and options of neap plan:
#
#     models/keyword.tflite 24K --target tflm --schedule optimal
#
# DIR (memory-pages) gets a plan and an interactive page for each model; if COMMIT also has the model, the page shows what
# has changed since.  Prints a table, in GitHub's Actions also as the summary of the job.
set -u

neap=${NEAP_PROGRAM:-neap}
base='' pages=memory-pages status=0

die() {
  printf 'budget.sh: %s\n' "$*" >&2
  exit 2
}

# announce MODEL TEXT: an error of the job.  Names come from outside: GitHub reads % : and , in a property, and | in a table
announce() {
  printf '::error file=%s::%s\n' "$(printf %s "$1" | sed 's/%/%25/g; s/:/%3A/g; s/,/%2C/g')" "$(printf %s "$2" | sed 's/%/%25/g')" >&2
}
cell() {
  printf %s "$1" | sed 's/\\/\\\\/g; s/|/\\|/g; s/</\&lt;/g'
}

# plan MODEL NAME OPTION...: plans it, and prints the peak
plan() {
  planned=$1 named=$2
  shift 2
  "$neap" plan "$@" --json -o "$named" -- "$planned" | sed -n 's/.*"peak": \([0-9]*\).*/\1/p'
}

# review MODEL BUDGET OPTION...: one line of FILE
review() {
  model=$1 budget=$2 name=$pages/$(printf %s "$1" | tr / -) before=-
  shift 2
  peak=$(plan "$model" "$name.json" "$@")
  if [ -z "$peak" ]; then
    announce "$model" "neap cannot plan this model"
    status=1
    return
  fi
  former=$name.base.${model##*.}
  if [ -n "$base" ] && git show "$base:./$model" >"$former" 2>/dev/null; then
    before=$(plan "$former" "$name.base.json" "$@")
  fi
  set --
  [ ! -e "$name.base.json" ] || set -- --compare "$name.base.json"
  "$neap" draw -q "$@" -o "$name.html" -- "$name.json" || status=1
  rm -f "$former"
  "$neap" check -q "--capacity=$budget" -- "$name.json" 2>/dev/null
  case $? in
    0) verdict=fits ;;
    3)
      verdict='**exceeds it**' status=1
      announce "$model" "the arena of $peak bytes exceeds the budget of $budget (before: $before)"
      ;;
    *) die "$model: the budget $budget is not a number of bytes, such as 24K" ;;
  esac
  printf '| %s | %s | %s | %s | %s |\n' "$(cell "$model")" "$(cell "$budget")" "$peak" "$before" "$verdict" >>"$pages/summary.md"
}

while [ $# -gt 0 ]; do
  case $1 in
    --base) base=${2?a commit} && shift ;;
    --pages) pages=${2:?a folder} && shift ;;
    -*) die "unknown option $1" ;;
    *) break ;;
  esac
  shift
done
budgets=${1:-memory-budgets}
[ -r "$budgets" ] || die "cannot read $budgets"
mkdir -p -- "$pages" && rm -f -- "$pages"/*.json "$pages"/*.html || exit 2
set -f # options are words, no patterns
printf '%s\n' '| model | budget | arena | before | |' '| --- | ---: | ---: | ---: | --- |' >"$pages/summary.md"
while read -r model budget options; do
  case $model in
    '' | '#'*) continue ;;
  esac
  [ -n "$budget" ] || die "$budgets: $model has no budget"
  # shellcheck disable=SC2086 # options are words
  review "$model" "$budget" $options </dev/null
done <"$budgets"
cat "$pages/summary.md"
[ -z "${GITHUB_STEP_SUMMARY-}" ] || cat "$pages/summary.md" >>"$GITHUB_STEP_SUMMARY"
exit "$status"
