// The operators of the model: which one makes a buffer, which ones read it, which one runs at a
// moment, and the buffers that it reads, makes and frees.  Operator k runs during [k, k + 1).
const {byId, make, long, key} = parts;
const OUTLINES_MOST = 300,
  TOLD = 5; // in the card
export const state = {hover: null, pinned: null};

// ------------------------------------------------------------ what the model says

// Indexes the operators: for each buffer the one that makes it, or -1, and those that read it, in
// order; and the buffers by their ends, with these ends.
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

// The buffers that operator k reads and makes; undefined stands for tensors that are not planned,
// such as weights.
export const of = (m, k) => index(m).list[k];

// Whether operator k reads or makes buffer i.
export const touches = (m, k, i) => of(m, k).reads.includes(i) || of(m, k).makes.includes(i);

export const type = (m, k) => index(m).list[k].type;
export const name = (m, k) => index(m).list[k].name;

// "CONV_2D conv1": the type and the name of operator k.
export const title = (m, k) =>
  [type(m, k), name(m, k)].filter((words) => words).join(' ') || `operator ${text.grouped(k)}`;

// The deeds of operator k: [kind of key, verb, buffers].
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

// The outlined operator: the one under the pointer, or else the one pinned by a click.
export function shown(m) {
  const k = state.hover ?? state.pinned;
  return k !== null && k < count(m) ? k : null;
}

// Outlines the buffers of the operator: dashed if read, solid if made, and hatched and dotted if
// freed.
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

// The marks that the legend explains: [name, kind of key, colour].
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

// The section of the Time tab on the operator at the cursor.
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

// The operators that make and read a buffer, as rows of the tab of the tensor.
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
  for (const scene of app.scenes) paint(scene);
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

// Follows the time cursor: an operator of another moment is no longer pinned.
export function moved(app) {
  if (state.pinned !== at(app.m, app.cursor)) state.pinned = null;
}

// ------------------------------------------------------------ the strip

// The strip below the layout, with the names of operators: each in its unit of time if there is
// room; otherwise, at an angle, as many as do not touch, first those at moments with the most
// bytes.
const CELLS = 10, // pixels down, for the row of operators
  LEVEL = 66, // pixels across: from this size on, a label is horizontal
  APART = 16, // pixels between labels at an angle
  GLYPH = 6.1, // pixels across, on average
  CAPITAL = 7.2,
  CELL_LEAST = 3;
const ANGLE = -Math.PI / 4;

// The bytes in use while each operator runs.
function loads(m) {
  const {times, live} = profile.of(m);
  return (m.operatorLoads ??= new Float64Array(count(m)).map((_, k) =>
    profile.mostDuring(times, live, k, k + 1),
  ));
}

// The heaviest operator of each bucket.  Buckets begin at multiples of their size, a power of two,
// so the same operators keep their labels while the view moves.
function winners(m, first, last, each) {
  let size = 1;
  while (size * each < APART) size *= 2;
  const load = loads(m),
    list = [],
    stride = Math.max(1, Math.floor(size / 64)); // zoomed far out, a sample suffices
  for (let from = Math.floor(first / size) * size; from < last; from += size) {
    let best = -1;
    for (let k = Math.max(first, from); k < Math.min(last, from + size); k += stride)
      if (best < 0 || load[k] > load[best]) best = k;
    if (best >= 0) list.push(best);
  }
  return list;
}

// The operators that get a label at an angle.
function chosen(m, v, first, last, each) {
  const load = loads(m),
    placed = [];
  for (const k of winners(m, first, last, each).sort((a, b) => load[b] - load[a] || a - b))
    if (placed.every((other) => Math.abs(other - k) * each >= APART)) placed.push(k);
  return placed.sort((a, b) => a - b);
}

function cells(scene, c, first, last, each) {
  const {m, view: v, look} = scene,
    current = state.hover ?? at(m, scene.cursor);
  c.fillStyle = look.panel;
  c.fillRect(v.left, 0, v.across, CELLS);
  if (each >= CELL_LEAST) {
    c.fillStyle = look.grid;
    for (let k = first + (first % 2); k < last; k += 2) c.fillRect(view.xOf(v, k), 0, each, CELLS);
  }
  if (current === null) return;
  c.fillStyle = state.hover === null ? look.cursor : look.ink;
  c.fillRect(view.xOf(v, current), 0, Math.max(2, each), CELLS);
}

const wordsOf = (m, k, room) => text.cut(type(m, k) || title(m, k), room);

// Labels as {k, x, y, words, second, angle}, which do not overlap.
export function labels(scene, down) {
  const {m, view: v} = scene,
    first = Math.max(0, Math.floor(v.x0)),
    last = Math.min(count(m), Math.ceil(v.x1)),
    each = v.across / (v.x1 - v.x0);
  if (each >= LEVEL) {
    const list = [];
    for (let k = first; k < last; k++) {
      const left = Math.max(v.left, view.xOf(v, k)),
        right = Math.min(v.left + v.across, view.xOf(v, k + 1)),
        room = Math.floor((right - left - 6) / GLYPH);
      if (room >= 3)
        list.push({
          k,
          x: (left + right) / 2,
          words: wordsOf(m, k, room),
          second: type(m, k) ? text.cut(name(m, k), room) : '',
          room: right - left - 6,
        });
    }
    return {first, last, each, list, angle: 0};
  }
  const room = Math.floor((down - CELLS - 12) / Math.SQRT1_2 / CAPITAL);
  const list = chosen(m, v, first, last, each)
    .map((k) => ({k, x: view.xOf(v, k + 0.5)}))
    .filter(({x}) => x >= v.left && x <= v.left + v.across)
    .map(({k, x}) => ({k, x, words: wordsOf(m, k, room)}));
  return {first, last, each, list, angle: ANGLE};
}

export function paint(scene) {
  const canvas = scene.strips.ops;
  const {across, down} = scene.sizeOf(canvas);
  if (down === 0) return;
  const c = draw.fitCanvas(canvas, across, down),
    v = scene.view,
    {look} = scene;
  const {first, last, each, list, angle} = labels(scene, down);
  draw.clip(c, angle ? 0 : v.left, 0, v.left + v.across, down);
  cells(scene, c, first, last, each);
  c.font = look.small;
  c.textBaseline = angle ? 'middle' : 'top';
  c.textAlign = angle ? 'right' : 'center';
  for (const {k, x, words, second, room} of list) {
    const isCurrent = k === (state.hover ?? at(scene.m, scene.cursor));
    c.font = isCurrent ? look.strong : look.small;
    c.fillStyle = isCurrent ? look.ink : look.muted;
    if (angle) {
      c.save();
      c.translate(x, CELLS + 5);
      c.rotate(angle);
      c.fillText(words, 0, 0);
      c.restore();
    } else {
      c.fillText(words, x, CELLS + 4, room);
      if (second) c.fillText(second, x, CELLS + 18, room);
    }
  }
  c.restore();
}

// ------------------------------------------------------------ pointer

const momentOf = (scene, canvas, event) =>
  view.timeAt(scene.view, event.clientX - canvas.getBoundingClientRect().left);

function hover(scene, canvas, event) {
  const t = momentOf(scene, canvas, event),
    {x0, x1} = scene.view,
    k = t >= x0 && t < x1 ? at(scene.m, t) : null,
    tip = byId('tip');
  setHover(scene, k);
  tip.hidden = k === null;
  if (k === null) return;
  tip.replaceChildren(...card(scene.m, k));
  pointer.placeTip(tip, event);
}

function leave(scene) {
  setHover(scene, null);
  byId('tip').hidden = true;
}

// Listens to the strips of a scene.
export function onScene(scene) {
  const {ops, live, waste} = scene.strips;
  for (const canvas of [ops, live, waste]) {
    canvas.addEventListener('pointermove', (event) => hover(scene, canvas, event));
    canvas.addEventListener('pointerleave', () => leave(scene));
  }
}

// A click on the strip pins the operator there.
export function choose(scene, t) {
  const k = at(scene.m, t);
  if (k !== null) pin(scene, k);
}

// Shows the strip if there is something to name.
export function page(app) {
  for (const scene of app.scenes) scene.strips.ops.parentElement.hidden = !has(scene.m);
}
