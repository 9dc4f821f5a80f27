#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh FOLDER: the page of viz/page as C: all before the data block and all behind it, each an array of bytes.
# In page.html, a line "@include FILE" stands for that file and "@data" for the data block.
set -eu
LC_ALL=C
export LC_ALL

folder=$1
awk=${AWK:-awk}

# joined FOLDER: the page, a line that is just @data in it
joined() {
  "$awk" -v folder="$1" '
    $1 == "@include" {
      file = folder "/" $2
      while ((got = (getline line < file)) > 0)
        print line
      if (got < 0) {
        print "embed.sh: cannot read " file | "cat >&2"
        exit 1
      }
      close(file)
      next
    }
    { print }' "$1/page.html"
}

# array NAME: standard input as an array of bytes
array() {
  echo "const unsigned char $1[] = {"
  od -An -v -tu1 | sed 's/^ *//; s/  */,/g; s/$/,/'
  echo "};"
  echo "const size_t $1_size = sizeof $1;"
}

page=$(joined "$folder")
echo "/* Made by viz/page/embed.sh. */"
echo '#include "viz/page.h"'
echo
printf '%s\n' "$page" | sed '/^@data$/,$d' | array page_before
echo
printf '%s\n' "$page" | sed '1,/^@data$/d' | array page_behind
