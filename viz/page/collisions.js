// SPDX-License-Identifier: GPL-3.0-or-later
// Finds rectangles that overlap, which a sound plan does not have.
//
// A sweep over time keeps the live rectangles in a tree by ascending offset, whose nodes hold the
// highest end below them: each collision is found in O(log n).  Two Fenwick trees count all of
// them, so that only LISTED need to be found.
const collisions = (() => {
  const LISTED = 1000;

  // How many elements of a sorted array are less than `value`, or at most `value`.
  function countBelow(sorted, value, inclusive) {
    let low = 0,
      high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value || (inclusive && sorted[middle] === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function addTo(tree, position, amount) {
    for (let i = position + 1; i < tree.length; i += i & -i) tree[i] += amount;
  }

  function sumOf(tree, count) {
    let sum = 0;
    for (let i = count; i > 0; i -= i & -i) sum += tree[i];
    return sum;
  }

  // The rectangles that take up bytes, by ascending offset, and what the sweep keeps of them.
  function start(m) {
    const rects = [];
    for (let r = 0; r < m.rectCount; r++) {
      const i = m.rectBuffer[r];
      if (m.size[i] > 0 && m.offset[i] >= 0) rects.push(r);
    }
    const order = Uint32Array.from(rects).sort(
      (a, b) => m.offset[m.rectBuffer[a]] - m.offset[m.rectBuffer[b]] || a - b,
    );
    let leaves = 1;
    while (leaves < order.length) leaves *= 2;
    const lows = Float64Array.from(order, (r) => m.offset[m.rectBuffer[r]]),
      highs = Float64Array.from(order, (r) => m.end[m.rectBuffer[r]]);
    return {
      order,
      lows,
      highs,
      ends: highs.slice().sort(),
      leaves,
      tops: new Float64Array(2 * leaves),
      liveByLow: new Int32Array(order.length + 1),
      liveByEnd: new Int32Array(order.length + 1),
      list: [],
      total: 0,
    };
  }

  function setAlive(sweep, k, alive) {
    addTo(sweep.liveByLow, k, alive ? 1 : -1);
    addTo(sweep.liveByEnd, countBelow(sweep.ends, sweep.highs[k], true) - 1, alive ? 1 : -1);
    let node = sweep.leaves + k;
    sweep.tops[node] = alive ? sweep.highs[k] : 0;
    for (node >>= 1; node > 0; node >>= 1)
      sweep.tops[node] = Math.max(sweep.tops[2 * node], sweep.tops[2 * node + 1]);
  }

  // The first live rectangle from `leaf` on that ends above `low`; `leaves` if there is none.
  function nextAbove(sweep, leaf, low) {
    const {tops, leaves} = sweep;
    if (leaf >= leaves) return leaves;
    let node = leaves + leaf;
    while (tops[node] <= low) {
      while (node & 1) node >>= 1;
      if (node === 0) return leaves;
      node++;
    }
    while (node < leaves) node = tops[2 * node] > low ? 2 * node : 2 * node + 1;
    return node - leaves;
  }

  function collide(m, a, b) {
    const [i, j] = [m.rectBuffer[a], m.rectBuffer[b]];
    return {
      first: Math.min(i, j),
      second: Math.max(i, j),
      start: Math.max(m.rectStart[a], m.rectStart[b]),
      end: Math.min(m.rectEnd[a], m.rectEnd[b]),
      low: Math.max(m.offset[i], m.offset[j]),
      high: Math.min(m.end[i], m.end[j]),
    };
  }

  function meetAll(m, sweep, k) {
    const low = sweep.lows[k],
      stop = countBelow(sweep.lows, sweep.highs[k], false);
    const count =
      sumOf(sweep.liveByLow, stop) - sumOf(sweep.liveByEnd, countBelow(sweep.ends, low, true));
    sweep.total += count;
    if (count === 0) return;
    for (
      let other = nextAbove(sweep, 0, low);
      other < stop && sweep.list.length < LISTED;
      other = nextAbove(sweep, other + 1, low)
    )
      sweep.list.push(collide(m, sweep.order[k], sweep.order[other]));
  }

  // The earliest LISTED collisions, by buffer, and how many there are: {list, total}.
  function find(m) {
    const sweep = start(m),
      {order} = sweep,
      byStart = Uint32Array.from(order, (_, k) => k),
      byEnd = byStart.slice();
    byStart.sort((a, b) => m.rectStart[order[a]] - m.rectStart[order[b]] || a - b);
    byEnd.sort((a, b) => m.rectEnd[order[a]] - m.rectEnd[order[b]]);
    let ended = 0;
    for (const k of byStart) {
      const now = m.rectStart[order[k]];
      for (; m.rectEnd[order[byEnd[ended]]] <= now; ended++) setAlive(sweep, byEnd[ended], false);
      meetAll(m, sweep, k);
      setAlive(sweep, k, true);
    }
    const list = sweep.list.sort(
      (a, b) => a.first - b.first || a.second - b.second || a.start - b.start,
    );
    if (!relations.isRelated(m)) return {list, total: sweep.total};
    const sorted = [
      ...list.filter(({first, second}) => !relations.permits(m, first, second)),
      ...relations.brokenSeparations(m),
    ];
    return {list: sorted, total: sorted.length};
  }

  const none = {list: [], total: 0};

  // A plan that neap has found to be sound need not be searched.
  const of = (m) => (m.verified && !m.custom ? none : (m.collisions ??= find(m)));

  // ------------------------------------------------------------ words

  // The fault of a plan without collisions: the one that neap found, or one that shows in the
  // data.
  function faultOf(m) {
    if (m.verified || m.custom) return '';
    if (m.fault) return m.fault;
    for (let i = 0; i < m.count; i++) {
      const alignment = model.alignment(m, i),
        fixed = model.fixed(m, i);
      if (alignment === null && fixed === null) continue;
      const offset = model.exactOffset(m, i);
      if (alignment !== null && offset % BigInt(alignment) !== 0n)
        return `'${model.name(m, i)}' is at offset ${offset}, not a multiple of its alignment ${alignment}`;
      if (fixed !== null && offset !== BigInt(fixed))
        return `'${model.name(m, i)}' is at offset ${offset}, but its offset is fixed at ${fixed}`;
    }
    return '';
  }

  const count = (m) => text.plural(of(m).total, 'collision');

  const isSound = (m) => of(m).total === 0 && faultOf(m) === '';

  const NAMED = 5;

  // "3 collisions: a and b, c and d, e and f"; '' for a sound plan.
  function summary(m) {
    const {list, total} = of(m);
    if (total === 0) return faultOf(m);
    const pairs = list
      .slice(0, NAMED)
      .map(
        ({first, second}) =>
          `${text.cut(model.name(m, first), 60)} and ${text.cut(model.name(m, second), 60)}`,
      );
    const more = total - pairs.length;
    return `${count(m)}: ${pairs.join(', ')}${more > 0 ? `, and ${text.grouped(more)} more` : ''}`;
  }

  return {of, count, isSound, summary};
})();
