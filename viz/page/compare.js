// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison of two plans, A and B.  A is the plan of the page and B the other one, until they
// are swapped; but an earlier plan than that of the page, such as one without bands, is A.
const {byId, make, button, toggle} = parts;
const MODES = {beside: 'Side by side', one: 'One at a time'};
const NAME_ROOM = 24;

// The plan that a scene is compared with, or null.
export const beside = ({m, own, other}) => (other ? (m === other ? own : other) : null);

// The number of a scene's buffer in the other plan, or null.
export function there(scene, i) {
  if (i === null || !scene.pair) return null;
  const j = pair.numbers(scene.pair, scene.m)[i];
  return j === pair.NONE ? null : j;
}

// Names for A and B that differ.
function labels({own, other}) {
  const nameOf = (m) => text.cut(m.label ?? (m.name || m.report.engine || ''), NAME_ROOM);
  const [a, b] = [nameOf(own), nameOf(other)],
    engines = [own.report.engine, other.report.engine];
  if (a && b && a !== b) return [a, b];
  return engines[0] && engines[1] && engines[0] !== engines[1]
    ? engines
    : ['This plan', 'Other plan'];
}

export const labelOf = (app, m) => labels(app)[m === app.own ? 0 : 1];

// ------------------------------------------------------------ modes

function setMode(app, mode) {
  app.pairMode = mode;
  const isTwo = mode === 'beside';
  if (!isTwo) scenes.remove(app);
  if (isTwo && app.m !== app.own) app.showModel(app.own);
  if (isTwo && !scenes.second(app)) scenes.add(app, app.other);
  scenes.follow(app);
  bar(app);
  app.repaint();
}

// Shows the other plan, in the same place and to the same scale.
export function flip(app) {
  if (!app.other) return;
  if (app.pairMode === 'beside') swap(app);
  else app.showModel(beside(app));
  app.announce(`Showing ${labelOf(app, app.m)}`);
}

export function nextMode(app) {
  const list = Object.keys(MODES);
  if (!app.other) return;
  setMode(app, list[(list.indexOf(app.pairMode) + 1) % list.length]);
  app.announce(MODES[app.pairMode]);
}

// ------------------------------------------------------------ the bar above the layout

const group = (label, id, ...items) =>
  make('span.segments', {role: 'group', 'aria-label': label, id}, ...items);

function bar(app) {
  const [a, b] = labels(app),
    isTwo = app.pairMode === 'beside';
  const modes = Object.entries(MODES).map(([mode, words]) =>
    toggle(words, app.pairMode === mode, () => setMode(app, mode), {id: `mode-${mode}`}),
  );
  const side = (m, words) => toggle(words, app.m === m, () => app.m !== m && flip(app));
  parts.fill(
    'comparing',
    group('Comparison', 'modes', ...modes),
    isTwo ? null : group('Plan to show', 'sides', side(app.own, a), side(app.other, b)),
    button('⇄ Swap', () => swap(app), {id: 'swap', title: `Compare from ${b} to ${a}`}),
  );
  byId('comparing').hidden = false;
  for (const scene of app.scenes) title(app, scene);
}

function title(app, {m, column}) {
  const node = column.querySelector('.title'),
    {engine, gap_percent: gap} = m.report;
  const facts = [
    engine === labelOf(app, m) ? null : engine,
    `peak ${text.amount(m.peak)}`,
    gap === undefined ? null : `gap ${text.percent(gap / 100)}`,
  ];
  node.replaceChildren(
    `${m === app.own ? 'A' : 'B'}: ${labelOf(app, m)}`,
    make('small', facts.filter((fact) => fact).join(' · ')),
  );
  node.hidden = false;
}

// ------------------------------------------------------------ one at a time

// Outlines the place of buffer i in the other plan, unless it is the same.
export function mark(app, c, i, outline) {
  const j = there(app, i);
  if (j === null || app.pairMode !== 'one') return;
  const m = beside(app);
  if (pair.kinds(app.pair, app.m)[i] === pair.SAME || !model.isPlaced(m, j)) return;
  outline(Object.assign(Object.create(app), {m}), c, j, app.look.carrier, 2, {dash: [5, 4]});
}

// The marks that the legend explains.
export const marks = (app) =>
  app.pair && app.pairMode === 'one'
    ? [[`selected buffer in ${labelOf(app, beside(app))}`, 'box dashed', app.look.carrier]]
    : [];

// ------------------------------------------------------------ which plans

function link(app) {
  app.own.beside = app.other;
  app.other.beside = app.own;
  app.pair = pair.make(app.own, app.other);
}

// Compares two plans; updates the second scene and everything else that shows the comparison.
export function show(app, own, other) {
  const isWhole = view.isWhole(app),
    isFirst = !app.other;
  for (const m of [app.own, app.other]) if (m) m.beside = null;
  scenes.remove(app);
  Object.assign(app, {own, other});
  link(app);
  byId('tab-compare').hidden = false;
  if (app.m !== own) app.showModel(own);
  app.offerColours();
  if (isFirst) {
    app.setColour(pair.isOneProblem(app.pair) ? 'stack' : 'moved');
    if (app.critical === 'fade') app.setCritical('off');
  }
  if (isWhole) view.go(app, view.whole(app.m));
  setMode(app, app.pairMode ?? 'beside');
  differences.page(app);
  app.complain('');
}

const open = (app, other) => show(app, app.own, other);
const swap = (app) => show(app, app.other, app.own);

// Call this when offsets have changed, or another plan is shown.
export function refresh(app) {
  if (!app.other) return;
  pair.classify(app.pair);
  bar(app);
  differences.page(app);
}

async function load(app, file) {
  try {
    open(app, await model.readFile(await file.text(), file.name));
    panel.open('compare');
    app.announce(`Comparing with ${file.name}`);
  } catch (problem) {
    app.complain(`${file.name}: ${problem.message}`);
  }
}

// Begins with the comparison that the page was made for: another plan, or those of all engines.
export function begin(app) {
  const block = byId('other');
  if (beginEngines(app)) {
    byId('tab-compare').hidden = false;
    if (block) open(app, modelOf(rival()));
    else differences.page(app);
  } else if (block) {
    const m = model.readBlock(block);
    if ('former' in block.dataset) show(app, m, app.own);
    else open(app, m);
  }
  if (block || hasEngines()) panel.open('compare');
}

export function listen(app) {
  const field = byId('compare-file');
  field.addEventListener('change', () => {
    if (field.files.length > 0) load(app, field.files[0]);
    field.value = '';
  });
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) load(app, event.dataTransfer.files[0]);
  });
  listenEngines(app);
  address.field('compare', {
    get: () => (!app.other || app.pairMode === 'beside' ? null : app.pairMode),
    set: (words) => app.other && (words ?? 'beside') in MODES && setMode(app, words ?? 'beside'),
    turn: -1,
  });
  address.field('front', {
    get: () => (app.other && app.m === app.other ? 'B' : null),
    set: (words) => app.other && (words === 'B') !== (app.m === app.other) && flip(app),
    turn: -1,
  });
}

// ------------------------------------------------------------ the plans of all engines

// The plans of all engines for one problem, in a page of neap compare --html; the page compares two
// of them.  The first plan is complete; the others are read when they are first shown.
let list = null; // [{engine, peak, gap_percent, seconds, reason, block, m}], the best first

// The blocks of plans follow the entries that have a peak.
function beginEngines(app) {
  const block = byId('engines');
  if (!block) return false;
  list = store.decode(block.textContent).engines;
  list
    .filter(({peak}) => peak !== null)
    .forEach((entry, k) => {
      entry.block = byId(k === 0 ? 'plan' : k === 1 ? 'other' : `other-${k}`);
    });
  const found = planned();
  found[0].m = Object.assign(app.own, {label: found[0].engine});
  return true;
}

const hasEngines = () => list !== null;
const planned = () => list.filter(({block}) => block);

function modelOf(entry) {
  entry.m ??= Object.assign(model.readLayout(planned()[0].m, entry.block), {label: entry.engine});
  return entry.m;
}

const entryOf = (m) => planned().find((entry) => entry.m === m);

// The plan that the best one is compared with at first: the best one with another peak.
function rival() {
  const [best, ...others] = planned();
  return others.find(({peak}) => peak !== best.peak) ?? others[0];
}

// Makes an entry plan A or B; if it is the other one already, both change places.
function choose(app, side, entry) {
  const m = modelOf(entry),
    [a, b] = [app.own, app.other];
  if (side === 'A' && m !== a) show(app, m, m === b ? a : b);
  if (side === 'B' && m !== b) show(app, m === a ? b : a, m);
}

// The next or previous engine instead of plan B or, one at a time, of the one on screen.
export function step(app, by) {
  if (!list || !app.other) return;
  const entries = planned(),
    side = app.pairMode === 'one' && app.m === app.own ? 'A' : 'B',
    [now, fixed] = side === 'A' ? [app.own, app.other] : [app.other, app.own];
  let k = entries.indexOf(entryOf(now));
  do k = (k + by + entries.length) % entries.length;
  while (modelOf(entries[k]) === fixed && entries.length > 2);
  const isFront = app.m === app.other;
  choose(app, side, entries[k]);
  if (isFront && app.pairMode !== 'beside') flip(app);
  app.announce(`${side}: ${entries[k].engine}, peak ${text.amount(entries[k].peak)}`);
}

// ------------------------------------------------------------ the list

const seconds = (value) => (value < 0.001 ? '<0.001' : value.toFixed(3));

function sideButton(app, side, entry) {
  const isOn = entry.m === (side === 'A' ? app.own : app.other) && entry.m !== undefined;
  return toggle(side, isOn, () => again(app, side, entry), {
    'aria-label': `${entry.engine} as plan ${side}`,
    'data-side': side,
    'data-engine': entry.engine,
  });
}

// Rebuilds the list, and puts the focus on the same button.
function again(app, side, entry) {
  choose(app, side, entry);
  byId('page-compare')
    .querySelector(`[data-side="${side}"][data-engine="${CSS.escape(entry.engine)}"]`)
    ?.focus();
}

function row(app, entry) {
  const cells = entry.block
    ? [text.amount(entry.peak), text.percent(entry.gap_percent / 100), seconds(entry.seconds)]
    : [make('td', {colspan: 3, class: 'note'}, entry.reason)];
  const sides =
    entry.block && planned().length > 1
      ? make('span.segments', sideButton(app, 'A', entry), sideButton(app, 'B', entry))
      : '';
  return [
    sides,
    make('th', {scope: 'row', class: entry.runtime ? '' : 'own'}, entry.engine),
    ...cells,
  ];
}

export function table(app) {
  if (!list) return [];
  const head = ['Plan', 'Engine', 'Peak', 'Gap', 'Seconds'],
    rows = list.map((entry) => row(app, entry));
  return [parts.tableOf('engines', head, rows, [2, 3, 4])];
}

// ------------------------------------------------------------ the address

function field(app, key, side) {
  const usual = () => (side === 'A' ? planned()[0] : rival()),
    now = () => (side === 'A' ? app.own : app.other);
  address.field(key, {
    get: () => {
      const entry = list && app.other ? entryOf(now()) : null;
      return entry && entry !== usual() ? entry.engine : null;
    },
    set: (words) => {
      const wanted = words ?? (list && usual()?.engine),
        entry = list && planned().find(({engine}) => engine === wanted);
      if (entry && app.other) choose(app, side, entry);
    },
    turn: -1,
  });
}

function listenEngines(app) {
  field(app, 'a', 'A');
  field(app, 'b', 'B');
}
