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
  if (range.span()) range.set(app, null);
}

// ------------------------------------------------------------ the table

// By group of the dialog.  A row has what it does, and either a gesture in words, or keys (as
// KeyboardEvent.key names them; the first one is shown unless `all` shows each) and act(app, key,
// event).  Those with `here` act only when the
// drawing has the focus.
const GROUPS = {
  View: [
    {gesture: 'Wheel, pinch', does: 'zoom; with Shift only the time, with Alt only the bytes'},
    {gesture: 'Drag', does: 'move the view; in the overview, move the frame'},
    {group: 'View', gesture: 'Two fingers', does: 'zoom and move'},
    {group: 'View', gesture: 'One finger', does: 'scroll the page; zoomed in, move the view'},
    {group: 'View', gesture: 'Double click, double tap', does: 'zoom to a buffer'},
    {
      group: 'View',
      keys: Object.keys(ARROWS),
      all: true,
      here: true,
      does: 'move; with Shift further',
      act: pan,
    },
    {keys: ['+', '='], does: 'zoom in', act: (app) => zoom(app, NEARER)},
    {group: 'View', keys: ['-'], does: 'zoom out', act: (app) => zoom(app, 1 / NEARER)},
    {
      group: 'View',
      keys: ['t', 'T'],
      does: 'zoom in on the time alone; with Shift out',
      act: (app, key) => stretch(app, key === 't' ? NEARER : 1 / NEARER, 1),
    },
    {
      group: 'View',
      keys: ['y', 'Y'],
      does: 'zoom in on the bytes alone; with Shift out',
      act: (app, key) => stretch(app, 1, key === 'y' ? NEARER : 1 / NEARER),
    },
    {group: 'View', keys: ['0'], does: 'show the whole plan', act: (app) => view.fit(app)},
    {
      keys: ['z'],
      does: 'zoom to the selected buffer',
      act: (app) => app.selected !== null && view.show(app, app.selected, true),
    },
  ],
  Buffers: [
    {gesture: 'Click, tap', does: 'select a buffer and set the time cursor'},
    {group: 'Buffers', gesture: 'Long press', does: 'show the tooltip of a buffer'},
    {group: 'Buffers', keys: ['n'], does: 'next buffer, by allocation', act: (app) => walk(app, 1)},
    {group: 'Buffers', keys: ['p'], does: 'previous buffer', act: (app) => walk(app, -1)},
    {
      group: 'Buffers',
      keys: ['b'],
      does: 'select a buffer that the selected one rests on',
      act: (app) => app.chain.length > 1 && app.select(app.chain[1].buffer, {show: true}),
    },
    {
      keys: ['/'],
      does: 'search names, operators, types, shapes',
      act: () => byId('search').focus(),
    },
    {
      keys: ['Escape'],
      does: 'cancel, or clear the selection, the cursor and the range',
      act: clear,
    },
  ],
  Tables: [
    {gesture: '↑, ↓, Page Up, Page Down, Home, End', does: 'move from row to row'},
    {
      group: 'Tables',
      gesture: 'Enter, click',
      does: 'select the buffer; a second time, show its details',
    },
    {gesture: '←, →', does: 'close and open a group; on the divider, resize the panel'},
  ],
  'Two plans': [
    {
      keys: ['v'],
      does: 'side by side, overlaid, one at a time',
      act: (app) => compare.nextMode(app),
    },
    {keys: ['e'], does: 'the next engine', act: (app) => plans.step(app, 1)},
    {
      group: 'Two plans',
      keys: ['E'],
      does: 'the previous engine',
      act: (app) => plans.step(app, -1),
    },
    {group: 'Two plans', keys: ['f'], does: 'the other plan', act: (app) => compare.flip(app)},
    {
      group: 'Time',
      gesture: 'Drag on the curves',
      does: 'sum what is alive in a span of time; also on the operators',
    },
    {
      group: 'Time',
      keys: ['r'],
      does: 'sum what is alive in the time in view',
      act: (app) => range.takeView(app),
    },
    {
      group: 'Time',
      gesture: 'Click on an operator',
      does: 'keep it outlined, and list its buffers',
    },
    {
      group: 'Time',
      keys: ['['],
      does: 'move the time cursor to the previous event',
      act: (app) => stepCursor(app, -1),
    },
  ],
  Time: [
    {keys: [']'], does: 'move the time cursor to the next event', act: (app) => stepCursor(app, 1)},
    {
      keys: ['o', 'O'],
      does: 'the next operator, as if clicked; with Shift the previous one',
      act: (app, key) => operators.step(app, key === 'o' ? 1 : -1),
    },
  ],
  Display: [
    {keys: ['x'], does: 'show exact or rounded bytes and offsets', act: (app) => exact.toggle(app)},
    {
      keys: ['c'],
      does: 'critical stack: outline it, fade all others, or do not mark it',
      act: switchCritical,
    },
    {keys: ['?'], does: 'show this list', act: () => byId('help').showModal()},
    {
      group: 'Rounds of the tuner',
      keys: [' '],
      does: 'play or pause',
      act: (app) => rounds.play(app),
    },
  ],
  'Rounds of the tuner': [
    {keys: [','], does: 'previous round', act: (app) => rounds.stepBy(app, -1)},
    {keys: ['.'], does: 'next round', act: (app) => rounds.stepBy(app, 1)},
    {keys: ['<'], does: 'previous group that moved', act: (app) => rounds.stepGroup(app, -1)},
    {keys: ['>'], does: 'next group that moved', act: (app) => rounds.stepGroup(app, 1)},
  ],
};

export const TABLE = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map((row) => ({group, ...row})),
);

const ACTS = new Map();
for (const row of TABLE)
  for (const key of row.keys ?? []) ACTS.set(key, row);

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
  const caps = (all ? list : list.slice(0, 1)).map((key) => make('kbd', {}, LABELS[key] ?? key));
  return caps;
}

function writeHelp() {
  const groups = [...new Set(TABLE.map(({group}) => group))].map((group) =>
    make(
      'section',
      {},
      make('h3', {}, group),
      make(
        'dl',
        {class: 'keys'},
        ...TABLE.filter((row) => row.group === group).flatMap((row) => [
          make('dt', {}, ...caption(row)),
          make('dd', {}, row.does),
        ]),
      ),
    ),
  );
  byId('keys').replaceChildren(...groups);
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
