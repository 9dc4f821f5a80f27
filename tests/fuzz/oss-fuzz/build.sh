#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Called by OSS-Fuzz, which sets SRC, WORK, OUT, CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE: builds the fuzzer in
# $WORK/neap and puts a copy of it named after each reader into $OUT, with seeds, dictionary and shared libraries.

set -eu

source=$SRC/neap
mkdir -p "$WORK/neap" "$OUT/lib"
[ -e "$source/configure" ] || (cd "$source" && ./bootstrap)
cd "$WORK/neap"
"$source/configure" --enable-fuzzers --enable-checks --disable-python --disable-shared
make -j"$(nproc)" CCLD="$CXX" tests/fuzz/fuzzer

# shellcheck disable=SC2016 # $ORIGIN is for the dynamic linker
patchelf --set-rpath '$ORIGIN/lib' tests/fuzz/fuzzer
ldd tests/fuzz/fuzzer | sed -n 's/.* => \(\/.*\) (.*/\1/p' | grep -vE '/(libc|libm|libpthread|libdl|librt|libgcc_s|ld-linux[^/]*)\.so' |
  xargs -I{} cp -L {} "$OUT/lib/"

NEAP_FUZZ_READER='' tests/fuzz/fuzzer -runs=0 2>&1 | sed -n 's/^\([a-z-]* [a-z]*\)$/\1/p' | while read -r reader format; do
  cp tests/fuzz/fuzzer "$OUT/$reader"
  cp "$source/tests/fuzz/words/$format.dict" "$OUT/$reader.dict"
  mkdir -p reached && xz -dc "$source/tests/fuzz/corpus/reached.tar.xz" | tar -x -C reached "$reader"
  zip -q -j "$OUT/${reader}_seed_corpus.zip" "$source/tests/fuzz/corpus/$format"/* reached/"$reader"/*
done
