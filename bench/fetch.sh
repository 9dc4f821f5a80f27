#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch.sh [--from DIR] [--neap PROGRAM] [--tables DIR] [OUTPUT]: gets public files at the commits that sources.txt pins
# and derives from them the instances that instances.txt lists, into OUTPUT/instances (OUTPUT is data/ beside this
# script unless given).  The tables are copied to OUTPUT, too, which makes it a folder for recheck.py.
#
#   --from DIR       take the repositories from DIR/OWNER+NAME or DIR/OWNER/NAME instead of GitHub
#   --neap PROGRAM   the program that reads models (default: build/neap beside bench/, else neap in $PATH)
#   --tables DIR     the folder of sources.txt and instances.txt (default: library/ beside this script)
#
# Clones go to OUTPUT/sources and are partial: they hold only the files named.  NEAP_BENCH_HOST names another host than
# https://github.com.  Instances that exist already are kept.  Exits with 1 if some instances could not be made, after
# making all others.  Needs git and python3.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
from='' program='' tables=$here/library output=''

die() {
  echo "fetch.sh: $*" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --from | --neap | --tables)
      [ $# -gt 1 ] || die "option '$1' needs a value"
      case $1 in
        --from) from=$(cd "$2" && pwd) || exit 2 ;;
        --neap) program=$2 ;;
        --tables) tables=$(cd "$2" && pwd) || exit 2 ;;
      esac
      shift
      ;;
    -h | --help)
      sed -n '3,/^set/s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    -*) die "unknown option '$1'" ;;
    *)
      [ -z "$output" ] || die "unexpected argument '$1'"
      output=$1
      ;;
  esac
  shift
done
for tool in git python3; do
  command -v $tool >/dev/null || die "$tool is missing: install it (Debian: apt-get install $tool)"
done
if [ -z "$program" ]; then
  program=$here/../build/neap
  [ -x "$program" ] || program=$(command -v neap) || die "no neap program found; build it or use --neap PROGRAM"
fi
output=${output:-$here/data}
mkdir -p "$output" && output=$(cd "$output" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# mirror OWNER/NAME: prints the repository's folder in --from
mirror() {
  for folder in "$from/${1%/*}+${1#*/}" "$from/$1"; do
    for path in "$folder" "$folder.git" "$folder/repo"; do
      if [ "$(git -C "$path" rev-parse --git-dir 2>/dev/null)" = . ] || [ -e "$path/.git" ]; then
        echo "$path"
        return
      fi
    done
  done
  echo "$1 is not in $from" >&2
  return 1
}

# clone OWNER/NAME COMMIT: fetches the commit without its files, and prints the repository's folder
clone() {
  folder=$output/sources/${1%/*}+${1#*/}
  if [ ! -e "$folder/HEAD" ]; then
    git init -q --bare "$folder" || return
    git -C "$folder" remote add origin "${NEAP_BENCH_HOST:-https://github.com}/$1" || return
  fi
  # The ref says that the commit is here; asking for the commit itself would fetch its whole history.
  git -C "$folder" rev-parse -q --verify "refs/pinned/$2" >/dev/null ||
    git -C "$folder" fetch -q --depth 1 --filter=blob:none origin "$2:refs/pinned/$2" || return
  echo "$folder"
}

# repository SOURCE: prints the folder of a repository that has the source's commit, and the commit
repository() {
  while read -r name path commit _; do
    [ "$name" = "$1" ] || continue
    if [ -n "$from" ]; then folder=$(mirror "$path"); else folder=$(clone "$path" "$commit"); fi || return
    echo "$folder $commit"
    return
  done <"$tables/sources.txt"
  echo "source '$1' is not in sources.txt" >&2
  return 1
}

# python ARGUMENT...: runs Python with the package of neap beside the program, if it is there
python() {
  beside=$(dirname "$program")
  PYTHONPATH=$beside/python/staged${PYTHONPATH:+:$PYTHONPATH} NEAP_LIBRARIES=$beside/.libs python3 "$@"
}

# derive KIND FILE MEMBER: prints the instance in FILE, or in a member of that archive
derive() {
  case $1 in
    copy) cat "$2" ;;
    node-link) python -m neap.node_link "$2" -o "$work/graph.json" 2>"$work/log" && cat "$work/graph.json" ;;
    graph) python -m neap.hlo "$2" --graph -o "$work/graph.json" >"$work/log" && cat "$work/graph.json" ;;
    model | folded)
      "$program" convert "$2" -q --format csv -o "$work/table" && python3 "$here/derive.py" "$1" "$work/table"
      ;;
    *) python3 "$here/derive.py" "$1" "$2${3:+!$3}" ;;
  esac
}

# get SOURCE KIND PATH: prints the instance in a file of a repository
get() {
  located=$(repository "$1") || return # FOLDER COMMIT
  file=$(printf '%s\n' "${3%%!*}" | sed 's/%20/ /g') member=
  case $3 in *!*) member=${3#*!} ;; esac
  rm -rf "$work/file" && mkdir "$work/file" || return
  git -C "${located% *}" show "${located##* }:$file" >"$work/file/${file##*/}" || return
  derive "$2" "$work/file/${file##*/}" "$member"
}

# make INSTANCE SOURCE KIND PATH: makes one instance
make() {
  mkdir -p "$output/instances/${1%/*}" || return
  case $3 in
    gen=*) "$program" gen "$4" --seed "${3#gen=}" -q --format json -o "$work/instance" ;;
    fused) "$(dirname "$program")/tests/hosts/tflm/fused_networks" "$4" "$work/instance" ;;
    *) get "$2" "$3" "$4" >"$work/instance" ;;
  esac && mv "$work/instance" "$output/instances/$1"
}

made=0 missing=0
while read -r instance source kind path _; do
  case $instance in '' | '#'*) continue ;; esac
  if [ -e "$output/instances/$instance" ] ||
    make "$instance" "$source" "$kind" "$path" 2>"$work/messages" </dev/null; then
    made=$((made + 1))
  else
    missing=$((missing + 1))
    echo "missing: $instance: $(tail -n 1 "$work/messages")" >&2
  fi
done <"$tables/instances.txt"
cp "$tables/sources.txt" "$tables/instances.txt" "$output" || exit 2
echo "$made instances in $output/instances, $missing missing"
[ "$missing" -eq 0 ]
