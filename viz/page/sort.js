// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts a million numbers in time linear in their count: radix sort from the lowest digit, of 16 bits,
// on the bytes of typed arrays.  Doubles that are not negative sort like the integers with the same
// bits.
const sort = (() => {
  const DIGITS = 1 << 16;
  const FEW = 4096; // below that, a comparison sort is as quick

  // Visits each digit of the keys from the lowest: digit(k) of key k.
  function eachDigit(keys, visit) {
    if (keys instanceof Uint8Array) visit(keys, 1, 0, 0);
    else {
      const halves = new Uint16Array(keys.buffer, keys.byteOffset, keys.byteLength / 2),
        stride = keys.BYTES_PER_ELEMENT / 2;
      for (let part = 0; part < stride; part++)
        visit(halves, stride, part, keys instanceof Int32Array && part === 1 ? DIGITS / 2 : 0);
    }
  }

  // One stable pass; `flip` makes signed digits ascend.  Returns the new order.
  function pass(order, into, digits, stride, part, flip) {
    const starts = new Uint32Array(DIGITS + 1),
      count = order.length;
    for (let k = 0; k < count; k++) starts[(digits[k * stride + part] ^ flip) + 1]++;
    if (starts.includes(count)) return order;
    for (let d = 0; d < DIGITS; d++) starts[d + 1] += starts[d];
    for (let n = 0; n < count; n++) {
      const k = order[n];
      into[starts[digits[k * stride + part] ^ flip]++] = k;
    }
    return into;
  }

  function upTo(count) {
    const order = new Uint32Array(count);
    for (let k = 0; k < count; k++) order[k] = k;
    return order;
  }

  // The indices of `keys` by ascending key; those of equal keys stay as they are in `order`, a list of
  // all indices.  Keys are bytes, 32-bit integers, or doubles of at least 0, or -1, which come last.
  function by(keys, order = upTo(keys.length)) {
    if (keys.length < FEW) return order.slice().sort((a, b) => keys[a] - keys[b]);
    let from = order,
      spare = new Uint32Array(keys.length);
    eachDigit(keys, (digits, stride, part, flip) => {
      const result = pass(from, spare, digits, stride, part, flip);
      if (result === from) return;
      spare = from === order ? new Uint32Array(keys.length) : from;
      from = result;
    });
    return from === order ? order.slice() : from;
  }

  // The values at `places`, in an array of the same kind.
  function pick(values, places) {
    const picked = new values.constructor(places.length);
    for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
    return picked;
  }

  return {upTo, by, pick};
})();
