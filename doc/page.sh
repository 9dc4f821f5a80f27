#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Copies the pictures and the table of keys that tests/page/guide.mjs made in the build folder into the guide
# doc/page.md.
#
#     page.sh BUILD

set -e
doc=$(cd "$(dirname "$0")" && pwd)
made=${1:?the build folder}/tests/page/guide

mkdir -p "$doc/pictures"
cp "$made"/*.png "$doc/pictures"
{
  sed '/^<!-- keys -->$/q' "$doc/page.md"
  cat "$made/keys.md"
  sed -n '/^<!-- end of keys -->$/,$p' "$doc/page.md"
} >"$made/page.md"
cp "$made/page.md" "$doc/page.md"
