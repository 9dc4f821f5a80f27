// SPDX-License-Identifier: GPL-3.0-or-later
// The strip below the layout that names operators: each in its unit of time if there is room, and
// otherwise, at an angle, as many as do not touch, those at moments with most bytes first.
const {byId} = parts;
const CELLS = 10, // pixels down, for the row of operators
  LEVEL = 66, // pixels across, from which on a label is horizontal
  APART = 16, // pixels between labels at an angle
  GLYPH = 6.1, // pixels across, on average
  CAPITAL = 7.2,
  CELL_LEAST = 3;
const ANGLE = -Math.PI / 4;

const isThere = (m) => operators.has(m);

// The bytes in use while each operator runs.
function loads(m) {
  const {times, live} = profile.of(m);
  return (m.operatorLoads ??= new Float64Array(operators.count(m)).map((_, k) =>
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
    stride = Math.max(1, Math.floor(size / 64)); // far out, a sample has to do
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
    current = operators.state.hover ?? operators.at(m, scene.cursor);
  c.fillStyle = look.panel;
  c.fillRect(v.left, 0, v.across, CELLS);
  if (each >= CELL_LEAST) {
    c.fillStyle = look.grid;
    for (let k = first + (first % 2); k < last; k += 2) c.fillRect(view.xOf(v, k), 0, each, CELLS);
  }
  if (current === null) return;
  c.fillStyle = operators.state.hover === null ? look.cursor : look.ink;
  c.fillRect(view.xOf(v, current), 0, Math.max(2, each), CELLS);
}

const wordsOf = (m, k, room) => text.cut(operators.type(m, k) || operators.title(m, k), room);

// Labels as {k, x, y, words, second, angle}; nothing of them overlaps.
export function labels(scene, down) {
  const {m, view: v} = scene,
    first = Math.max(0, Math.floor(v.x0)),
    last = Math.min(operators.count(m), Math.ceil(v.x1)),
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
          second: operators.type(m, k) ? text.cut(operators.name(m, k), room) : '',
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
  range.paint(scene, c, 0, CELLS);
  c.font = look.small;
  c.textBaseline = angle ? 'middle' : 'top';
  c.textAlign = angle ? 'right' : 'center';
  for (const {k, x, words, second, room} of list) {
    const isCurrent = k === (operators.state.hover ?? operators.at(scene.m, scene.cursor));
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
    k = t >= x0 && t < x1 ? operators.at(scene.m, t) : null,
    tip = byId('tip');
  operators.setHover(scene, k);
  tip.hidden = k === null;
  if (k === null) return;
  tip.replaceChildren(...operators.card(scene.m, k));
  pointer.placeTip(tip, event);
}

function leave(scene) {
  operators.setHover(scene, null);
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

// A click on the strip of operators keeps the one there outlined.
export function choose(scene, t) {
  const k = operators.at(scene.m, t);
  if (k !== null) operators.pin(scene, k);
}

// Shows the strip if there is something to name.
export function page(app) {
  for (const scene of app.scenes) scene.strips.ops.parentElement.hidden = !isThere(scene.m);
}
