#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The example networks and pictures in examples/ are what is made today (`make examples` makes them anew).

here=$(dirname "$0")
. "$here/../tap.sh"
examples=${NEAP_SOURCE:-$here/../..}/examples
generator=${NEAP_BUILD:-.}/networks
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# unlike KIND: the files of that kind which only one side has
unlike() {
  { (cd "$work" && ls ./*."$1"); (cd "$examples" && ls ./*."$1"); } | sort | uniq -u
}

check "the generator runs" "$generator" --all "$work"
for made in "$work"/*.csv "$work"/*.ops; do
  check "${made##*/} is up to date" cmp "$made" "$examples/${made##*/}"
done
check "the pictures can be drawn" sh "$examples/pictures.sh" "$examples" "$work"
for made in "$work"/*.svg; do
  check "${made##*/} is up to date" cmp "$made" "$examples/${made##*/}"
done
check_empty "every .csv has its network" "$(unlike csv)"
check_empty "every .ops has its network" "$(unlike ops)"
tap_end
