// SPDX-License-Identifier: GPL-3.0-or-later
// The plan over time.  Between two neighbouring events the same buffers are alive: from times[k]
// to times[k + 1], live[k] bytes are in use, the highest buffer ends at top[k], and free[k] bytes
// below that are holes.
const profile = (() => {
  // The last k with times[k] <= t; -1 before the first.
  function indexAt(times, t) {
    let low = 0,
      high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function eventTimes(m) {
    const all = new Float64Array(2 * m.rectCount);
    all.set(m.rectStart, 0);
    all.set(m.rectEnd, m.rectCount);
    all.sort();
    let kept = 0;
    for (let k = 0; k < all.length; k++)
      if (k === 0 || all[k] !== all[kept - 1]) all[kept++] = all[k];
    return all.slice(0, kept);
  }

  function liveSizes(m, times, from, to) {
    const live = new Float64Array(times.length);
    for (let r = 0; r < m.rectCount; r++) {
      const size = m.size[m.rectBuffer[r]];
      live[from[r]] += size;
      live[to[r]] -= size;
    }
    for (let k = 1; k < live.length; k++) live[k] += live[k - 1];
    return live;
  }

  // Each rectangle, from the highest down, fills the sections that are still empty; `next` skips
  // the full ones.
  function topEnds(m, times, from, to) {
    const top = new Float64Array(times.length),
      next = new Int32Array(times.length + 1);
    for (let k = 0; k <= times.length; k++) next[k] = k;
    const find = (k) => {
      while (next[k] !== k) k = next[k] = next[next[k]];
      return k;
    };
    const order = new Uint32Array(m.rectCount).map((_, r) => r);
    order.sort((a, b) => m.end[m.rectBuffer[b]] - m.end[m.rectBuffer[a]]);
    for (const r of order) {
      const i = m.rectBuffer[r];
      if (m.size[i] === 0 || m.end[i] < 0) continue;
      for (let k = find(from[r]); k < to[r]; k = find(k)) {
        top[k] = m.end[i];
        next[k] = k + 1;
      }
    }
    return top;
  }

  function make(m) {
    const times = eventTimes(m);
    const from = Int32Array.from(m.rectStart, (t) => indexAt(times, t));
    const to = Int32Array.from(m.rectEnd, (t) => indexAt(times, t));
    const live = liveSizes(m, times, from, to),
      top = topEnds(m, times, from, to);
    const free = top.map((end, k) => Math.max(0, end - live[k]));
    const most = live.reduce((a, b) => Math.max(a, b), 0);
    return {times, live, top, free, most};
  }

  const of = (m) => (m.profile ??= make(m));

  // The buffers alive at t, by address, and the holes between them: {buffer} or {hole}, each with
  // low and high.
  function alive(m, t) {
    const found = [];
    for (let r = 0; r < m.rectCount; r++)
      if (m.rectStart[r] <= t && t < m.rectEnd[r] && m.offset[m.rectBuffer[r]] >= 0)
        found.push(m.rectBuffer[r]);
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
        high = low + model.exactSize(m, i);
      if (m.offset[i] > reached) rows.push({hole: true, low: reachedExact, high: low});
      rows.push({buffer: i, low, high});
      if (m.end[i] > reached) {
        reached = m.end[i];
        reachedExact = high;
      }
    }
    return {rows, count: found.length, top: reachedExact};
  }

  // The time of the event before (-1) or after (+1) a moment.
  function step(m, t, direction) {
    const {times} = of(m);
    if (times.length === 0) return t;
    let k = indexAt(times, t);
    if (direction < 0 && (k < 0 || times[k] === t)) k--;
    if (direction > 0) k++;
    return times[Math.max(0, Math.min(times.length - 1, k))];
  }

  return {of, alive, step, indexAt};
})();
