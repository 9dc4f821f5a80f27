// SPDX-License-Identifier: GPL-3.0-or-later
// A range of time, drawn on the curves or typed: what is alive in it, as a table that is grouped
// by operator or by the path in the names.
const {byId, make, button, pairs, note, amounts} = parts;
const state = {
  span: null, // {from, to}: [from, to) in whole units of time
  table: null,
};

const isOpen = () => table.isOpen(state.table);

export const span = () => state.span;

const spanText = ({from, to}) => `time ${text.span(from, to)}`;

// ------------------------------------------------------------ what is alive in it

// How long each buffer is alive in a range, by its number.
function overlaps(m, {from, to}) {
  const found = new Map();
  for (let r = 0; r < m.rectCount; r++) {
    const time = Math.min(m.rectEnd[r], to) - Math.max(m.rectStart[r], from),
      i = m.rectBuffer[r];
    if (time > 0) found.set(i, (found.get(i) ?? 0) + time);
  }
  return found;
}

// The most bytes alive at one moment of a range, and when.
function fullest(m, {from, to}) {
  const {times, live} = profile.of(m);
  let k = Math.max(0, profile.indexAt(times, from)),
    best = k;
  for (; k < times.length && times[k] < to; k++) if (live[k] > live[best]) best = k;
  return {bytes: live[best] ?? 0, at: Math.max(from, times[best] ?? from)};
}

// The bytes of a buffer at a moment, and on average over the range; both add up in groups.
function columns(m, alive, {from, to}, at) {
  const then = new Set(profile.aliveAt(m, at)),
    atMost = (i) => (then.has(i) ? m.size[i] : 0),
    mean = (i) => (m.size[i] * alive.get(i)) / (to - from);
  const column = (key, name, sums, help, rank) => ({
    key,
    name,
    sums,
    help,
    minor: true,
    prefix: sums,
    across: buffers.acrossBytes(m),
    rank,
    text: (i) => text.amount(Math.round(rank(i))),
    copy: rank,
  });
  return [
    column('most', 'At fullest', 'at fullest ', 'Bytes at the fullest moment of the range', atMost),
    column(
      'mean',
      'Mean',
      'mean ',
      'Bytes times the share of the range that it is alive for',
      mean,
    ),
  ];
}

function fillTable(app, alive, {bytes: whole, at}) {
  const {m} = app,
    rows = Uint32Array.from(alive.keys()).sort(),
    wholeName = 'the fullest moment of the range',
    [name, size, ...others] = buffers.columns(m, rows, whole, wholeName);
  table.fill(state.table, {
    rows,
    columns: [name, size, ...columns(m, alive, state.span, at), ...others],
    groupings: buffers.groupings(m, rows),
    whole: 0,
    wholeName,
  });
}

// ------------------------------------------------------------ the tab

function field(app, label, value, act) {
  const {from, to} = app.m;
  return make(
    'label',
    `${label} `,
    make('input', {
      type: 'number',
      min: Math.floor(from),
      max: Math.ceil(to),
      step: 1,
      value,
      onchange: (event) => act(Number(event.target.value)),
    }),
  );
}

const viewOf = ({view: {x0, x1}}) => ({from: x0, to: x1});

// The time in view as a range.
export const takeView = (app) => set(app, viewOf(app), true);

function head(app, alive, most) {
  const {m} = app,
    {from, to} = state.span;
  let sum = 0,
    mean = 0;
  for (const [i, time] of alive) {
    sum += m.size[i];
    mean += (m.size[i] * time) / (to - from);
  }
  return [
    make(
      'div.modes',
      field(app, 'From', from, (t) => set(app, {from: t, to})),
      field(app, 'to', to, (t) => set(app, {from, to: t})),
      button('Time in view', () => takeView(app)),
      button('Clear', () => set(app, null)),
    ),
    pairs([
      ['Alive in it', text.plural(alive.size, 'buffer')],
      ['Their sizes', ...amounts(sum)],
      [
        'At fullest',
        ...amounts(most.bytes),
        ' ',
        parts.momentLink(app, `time ${text.grouped(most.at)}`, most.at),
      ],
      profile.shares(m) ? ['Mean'] : ['Mean', ...amounts(Math.round(mean))],
    ]),
  ];
}

// Fills the tab if it is open.
export function page(app) {
  if (!isOpen()) return;
  const {m} = app;
  state.table.box.hidden = state.span === null;
  if (state.span === null) {
    parts.fill(
      'range-head',
      note(
        'Drag along the operators or the curves below the layout ' +
          'to sum what is alive in a span of time.',
      ),
      button('Time in view', () => takeView(app), {
        title: 'Sum what is alive in the time in view ( r )',
      }),
    );
    return;
  }
  const alive = overlaps(m, state.span),
    most = fullest(m, state.span);
  parts.fill('range-head', ...head(app, alive, most));
  fillTable(app, alive, most);
  table.follow(state.table);
}

// Whole units of time within the plan; null if there are none.
function clipped(m, wanted) {
  if (wanted === null || !Number.isFinite(wanted.from) || !Number.isFinite(wanted.to)) return null;
  const [low, high] = [wanted.from, wanted.to].sort((a, b) => a - b),
    from = Math.max(Math.floor(m.from), Math.floor(low)),
    to = Math.min(Math.ceil(m.to), Math.max(Math.ceil(high), from + 1));
  return from < to ? {from, to} : null;
}

export function set(app, wanted, open = false) {
  state.span = clipped(app.m, wanted);
  if (open) panel.open('range');
  page(app);
  app.announce(state.span ? `Range of ${spanText(state.span)}` : 'No range');
  app.redrawStrips();
}

// ------------------------------------------------------------ in the drawing

// Marks the range on a canvas, from one height to another.
export function paint({view: v, look}, c, top, bottom) {
  if (state.span === null) return;
  const [left, right] = [state.span.from, state.span.to].map((t) => view.xOf(v, t));
  draw.pen(c, look.select);
  c.fillStyle = look.select;
  c.globalAlpha = 0.1;
  c.fillRect(left, top, right - left, bottom - top);
  c.globalAlpha = 1;
  for (const x of [left, right]) draw.line(c, draw.crisp(x), top, draw.crisp(x), bottom);
}

export const marks = ({look}) =>
  state.span ? [['range of time', 'box', look.select, spanText(state.span)]] : [];

export const has = (i) => state.span !== null && table.has(state.table, i);
export const follow = () => state.span !== null && table.follow(state.table);

export function listen(app) {
  state.table = table.create(app, {
    label: 'Buffers alive in the range',
    sort: {key: 'size', down: true},
    grouped: ['kind', 'path'],
    folded: true,
  });
  table.remember(state.table, 'range');
  parts.fill('page-range', make('div', {id: 'range-head'}), state.table.box);
  address.field('range', {
    get: () => (state.span ? `${state.span.from},${state.span.to}` : null),
    set: (words) => {
      const [from, to] = (words ?? '').split(',').map((part) => (part ? Number(part) : NaN));
      set(app, words === null ? null : {from, to});
    },
    turn: 1,
  });
}
