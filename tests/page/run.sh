#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens pages in a real browser, without a network.  Skipped if there is no browser; NEAP_BROWSER=1 tests/run.sh
# installs one before the tests.  Screenshots are left in BUILD/tests/page.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
. "$here/browser.sh"
program=${NEAP_PROGRAM:?the program to test}
build=${NEAP_BUILD:-.}
shared=${NEAP_SHARED:-}

need_browser "pages in a browser"

# page NAME PROBLEM OPTION...: writes NAME.json and NAME.html
page() {
  name=$1 problem=$2
  shift 2
  [ -e "$problem" ] || return 0
  "$program" plan "$problem" -q "$@" -o "$work/$name.json" --html "$work/$name.html" </dev/null ||
    echo "# neap plan $problem $* failed"
}

cat >"$work/nine.csv" <<'END'
id,lower,upper,size,hint
input,0,2,300,load
conv1/out,1,4,500,conv
conv1/tmp,1,2,200,conv
relu1,3,5,500,relu
conv2/out,4,7,400,conv
skip,2,8,100,
add,6,9,400,add
pool,8,10,150,pool
logits,9,11,40,fc
END
page nine "$work/nine.csv" --engine tune
page capped "$work/nine.csv" --engine tune --capacity 1500
page roomy "$work/nine.csv" --engine tune --capacity 1M
page gap "$work/nine.csv" --engine sort --order size --max-rounds 1
page aligned "$work/nine.csv" --engine tune --align 64
printf 'id,lower,upper,size,alignment\nbytes,0,2,10,1\nwords,1,3,12,4\n' >"$work/mixed.csv"
page mixed "$work/mixed.csv"
printf 'id,lower,upper,size\nlone,3,4,1000\n' >"$work/lone.csv"
page lone "$work/lone.csv" --base 0x20000000
printf 'id,lower,upper,size\n' >"$work/none.csv"
page none "$work/none.csv"
printf 'id,lower,upper,size,alignment\na,0,3,60,64\nb,0,2,100,1\nc,2,5,90,64\nd,1,4,33,16\ne,3,6,120,64\nf,4,7,64,1\n' \
  >"$work/explained.csv"
"$program" explain "$work/explained.csv" --capacity 280 -q --html "$work/explained.html" 2>/dev/null
"$program" explain "$source_root/examples/branches.tflite" -q --html "$work/peak-explained.html"
"$program" explain "$source_root/bench/minimalloc/D.1048576.csv" --capacity 900K --max-ticks 200000 --fixes 0 -q \
  --html "$work/lacking.html" 2>/dev/null
page arena "$source_root/examples/keyword.tflite" --target tflm
page tuned "$source_root/examples/unet.ops" --engine tune --rearrange auto --keep-layouts
page groups "$source_root/bench/minimalloc/A.1048576.csv" --engine tune --rearrange repack --max-rounds 5 \
  --keep-layouts
"$program" split "$source_root/examples/branches.tflite" --capacity 3000 -q --html "$work/split.html"
page related "$source_root/examples/relations/together.json"
page ordered "$source_root/examples/branches.tflite" --schedule optimal --kernels tflm-reference --overlap
page middle "$shared/data/instances/dot/torch__quantization__test_quantized_graphs__inception_v3.csv" --engine sort
page somas "$shared/data/instances/somas/pangu_2.6B.csv" --engine sort --max-rounds 1
"$program" gen trace --count 100000 -o "$work/many.csv" && page many "$work/many.csv" --engine sort --max-rounds 1
page many2 "$work/many.csv" --engine sort --order duration --max-rounds 1
"$program" gen trace --count 100 -o "$work/hundred.csv" && page hundred "$work/hundred.csv" --engine sort
"$program" gen trace --count 10000 -o "$work/myriad.csv" && page myriad "$work/myriad.csv" --engine sort --max-rounds 1
"$program" gen trace --count 454 -o "$work/few.csv" && page few "$work/few.csv" --engine sort
"$program" gen trace --count 1000000 -o "$work/million.csv" &&
  "$program" plan "$work/million.csv" -q --engine sort --max-rounds 1 --html "$work/million.html" </dev/null
"$program" gen darts-cifar -o "$work/darts.json" && page guide "$work/darts.json"
"$program" plan "$work/darts.json" -q --engine sort --order size --max-rounds 1 -o "$work/sorted.json" </dev/null
"$program" draw "$work/guide.json" --compare "$work/sorted.json" -o "$work/guide-pair.html" -q
"$program" explain "$source_root/examples/branches.tflite" --capacity 3000 --max-ticks 100000 -q \
  --html "$work/guide-explain.html" >/dev/null </dev/null
for model in "$source_root"/examples/*.tflite "$source_root"/examples/*.dot "$shared"/data/models/*/*; do
  name=model-$(basename "${model%.*}")
  [ -e "$model" ] && "$program" plan "$model" -q --max-ticks 100000 --svg "$work/$name.svg" \
    --html "$work/$name.html" </dev/null
done
node "$here/plans.mjs" "$work" || echo "# tests/page/plans.mjs failed"
for name in wild quoted large clashes torn tabled; do
  "$program" draw "$work/$name.json" -o "$work/$name.html" -q
done
for colour in risk operator name size lifetime; do
  "$program" draw "$work/nine.json" -o "$work/nine-$colour.svg" --colour-by "$colour"
  "$program" draw "$work/clashes.json" -o "$work/clashes-$colour.svg" --colour-by "$colour" -q
done
"$program" draw "$work/related.json" -o "$work/related.svg"
"$program" draw "$work/nine.json" -o "$work/sized.html" --colour-by size
"$program" draw "$work/nine.json" --compare "$work/moved.json" -o "$work/pair.html"
"$program" draw "$work/nine.json" --compare "$work/changed.json" -o "$work/pair-changed.html"
"$program" draw "$work/many.json" --compare "$work/many2.json" -o "$work/pair-many.html"
"$program" compare "$work/nine.csv" -q --json --html "$work/engines.html" >"$work/engines.json"
"$program" draw "$work/broken.json" -o "$work/broken.html" -q

node "$here/page.test.mjs" "$work" "$build/tests/page"
