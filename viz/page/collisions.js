// SPDX-License-Identifier: GPL-3.0-or-later
// Finds all pairs of rectangles that overlap, which a sound plan does not have.  Only plans that
// neap has not verified are searched, such as those of a file.  As a rectangle begins, a tree
// of the live rectangles by offset yields those that end above its offset and begin below its end:
// O((n + k) log n) for n rectangles and k pairs, including pairs that relations permit.
const LISTED = 1000;

function collide(m, r, s) {
  const [i, j] = [m.rectBuffer[r], m.rectBuffer[s]];
  return {first: Math.min(i, j), second: Math.max(i, j), ...relations.meeting(m, r, s)};
}

// The earliest LISTED collisions, by buffer, and the number of all: {list, total}.
function find(m) {
  const list = [],
    isRelated = relations.isRelated(m);
  let total = 0;
  const low = profile.lows(m),
    high = profile.highs(m),
    tree = profile.tree(low, high);
  profile.sweep(m, [tree], (r) => {
    for (const s of tree.from(low[r])) {
      if (low[s] >= high[r]) break;
      if (high[s] === low[r]) continue;
      if (isRelated && relations.permits(m, m.rectBuffer[r], m.rectBuffer[s])) continue;
      total++;
      if (list.length < LISTED) list.push(collide(m, r, s));
    }
  });
  list.sort((a, b) => a.first - b.first || a.second - b.second || a.start - b.start);
  const broken = isRelated ? relations.brokenSeparations(m) : [];
  return {list: [...list, ...broken], total: total + broken.length};
}

// A plan that neap has found to be sound need not be searched.
export const of = (m) =>
  m.verified && !m.custom ? {list: [], total: 0} : (m.collisions ??= find(m));

// The collisions of buffer i, each with the other buffer in it.
export const ofBuffer = (m, i) =>
  of(m)
    .list.filter(({first, second}) => first === i || second === i)
    .map((one) => ({...one, other: one.first === i ? one.second : one.first}));

// ------------------------------------------------------------ words

// The fault of a plan without collisions: the one that neap found, or one visible in the data.
function faultOf(m) {
  if (m.verified || m.custom) return '';
  if (m.fault) return m.fault;
  for (let i = 0; i < m.count; i++) {
    const alignment = model.alignment(m, i),
      fixed = model.fixed(m, i);
    if (alignment === null && fixed === null) continue;
    const offset = model.exactOffset(m, i),
      where = `'${model.name(m, i)}' is at offset ${offset}`;
    if (alignment !== null && offset % BigInt(alignment) !== 0n)
      return `${where}, not a multiple of its alignment ${alignment}`;
    if (fixed !== null && offset !== BigInt(fixed))
      return `${where}, but its offset is fixed at ${fixed}`;
  }
  return '';
}

export const count = (m) => text.plural(of(m).total, 'collision');

export const isSound = (m) => of(m).total === 0 && faultOf(m) === '';

const NAMED = 5;

// "3 collisions: a and b, c and d, e and f"; '' for a sound plan.
export function summary(m) {
  const {list, total} = of(m);
  if (total === 0) return faultOf(m);
  const pairs = list
    .slice(0, NAMED)
    .map(({first, second}) => `${model.label(m, first, 60)} and ${model.label(m, second, 60)}`);
  const more = total - pairs.length;
  return `${count(m)}: ${pairs.join(', ')}${more > 0 ? `, and ${text.grouped(more)} more` : ''}`;
}
