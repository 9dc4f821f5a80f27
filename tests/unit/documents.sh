#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the documentation and the comments refer to exists: links in Markdown, files in doc/, and rules in them.

here=$(dirname "$0")
. "$here/../tap.sh"
source_root=${NEAP_SOURCE:-$here/../..}
cd "$source_root" || exit 1

# documents: all Markdown files of the project
documents() {
  find . -name '*.md' -type f | sed 's/^\.\///' | grep -v -E '^(build|fuzzers|neap-[0-9])|/_' | LC_ALL=C sort
}

# links FILE: the relative links of a Markdown file, without anchors
links() {
  grep -o -E '\]\([^)]*\)' "$1" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -E '^($|[a-z]+:)'
}

# broken_links FILE
broken_links() {
  links "$1" | while IFS= read -r link; do
    [ -e "$(dirname "$1")/$link" ] || echo "$link"
  done
}

# citations: "FILE doc/NAME.md" for every mention of a document in sources, tests and vectors
citations() {
  grep -r -o -E 'doc/[a-z-]+\.md' src viz include tests examples |
    sed 's/^\([^:]*\):/\1 /' | LC_ALL=C sort -u
}

# missing_documents: the citations of documents that do not exist
missing_documents() {
  citations | while read -r file document; do
    [ -e "$document" ] || echo "$file cites $document"
  done
}

# missing_rules: the rules (R1, A1, ...) named on a line with doc/tuner.md that this file does not define
missing_rules() {
  grep -r -h -F 'doc/tuner.md' src viz include tests | grep -o -w -E '[RA][0-9]+' | LC_ALL=C sort -u |
    while read -r rule; do
      grep -q -F "**$rule**" doc/tuner.md || echo "$rule"
    done
}

for document in $(documents); do
  check_empty "links of $document" "$(broken_links "$document")"
done
check_empty "cited documents exist" "$(missing_documents)"
check_empty "cited rules exist" "$(missing_rules)"
check "doc/tuner.md defines R1 to R39" test "$(grep -c -E '^\* \*\*R[0-9]+\*\*' doc/tuner.md)" -eq 39
tap_end
