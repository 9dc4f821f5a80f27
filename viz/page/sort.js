// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts a million numbers in time linear in their count: a radix sort of 16 bits a pass.
const RADIX = 1 << 16;
const FEW = 4096; // below that, a comparison sort is as quick

// The bits of each key, so that unsigned comparison orders them: lists of 32 bits, the lowest first.
function words(keys, down) {
  const turn = down ? 0xffffffff : 0;
  if (keys instanceof Uint8Array) return [Uint32Array.from(keys, (key) => key ^ turn)];
  if (keys instanceof Int32Array) return [Uint32Array.from(keys, (key) => key ^ 0x80000000 ^ turn)];
  const bits = new Uint32Array(Float64Array.from(keys, (key) => key + 0).buffer), // no -0
    low = new Uint32Array(keys.length),
    high = new Uint32Array(keys.length);
  for (let k = 0; k < keys.length; k++) {
    const l = bits[2 * k],
      h = bits[2 * k + 1],
      negative = h >>> 31 ? 0xffffffff : 0;
    low[k] = l ^ negative ^ turn;
    high[k] = h ^ (negative || 0x80000000) ^ turn;
  }
  return [low, high];
}

// One stable pass over 16 bits; false if all keys have the same.
function pass(order, into, word, shift) {
  const at = new Uint32Array(RADIX);
  for (let k = 0; k < word.length; k++) at[(word[k] >>> shift) & 0xffff]++;
  if (at[(word[0] >>> shift) & 0xffff] === word.length) return false;
  for (let d = 0, sum = 0; d < RADIX; d++) [at[d], sum] = [sum, sum + at[d]];
  for (let n = 0; n < order.length; n++) {
    const k = order[n];
    into[at[(word[k] >>> shift) & 0xffff]++] = k;
  }
  return true;
}

export function upTo(count) {
  const order = new Uint32Array(count);
  for (let k = 0; k < count; k++) order[k] = k;
  return order;
}

// The indices of `keys` by ascending key, or descending; those of equal keys stay as they are in
// `order`, a list of all indices.  Keys are bytes, 32-bit integers or other numbers.
export function by(keys, {down = false, order = upTo(keys.length)} = {}) {
  if (keys.length < FEW)
    return order.slice().sort((a, b) => (down ? keys[b] - keys[a] : keys[a] - keys[b]));
  let from = order.slice(),
    into = new Uint32Array(keys.length);
  for (const word of words(keys, down))
    for (const shift of [0, 16]) if (pass(from, into, word, shift)) [from, into] = [into, from];
  return from;
}

// The values at `places`, in an array of the same kind.
export function pick(values, places) {
  const picked = new values.constructor(places.length);
  for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
  return picked;
}
