// Two plans, A and B, whose buffers are matched by name: the place of each buffer in the other
// plan, and its change from A to B.  The plans may be of different problems.
export const SAME = 0;
const MOVED = 1;
const GREW = 2;
const SHRANK = 3;
const RETIMED = 4;
const GONE = 5;
const APPEARED = 6;
export const NONE = -1;
const EXACT = 2 ** 53;

// The kinds of change.  Each buffer counts once, as the first kind that fits: it is in one plan
// only, its size changed, its lifetime changed, its offset changed.
export const KINDS = [
  {key: 'same', word: 'unchanged', colour: '--still', pattern: 0},
  {key: 'moved', word: 'moved', colour: '--moved', pattern: 0},
  {key: 'grew', word: 'grew', colour: '--grew', pattern: 2},
  {key: 'shrank', word: 'shrank', colour: '--shrank', pattern: 1},
  {key: 'retimed', word: 'other lifetime', colour: '--retimed', pattern: 3},
  {key: 'gone', word: 'gone', colour: '--gone', pattern: 2},
  {key: 'appeared', word: 'appeared', colour: '--alone', pattern: 1},
];

// ------------------------------------------------------------ what changed

// The sign of y - x, computed from doubles where these are exact.
function order(x, y, exact) {
  if (x !== y || x < EXACT) return Math.sign(y - x);
  const by = exact();
  return by > 0n ? 1 : by < 0n ? -1 : 0;
}

const sizeChange = (a, i, b, j) =>
  order(a.size[i], b.size[j], () => model.exactSize(b, j) - model.exactSize(a, i));

// The offset of a buffer in its pool.
const placeOf = (m, i) => m.offset[i] - m.lift[i];

// How far a buffer moves up from a plan to another.
export const rise = (a, i, b, j) => placeOf(b, j) - placeOf(a, i);

function isMoved(a, i, b, j) {
  if (model.pool(a, i) !== model.pool(b, j)) return true;
  const [x, y] = [placeOf(a, i), placeOf(b, j)];
  return order(x, y, () => model.exactOffset(b, j) - model.exactOffset(a, i)) !== 0;
}

export function isRetimed(a, i, b, j) {
  const here = model.rectsOf(a, i),
    there = model.rectsOf(b, j),
    differs = (r, k) =>
      a.rectStart[r] !== b.rectStart[there[k]] || a.rectEnd[r] !== b.rectEnd[there[k]];
  return here.length !== there.length || here.some(differs);
}

function kindOf(a, i, b, j) {
  const by = sizeChange(a, i, b, j);
  if (by !== 0) return by > 0 ? GREW : SHRANK;
  if (isRetimed(a, i, b, j)) return RETIMED;
  return isMoved(a, i, b, j) ? MOVED : SAME;
}

// ------------------------------------------------------------ the pair

// For each buffer of `a`, its number in `b`, or NONE.
function numbersIn(b, a) {
  const list = new Int32Array(a.count);
  for (let i = 0; i < a.count; i++) list[i] = model.find(b, model.name(a, i), i) ?? NONE;
  return list;
}

function match(a, b) {
  const p = {a, b, toB: numbersIn(b, a), toA: new Int32Array(b.count).fill(NONE)};
  p.toB.forEach((j, i) => {
    if (j !== NONE) p.toA[j] = i;
  });
  return p;
}

// Fills in the members that depend on offsets, which rounds of the tuner change.
export function classify(p) {
  const {a, b} = p;
  p.kindA = new Uint8Array(a.count);
  p.kindB = new Uint8Array(b.count).fill(APPEARED);
  p.moved = 0;
  p.toB.forEach((j, i) => {
    p.kindA[i] = j === NONE ? GONE : kindOf(a, i, b, j);
    if (j === NONE) return;
    p.kindB[j] = p.kindA[i];
    if (isMoved(a, i, b, j)) p.moved++;
  });
  count(p);
  return p;
}

// Counts the buffers of each kind, and their bytes (in B, unless only A has the buffer).
function count(p) {
  p.counts = KINDS.map(() => 0);
  p.bytes = KINDS.map(() => 0);
  const add = (kind, size) => {
    p.counts[kind]++;
    p.bytes[kind] += size;
  };
  p.kindB.forEach((kind, j) => add(kind, p.b.size[j]));
  p.kindA.forEach((kind, i) => kind === GONE && add(kind, p.a.size[i]));
}

export const make = (a, b) => classify(match(a, b));

// Whether both plans have the same buffers, so that only offsets differ.
export const isOneProblem = ({counts}) =>
  counts.every((count, kind) => kind <= MOVED || count === 0);

// The kind of each buffer of one of the plans, and its number in the other one.
export const kinds = (p, m) => (m === p.a ? p.kindA : p.kindB);
export const numbers = (p, m) => (m === p.a ? p.toB : p.toA);

// The buffers that changed: [{kind, i, j}], numbers in A and B, NONE where there is none.
export function changes(p) {
  const list = [];
  p.kindA.forEach((kind, i) => kind !== SAME && list.push({kind, i, j: p.toB[i]}));
  p.kindB.forEach((kind, j) => kind === APPEARED && list.push({kind, i: NONE, j}));
  return list;
}
