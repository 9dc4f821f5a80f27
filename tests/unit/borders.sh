#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the include lines of every module, subfolders included: a module may include itself, <neap/neap.h>, and the
# modules upstream of it, which the table lists; "neap-io" there permits <neap/neap-io.h>, "neap-models" <neap/models.h>.
# A module is a folder of src, or of one of the rooms there that only hold modules.  Also checks that every
# source file is built and released, that libraries name no options, that libneap has none of libneap-io's, that units
# do not depend on each other in circles, and that few files name each kind of relation.
#
#     borders.sh [SOURCE-FOLDER]

here=$(dirname "$0")
. "$here/../tap.sh"
source_root=${1:-${NEAP_SOURCE:-$here/../..}}

# module: the modules it may include besides itself and <neap/neap.h>
# (verify includes nothing that plans, so that it shares no code with the planners)
table='
core:
model: core
facts: core model
plan: core model facts
verify: core model facts plan
schedule: core model
recompute: core model schedule
gen: core model
order: core model
place: core model facts order
search: core model facts
costs: core model facts search
tune: core model facts order place search
runtimes: core model facts place
pools: core model facts
engine: core model facts plan schedule recompute order place search costs tune runtimes pools
certify: core model facts plan schedule search
explain: core model facts plan engine
files: core model facts plan verify neap-io
viz: core model facts plan verify files neap-io
io: core model facts plan files viz neap-io
models: core model facts plan runtimes files io neap-io neap-models
cli: neap-io neap-models
'

circles_most=0 # between units

rooms='problem graph solve prove' # folders of modules; io is in files

# module_folder ROOT MODULE
module_folder() {
  case $2 in
    viz) echo "$1/viz" ;;
    io) echo "$1/src/files/io" ;;
    *)
      for room in $rooms; do
        [ ! -d "$1/src/$room/$2" ] || echo "$1/src/$room/$2"
      done | grep . || echo "$1/src/$2"
      ;;
  esac
}

# module_files ROOT MODULE
module_files() {
  find "$(module_folder "$1" "$2")" -name '*.[ch]' 2>/dev/null | LC_ALL=C sort |
    if [ "$2" = files ]; then grep -v '/src/files/io/'; else cat; fi
}

# may_include MODULE: prints the modules that its files may include
may_include() {
  echo "$1 $(printf '%s' "$table" | sed -n "s/^$1: *//p")"
}

# trespasses ROOT MODULE: prints a line for every include that crosses a border
trespasses() {
  modules=$(printf '%s' "$table" | sed -n 's/:.*//p')
  module_files "$1" "$2" | while read -r file; do
    awk -v allowed="$(may_include "$2")" -v modules="$modules" -v file="${file#"$1"/}" '
      BEGIN {
        split(allowed, names, /[ \n]+/)
        for (i in names) may[names[i]] = 1
        split(modules, names, /[ \n]+/)
        for (i in names) known[names[i]] = 1
        known["neap-io"] = known["neap-models"] = 1
      }
      /^[ \t]*#[ \t]*include/ {
        sub(/\r$/, "")
        quoted = $0 ~ /include[ \t]*"/
        path = $0
        sub(/^[^"<]*["<]/, "", path)
        sub(/[">].*/, "", path)
        folder = path
        if (!sub(/\/.*/, "", folder)) folder = ""
        if (path ~ /^neap\/(neap|relations|arena|graph|planner|proof)\.h$/ || path == "neap-tool.h") next
        if (path == "neap/neap-io.h") folder = "neap-io"
        if (path == "neap/models.h") folder = "neap-models"
        if (folder in known) {
          if (!(folder in may)) print file ":" FNR ": includes " path
        } else if (quoted)
          print file ":" FNR ": " path " is not written as MODULE/FILE"
      }' "$file"
  done
}

# disorder ROOT: prints what the table permits although the order in CONTRIBUTING.md does not
disorder() {
  sed -n '/^ *core < /,/^$/p' "$1/CONTRIBUTING.md" | tr -s '<, \n' ' ' >"$scratch/order"
  printf '%s' "$table" | awk -v order="$(cat "$scratch/order")" '
    BEGIN { count = split(order, names, " "); for (i = 1; i <= count; i++) place[names[i]] = i }
    NF > 0 {
      module = $1
      sub(/:/, "", module)
      rows++
      if (!(module in place)) print "CONTRIBUTING.md does not name " module
      for (i = 2; i <= NF; i++)
        if ($i !~ /^neap-/ && place[$i] >= place[module]) print module " comes before " $i
    }
    END { if (rows != count) print "CONTRIBUTING.md names " count " modules, the table " rows }'
}

# strangers ROOT: prints the folders of src that are missing from the table
strangers() {
  (
    cd "$1/src" || exit
    for folder in */ $(for room in $rooms; do echo "$room/*/"; done); do
      folder=${folder%/}
      case " $rooms " in *" $folder "*) continue ;; esac
      [ ! -d "$folder" ] || printf '%s' "$table" | grep -q "^${folder##*/}:" || echo "src/$folder has no line in the table"
    done
  )
}

# unlisted ROOT: prints the source files that no module.am lists (one that is listed but missing stops the build)
unlisted() {
  (
    cd "$1" || exit
    find src viz examples tests -name module.am -exec sed 's/#.*//' {} + |
      awk '{ for (i = 1; i <= NF; i++) named[$i] = 1 }
        END {
          while (("find src viz examples tests -name \"*.[ch]\" -o -name \"*.sh\"" | getline file) > 0) {
            program = file
            sub(/\.c$/, "", program)
            if (!(file in named) && !(program in named)) print file
          }
        }' | LC_ALL=C sort
  )
}

# astray ROOT: prints the files of files, viz and models that are part of libneap
astray() {
  find "$1/src" "$1/viz" -name module.am -exec cat {} + | awk '
    /_SOURCES/ { is_ours = /^libneap_(base|core)_la_SOURCES/ }
    is_ours { for (i = 1; i <= NF; i++) if ($i ~ "^(src/(files|models)|viz)/") print $i }
    !/\\$/ { is_ours = 0 }'
}

# options ROOT: prints the strings of the libraries that name options of the program: a message names members
options() {
  (
    cd "$1" || exit
    find src viz -name '*.[ch]' ! -path 'src/cli/*' -exec grep -nE '"([^"\\]|\\.)*--[a-z]' {} + | LC_ALL=C sort
  )
}

# circles ROOT: prints the circles between units, one a line.  A unit is a .c file and the .h file of the same name; it
# depends on another if one of its files includes the header of the other.  Units that depend on each other, possibly by
# way of others, form a circle.
circles() {
  (
    cd "$1" || exit
    find src viz -name '*.[ch]' | LC_ALL=C sort | xargs grep -H '^[[:blank:]]*#[[:blank:]]*include "' |
      sed -n 's|^\(.*\)\.[ch]:.*include "\([^"]*\)\.h".*|\1 \2|p' |
      sed -E "s#^src/(($(echo "$rooms" | tr ' ' '|'))/|files/(io/)|)#\3#" | awk '
      { to = $2 }
      to != $1 {
        if (!($1 in targets)) units[++count] = $1
        targets[$1] = targets[$1] " " to
      }
      function reach(from, unit, list, n, i) {
        n = split(targets[unit], list, " ")
        for (i = 1; i <= n; i++)
          if (!((from, list[i]) in reached)) {
            reached[from, list[i]] = 1
            reach(from, list[i])
          }
      }
      function on_circle(a, b) { return (a, b) in reached && (b, a) in reached }
      END {
        for (u = 1; u <= count; u++) reach(units[u], units[u])
        for (u = 1; u <= count; u++) {
          if (units[u] in listed || !on_circle(units[u], units[u])) continue
          circle = ""
          for (v = u; v <= count; v++)
            if (on_circle(units[u], units[v])) {
              listed[units[v]] = 1
              circle = circle (v > u ? " " : "") units[v]
            }
          print circle
        }
      }'
  )
}

# surplus ROOT MOST: prints the circles if there are more than MOST
surplus() {
  circles "$1" >"$scratch/circles"
  [ "$(wc -l <"$scratch/circles")" -le "$2" ] || cat "$scratch/circles"
}

# scattered ROOT MOST: prints the kinds of relations that more than MOST files of the libraries, the program and the
# public headers name: a new kind should be a row of `relation_kinds` and little else
scattered() {
  (
    cd "$1" || exit
    sed -n '/^typedef enum neap_relation_kind/,/^}/s/^ *\(NEAP_[A-Z_]*\).*/\1/p' include/neap/relations.h |
      while read -r kind; do
        count=$(grep -rlw "$kind" src viz include | wc -l)
        [ "$count" -le "$2" ] || echo "$kind is named in $count files"
      done
  )
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

check_empty "libneap has no files of files, viz and models" "$(astray "$source_root")"
check_empty "every source file has its line in a module.am" "$(unlisted "$source_root")"
check_empty "the table keeps to the order in CONTRIBUTING.md" "$(disorder "$source_root")"
check_empty "every folder of src is in the table" "$(strangers "$source_root")"
check_empty "the libraries name no options of the program" "$(options "$source_root")"
check_empty "there are at most $circles_most circles between units" "$(surplus "$source_root" "$circles_most")"
check_empty "no kind of relation is named in more than 8 files" "$(scattered "$source_root" 8)"
for module in $(printf '%s' "$table" | sed 's/:.*//'); do
  if [ -z "$(module_files "$source_root" "$module")" ]; then
    fail "$module keeps to its borders" "it has no source files"
  else
    check_empty "$module keeps to its borders" "$(trespasses "$source_root" "$module")"
  fi
done

# Test the check itself: it must find the planted violations and nothing else.
mkdir -p "$scratch/src/core/deep" "$scratch/src/plan" "$scratch/src/problem/verify" "$scratch/src/cli" "$scratch/src/new" "$scratch/viz" \
  "$scratch/include/neap"
cat >"$scratch/src/core/a.c" <<'END'
#include <stdio.h>
#include <neap/neap.h>
#include "core/a.h"
#include "model/problem.h"
#include <neap/neap-io.h>
  #  include   <model/problem.h>
#include "a.h"
END
printf '#include "core/deep/b.h"\n#include "plan/deep/plan.h"\n' >"$scratch/src/core/deep/b.c"
echo '#include "tune/tune.h"' >"$scratch/src/problem/verify/verify.c"
printf '#include <jansson.h>\n#include <neap/neap-io.h>\n#include "core/error.h"\n' >"$scratch/src/cli/main.c"
printf '#include "plan/plan.h"\n#include "cli/help.h"\n/* --a */ char *a = "try --a";\n' >"$scratch/viz/html.c"
cat >"$scratch/include/neap/relations.h" <<'END'
typedef enum neap_relation_kind {
  NEAP_A, /* named once more, and NEAP_AB does not count */
  NEAP_B  /* NEAP_A */
} neap_relation_kind;
END
echo 'int a = NEAP_A + NEAP_AB;' >"$scratch/viz/kinds.c"
found=$(
  strangers "$scratch"
  for module in core plan verify cli viz; do trespasses "$scratch" "$module"; done
  options "$scratch"
  scattered "$scratch" 1
)
planted='src/new has no line in the table
src/core/a.c:4: includes model/problem.h
src/core/a.c:5: includes neap/neap-io.h
src/core/a.c:6: includes model/problem.h
src/core/a.c:7: a.h is not written as MODULE/FILE
src/core/deep/b.c:2: includes plan/deep/plan.h
src/problem/verify/verify.c:1: includes tune/tune.h
src/cli/main.c:3: includes core/error.h
viz/html.c:2: includes cli/help.h
viz/html.c:3:/* --a */ char *a = "try --a";
NEAP_A is named in 2 files'
if [ "$found" = "$planted" ]; then
  pass "planted trespasses are found"
else
  fail "planted trespasses are found" "$found"
fi

mkdir -p "$scratch/circle/src/x" "$scratch/circle/viz"
echo '#include "x/b.h"' >"$scratch/circle/src/x/a.h"
echo '#include "x/c.h"' >"$scratch/circle/src/x/b.c"
printf '#include "x/c.h"\n#include "x/a.h"\n' >"$scratch/circle/src/x/c.c"
printf '#include "x/a.h"\n#include "viz/e.h"\n' >"$scratch/circle/viz/d.c"
found=$(circles "$scratch/circle")
if [ "$found" = "x/a x/b x/c" ] && [ -n "$(surplus "$scratch/circle" 0)" ]; then
  pass "a planted circle is found"
else
  fail "a planted circle is found" "$found"
fi
tap_end
