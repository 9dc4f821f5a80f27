#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # Markdown
# Documents, examples, versions and the schema are right: what the documentation and the comments refer to exists;
# examples/ is what its generators make; the examples of relations do what their README shows; all files state one
# version; and the JSON Schema lists the keys that the program reads, and accepts what it writes.

. "$(dirname "$0")/../tap.sh"
make_work
put_in_path
examples=$source_root/examples

# site: makes the documentation as HTML pages; prints links that lead nowhere
site() {
  "$1" "$source_root/doc/site/site.py" "$source_root" "$work/html" "$build/neap.1" "$build/neap-planning.7" \
    "$build/neap-formats.5" >"$work/site" 2>&1 || cat "$work/site"
}

# finds_link PYTHON SOURCE: whether the link to nowhere.md is reported
finds_link() {
  "$1" "$source_root/doc/site/site.py" "$2" "$2/html" | grep 'nowhere.html: there is no such page'
}

# python_with MODULE: a Python that has a module
python_with() {
  for python in python3 /usr/bin/python3; do
    "$python" -c "import $1" 2>/dev/null && echo "$python" && return
  done
}

# ---------------------------------------------------------------- links, files in doc/, and rules in them

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

# ---------------------------------------------------------------- generated examples

mkdir "$work/made"

# unlike KIND: prints the files of that kind that only one side has
unlike() {
  { (cd "$work/made" && ls ./*."$1"); (cd "$examples" && ls ./*."$1"); } | sort | uniq -u
}

check "the generator runs" "$build_root/networks" --all "$work/made"
check "the generator of models runs" "$build_root/models" --all "$work/made"
for made in "$work/made"/*.csv "$work/made"/*.ops "$work/made"/*.dot "$work/made"/*.tflite; do
  check "${made##*/} is up to date" cmp "$made" "$examples/${made##*/}"
done
check "the pictures can be drawn" sh "$examples/pictures.sh" "$examples" "$work/made"
for made in "$work/made"/*.svg; do
  check "${made##*/} is up to date" cmp "$made" "$examples/${made##*/}"
done
check "relations/together.svg is up to date" cmp "$work/made/relations/together.svg" "$examples/relations/together.svg"
"$build_root/examples/hosts/c/pack" >"$work/made/arena.h"
check "hosts/c/arena.h is up to date" cmp "$work/made/arena.h" "$examples/hosts/c/arena.h"
check_empty "every .csv has its network" "$(unlike csv)"
check_empty "every .ops has its network" "$(unlike ops)"
check_empty "every .dot has its network" "$(unlike dot)"
check_empty "every .tflite has its model" "$(unlike tflite)"
for model in least nibbles; do
  "$build_root/models" $model >"$work/made/$model"
  check "the tests' model $model is up to date" cmp "$work/made/$model" "$source_root/tests/fuzz/corpus/tflite/$model.tflite"
done

# rows FILE: prints the sorted names, lifetimes and sizes of the buffers to plan
rows() {
  neap convert "$1" -o - -q | tail -n +2 | cut -d, -f1-4 | LC_ALL=C sort
}

for graph in "$examples"/*.dot; do
  check "${graph##*/} has the tensors of its .csv" test "$(rows "$graph")" = "$(rows "${graph%.dot}.csv")"
done

# ---------------------------------------------------------------- examples of relations

mkdir -p "$work/shown/examples"
ln -s "$examples/relations" "$work/shown/examples/relations"
cd "$work/shown" || exit 1

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

# ---------------------------------------------------------------- versions

# refuses FILE EXPRESSION WORDS: whether the release is refused with these words if sed changes this file
refuses() {
  rm -rf "$work/source" && mkdir -p "$work/source/build-aux" "$work/source/debian" "$work/source/include/neap" || return
  for file in build-aux/release.sh build-aux/setup.sh debian/changelog include/neap/neap.h NEWS; do
    cat "$source_root/$file" >"$work/source/$file" || return
  done
  sed "$2" "$source_root/$1" >"$work/source/$1" && ! sh "$work/source/build-aux/release.sh" 2>"$work/refused" &&
    grep -F "$3" "$work/refused"
}

check "the versions agree" sh "$source_root/build-aux/release.sh" --versions
check "another version in debian/changelog is refused" refuses debian/changelog '1s/(.*)/(9.8.7)/' \
  'the versions differ: '
check "another version in NEWS is refused" refuses NEWS 's/^[0-9][0-9.]* (.*)$/9.8.7 (2000-01-01)/' '9.8.7 NEWS'
check "another text of the version is refused" refuses include/neap/neap.h 's/^\(#define NEAP_VERSION_STRING "\).*/\19.8.7"/' \
  '9.8.7 NEAP_VERSION_STRING'
check "an unreleased version is refused" refuses debian/changelog '1s/) .*;/) UNRELEASED;/' 'debian/changelog says UNRELEASED'

# ---------------------------------------------------------------- the schema

schema=$source_root/doc/neap-problem.schema.json

# compare MODE ARGUMENT...
compare() {
  python3 "$source_root/tests/repo/schema.py" "$@" 2>&1
}

validate_documents() {
  neap convert "$examples/mobilenet_v2.csv" -o "problem.json"
  neap convert "$examples/keyword.tflite" --target tflm -o "runtime.json"
  neap plan "$examples/unet.csv" -q --engine tune --max-rounds 3 --keep-layouts -o "plan.json"
  neap plan "$examples/unet.csv" -q --engine tflite-gpu-greedy-best -o "objects.json"
  neap plan "$examples/unet.dot" -q --schedule min-peak --base 0x1000 -o "graph.json"
  neap convert "$source_root/tests/support/data/relations.json" -o "relations.json"
  neap gen trace --count 20000 -o "many.csv"
  neap plan "many.csv" -q --engine sort --max-rounds 1 --html "many.html"
  sed -n '/id="plan"/,/<\/script>/p' "many.html" | sed '1d;s/<.*//' | base64 -d | gzip -dc >"columns.json"
  neap plan "$examples/unet.dot" --json -v --engine tune --schedule min-peak --recompute --max-time 1.1 >"times.json"
  neap plan "$examples/unet.csv" --json --capacity 1K >"none.json" 2>/dev/null
  neap plan "$examples/keyword.tflite" --json --target tflm --split --overlap >"split.json"
  for example in "$source_root"/examples/relations/*.json; do
    neap plan "$example" --json >"relations-${example##*/}" 2>/dev/null
  done
  check_empty 'what the program writes is valid' "$(compare validate "$schema" ./*.json)"
  check_empty 'examples of relations are valid' "$(compare validate "$schema" "$source_root"/tests/support/data/*relations*.json \
    "$source_root"/tests/support/data/conflicts.json)"

  mkdir bad
  sed 's/"exclusions"/"exclusion"/' "$source_root/tests/support/data/relations.json" >"bad/key.json"
  sed 's/"type": "ADD"/"typ": "ADD"/' "runtime.json" >"bad/operator.json"
  sed 's/"cost": 64/"cost": -1/' "$source_root/tests/support/data/relations.json" >"bad/cost.json"
  sed 's/"reuse"\]/"use"]/' "$source_root/tests/support/data/relations.json" >"bad/term.json"
  check_empty 'what is malformed is invalid' "$(compare reject "$schema" "bad"/*.json)"
}

# ---------------------------------------------------------------- the site

build=$(dirname "$NEAP_PROGRAM")
# long_sentences: sentences of more than 30 words in README, in the newest section of NEWS, and in help
long_sentences() {
  python3 - "$source_root" <<'end'
import re
import subprocess
import sys
from pathlib import Path


def helped(*words):
    return subprocess.run(["neap", "help", *words], capture_output=True, text=True, check=True).stdout


texts = {name: (Path(sys.argv[1]) / name).read_text(encoding="utf-8") for name in ("README.md", "NEWS")}
texts["README.md"] = re.sub(r"```.*?```|<!--.*?-->|^\|.*?$", "", texts["README.md"], flags=re.S | re.M)
texts["NEWS"] = re.split(r"\n(?=\d|After )", texts["NEWS"])[1]
for command in re.findall(r"^  ([a-z]+) ", helped().split("Options:")[0], re.M):
    texts[f"help {command}"] = helped(command)
for name, text in texts.items():
    for sentence in re.split(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?= *[-*|] )|\n(?=  +-)", text):
        if len(sentence.split()) > 30:
            print(f"{name}: {' '.join(sentence.split())}")
end
}

check_empty 'no sentence of README, NEWS and help has more than 30 words' "$(long_sentences 2>&1)"

# unwanted_phrases: where documents, headers and comments use words that style forbids: "too", "besides", "at once" and
# "at least" at the end of a sentence, "least cut" for minimum cut, the "height" of an order for its peak, "mend" for fix
unwanted_phrases() {
  (cd "$source_root" && find src viz include doc bench python [A-Z]* \( -name '*.[ch]' -o -name '*.js' -o -name '*.py' \
    -o -name '*.md' -o -name '*.in' -o -name NEWS \) ! -path 'bench/library/*' ! -path 'python/third-party/*' -exec grep -nE \
    ' (too|besides|at once|at least)[.;:]( |$|\*)|[Ll]east cut|[Hh]eight of (an|the) order|\<[Mm]end(s|ed|ing)?\>' {} +)
}

check_empty 'documents and comments use the words of the style' "$(unwanted_phrases | grep -v tflite-arena-mended)"

python=$(python_with markdown)
if [ -n "$python" ] && command -v mandoc >/dev/null; then
  check_empty 'the site has no broken links' "$(site "$python")"
  check 'the site has a reference of the C interface' grep -q neap_solve "$work/html/reference/c.html"
  mkdir "$work/broken" && cp -r "$source_root/doc" "$source_root/include" "$source_root/python" "$source_root"/*.md \
    "$source_root/NEWS" "$work/broken" && echo '[nowhere](nowhere.md)' >>"$work/broken/README.md"
  check 'a broken link is found' finds_link "$python" "$work/broken"
else
  skip 'the site' 'python3-markdown or mandoc is not installed'
fi

mkdir "$work/written" && cd "$work/written" || exit 1
if ! python3 -c 'import json' 2>/dev/null; then
  skip 'the schema' 'no python3'
else
  check_empty 'the schema has the keys that are read' "$(compare keys "$NEAP_PROGRAM" "$schema")"
  check_empty 'the schema has the keys of reports' "$(compare written "$source_root/src/files/json/report.c" "$schema")"
  if python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null; then
    validate_documents
  else
    skip 'documents are validated' 'no python3-jsonschema'
  fi
fi
tap_end
