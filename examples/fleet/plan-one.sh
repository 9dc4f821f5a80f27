#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plan-one.sh [-e] IN OUT ITEM [OPTION...]: plans one model with the options of 'neap plan'.  ITEM is a line of list.sh;
# with -e, all other arguments are also encoded.  Writes OUT/NAME.plan.json and OUT/NAME.jsonl, or with a seed
# OUT/NAME@SEED.plan.json and so on.  The second has one line: the report of 'neap plan --json', with these keys added:
#
#     "error": null or the message, "exit": status of neap, "options": [...], "input_checksum", "plan_checksum"
#
# Does nothing if there is a sound plan made from this input with these options, or if the same run has shown that there
# is none (exit 3, 4 or 5).  Files are complete from the start, because they are written elsewhere and renamed.
#
# Exits with 0 if the line is there, even if it reports a failure.  Any other status means that the fleet cannot go on:
# neap is missing, an option is wrong, OUT cannot be written, or the run was interrupted.
set -u
LC_ALL=C
export LC_ALL
# shellcheck source-path=SCRIPTDIR source=fleet.sh
. "$(dirname "$0")/fleet.sh"

encoded=''
[ "${1-}" != -e ] || { encoded=1 && shift; }
[ $# -ge 3 ] || die "usage: plan-one.sh [-e] IN OUT ITEM [OPTION...]"
item=$3
if [ -n "$encoded" ]; then
  for argument in "$@"; do
    fleet_decode "$argument"
    set -- "$@" "$decoded"
    shift
  done
fi
fleet_begin "$1" "$2"
fleet_open "$item"
shift 3
[ -z "$seed" ] || set -- "$@" --seed "$seed"

# is_text: whether standard input is UTF-8
is_text() {
  iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1
}

# escape: standard input as the inside of a string
escape() {
  awk '
    BEGIN {
      for (code = 1; code < 32; code++) escaped[sprintf("%c", code)] = sprintf("\\u%04x", code)
      escaped["\""] = "\\\""
      escaped["\\"] = "\\\\"
    }
    {
      if (NR > 1) printf "\\n"
      for (at = 1; at <= length($0); at++) {
        character = substr($0, at, 1)
        printf "%s", (character in escaped) ? escaped[character] : character
      }
    }'
}

# json TEXT: prints it as a string; if it is not UTF-8, its bytes above 127 become '?'
json() {
  case $1 in
  *[!A-Za-z0-9\ ./:=,_-]*)
    if printf '%s' "$1" | is_text; then
      printf '"%s"' "$(printf '%s' "$1" | escape)"
    else
      printf '"%s"' "$(printf '%s' "$1" | tr '\200-\377' '?' | escape)"
    fi
    ;;
  *) printf '"%s"' "$1" ;;
  esac
}

# json_list TEXT...
json_list() {
  list=''
  for item in "$@"; do
    list="$list${list:+, }$(json "$item")"
  done
  printf '[%s]' "$list"
}

# given NAME DEFAULT OPTION...: the value of an option, which may be abbreviated
given() {
  option=--$1 value=$2
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
    --?*)
      case $option in
      "${1%%=*}"*) case $1 in *=*) value=${1#*=} ;; *) value=${2-} ;; esac ;;
      esac
      ;;
    esac
    shift
  done
  printf '%s' "$value"
}

# is_done: whether there is a result of the same run
is_done() {
  [ -f "$target.jsonl" ] || return 1
  line=$(cat "$target.jsonl")
  case $line in
  *'"exit": '[345]"$origin"', "plan_checksum": null}') return 0 ;;
  *'"exit": 0'"$origin"', "plan_checksum": '*) [ -f "$target.plan.json" ] || return 1 ;;
  *) return 1 ;;
  esac
  case $line in *'"plan_checksum": "'"$(cksum <"$target.plan.json")"'"}') ;; *) return 1 ;; esac
  "$neap" check -q "$target.plan.json" >/dev/null 2>&1 </dev/null
}

# write_line ERROR EXIT CHECKSUM: completes the report in $part.out as $part.line; all three are JSON
write_line() {
  report=$(cat "$part.out")
  case $report in
  '{'*'}') report=${report%'}'} ;;
  *) report="{\"input\": $(json "$input"), \"status\": \"failed\", \"engine\": null, \"seed\": null" ;;
  esac
  # Without a plan, the report has neither.
  report=$(printf '%s\n' "$report" | sed "s/\"engine\": null/\"engine\": $engine/; s/\"seed\": null/\"seed\": $number/")
  printf '%s, "error": %s, "exit": %s%s, "plan_checksum": %s}\n' "$report" "$1" "$2" "$origin" "$3" >"$part.line"
}

# put_plan: puts the plan and its line in place
put_plan() {
  write_line null 0 "\"$(cksum <"$part.plan.json")\"" && rm -f "$target.jsonl" &&
    mv -f "$part.plan.json" "$target.plan.json" && mv -f "$part.line" "$target.jsonl"
}

# put_failure STATUS: puts a line in place that says why there is no plan
put_failure() {
  message=$(sed -n '$s/^neap: //p' "$part.err")
  write_line "$(json "${message:-neap ended with status $1}")" "$1" null && rm -f "$target.jsonl" "$target.plan.json" &&
    mv -f "$part.line" "$target.jsonl"
}

engine=$(json "$(given engine auto "$@")")
number=$(given seed 1 "$@")
case $number in *[!0-9]* | 0?* | '') number=null ;; esac
origin=", \"options\": $(json_list "$@"), \"input_checksum\": \"$(cksum 2>/dev/null <"$input")\""
! is_done || exit 0

mkdir -p "${target%/*}" || exit 1
part=${target%/*}/.part-$(uname -n)-$$
trap 'rm -f "$part.plan.json" "$part.out" "$part.err" "$part.line"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
"$neap" plan "$input" -o "$part.plan.json" --json "$@" >"$part.out" 2>"$part.err" </dev/null
status=$?
case $status in
2 | 126 | 127 | 129 | 130 | 143)
  cat "$part.err" >&2
  exit "$status"
  ;;
esac

# A line describes the plan beside it, so delete the old line before replacing the plan, and add the new line last.
trap '' HUP INT TERM
if [ "$status" -eq 0 ]; then put_plan; else put_failure "$status"; fi || {
  say "$target.jsonl cannot be written"
  exit 1
}
