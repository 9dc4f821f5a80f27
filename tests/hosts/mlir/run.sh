#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rewrites MLIR with neap.hosts.mlir: the result verifies, and prints what the original prints, whether it
# is written in the pretty or in the generic form. Skipped unless mlir-opt (or mlir-opt-N) is in PATH and configure was
# run with --enable-python; programs run only if the runner and its libraries are also there.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
python=${NEAP_PYTHON:-}
PYTHONPATH=${NEAP_PYTHONPATH:-} PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# newest NAME...: the first tool of these names that is in PATH, or NAME-N with the largest N
newest() {
  for tool; do
    command -v "$tool" && return
    for version in 24 23 22 21 20 19 18; do
      command -v "$tool-$version" && return
    done
  done
}

opt=$(newest mlir-opt)
runner=$(newest mlir-runner mlir-cpu-runner)
if [ -z "$python" ]; then
  skip_all "MLIR" "configure was run without --enable-python"
elif [ -z "$opt" ]; then
  skip_all "MLIR" "mlir-opt is not in PATH (Debian: apt-get install mlir-19-tools)"
fi
make_work

# libraries: the runner's libraries, which lie beside its folder, separated by commas
libraries() {
  folder=$(dirname "$(readlink -f "$opt")")/../lib
  for name in libmlir_runner_utils libmlir_c_runner_utils; do
    find "$folder" -name "$name.so*" 2>/dev/null | head -n 1
  done | paste -s -d , -
}
shared=$(libraries)
[ -n "$shared" ] || runner=

# lower IN OUT: from linalg on buffers to LLVM's dialect
lower() {
  "$opt" "$1" -o "$2" -convert-linalg-to-loops -convert-complex-to-standard -convert-vector-to-scf \
    -convert-scf-to-cf -expand-strided-metadata -lower-affine -convert-vector-to-llvm -convert-complex-to-llvm \
    -convert-arith-to-llvm -finalize-memref-to-llvm -convert-func-to-llvm -convert-index-to-llvm \
    -convert-cf-to-llvm -reconcile-unrealized-casts
}

# print_of FILE: what its function main prints, without addresses
print_of() {
  lower "$1" "$work/lowered.mlir" &&
    "$runner" "$work/lowered.mlir" -e main --entry-point-result=void -shared-libs="$shared" >"$work/output" &&
    sed 's/base@ = [^ ]*//' "$work/output"
}

# rewrites IN OUT ARENAS: the result has as many arenas, and verifies
rewrites() {
  "$python" -m neap.hosts.mlir --verbose "$1" -o "$2" && "$opt" "$2" -o "$work/verified.mlir" &&
    [ "$(grep -c '= memref.alloc() {alignment = [0-9]* : i64} : memref<[0-9]*xi8' "$2")" -eq "$3" ]
}

# alike FILE FILE: they print the same text, which is not empty
alike() {
  print_of "$1" >"$work/first" && print_of "$2" >"$work/second" && [ -s "$work/first" ] &&
    cmp "$work/first" "$work/second"
}

# examine NAME FILE ARENAS
examine() {
  check "$1 is rewritten" rewrites "$2" "$work/new.mlir" "$3"
  check "$1 has a generic form" "$opt" -mlir-print-op-generic "$2" -o "$work/generic.mlir"
  check "$1 is rewritten in its generic form" rewrites "$work/generic.mlir" "$work/new_generic.mlir" "$3"
  if [ -z "$runner" ]; then
    skip "$1 prints the same" "there is no mlir-cpu-runner with its libraries (Debian: libmlir-19)"
    return
  fi
  check "$1 prints the same" alike "$2" "$work/new.mlir"
  check "$1 prints the same after its generic form was rewritten" alike "$2" "$work/new_generic.mlir"
}

# again FILE: rewriting a rewritten file changes nothing
again() {
  "$python" -m neap.hosts.mlir "$1" -o "$work/again.mlir" && cmp "$1" "$work/again.mlir"
}

examine "a chain of layers" "$here/chain.mlir" 1
check "a second run changes nothing" again "$work/new.mlir"
examine "a program with loops and branches" "$here/blocks.mlir" 5
check "memory spaces, layouts and ownership are heeded" rewrites "$here/spaces.mlir" "$work/spaces.mlir" 3
if "$opt" -one-shot-bufferize=bufferize-function-boundaries -inline -canonicalize -cse -buffer-deallocation \
  "$here/tensors.mlir" -o "$work/buffers.mlir" 2>"$work/messages"; then
  examine "a program that was on tensors" "$work/buffers.mlir" 1
else
  skip "a program that was on tensors" "this mlir-opt has no pass buffer-deallocation"
fi
"$python" "$here/random_programs.py" 12 >"$work/random.mlir"
arenas=$("$python" -m neap.hosts.mlir "$work/random.mlir" -o "$work/new.mlir" 2>&1 | grep -c ' in an arena of ')
examine "a module of random functions" "$work/random.mlir" "$arenas"
tap_end
