// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep over time.  The rectangles alive are in trees, which find one by its place on the byte
// axis in O(log n), so a sweep that looks at a few neighbours of each rectangle costs O(n log n).
// Rectangles in ascending order of their keys.  One that is alive has its value, and a node above
// has the greatest value below it.
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

// Calls begin(r) for each rectangle that has bytes, when the trees have those alive as it begins.
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
