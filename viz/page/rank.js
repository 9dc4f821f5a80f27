// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting a million texts while the page stays alive: they are turned into numbers, which sort.js
// sorts.  Cost: O(all characters).
// A text whose code units order it as people do: case is ignored, and numbers count as numbers.
export const natural = (string) =>
  string
    .toLowerCase()
    .replace(/0*(\d+)/g, (_, digits) => String.fromCharCode(48 + digits.length) + digits);

const SMALL = 4096,
  PACKED = 3, // code units in a key
  BASE = 65537; // they are above 0, which is the end of a text

function commonEnd(texts, order, from, to, depth) {
  const first = texts[order[from]];
  let end = first.length;
  for (let k = from + 1; k < to && end > depth; k++) {
    const other = texts[order[k]];
    let at = depth;
    while (at < end && other.charCodeAt(at) === first.charCodeAt(at)) at++;
    end = at;
  }
  return end;
}

// Sorts order[from, to), whose texts are equal in their first `depth` code units.
function sortTexts(texts, order, from, to, depth) {
  const ranges = [[from, to, depth]];
  while (ranges.length > 0) {
    let [low, high, at] = ranges.pop();
    if (high - low <= SMALL) {
      order
        .subarray(low, high)
        .sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b));
      continue;
    }
    at = commonEnd(texts, order, low, high, at);
    const part = order.slice(low, high),
      keys = new Float64Array(part.length);
    part.forEach((p, k) => {
      const string = texts[p];
      for (let c = at; c < at + PACKED; c++)
        keys[k] = keys[k] * BASE + (c < string.length ? string.charCodeAt(c) + 1 : 0);
    });
    const inOrder = sort.by(keys);
    inOrder.forEach((k, n) => (order[low + n] = part[k]));
    for (let k = 0, end; k < inOrder.length; k = end) {
      const key = keys[inOrder[k]];
      for (end = k + 1; end < inOrder.length && keys[inOrder[end]] === key;) end++;
      if (end - k > 1 && key % BASE !== 0) ranges.push([low + k, low + end, at + PACKED]);
    }
  }
}

// For each text its place among the different ones.
export function ofTexts(list) {
  const texts = list.map(natural),
    order = sort.upTo(texts.length),
    ranks = new Float64Array(texts.length);
  // Buffers are often numbered in the order of their names.
  if (texts.some((string, k) => k > 0 && string < texts[k - 1]))
    sortTexts(texts, order, 0, texts.length, 0);
  for (let k = 1, now = 0; k < order.length; k++) {
    if (texts[order[k]] !== texts[order[k - 1]]) now = k;
    ranks[order[k]] = now;
  }
  return ranks;
}

// Calls step(k) for all k < count, a few milliseconds at a time, then done().  The function that
// it returns stops it.
export function inSlices(count, step, done) {
  const SLICE = 12, // ms
    CHECKED = 2048;
  let k = 0,
    waiting = 0;
  const run = () => {
    const end = performance.now() + SLICE;
    while (k < count && performance.now() < end)
      for (const stop = Math.min(count, k + CHECKED); k < stop; k++) step(k);
    if (k < count) waiting = setTimeout(run);
    else done();
  };
  run();
  return () => clearTimeout(waiting);
}
