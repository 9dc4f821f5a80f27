#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans every problem of a folder without and with a certificate, checks the certificate against the plan, and prints
# what each step costs.
#
#     certificates.sh FOLDER [OPTION...]        options are those of neap plan; NEAP_PROGRAM names the program

neap=${NEAP_PROGRAM:-build/neap}
folder=${1:?usage: certificates.sh FOLDER [OPTION...]}
shift
checker=$(dirname "$0")/../doc/check-certificate.py
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...: runs a command, and prints how long it took
seconds() {
  before=$(date +%s%N)
  "$@" >"$work/out" 2>&1
  echo "$(($(date +%s%N) - before))" | awk '{ printf "%.2f", $1 / 1e9 }'
}

printf '%-9s %8s %8s %8s %10s  %s\n' verdict plan with check bytes problem
for file in "$folder"/*.csv "$folder"/*.json; do
  [ -e "$file" ] || continue
  rm -f "$work/proof.cert"
  plain=$(seconds "$neap" plan "$file" -q "$@")
  proven=$(seconds "$neap" plan "$file" -q "$@" -o "$work/plan.json" --certificate "$work/proof.cert")
  verdict=none checked=- bytes=-
  if [ -e "$work/proof.cert" ]; then
    checked=$(seconds python3 "$checker" "$work/proof.cert" "$work/plan.json")
    verdict=$(sed 's/:.*//' "$work/out" | tail -n 1)
    bytes=$(($(wc -c <"$work/proof.cert")))
  fi
  printf '%-9s %8s %8s %8s %10s  %s\n' "$verdict" "$plain" "$proven" "$checked" "$bytes" "$(basename "$file")"
done | awk '
  { print; accepted += $1 == "accepted"; plan += $2; proven += $3; checked += $4 }
  END { printf "%d problems, %d certificates accepted: %.2f s without, %.2f s with, %.2f s to check\n",
    NR, accepted, plan, proven, checked }'
