#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of relations: examples/relations/README.md shows what neap does with each, to the byte.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
source_root=$(cd "${NEAP_SOURCE:-$here/../..}" && pwd) || exit 1
program=$(cd "${NEAP_BUILD:-.}" && pwd)/neap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/examples"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >"$work/bin/neap"
chmod +x "$work/bin/neap"
ln -s "$source_root/examples/relations" "$work/examples/relations"
PATH=$work/bin:$PATH
LC_ALL=C
export PATH LC_ALL
cd "$work" || exit 1

# Writes the blocks of commands to N.sh, the output that follows each to N.out, and the line of offsets to N.offsets.
awk '/^```sh$/ { file = ++block ".sh"; next }
  /^```text$/ { file = block ".out"; next }
  /^```/ { file = ""; next }
  /^Offsets: / { print > (block ".offsets"); next }
  file != "" { print > file }' examples/relations/README.md

# run_block N: the commands print what the README shows
run_block() {
  sh -e "$1.sh" >"$1.got" 2>&1 && { [ ! -e "$1.out" ] || diff "$1.out" "$1.got"; }
}

# offsets PLAN: the offsets of a plan as the README lists them
offsets() {
  sed -n 's/^    {"name": "\([^"]*\)".* "offset": \([0-9]*\),.*/`\1` \2/p' "$1" |
    awk '{ line = line (NR > 1 ? ", " : "Offsets: ") $0 } END { print line "." }'
}

# shows_offsets N: the plan that the block makes has the offsets in the README
shows_offsets() {
  plan=$(sed -n 's/^neap plan .* -o \([^ ]*\)$/\1/p' "$1.sh")
  [ "$(offsets "$plan")" = "$(cat "$1.offsets")" ] || { offsets "$plan"; return 1; }
}

# is_optimal FILE: the plan is proven optimal, and sound
is_optimal() {
  neap plan "$1" -q -o optimal.json && neap check optimal.json && grep -q '"status": "optimal"' optimal.json
}

number=1
while [ -e "$number.sh" ]; do
  check "README.md: $(head -n 1 "$number.sh")" run_block "$number"
  [ ! -e "$number.offsets" ] || check "README.md: offsets of block $number" shows_offsets "$number"
  number=$((number + 1))
done
check "README.md has nine examples or more" test "$number" -gt 9
for example in examples/relations/*.json; do
  name=${example##*/}
  check "README.md mentions $name" grep -q -F "$name" examples/relations/README.md
  check "$name has a proven plan" is_optimal "$example"
done
tap_end
