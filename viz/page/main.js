// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the parts of the page: the state, the actions that change it, and one drawing per
// frame at most.
const {byId} = parts;
// Variables of the style sheet that drawings use.
const LOOK = (
  'panel grid muted ink bound critical carrier select taken ' +
  'cursor curve waste frame veil capacity bad shared'
).split(' ');
const THEMES = ['auto', 'light', 'dark'];
let usualColour = ''; // the colouring that neap chose for this plan
const motion = matchMedia('(prefers-reduced-motion: reduce)');

const app = {
  m: null,
  own: null,
  page: null, // the plan of the page
  other: null,
  view: view.make(),
  selected: null,
  hover: null,
  cursor: null,
  chain: [],
  colourBy: 'risk',
  matched: null,
  paint: null,
  paintCount: 0,
  critical: 'outline',
  inView: 0,
  overview: {canvas: document.createElement('canvas'), key: ''},
  look: {},
  scenes: [],
  stack: {key: ''},
  dirty: {},
  ...scenes.canvases(byId('first')),
  still: () => motion.matches,
};

// ------------------------------------------------------------ drawing

// The sizes of canvases are measured when the window changes, not in every frame.
const sizes = new Map();
app.sizeOf = (canvas) => {
  if (!sizes.has(canvas))
    sizes.set(canvas, {across: canvas.clientWidth, down: canvas.clientHeight});
  return sizes.get(canvas);
};

function drawNow() {
  const {dirty} = app;
  app.dirty = {};
  app.frame = 0;
  for (const scene of app.scenes) {
    if (dirty.base) {
      draw.grid(scene);
      draw.rects(scene);
      touch.refresh(scene);
    }
    draw.over(scene);
    if (dirty.base || dirty.strips) strips.paint(scene);
  }
  legend.marks(app);
  graph.paint(app);
}

function want(what) {
  app.dirty[what] = true;
  address.changed();
  app.frame ||= requestAnimationFrame(drawNow);
}

app.redraw = () => want('base');
app.redrawOver = () => want('over');
app.redrawStrips = () => want('strips');
app.repaint = () => {
  for (const scene of app.scenes) colour.refresh(scene);
  legend.colours(app);
  app.paintCount++;
  want('base');
};

// ------------------------------------------------------------ actions

app.announce = (words) => {
  byId('announcer').textContent = words;
};

// Shows the faults of the plans, and an error message if there is one.
app.complain = (words) => {
  const faults = [];
  if (app.own && !collisions.isSound(app.own))
    faults.push(`Unsound: ${collisions.summary(app.own)}`);
  if (app.other && !collisions.isSound(app.other))
    faults.push(`The other plan is unsound: ${collisions.summary(app.other)}`);
  if (words) faults.push(words);
  byId('fault').textContent = faults.join('\n');
  byId('fault').hidden = faults.length === 0;
};

const describe = (i) => {
  const {m} = app,
    times = text.cut(model.lifetimes(m, i), 60),
    pool = m.pools.length > 0 ? ` in pool ${model.pool(m, i)}` : '',
    offset = `offset ${text.bytes(model.exactOffset(m, i))}${pool}`;
  return `${model.label(m, i, 80)}, ${text.bytes(m.size[i])}, lifetime ${times}, ${offset}`;
};

app.select = (i, {show = false, open = show} = {}) => {
  app.selected = i;
  app.chain = i === null ? [] : supports.chain(app.m, i);
  if (i !== null && show) view.show(app, i, false);
  scenes.follow(app);
  panel.follow(app);
  if (open) panel.openTensor(app);
  app.announce(i === null ? 'Nothing selected' : describe(i));
  want('over');
};

app.setHover = (i) => {
  if (app.hover === i) return;
  app.hover = i;
  scenes.follow(app);
  want('over');
};

app.setCursor = (t, {open = false, quiet = false} = {}) => {
  app.cursor = t;
  if (colour.MODES[app.colourBy].byCursor) app.repaint();
  panel.time(app);
  operators.moved(app);
  peak.moved(app);
  graph.follow(app);
  if (open && !peak.followsCursor()) panel.open('time');
  if (!quiet && t !== null) {
    keepInView(t);
    app.announce(
      `Time ${text.grouped(t)}: ${byId('page-time').querySelector('dd')?.textContent ?? ''} alive`,
    );
  }
  want('strips');
};

function keepInView(t) {
  const {view: v} = app,
    span = v.x1 - v.x0;
  if (t < v.x0 || t >= v.x1)
    view.go(app, {...view.boxOf(v), x0: t - span / 2, x1: t + span / 2}, true);
}

// Call this when the offsets of the model have changed.
app.placed = () => {
  if (app.selected !== null) app.chain = supports.chain(app.m, app.selected);
  panel.figures(app);
  panel.tensor(app);
  panel.time(app);
  operators.page(app);
  peak.page(app);
  buffers.page(app);
  graph.page(app);
  panel.clashes(app);
  byId('critical').parentElement.hidden = !collisions.isSound(app.m);
  compare.refresh(app);
  explain.page(app);
  arena.page(app);
};

// Shows this plan or the one compared with it; the buffer of the same name stays selected.
app.showModel = (m) => {
  const name = app.selected === null ? null : model.name(app.m, app.selected);
  rounds.pause();
  app.m = m;
  app.hover = null;
  app.selected = name === null ? null : (model.find(m, name) ?? null);
  app.chain = [];
  app.matched = search.marks(m, byId('search').value);
  rounds.open(app);
  app.offerColours();
  app.placed();
  view.go(app, view.boxOf(app.view));
  app.repaint();
  rounds.chart(app);
};

// Switches between rounded and exact bytes and offsets.
app.setExact = (on) => {
  text.setExact(on);
  byId('exact').setAttribute('aria-pressed', String(on));
  app.placed();
  app.repaint();
  rounds.showStep(app);
  app.announce(on ? 'Exact bytes and offsets' : 'Rounded bytes and offsets');
};

// ------------------------------------------------------------ colours

app.offerColours = () => {
  const field = byId('colour-by'),
    modes = Object.entries(colour.MODES).filter(([, mode]) => mode.offered(app.m, app));
  parts.offer(
    field,
    modes.map(([key, {label}]) => [key, label]),
  );
  const isOffered = (wanted) => modes.some(([key]) => key === wanted);
  if (!isOffered(app.colourBy)) app.colourBy = isOffered(usualColour) ? usualColour : 'size';
  field.value = app.colourBy;
};

app.setColour = (key) => {
  if (key !== app.colourBy) legend.reset();
  app.colourBy = key;
  byId('colour-by').value = key;
  app.repaint();
};

function takeLook() {
  const {css} = colour,
    font = css('--font');
  app.look = {small: `11px ${font}`, strong: `600 11px ${font}`, name: `11px ${font}`};
  for (const key of LOOK) app.look[key] = css(`--${key}`);
  app.look.onFace = css('--on-face');
  app.repaint();
  rounds.chart(app);
}

const darkness = matchMedia('(prefers-color-scheme: dark)');
let theme = 0;

const isDark = () => framed.isDark() ?? darkness.matches;

// Applies the theme chosen, or else that of the notebook around the page, or of the system.
function takeTheme() {
  const {dataset} = document.documentElement,
    wanted = 'printed' in dataset ? 'light' : THEMES[theme];
  dataset.theme = wanted === 'auto' ? (isDark() ? 'dark' : 'light') : wanted;
  byId('theme').textContent = `Theme: ${THEMES[theme]}`;
  takeLook();
}

function switchTheme() {
  theme = (theme + 1) % THEMES.length;
  takeTheme();
}

// ------------------------------------------------------------ the critical stack

app.setCritical = (how) => {
  app.critical = how;
  byId('critical').value = how;
  app.repaint();
};

// ------------------------------------------------------------ start

function measure() {
  sizes.clear();
  for (const {stage, view: v} of app.scenes) {
    stage.across = stage.box.clientWidth;
    stage.down = stage.box.clientHeight;
    view.resize(v, stage.across, stage.down);
  }
  app.redraw();
  rounds.chart(app);
}

// On paper, the page has a size and a theme of its own; a drawing of the screen would be stretched.
function print(on) {
  document.documentElement.toggleAttribute('data-printed', on);
  takeTheme();
  measure();
  drawNow();
}

function listen() {
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  for (const part of [address, sheet, panel, search, rounds, compare, pointer, keys])
    part.listen(app);
  strips.listen(app);
  byId('exact').addEventListener('click', () => app.setExact(!text.exact()));
  address.field('exact', {
    get: () => (text.exact() ? '1' : null),
    set: (words) => app.setExact(words === '1'),
  });
  byId('colour-by').addEventListener('change', (event) => app.setColour(event.target.value));
  byId('critical').addEventListener('change', (event) => app.setCritical(event.target.value));
  byId('theme').addEventListener('click', switchTheme);
  darkness.addEventListener('change', takeTheme);
  framed.listen(app, takeTheme);
  const watch = new ResizeObserver(measure);
  app.watchSize = (box) => watch.observe(box);
  app.watchSize(app.stage.box);
}

function begin() {
  app.scenes.push(app);
  const block = byId('plan');
  app.page = app.own = app.m = model.readBlock(block);
  app.complain('');
  app.colourBy = usualColour = block.dataset.colourBy;
  byId('nothing').hidden = app.m.count > 0;
  rounds.open(app);
  app.offerColours();
  listen();
  app.placed();
  byId('waste').parentElement.hidden = app.m.pools.length > 0;
  measure();
  Object.assign(app.view, view.whole(app.m));
  if (draw.isStackTiny(app)) app.critical = byId('critical').value = 'fade';
  takeTheme();
  compare.begin(app);
  explain.begin(app);
  address.start(app);
  window.neap = Object.freeze({app, drawNow, view: app.view, rounds: rounds.state, ready: true});
}

// Pages without compressed blocks are shown immediately.
async function start() {
  try {
    if (document.querySelector('script[data-encoding]')) await model.unpack(document);
    begin();
  } catch (problem) {
    app.complain(`This page cannot be shown: ${problem.message}`);
    throw problem;
  }
}

start();
