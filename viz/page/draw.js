// SPDX-License-Identifier: GPL-3.0-or-later
// The stage: three canvases on top of each other.  The grid and the rectangles are drawn only when
// the view changes.  Hover, selection, cursor and critical stack are on a canvas of their own, so
// that moving the pointer costs little.
const LINE_DOWN = 12; // pixels between two lines of a tick
const OUTLINES_MOST = 4000,
  OUTLINED = 7, // pixels: from this size on, a rectangle of the critical stack gets an outline
  WAY_MOST = 60;
const CLASH_LEAST = 7; // pixels: the smallest mark that catches the eye

const isPrinted = () => 'printed' in document.documentElement.dataset;
// The number of canvas pixels for one pixel of the page.
const pixelRatio = () => (isPrinted() ? 2 : window.devicePixelRatio || 1);

// Gives a canvas as many pixels as the screen has there; clears it only if its size changes.  For
// paper, each canvas is begun anew, because Chromium prints everything drawn since then as vectors,
// and clearRect would then also clear what is below the canvas.
function resize(canvas, across, down) {
  const ratio = pixelRatio(),
    width = Math.max(1, Math.round(across * ratio)),
    height = Math.max(1, Math.round(down * ratio)),
    isClear = canvas.width !== width || canvas.height !== height || isPrinted();
  if (isClear) Object.assign(canvas, {width, height});
  return {ratio, width, height, isClear};
}

// Resizes and clears a canvas; returns its context, in CSS pixels.
export function fitCanvas(canvas, across, down) {
  const {ratio, isClear} = resize(canvas, across, down),
    context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!isClear) context.clearRect(0, 0, across, down);
  return context;
}

// ------------------------------------------------------------ axes

// Sets ink, breadth and dashes for the next lines.
export function pen(c, ink, breadth = 1, dash = []) {
  c.strokeStyle = ink;
  c.lineWidth = breadth;
  c.setLineDash(dash);
}

export const crisp = (value) => Math.round(value) + 0.5;

export function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

export function grid(app) {
  const {view: v, stage, look} = app;
  const c = fitCanvas(stage.grid, stage.across, stage.down),
    bottom = v.top + v.down,
    right = v.left + v.across;
  c.fillStyle = look.panel;
  c.fillRect(v.left, v.top, v.across, v.down);
  signs.ground(app, c);
  pen(c, look.grid);
  c.font = look.small;
  c.fillStyle = look.muted;
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  for (const {at, words} of byteTicks(app)) {
    const y = crisp(view.yOf(v, at));
    line(c, v.left, y, right, y);
    const first = Math.max(v.top, y - (LINE_DOWN * (words.length - 1)) / 2);
    words.forEach((part, k) => c.fillText(part, v.left - 8, first + LINE_DOWN * k, v.left - 10));
  }
  c.textAlign = 'center';
  c.textBaseline = 'top';
  for (const t of timeTicks(v)) {
    const x = crisp(view.xOf(v, t));
    line(c, x, v.top, x, bottom);
    const words = text.grouped(t);
    c.fillText(words, Math.min(x, stage.across - c.measureText(words).width / 2 - 2), bottom + 7);
  }
  titles(app, c);
}

// Draws the titles of the axes, with their units.
function titles(app, c) {
  const {view: v} = app;
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  c.fillText(byteTitle(app), 4, 8);
  c.textAlign = 'center';
  c.fillText(timeTitle(app), v.left + v.across / 2, v.top + v.down + 30);
}

// ------------------------------------------------------------ rectangles

export function rects(app) {
  const {view: v, stage, m} = app,
    {ratio, width, height} = resize(stage.rects, v.across, v.down),
    c = stage.rects.getContext('2d');
  if (stage.image?.width !== width || stage.image?.height !== height) {
    stage.image = c.createImageData(width, height);
    stage.pixels = new Uint32Array(stage.image.data.buffer);
  }
  const stride = raster.stride(app);
  app.inView = raster.paint(m, view.boxOf(v), stage.pixels, width, height, app.paint, stride);
  raster.drawn(app, stride);
  c.putImageData(stage.image, 0, 0);
  c.setTransform(ratio, 0, 0, ratio, -v.left * ratio, -v.top * ratio);
  labels.paint(app, c);
}

// ------------------------------------------------------------ over the rectangles

// The part of rectangle r that is in view, in pixels, up to a margin around the plot.
export function partOf({view: v, m}, r, low = m.shown[m.rectBuffer[r]], margin = 0) {
  return {
    left: Math.max(v.left - margin, view.xOf(v, m.rectStart[r])),
    right: Math.min(v.left + v.across + margin, view.xOf(v, m.rectEnd[r])),
    top: Math.max(v.top - margin, view.yOf(v, low + m.size[m.rectBuffer[r]])),
    bottom: Math.min(v.top + v.down + margin, view.yOf(v, low)),
  };
}

// The same part as a visible box, in whole pixels as raster.js draws it; null if out of view.
function box(app, r, low) {
  const [left, right, top, bottom] = Object.values(partOf(app, r, low, 4)).map(Math.round);
  if (right <= left - 1 || bottom <= top - 1) return null;
  return [left, top, Math.max(2, right - left), Math.max(2, bottom - top)];
}

// Outlines buffer i, with a halo unless it is to stay thin; `low` is an offset other than its own.
function outline(app, c, i, ink, breadth, {halo = true, dash = [], low = app.m.shown[i]} = {}) {
  const {m} = app;
  if (low < 0) return;
  for (const r of model.rectsOf(m, i)) {
    const at = box(app, r, low);
    if (!at) continue;
    if (halo && Math.min(at[2], at[3]) > 12) {
      pen(c, app.look.panel, breadth + 2.5, dash);
      c.strokeRect(...at);
    }
    const isThin = !halo && Math.min(at[2], at[3]) < 4 * breadth;
    pen(c, ink, isThin ? breadth / 2 : breadth, dash);
    c.strokeRect(...at);
  }
}

const LABEL_DOWN = 16;

// Places a label on its line at the right: above the line, or below it if another label is there,
// or else to the left of that label.
function placeLabel(taken, y, top, width, right) {
  const above = {from: y - LABEL_DOWN, to: y},
    below = {from: y, to: y + LABEL_DOWN};
  const free = (at) => at.from >= top && !taken.some((one) => one.from < at.to && at.from < one.to);
  const at = free(above) ? above : below,
    hits = taken.filter((one) => one.from < at.to && at.from < one.to);
  const x = hits.reduce((left, one) => Math.min(left, one.left - 14), right);
  taken.push({...at, left: x - width});
  return {x, y: at.from + LABEL_DOWN / 2};
}

// Writes words with a halo, so that they can be read over anything.
export function haloed(app, c, words, x, y, ink, align) {
  c.textAlign = align;
  c.textBaseline = 'middle';
  pen(c, app.look.panel, 3);
  c.lineJoin = 'round';
  c.strokeText(words, x, y);
  c.fillStyle = ink;
  c.fillText(words, x, y);
}

// Writes words beside the time cursor, on the side with more room.
export function besideCursor(app, c, words, x, y) {
  const isLeft = x > app.view.left + app.view.across / 2;
  c.font = app.look.strong;
  haloed(app, c, words, x + (isLeft ? -8 : 8), y, app.look.cursor, isLeft ? 'right' : 'left');
}

// Limits drawing to a box, until c.restore().
export function clip(c, ...box) {
  c.save();
  c.beginPath();
  c.rect(...box);
  c.clip();
}

// The line of a level and its label; null if it is out of view.
function placeLevel(app, c, level, taken) {
  const v = app.view,
    y = level.offScale ? v.top + 4.5 : crisp(view.yOf(v, level.bytes));
  if (level.bytes <= 0 || y < v.top || y > v.top + v.down) return null;
  c.font = app.look.strong;
  const words = `${level.name} ${text.offset(level.value ?? level.bytes, app.m.base)}`,
    width = c.measureText(words).width;
  return {level, y, words, width, at: placeLabel(taken, y, v.top, width, v.left + v.across - 6)};
}

function levelLine(app, c, {level, y, words, at}) {
  const v = app.view;
  pen(c, level.colour, level.breadth, level.dash);
  line(c, v.left, y, v.left + v.across, y);
  c.font = app.look.strong;
  haloed(app, c, words, at.x, at.y, level.colour, 'right');
}

// Whether the proven lower bound exceeds the most bytes alive at one moment.
export const isProven = (m) => m.lowerBound > m.bound;

// The lines across the layout, from top to bottom; levels of the same size share a line.
function levelsOf(app) {
  if (app.m.pools.length > 0)
    return relations.levels(app.m, app.look).sort((a, b) => b.bytes - a.bytes);
  const {m, look} = app,
    proven = isProven(m) ? 'lower bound' : 'bound';
  const all = [
    {name: 'peak', bytes: m.peak, colour: look.ink, dash: [6, 4], breadth: 1.5},
    {name: proven, bytes: m.lowerBound, colour: look.bound, dash: [], breadth: 1.5},
  ];
  if (m.capacity !== null) {
    const offScale = m.capacity > view.whole(m).y1;
    const name = offScale ? 'capacity (off scale)' : 'capacity';
    all.push({name, bytes: m.capacity, colour: look.capacity, dash: [], breadth: 2.5, offScale});
  }
  const levels = [];
  for (const level of all) {
    const same = levels.find(({bytes}) => bytes === level.bytes);
    if (same) Object.assign(same, {...level, name: `${same.name} = ${level.name}`});
    else levels.push(level);
  }
  return levels.sort((a, b) => b.bytes - a.bytes);
}

function placedLevels(app, c) {
  const taken = [];
  return levelsOf(app)
    .map((level) => placeLevel(app, c, level, taken))
    .filter((placed) => placed);
}

function levels(app, c) {
  for (const placed of placedLevels(app, c)) levelLine(app, c, placed);
}

// The keepouts for names of rectangles: the lines of levels and their labels.
export function levelKeepouts(app, c) {
  const v = app.view;
  return placedLevels(app, c).flatMap(({level, y, width, at}) => [
    {left: v.left, right: v.left + v.across, top: y - level.breadth, bottom: y + level.breadth},
    {left: at.x - width, right: at.x, top: at.y - LABEL_DOWN / 2, bottom: at.y + LABEL_DOWN / 2},
  ]);
}

// The outlines of the critical stack as one path; kept until the view changes.
function stackPath(app, list) {
  const {m, view: v} = app,
    key = [v.x0, v.x1, v.y0, v.y1, v.across, v.down, app.paintCount].join();
  if (app.stack.key === key) return app.stack.path;
  const path = new Path2D();
  for (const i of list.slice(0, OUTLINES_MOST))
    for (const r of model.rectsOf(m, i)) {
      const at = box(app, r, m.shown[i]);
      if (at && Math.min(at[2], at[3]) >= OUTLINED)
        path.rect(at[0] + 0.5, at[1] + 0.5, at[2] - 1, at[3] - 1);
    }
  app.stack = {key, path};
  return path;
}

// Outlines the critical stack where there is room, without a tint: it would hide the colours, and
// cover tiny rectangles completely.
function criticalStack(app, c) {
  const {list, way} = supports.critical(app.m);
  pen(c, app.look.critical);
  c.globalAlpha = 0.8;
  c.stroke(stackPath(app, list));
  c.globalAlpha = 1;
  if (way.length <= WAY_MOST)
    for (const {buffer} of way) outline(app, c, buffer, app.look.critical, 2, {halo: false});
}

// Whether the critical stack is mostly too small for outlines when the whole plan is in view.
export function isStackTiny(app) {
  const {m, view: v} = app,
    {list} = supports.critical(m),
    all = view.whole(m);
  const perTime = v.across / (all.x1 - all.x0),
    perByte = v.down / (all.y1 - all.y0);
  const tiny = list.filter(
    (i) => m.size[i] * perByte < OUTLINED / 2 || (m.last[i] - m.first[i]) * perTime < OUTLINED / 2,
  );
  return tiny.length > list.length / 2;
}

// The place of a collision in pixels; null if it is out of view.
function clashBox(app, collision) {
  const v = app.view,
    [left, top, wide, tall] = view.place(v, collision),
    across = Math.max(CLASH_LEAST, wide),
    down = Math.max(CLASH_LEAST, tall),
    x = left + (wide - across) / 2,
    y = top + (tall - down) / 2;
  if (x > v.left + v.across || x + across < v.left || y > v.top + v.down || y + down < v.top)
    return null;
  return [x, y, across, down];
}

function clashes(app, c) {
  const {list} = collisions.of(app.m);
  if (list.length === 0) return;
  const path = new Path2D();
  for (const collision of list) {
    const at = clashBox(app, collision);
    if (at) path.rect(...at);
  }
  // Red crossed lines, so that collisions do not depend on colour alone.
  c.fillStyle = signs.hatching(app, c, 'clash', app.look.bad, 'crossed', {breadth: 1, size: 8});
  c.fill(path);
  pen(c, app.look.bad, 2);
  c.stroke(path);
}

// Outlines the selected buffer, its supports, and its place in the other plan.
function selection(app, c) {
  const {selected, look} = app;
  for (const {buffer} of app.chain.slice(1)) outline(app, c, buffer, look.carrier, 2);
  compare.mark(app, c, selected, outline);
  outline(app, c, selected, look.select, 3);
}

// Draws the time cursor, and the unit of time that begins there.
function cursorLine(app, c) {
  const v = app.view,
    x = crisp(view.xOf(v, app.cursor)),
    unit = view.xOf(v, app.cursor + 1) - x;
  if (unit > 4) {
    c.fillStyle = app.look.cursor;
    c.globalAlpha = 0.12;
    c.fillRect(x, v.top, unit, v.down);
    c.globalAlpha = 1;
  }
  if (x < v.left || x > v.left + v.across) return;
  pen(c, app.look.cursor, 1.5);
  line(c, x, v.top, x, v.top + v.down);
  c.fillStyle = app.look.cursor;
  c.beginPath();
  c.moveTo(x - 5, v.top);
  c.lineTo(x + 5, v.top);
  c.lineTo(x, v.top + 7);
  c.fill();
  cursorLabel(app, c, x);
}

// Labels the operator that runs at the cursor.
function cursorLabel(app, c, x) {
  const {m, view: v} = app,
    k = operators.at(m, app.cursor);
  if (k === null) return;
  besideCursor(app, c, text.cut(operators.title(m, k), 60), x, v.top + 9);
}

export function over(app) {
  const {view: v, stage} = app,
    c = fitCanvas(stage.over, stage.across, stage.down);
  clip(c, v.left, v.top, v.across, v.down);
  const group = rounds.showsGroup(app);
  if (app.critical === 'outline' && !group && collisions.isSound(app.m)) criticalStack(app, c);
  if (group) rounds.paintGroup(app, c, outline);
  levels(app, c);
  signs.over(app, c);
  clashes(app, c);
  labels.over(app, c);
  explain.over(app, c, outline);
  operators.over(app, c, outline);
  if (app.selected !== null) selection(app, c);
  if (app.hover !== null && app.hover !== app.selected) outline(app, c, app.hover, app.look.ink, 2);
  signs.partners(app, c, outline);
  signs.choice(app, c, outline);
  if (app.cursor !== null) cursorLine(app, c);
  c.restore();
  pen(c, app.look.frame);
  c.strokeRect(v.left - 0.5, v.top - 0.5, v.across + 1, v.down + 1);
}

// The buffer at or nearest to a point of the stage; null if there is none.
export function hit(app, x, y) {
  const {view: v, m} = app,
    t = view.timeAt(v, x),
    o = view.byteAt(v, y);
  if (x < v.left || x > v.left + v.across || y < v.top || y > v.top + v.down) return null;
  const nearT = (v.x1 - v.x0) / v.across,
    nearO = (v.y1 - v.y0) / v.down;
  let best = null,
    bestOff = Infinity;
  model.query(m, {x0: t - nearT, x1: t + nearT, y0: o - nearO, y1: o + nearO}, (r) => {
    const i = m.rectBuffer[r],
      low = m.shown[i];
    const offX = Math.max(0, m.rectStart[r] - t, t - m.rectEnd[r]) / nearT;
    const offY = Math.max(0, low - o, o - low - m.size[i]) / nearO;
    if (offX + offY < bestOff) {
      best = i;
      bestOff = offX + offY;
    }
  });
  return best;
}

// ------------------------------------------------------------ ticks

const ACROSS = 90, // pixels for a tick of the time axis
  DOWN = 44; // and of the byte axis

// The least round number at or above another one: 1, 2 or 5 times a power of ten.
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= number);
}

const timeStep = (span, room) => roundUp(Math.max(span / Math.max(1, room), 1));

// A step between ticks of bytes that is round in the unit of text.tick().  If the page shows exact
// bytes, steps are powers of two, whose multiples are round as hexadecimal numbers.
export function byteStep(span, room) {
  const rough = Math.max(span / Math.max(1, room), 1);
  if (text.exact()) return 2 ** Math.ceil(Math.log2(rough));
  const unit = 1024 ** Math.floor(Math.log2(rough * 4) / 10),
    share = rough / unit;
  if (unit > 1 && share <= 0.5) return share <= 0.25 ? unit / 4 : unit / 2;
  return share > 200 ? unit * 256 : unit * roundUp(share);
}

function ticks(from, to, step) {
  const list = [];
  for (let k = Math.ceil(from / step); k * step <= to; k++) list.push(k * step);
  return list;
}

const timeTicks = (v) =>
  ticks(v.x0, v.x1, timeStep(v.x1 - v.x0, v.across / ACROSS));

// The ticks of the byte axis as {at, words}, where `at` counts from the bottom of the drawing and
// the words from the bottom of the pool; exact ones have two lines.
function byteTicks({view: v, m}) {
  const step = byteStep(v.y1 - v.y0, v.down / DOWN),
    pools = m.pools.length > 0 ? m.pools : [{low: 0, high: Infinity}],
    base = m.base ?? 0n;
  const words = (o) =>
    text.exact() ? [text.grouped(o), text.hex(base + BigInt(o))] : [text.tick(o, step)];
  return pools.flatMap(({low, high}) =>
    ticks(Math.max(0, v.y0 - low), Math.min(high, v.y1) - low, step).map((o) => ({
      at: o + low,
      words: words(o),
    })),
  );
}

const timeTitle = ({m}) => (model.operators(m) ? 'time (operators)' : 'time (steps)');

function byteTitle({m}) {
  if (m.pools.length > 0) return 'offset in pool';
  return text.exact() && m.base !== null ? 'offset, address' : 'offset (bytes)';
}
