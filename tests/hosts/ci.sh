#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the steps of the action in examples/ci and the entry of the pre-commit hook on a repository with two commits.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
command -v git >/dev/null && command -v bash >/dev/null || skip_all "a budget in CI" "git or bash is not installed"
make_work
put_in_path
GITHUB_ACTION_PATH=$source_root/examples/ci RUNNER_TEMP=$work/temp GITHUB_STEP_SUMMARY=$work/summary.md
BUDGETS=memory-budgets PACKAGE=none
export GITHUB_ACTION_PATH RUNNER_TEMP GITHUB_STEP_SUMMARY BUDGETS PACKAGE
mkdir "$work/repository" "$work/temp" && cd "$work/repository" || exit 1

# commit: of everything; prints its name
commit() {
  git add . && git -c user.name=test -c user.email=test@example.org commit -q -m change && git rev-parse HEAD
}

# steps: runs the commands of the action, as its runner does
steps() {
  rm -f "$GITHUB_STEP_SUMMARY"
  sed -n "s/^ *run: *//p" "$GITHUB_ACTION_PATH/action.yml" | sed "s/^'\(.*\)'\$/\1/" >"$work/steps"
  bash --noprofile --norc -eo pipefail "$work/steps" >"$work/out" 2>&1
}

mkdir models
printf 'id,lower,upper,size\na,0,2,4096\nb,1,3,8192\n' >models/small.csv
cp "$source_root/examples/branches.tflite" models/branches.tflite
printf '# budgets\nmodels/small.csv 12K\n\nmodels/branches.tflite 4500 --schedule optimal\n' >memory-budgets
git init -q . || skip_all "a budget in CI" "git cannot make a repository"
BASE=$(commit)
export BASE

check "the action passes if all models fit" steps
check "it writes a summary" grep -q '^| models/small.csv | 12K | 12288 | 12288 | fits |$' "$GITHUB_STEP_SUMMARY"
check "it writes pages" test -s "$RUNNER_TEMP/memory-pages/models-branches.tflite.html"

printf 'id,lower,upper,size\na,0,2,4096\nb,1,3,9000\n' >models/small.csv
commit >/dev/null
check "the action fails if an arena exceeds its budget" sh -c '! "$@"' - bash -c "$(sed -n "s/^ *run: *'\(.*\)'\$/\1/p" \
  "$GITHUB_ACTION_PATH/action.yml")"
steps
check "it marks the model" grep -q '^::error file=models/small.csv::the arena of 13096 bytes exceeds the budget of 12K (before: 12288)$' \
  "$work/out"
check "the page compares the plans" grep -q 'id="other"' "$RUNNER_TEMP/memory-pages/models-small.csv.html"

entry=$(sed -n 's/^ *entry: *//p' "$source_root/.pre-commit-hooks.yaml")
# shellcheck disable=SC2086 # words
check "the hook fails, too" sh -c '! "$@"' - "$source_root"/$entry
printf 'models/small.csv 13K\n' >memory-budgets
# shellcheck disable=SC2086
check "the hook passes with a larger budget" "$source_root"/$entry
BASE=none
check "a commit that does not exist is no failure" steps
printf 'models/small.csv many\n' >memory-budgets
check "a bad budget is an error" sh -c '! "$@"' - "$GITHUB_ACTION_PATH/budget.sh"

# lines SHELL: whether a hostile list only fails, and its entries are reported as plain text
lines() {
  cp models/small.csv 'a\nb|c%0A::warning::x.csv' && cp models/small.csv ./-o.csv || return 1
  {
    printf '%s\n' '$(touch pwned) 1K' '`touch pwned` 1K' '; 1K' '* 1K' '-o.csv 1K' '--version 1K'
    printf '%s\n' 'models/small.csv 13K --engine *' 'a\nb|c%0A::warning::x.csv 1K'
  } >hostile
  "$@" "$GITHUB_ACTION_PATH/budget.sh" --pages pages hostile >out 2>err
  [ $? = 1 ] && [ ! -e pwned ] && [ "$(grep -c '^::error' err)" = 8 ] && ! grep '^::warning' out err &&
    grep -F '| a\\nb\|c%0A::warning::x.csv | 1K | 13096 | - | **exceeds it** |' out >/dev/null
}
for shell in bash dash; do
  command -v "$shell" >/dev/null || continue
  check "$shell: hostile lines are only models" lines "$shell"
done
tap_end
[ "$tap_failures" -eq 0 ]
