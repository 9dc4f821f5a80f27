#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How public instances are fetched and derived, on small files of the same kinds.

. "$(dirname "$0")/../tap.sh"
bench=$(cd "$source_root/bench" && pwd) || exit 1
program=${NEAP_PROGRAM:-neap}
make_work

# derives NAME KIND ROW...: whether file NAME gives exactly these rows
derives() {
  derived_name=$1 derived_kind=$2
  shift 2
  printf '%s\n' 'id,lower,upper,size' "$@" >"$work/expected"
  check "derive.py $derived_kind" sh -c 'python3 "$1" "$2" "$3" >"$4/got" && diff "$4/expected" "$4/got"' - \
    "$bench/derive.py" "$derived_kind" "$work/$derived_name" "$work"
}

test_derivations() {
  echo '{"problem": {"nodes": {"intervals": [[0, 3], [1, 1], [2, 5]], "usages": [[8, 4], [9], [0, 7]]}}}' |
    gzip >"$work/iopddl.json.gz"
  derives iopddl.json.gz first 0,0,3,8
  derives iopddl.json.gz least 0,0,3,4

  cat >"$work/module.txt" <<'END'
HloModule small

%double.1 (x.2: f32[4]) -> f32[4] {
  %x.2 = f32[4]{0} parameter(0)
  ROOT %add.3 = f32[4]{0} add(%x.2, %x.2)
}

ENTRY %main.4 (a.5: f32[2,2]) -> (f32[4], /*index=1*/pred[]) {
  %a.5 = f32[2,2]{1,0} parameter(0)
  %negate.6 = f32[2,2]{1,0} negate(%a.5)
  %reshape.7 = f32[4]{0} reshape(%negate.6)
  %constant.8 = f32[] constant(0)
  %broadcast.9 = f32[4]{0} broadcast(%constant.8), dimensions={}
  %call.10 = f32[4]{0} call(%reshape.7), to_apply=%double.1
  %tuple.11 = (f32[4]{0}, pred[]) tuple(%call.10, %constant.8)
  %while.12 = (f32[4]{0}, pred[]) while(%tuple.11), condition=%c, body=%b
  %element.13 = f32[4]{0} get-tuple-element(%while.12), index=0
  %multiply.14 = f32[4]{0} multiply(%element.13, %broadcast.9)
  %compare.15 = pred[] compare(%a.5, %a.5), direction=LT
  ROOT %tuple.16 = (f32[4]{0}, pred[]) tuple(%multiply.14, %compare.15)
}
END
  # negate, add (in the call), while (carries the sum, makes the flag), multiply, compare
  derives module.txt hlo 0,0,2,16 1,1,4,16 2,2,3,1 3,3,5,16 4,4,5,1

  cat >"$work/trace.json" <<'END'
{"nodes": [
  {"id": 1, "name": "outer", "parent": 0, "inputs": [[1, 10, 0, 9, 4, "cuda:0"]], "outputs": []},
  {"id": 2, "name": "aten::add", "parent": 1, "inputs": [[1, 10, 0, 8, 4, "cuda:0"]],
    "outputs": [[2, 11, 0, 2, 4, "cuda:0"]]},
  {"id": 3, "name": "aten::size", "parent": 1, "inputs": [[5, 13, 0, 8, 4, "cpu"]], "outputs": []},
  {"id": 4, "name": "aten::empty", "parent": 1, "inputs": [], "outputs": [[3, 11, 0, 4, 4, "cuda:0"]]},
  {"id": 5, "name": "aten::fill_", "parent": 1, "inputs": [[[3, 11, 0, 4, 4, "cuda:0"]]],
    "outputs": [[3, 11, 0, 4, 4, "cuda:0"]]}]}
END
  derives trace.json trace 0,0,1,8 1,0,1,32 2,1,3,16

  cat >"$work/pools.json" <<'END'
{"problem": {"buffers": [
  {"id": 3, "size": 64, "allowed_pools": [1], "live_intervals": [{"lower": 4, "upper": 6}, {"lower": 8, "upper": 9}]},
  {"id": 5, "size": 32, "allowed_pools": [2], "live_intervals": [{"lower": 0, "upper": 6}]}]}}
END
  derives pools.json pool=1 3,4,9,64

  printf '%s\n' 'id,lower,upper,size,alignment,hint' 'b,2,4,40,4,CONV_2D' 'a,0,3,10,4,' 'w,1,3,99,4,DEQUANTIZE' >"$work/table"
  derives table model 0,0,3,10 1,1,3,99 2,2,4,40
  derives table folded 0,0,2,10 1,1,3,40
  check "derive.py rejects an unknown kind" sh -c '! python3 "$1" neither "$2"' - "$bench/derive.py" "$work/table"
}

# host FOLDER: makes a repository there and prints its commit
host() {
  git init -q "$1" && cp "$work/small.csv" "$NEAP_SOURCE/examples/branches.tflite" "$1" &&
    cp "$work/small.csv" "$1/a small.csv" || return
  (
    cd "$1" && git config uploadpack.allowFilter true && git config uploadpack.allowAnySHA1InWant true &&
      git add . && git -c user.name=neap -c user.email=neap@localhost commit -q -m files && git rev-parse HEAD
  )
}

# fetches ARGUMENT...: runs fetch.sh with the tables at hand
fetches() {
  "$bench/fetch.sh" --neap "$program" --tables "$work/tables" "$@" "$work/out"
}

# made: whether both instances are as they should be
made() {
  cmp "$work/small.csv" "$work/out/instances/plain/small.csv" && grep -q '^0,0,' "$work/out/instances/tflite/branches.csv" &&
    cmp "$work/small.csv" "$work/out/instances/plain/spaced.csv" && cmp "$work/tables/sources.txt" "$work/out/sources.txt"
}

test_fetching() {
  printf '%s\n' 'id,lower,upper,size' 'a,0,1,2' >"$work/small.csv"
  commit=$(host "$work/host/some/files")
  mkdir "$work/tables"
  echo "here some/files $commit MIT" >"$work/tables/sources.txt"
  printf '%s\n' '# names' 'plain/small.csv here copy small.csv layout -' 'tflite/branches.csv here model branches.tflite' \
    'plain/spaced.csv here copy a%20small.csv' 'graphs/random.json neap gen=2 randwire order' >"$work/tables/instances.txt"
  check "instances come from a mirror" fetches --from "$work/host"
  check "they are the files of the commit" made
  check "the program makes others" sh -c '"$1" gen randwire --seed 2 -q | cmp - "$2/instances/graphs/random.json"' - \
    "$program" "$work/out"
  rm -rf "$work/out"
  NEAP_BENCH_HOST=file://$work/host
  export NEAP_BENCH_HOST
  check "instances come from a clone" fetches
  check "they are the same" made
  NEAP_BENCH_HOST=file:///nowhere
  check "instances that exist are kept" fetches
  echo 'plain/none.csv here copy none.csv' >>"$work/tables/instances.txt"
  check "a missing file is reported, and the status says so" sh -c '
    "$1" --neap neap --tables "$2" --from "$3" "$4" 2>"$4/messages"
    [ $? -eq 1 ] && grep -q "^missing: plain/none.csv: " "$4/messages"' - \
    "$bench/fetch.sh" "$work/tables" "$work/host" "$work/out"
}

# rows: the rows of instances.txt
rows() {
  grep -v '^#' "$bench/library/instances.txt"
}

# malformed: rows that are not as the head of the table describes them
malformed() {
  rows | awk '
    function is_number(text) { return text == "-" || text ~ /^[0-9]+$/ }
    NF != 12 || $5 !~ /^(layout|order|overlap|split|recompute)$/ || ($5 == "recompute") != ($6 ~ /^[0-9]+$/) ||
      !is_number($7) || $8 !~ /^[0-9]+$/ || !is_number($9) || $9 == "-" && $5 != "recompute" || !is_number($10) ||
      $9 != "-" && $10 + 0 > $9 + 0 || $11 !~ /^([a-z]|-$)/ || $12 !~ /^(-|[0-9a-f]+)$/ ||
      $12 != "-" && (length($12) != 64 || $9 != $10) || $1 ~ /^\/|\.\./ { print }'
}

# unknown_sources: the sources that only instances.txt or only sources.txt names
unknown_sources() {
  for table in instances sources; do
    sed '/^#/d' "$bench/library/$table.txt" | awk -v t=$table '{ print t == "instances" ? $2 : $1 }' | LC_ALL=C sort -u \
      >"$work/$table"
  done
  diff "$work/instances" "$work/sources"
}

# bad_sources: sources without a known licence, or without a repository and a commit though they do not come with neap
bad_sources() {
  sed '/^#/d' "$bench/library/sources.txt" | grep -v -E -x \
    '[^ ]+ +([^ /]+/[^ ]+ +[0-9a-f]{40}|- +-) +(Apache-2\.0|MIT|GPL-3\.0-only|GPL-3\.0-or-later)( \+)?'
}

# too_few: kinds of which the library has fewer instances than it should
too_few() {
  for floor in layout=250 order=40 overlap=40 split=15 recompute=20; do
    count=$(rows | awk -v kind="${floor%=*}" '$5 == kind' | wc -l)
    [ "$count" -ge "${floor#*=}" ] || echo "$count of ${floor%=*}"
  done
}

test_page() {
  mkdir -p "$work/shelf/instances"
  check "the page of the library lists what is not at hand, peers too" sh -c '
    unset NEAP_PEER_MINIMALLOC NEAP_PEER_SUPERMALLOC NEAP_PEER_IDEALLOC NEAP_PEER_DSA_SOLVER
    NEAP_PROGRAM=$(command -v "$1") NEAP_BENCH_DATA="$3/shelf" python3 "$2/library_page.py" "$3/page.md" &&
      grep -q "^.* rows, 0 of them at hand, .* and not run: MiniMalloc, SuperMalloc, idealloc, dsa-solver\.$" "$3/page.md" &&
      grep -q "^| minimalloc/A.1048576.csv .*google/minimalloc.*Apache-2.0 | 154 .* missing |$" "$3/page.md"' - \
    "$program" "$bench" "$work"
}

check_empty "every row of the library is complete" "$(malformed)"
check_empty "every instance has a source, and every source instances" "$(unknown_sources)"
check_empty "every source has a commit and a licence" "$(bad_sources)"
check_empty "no instance is listed twice" "$(rows | awk '{ print $1, $5, $6 }' | sort | uniq -d)"
check_empty "there are enough instances of each kind" "$(too_few)"
check_empty "an instance of several kinds is made in one way" "$(rows | cut -d ' ' -f 1-4 | sort -u | cut -d ' ' -f 1 | uniq -d)"
if command -v python3 >/dev/null; then
  test_derivations
  test_page
else
  skip "derivations, and the page" "python3 is missing"
fi
if command -v python3 >/dev/null && command -v git >/dev/null; then
  test_fetching
else
  skip "fetching" "git or python3 is missing"
fi
tap_end
