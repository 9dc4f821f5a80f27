// SPDX-License-Identifier: GPL-3.0-or-later
// Which buffers rest on which.  A buffer rests on buffers that are alive with it and end where it
// begins.  In a sound plan, buffers that end at the same offset do not overlap in time.  So when
// they are sorted by (end, start), the supports of a buffer are neighbours, and a binary search
// finds them.
// The rectangles by ascending (edge, start), without those that need no room.
function sorted(m, edge) {
  const order = sort.by(sort.pick(edge, m.rectBuffer), {order: m.rectByStart});
  let kept = 0;
  for (let k = 0; k < order.length; k++) {
    const i = m.rectBuffer[order[k]];
    if (m.size[i] > 0 && m.offset[i] >= 0) order[kept++] = order[k];
  }
  return order.subarray(0, kept);
}

const index = (m) => (m.supports ??= {});
const byEnd = (m) => (index(m).byEnd ??= sorted(m, m.end));
const byLow = (m) => (index(m).byLow ??= sorted(m, m.offset));

// Visits the rectangles in `order` whose edge is `at` and which overlap rectangle r in time.
function touching(m, order, edge, at, r, visit) {
  let low = 0,
    high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1,
      s = order[middle],
      e = edge[m.rectBuffer[s]];
    if (e < at || (e === at && m.rectEnd[s] <= m.rectStart[r])) low = middle + 1;
    else high = middle;
  }
  for (; low < order.length; low++) {
    const s = order[low];
    if (edge[m.rectBuffer[s]] !== at || m.rectStart[s] >= m.rectEnd[r]) break;
    visit(s);
  }
}

// The buffers that touch buffer i, the longest in common first.
function gather(m, i, order, edge, at) {
  const time = new Map();
  for (const r of model.rectsOf(m, i))
    touching(m, order, edge, at, r, (s) => {
      const other = m.rectBuffer[s];
      const common =
        Math.min(m.rectEnd[r], m.rectEnd[s]) - Math.max(m.rectStart[r], m.rectStart[s]);
      if (other !== i && m.poolOf[other] === m.poolOf[i])
        time.set(other, (time.get(other) ?? 0) + common);
    });
  return [...time.keys()].sort((a, b) => time.get(b) - time.get(a) || a - b);
}

// The nearest buffers, for a buffer that touches none (because of alignment, a fixed offset, or an
// engine that leaves room).
function nearest(m, i, beyond) {
  let best = Infinity,
    found = [];
  const mine = model.rectsOf(m, i);
  for (let r = 0; r < m.rectCount; r++) {
    const other = m.rectBuffer[r];
    const distance = beyond ? m.offset[other] - m.end[i] : m.offset[i] - m.end[other];
    if (
      other === i ||
      m.poolOf[other] !== m.poolOf[i] ||
      distance < 0 ||
      distance > best ||
      m.size[other] === 0 ||
      m.offset[other] < 0
    )
      continue;
    if (!mine.some((s) => model.overlapsTime(m, r, s))) continue;
    if (distance < best) found = [];
    best = distance;
    if (!found.includes(other)) found.push(other);
  }
  return {list: found, gap: found.length > 0 ? best : 0};
}

function side(m, i, beyond) {
  if (!model.isPlaced(m, i) || (!beyond && m.offset[i] === m.lift[i])) return {list: [], gap: 0};
  const list = beyond
    ? gather(m, i, byLow(m), m.offset, m.end[i])
    : gather(m, i, byEnd(m), m.end, m.offset[i]);
  return list.length > 0 ? {list, gap: 0} : nearest(m, i, beyond);
}

export const below = (m, i) => side(m, i, false);
export const above = (m, i) => side(m, i, true);

// The chain from a buffer down to the bottom, always by the support with the most time in common:
// [{buffer, gap, others}], where `gap` bytes are free below the buffer.
export function chain(m, i) {
  const steps = [],
    seen = new Set();
  let at = i;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const {list, gap} = below(m, at);
    const rest = list.filter((other) => !seen.has(other));
    steps.push({
      buffer: at,
      gap: rest.length > 0 ? gap : m.offset[at] - m.lift[at],
      others: Math.max(0, list.length - 1),
    });
    at = rest[0];
  }
  return steps;
}

const CRITICAL_MOST = 20000;
const CRITICAL_TIME = 500; // ms; finding the nearest buffers is slow

// The buffers that end at the peak, and all buffers below on which they rest.
export function critical(m) {
  if (m.supports?.critical) return m.supports.critical;
  const roots = [],
    seen = new Uint8Array(m.count),
    list = [];
  const topOf = (i) => (m.pools.length > 0 ? m.lift[i] + m.pools[m.poolOf[i]].peak : m.peak);
  for (let i = 0; i < m.count; i++) if (m.end[i] === topOf(i) && m.size[i] > 0) roots.push(i);
  const stack = roots.slice(),
    started = performance.now();
  while (
    stack.length > 0 &&
    list.length < CRITICAL_MOST &&
    performance.now() - started < CRITICAL_TIME
  ) {
    const i = stack.pop();
    if (seen[i]) continue;
    seen[i] = 1;
    list.push(i);
    for (const other of below(m, i).list) if (!seen[other]) stack.push(other);
  }
  list.sort((a, b) => m.offset[b] - m.offset[a] || m.first[a] - m.first[b]);
  const way = roots.length > 0 ? chain(m, roots[0]) : [];
  return (index(m).critical = {roots, seen, list, way, whole: stack.every((i) => seen[i])});
}
