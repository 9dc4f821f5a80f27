// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of the model: which one makes a buffer, which ones read it, which one runs at a
// moment, and what it reads, makes and frees.  Operator k runs during [k, k + 1).
const {make, long, key} = parts;
const OUTLINES_MOST = 300,
  TOLD = 5; // in the card
export const state = {hover: null, pinned: null};

// ------------------------------------------------------------ what the model says

// For each buffer the operator that makes it, or -1, and those that read it, in order; the buffers
// by when they end, and these ends.
function index(m) {
  if (m.operatorIndex) return m.operatorIndex;
  const list = model.operators(m) ?? [],
    makers = new Int32Array(m.count).fill(-1),
    readers = new Map();
  list.forEach(({reads, makes}, k) => {
    for (const i of makes) if (makers[i] < 0) makers[i] = k;
    for (const i of new Set(reads)) {
      if (!readers.has(i)) readers.set(i, []);
      readers.get(i).push(k);
    }
  });
  const byEnd = sort.by(m.last),
    ends = Float64Array.from(byEnd, (i) => m.last[i]);
  return (m.operatorIndex = {list, makers, readers, byEnd, ends});
}

export const has = (m) => (model.operators(m) ?? []).length > 0;
export const count = (m) => (model.operators(m) ?? []).length;

// The operator that makes buffer i; null if none does.
export function maker(m, i) {
  const k = has(m) ? index(m).makers[i] : -1;
  return k < 0 ? null : k;
}

const readers = (m, i) => (has(m) ? (index(m).readers.get(i) ?? []) : []);

// The operator that runs at time t, or null.
export function at(m, t) {
  const k = t === null ? -1 : Math.floor(t);
  return k >= 0 && k < count(m) ? k : null;
}

// The buffers whose last lifetime ends with operator k.
function frees(m, k) {
  const {byEnd, ends} = index(m),
    to = profile.indexAt(ends, k + 1) + 1;
  let from = to;
  while (from > 0 && ends[from - 1] === k + 1) from--;
  return Array.from(byEnd.subarray(from, to));
}

// What operator k reads and makes; undefined stands for tensors that are not planned, such as
// weights.
export const of = (m, k) => index(m).list[k];

// Whether operator k reads or makes buffer i.
export const touches = (m, k, i) => of(m, k).reads.includes(i) || of(m, k).makes.includes(i);

export const type = (m, k) => index(m).list[k].type;
export const name = (m, k) => index(m).list[k].name;

// "CONV_2D conv1": the type and the name of operator k.
export const title = (m, k) =>
  [type(m, k), name(m, k)].filter((words) => words).join(' ') || `operator ${text.grouped(k)}`;

// What operator k does: [kind of key, verb, buffers].
export function deeds(m, k) {
  const {reads, makes} = index(m).list[k];
  return [
    ['reads', 'Reads', [...new Set(reads)]],
    ['makes', 'Makes', makes],
    ['frees', 'Frees', frees(m, k)],
  ];
}

// The first operators with a text in their type or name.
export function find(m, wanted, most) {
  const needle = wanted.trim().toLowerCase(),
    found = [];
  for (let k = 0; k < count(m) && found.length < most; k++)
    if (title(m, k).toLowerCase().includes(needle)) found.push(k);
  return found;
}

// ------------------------------------------------------------ over the layout

// The operator that is outlined: under the pointer, or else pinned by a click.
export function shown(m) {
  const k = state.hover ?? state.pinned;
  return k !== null && k < count(m) ? k : null;
}

// What it reads has dashed outlines, what it makes solid ones, and what it frees is hatched and
// dotted.
export function over(app, c, outline) {
  const {m, look} = app,
    k = shown(m);
  if (k === null) return;
  const [[, , reads], [, , makes], [, , freed]] = deeds(m, k);
  const boxes = freed
    .slice(0, OUTLINES_MOST)
    .filter((i) => m.shown[i] >= 0)
    .map((i) => model.rect(m, model.rectsOf(m, i).at(-1)));
  signs.hatch(app, c, boxes, signs.hatching(app, c, 'freed', look.waste, 'rising'), look.waste);
  const mark = (list, ink, breadth, more) => {
    for (const i of list.slice(0, OUTLINES_MOST)) outline(app, c, i, ink, breadth, more);
  };
  mark(makes, look.taken, 3);
  mark(reads, look.carrier, 3, {dash: [7, 4]});
  mark(freed, look.waste, 2.5, {dash: [3, 5], halo: false}); // where hatching has no room
}

// What the legend has to explain: [name, kind of key, colour].
export const marks = (m, look) =>
  has(m)
    ? [
        ['operator reads', 'box dashed', look.carrier],
        ['makes', 'box', look.taken],
        ['frees', 'box stripes', look.waste],
      ]
    : [];

// ------------------------------------------------------------ words

const total = (m, list) => list.reduce((sum, i) => sum + m.size[i], 0);

// The card of an operator, for the tooltip.
export function card(m, k) {
  const line = ([kind, verb, list]) => {
    const named = list
      .slice(0, TOLD)
      .map((i) => `${model.label(m, i, 40)} ${text.amount(m.size[i])}`);
    if (list.length > TOLD) named.push(`${text.grouped(list.length - TOLD)} more`);
    return make(
      'span.deed',
      key(kind),
      make('b', verb.toLowerCase()),
      list.length === 0
        ? 'nothing'
        : `${list.length > 1 ? `${text.amount(total(m, list))}: ` : ''}${named.join(', ')}`,
    );
  };
  return [
    make('b', text.cut(title(m, k), 160)),
    make('span', `time ${text.span(k, k + 1)}`),
    ...deeds(m, k).map(line),
  ];
}

// A button that shows operator k.
export const operatorLink = (app, k) =>
  parts.action(
    text.cut(title(app.m, k), 120),
    `Operator ${text.grouped(k)}: go to its time`,
    () => pin(app, k),
    (on) => setHover(app, on ? k : null),
  );

// The same with its time, since many operators may have one type and no name.
const timedLink = (app, k) => [operatorLink(app, k), make('span.bytes', `time ${text.grouped(k)}`)];

// The operator that runs at the cursor, for the tab of the time.
export function section(app) {
  const {m, cursor} = app,
    k = at(m, cursor);
  if (k === null) return [];
  const list = ([kind, verb, ids]) => [
    make(
      'h3.deeds',
      key(kind),
      verb,
      make(
        'span.count',
        ids.length > 0 ? `${text.grouped(ids.length)}, ${text.amount(total(m, ids))}` : 'nothing',
      ),
    ),
    ids.length > 0 ? long(ids, (i) => parts.bufferRow(app, i), `${verb}: ${title(m, k)}`) : '',
  ];
  return [
    make('p.operator', make('b', title(m, k)), make('small', 'runs')),
    ...deeds(m, k).flatMap(list),
  ];
}

// Who makes and reads a buffer, as rows for the tab of the tensor.
export function rowsOf(app, i) {
  const {m} = app,
    by = maker(m, i),
    list = readers(m, i),
    kind = model.kind(m, i);
  if (!has(m)) return [kind ? ['Operator', kind] : ['Operator']];
  return [
    [
      'Made by',
      by === null
        ? make('span.note', 'no operator: an input')
        : make('span.by', ...timedLink(app, by)),
    ],
    [
      'Read by',
      list.length > 0
        ? long(list, (k) => make('li', ...timedLink(app, k)), 'Read by')
        : make('span.note', 'no operator: an output'),
    ],
  ];
}

// ------------------------------------------------------------ actions

export function setHover(app, k) {
  if (state.hover === k) return;
  state.hover = k;
  for (const scene of app.scenes) band.paint(scene);
  app.redrawOver();
}

// Keeps the operator outlined and, if `open`, shows it in the tab of the time.
export function pin(app, k, open = panel.current() !== 'graph') {
  state.pinned = k;
  app.setCursor(k);
  if (open) panel.open('time');
  app.redrawOver();
}

// Pins the operator after or before the one that runs at the cursor.
export function step(app, by) {
  const last = count(app.m) - 1,
    now = at(app.m, app.cursor) ?? (by > 0 ? -1 : last + 1);
  if (last >= 0) pin(app, Math.max(0, Math.min(last, now + by)));
}

// The time cursor has moved: an operator of another moment is no longer pinned.
export function moved(app) {
  if (state.pinned !== at(app.m, app.cursor)) state.pinned = null;
}
