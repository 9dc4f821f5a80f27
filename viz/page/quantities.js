// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that colours stand for, one of each buffer: as in viz/layout/quantity.c and viz/layout/padding.c.
const quantities = (() => {
  const FREED = -1, // no lifetime begins after the moment
    LATER = -2;

  // The time that each buffer is alive, without gaps.
  function durations(m) {
    const sums = new Float64Array(m.count);
    for (let r = 0; r < m.rectCount; r++) sums[m.rectBuffer[r]] += m.rectEnd[r] - m.rectStart[r];
    return sums;
  }

  // ------------------------------------------------------------ ages

  // The time cursor, or else the first moment with most live bytes.
  function moment(m, {cursor}) {
    if (cursor !== null) return cursor;
    const {times, live, most} = profile.of(m);
    return times[live.indexOf(most)] ?? 0;
  }

  // The time from the allocation of each buffer to a moment.
  function ages(m, at) {
    const list = new Float64Array(m.count).fill(FREED);
    for (let r = 0; r < m.rectCount; r++) {
      const i = m.rectBuffer[r];
      if (at < m.rectStart[r]) list[i] = list[i] >= 0 ? list[i] : LATER;
      else if (at < m.rectEnd[r]) list[i] = at - m.rectStart[r];
    }
    return list;
  }

  // ------------------------------------------------------------ what alignment leaves unused

  // The highest end written over some times, in a tree over the times of events; ends are written
  // in ascending order.  `whole` has the last one written over all of a node, `any` over any part.
  function makeHeights(times) {
    let leaves = 1;
    while (leaves < times.length) leaves *= 2;
    const whole = new Float64Array(2 * leaves),
      any = new Float64Array(2 * leaves);
    // Visits the nodes of a range, then those above it.
    function walk(start, end, visitNode, visitAbove) {
      const first = leaves + profile.indexAt(times, start),
        stop = leaves + profile.indexAt(times, end);
      if (first >= stop) return;
      for (let [l, r] = [first, stop]; l < r; l >>= 1, r >>= 1) {
        if (l & 1) visitNode(l++);
        if (r & 1) visitNode(--r);
      }
      for (const leaf of [first, stop - 1]) for (let n = leaf; n > 0; n >>= 1) visitAbove(n);
    }
    function write(start, end, height) {
      walk(
        start,
        end,
        (n) => (whole[n] = any[n] = height),
        (n) => (any[n] = height),
      );
    }
    function read(start, end) {
      let highest = 0;
      walk(
        start,
        end,
        (n) => (highest = Math.max(highest, any[n])),
        (n) => (highest = Math.max(highest, whole[n])),
      );
      return highest;
    }
    return {write, read};
  }

  const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));

  // What the offsets of a buffer are multiples of.
  function stepOf(m, i) {
    const own = Number(model.alignment(m, i) ?? 1),
      pools = m.pools.length > 0 ? Number(m.pools[m.poolOf[i]].alignment ?? 1) : 1;
    return (own / gcd(own, pools)) * pools;
  }

  function isAligned(m) {
    for (let i = 0; i < m.count; i++) if (stepOf(m, i) > 1) return true;
    return false;
  }

  // The free bytes right below each buffer, if they are fewer than the step of its offsets: a walk
  // up the byte axis, over ends and beginnings.  Pools are apart on it.
  function padding(m) {
    const list = new Float64Array(m.count),
      fixed = relations.reservedBoxes(m),
      times = [...fixed.flatMap(({start, end}) => [start, end]), ...profile.of(m).times];
    const heights = makeHeights(Float64Array.from(new Set(times)).sort()),
      ends = [],
      lows = [];
    for (let i = 0; i < m.count; i++)
      if (m.size[i] > 0 && m.offset[i] >= 0) {
        ends.push({at: m.end[i], i});
        lows.push({at: m.offset[i], i});
      }
    for (const box of fixed) ends.push({at: box.high, box});
    const rects = (i, act) => {
      for (let k = m.rectFirst[i]; k < m.rectFirst[i + 1]; k++)
        act(m.rectStart[m.rectOf[k]], m.rectEnd[m.rectOf[k]]);
    };
    const byHeight = (a, b) => a.at - b.at;
    ends.sort(byHeight);
    lows.sort(byHeight);
    let k = 0;
    for (const {at, i} of lows) {
      for (; k < ends.length && ends[k].at <= at; k++) {
        const {box, at: end, i: below} = ends[k];
        if (box) heights.write(box.start, box.end, end);
        else rects(below, (start, stop) => heights.write(start, stop, end));
      }
      let highest = m.lift[i];
      rects(i, (start, end) => (highest = Math.max(highest, heights.read(start, end))));
      if (at - highest < stepOf(m, i)) list[i] = at - highest;
    }
    return list;
  }

  return {FREED, durations, moment, ages, isAligned, padding};
})();
