#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh FOLDER: checks the proofs with Rocq (coqc, 8.16 or later), and makes FOLDER/check-proven, the checker that is
# extracted from them (ocamlopt).  Fails if a theorem rests on anything that is not proven.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cp "$here"/*.v "$here"/check.ml "$1"
cd "$1"
for name in problem bytes load place tree valid check_load grid lowest banks column pairs check_pairs certificate graph moments cut flow check_order check_sets extract; do
  coqc -q -Q . Neap -w -extraction-opaque-accessed "$name.v" >"$name.log" || { cat "$name.log"; exit 1; }
done
theorems=$(grep -c '^Print Assumptions' extract.v)
if [ "$(grep -c '^Closed under the global context' extract.log)" != "$theorems" ]; then
  cat extract.log
  exit 1
fi
ocamlopt -w -a -c checker.mli checker.ml
ocamlopt checker.cmx check.ml -o check-proven
