// SPDX-License-Identifier: GPL-3.0-or-later
// The plan over time.  Between two neighbouring events, the same buffers are alive: from times[k]
// to times[k + 1], live[k] bytes are alive, the highest buffer ends at top[k], and free[k] bytes
// below top[k] are holes.
// The last k with times[k] <= t; -1 before the first.
export function indexAt(times, t) {
  let low = 0,
    high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const CHUNK = 64;
const chunked = new WeakMap();

// The greatest value in each chunk of CHUNK values.
export function chunksOf(values) {
  if (chunked.has(values)) return chunked.get(values);
  const most = new Float64Array(Math.ceil(values.length / CHUNK));
  for (let k = 0; k < values.length; k++) {
    const c = Math.floor(k / CHUNK);
    if (values[k] > most[c]) most[c] = values[k];
  }
  chunked.set(values, most);
  return most;
}

// The greatest of the values [from, to) of a curve.
function mostIn(values, from, to) {
  const chunks = chunksOf(values);
  let most = 0,
    k = from;
  for (; k < to && k % CHUNK > 0; k++) most = Math.max(most, values[k]);
  for (; k + CHUNK <= to; k += CHUNK) most = Math.max(most, chunks[k / CHUNK]);
  for (; k < to; k++) most = Math.max(most, values[k]);
  return most;
}

// The greatest value of a curve during [start, end).
export function mostDuring(times, values, start, end) {
  const last = indexAt(times, end),
    to = times[last] < end ? last + 1 : last;
  return mostIn(values, Math.max(0, indexAt(times, start)), to);
}

// The times at which anything begins or ends, in one pool or in all, and the places among them of
// the start and the end of each rectangle: {times, from, to}.
export function events(m, pool) {
  const isIn = (r) => pool === null || m.poolOf[m.rectBuffer[r]] === pool,
    only = (order) => (pool === null ? order : order.filter(isIn)),
    starts = only(m.rectByStart),
    ends = only(model.byEnd(m)),
    count = starts.length,
    from = new Int32Array(m.rectCount),
    to = new Int32Array(m.rectCount),
    times = new m.rectEnd.constructor(2 * count);
  let kept = 0;
  for (let s = 0, e = 0; e < count;) {
    const begins = s < count && m.rectStart[starts[s]] <= m.rectEnd[ends[e]],
      t = begins ? m.rectStart[starts[s]] : m.rectEnd[ends[e]];
    if (kept === 0 || t !== times[kept - 1]) times[kept++] = t;
    if (begins) from[starts[s++]] = kept - 1;
    else to[ends[e++]] = kept - 1;
  }
  return {times: times.slice(0, kept), from, to};
}

// Whether live buffers may share bytes, so that the sum of their sizes is not their use.
export const shares = (m) => m.live !== null;

// The bytes alive, with bytes that relations let buffers share counted once: the plan has these
// curves.
function sharedSizes(m, times, pool) {
  const live = new Float64Array(times.length);
  m.live.forEach((curve, p) => {
    if (pool !== null && pool !== p) return;
    for (let k = 0, s = -1; k < times.length; k++) {
      while (s + 1 < curve.times.length && curve.times[s + 1] <= times[k]) s++;
      if (s >= 0) live[k] += Number(curve.bytes[s]);
    }
  });
  return store.narrow(live);
}

// The bytes alive.
function liveSizes(m, times, from, to, pool) {
  if (shares(m)) return sharedSizes(m, times, pool);
  const live = new Float64Array(times.length);
  for (let r = 0; r < m.rectCount; r++) {
    const i = m.rectBuffer[r];
    if (pool !== null && m.poolOf[i] !== pool) continue;
    live[from[r]] += m.size[i];
    live[to[r]] -= m.size[i];
  }
  for (let k = 1; k < live.length; k++) live[k] += live[k - 1];
  return store.narrow(live);
}

// The bytes alive at t, in all pools or in one.
export function liveAt(m, t, pool = null) {
  const {times, live} = of(m, pool),
    k = indexAt(times, t);
  return k < 0 ? 0 : live[k];
}

// The highest end in each section.  A rectangle raises the nodes of a binary tree that together
// are its sections: the children of node n are 2n and 2n + 1, and the leaves are the sections.
// Then every node passes its height on to its children.
function topEnds(m, leaves, from, to) {
  const tree = new m.end.constructor(2 * leaves);
  for (let r = 0; r < m.rectCount; r++) {
    const end = m.end[m.rectBuffer[r]];
    if (m.size[m.rectBuffer[r]] === 0) continue;
    for (let a = from[r] + leaves, b = to[r] + leaves; a < b; a >>= 1, b >>= 1) {
      if (a & 1 && tree[a++] < end) tree[a - 1] = end;
      if (b & 1 && tree[--b] < end) tree[b] = end;
    }
  }
  for (let n = 2; n < tree.length; n++) if (tree[n] < tree[n >> 1]) tree[n] = tree[n >> 1];
  return tree.slice(leaves);
}

function make(m, pool) {
  const {times, from, to} = events(m, pool);
  const live = liveSizes(m, times, from, to, pool);
  let most = 0;
  for (let k = 0; k < times.length; k++) most = Math.max(most, live[k]);
  if (pool !== null) return {times, live, most};
  const top = topEnds(m, times.length, from, to),
    free = top.slice();
  for (let k = 0; k < times.length; k++) free[k] = Math.max(0, top[k] - live[k]);
  return {times, live, top, free, most, pools: []};
}

// The profile of everything, or that of a pool, which has no `top` and no `free`.
export function of(m, pool = null) {
  const all = (m.profile ??= make(m, null));
  return pool === null ? all : (all.pools[pool] ??= make(m, pool));
}

// The sections [start, end) with the most bytes in use, in a pool if there are any.
export function peaks(m, pool) {
  const {times, live, most} = of(m, pool),
    list = [];
  for (let k = 0; k + 1 < times.length; k++)
    if (live[k] === most) list.push({start: times[k], end: times[k + 1]});
  return list;
}

// The buffers alive at t.
export function aliveAt(m, t) {
  const found = [];
  for (let r = 0; r < m.rectCount; r++)
    if (m.rectStart[r] <= t && t < m.rectEnd[r]) found.push(m.rectBuffer[r]);
  return found;
}

// The buffers alive at t, by address, and the holes between them: {buffer} or {hole}, each with low
// and high.
export function alive(m, t) {
  const found = aliveAt(m, t).filter((i) => m.offset[i] >= 0);
  found.sort((a, b) => m.offset[a] - m.offset[b] || m.end[a] - m.end[b]);
  const rows = [];
  let reached = 0,
    reachedExact = 0n;
  let pool = -1;
  for (const i of found) {
    if (m.pools.length > 0 && m.poolOf[i] !== pool) {
      pool = m.poolOf[i];
      reached = m.lift[i];
      reachedExact = 0n;
    }
    const low = model.exactOffset(m, i),
      high = model.exactEnd(m, i);
    if (m.offset[i] > reached) rows.push({hole: true, low: reachedExact, high: low});
    rows.push({buffer: i, low, high});
    if (m.end[i] > reached) {
      reached = m.end[i];
      reachedExact = high;
    }
  }
  return {rows, count: found.length, top: reachedExact};
}

// The time of the previous (-1) or the next (+1) event from a moment on.
export function step(m, t, direction) {
  const {times} = of(m);
  if (times.length === 0) return t;
  let k = indexAt(times, t);
  if (direction < 0 && (k < 0 || times[k] === t)) k--;
  if (direction > 0) k++;
  return times[Math.max(0, Math.min(times.length - 1, k))];
}

// ------------------------------------------------------------ the bound without a buffer

// Relations may let buffers share bytes, and then the sum of sizes says nothing about the bound.
export const knowsWithout = (m) => !shares(m);

// The most bytes alive before each section, and from each section on.
function outside({live}) {
  const numbers = live.constructor,
    before = new numbers(live.length + 1),
    after = new numbers(live.length + 1);
  for (let k = 0; k < live.length; k++) before[k + 1] = Math.max(before[k], live[k]);
  for (let k = live.length; k-- > 0;) after[k] = Math.max(after[k + 1], live[k]);
  return {before, after};
}

// The bound of buffer i's arena or pool without the buffer: the bytes alive drop by its size during
// its lifetime.
export function boundWithout(m, i) {
  const p = of(m, m.pools.length > 0 ? m.poolOf[i] : null),
    {before, after} = (p.outside ??= outside(p));
  let high = 0,
    done = 0;
  const raise = (from, to, less) => (high = Math.max(high, mostIn(p.live, from, to) - less));
  for (let k = m.rectFirst[i]; k < m.rectFirst[i + 1]; k++) {
    const r = m.rectOf[k],
      from = indexAt(p.times, m.rectStart[r]),
      to = indexAt(p.times, m.rectEnd[r]);
    if (k === m.rectFirst[i]) high = before[from];
    else raise(done, from, 0);
    raise(from, to, m.size[i]);
    done = to;
  }
  return Math.max(high, after[done]);
}

// How far the bound drops without buffer i.
export const dropWithout = (m, i) =>
  of(m, m.pools.length > 0 ? m.poolOf[i] : null).most - boundWithout(m, i);

// ------------------------------------------------------------ sweeps

// A sweep over time.  The live rectangles are in trees, which find one by its place on the byte
// axis in O(log n), so a sweep that visits a few neighbours of each rectangle costs O(n log n).
// A tree has the rectangles in ascending order of their keys.  The leaf of a live rectangle has
// its value, and an inner node the greatest value below it.
export function tree(keys, values) {
  const order = sort.by(keys),
    place = new Uint32Array(keys.length);
  let leaves = 1;
  while (leaves < keys.length) leaves *= 2;
  const tops = new Float64Array(2 * leaves).fill(-Infinity);
  order.forEach((r, k) => (place[r] = k));

  function set(r, value) {
    let node = leaves + place[r];
    tops[node] = value;
    while ((node >>= 1) > 0) tops[node] = Math.max(tops[2 * node], tops[2 * node + 1]);
  }

  // The first leaf from leaf `k` on whose value is at least `least`; -1 if there is none.
  function next(k, least) {
    if (k >= leaves) return -1;
    let node = leaves + k;
    while (tops[node] < least) {
      while (node & 1) node >>= 1;
      if (node === 0) return -1;
      node++;
    }
    while (node < leaves) node = tops[2 * node] >= least ? 2 * node : 2 * node + 1;
    return node - leaves;
  }

  return {
    add: (r) => set(r, values[r]),
    drop: (r) => set(r, -Infinity),
    // The rectangles alive whose value is at least `least`, in order.
    *from(least) {
      for (let k = next(0, least); k >= 0; k = next(k + 1, least)) yield order[k];
    },
  };
}

// Calls begin(r) for each rectangle with bytes, when the trees hold the rectangles alive at its
// beginning.
export function sweep(m, trees, begin) {
  const byEnd = model.byEnd(m);
  let ended = 0;
  for (const r of m.rectByStart) {
    const i = m.rectBuffer[r];
    if (m.size[i] === 0 || m.offset[i] < 0) continue;
    for (; m.rectEnd[byEnd[ended]] <= m.rectStart[r]; ended++)
      for (const one of trees) one.drop(byEnd[ended]);
    begin(r);
    for (const one of trees) one.add(r);
  }
}

// The offset of each rectangle, and its end.
export const lows = (m) => sort.pick(m.offset, m.rectBuffer);
export const highs = (m) => sort.pick(m.end, m.rectBuffer);
