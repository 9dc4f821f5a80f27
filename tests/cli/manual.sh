#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual: its pages are well-formed, document every command, option, topic and JSON key, and their examples work.
set -u

. "$(dirname "$0")/../tap.sh"
make_work
mkdir "$work/examples"
put_in_path
cd "$work" || exit 1

pages='neap.1 neap-formats.5 neap-planning.7'

# make_page PAGE
make_page() {
  sh "$source_root/doc/manual.sh" neap "$source_root/doc/$1.in" >"$1"
}

for page in $pages; do
  check "$page is generated" make_page "$page"
done
# The text without roff's requests and escapes.
# shellcheck disable=SC2086 # words
cat $pages | sed 's/^\.[A-Z]* *//; s/\\f.//g; s/\\-/-/g; s/\\(aq/'"'"'/g' >text

# ---------------------------------------------------------------- markup

# quiet COMMAND...: succeeds and prints no warnings
quiet() {
  "$@" >/dev/null 2>warnings && [ ! -s warnings ] || {
    cat warnings
    return 1
  }
}

# check_with TOOL NAME COMMAND...: a check that is skipped without the tool
check_with() {
  tool=$1
  shift
  if command -v "$tool" >/dev/null; then
    check "$@"
  else
    skip "$1" "there is no $tool"
  fi
}

# long_lines PAGE: escape sequences and backspaces in nroff's output do not count as columns
long_lines() {
  groff -man -Tascii -P-c -P-b -P-u "$1" | awk 'length > 80'
}

# unreplaced PAGE: parts that were not filled in
unreplaced() {
  grep -n '^@\|@version@' "$1" | grep -v '\.\\"'
}

# sections PAGE NAME...: the names without a section in the page
sections() {
  page=$1
  shift
  for section in "$@"; do
    grep -q -x "\.SH $section" "$page" || echo "$section"
  done
}

for page in $pages; do
  check_empty "all parts of $page are filled in" "$(unreplaced "$page")"
  check_with groff "groff has no complaint about $page" quiet groff -man -ww -Tutf8 "$page"
  check_with man "man has no complaint about $page" quiet man --warnings -l "./$page"
  check_with mandoc "mandoc has no complaint about $page" mandoc -T lint -W warning "$page"
  if command -v groff >/dev/null; then
    check_empty "$page fits 80 columns" "$(long_lines "$page")"
  fi
  check_empty "$page has the sections that every page has" "$(sections "$page" NAME DESCRIPTION 'SEE ALSO')"
done
check_empty "neap.1 has its sections" "$(sections neap.1 SYNOPSIS COMMANDS OPTIONS 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES)"
check_empty "neap-formats.5 has its sections" "$(sections neap-formats.5 'PROBLEMS AND PLANS' 'GRAPHS AND MODELS' \
  'PICTURES AND PAGES' REPORTS)"
check_empty "neap-planning.7 has its sections" "$(sections neap-planning.7 CONSTRAINTS 'GRAPHS AND MODELS' ENGINES ORDERS \
  'PLACEMENT RULES' TUNER 'EXACT SEARCH' POOLS 'PLANNERS OF RUNTIMES' CERTIFICATES)"

# ---------------------------------------------------------------- completeness

commands() {
  neap --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z][a-z]*\) .*/\1/p'
}

topics() {
  neap --help | sed -n '/^Help topics:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'
}

# options COMMAND
options() {
  neap "$1" --help-all | sed -n 's/^  [ -].[, ] \(--[a-z-]*\).*/\1/p'
}

undocumented_commands() {
  for command in $(commands); do
    grep -q -x "\.SS neap $command" neap.1 || echo "$command"
    for option in $(options "$command"); do
      grep -q -e "$option\( \|\$\)" text || echo "$command $option"
    done
  done
}

# undocumented_terms TOPIC
undocumented_terms() {
  neap help "$1" | sed -n 's/^  \([^ ]*\).*/\1/p' | while read -r term; do
    grep -q -F -e "$term" text || echo "$term"
  done
}

# keys: every key of the JSON that commands print and write
keys() {
  {
    neap plan unet.csv --json -v
    neap plan unet.csv --json --engine tflite-gpu-naive
    neap plan bert_base.dot --json --schedule min-peak -q -o schedule.json
    neap plan unet.csv -q --engine tune --keep-layouts --base 4096 -o plan.json
    neap plan unet.csv -q --engine tflite-gpu-naive -o objects.json
    neap plan - --capacity 1 --json -q <unet.csv
    neap check unsound.csv --json
    neap info keyword.tflite --json
    neap explain keyword.tflite --json
    neap split branches.tflite --json
    neap fit branches.tflite --arena 3K --json
    neap explain unet.csv --capacity 1M --json
    neap compare unet.csv --json --engine sort,tflite-gpu-greedy-in-order-parallel
    neap sweep unet.csv --json --max-rounds 1,2
    neap sweep unet.csv --json --max-rounds 1,2 --seeds 2
    neap bench unet.csv --json --engine sort
    neap convert unet.csv -o problem.json -q
    cat ./*.json
  } 2>/dev/null | grep -o '"[a-z_]*":' | tr -d '":' | sort -u
}

undocumented_keys() {
  keys >key_list
  [ "$(wc -l <key_list)" -gt 50 ] || echo "few keys are found"
  while read -r key; do
    grep -q -w -e "$key" text || echo "$key"
  done <key_list
}

cp "$source_root"/examples/*.csv "$source_root"/examples/*.ops "$source_root"/examples/*.dot \
  "$source_root"/examples/*.tflite examples
cd examples || exit 1
# shellcheck disable=SC2086 # words
(cd "$work" && mv text $pages examples)
printf 'id,lower,upper,size,offset\na,0,2,4,0\nb,1,3,4,2\n' >unsound.csv
check_empty "every command and option is documented" "$(undocumented_commands)"
for topic in $(topics); do
  check_empty "every term of the topic $topic is documented" "$(undocumented_terms "$topic")"
done
check_empty "every key of JSON output is documented" "$(undocumented_keys)"

# ---------------------------------------------------------------- examples

# The commands between .EX and .EE; those in EXAMPLES are also in help, and run by run.sh.
examples() {
  # shellcheck disable=SC2086 # words
  cat $pages | sed -n '/^\.EX/,/^\.EE/p' | sed 's/\\-/-/g' | grep '^neap '
}

examples >lines
check "there are examples" test -s lines
while IFS= read -r line; do
  check "example: $line" sh -c "$line" </dev/null
done <lines
tap_end
