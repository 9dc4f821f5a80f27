// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison of two plans, A and B: side by side, one over the outlines of the other, or one
// at a time.  A is the plan of the page and B the other one, until they are swapped; but a plan
// that came before that of the page, such as one without bands, is A.
const {byId, make, button, toggle} = parts;
const MODES = {beside: 'Side by side', over: 'Overlaid', one: 'One at a time'};
const NAME_ROOM = 24;

// The plan that a scene is compared with, or null.
export const beside = ({m, own, other}) => (other ? (m === other ? own : other) : null);

// The number of a scene's buffer in the other plan, or null.
export function there(scene, i) {
  if (i === null || !scene.pair) return null;
  const j = pair.numbers(scene.pair, scene.m)[i];
  return j === pair.NONE ? null : j;
}

// Names of A and B that differ.
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

// ------------------------------------------------------------ the scales

// Bytes of the second scene for one of the first: not 1 if each plan fills its stage.
export const byteScale = (app) =>
  app.ownScale ? view.whole(app.other).y1 / view.whole(app.own).y1 : 1;

function setScale(app, own) {
  app.ownScale = app.own.ownScale = app.other.ownScale = own;
  bar(app);
  view.fit(app, false);
}

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

const scaleBox = (app) =>
  parts.checkBox('same-scale', 'Same byte scale', !app.ownScale, (on) => setScale(app, !on));

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
    isTwo ? scaleBox(app) : group('Plan to show', 'sides', side(app.own, a), side(app.other, b)),
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
    app.pairMode === 'over' ? `outlined: ${labelOf(app, beside({...app, m}))}` : null,
  ];
  node.replaceChildren(
    `${m === app.own ? 'A' : 'B'}: ${labelOf(app, m)}`,
    make('small', facts.filter((fact) => fact).join(' · ')),
  );
  node.hidden = false;
}

// ------------------------------------------------------------ which plans

function link(app) {
  app.own.beside = app.other;
  app.other.beside = app.own;
  app.own.ownScale = app.other.ownScale = app.ownScale ?? false;
  app.pair = pair.make(app.own, app.other);
}

// Compares two plans; the second scene and all that is shown of the comparison follow.
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

// What the page was made to compare its plan with: another plan, or those of other engines.
export function begin(app) {
  const block = byId('other');
  if (plans.begin(app)) {
    byId('tab-compare').hidden = false;
    if (block) open(app, plans.modelOf(plans.rival()));
    else differences.page(app);
  } else if (block) {
    const m = model.readBlock(block);
    if ('former' in block.dataset) show(app, m, app.own);
    else open(app, m);
  }
  if (block || plans.isOpen()) panel.open('compare');
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
  plans.listen(app);
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
