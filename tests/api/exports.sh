#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the symbols that the shared libraries export and import, according to their symbol tables.

. "$(dirname "$0")/../tap.sh"
libraries="${NEAP_BUILD:-.}/.libs/libneap.so ${NEAP_BUILD:-.}/.libs/libneap-io.so"
names='neap neap-io'
if [ -e "${NEAP_BUILD:-.}/.libs/libneap-models.so" ]; then
  libraries="$libraries ${NEAP_BUILD:-.}/.libs/libneap-models.so"
  names="$names neap-models"
fi
core=${libraries%% *}
LC_ALL=C
export LC_ALL

# headers LIBRARY: its public headers
headers() {
  for header in "$source_root"/include/neap/*.h; do
    case $header in
      */neap-io.h) library=neap-io ;;
      */models.h) library=neap-models ;;
      *) library=neap ;;
    esac
    [ "$library" != "$1" ] || echo "$header"
  done
}

# declared LIBRARY: the names that its headers declare NEAP_API: the word before the first "(" or ";" after that
declared() {
  # shellcheck disable=SC2002,SC2046 # paths of headers
  cat $(headers "$1") | grep -v '^ *#' | tr '\n' ' ' | sed 's/NEAP_API/\n&/g' |
    sed -n 's/^NEAP_API[^(;]*[^A-Za-z0-9_(;]\([A-Za-z0-9_]*\) *[(;].*/\1/p' | sort
}

# exported LIBRARY: its symbols; those that begin with _ belong to the linker and to instrumentation
exported() {
  ${NM:-nm} -D --defined-only "${NEAP_BUILD:-.}/.libs/lib$1.so" | awk 'NF >= 3 && $NF !~ /^_/ { print $NF }' | sort
}

# Symbols that a library must not use, because it never prints, exits or reads the process's state.  (It may write to
# stdout: a file named "-".)
unwelcome='
abort _exit exit quick_exit atexit signal sigaction
printf vprintf puts putchar perror stderr __printf_chk __vprintf_chk err errx warn warnx
rand srand random srandom drand48 strtok setlocale getenv setenv
'
undefined() {
  # shellcheck disable=SC2086 # there are several
  ${NM:-nm} -D --undefined-only $libraries | awk 'NF >= 2 { sub(/@.*/, "", $NF); print $NF }' | sort -u
}

called() {
  undefined | while read -r name; do
    case " $(echo "$unwelcome" | tr '\n' ' ') " in
      *" $name "*) echo "it uses $name" ;;
    esac
  done
}

# Writable objects, except those in every shared object, those that keep the global state of cgraph behind one lock, and
# the formats that libneap-models registers when it is loaded.
writable() {
  # shellcheck disable=SC2086 # there are several
  ${OBJDUMP:-objdump} -t $libraries | awk '
    $NF !~ /^(completed\.[0-9]+|__dso_handle|__TMC_END__|_edata|_end|__bss_start|cgraph_(lock|said|io)|format_family)$/ {
      for (i = 2; i < NF; i++)
        if ($i == ".data" || $i == ".bss" || $i == ".tdata" || $i == ".tbss" || $i == "*COM*")
          if ($NF != $i) print $NF " in " $i
    }'
}

if [ ! -e "$core" ]; then
  skip "exports" "no shared library is built"
  tap_end
  exit 0
fi

# Instrumented code brings names, calls and counters of its own.
if ${NM:-nm} "$core" | grep -q -E ' (__gcov_|__asan_|__ubsan_|__tsan_|__msan_|__llvm_prof)'; then
  instrumented=yes
fi

# unless_instrumented NAME LIST
unless_instrumented() {
  if [ -n "${instrumented-}" ]; then
    skip "$1" "this build is instrumented"
  else
    check_empty "$1" "$2"
  fi
}

# needed: the libraries that the planning library is linked with, other than GSL and the C library
needed() {
  ${OBJDUMP:-objdump} -p "$core" |
    awk '$1 == "NEEDED" && $2 !~ /^(libgsl|libgslcblas|libc|libm|libdl|libpthread|ld-linux)[-.]/ { print $2 }'
}

# slow_to_load: the large libraries that the program is linked with; libraries for a few commands must be opened on demand
slow_to_load() {
  ${OBJDUMP:-objdump} -p "$build_root/neap" | awk '$1 == "NEEDED" { print $2 }' |
    grep -vE '^(lib(gsl|gslcblas|jansson|cgraph|cdt|protobuf-c|z|c|m|dl|pthread)|ld-linux[a-z0-9-]*)\.'
}

# unbilled: which libraries the bill of materials misses, or names although nothing is linked with them.  librsvg is opened
# when the first picture is drawn.
unbilled() {
  # shellcheck disable=SC2086 # there are several
  ${OBJDUMP:-objdump} -p $libraries | sed -n 's/^ *NEEDED *//p' |
    sed -e '/^lib\(c\|m\|dl\|pthread\|neap\|neap-io\)\.so/d;/^ld-/d;/^lib[a-z]*san\./d;/^libgcov/d' -e 's/^libgsl.*/gsl/;s/^lib\(cgraph\|cdt\|gvc\)\..*/graphviz/;s/^libz\..*/zlib/' \
      -e 's/^libjansson.*/jansson/;s/^libprotobuf-c.*/protobuf-c/;s/\.so.*//' | sort -u >"$work/linked"
  sed -n 's/.*"SPDXID": "SPDXRef-\([a-z0-9-]*\)".*/\1/p' "$build_root/neap.spdx.json" | grep -vxE 'neap|librsvg' | sort >"$work/billed"
  diff "$work/linked" "$work/billed"
}

# differences NAME: where the headers and the library of this name disagree
differences() {
  { declared "$1" | sed 's/$/ declared/'; exported "$1" | sed 's/$/ exported/'; } | awk '
    { times[$1, $2]++; names[$1] }
    END {
      for (name in names)
        if (times[name, "declared"] != 1 || times[name, "exported"] != 1)
          print name " is declared " times[name, "declared"] + 0 " times, exported " times[name, "exported"] + 0
    }' | sort
}

# unlisted NAME: where the headers and the list of symbols for Debian disagree
unlisted() {
  list=debian/lib${1}1.symbols
  { declared "$1" | sed 's/$/ declared/'; sed -n 's/^ \([^@]*\)@.*/\1 listed/p' "$source_root/$list"; } | awk -v "list=$list" '
    { times[$1, $2]++; names[$1] }
    END {
      for (name in names)
        if (!times[name, "declared"]) print list " has " name ", which is not declared"
        else if (times[name, "listed"] != 1)
          print list " needs one line \" " name "@Base VERSION\", VERSION being the release that adds it"
    }' | sort
}

for name in $names; do
  check "the headers of lib$name declare something" test -n "$(declared "$name")"
  check_empty "names in the headers of lib$name begin with neap_" "$(declared "$name" | grep -v '^neap_')"
  unless_instrumented "lib$name exports what its headers declare, each name once, nothing else" "$(differences "$name")"
  check_empty "debian/lib${name}1.symbols lists what its headers declare" "$(unlisted "$name")"
done
check_empty "neap-tool.h exports nothing" "$(grep -n NEAP_API "$source_root/src/neap-tool.h")"
unless_instrumented "the libraries never print, exit or read the process's state" "$(called)"
unless_instrumented "the libraries have no mutable globals" "$(writable)"
unless_instrumented "planning needs GSL and the C library alone" "$(needed)"
unless_instrumented "the program starts with small libraries alone" "$(slow_to_load)"
make_work
check_empty "the bill of materials names the libraries that are linked" "$(unbilled)"
tap_end
