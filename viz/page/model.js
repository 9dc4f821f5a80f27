// SPDX-License-Identifier: GPL-3.0-or-later
// A plan in typed arrays.  Geometry is in doubles.  Numbers on the page come from `raw`, in which
// integers of more than 15 digits are strings, so that no digit is lost.
//
// Rectangles (one per lifetime) are sorted by the magnitude of their duration, then by start.  So
// a block of BLOCK of them covers little time, and those out of view are skipped a block at a
// time.
const model = (() => {
  const RISKS = ['none', 'low', 'medium', 'high'];
  const BLOCK = 64;
  const UNPLACED = -1;
  const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*/g;

  function parse(source) {
    const safe = /\d{16}/.test(source)
      ? source.replace(TOKEN, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token))
      : source;
    const plan = JSON.parse(safe);
    if (plan === null || plan.format !== 'neap-plan' || !Array.isArray(plan.buffers))
      throw new Error('not a plan in the JSON format of neap');
    return plan;
  }

  // A data block of a page.  neap has verified its plan, and the block has the fault of an
  // unsound one.
  function readBlock(block) {
    const {name = '', fault = ''} = block.dataset;
    return build(parse(block.textContent), {name, fault, verified: fault === ''});
  }

  // The plan in a file, which may be JSON or a page; it still has to be verified.
  function readFile(source, name) {
    if (!/^\s*</.test(source)) return build(parse(source), {name});
    const page = new DOMParser().parseFromString(source, 'text/html');
    const block = page.getElementById('plan');
    if (!block) throw new Error('this page contains no plan');
    return build(parse(block.textContent), {name});
  }

  function readBuffers(m, list) {
    for (let i = 0; i < m.count; i++) {
      const b = list[i];
      m.size[i] = Number(b.size);
      m.risk[i] = Math.max(0, RISKS.indexOf(b.risk));
      m.first[i] = Number(b.lifetimes[0][0]);
      m.last[i] = Number(b.lifetimes[b.lifetimes.length - 1][1]);
    }
  }

  const magnitude = (duration) => Math.floor(Math.log2(Math.max(1, duration)) / 2);

  // The rectangles in their order, as (buffer, start, end).
  function readRects(m, list) {
    const buffer = new Int32Array(m.rectCount),
      start = new Float64Array(m.rectCount);
    const end = new Float64Array(m.rectCount),
      level = new Uint8Array(m.rectCount);
    let k = 0;
    for (let i = 0; i < m.count; i++)
      for (const range of list[i].lifetimes) {
        buffer[k] = i;
        start[k] = Number(range[0]);
        end[k] = Number(range[1]);
        level[k] = magnitude(end[k] - start[k]);
        k++;
      }
    const order = Uint32Array.from({length: k}, (_, index) => index);
    order.sort((a, b) => level[a] - level[b] || start[a] - start[b] || a - b);
    m.rectBuffer = Int32Array.from(order, (r) => buffer[r]);
    m.rectStart = Float64Array.from(order, (r) => start[r]);
    m.rectEnd = Float64Array.from(order, (r) => end[r]);
    m.rectLow = new Float64Array(k);
    m.rectHigh = new Float64Array(k);
  }

  // The rectangles of each buffer, ordered by time.
  function linkRects(m) {
    m.rectFirst = new Int32Array(m.count + 1);
    for (let r = 0; r < m.rectCount; r++) m.rectFirst[m.rectBuffer[r] + 1]++;
    for (let i = 0; i < m.count; i++) m.rectFirst[i + 1] += m.rectFirst[i];
    const next = m.rectFirst.slice();
    m.rectOf = new Int32Array(m.rectCount);
    for (let r = 0; r < m.rectCount; r++) m.rectOf[next[m.rectBuffer[r]]++] = r;
    for (let i = 0; i < m.count; i++)
      if (m.rectFirst[i + 1] - m.rectFirst[i] > 1)
        m.rectOf
          .subarray(m.rectFirst[i], m.rectFirst[i + 1])
          .sort((a, b) => m.rectStart[a] - m.rectStart[b]);
  }

  function makeBlocks(m) {
    const count = Math.ceil(m.rectCount / BLOCK);
    m.blocks = {
      count,
      from: new Float64Array(count).fill(Infinity),
      to: new Float64Array(count).fill(-Infinity),
      longest: new Float64Array(count),
      low: new Float64Array(count),
      high: new Float64Array(count),
    };
    for (let r = 0; r < m.rectCount; r++) {
      const b = Math.floor(r / BLOCK);
      m.blocks.from[b] = Math.min(m.blocks.from[b], m.rectStart[r]);
      m.blocks.to[b] = Math.max(m.blocks.to[b], m.rectEnd[r]);
      m.blocks.longest[b] = Math.max(m.blocks.longest[b], m.rectEnd[r] - m.rectStart[r]);
    }
  }

  // Updates everything that depends on the offsets drawn.  Each rectangle has a copy of its own
  // offsets next to its times, because loops over all of them read both.
  function bound(m) {
    const {low, high} = m.blocks;
    low.fill(Infinity);
    high.fill(-Infinity);
    for (let r = 0; r < m.rectCount; r++) {
      const i = m.rectBuffer[r],
        b = Math.floor(r / BLOCK);
      m.rectLow[r] = m.shown[i];
      m.rectHigh[r] = m.shown[i] + m.size[i];
      if (m.rectLow[r] < low[b]) low[b] = m.rectLow[r];
      if (m.rectHigh[r] > high[b]) high[b] = m.rectHigh[r];
    }
  }

  // The end offset, rounded once.
  function endOf(m, i) {
    const {size, offset} = m.raw[i];
    if (m.custom || m.pools.length > 0 || (typeof size === 'number' && typeof offset === 'number'))
      return m.offset[i] + m.size[i];
    return Number(BigInt(size) + BigInt(offset));
  }

  // Uses other offsets (those of a round), or with null those of the plan.
  function place(m, offsets) {
    m.custom = offsets;
    m.top = 0;
    for (let i = 0; i < m.count; i++) {
      m.offset[i] = offsets ? Number(offsets[i]) : Number(m.raw[i].offset) + m.lift[i];
      m.end[i] = m.offset[i] === UNPLACED ? UNPLACED : endOf(m, i);
      if (m.end[i] > m.top) m.top = m.end[i];
    }
    m.peak = m.pools.length > 0 ? m.pools.reduce((sum, {peak}) => sum + peak, 0) : m.top;
    m.shown.set(m.offset);
    bound(m);
    m.profile = null;
    m.supports = null;
    m.collisions = null;
  }

  function extent(m) {
    let from = Infinity,
      to = m.horizon;
    for (let i = 0; i < m.count; i++) {
      if (m.first[i] < from) from = m.first[i];
      if (m.last[i] > to) to = m.last[i];
    }
    m.from = m.count === 0 || from <= to / 2 ? 0 : from;
    m.to = to > m.from ? to : m.from + 1;
  }

  function build(plan, {name = '', fault = '', verified = false} = {}) {
    const list = plan.buffers,
      n = list.length,
      numbers = () => new Float64Array(n);
    const m = {
      plan,
      name,
      fault,
      verified,
      raw: list,
      count: n,
      size: numbers(),
      offset: numbers(),
      end: numbers(),
      shown: numbers(),
      first: numbers(),
      last: numbers(),
      risk: new Uint8Array(n),
      custom: null,
      ceiling: 0,
    };
    m.rectCount = list.reduce((sum, b) => sum + b.lifetimes.length, 0);
    m.report = plan.report ?? {};
    m.horizon = Number(plan.horizon ?? 0);
    m.bound = Number(m.report.lower_bound ?? m.report.bound ?? 0);
    m.capacity = m.report.capacity === undefined ? null : Number(m.report.capacity);
    m.base = plan.base === undefined ? null : BigInt(plan.base);
    relations.layPools(m);
    readBuffers(m, list);
    readRects(m, list);
    linkRects(m);
    makeBlocks(m);
    extent(m);
    place(m, null);
    relations.read(m);
    return m;
  }

  // Calls visit(rectangle) for each that overlaps a box and is at least `least` long.
  function query(m, box, visit, least = 0) {
    const {blocks} = m;
    for (let b = 0; b < blocks.count; b++) {
      if (
        blocks.longest[b] < least ||
        blocks.to[b] <= box.x0 ||
        blocks.from[b] >= box.x1 ||
        blocks.high[b] < box.y0 ||
        blocks.low[b] > box.y1
      )
        continue;
      const stop = Math.min(m.rectCount, (b + 1) * BLOCK);
      for (let r = b * BLOCK; r < stop; r++) {
        const low = m.rectLow[r],
          start = m.rectStart[r],
          end = m.rectEnd[r];
        if (
          end > box.x0 &&
          start < box.x1 &&
          end - start >= least &&
          low < box.y1 &&
          m.rectHigh[r] > box.y0 &&
          low >= 0
        )
          visit(r);
      }
    }
  }

  // What the plan says about buffer i.  Sizes, offsets and ends are exact (BigInt).  Other numbers are
  // as in the plan: strings if they have more than 15 digits.  null: the plan does not say.
  const exactSize = (m, i) => BigInt(m.raw[i].size);
  const exactOffset = (m, i) => BigInt(m.custom ? m.custom[i] : m.raw[i].offset);
  const exactEnd = (m, i) => exactOffset(m, i) + exactSize(m, i);
  const name = (m, i) => m.raw[i].name;
  const kind = (m, i) => m.raw[i].hint ?? '';
  const dtype = (m, i) => m.raw[i].dtype ?? '';
  const shape = (m, i) => m.raw[i].shape ?? null;
  const alignment = (m, i) => m.raw[i].alignment ?? null;
  const fixed = (m, i) => m.raw[i].fixed_offset ?? null;
  const object = (m, i) => m.raw[i].object ?? null;
  const pool = (m, i) => m.raw[i].pool ?? null;
  const window = (m, i) => m.raw[i].window ?? null;
  const bank = (m, i) => m.raw[i].bank ?? null;
  const near = (m, i) => m.raw[i].near ?? null;
  const hasKinds = (m) => m.raw.some((b) => b.hint);
  const hasObjects = (m) => m.raw.some((b) => b.object !== undefined);

  // The buffer with a name, or undefined.
  function find(m, wanted) {
    m.byName ??= new Map(m.raw.map((b, i) => [b.name, i]));
    return m.byName.get(wanted);
  }

  // The operators of the model that the plan is for, as {type, name, reads, makes} with the numbers
  // of buffers; null if the plan does not list them.
  function operators(m) {
    const numbers = (names) => (names ?? []).map((wanted) => find(m, wanted));
    if (m.operators === undefined)
      m.operators = Array.isArray(m.plan.operators)
        ? m.plan.operators.map(({type, name: own = '', reads, makes}) => ({
            type: type ?? '',
            name: own,
            reads: numbers(reads),
            makes: numbers(makes),
          }))
        : null;
    return m.operators;
  }

  const isPlaced = (m, i) => m.offset[i] !== UNPLACED;

  function lifetimes(m, i) {
    return m.raw[i].lifetimes
      .map(([start, end]) => `[${text.grouped(start)}, ${text.grouped(end)})`)
      .join(' ');
  }

  // Whether buffer i of plan a and buffer j of plan b have one size and the same lifetimes.
  const isAlike = (a, i, b, j) =>
    a.raw[i].size === b.raw[j].size && String(a.raw[i].lifetimes) === String(b.raw[j].lifetimes);

  const overlapsTime = (m, r, s) => m.rectStart[r] < m.rectEnd[s] && m.rectStart[s] < m.rectEnd[r];

  return {
    RISKS,
    BLOCK,
    readBlock,
    readFile,
    place,
    bound,
    query,
    exactSize,
    exactOffset,
    exactEnd,
    name,
    kind,
    dtype,
    shape,
    alignment,
    fixed,
    object,
    pool,
    window,
    bank,
    near,
    hasKinds,
    hasObjects,
    find,
    operators,
    isPlaced,
    isAlike,
    lifetimes,
    overlapsTime,
  };
})();
