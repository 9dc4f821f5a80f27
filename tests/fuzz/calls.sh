#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random sequences of calls of the API, and the traces in the corpus.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
calls=$build_root/tests/fuzz/calls
traces=300
[ -z "${NEAP_LONG-}" ] || traces=20000
make_work
cd "$work" || exit 1

for trace in "$here"/corpus/calls/*.trace; do
  check "${trace##*/}" "$calls" replay "$trace"
done
check "$traces random traces" "$calls" run 1 "$traces"

# A trace is drawn, printed and read without change.
"$calls" draw 7 >drawn.trace || exit 1
check "a trace that was printed can be replayed" "$calls" replay drawn.trace
echo 'nonsense 3' >bad.trace
check "a call that does not exist is refused" sh -c '! "$0" replay bad.trace' "$calls"
tap_end
