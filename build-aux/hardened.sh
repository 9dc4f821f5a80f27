#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/hardened.sh FILE...: whether programs and libraries are position-independent, have no run path, executable data
# or writable function tables, and detect a smashed stack.  Prints the protections that are missing; needs readelf and objdump.
set -u

# watches_stack FILE: whether it calls the C library when a stack is smashed, or a function of its own, as programs that
# Zig links may.  Such a function may have lost its name, but x86 code reads the canary at a fixed address.
watches_stack() {
  readelf -W --dyn-syms "$1" | grep -q __stack_chk_fail || objdump -d --no-show-raw-insn "$1" | grep -q '%fs:0x28,'
}

# faults FILE: prints its faults, one per line
faults() {
  headers=$(readelf -W -h -l -d "$1") || return
  case $headers in *"Type: "*DYN*) ;; *) echo "its addresses are fixed" ;; esac
  case $headers in *"(RUNPATH)"* | *"(RPATH)"*) echo "it looks for libraries in a folder of its own" ;; esac
  case $headers in *GNU_RELRO*) ;; *) echo "its tables of functions can be written to" ;; esac
  case $headers in *"There is no dynamic section"* | *BIND_NOW* | *"Flags: "*NOW*) ;; *) echo "functions are bound late" ;; esac
  echo "$headers" | grep -q 'GNU_STACK.* RWE' && echo "its stack can be executed"
  case $headers in
    *"There is no dynamic section"*) ;; # one file without symbols does not tell
    *) watches_stack "$1" || echo "a smashed stack goes unnoticed" ;;
  esac
}

failed=0
for file in "$@"; do
  list=$(faults "$file") || exit 2
  [ -z "$list" ] || {
    echo "$list" | sed "s|^|$file: |"
    failed=1
  }
done
exit $failed
