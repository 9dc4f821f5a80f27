// SPDX-License-Identifier: GPL-3.0-or-later
// The bound without a buffer.  While the buffer is alive, the bytes alive would be less by its size,
// and at all other times they would stay.  A tree of the largest values answers for any range of
// time, so n buffers cost O(n log n), and nothing is computed before it is asked for.
const without = (() => {
  // The leaves are the sections of the live curve, from `base` on; each node has the larger child.
  function build(live) {
    let base = 1;
    while (base < live.length) base *= 2;
    const tree = new Float64Array(2 * base);
    tree.set(live, base);
    for (let k = base; --k > 0; ) tree[k] = Math.max(tree[2 * k], tree[2 * k + 1]);
    return {base, tree};
  }

  // The largest value of the sections [from, to).
  function most({base, tree}, from, to) {
    let high = 0;
    for (let a = from + base, b = to + base; a < b; a >>= 1, b >>= 1) {
      if (a & 1) high = Math.max(high, tree[a++]);
      if (b & 1) high = Math.max(high, tree[--b]);
    }
    return high;
  }

  // Relations may let buffers share bytes, and then the sum of sizes says nothing about the bound.
  const isKnown = (m) => !profile.shares(m);

  // The bound of buffer i's arena or pool without it.
  function bound(m, i) {
    const p = profile.of(m, m.pools.length > 0 ? m.poolOf[i] : null),
      tree = (p.tree ??= build(p.live));
    let high = 0,
      done = 0;
    for (let k = m.rectFirst[i]; k < m.rectFirst[i + 1]; k++) {
      const r = m.rectOf[k],
        from = profile.indexAt(p.times, m.rectStart[r]),
        to = profile.indexAt(p.times, m.rectEnd[r]);
      high = Math.max(high, most(tree, done, from), most(tree, from, to) - m.size[i]);
      done = Math.max(done, to);
    }
    return Math.max(high, most(tree, done, p.live.length));
  }

  // How far the bound drops without buffer i.
  const drop = (m, i) => profile.of(m, m.pools.length > 0 ? m.poolOf[i] : null).most - bound(m, i);

  return {isKnown, bound, drop};
})();
