#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the include lines of every module, subfolders included: a module may include itself, neap-tool.h, libneap's
# public headers, and the modules upstream of it, which the table lists; "neap-io" there permits <neap/neap-io.h>.
# Also checks that every source file is built and released, that libneap has none of libneap-io's, and that
# <neap/neap.h> stays short and stands alone.
#
#     borders.sh [SOURCE-FOLDER]

here=$(dirname "$0")
. "$here/../tap.sh"
source_root=${1:-${NEAP_SOURCE:-$here/../..}}

# module: the modules it may include besides itself and the headers of libneap
# (plan includes no engine, so that the verifier shares no code with them)
table='
core:
model: core
schedule: core model
gen: core model
order: core model
place: core model order
search: core model
soft: core model place search
tune: core model order place search
runtimes: core model
plan: core model
engine: core model order place tune search soft runtimes plan
certify: core model schedule plan search
explain: core model engine
kernels: core
formats: core model kernels schedule order place tune search runtimes plan engine neap-io
viz: core model order place tune search runtimes plan engine formats neap-io
io: core model plan formats viz neap-io
cli: neap-io
'

# module_folder ROOT MODULE
module_folder() {
  case $2 in
    viz) echo "$1/viz" ;;
    *) echo "$1/src/$2" ;;
  esac
}

# module_files ROOT MODULE
module_files() {
  find "$(module_folder "$1" "$2")" -name '*.[ch]' 2>/dev/null | LC_ALL=C sort
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
        known["neap-io"] = 1
      }
      /^[ \t]*#[ \t]*include/ {
        sub(/\r$/, "")
        quoted = $0 ~ /include[ \t]*"/
        path = $0
        sub(/^[^"<]*["<]/, "", path)
        sub(/[">].*/, "", path)
        folder = path
        if (!sub(/\/.*/, "", folder)) folder = ""
        if (path ~ /^neap\/(neap|relations|graph|planner|proof)\.h$/ || path == "neap-tool.h") next
        if (path == "neap/neap-io.h") folder = "neap-io"
        if (folder in known) {
          if (!(folder in may)) print file ":" FNR ": includes " path
        } else if (quoted)
          print file ":" FNR ": " path " is not written as MODULE/FILE"
      }' "$file"
  done
}

# strangers ROOT: prints the folders of src that are missing in the table
strangers() {
  for folder in "$1"/src/*/; do
    folder=$(basename "$folder")
    printf '%s' "$table" | grep -q "^$folder:" || echo "src/$folder has no line in the table"
  done
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

# astray ROOT: prints the files of kernels, formats, viz and io that are part of libneap
astray() {
  cat "$1"/src/*/module.am "$1/viz/module.am" | awk '
    /_SOURCES/ { is_ours = /^libneap_(base|core)_la_SOURCES/ }
    is_ours { for (i = 1; i <= NF; i++) if ($i ~ "^(src/(formats|io|kernels)|viz)/") print $i }
    !/\\$/ { is_ours = 0 }'
}

# dependent ROOT: prints the include lines of neap.h that are not of the C library, and its length if over 450 lines
dependent() {
  awk '/#include/ && !/<std(bool|def|int)\.h>/ { print } END { if (FNR > 450) print "neap.h has " FNR " lines" }' \
    "$1/include/neap/neap.h"
}

check_empty "neap.h has at most 450 lines and stands alone" "$(dependent "$source_root")"
check_empty "libneap has no files of kernels, formats, viz and io" "$(astray "$source_root")"
check_empty "every source file has its line in a module.am" "$(unlisted "$source_root")"
check_empty "every folder of src is in the table" "$(strangers "$source_root")"
for module in $(printf '%s' "$table" | sed 's/:.*//'); do
  if [ -z "$(module_files "$source_root" "$module")" ]; then
    fail "$module keeps to its borders" "it has no source files"
  else
    check_empty "$module keeps to its borders" "$(trespasses "$source_root" "$module")"
  fi
done

# Test the check itself: it must find the planted violations and nothing else.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/core/deep" "$scratch/src/plan" "$scratch/src/cli" "$scratch/src/new" "$scratch/viz"
cat >"$scratch/src/core/a.c" <<'END'
#include <stdio.h>
#include <neap/neap.h>
#include "core/a.h"
#include "model/problem.h"
#include <neap/neap-io.h>
  #  include   <model/problem.h>
#include "a.h"
END
printf '#include "core/deep/b.h"\n#include "neap-tool.h"\n#include "neap/proof.h"\n#include "plan/deep/plan.h"\n' >"$scratch/src/core/deep/b.c"
echo '#include "tune/tune.h"' >"$scratch/src/plan/verify.c"
printf '#include <jansson.h>\n#include <neap/neap-io.h>\n#include "core/error.h"\n' >"$scratch/src/cli/main.c"
printf '#include "plan/plan.h"\n#include "cli/help.h"\n' >"$scratch/viz/svg.c"
found=$(
  strangers "$scratch"
  for module in core plan cli viz; do trespasses "$scratch" "$module"; done
)
planted='src/new has no line in the table
src/core/a.c:4: includes model/problem.h
src/core/a.c:5: includes neap/neap-io.h
src/core/a.c:6: includes model/problem.h
src/core/a.c:7: a.h is not written as MODULE/FILE
src/core/deep/b.c:4: includes plan/deep/plan.h
src/plan/verify.c:1: includes tune/tune.h
src/cli/main.c:3: includes core/error.h
viz/svg.c:2: includes cli/help.h'
if [ "$found" = "$planted" ]; then
  pass "planted trespasses are found"
else
  fail "planted trespasses are found" "$found"
fi
tap_end
