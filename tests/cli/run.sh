#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the program as people and scripts do.  Cases are data: the files *.cases beside this script, or those given as
# arguments.  Each case has a folder of its own, with the files that its .cases file has described so far, and counts as one test.
#
#   file NAME       a file; its lines follow, each behind "| "
#   make NAME COMMAND   the same, but its content is what COMMAND prints
#   case NAME       begins a case; what follows belongs to it:
#     skip WHY: COMMAND   the case is skipped if COMMAND succeeds
#     do COMMAND          prepares the folder
#     run COMMAND         what is tested: a line of shell, in which "neap" is the program
#     exit N              its status; 0 unless said, and else there is one line on standard error
#     out LINE            standard output is just these lines ...
#     out~ PATTERN        ... or has a line that matches this extended regular expression; else it is empty
#     err, err~           the same of standard error
#     left NAME...        the files that it made or changed, or (with a - before it) removed; else none
#     then COMMAND        must succeed afterwards
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
source_root=${NEAP_SOURCE:-$here/../..}
export source_root

work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/files"
cat >"$work/bin/neap" <<END_OF_WRAPPER
#!/bin/sh
exec '$program' "\$@"
END_OF_WRAPPER
chmod +x "$work/bin/neap"
PATH=$work/bin:$PATH
LC_ALL=C
export PATH LC_ALL
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

# listing: a line for everything in the current folder, which changes when that does
listing() {
  find . ! -type f ! -name . -exec ls -d {} + 2>/dev/null | sed 's/$/ -/'
  find . -type f -exec cksum {} + 2>/dev/null | sed 's/^\([0-9]* [0-9]*\) \(.*\)/\2 \1/'
}

# changes BEFORE AFTER: names of what was made or changed, and behind a - of what was removed
changes() {
  sed 's/ [^.\/]*$//' "$2" >"$2.names"
  {
    grep -v -x -F -f "$1" "$2" | sed 's/ [^.\/]*$//'
    sed 's/ [^.\/]*$//' "$1" | grep -v -x -F -f "$2.names" | sed 's/^/-/'
  } | sed 's/\.\///' | sort
}

# judge_stream NAME: what is wrong with stdout or stderr
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

# judge STATUS: what is wrong with the case that has run
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

# skipped: why the case is to be skipped, if it is
skipped() {
  while IFS= read -r line; do
    if sh -c "${line#*: }" >/dev/null 2>&1; then
      echo "${line%%: *}"
      return
    fi
  done <"$work/case/skip"
}

# case_end: runs the case that has been read
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

# The examples of help and manual are commands that work, in a copy of the folder of examples and in their order.
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

# Of the README: the lines of its sh blocks that begin with neap or ./build/neap.
readme_examples() {
  sed -n '/^ *``` *sh *$/,/^ *``` *$/p' "$source_root/README.md" | sed 's/^ *//; s/^\$ //; s/ *#.*//; s/^\.\/build\///' |
    grep '^neap ' | sed 's/examples\///g'
}

[ $# -gt 0 ] || set -- "$here"/*.cases
for cases in "$@"; do
  rm -rf "$work/files"
  mkdir "$work/files"
  read_cases <"$cases"
done
check "help has examples" test -n "$(help_examples)"
run_examples help_examples "example of help"
if [ -e "$source_root/README.md" ]; then
  run_examples readme_examples "example of README.md"
else
  skip "examples of README.md" "there is no README.md"
fi
tap_end
