// SPDX-License-Identifier: GPL-3.0-or-later
// What the axes say: ticks with their labels, and titles with their units.  The drawing on the page
// and the saved one both ask here.
const ACROSS = 90, // pixels for a tick of the time axis
  DOWN = 44; // and of the byte axis

// A step between ticks: 1, 2 or 5 times a power of ten, or for bytes a power of two.
function stepFor(span, room, least, isBytes) {
  const rough = Math.max(span / Math.max(1, room), least);
  if (isBytes) return 2 ** Math.ceil(Math.log2(rough));
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
}

function ticks(from, to, step) {
  const list = [];
  for (let k = Math.ceil(from / step); k * step <= to; k++) list.push(k * step);
  return list;
}

export const timeTicks = (v) =>
  ticks(v.x0, v.x1, stepFor(v.x1 - v.x0, v.across / ACROSS, 1, false));

// The ticks of the byte axis as {at, words}, where `at` counts from the bottom of the drawing and
// the words from the bottom of the pool; exact ones have two lines.
export function byteTicks({view: v, m}) {
  const step = stepFor(v.y1 - v.y0, v.down / DOWN, 1, true),
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
  if (m.pools.length > 0) return 'offset in its pool (bytes)';
  return text.exact() && m.base !== null ? 'offset (bytes), address' : 'offset (bytes)';
}
