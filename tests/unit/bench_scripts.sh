#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Scripts that process the output of neap: recheck.py compares its plans with the library of public
# instances, merge.py makes a table of lines of neap plan --json, and differences.py compares two benchmarks.  With
# hostile.py, hostile input must take memory and work in proportion to its size.

. "$(dirname "$0")/../tap.sh"
command -v python3 >/dev/null || skip_all "scripts of benchmarks" "python3 is missing"
bench=$(cd "$source_root/bench" && pwd) || exit 1
program=${NEAP_PROGRAM:?the program to test}
make_work
put_in_path
NEAP_PROGRAM=$work/bin/neap
PYTHONDONTWRITEBYTECODE=1
export NEAP_PROGRAM PYTHONDONTWRITEBYTECODE
cd "$work" || exit 1

# script NAME ARGUMENT...: runs bench/NAME.py
script() {
  script_name=$1
  shift
  case $script_name in
    merge) python3 "$source_root/examples/fleet/merge.py" "$@" ;;
    *) python3 "$bench/$script_name.py" "$@" ;;
  esac
}

# prints STATUS TEXT COMMAND...: whether a command ends like this and prints exactly the text, standard error last
prints() {
  printf '%s' "${2:+$2
}" >expected
  status=$1
  shift 2
  "$@" >got 2>messages
  ended=$?
  cat messages >>got
  [ "$ended" -eq "$status" ] || echo "exit $ended"
  diff expected got && [ "$ended" -eq "$status" ]
}

# matches STATUS PATTERN COMMAND...: whether a command ends like this and prints a line that matches
matches() {
  status=$1 pattern=$2
  shift 2
  "$@" >got 2>&1
  ended=$?
  echo "exit $ended"
  cat got
  [ "$ended" -eq "$status" ] && grep -q -E -e "$pattern" got
}

# equal COMMAND OTHER: whether two lines of the shell print the same
equal() {
  eval "$1" >one && eval "$2" >other && diff one other
}

# ---------------------------------------------------------------- problems

cat >small.csv <<'END_OF_TABLE'
id,lower,upper,size
a,0,2,4
b,1,3,4
c,2,4,4
END_OF_TABLE

cat >gap.csv <<'END_OF_TABLE'
id,lower,upper,size
a,1,4,2
b,2,3,2
c,3,5,1
d,3,6,1
e,4,6,1
f,5,7,2
g,6,7,2
END_OF_TABLE

# ---------------------------------------------------------------- the library

commit=0123456789abcdef0123456789abcdef01234567
small=f012a05b9b25432f0c42c798667b5f04492028711988e39f3143c14a70b7ebda
gap=ad7007d09cb8065c2edd1754851b5627b8cb533ac9ed10b4f5b8944bce076d9a
order=59fb7cc0f2478e88821aec88753fc1c133c4047294de0ab3c4da8ad89b90dce6

overlap=6d3311b4df7373649a31b3277eb0f1027d63ee78d57be98b9762f283709518d8
darts=91d88a1e920968b1df4e9642f1d4e4e6b6b870dae4dc33d67b8c4006028177ec

# shelve [SED-SCRIPT]: makes the folder "in", a library with an instance of each kind, its table changed
shelve() {
  rm -rf in && mkdir -p in/instances/plain in/instances/models && cp small.csv gap.csv in/instances/plain &&
    cp "$source_root/examples/branches.tflite" in/instances/models || exit 1
  printf '%s\n' '# name, repository, commit, licence' "here some/files $commit MIT" 'made - - GPL-3.0-or-later' \
    >in/sources.txt
  sed "${1-}" >in/instances.txt <<END_OF_TABLE
# instance source derivation path kind capacity ticks size best bound found certificate
plain/small.csv here copy small.csv layout - - 3 8 8 neap $small
plain/gap.csv here copy gap.csv layout - 5000 7 5 5 neap $gap
models/branches.tflite here copy branches.tflite order - - 5 2976 2976 neap $order
models/branches.tflite here copy branches.tflite overlap - - 6 5123 5123 neap $overlap
models/branches.tflite here copy branches.tflite split - - 5 672 672 neap -
models/branches.tflite here copy branches.tflite recompute 3000 - 5 20960 20960 neap -
END_OF_TABLE
}

# list LINE...: adds rows to the library
list() {
  printf '%s\n' "$@" >>in/instances.txt
}

# refuses MESSAGE ROW: whether a table with this row only is refused
refuses() {
  echo "$2" >in/instances.txt
  prints 3 "in/instances.txt:1: $1" script recheck in
}

same='6 rows checked: 6 same, 0 better, 0 worse, 0 other certificates, 0 contradictions; 0 missing'

test_states() {
  shelve
  check "a library whose table states what neap finds" prints 0 "$same" script recheck in
  check "the current folder is a library by default" prints 0 "$same" \
    sh -c 'cd in && python3 "$1/recheck.py"' - "$bench"
}

test_better() {
  shelve "s/ 6 5123 5123 / - 6000 5000 /; s/ 672 672 / 700 690 /; s/ [0-9a-f]\{64\}\$/ -/; s/^\(.*gap.*\) -\$/\1 0/"
  list 'plain/none.csv here copy none.csv layout - - 9 20 20 someone -' 'more.json made gen=1 chain order - - - - - - -'
  check "instances that are missing or better than stated" prints 0 \
    "better        layout plain/small.csv: has a certificate now, $small
changed       layout plain/gap.csv: certificate $gap
better        order models/branches.tflite: has a certificate now, $order
better        overlap models/branches.tflite: peak 6000 -> 5123
better        split models/branches.tflite: peak 700 -> 672
missing       layout plain/none.csv: bench/fetch.sh gets it from github.com/some/files at 0123456789 (MIT)
missing       order more.json: bench/fetch.sh makes it
6 rows checked: 1 same, 4 better, 0 worse, 1 other certificates, 0 contradictions; 2 missing" script recheck in
}

test_worse() {
  shelve 's/ 3 8 8 / 4 8 8 /; s/ 7 5 5 / 7 - 4 /; s/ 2976 2976 / 2970 2970 /; s/ 672 672 / 600 500 /
    s/ 5123 5123 / 5123 5000 /; s/ 3000 - 5 20960 / 300 - 5 20960 /'
  printf '%s\n' 'id,lower,upper,size' 'a,0,2' >in/instances/plain/bad.csv
  list 'plain/bad.csv here copy bad.csv layout - - - - - - -'
  check "instances that are worse than stated, and contradictions" prints 70 \
    'worse         layout plain/small.csv: not the instance that is described: size 4 -> 3
better        layout plain/gap.csv: peak - -> 5
contradiction order models/branches.tflite: bound 2976, above the peak of 2970
better        overlap models/branches.tflite: bound 5000 -> 5123
contradiction split models/branches.tflite: bound 672, above the peak of 600
worse         recompute models/branches.tflite within 300: infeasible: no plan can fit the capacity of 300 bytes: at least 2976 are needed
worse         layout plain/bad.csv: failed: expected 4 fields, found 3
7 rows checked: 0 same, 2 better, 3 worse, 0 other certificates, 2 contradictions; 0 missing
in: 3 rows worse than stated, 2 contradicted' script recheck in --max-ticks 5000
  shelve '3!d; s/ 5 5 / 4 4 /'
  check "a peak below none is a contradiction" prints 70 'instance,kind,best,bound,verdict,peak,lower_bound
plain/gap.csv,layout,4,4,contradiction,5,5' sh -c 'python3 "$1/recheck.py" in --csv 2>errors >rows
    status=$?; cut -d , -f 1,2,12,13,16,19,20 rows; exit $status' - "$bench"
  shelve '6!d; s/ -$/ 0/'
  check "a certificate that is missing is worse" prints 5 'worse         split models/branches.tflite: no certificate
1 row checked: 0 same, 0 better, 1 worse, 0 other certificates, 0 contradictions; 0 missing
in: 1 rows worse than stated, 0 contradicted' script recheck in
}

test_record() {
  shelve 's/ 6 5123 5123 / - 6000 5000 /; s/ 672 672 / 700 690 /'
  cp "$bench/library/record.py" in
  check "better figures are recorded" prints 0 'order 2976 2976 neap
overlap 5123 5123 neap
split 672 672 neap
recompute 20960 20960 neap' sh -c 'python3 "$1/recheck.py" in --json >report.json && python3 in/record.py report.json &&
    grep branches in/instances.txt | cut -d " " -f 5,9-11' - "$bench"
  shelve '2!d'
  check "a library as JSON" matches 0 '^\{"rows": \[\{"instance": "plain/small\.csv", "kind": "layout", "source": "here", .*'\
'"verdict": "same".*\], "totals": \{"same": 1, "better": 0, "changed": 0, "worse": 0, "contradiction": 0, "missing": 0\}\}$' \
    script recheck in --json
}

# An order whose search leaves too few ticks: the layout gets as many.
test_ticks() {
  shelve '/^[pm]/d'
  neap gen darts-imagenet -q --format json -o in/instances/order.json
  list "order.json made gen=1 darts-imagenet order - 3000 587 4616192 4616192 neap $darts"
  check "the layout of an order gets its share of the work" matches 0 '^1 row checked: 1 same' script recheck in
}

# The stand-in for the program interrupts the script at the second instance.
test_interruption() {
  shelve
  printf '%s\n' '#!/bin/sh' 'case $* in *gap.csv*) kill -INT "$PPID"; exec sleep 9 ;; esac' 'exec neap "$@"' >stopping
  chmod +x stopping
  check "Ctrl-C prints the rows so far" matches 130 '^1 row checked: 1 same, .*; 5 missing$' \
    env NEAP_PROGRAM="$work/stopping" python3 "$bench/recheck.py" in
  check "and says that others are left" grep -q '^interrupted: 5 of 6 instances are not checked$' got
}

test_malformed() {
  shelve
  check "too few columns" refuses 'expected 12 columns, found 3' 'a b c'
  check "an unknown source" refuses "source 'none' is not in sources.txt" 'a none copy a layout - - - - - - -'
  check "an instance elsewhere" refuses "instance '../a' is outside the folder" '../a here copy a layout - - - - - - -'
  check "an unknown kind" refuses "unknown kind 'page'; use layout, order, overlap, split or recompute" \
    'a here copy a page - - - - - - -'
  check "no number" refuses "expected a whole number or '-', found 'x'" 'a here copy a layout - x - - - - -'
  check "a useless capacity" refuses 'expected a capacity with recompute only' 'a here copy a layout 9 - - - - - -'
  echo 'here some/files' >in/sources.txt
  check "a source without a licence" prints 3 'in/sources.txt:1: expected 4 columns, found 2' script recheck in
  check "a folder that is no library" prints 1 'nowhere/sources.txt: cannot open: No such file or directory' \
    script recheck nowhere
  check "a library goes with no other folder" matches 2 'unrecognized arguments: b' script recheck in b
}

# ---------------------------------------------------------------- lines that are merged

cat >runs.jsonl <<'END_OF_LINES'
{"input": "b.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": 95, "status": "feasible", "stop_reason": "tick_limit", "engine": "auto", "seconds": 2.0, "seed": 1}
{"input": "a b.csv", "buffers": 3, "bound": 8, "lower_bound": 8, "peak": 8, "status": "optimal", "stop_reason": "bound", "engine": "auto", "seconds": 0.5, "seed": 1}

{"input": "c.csv", "engine": "auto", "seed": 1, "status": "failed", "error": "c.csv:2:3: expected\na number", "exit": 3}
{"input": "b.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": 90, "status": "optimal", "stop_reason": "proven", "engine": "auto", "seconds": 3.0, "seed": 1, "memory": 2048}
END_OF_LINES

cat >seeds.jsonl <<'END_OF_LINES'
{"input": "a.csv", "buffers": 9, "bound": 90, "lower_bound": 91, "peak": 95, "status": "feasible", "engine": "tune", "seconds": 2.0, "seed": 3}
{"input": "a.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": 93, "status": "feasible", "engine": "tune", "seconds": 6.0, "seed": 1}
{"input": "a.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": 93, "status": "feasible", "engine": "tune", "seconds": 1.0, "seed": 2}
{"input": "a.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": 98, "status": "feasible", "engine": "tune", "seconds": 2.0, "seed": 4}
{"input": "a.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": null, "status": "unknown", "engine": "tune", "seconds": 9.0, "seed": 5}
{"input": "b.csv", "buffers": 9, "bound": 90, "lower_bound": 95, "peak": 95, "status": "optimal", "engine": "tune", "seconds": 9.0, "seed": 1}
{"input": "b.csv", "buffers": 9, "bound": 90, "lower_bound": 90, "peak": 95, "status": "feasible", "engine": "tune", "seconds": 1.0, "seed": 2}
END_OF_LINES

merge="python3 '$source_root/examples/fleet/merge.py'"

test_lines() {
  check "lines of separate runs are merged" prints 0 \
    'instance engine  buffers          bound           peak          gap status       seconds      memory
a b.csv  auto          3              8              8          0 % optimal       0.5000           -
b.csv    auto          9             90             90          0 % optimal       3.0000    2.00 KiB
c.csv    auto          -              -              -            - failed        0.0000           -  c.csv:2:3: expected?a number
3 rows: 2 optimal, 2 with a plan, mean gap 0 %, 3.500 s' script merge runs.jsonl
  check "of several lines with the same input, engine and seed, the last one counts" prints 0 \
    '"b.csv",auto,9,90,90,90,0.000000,optimal,proven,3.000000,3.000000,2048,1,1,1,1,90,90
"c.csv",auto,-1,-1,-1,-1,-1.000000,failed,,-1.000000,-1.000000,-1,1,1,0,0,-1,-1
"b.csv",auto,9,90,90,95,5.555556,feasible,tick_limit,2.000000,2.000000,-1,1,1,1,1,95,95' \
    sh -c "$merge runs.jsonl --csv | tail -n 2; tac runs.jsonl | $merge - --csv | tail -n 2 | head -n 1"
  check "the lines of neap plan give the rows of neap bench" equal \
    'neap bench small.csv gap.csv --engine sort,exact --csv | cut -d , -f 1-9 | sort' \
    'for e in sort exact; do for f in small.csv gap.csv; do neap plan $f --engine $e --json; done; done |
      eval "$merge - --csv" | cut -d , -f 1-9 | sort'
}

test_seeds() {
  check "several seeds of an input are one row" prints 0 \
    'instance engine  seeds          bound      best peak      median peak     worst peak at best          gap status       seconds
a.csv    tune        5             90             93               94             98       2       2.20 % feasible      2.0000
b.csv    tune        2             90             95               95             95       2          0 % optimal       5.0000
2 rows: 1 optimal, 2 with a plan, mean gap 1.10 %, 7.000 s' script merge seeds.jsonl
  check "of several seeds, the best is a proof, then the fastest" prints 0 \
    'instance,lower_bound,peak,status,seconds,best_seconds,memory,seed,seeds,planned,at_best,peak_median,peak_max
"a.csv",91,93,feasible,2.000000,1.000000,-1,2,5,4,2,94,98
"b.csv",95,95,optimal,5.000000,1.000000,-1,1,2,2,2,95,95' sh -c "$merge seeds.jsonl --csv | cut -d , -f 1,5,6,8,10-"
  check "merged rows as JSON" matches 0 '^\{"rows": \[\{"instance": "a\.csv", "engine": "tune", .*"seed": 2, "seeds": 5, '\
'"planned": 4, "at_best": 2, "peak_median": 94\.0, "peak_max": 98\.0\}, ' script merge seeds.jsonl --json
  cp got merged
  check "they can be compared" prints 0 '0 better, 0 worse, 2 rows equal, 0 not in the first' \
    script differences merged merged
  mkdir -p lines/deeper && head -n 3 seeds.jsonl >lines/deeper/x.jsonl && tail -n 4 seeds.jsonl >lines/a.jsonl &&
    echo no >lines/no.json && echo no >lines/.hidden.jsonl
  check "the order of lines does not matter" equal "$merge seeds.jsonl" "tac seeds.jsonl | $merge -"
  check "nor do their files" equal "$merge seeds.jsonl" "$merge lines"
}

# no_report TEXT LINE: whether the line is refused with this reason
no_report() {
  echo "$2" >line
  prints 3 "standard input:1:1: not a line of 'neap plan --json': $1" sh -c "$merge - <line"
}

statuses='optimal, feasible, infeasible, unknown, failed, timeout or memory'

test_bad_lines() {
  head -c 300 runs.jsonl >cut.jsonl
  check "a line that is cut short" prints 3 \
    'cut.jsonl:2:127: the last line is cut short; delete it and repeat its run' script merge seeds.jsonl cut.jsonl
  { cat runs.jsonl && echo '{"input": }' && cat runs.jsonl; } >bad.jsonl
  check "a line that is not JSON" matches 3 "^bad\.jsonl:6:11: not a line of 'neap plan --json': " \
    script merge bad.jsonl
  check "no object" no_report 'expected an object' '[]'
  check "no input" no_report 'no "input"' '{"status": "optimal"}'
  check "no status" no_report "\"status\": expected $statuses" '{"input": "a"}'
  check "an unknown status" no_report "\"status\": expected $statuses" '{"input": "a", "status": "fine"}'
  check "an optimum without a peak" no_report '"peak": expected a number with this status' \
    '{"input": "a", "status": "optimal"}'
  check "a failure with a peak" no_report '"peak": expected null with this status' \
    '{"input": "a", "status": "failed", "peak": 1}'
  check "a seed that is no number" no_report '"seed": expected a whole number or null' \
    '{"input": "a", "status": "failed", "seed": "1"}'
  check "a negative bound" no_report '"bound": expected a whole number, 0 or more, or null' \
    '{"input": "a", "status": "failed", "bound": -1}'
  check "an engine that is no word" no_report '"engine": expected a word or null' \
    '{"input": "a", "status": "failed", "engine": "a,b"}'
}

test_no_lines() {
  mkdir none && echo no >none/readme.txt
  check "a folder without lines" prints 3 'none: no files that end in .jsonl found' script merge none
  check "missing lines" prints 1 'nowhere.jsonl: cannot be read: No such file or directory' script merge nowhere.jsonl
}

# ---------------------------------------------------------------- benchmarks that are compared

test_differences() {
  neap bench small.csv gap.csv --engine sort --json | sed 's/"seconds": [^,}]*/"seconds": 0.01/g' >a.json
  sed 's/"peak": 8/"peak": 9/; s/optimal/feasible/; s/"seconds": 0.01/"seconds": 0.1/2' a.json >b.json
  check "two files" prints 0 'better small.csv sort: peak 9 -> 8
better small.csv sort: feasible -> optimal
better small.csv sort: 0.1000 s -> 0.0100 s
3 better, 0 worse, 1 rows equal, 0 not in the first' script differences b.json a.json
  check "the reverse" matches 0 '^0 better, 3 worse, 1 rows equal, 0 not in the first$' \
    script differences a.json b.json
  sed 's/gap/other/' a.json >c.json
  check "a row that is new" prints 0 '0 better, 0 worse, 1 rows equal, 1 not in the first' \
    script differences a.json c.json
  check "files that are not benchmarks" matches 3 "^small\.csv:1:[0-9]+: not the output of 'neap bench --json'" \
    script differences small.csv small.csv
  echo '{}' >d.json
  check "JSON without rows" prints 3 "d.json: not the output of 'neap bench --json': no \"rows\"" \
    script differences a.json d.json
  check "one file" matches 2 'required: B.json' script differences a.json
  check "a missing file" prints 1 'missing.json: cannot open: No such file or directory' \
    script differences a.json missing.json
}

# ---------------------------------------------------------------- hostile input

# grows ARGUMENT...: fits the exponents with which memory or work grow, which would be 2 for pairs of names
grows() {
  python3 "$bench/hostile.py" "$program" "$@"
}

# It takes four sizes: with three, a table that doubles at the last one looks steep.  Only full runs do it.  With
# NEAP_LONG=1, work is also counted in instructions, with valgrind, which takes two minutes.
test_growth() {
  [ -n "$full" ] || {
    skip "memory grows in proportion" "NEAP_FULL=1 measures it"
    return
  }
  # shellcheck disable=SC3045 # dash and bash have it
  (ulimit -v 4000000 && "$program" --version) >/dev/null 2>&1 || {
    skip "memory grows in proportion" "sanitizers take memory of their own"
    return
  }
  check "memory grows in proportion" grows --memory --steps 4 --most 1.4
  if [ "${NEAP_LONG:-}" ] && valgrind "$program" --version >/dev/null 2>&1; then
    check "work grows in proportion" grows --instructions --steps 3 --most 1.2
  fi
}

test_states
test_better
test_worse
test_record
test_ticks
test_interruption
test_malformed
test_lines
test_seeds
test_bad_lines
test_no_lines
test_differences
test_growth
tap_end
