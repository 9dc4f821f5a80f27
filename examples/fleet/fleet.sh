# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the scripts here.  Encoded text passes through any shell, make, ssh and GNU parallel as it is: every byte
# other than letters, digits, '.', '_', '-' and '/' is '+' and three octal digits.  An item is a model and possibly a
# seed, NAME or NAME@SEED, as list.sh prints it, with an encoded NAME.

neap=${NEAP_PROGRAM:-neap}

say() {
  printf '%s\n' "${0##*/}: $*" >&2
}

die() {
  say "$@"
  exit 2
}

# fleet_options ARGUMENT...: sets `seeds` to the value of -s, and `given` to the number of arguments that options take
fleet_options() {
  seeds=''
  while getopts s: option; do
    case $option in
    s) seeds=$OPTARG ;;
    *) exit 2 ;;
    esac
  done
  given=$((OPTIND - 1))
}

# fleet_count ARGUMENT...: sets `count` to the number of arguments before '--', and `found` if there is one
fleet_count() {
  count=0 found=''
  for argument in "$@"; do
    [ "$argument" != -- ] || { found=1 && break; }
    count=$((count + 1))
  done
}

# fleet_begin IN OUT: sets `models`, a file or a folder, and `plans`, a folder; neither begins with '-'
fleet_begin() {
  models=$1 plans=$2
  case $models in -*) models=./$models ;; esac
  case $plans in -*) plans=./$plans ;; esac
  [ -e "$models" ] || die "$models: no such file or folder"
}

# fleet_encode: prints each text on standard input as a line; texts end in a zero byte
fleet_encode() {
  od -A n -v -t o1 | LC_ALL=C awk '
    BEGIN {
      for (code = 33; code < 127; code++)
        if (sprintf("%c", code) ~ /[A-Za-z0-9._\/-]/) plain[sprintf("%03o", code)] = sprintf("%c", code)
    }
    {
      for (field = 1; field <= NF; field++)
        if ($field == "000") printf "\n"
        else printf "%s", ($field in plain) ? plain[$field] : "+" $field
    }'
}

# fleet_decode TEXT: sets `decoded`
fleet_decode() {
  decoded=$1
  case $1 in
  *+*)
    # The full stop keeps line feeds at the end.
    decoded=$(printf '%b.' "$(printf '%s' "$1" | sed 's/+/\\0/g')")
    decoded=${decoded%.}
    ;;
  esac
}

# fleet_open ITEM: sets `name`, `seed` (or ''), `input`, and `target`, with which the names of the results begin
fleet_open() {
  seed=''
  case $1 in *@*) seed=${1##*@} ;; esac
  fleet_decode "${1%%@*}"
  name=$decoded
  input=$models
  [ ! -d "$models" ] || input=${models%/}/$name
  target=$plans/$name${seed:+@$seed}
}
