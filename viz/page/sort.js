// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts a million numbers in linear time, by a radix sort with DIGIT bits per pass, whose tables
// stay in the cache.  Keys move along with the indices, so that no pass reads memory out of
// order.  Texts become numbers first.
const DIGIT = 11,
  RADIX = 1 << DIGIT;
const FEW = 4096; // below that, a comparison sort is as quick

// The distance of each key from the least key, or with `down` from the greatest.
function distances(keys, down) {
  let least = keys[0],
    most = keys[0];
  for (let k = 1; k < keys.length; k++) {
    if (keys[k] < least) least = keys[k];
    else if (keys[k] > most) most = keys[k];
  }
  const word = new Uint32Array(keys.length);
  for (let k = 0; k < keys.length; k++) word[k] = down ? most - keys[k] : keys[k] - least;
  return word;
}

// The bits of each key, so that unsigned comparison orders them: lists of 32 bits, lowest first.
function words(keys, down) {
  if (keys instanceof Uint8Array || keys instanceof Int32Array) return [distances(keys, down)];
  const turn = down ? 0xffffffff : 0,
    low = new Uint32Array(keys.length),
    high = new Uint32Array(keys.length),
    one = new Float64Array(1),
    bits = new Uint32Array(one.buffer);
  for (let k = 0; k < keys.length; k++) {
    one[0] = keys[k] + 0; // no -0
    const negative = bits[1] >>> 31 ? 0xffffffff : 0;
    low[k] = bits[0] ^ negative ^ turn;
    high[k] = bits[1] ^ (negative || 0x80000000) ^ turn;
  }
  return [low, high];
}

// The number of low bits up to the highest one in which some words differ.
function unequalBits(word) {
  let unequal = 0;
  for (let k = 1; k < word.length; k++) unequal |= word[k] ^ word[0];
  return 32 - Math.clz32(unequal);
}

// One stable pass over the bits from `shift` on, from one pair {order, word} into another.
function pass(from, into, shift) {
  const at = new Uint32Array(RADIX),
    {order, word} = from,
    count = order.length;
  for (let n = 0; n < count; n++) at[(word[n] >>> shift) & (RADIX - 1)]++;
  for (let d = 0, sum = 0; d < RADIX; d++) {
    const own = at[d];
    at[d] = sum;
    sum += own;
  }
  for (let n = 0; n < count; n++) {
    const place = at[(word[n] >>> shift) & (RADIX - 1)]++;
    into.order[place] = order[n];
    into.word[place] = word[n];
  }
}

function isSorted(word) {
  for (let n = 1; n < word.length; n++) if (word[n - 1] > word[n]) return false;
  return true;
}

export function upTo(count) {
  const order = new Uint32Array(count);
  for (let k = 0; k < count; k++) order[k] = k;
  return order;
}

// Sorts `order` by a word of each index.
function byWord(order, word) {
  const bits = unequalBits(word);
  let from = {order, word: pick(word, order)};
  if (bits === 0 || isSorted(from.word)) return order;
  let into = {order: new Uint32Array(order.length), word: new Uint32Array(order.length)};
  for (let shift = 0; shift < bits; shift += DIGIT) {
    pass(from, into, shift);
    [from, into] = [into, from];
  }
  return from.order;
}

// The indices of `keys` by ascending key, or descending; equal keys keep their order in `order`, a
// list of all indices.  Keys are bytes, 32-bit integers or other numbers.
export function by(keys, {down = false, order = upTo(keys.length)} = {}) {
  if (keys.length < FEW)
    return order.slice().sort((a, b) => (down ? keys[b] - keys[a] : keys[a] - keys[b]));
  return words(keys, down).reduce(byWord, order.slice());
}

// A text whose code units sort as people expect: case is ignored, and numbers count as numbers.
export const natural = (string) =>
  string
    .toLowerCase()
    .replace(/0*(\d+)/g, (_, digits) => String.fromCharCode(48 + digits.length) + digits);

// The rank of each text among the different texts.
export function ranks(list) {
  const texts = list.map(natural),
    order = upTo(texts.length),
    found = new Float64Array(texts.length);
  // Buffers are often numbered in the order of their names.
  if (texts.some((string, k) => k > 0 && string < texts[k - 1]))
    order.sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b));
  for (let k = 1, now = 0; k < order.length; k++) {
    if (texts[order[k]] !== texts[order[k - 1]]) now = k;
    found[order[k]] = now;
  }
  return found;
}

// The values at `places`, in an array of the same kind.
export function pick(values, places) {
  const picked = new values.constructor(places.length);
  for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
  return picked;
}
