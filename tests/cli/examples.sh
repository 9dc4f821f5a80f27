#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the examples of help, of README and of the guides, and compares their output with that in the documents.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"

make_work
put_in_path
unset NO_COLOR COLUMNS

# run_examples COMMAND NAME: runs the lines that COMMAND prints in order, in a copy of the folder of examples
run_examples() {
  rm -rf "$work/examples"
  mkdir "$work/examples"
  for kind in csv ops dot tflite; do
    cp "$source_root"/examples/*."$kind" "$work/examples" || return
  done
  cd "$work/examples" || return
  "$1" >"$work/lines"
  while IFS= read -r line; do
    check "$2: $line" sh -c "$line" </dev/null
  done <"$work/lines"
  cd "$here" || exit 1
}

help_examples() {
  for command in $(neap --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z][a-z]*\) .*/\1/p'); do
    neap help "$command" | sed -n '/^Examples:/,$s/^  \(neap \)/\1/p'
  done
}

# document_blocks FILE: writes the sh blocks of a document to N.sh in the current folder, and the text block that
# follows one, its output, to N.out
document_blocks() {
  awk '/^```sh$/ { file = ++block ".sh"; output = block ".out"; next }
    /^```text$/ { file = output; next }
    /^```$/ { file = ""; next }
    /^```/ { file = output = ""; next }
    file != "" { print > file }' "$1"
}

# untimed FILE: the text without times, the only numbers with three decimals, which differ from run to run
untimed() {
  sed 's/ *[0-9][0-9]*\.[0-9][0-9][0-9] / TIME /g' "$1"
}

# run_block N: runs a block as in a checkout after the quick start, and compares its output
run_block() {
  (cd "$work/checkout" && LC_ALL=C.UTF-8 sh -e "$work/blocks/$1.sh" >"$work/blocks/$1.got" 2>&1) || {
    cat "$work/blocks/$1.got"
    return 1
  }
  [ -e "$work/blocks/$1.out" ] || return 0
  untimed "$work/blocks/$1.out" >"$work/blocks/expected" && untimed "$work/blocks/$1.got" >"$work/blocks/got" &&
    diff "$work/blocks/expected" "$work/blocks/got"
}

# make_checkout: a folder with what the commands in documents use
make_checkout() {
  [ ! -d "$work/checkout" ] || chmod -R u+w "$work/checkout" # as copies from a released source may lack it
  rm -rf "$work/checkout" && mkdir -p "$work/checkout/examples" "$work/checkout/build" || return
  for kind in csv ops dot tflite; do
    cp "$source_root"/examples/*."$kind" "$work/checkout/examples" || return
  done
  cp -R "$source_root/examples/relations" "$work/checkout/examples" || return
  ln -s "$work/bin/neap" "$work/checkout/build/neap"
  ln -s "$(cd "$source_root" && pwd)/bench" "$work/checkout/bench"
  ln -s "$(cd "$source_root" && pwd)/doc" "$work/checkout/doc"
}

# run_document NAME: runs the blocks of a document in order
run_document() {
  rm -rf "$work/blocks" && mkdir "$work/blocks" && make_checkout || return
  cd "$work/blocks" && document_blocks "$source_root/$1" && cd "$here" || return
  number=1
  while [ -e "$work/blocks/$number.sh" ]; do
    check "$1: $(head -n 1 "$work/blocks/$number.sh")" run_block "$number"
    number=$((number + 1))
  done
}

# run_documents NAME...: each has examples, except for the guide to Python, whose examples tests/api/python runs
run_documents() {
  for document in "$@"; do
    run_document "$document"
    [ "$document" = doc/guide/python.md ] || check "$document has examples" test "$number" -gt 1
  done
}

# guides: the names of the guides
guides() {
  (cd "$source_root" && ls doc/guide/*.md)
}

check "help has examples" test -n "$(help_examples)"
run_examples help_examples "example of help"
# shellcheck disable=SC2046 # names without spaces
run_documents README.md $(guides)
tap_end
