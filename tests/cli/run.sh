#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the program as people and scripts do.  Test cases are data: they are in the files *.cases next to this script, each
# of which is a test of `make check`, or in those given as arguments.  Each case runs in its own folder, which contains the
# files that its .cases file has described so far, and counts as one test.
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
mkdir "$work/case"
put_in_path
unset NO_COLOR COLUMNS

# case_begin NAME
case_begin() {
  case_end
  name=$1 command='' status=0 left=''
  for list in skip 'do' 'then' out 'out~' err 'err~'; do
    : >"$work/case/$list"
  done
}

# listing: one line for each file in the current folder, which differs if the file changes
listing() {
  find . ! -name . \( -type f -exec cksum {} + -o -exec ls -d {} + \) 2>/dev/null |
    sed 's/^\([0-9]* [0-9]*\) \(.*\)/\2 \1/; t
      s/$/ -/'
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
  elif [ -s "$work/case/$1" ] || [ -s "$got" ] && ! cmp -s "$work/case/$1" "$got"; then
    echo "expected std$1, then what came:"
    sed 's/^/  /' "$work/case/$1"
    echo "  --"
    sed 's/^/  /' "$got" | head -n 20
  fi
}

# judge_files: prints what is wrong with the files left
# shellcheck disable=SC2086 # the list of files left is to be split
judge_files() {
  printf '%s\n' $left | sed '/^$/d' | sort >"$work/case/left"
  changes "$before" "$work/case/after" >"$work/case/left.got"
  cmp -s "$work/case/left" "$work/case/left.got" || {
    echo "expected left: $left"
    echo "got: $(paste -s -d ' ' "$work/case/left.got")"
  }
}

# judge STATUS: prints what is wrong after a case has run
judge() {
  [ "$1" = "$status" ] || echo "expected status $status, got $1"
  [ "$status" -eq 0 ] || [ "$(wc -l <"$work/case/err.got")" -eq 1 ] || echo "expected one message"
  judge_stream out
  judge_stream err
  if [ -n "$left" ] || ! cmp -s "$before" "$work/case/after"; then
    judge_files
  fi
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
  why=
  if [ -s "$work/case/skip" ]; then
    rm -f "$work/files.listing" # the command may make files
    why=$(cd "$work/files" && skipped)
  fi
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
  before=$work/files.listing
  [ ! -s "$work/case/do" ] || before=$work/case/before
  [ "$before" = "$work/files.listing" ] && [ -e "$before" ] || listing >"$before"
  sh -c "$command" >"$work/case/out.got" 2>"$work/case/err.got" </dev/null
  got=$?
  listing >"$work/case/after"
  cd "$here" || exit 1
  wrong=$(judge "$got")
  rm -rf "$work/case/folder"
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
        rm -f "$work/files.listing"
        ;;
      '|') echo >>"$file" ;;
      '| '*) printf '%s\n' "$value" >>"$file" ;;
      'make '*)
        case_end
        sh -c "${value#* }" >"$work/files/${value%% *}"
        rm -f "$work/files.listing"
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

[ $# -gt 0 ] || set -- "$here"/*.cases
start=$PWD
for cases in "$@"; do
  rm -rf "$work/files" "$work/files.listing"
  mkdir "$work/files"
  cd "$start" || exit 1
  read_cases <"$cases"
done
tap_end
