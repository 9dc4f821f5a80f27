// SPDX-License-Identifier: GPL-3.0-or-later
// What the axes say: ticks with their labels, and titles with their units.  The drawing on the page
// and the saved one both ask here.
const ACROSS = 90, // pixels for a tick of the time axis
  DOWN = 44; // and of the byte axis

// A round number that is not below another one: 1, 2 or 5 times a power of ten.
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= number);
}

const timeStep = (span, room) => roundUp(Math.max(span / Math.max(1, room), 1));

// A step between ticks of bytes that is round in the unit of text.tick().  Exact ones are powers of
// two, whose multiples are round as hexadecimal numbers.
export function byteStep(span, room) {
  const rough = Math.max(span / Math.max(1, room), 1);
  if (text.exact()) return 2 ** Math.ceil(Math.log2(rough));
  const unit = 1024 ** Math.floor(Math.log2(rough * 4) / 10),
    share = rough / unit;
  if (unit > 1 && share <= 0.5) return share <= 0.25 ? unit / 4 : unit / 2;
  return share > 200 ? unit * 256 : unit * roundUp(share);
}

function ticks(from, to, step) {
  const list = [];
  for (let k = Math.ceil(from / step); k * step <= to; k++) list.push(k * step);
  return list;
}

export const timeTicks = (v) =>
  ticks(v.x0, v.x1, timeStep(v.x1 - v.x0, v.across / ACROSS));

// The ticks of the byte axis as {at, words}, where `at` counts from the bottom of the drawing and
// the words from the bottom of the pool; exact ones have two lines.
export function byteTicks({view: v, m}) {
  const step = byteStep(v.y1 - v.y0, v.down / DOWN),
    pools = m.pools.length > 0 ? m.pools : [{low: 0, high: Infinity}],
    base = m.base ?? 0n;
  const words = (o) =>
    text.exact() ? [text.grouped(o), text.hex(base + BigInt(o))] : [text.tick(o, step)];
  return pools.flatMap(({low, high}) =>
    ticks(Math.max(0, v.y0 - low), Math.min(high, v.y1) - low, step).map((o) => ({
      at: o + low,
      words: words(o),
    })),
  );
}

export const timeTitle = ({m}) => (model.operators(m) ? 'time (operators)' : 'time (steps)');

export function byteTitle({m}) {
  if (m.pools.length > 0) return 'offset in pool';
  return text.exact() && m.base !== null ? 'offset, address' : 'offset (bytes)';
}
