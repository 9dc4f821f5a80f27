#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The size of the house: lines by room, files, wide lines, headers that only one file includes, long functions.  Each
# has a limit, which is only ever lowered: a change that needs room makes it elsewhere.  Skipped without a checkout,
# which lists the files.
#
#     size.sh [--print]        --print: today's figures, as a table

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"

# lines, and where they are
rooms='
2764 include src/neap-tool.h
3316 src/core
14616 src/problem
6859 src/graph
25177 src/solve
4905 src/runtimes
4216 src/engine
1377 src/gen
5384 src/prove
12310 src/files
22354 src/models
14920 src/cli
8914 viz/charts viz/layout viz/svg viz/text viz/html.c viz/html.h viz/module.am viz/page.h
9582 viz/page
'
files_most=1688         # in the repository
wide_most=0             # lines of more than 100 columns in src, viz and include
one_client_most=28      # private headers that only one file includes, besides their own and tests
long_functions_most=1   # of more than 60 lines
function_median_least=9 # lines: shorter ones hide what is not in them

# sources [PATTERN...]: the files of the checkout below these folders
sources() {
  git ls-files -- "$@"
}

# room_lines PATH...
room_lines() {
  sources "$@" | xargs cat | wc -l
}

# wide_lines: the lines, with their places
wide_lines() {
  sources src viz include | LC_ALL=C.UTF-8 xargs grep -nE '^.{101,}'
}

# one_client_headers: private headers that one file includes, besides the file of the same name
one_client_headers() {
  sources src viz | grep '\.[ch]$' | xargs grep -H '^ *# *include "' |
    sed 's/^\([^:]*\): *# *include "\([^"]*\)".*/\1 \2/' | sort -u |
    awk '{
      unit = $1
      sub(/^src\/((problem|graph|solve|prove)\/|files\/io\/)?/, "", unit)
      if (index($1, "src/files/io/") == 1) unit = "io/" unit
      sub(/\.c$/, ".h", unit)
      if (unit != $2) clients[$2]++
    }
    END { for (path in clients) if (clients[path] == 1 && path !~ /^neap/) print path }' | sort
}

# functions: the lines of each function, and where it begins
functions() {
  sources src viz | grep '\.c$' | xargs awk '
    FNR == 1 { begin = 0 }
    /^[A-Za-z_].*[({,*]$/ && !/;$/ { if (!open) begin = FNR }
    /\{$/ && begin { open = 1 }
    /^}$/ { if (begin) print FNR - begin + 1, FILENAME ":" begin; begin = open = 0 }
    /^}.+/ || /^[^ ].*;$/ { begin = open = 0 }'
}

median() {
  sort -n | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'
}

# at_most WHAT FIGURE LIMIT
at_most() {
  if [ "$2" -le "$3" ]; then
    pass "$1: at most $3"
  else
    fail "$1: at most $3" "There are $2.  Make room; see the head of tests/repo/size.sh."
  fi
}

cd "$source_root" || exit 1
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ] || skip_all "size" "this is no checkout"

if [ "${1-}" = --print ]; then
  echo "$rooms" | while read -r limit paths; do
    # shellcheck disable=SC2086
    [ -z "$limit" ] || printf '%6d of %6d  %s\n' "$(room_lines $paths)" "$limit" "$paths"
  done
  printf '%6d of %6d  files\n' "$(sources | wc -l)" "$files_most"
  printf '%6d of %6d  wide lines\n' "$(wide_lines | wc -l)" "$wide_most"
  printf '%6d of %6d  headers with one client\n' "$(one_client_headers | wc -l)" "$one_client_most"
  exit
fi

# A loop that reads $rooms would run in a shell of its own, whose cases are not counted.
while read -r limit paths; do
  # shellcheck disable=SC2086
  [ -z "$limit" ] || at_most "lines of $paths" "$(room_lines $paths)" "$limit"
done <<ROOMS
$rooms
ROOMS
at_most "files" "$(sources | wc -l)" "$files_most"
at_most "lines of more than 100 columns" "$(wide_lines | wc -l)" "$wide_most"
at_most "headers with one client" "$(one_client_headers | wc -l)" "$one_client_most"
at_most "functions of more than 60 lines" "$(functions | awk '$1 > 60' | wc -l)" "$long_functions_most"
median=$(functions | median)
check "functions have a median of $function_median_least lines or more" [ "$median" -ge "$function_median_least" ]
tap_end
