// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and gestures.  One table has them all: the handler and the help dialog are made from it, so
// that they cannot disagree.  Letters act everywhere except in fields.
const {byId, make} = parts;
const STEP = 60,
  FAR = 300,
  NEARER = 1 / 1.35;

const middle = ({view: v}) => [v.left + v.across / 2, v.top + v.down / 2];
const stretch = (app, across, down) => view.zoom(app, across, down, ...middle(app), true);
const zoom = (app, factor) => stretch(app, factor, factor);

// The next or previous buffer by allocation; of those allocated together, the lowest first.
function walk(app, by) {
  const {m} = app;
  if (m.count === 0) return;
  m.walk ??= Uint32Array.from({length: m.count}, (_, i) => i).sort(
    (a, b) => m.first[a] - m.first[b] || m.offset[a] - m.offset[b],
  );
  const at = app.selected === null ? (by > 0 ? -1 : 0) : m.walk.indexOf(app.selected);
  app.select(m.walk[(at + by + m.count) % m.count], {show: true});
}

function stepCursor(app, by) {
  app.setCursor(profile.step(app.m, app.cursor ?? (by > 0 ? app.m.from - 1 : app.m.to), by), {
    open: true,
  });
}

const CRITICAL = ['outline', 'fade', 'off'];

function switchCritical(app) {
  app.setCritical(CRITICAL[(CRITICAL.indexOf(app.critical) + 1) % CRITICAL.length]);
}

const ARROWS = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

function pan(app, key, event) {
  const far = event.shiftKey ? FAR : STEP;
  view.pan(app, ARROWS[key][0] * far, ARROWS[key][1] * far, true);
}

function clear(app) {
  app.select(null);
  app.setCursor(null);
}

// ------------------------------------------------------------ the table

// A row has what it does, and either a gesture in words, or keys (with the names of
// KeyboardEvent.key; only the first is shown, unless `all` is set) and act(app, key, event).  Rows
// with `here` act only when the drawing has the focus.
const gesture = (words, does) => ({gesture: words, does});
const on = (list, does, act, more = {}) => ({keys: list, does, act, ...more});

// By group of the dialog.
const GROUPS = {
  View: [
    gesture('Wheel, pinch', 'zoom; with Shift only the time, with Alt only the bytes'),
    gesture('Drag', 'move the view; in the overview, move the frame'),
    gesture('Two fingers', 'zoom and move'),
    gesture('One finger', 'scroll the page; zoomed in, move the view'),
    gesture('Double click, double tap', 'zoom to a buffer'),
    on(Object.keys(ARROWS), 'move; with Shift further', pan, {all: true, here: true}),
    on(['+', '='], 'zoom in', (app) => zoom(app, NEARER)),
    on(['-'], 'zoom out', (app) => zoom(app, 1 / NEARER)),
    on(['t', 'T'], 'zoom in on the time alone; with Shift out', (app, key) =>
      stretch(app, key === 't' ? NEARER : 1 / NEARER, 1),
    ),
    on(['y', 'Y'], 'zoom in on the bytes alone; with Shift out', (app, key) =>
      stretch(app, 1, key === 'y' ? NEARER : 1 / NEARER),
    ),
    on(['0'], 'show the whole plan', (app) => view.fit(app)),
    on(
      ['z'],
      'zoom to the selected buffer',
      (app) => app.selected !== null && view.show(app, app.selected, true),
    ),
  ],
  Buffers: [
    gesture('Click, tap', 'select a buffer and set the time cursor'),
    gesture('Long press', 'show the tooltip of a buffer'),
    on(['n'], 'next buffer, by allocation', (app) => walk(app, 1)),
    on(['p'], 'previous buffer', (app) => walk(app, -1)),
    on(
      ['b'],
      'select a buffer that the selected one rests on',
      (app) => app.chain.length > 1 && app.select(app.chain[1].buffer, {show: true}),
    ),
    on(['/'], 'search names, operators, types, shapes', () => byId('search').focus()),
    on(['Escape'], 'cancel, or clear the selection and the cursor', clear),
  ],
  Tables: [
    gesture('↑, ↓, Page Up, Page Down, Home, End', 'move from row to row'),
    gesture('Enter, click', 'select the buffer; a second time, show its details'),
    gesture('←, →', 'close and open a group; on the divider, resize the panel'),
  ],
  'Two plans': [
    on(['v'], 'side by side, one at a time', (app) => compare.nextMode(app)),
    on(['e'], 'the next engine', (app) => compare.step(app, 1)),
    on(['E'], 'the previous engine', (app) => compare.step(app, -1)),
    on(['f'], 'the other plan', (app) => compare.flip(app)),
  ],
  Time: [
    gesture('Drag on the curves', 'move the time cursor; also on the operators'),
    gesture('Click on an operator', 'keep it outlined, and list its buffers'),
    on(['['], 'move the time cursor to the previous event', (app) => stepCursor(app, -1)),
    on([']'], 'move the time cursor to the next event', (app) => stepCursor(app, 1)),
    on(['o', 'O'], 'the next operator, as if clicked; with Shift the previous one', (app, key) =>
      operators.step(app, key === 'o' ? 1 : -1),
    ),
  ],
  Display: [
    on(['x'], 'show exact or rounded bytes and offsets', (app) => app.setExact(!text.exact())),
    on(['c'], 'critical stack: outline it, fade all others, or do not mark it', switchCritical),
    on(['?'], 'show this list', () => byId('help').showModal()),
  ],
  'Rounds of the tuner': [
    on([' '], 'play or pause', (app) => rounds.play(app)),
    on([','], 'previous round', (app) => rounds.stepBy(app, -1)),
    on(['.'], 'next round', (app) => rounds.stepBy(app, 1)),
    on(['<'], 'previous group that moved', (app) => rounds.stepGroup(app, -1)),
    on(['>'], 'next group that moved', (app) => rounds.stepGroup(app, 1)),
  ],
};

export const TABLE = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map((row) => ({group, ...row})),
);

const ACTS = new Map();
for (const row of TABLE) for (const key of row.keys ?? []) ACTS.set(key, row);

// ------------------------------------------------------------ the help dialog

const LABELS = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
  Escape: 'Esc',
};

function caption({gesture, keys: list, all}) {
  if (gesture) return [gesture];
  return (all ? list : list.slice(0, 1)).map((key) => make('kbd', LABELS[key] ?? key));
}

function writeHelp() {
  const groups = [...new Set(TABLE.map(({group}) => group))].map((group) =>
    make(
      'section',
      make('h3', group),
      make(
        'dl.keys',
        ...TABLE.filter((row) => row.group === group).flatMap((row) => [
          make('dt', ...caption(row)),
          make('dd', row.does),
        ]),
      ),
    ),
  );
  parts.fill('keys', ...groups);
}

// ------------------------------------------------------------ the handler

const isField = ({tagName, type}) =>
  /^(INPUT|SELECT|TEXTAREA)$/.test(tagName) && type !== 'checkbox';

function onKey(app, event) {
  const {target, key} = event;
  if (event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
  if (isField(target)) return;
  const row = event.altKey ? undefined : ACTS.get(key);
  if (!row || (row.here && !app.scenes.some(({stage}) => stage.box === target))) return;
  if (key === ' ' && target.closest('button, input, summary, a')) return;
  row.act(app, key, event);
  event.preventDefault();
}

export function listen(app) {
  writeHelp();
  document.addEventListener('keydown', (event) => onKey(app, event));
  byId('zoom-in').addEventListener('click', () => zoom(app, NEARER));
  byId('zoom-out').addEventListener('click', () => zoom(app, 1 / NEARER));
  byId('zoom-fit').addEventListener('click', () => view.fit(app));
  byId('help-open').addEventListener('click', () => byId('help').showModal());
}
