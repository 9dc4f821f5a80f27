#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the program as people and scripts do.  Test cases are data: they are in the files *.cases next to this
# script, or in those given as arguments.  Each case runs in its own folder, which contains the files that its
# .cases file has described so far, and counts as one test.
#
#   file NAME           creates a file; its lines follow, each after "| "
#   make NAME COMMAND   creates a file with the output of COMMAND
#   case NAME           begins a case; the following lines belong to it:
#     skip WHY: COMMAND   skips the case if COMMAND succeeds
#     do COMMAND          prepares the folder
#     run COMMAND         what to test: a line of shell, in which "neap" is the program
#     exit N              the expected status (default 0); with another one, expects one line on standard error
#     out LINE            expects exactly these lines on standard output ...
#     out~ PATTERN        ... or a line that matches this extended regular expression; without either, no output
#     err, err~           likewise for standard error
#     left NAME...        the files that COMMAND creates or changes or, with a leading -, removes (default none)
#     then COMMAND        must succeed afterwards
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
# shellcheck disable=SC2034 # for the cases
program=${NEAP_PROGRAM:?the program to test}
export source_root

make_work
mkdir "$work/files"
put_in_path
unset NO_COLOR COLUMNS

# case_begin NAME
case_begin() {
  case_end
  name=$1 command='' status=0 left=''
  rm -rf "$work/case"
  mkdir "$work/case"
  for list in skip 'do' 'then' out 'out~' err 'err~'; do
    : >"$work/case/$list"
  done
}

# listing: one line for each file in the current folder, which differs if the file changes
listing() {
  find . ! -type f ! -name . -exec ls -d {} + 2>/dev/null | sed 's/$/ -/'
  find . -type f -exec cksum {} + 2>/dev/null | sed 's/^\([0-9]* [0-9]*\) \(.*\)/\2 \1/'
}

# changes BEFORE AFTER: the names of files created or changed and, after a -, of files removed
changes() {
  sed 's/ [^.\/]*$//' "$2" >"$2.names"
  {
    grep -v -x -F -f "$1" "$2" | sed 's/ [^.\/]*$//'
    sed 's/ [^.\/]*$//' "$1" | grep -v -x -F -f "$2.names" | sed 's/^/-/'
  } | sed 's/\.\///' | sort
}

# judge_stream NAME: prints what is wrong with stdout or stderr
judge_stream() {
  got=$work/case/$1.got
  if [ -s "$work/case/$1~" ]; then
    while IFS= read -r pattern; do
      grep -q -E -e "$pattern" "$got" || {
        echo "expected in std$1: $pattern"
        sed 's/^/  /' "$got" | head -n 20
      }
    done <"$work/case/$1~"
  elif ! cmp -s "$work/case/$1" "$got"; then
    echo "expected std$1, then what came:"
    sed 's/^/  /' "$work/case/$1"
    echo "  --"
    sed 's/^/  /' "$got" | head -n 20
  fi
}

# judge STATUS: prints what is wrong after a case has run
# shellcheck disable=SC2086 # the list of files left is to be split
judge() {
  [ "$1" = "$status" ] || echo "expected status $status, got $1"
  [ "$status" -eq 0 ] || [ "$(wc -l <"$work/case/err.got")" -eq 1 ] || echo "expected one message"
  judge_stream out
  judge_stream err
  printf '%s\n' $left | sed '/^$/d' | sort >"$work/case/left"
  changes "$work/case/before" "$work/case/after" >"$work/case/left.got"
  cmp -s "$work/case/left" "$work/case/left.got" || {
    echo "expected left: $left"
    echo "got: $(paste -s -d ' ' "$work/case/left.got")"
  }
  while IFS= read -r line; do
    (cd "$work/case/folder" && sh -c "$line") >"$work/case/then.got" 2>&1 || {
      echo "failed afterwards: $line"
      sed 's/^/  /' "$work/case/then.got" | head -n 20
    }
  done <"$work/case/then"
}

# skipped: prints why to skip the case, if it must be skipped
skipped() {
  while IFS= read -r line; do
    if sh -c "${line#*: }" >/dev/null 2>&1; then
      echo "${line%%: *}"
      return
    fi
  done <"$work/case/skip"
}

# case_end: runs the case read so far, if any
case_end() {
  [ -n "${name-}" ] || return 0
  why=$(cd "$work/files" && skipped)
  if [ -n "$why" ]; then
    skip "$name" "$why"
    name=
    return
  fi
  cp -R "$work/files" "$work/case/folder"
  cd "$work/case/folder" || exit 1
  while IFS= read -r line; do
    sh -c "$line" || echo "# $name: failed: $line"
  done <"$work/case/do"
  listing >"$work/case/before"
  sh -c "$command" >"$work/case/out.got" 2>"$work/case/err.got" </dev/null
  got=$?
  listing >"$work/case/after"
  cd "$here" || exit 1
  wrong=$(judge "$got")
  [ -z "$wrong" ] || wrong="\$ $command
$wrong"
  check_empty "$name" "$wrong"
  name=
}

# read_cases: reads a .cases file from standard input
read_cases() {
  number=0
  file=
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    line=${line#"${line%%[! ]*}"}
    value=${line#* }
    case $line in
      '' | '#'*) ;;
      'file '*)
        case_end
        file=$work/files/$value
        : >"$file"
        ;;
      '|') echo >>"$file" ;;
      '| '*) printf '%s\n' "$value" >>"$file" ;;
      'make '*)
        case_end
        sh -c "${value#* }" >"$work/files/${value%% *}"
        ;;
      'case '*) case_begin "$value" ;;
      'run '*) command=$value ;;
      'exit '*) status=$value ;;
      'left '*) left=$value ;;
      'skip '* | 'do '* | 'then '* | 'out '* | 'out~ '* | 'err '* | 'err~ '*)
        printf '%s\n' "$value" >>"$work/case/${line%% *}"
        ;;
      out | err) echo >>"$work/case/$line" ;;
      *) fail "$cases:$number is understood" "$line" ;;
    esac
  done
  case_end
}

# Runs the examples of help in order, in a copy of the folder of examples.
run_examples() {
  rm -rf "$work/examples"
  mkdir "$work/examples"
  for kind in csv ops dot tflite; do
    cp "$source_root"/examples/*."$kind" "$work/examples" || return
  done
  cd "$work/examples" || return
  "$1" >"$work/lines"
  while IFS= read -r line; do
    check "$2: $line" sh -c "$line" </dev/null
  done <"$work/lines"
  cd "$here" || exit 1
}

help_examples() {
  for command in $(neap --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'); do
    neap help "$command" | sed -n '/^Examples:/,$s/^  \(neap \)/\1/p'
  done
}

# document_blocks FILE: writes the sh blocks of a document to N.sh in the current folder, and the text block that
# follows one, its output, to N.out
document_blocks() {
  awk '/^```sh$/ { file = ++block ".sh"; output = block ".out"; next }
    /^```text$/ { file = output; next }
    /^```$/ { file = ""; next }
    /^```/ { file = output = ""; next }
    file != "" { print > file }' "$1"
}

# untimed FILE: the text without times, the only numbers with three decimals, which differ from run to run
untimed() {
  sed 's/ *[0-9][0-9]*\.[0-9][0-9][0-9] / TIME /g' "$1"
}

# run_block N: runs a block as in a checkout after the quick start, and compares what it prints
run_block() {
  (cd "$work/checkout" && sh -e "$work/blocks/$1.sh" >"$work/blocks/$1.got" 2>&1) || {
    cat "$work/blocks/$1.got"
    return 1
  }
  [ -e "$work/blocks/$1.out" ] || return 0
  untimed "$work/blocks/$1.out" >"$work/blocks/expected" && untimed "$work/blocks/$1.got" >"$work/blocks/got" &&
    diff "$work/blocks/expected" "$work/blocks/got"
}

# make_checkout: a folder with what the commands in documents use
make_checkout() {
  [ ! -d "$work/checkout" ] || chmod -R u+w "$work/checkout" # as copies from a released source may lack it
  rm -rf "$work/checkout" && mkdir -p "$work/checkout/examples" "$work/checkout/build" || return
  for kind in csv ops dot tflite; do
    cp "$source_root"/examples/*."$kind" "$work/checkout/examples" || return
  done
  cp -R "$source_root/examples/relations" "$work/checkout/examples" || return
  ln -s "$work/bin/neap" "$work/checkout/build/neap"
  ln -s "$(cd "$source_root" && pwd)/bench" "$work/checkout/bench"
  ln -s "$(cd "$source_root" && pwd)/doc" "$work/checkout/doc"
}

# run_document NAME: runs the blocks of a document in order
run_document() {
  rm -rf "$work/blocks" && mkdir "$work/blocks" && make_checkout || return
  cd "$work/blocks" && document_blocks "$source_root/$1" && cd "$here" || return
  number=1
  while [ -e "$work/blocks/$number.sh" ]; do
    check "$1: $(head -n 1 "$work/blocks/$number.sh")" run_block "$number"
    number=$((number + 1))
  done
}

# run_documents NAME...: each has examples, except for the guide to Python, whose examples tests/api/python runs
run_documents() {
  for document in "$@"; do
    run_document "$document"
    [ "$document" = doc/guide/python.md ] || check "$document has examples" test "$number" -gt 1
  done
}

# guides: the names of the guides
guides() {
  (cd "$source_root" && ls doc/guide/*.md)
}

[ $# -gt 0 ] || set -- "$here"/*.cases
for cases in "$@"; do
  rm -rf "$work/files"
  mkdir "$work/files"
  read_cases <"$cases"
done
check "help has examples" test -n "$(help_examples)"
run_examples help_examples "example of help"
# shellcheck disable=SC2046 # names without spaces
run_documents README.md $(guides)
tap_end
