# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the scripts here.  An item is a model and possibly a seed, NAME or NAME@SEED, as list.sh prints it: every
# byte of NAME other than letters, digits, '.', '_', '-' and '/' is '+' and three octal digits.  So an item passes
# through any shell, make and ssh as it is.

neap=${NEAP_PROGRAM:-neap}

say() {
  printf '%s\n' "${0##*/}: $*" >&2
}

die() {
  say "$@"
  exit 2
}

# fleet_begin IN OUT: sets `models`, a file or a folder, and `plans`, a folder; neither begins with '-'
fleet_begin() {
  models=$1 plans=$2
  case $models in -*) models=./$models ;; esac
  case $plans in -*) plans=./$plans ;; esac
  [ -e "$models" ] || die "$models: no such file or folder"
}

# fleet_open ITEM: sets `name`, `seed` (or ''), `input`, and `target`, what the names of the results begin with
fleet_open() {
  seed='' target=''
  case $1 in *@*) seed=${1##*@} ;; esac
  name=${1%%@*}
  case $name in
  *+*)
    # The full stop keeps line feeds at the end of a name.
    name=$(printf '%b.' "$(printf '%s' "$name" | sed 's/+/\\0/g')")
    name=${name%.}
    ;;
  esac
  input=$models
  [ ! -d "$models" ] || input=${models%/}/$name
  target=$plans/$name${seed:+@$seed}
}
