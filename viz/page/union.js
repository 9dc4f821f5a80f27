// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in use where relations let buffers share them: each byte counts once, however many of these
// buffers hold it.  A tree over the offsets knows how many bytes are covered; buffers are added
// and removed as time goes on.  Cost: O(n log n) for the n buffers that may share bytes.
const union = (() => {
  const SHARING = ['overlaps', 'exclusions', 'colocations'];

  // Marks the buffers that may share bytes while they are alive; null if there are none.
  function sharers(m) {
    if (m.sharers === undefined) {
      const list = m.related.all.filter(({kind}) => SHARING.includes(kind));
      m.sharers = list.length > 0 ? new Uint8Array(m.count) : null;
      for (const {first, second} of list) m.sharers[first] = m.sharers[second] = 1;
    }
    return m.sharers;
  }

  // A tree over the sorted edges of intervals, with how often each part is covered.
  function makeTree(edges) {
    let base = 1;
    while (base < edges.length) base *= 2;
    const edge = (k) => edges[Math.min(k, edges.length - 1)],
      times = new Int32Array(2 * base),
      covered = new Float64Array(2 * base);
    function change(node, low, high, from, to, by) {
      if (to <= low || high <= from) return;
      if (from <= low && high <= to) times[node] += by;
      else {
        const middle = (low + high) >> 1;
        change(2 * node, low, middle, from, to, by);
        change(2 * node + 1, middle, high, from, to, by);
      }
      covered[node] =
        times[node] > 0
          ? edge(high) - edge(low)
          : node >= base
            ? 0
            : covered[2 * node] + covered[2 * node + 1];
    }
    return {add: (from, to, by) => change(1, 0, base, from, to, by), bytes: () => covered[1]};
  }

  // Adds to live[k] the bytes that the rectangles hold together in section k.  Rectangle list[n] is
  // alive in the sections [from[n], to[n]).
  function add(m, live, list, from, to) {
    const edges = Float64Array.from(
      new Set(list.flatMap((r) => [m.offset[m.rectBuffer[r]], m.end[m.rectBuffer[r]]])),
    ).sort();
    const at = new Map(Array.from(edges, (edge, k) => [edge, k])),
      tree = makeTree(edges);
    const starts = rank.sorted(Float64Array.from(list, (r) => from[r])),
      ends = rank.sorted(Float64Array.from(list, (r) => to[r]));
    const change = (r, by) =>
      tree.add(at.get(m.offset[m.rectBuffer[r]]), at.get(m.end[m.rectBuffer[r]]), by);
    for (let k = 0, s = 0, e = 0; k < live.length; k++) {
      while (e < ends.length && to[list[ends[e]]] === k) change(list[ends[e++]], -1);
      while (s < starts.length && from[list[starts[s]]] === k) change(list[starts[s++]], 1);
      live[k] += tree.bytes();
    }
  }

  return {sharers, add};
})();
