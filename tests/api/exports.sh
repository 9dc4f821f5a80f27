#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the shared library shows to others and what it asks of them, read from its symbol tables.

here=$(dirname "$0")
. "$here/../tap.sh"
source_root=${NEAP_SOURCE:-$here/../..}
library=${NEAP_BUILD:-.}/.libs/libneap.so
LC_ALL=C
export LC_ALL

# What neap.h declares NEAP_API: the name before the first "(" or ";" behind it.
declared() {
  grep -v '^ *#' "$source_root/include/neap/neap.h" | tr '\n' ' ' | sed 's/NEAP_API/\n&/g' |
    sed -n 's/^NEAP_API[^(;]*[^A-Za-z0-9_(;]\([A-Za-z0-9_]*\) *[(;].*/\1/p' | sort
}

# Names that begin with _ belong to the linker and to instrumentation.
exported() {
  ${NM:-nm} -D --defined-only "$library" | awk '$NF !~ /^_/ { print $NF }' | sort
}

# What a library that never prints, exits or reads the process's state has no use for.  (It may write to stdout: a file
# named "-".)
unwelcome='
abort _exit exit quick_exit atexit signal sigaction
printf vprintf puts putchar perror stderr __printf_chk __vprintf_chk err errx warn warnx
rand srand random srandom drand48 strtok setlocale getenv setenv
'
undefined() {
  ${NM:-nm} -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort
}

called() {
  undefined | while read -r name; do
    case " $(echo "$unwelcome" | tr '\n' ' ') " in
      *" $name "*) echo "it uses $name" ;;
    esac
  done
}

# Objects that can be written to, other than those that every shared object has, and those that keep the global state
# of cgraph behind one lock.
writable() {
  ${OBJDUMP:-objdump} -t "$library" | awk '
    $NF !~ /^(completed\.[0-9]+|__dso_handle|__TMC_END__|_edata|_end|__bss_start|cgraph_(lock|said|io))$/ {
      for (i = 2; i < NF; i++)
        if ($i == ".data" || $i == ".bss" || $i == ".tdata" || $i == ".tbss" || $i == "*COM*")
          if ($NF != $i) print $NF " in " $i
    }'
}

if [ ! -e "$library" ]; then
  skip "exports" "no shared library is built"
  tap_end
  exit 0
fi

# Instrumented code brings names, calls and counters of its own.
if ${NM:-nm} "$library" | grep -q -E ' (__gcov_|__asan_|__ubsan_|__tsan_|__msan_|__llvm_prof)'; then
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

# differences: where the header and the library disagree
differences() {
  { declared | sed 's/$/ declared/'; exported | sed 's/$/ exported/'; } | awk '
    { times[$1]++; how[$1] = $2 }
    END { for (name in times) if (times[name] == 1) print name " is " how[name] " only" }' | sort
}

check "the header declares something" test -n "$(declared)"
check_empty "the header's names begin with neap_" "$(declared | grep -v '^neap_')"
unless_instrumented "the library exports what the header declares, nothing else" "$(differences)"
unless_instrumented "the library never prints, exits or looks about" "$(called)"
unless_instrumented "the library has no mutable globals" "$(writable)"
tap_end
