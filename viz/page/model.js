// SPDX-License-Identifier: GPL-3.0-or-later
// A plan in typed arrays: of 32-bit integers where all values fit, otherwise of doubles.  Numbers
// on the page come from `store`, in which no digit is lost.
//
// Rectangles (one per lifetime) are sorted by the magnitude of their duration, then by start.  So
// each block of BLOCK rectangles covers little time, and rectangles out of view are skipped by the
// block.
export const RISKS = ['none', 'low', 'medium', 'high'];
export const BLOCK = 64;
const UNPLACED = -1;

function checked(plan) {
  if (plan === null || plan.format !== 'neap-plan' || !Array.isArray(plan.buffers ?? plan.columns))
    throw new Error('not a plan in the JSON format of neap');
  return plan;
}

const bytesOf = Uint8Array.fromBase64
  ? (digits) => Uint8Array.fromBase64(digits)
  : (digits) => {
      const text = atob(digits),
        bytes = new Uint8Array(text.length);
      for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
      return bytes;
    };

// Unpacks the compressed data blocks of a page, before they are read.
export async function unpack(page) {
  for (const block of page.querySelectorAll('script[data-encoding="gzip"]')) {
    const packed = new Response(bytesOf(block.textContent)).body,
      unpacked = new Response(packed.pipeThrough(new DecompressionStream('gzip')));
    block.unpacked = new Uint8Array(await unpacked.arrayBuffer());
    block.textContent = '';
  }
}

// The JSON in a block; forgets unpacked text.
function read(block) {
  const {unpacked} = block;
  delete block.unpacked;
  return unpacked ? store.parse(unpacked) : store.decode(block.textContent);
}

// Reads a data block of a page.  neap has verified its plan, and a block with an unsound plan
// states the fault.
export function readBlock(block) {
  const {name = '', fault = ''} = block.dataset;
  return named(build(checked(read(block)), {name, fault, verified: fault === ''}), block);
}

// Takes the short names that neap has put beside a plan, one per line; an empty line stands for the
// full name.
function named(m, {dataset}) {
  m.short = dataset.short?.split('\n') ?? null;
  return m;
}

// Reads the plan in a file, which may be JSON or a page; it still has to be verified.
export async function readFile(source, name) {
  if (!/^\s*</.test(source)) return build(checked(store.decode(source)), {name});
  const page = new DOMParser().parseFromString(source, 'text/html');
  const block = page.getElementById('plan');
  if (!block) throw new Error('this page contains no plan');
  await unpack(page);
  return named(build(checked(read(block)), {name}), block);
}

// The properties of each buffer; its lifetime without gaps is from `first` to `last`.
function readBuffers(m) {
  const {begins, start, end} = m.store.ranges;
  m.size = m.store.size.values;
  m.risk = m.store.codes('risk', (risk) => Math.max(0, RISKS.indexOf(risk)));
  m.first = begins ? start.slice(0, m.count) : start;
  m.last = begins ? end.slice(0, m.count) : end;
  for (let i = 0; begins && i < m.count; i++) {
    m.first[i] = start[begins[i]];
    m.last[i] = end[begins[i + 1] - 1];
  }
}

const magnitude = (duration) =>
  duration < 2 ** 31 ? (31 - Math.clz32(duration | 1)) >> 1 : Math.floor(Math.log2(duration) / 2);

// The rectangles in order, as (buffer, start, end); those of each buffer by time; all by start.
function readRects(m) {
  const {begins, start, end} = m.store.ranges,
    total = start.length,
    level = new Uint8Array(total),
    place = new Int32Array(total),
    buffer = begins ? new Int32Array(total) : null;
  for (let k = 0; k < total; k++) level[k] = magnitude(end[k] - start[k]);
  const byStart = sort.by(start),
    order = sort.by(level, {order: byStart});
  for (let i = 0; begins && i < m.count; i++) buffer.fill(i, begins[i], begins[i + 1]);
  for (let r = 0; r < total; r++) place[order[r]] = r;
  m.rectByStart = sort.pick(place, byStart);
  m.rectCount = total;
  m.rectStart = sort.pick(start, order);
  m.rectEnd = sort.pick(end, order);
  m.rectBuffer = begins ? sort.pick(buffer, order) : new Int32Array(order.buffer);
  m.rectFirst = begins ?? sort.upTo(m.count + 1);
  m.rectOf = place;
}

// The rectangles by the end of their lifetimes.
export const byEnd = (m) => (m.rectByEnd ??= sort.by(m.rectEnd));

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
  const {from, to, longest} = m.blocks;
  for (let r = 0; r < m.rectCount; r++) {
    const b = Math.floor(r / BLOCK),
      start = m.rectStart[r],
      end = m.rectEnd[r];
    if (start < from[b]) from[b] = start;
    if (end > to[b]) to[b] = end;
    if (end - start > longest[b]) longest[b] = end - start;
  }
}

// Updates everything that depends on the offsets drawn.  Each rectangle has its own copy of the
// offsets next to its times, because loops over all rectangles read both.
function bound(m) {
  const {low, high} = m.blocks,
    numbers = m.shown === m.offset ? m.end.constructor : Float64Array;
  m.rectLow = new numbers(m.rectCount);
  m.rectHigh = new numbers(m.rectCount);
  low.fill(Infinity);
  high.fill(-Infinity);
  for (let r = 0; r < m.rectCount; r++) {
    const b = Math.floor(r / BLOCK),
      i = m.rectBuffer[r];
    m.rectLow[r] = m.shown[i];
    m.rectHigh[r] = m.shown[i] + m.size[i];
    if (m.rectLow[r] < low[b]) low[b] = m.rectLow[r];
    if (m.rectHigh[r] > high[b]) high[b] = m.rectHigh[r];
  }
}

// Draws the offsets of the model again, after a glide that draws others for a while.
export function settle(m) {
  m.shown = m.offset;
  bound(m);
}

// Draws other offsets, which may be fractions.
export function glide(m, offsets) {
  m.shown = offsets;
  bound(m);
}

// The end offset, rounded once.
function endOf(m, i) {
  const {size, offset} = m.store;
  if (m.custom || m.pools.length > 0 || !(size.exact.has(i) || offset.exact.has(i)))
    return m.offset[i] + m.size[i];
  return Number(exactEnd(m, i));
}

// Where each buffer is on the byte axis.
function offsetsOf(m, offsets) {
  const own = m.store.offset.values;
  if (!offsets && m.pools.length === 0) return own;
  return store.narrow(
    Float64Array.from(own, (offset, i) => (offsets ? Number(offsets[i]) : offset + m.lift[i])),
  );
}

// Results of other modules that depend on the layout.
const BY_OFFSETS = ['profile', 'supports', 'collisions', 'sharing', 'bodyBoxes', 'roundRisk'];

// Uses other offsets, such as those of a round; null restores those of the plan.
export function place(m, offsets) {
  const end = new Float64Array(m.count);
  m.custom = offsets;
  m.offset = offsetsOf(m, offsets);
  m.top = 0;
  for (let i = 0; i < m.count; i++) {
    end[i] = m.offset[i] === UNPLACED ? UNPLACED : endOf(m, i);
    if (end[i] > m.top) m.top = end[i];
  }
  m.end = store.narrow(end);
  m.peak = m.pools.length > 0 ? m.pools.reduce((sum, {peak}) => sum + peak, 0) : m.top;
  settle(m);
  for (const key of BY_OFFSETS) m[key] = null;
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

// The most bytes alive at one moment, and the highest proven lower bound: of the plan, and of each
// pool.
function readBounds(m) {
  const read = (at, {bound, lower_bound: proven}, pool) => {
    at.bound = Number(bound ?? profile.of(m, pool).most);
    at.lowerBound = Number(proven ?? at.bound);
  };
  read(m, m.report, null);
  m.pools.forEach((pool, k) => read(pool, m.report.pools?.[k] ?? {}, k));
}

function build(plan, {name = '', fault = '', verified = false} = {}) {
  const m = {plan, name, fault, verified, store: store.of(plan), custom: null, ceiling: 0};
  plan.buffers = plan.columns = null; // the store has what is needed of them
  m.count = m.store.count;
  m.report = plan.report ?? {};
  m.horizon = Number(plan.horizon ?? 0);
  m.live = plan.live ?? null;
  m.capacity = m.report.capacity === undefined ? null : Number(m.report.capacity);
  m.base = plan.base === undefined ? null : BigInt(plan.base);
  relations.layPools(m);
  readBuffers(m);
  readRects(m);
  makeBlocks(m);
  extent(m);
  place(m, null);
  relations.read(m);
  readBounds(m);
  return m;
}

const COMMON = 'count horizon base size first last from to index short'.split(' ');

// Reads another layout of the problem of plan `like`, from a block of a page
// (src/files/json/plan.h).  Both share everything that does not depend on offsets.
export function readLayout(like, block) {
  const layout = read(block),
    {fault = ''} = block.dataset,
    pools = (like.plan.pools ?? []).map(({name: own}) => own),
    {report, object_sizes: sizes} = layout;
  const m = {
    plan: {...like.plan, report, object_sizes: sizes, rounds: []},
    name: like.name,
    fault,
    verified: fault === '',
    store: store.withLayout(like.store, layout, {pools, risks: RISKS}),
    custom: null,
    ceiling: 0,
    report,
    live: layout.live ?? null,
    capacity: report.capacity === undefined ? null : Number(report.capacity),
    risk: Uint8Array.from(layout.risks),
  };
  for (const key of [...COMMON, ...Object.keys(like).filter((key) => /^rect[SEBFCO]/.test(key))])
    m[key] = like[key];
  relations.layPools(m);
  makeBlocks(m);
  place(m, null);
  relations.read(m);
  readBounds(m);
  return m;
}

// The rectangles of buffer i, by time.
export const rectsOf = (m, i) => m.rectOf.subarray(m.rectFirst[i], m.rectFirst[i + 1]);

// A rectangle as it is drawn.
export const rect = (m, r) => ({
  start: m.rectStart[r],
  end: m.rectEnd[r],
  low: m.rectLow[r],
  high: m.rectHigh[r],
});

// Calls visit(rectangle) for each rectangle that overlaps a box and lasts at least `least`.
export function query(m, box, visit, least = 0) {
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

// The values of buffer i in the plan.  Sizes, offsets and ends are exact (BigInt).  Other numbers
// are as in the plan: strings if they have more than 15 digits; null if the plan lacks them.
const exactOf = ({values, exact}, i) => exact.get(i) ?? BigInt(values[i]);
export const exactSize = (m, i) => exactOf(m.store.size, i);
export const exactOffset = (m, i) => (m.custom ? BigInt(m.custom[i]) : exactOf(m.store.offset, i));
export const exactEnd = (m, i) => exactOffset(m, i) + exactSize(m, i);
export const name = (m, i) => m.store.name(i);
// The name of a buffer on the page, and its whole name if that is longer, or else ''.
export const shortName = (m, i) => m.short?.[i] || name(m, i);
export const label = (m, i, room) => text.cut(shortName(m, i), room);
export const longName = (m, i) => (m.short?.[i] ? name(m, i) : '');
export const kind = (m, i) => m.store.value(i, 'hint') ?? '';
export const dtype = (m, i) => m.store.value(i, 'dtype') ?? '';
const maybe = (key) => (m, i) => m.store.value(i, key) ?? null;
export const hasKinds = (m) => m.store.has('hint');
export const hasObjects = (m) => m.store.has('object');

// The buffer with a name, or undefined.  `near` is a guess.
export function find(m, wanted, near = -1) {
  if (near >= 0 && near < m.count && name(m, near) === wanted) return near;
  if (!m.index) {
    m.index = new Map();
    for (let i = m.count; i-- > 0;) m.index.set(name(m, i), i);
  }
  return m.index.get(wanted);
}

// The operators of the model that the plan is for, as {type, name, reads, makes} with the numbers
// of buffers; null if the plan does not list them.
export function operators(m) {
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

export const isPlaced = (m, i) => m.offset[i] !== UNPLACED;

export function lifetimes(m, i) {
  return m.store
    .lifetimes(i)
    .map(([start, end]) => `[${text.grouped(start)}, ${text.grouped(end)})`)
    .join(' ');
}

export const overlapsTime = (m, r, s) =>
  m.rectStart[r] < m.rectEnd[s] && m.rectStart[s] < m.rectEnd[r];

export const shape = maybe('shape');
export const alignment = maybe('alignment');
export const fixed = maybe('fixed_offset');
export const object = maybe('object');
export const pool = maybe('pool');
export const window = maybe('window');
export const bank = maybe('bank');
export const near = maybe('near');
