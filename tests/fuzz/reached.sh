#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the readers once on each input that libFuzzer has kept: the fewest small ones with the coverage of all.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
command -v xz >/dev/null || skip_all "what was reached" "there is no xz"
make_work

unpack() {
  mkdir "$work/reached" && xz -dc "$here/corpus/reached.tar.xz" | tar -x -C "$work/reached"
}

# read_all: prints how many files were read
read_all() {
  NEAP_SOURCE=$work "$build_root/tests/fuzz/test_readers" reached
}

check "the inputs are unpacked" unpack
check "each is read, or refused with one message" read_all

tap_end
