// SPDX-License-Identifier: GPL-3.0-or-later
// The quantities that colours stand for, one number per buffer, as in viz/layout/quantity.c and
// viz/layout/padding.c.
export const FREED = -1, // the age of a buffer that is not alive at the moment
  LATER = -2;

// The time alive of each buffer, without gaps.
export function durations(m) {
  const sums = new Float64Array(m.count);
  for (let r = 0; r < m.rectCount; r++) sums[m.rectBuffer[r]] += m.rectEnd[r] - m.rectStart[r];
  return sums;
}

// ------------------------------------------------------------ classes of risk

// The classes of a round's layout, by the rules of src/problem/facts/risk.c.
function classify(m) {
  const {times, from, to} = profile.events(m, null),
    risk = new Uint8Array(m.count);
  // Classifies unclassified buffers that are in a set, or alive with a buffer of the set.
  const spread = (level, isIn) => {
    const steps = new Int32Array(times.length + 1), // changes of the number alive in the set
      before = new Uint32Array(times.length + 1); // the number of earlier sections with one alive
    m.rectBuffer.forEach((i, r) => {
      if (!isIn(i)) return;
      steps[from[r]]++;
      steps[to[r]]--;
    });
    for (let k = 0, count = 0; k < times.length; k++)
      before[k + 1] = before[k] + ((count += steps[k]) > 0);
    m.rectBuffer.forEach((i, r) => {
      if (risk[i] === 0 && before[to[r]] > before[from[r]]) risk[i] = level;
    });
  };
  spread(model.RISKS.indexOf('high'), (i) => m.end[i] > m.lowerBound);
  spread(model.RISKS.indexOf('medium'), (i) => m.end[i] === m.lowerBound);
  spread(model.RISKS.indexOf('low'), (i) => risk[i] > 0);
  return risk;
}

// The class of each buffer, an index of model.RISKS; for a round, that in its own layout.
export const risks = (m) => (m.custom ? (m.roundRisk ??= classify(m)) : m.risk);

// ------------------------------------------------------------ ages

// The moment of ages: the time cursor, or else the first moment with the most live bytes.
export function moment(m, {cursor}) {
  if (cursor !== null) return cursor;
  const {times, live, most} = profile.of(m);
  return times[live.indexOf(most)] ?? 0;
}

// The time from the allocation of each buffer to a moment.
export function ages(m, at) {
  const list = new Float64Array(m.count).fill(FREED);
  for (let r = 0; r < m.rectCount; r++) {
    const i = m.rectBuffer[r];
    if (at < m.rectStart[r]) list[i] = list[i] >= 0 ? list[i] : LATER;
    else if (at < m.rectEnd[r]) list[i] = at - m.rectStart[r];
  }
  return list;
}

// ------------------------------------------------------------ padding

const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));

// The step of a buffer's offsets, which are its multiples.
function stepOf(m, i) {
  const own = Number(model.alignment(m, i) ?? 1),
    pools = m.pools.length > 0 ? Number(m.pools[m.poolOf[i]].alignment ?? 1) : 1;
  return (own / gcd(own, pools)) * pools;
}

export const isAligned = (m) => m.size.some((_, i) => stepOf(m, i) > 1);

// The free bytes right below each buffer, if they are fewer than the step of its offsets.  Pools
// are apart on the axis.
export function padding(m) {
  const below = Float64Array.from(m.lift); // the highest end below each buffer
  const rest = (i, end) => {
    if (end <= m.offset[i] && end > below[i]) below[i] = end;
  };
  const low = profile.lows(m),
    high = profile.highs(m),
    down = high.map((end) => -end);
  const above = profile.tree(low, low),
    under = profile.tree(down, down);
  profile.sweep(m, [above, under], (r) => {
    const [nearest] = under.from(-low[r]);
    if (nearest !== undefined) rest(m.rectBuffer[r], high[nearest]);
    let covered = Infinity; // from here on, a live rectangle ends higher
    for (const s of above.from(high[r])) {
      if (low[s] >= covered) break;
      rest(m.rectBuffer[s], high[r]);
      covered = Math.min(covered, high[s]);
    }
  });
  for (const {start, end, high} of relations.reservedBoxes(m))
    for (let r = 0; r < m.rectCount; r++)
      if (m.rectStart[r] < end && start < m.rectEnd[r]) rest(m.rectBuffer[r], high);
  return below.map((high, i) => {
    const free = m.offset[i] - high,
      isPadding = m.size[i] > 0 && m.offset[i] >= 0 && free < stepOf(m, i);
    return isPadding ? free : 0;
  });
}
