// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting a million rows while the page stays alive: a radix sort of doubles, 16 bits a pass, and
// texts turned into numbers.  Cost: O(n) for numbers; for texts O(all characters).
const rank = (() => {
  const RADIX = 65536;

  // The bits of each key, so that unsigned comparison orders them: [low words, high words].
  function words(keys, down) {
    const bits = new Uint32Array(Float64Array.from(keys, (key) => key + 0).buffer), // no -0
      low = new Uint32Array(keys.length),
      high = new Uint32Array(keys.length),
      turn = down ? 0xffffffff : 0;
    for (let k = 0; k < keys.length; k++) {
      const l = bits[2 * k],
        h = bits[2 * k + 1],
        negative = h >>> 31 ? 0xffffffff : 0;
      low[k] = l ^ negative ^ turn;
      high[k] = h ^ (negative || 0x80000000) ^ turn;
    }
    return [low, high];
  }

  // The positions of `keys` in ascending order, or descending; equal keys keep their order.
  function sorted(keys, down = false) {
    let order = new Uint32Array(keys.length).map((_, k) => k),
      next = new Uint32Array(keys.length);
    for (const word of words(keys, down))
      for (const shift of [0, 16]) {
        const at = new Uint32Array(RADIX);
        for (let k = 0; k < word.length; k++) at[(word[k] >>> shift) & 0xffff]++;
        if (at[(word[0] >>> shift) & 0xffff] === word.length) continue;
        for (let d = 0, sum = 0; d < RADIX; d++) [at[d], sum] = [sum, sum + at[d]];
        for (let k = 0; k < order.length; k++) {
          const p = order[k];
          next[at[(word[p] >>> shift) & 0xffff]++] = p;
        }
        [order, next] = [next, order];
      }
    return order;
  }

  // A text whose code units order it as people do: case is ignored, and numbers count as numbers.
  const natural = (string) =>
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
      const inOrder = sorted(keys);
      inOrder.forEach((k, n) => (order[low + n] = part[k]));
      for (let k = 0, end; k < inOrder.length; k = end) {
        const key = keys[inOrder[k]];
        for (end = k + 1; end < inOrder.length && keys[inOrder[end]] === key; ) end++;
        if (end - k > 1 && key % BASE !== 0) ranges.push([low + k, low + end, at + PACKED]);
      }
    }
  }

  // For each text its place among the different ones.
  function ofTexts(list) {
    const texts = list.map(natural),
      order = new Uint32Array(texts.length).map((_, k) => k),
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
  function inSlices(count, step, done) {
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

  return {sorted, natural, ofTexts, inSlices};
})();
