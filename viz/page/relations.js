// SPDX-License-Identifier: GPL-3.0-or-later
// Pools, reserved bytes, and relations between buffers.
//
// Pools share the byte axis, the first one at the top: a pool begins at its `low`, which adds to
// the offsets of the buffers in the pool.  Without pools, there is one arena, from 0.
const BETWEEN = 1 / 16; // the space between two pools, as a share of all pools
const SCALE = 8; // a larger capacity, as a multiple of the rest, is off the scale
const DRAWN = 2000;

const LISTS = {
  separations: () => 'separated from',
  exclusions: () => 'never in one run with',
  overlaps: (r, isFirst) =>
    `may begin ${text.grouped(r.bytes)} bytes ${isFirst ? 'below' : 'above'}`,
  colocations: (r, isFirst) => {
    const by = Number(r.offset ?? 0) * (isFirst ? -1 : 1);
    return by === 0
      ? 'at the offset of'
      : `${text.grouped(Math.abs(by))} bytes ${by > 0 ? 'above' : 'below'} the offset of`;
  },
  bank_separations: (r) => `never in one bank of ${text.grouped(r.bank)} bytes with`,
  reuse_penalties: (r) => `costs ${text.grouped(r.cost)} if it shares bytes with`,
};

function pairsOf(r) {
  if (r.first !== undefined) return [[r.first, r.second]];
  const list = r.buffers ?? [];
  return list.flatMap((a, k) => list.slice(k + 1).map((b) => [a, b]));
}

// All relations as {kind, first, second, relation}, and those of each buffer.
export function read(m) {
  const all = [],
    of = new Map();
  for (const kind of Object.keys(LISTS))
    for (const relation of m.plan[kind] ?? [])
      for (const [a, b] of pairsOf(relation)) {
        const item = {kind, first: model.find(m, a), second: model.find(m, b), relation};
        all.push(item);
        for (const i of [item.first, item.second]) {
          if (!of.has(i)) of.set(i, []);
          of.get(i).push(item);
        }
      }
  m.related = {all, of};
}

// Lays the pools out on the byte axis; call this before offsets are read.
export function layPools(m) {
  const list = m.plan.pools ?? [];
  m.pools = [];
  m.poolOf = new Uint8Array(m.count);
  m.lift = m.poolOf;
  for (let i = 0; i < m.count; i++) if (model.pool(m, i) === null || list.length === 0) return;
  if (list.length === 0) return;
  const index = new Map(list.map(({name}, k) => [name, k])),
    peaks = list.map(() => 0),
    {size, offset} = m.store;
  m.poolOf = Int32Array.from({length: m.count}, (_, i) => index.get(model.pool(m, i)));
  m.lift = new Float64Array(m.count);
  m.poolOf.forEach((k, i) => {
    peaks[k] = Math.max(peaks[k], offset.values[i] + size.values[i]);
  });
  const heights = list.map(({capacity}, k) =>
    capacity != null && (peaks[k] === 0 || Number(capacity) <= SCALE * peaks[k])
      ? Math.max(Number(capacity), peaks[k])
      : peaks[k],
  );
  const space = Math.max(1, BETWEEN * heights.reduce((sum, height) => sum + height, 0));
  let low = 0;
  for (let k = list.length; k-- > 0; low += heights[k] + space)
    m.pools[k] = {
      name: list[k].name,
      capacity: list[k].capacity == null ? null : Number(list[k].capacity),
      alignment: Number(list[k].alignment ?? 1),
      low,
      high: low + heights[k],
      peak: peaks[k],
      space,
    };
  for (let i = 0; i < m.count; i++) m.lift[i] = m.pools[m.poolOf[i]].low;
}

// Reserved bytes as boxes on the axes.
export const reserved = (m) => (m.reserved ??= reservedBoxes(m).slice(0, DRAWN));

export function reservedBoxes(m) {
  return (m.plan.reserved ?? []).map(({pool, bytes, when}) => {
    const low = m.pools.find(({name}) => name === pool)?.low ?? 0;
    return {
      start: when ? Number(when[0]) : m.from,
      end: when ? Number(when[1]) : m.to,
      low: low + Number(bytes[0]),
      high: low + Number(bytes[1]),
    };
  });
}

// The box in which two rectangles overlap.
export function meeting(m, r, s) {
  const [i, j] = [m.rectBuffer[r], m.rectBuffer[s]];
  return {
    start: Math.max(m.rectStart[r], m.rectStart[s]),
    end: Math.min(m.rectEnd[r], m.rectEnd[s]),
    low: Math.max(m.offset[i], m.offset[j]),
    high: Math.min(m.end[i], m.end[j]),
  };
}

// The bytes that two buffers share while both are alive, and when first; null: none.
export function share(m, a, b) {
  if (m.offset[a] >= m.end[b] || m.offset[b] >= m.end[a]) return null;
  for (const r of model.rectsOf(m, a))
    for (const s of model.rectsOf(m, b)) if (model.overlapsTime(m, r, s)) return meeting(m, r, s);
  return null;
}

// Whether two live buffers may share bytes.
export function permits(m, a, b) {
  if (m.pools.length > 0 && m.poolOf[a] !== m.poolOf[b]) return true;
  if (bodyOf(m, a) === bodyOf(m, b)) return true;
  return (m.related.of.get(a) ?? []).some(({kind, first, second, relation}) => {
    if (first !== b && second !== b) return false;
    if (kind === 'exclusions') return true;
    if (kind !== 'overlaps') return false;
    return m.offset[second] - m.offset[first] >= Number(relation.bytes);
  });
}

// A buffer that stands for all buffers colocated with a given one, directly or by way of others.
export function bodyOf(m, i) {
  if (!m.bodies) {
    m.bodies = Int32Array.from({length: m.count}, (_, k) => k);
    const find = (k) => {
      while (m.bodies[k] !== k) k = m.bodies[k] = m.bodies[m.bodies[k]];
      return k;
    };
    for (const {kind, first, second} of m.related.all)
      if (kind === 'colocations') m.bodies[find(first)] = find(second);
    for (let k = 0; k < m.count; k++) m.bodies[k] = find(k);
  }
  return m.bodies[i];
}

// The separated buffers that share bytes although they are never alive together.
export function brokenSeparations(m) {
  return m.related.all
    .filter(({kind}) => kind === 'separations')
    .map(({first, second}) => ({
      first: Math.min(first, second),
      second: Math.max(first, second),
      start: Math.min(m.first[first], m.first[second]),
      end: Math.max(m.last[first], m.last[second]),
      low: Math.max(m.offset[first], m.offset[second]),
      high: Math.min(m.end[first], m.end[second]),
    }))
    .filter(({first, second, low, high}) => low < high && !share(m, first, second));
}

// The relations of a buffer: [{other, words}].
export function ofBuffer(m, i) {
  return (m.related.of.get(i) ?? []).map(({kind, first, second, relation}) => ({
    other: first === i ? second : first,
    words: LISTS[kind](relation, first === i),
    reason: relation.reason ?? '',
  }));
}

export const isRelated = (m) => m.related.all.length > 0;

// The levels of the pools, as draw.js draws them.
export function levels(m, look) {
  return m.pools.flatMap(({name, capacity, low, high, peak}) => {
    const top = {name: `${name}: peak`, bytes: low + peak, value: peak},
      list = [{...top, colour: look.ink, dash: [6, 4], breadth: 1.5}];
    if (capacity === null) return list;
    if (capacity === peak) list.pop();
    const offScale = low + capacity > high;
    return [
      ...list,
      {
        name: `${name}: capacity${offScale ? ' (off scale)' : ''}`,
        bytes: offScale ? high : low + capacity,
        value: capacity,
        colour: look.capacity,
        dash: [],
        breadth: 2.5,
      },
    ];
  });
}
