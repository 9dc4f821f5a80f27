#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# examples/fleet: a folder of problems, planned with GNU parallel, with make and by the tasks of a Slurm array.  Fleets
# are killed half-way and resumed.  Without GNU parallel, its cases are skipped; Slurm is never needed.  Without NEAP_FULL
# in the environment, one fleet runs with make, undisturbed.
set -u

. "$(dirname "$0")/../tap.sh"
real=${NEAP_PROGRAM:?the program to test}
fleet=$(cd "$source_root/examples/fleet" && pwd) || exit 1
make_work
cd "$work" || exit 1
HOME=$work
LC_ALL=C
export HOME LC_ALL
unset MAKEFLAGS MFLAGS MAKELEVEL SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK NEAP_FLEET PARALLEL

enough=25 # how many models are done before a fleet is killed
options='--engine tune --max-ticks 20000 --capacity 40M'

# A program that logs what it plans.  While the file gate exists, it hangs once enough models in its folder are done.
cat >neap <<END_OF_WRAPPER
#!/bin/sh
if [ "\$1" = plan ]; then
  if [ -e '$work/gate' ] && [ "\$(find "\$(cat '$work/gate')" -name '*.jsonl' | wc -l)" -ge $enough ]; then
    : >'$work/hung'
    exec sleep 1000
  fi
  printf '%s\n' "\$2" >>'$work/calls'
fi
exec '$real' "\$@"
END_OF_WRAPPER
chmod +x neap
NEAP_PROGRAM=$work/neap
export NEAP_PROGRAM

# make_models: 60 problems: sub-folders, equal base names, unusual names; one cannot be read, one cannot fit
make_models() {
  mkdir -p 'my models/deep/er' 'my models/other' || return 1
  number=0
  for folder in . deep deep/er other; do
    for name in a b c d e f g h i j k l m n; do
      number=$((number + 1))
      "$real" gen random -n $((20 + number)) --seed "$number" -o "my models/$folder/$name.csv" || return 1
    done
  done
  "$real" convert 'my models/a.csv' -o 'my models/a.json' &&
    cp 'my models/b.csv' "my models/other/it's \"\$HOME\" +040 & {} é.csv" &&
    printf 'id,lower,upper,size\nx,0,1,none\n' >'my models/broken.csv' &&
    printf 'id,lower,upper,size\nx,0,1,999999999\n' >'my models/large.csv' || return 1
  echo no >'my models/README.txt' && echo no >'my models/.hidden.csv'
}

# listing OUT: one line for each result, which differs if it is replaced.  A killed run may leave hidden files .part-*, which
# are not results.
listing() {
  find "$1" \( -name '*.plan.json' -o -name '*.jsonl' \) ! -name '.part-*' -exec stat -c '%i %y %n' {} + | sort
}

# finished OUT: like listing, but only for models that have their line
finished() {
  find "$1" -name '*.jsonl' | sed 's/\.jsonl$//' | while IFS= read -r target; do
    stat -c '%i %y %n' "$target.jsonl" "$target.plan.json" 2>/dev/null
  done | sort
}

# rows OUT: the merged table without times
rows() {
  python3 "$fleet/merge.py" "$1" --csv | sed 's/,[0-9.-]*,[0-9.-]*,-1,\([0-9]*,[0-9]*,[0-9]*,[0-9]*,[0-9.-]*,[0-9.-]*\)$/,\1/'
}

# complete OUT: every model has one line; every plan is sound, and others have a reason
complete() {
  find "$1" -name '*.jsonl' -exec cat {} + >lines
  [ "$(wc -l <lines)" -eq 60 ] || { wc -l lines && return 1; }
  [ "$(sed 's/^{"input": "\(.*\)", "\(buffers\|status\)".*/\1/' lines | sort -u | wc -l)" -eq 60 ] || return 1
  [ "$(grep -c '"exit": 0,' lines)" -eq 58 ] || return 1
  grep -q '"status": "failed", .*"error": "my models/broken.csv:2:7: .*"exit": 3' lines || return 1
  grep -q '"status": "infeasible", .*"engine": "tune", .*"error": "my models/large.csv: .*"exit": 4' lines || return 1
  find "$1" -name '*.plan.json' ! -name '.part-*' >plans
  [ "$(wc -l <plans)" -eq 58 ] || { wc -l plans && return 1; }
  while IFS= read -r plan; do
    "$real" check -q "$plan" || return 1
  done <plans
}

# members SESSION: its processes, except zombies
members() {
  # After the name: state, parent, group, session.
  cat /proc/[0-9]*/stat 2>/dev/null |
    sed -n "s/^\([0-9]*\) (.*) [^Z] [0-9]* [0-9]* $1 .*/\1/p"
}

# kill_session SESSION
kill_session() {
  tries=0
  while found=$(members "$1") && [ -n "$found" ] && [ "$tries" -lt 100 ]; do
    # shellcheck disable=SC2086
    kill -KILL $found 2>/dev/null
    tries=$((tries + 1))
    sleep 0.1
  done
  [ -z "$found" ]
}

# half_way OUT COMMAND...: starts a fleet, and kills it when enough models are done
half_way() {
  out=$1
  shift
  rm -f hung
  mkdir -p "$out" && echo "$out" >gate
  setsid "$@" >killed.log 2>&1 </dev/null &
  session=$!
  tries=0
  while [ ! -e hung ] && [ "$tries" -lt 3000 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  kill_session "$session" || return 1
  wait "$session" 2>/dev/null
  rm -f gate
  [ -e hung ] || { cat killed.log && return 1; }
  finished "$out" >before
  lines=$(grep -c '\.jsonl$' before)
  echo "$lines lines"
  [ "$lines" -ge "$enough" ] && [ "$lines" -lt 60 ]
}

# kept OUT: nothing that was finished before has been replaced or planned again
kept() {
  finished "$1" >after
  grep -v -x -F -f after before && return 1
  sed -n "s/.* $1\/\(.*\)\.jsonl\$/my models\/\1/p" before >models
  grep -x -F -f models calls && return 1
  return 0
}

# resumes OUT COMMAND...: completes what half_way has left
resumes() {
  out=$1
  shift
  : >calls
  "$@" >resumed.log 2>&1 </dev/null || { cat resumed.log && return 1; }
  kept "$out"
}

# equal OUT: the table is that of a fleet that was not interrupted
equal() {
  rows "$1" | diff expected -
}

# equal_other OUT: likewise, of the models in one sub-folder
equal_other() {
  rows "$1" >table && sed -n '1p; /^"my models\/other\//p' expected | diff - table
}

# idle OUT COMMAND...: there is nothing left to do
idle() {
  out=$1
  shift
  listing "$out" >before && : >calls
  "$@" >idle.log 2>&1 </dev/null || { cat idle.log && return 1; }
  listing "$out" | diff before - && [ ! -s calls ]
}

# engine NAME OUT COMMAND...: the cases that all engines share
engine() {
  engine=$1 folder=$2
  shift 2
  if command -v setsid >/dev/null && [ -r /proc/self/stat ]; then
    check "$engine: a fleet is killed half-way" half_way "$folder" "$@"
    check "$engine: resuming it keeps what is finished" resumes "$folder" "$@"
  else
    skip "$engine: a fleet is killed half-way and resumed" "there is no setsid or no /proc"
    check "$engine: a fleet runs" "$@"
  fi
  check "$engine: plans are sound, lines complete and unique" complete "$folder"
  check "$engine: the merged table is that of an uninterrupted fleet" equal "$folder"
  check "$engine: nothing is left to do" idle "$folder" "$@"
}

# ---------------------------------------------------------------- one model

one() {
  "$fleet/plan-one.sh" 'my models' one "$@"
}

# plans_again ARGUMENT...: whether this run plans the model, rather than skip it
plans_again() {
  : >calls
  one "$@" && [ -s calls ] && "$real" check -q one/a.csv.plan.json
}

skips() {
  ! plans_again "$@"
}

fails_with() {
  expected=$1
  shift
  "$@"
  [ $? -eq "$expected" ]
}

test_one() {
  check "a model is planned" one a.csv --seed 7
  check "it is not planned again" skips a.csv --seed 7
  check "other options plan it again" plans_again a.csv --seed 8
  : >one/a.csv.plan.json
  check "a damaged plan is replaced" plans_again a.csv --seed 8
  cp one/a.csv.plan.json plan && one a.json --seed 8 && cp one/a.json.plan.json one/a.csv.plan.json
  "$real" plan 'my models/b.csv' -q -o one/a.csv.plan.json
  check "a sound plan of another model is replaced" plans_again a.csv --seed 8
  rm one/a.csv.jsonl
  check "a plan without its line is replaced" plans_again a.csv --seed 8
  cp 'my models/a.csv' saved && cp 'my models/c.csv' 'my models/a.csv'
  check "a changed model is planned again" plans_again a.csv --seed 8
  cp saved 'my models/a.csv'
  check "a wrong option stops the fleet" fails_with 2 one a.csv --sed 8
  check "a missing program stops the fleet" fails_with 127 env NEAP_PROGRAM=/nowhere/neap "$fleet/plan-one.sh" \
    'my models' one b.csv
  check "a failed model does not" one broken.csv
  check "it is not tried again" skips broken.csv
  check_empty "nothing temporary is left" "$(find one -name '.*')"
}

# ---------------------------------------------------------------- engines

test_parallel() {
  if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    skip "GNU parallel" "there is no GNU parallel"
    return
  fi
  # shellcheck disable=SC2086
  engine "parallel" out-parallel "$fleet/parallel.sh" 'my models' out-parallel $options -- --jobs 2
  # A stub of ssh that runs the command here.  Like sshd, it sets SHELL, which GNU parallel needs on other machines.
  # shellcheck disable=SC2016
  printf '%s\n' '#!/bin/sh' "echo \"\$1\" >>'$work/hosts'" 'while [ "$1" != -- ]; do shift; done' 'shift' 'cd' \
    'SHELL=/bin/sh' 'export SHELL' 'exec sh -c "$*"' >ssh
  chmod +x ssh
  # shellcheck disable=SC2086
  check "parallel: two machines" "$fleet/parallel.sh" 'my models/other' 'out {/} {1} ssh' $options -- --ssh "$work/ssh" \
    --sshlogin 1/one,1/two
  check "parallel: both machines plan" test "$(sort -u hosts | tr '\n' ' ')" = 'one two '
  check "parallel: two machines give the same table" equal_other 'out {/} {1} ssh'
  check "parallel: a wrong option stops the fleet" test "$(
    "$fleet/parallel.sh" 'my models' out-wrong --enginee sort -- --jobs 1 2>&1 | grep -c '^neap:'
  )" -eq 1
}

# best_is_least OUT: the plan of the best seed has been kept
best_is_least() {
  least=$(cat "$1"/a.csv@*.jsonl | sed 's/.*"peak": \([0-9]*\).*/\1/' | sort -n | head -n 1)
  "$real" check "$1/a.csv.plan.json" --json | grep "\"peak\": $least,"
}

# one_row OUT: of six seeds
one_row() {
  python3 "$fleet/merge.py" "$1" --csv | grep -c ',[1-6],6,6,[1-6],[0-9.]*,[0-9]*$' | grep -x 1
}

test_seeds() {
  mkdir hard && cp 'my models/other/n.csv' hard/a.csv
  if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    check "parallel: seeds" "$fleet/parallel.sh" -s 6 hard/a.csv out-seeds --engine tune --max-ticks 500
    check "parallel: one row for all seeds" one_row out-seeds
    check "parallel: the best plan is kept" best_is_least out-seeds
  fi
  check "make: seeds" make -s -f "$fleet/Makefile" IN=hard OUT=out-seeds2 SEEDS=3..5 OPTIONS='--engine tune --max-ticks 500'
  check "make: the best plan is kept" best_is_least out-seeds2
}

test_slurm() {
  # What a Slurm array runs, one task after another.
  cat >tasks <<END_OF_TASKS
#!/bin/sh
for task in 2 3 4; do
  SLURM_ARRAY_TASK_ID=\$task SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_CPUS_PER_TASK=2 \\
    '$fleet/slurm.sh' 'my models' out-slurm $options || exit
done
END_OF_TASKS
  chmod +x tasks
  check "slurm: all tasks of an array" ./tasks
  check "slurm: plans are sound, lines complete and unique" complete out-slurm
  check "slurm: the merged table is that of another fleet" equal out-slurm
  check "slurm: an array with holes is refused" fails_with 2 env SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 \
    "$fleet/slurm.sh" 'my models' out-slurm
  # A stub of sbatch that prints its arguments.
  printf '%s\n' '#!/bin/sh' 'printf "<%s>" "$@"' >sbatch && chmod +x sbatch
  check "slurm: the array is submitted" test \
    "$(PATH=$work:$PATH NEAP_TASKS=20 "$fleet/slurm.sh" 'my models' 'out slurm' --time-limit 5 -- --mem 2G)" = \
    "<--job-name><neap><--array><0-19><--mem><2G><$fleet/slurm.sh><my models><out slurm><--time-limit><5>"
}

check "problems are made" make_models
check "the models are those that neap bench finds" test "$("$fleet/list.sh" 'my models' | wc -l)" -eq \
  "$("$real" bench -q 'my models' --engine sort --csv | grep -c '^"')"
test_one
# shellcheck disable=SC2086
check "an uninterrupted fleet" make -s -f "$fleet/Makefile" IN='my models' OUT=whole OPTIONS="$options"
check "its plans are sound, its lines complete and unique" complete whole
rows whole >expected
check "it has a row for each model" test "$(wc -l <expected)" -eq 61
if [ -z "$full" ]; then
  skip "fleets that are killed and resumed, other engines and seeds" "NEAP_FULL=1 checks them"
  tap_end
  exit 0
fi
test_parallel
engine "make" out-make make -s -j 2 -f "$fleet/Makefile" IN='my models' OUT=out-make OPTIONS="$options"
test_slurm
test_seeds
tap_end
