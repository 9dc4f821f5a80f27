// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse wheel, dragging, clicks and touch.
const {byId, make} = parts;
const SLACK = 4; // pixels: moving further is a drag, not a click
const NOTCH = 0.0016; // zoom per unit of the wheel
const touches = new Map();
let press = null;

const place = (node, event) => {
  const {left, top} = node.getBoundingClientRect();
  return {x: event.clientX - left, y: event.clientY - top};
};

// Zooms; with `inTime` only the time axis.
function wheel(app, event, inTime = event.shiftKey) {
  if (framed.leavesWheel()) return;
  event.preventDefault();
  const {x, y} = place(app.stage.box, event);
  const lines = event.deltaMode === 1 ? 24 : event.deltaMode === 2 ? 400 : 1;
  const delta = (event.deltaY || event.deltaX) * lines,
    factor = Math.exp(Math.max(-400, Math.min(400, delta)) * NOTCH);
  view.zoom(app, event.altKey ? 1 : factor, inTime ? 1 : factor, x, y);
}

// ------------------------------------------------------------ tooltip

const TOLD = 3;

function collidesWith(m, i) {
  const others = collisions.ofBuffer(m, i).map(({other}) => model.label(m, other, 60));
  if (others.length === 0) return [];
  const more = others.length > TOLD ? `, and ${text.grouped(others.length - TOLD)} more` : '';
  return [make('span.clash', `collides with ${others.slice(0, TOLD).join(', ')}${more}`)];
}

// The bytes of a buffer, from its offset to its end.
function extent(m, i) {
  if (!model.isPlaced(m, i)) return [];
  const low = model.exactOffset(m, i),
    high = model.exactEnd(m, i);
  return [make('span', `${text.offset(low, m.base)} – ${text.offset(high, m.base)}`)];
}

function tip(app, event) {
  const node = byId('tip'),
    {m, hover: i} = app;
  node.hidden = i === null;
  if (i === null) return;
  node.replaceChildren(
    make('b', `${model.label(m, i, 160)} (#${i})`),
    ...(model.longName(m, i) ? [make('span', text.cut(model.longName(m, i), 160))] : []),
    make('span', `${text.amount(model.exactSize(m, i))} · ${text.cut(model.lifetimes(m, i), 60)}`),
    ...extent(m, i),
    ...about(m, i),
    ...collidesWith(m, i),
    ...sharing(app, event),
  );
  placeTip(node, event);
}

// The pair of buffers that share the bytes under the pointer.
function sharing(app, event) {
  const {x, y} = place(app.stage.box, event),
    words = signs.sharedAt(app, view.timeAt(app.view, x), view.byteAt(app.view, y));
  return words ? [make('span', words)] : [];
}

// What the model says about a buffer: "CONV_2D conv1 · 1x56x56x64 · int8".
function about(m, i) {
  const words = [buffers.maker(m, i), buffers.shape(m, i), model.dtype(m, i)].filter((one) => one);
  return words.length > 0 ? [make('span', text.cut(words.join(' · '), 160))] : [];
}

export function placeTip(node, event) {
  const room = 14,
    beside = (at, size, all) => Math.max(4, at + room + size > all ? at - room - size : at + room);
  node.style.left = `${beside(event.clientX, node.offsetWidth, innerWidth)}px`;
  node.style.top = `${beside(event.clientY, node.offsetHeight, innerHeight)}px`;
}

// ------------------------------------------------------------ the stage

function hover(app, event, at) {
  app.setHover(draw.hit(app, at.x, at.y));
  tip(app, event);
}

function down(app, event) {
  if (event.button > 0) return;
  const {box} = app.stage,
    at = place(box, event);
  box.setPointerCapture(event.pointerId);
  touches.set(event.pointerId, {...at, clientX: event.clientX, clientY: event.clientY});
  leave(app);
  press = touches.size === 1 ? {...at, moved: false} : null;
  if (touches.size === 1) touch.press(event, () => hover(app, event, at));
  else touch.release();
}

function pinch(app, id, at) {
  const [other] = [...touches].filter(([key]) => key !== id).map(([, value]) => value),
    old = touches.get(id);
  const apart = (a) => Math.max(20, Math.hypot(a.x - other.x, a.y - other.y)),
    factor = apart(old) / apart(at);
  view.zoom(app, factor, factor, (at.x + other.x) / 2, (at.y + other.y) / 2);
  view.pan(app, (at.x - old.x) / 2, (at.y - old.y) / 2);
}

// Moves the view by (dx, dy), for a drag with one pointer.
function drag(app, event, at, dx, dy) {
  if (touch.isLong()) return hover(app, event, at);
  if (!press.moved) {
    press.moved = Math.hypot(at.x - press.x, at.y - press.y) > SLACK;
    if (!press.moved) return undefined;
    touch.release();
    app.stage.box.classList.add('grabbed');
  }
  return touch.isTouch(event) ? touch.pan(app, dx, dy) : view.pan(app, dx, dy);
}

function move(app, event) {
  const at = place(app.stage.box, event),
    old = touches.get(event.pointerId);
  if (!old) {
    if (!touch.isTouch(event)) hover(app, event, at);
    return;
  }
  if (!touch.isLong()) byId('tip').hidden = true;
  if (touches.size === 2) pinch(app, event.pointerId, at);
  else if (press) {
    const [dx, dy] = [event.clientX - old.clientX, event.clientY - old.clientY];
    drag(app, event, at, dx, dy);
    if (!press.moved) return;
  }
  touches.set(event.pointerId, {...at, clientX: event.clientX, clientY: event.clientY});
}

function click(app, at) {
  const i = draw.hit(app, at.x, at.y),
    v = app.view;
  const inside = at.x >= v.left && at.x <= v.left + v.across;
  if (inside) app.setCursor(Math.floor(view.timeAt(v, at.x)), {quiet: true});
  app.select(i);
  if (i !== null) panel.open('tensor');
  else if (inside && !peak.followsCursor()) panel.open('time');
}

// Zooms to the buffer at a point; without a buffer there, zooms in around the point.
function closer(app, at) {
  const i = draw.hit(app, at.x, at.y);
  if (i !== null) view.show(app, i, true);
  else view.zoom(app, 0.5, 0.5, at.x, at.y, true);
}

function tap(app, event) {
  const at = place(app.stage.box, event);
  if (touch.isSecond(event)) return closer(app, at);
  click(app, at);
  return touch.isTouch(event) && app.selected !== null ? sheet.peek() : undefined;
}

function up(app, event) {
  if (!touches.delete(event.pointerId)) return;
  touch.release();
  app.stage.box.classList.remove('grabbed');
  if (press && !press.moved && event.type === 'pointerup' && !touch.isLong()) tap(app, event);
  press = null;
}

function leave(app) {
  app.setHover(null);
  byId('tip').hidden = true;
}

// ------------------------------------------------------------ the strips

// Calls begin(at, event), drag(at, from) while the pressed pointer moves, and end(at, from), where
// `from` is the place of the press; after a cancelled press, calls end(null).
function follow(canvas, {begin = () => undefined, drag, end = () => undefined}) {
  let from = null;
  canvas.addEventListener('pointerdown', (event) => {
    from = place(canvas, event);
    canvas.setPointerCapture(event.pointerId);
    begin(from, event);
  });
  canvas.addEventListener('pointermove', (event) => from && drag(place(canvas, event), from));
  for (const type of ['pointerup', 'pointercancel'])
    canvas.addEventListener(type, (event) => {
      if (from) end(type === 'pointerup' ? place(canvas, event) : null, from);
      from = null;
    });
}

// On a strip over time, a drag moves the time cursor, and a click calls tap(time).
function followTime(app, canvas, tap) {
  let dragged = false;
  const timeAt = ({x}) =>
    Math.floor(Math.max(app.m.from, Math.min(app.m.to, view.timeAt(app.view, x))));
  follow(canvas, {
    begin() {
      dragged = false;
    },
    drag(at, from) {
      dragged ||= Math.abs(at.x - from.x) > SLACK;
      if (dragged) app.setCursor(timeAt(at), {quiet: true});
    },
    end: (at) => !dragged && at && tap(timeAt(at)),
  });
  canvas.addEventListener('wheel', (event) => wheel(app, event, true), {passive: false});
}

function overview(app, x, y, {down: tall}) {
  const v = app.view,
    all = view.whole(app.m),
    t = all.x0 + ((x - v.left) / v.across) * (all.x1 - all.x0);
  view.centre(app, t, all.y1 * (1 - y / tall));
}

// Listens to a scene: its stage and its strips.
export function listen(app) {
  const {box} = app.stage;
  box.addEventListener('wheel', (event) => wheel(app, event), {passive: false});
  box.addEventListener('pointerdown', (event) => down(app, event));
  box.addEventListener('pointermove', (event) => move(app, event));
  for (const type of ['pointerup', 'pointercancel'])
    box.addEventListener(type, (event) => up(app, event));
  box.addEventListener('pointerleave', (event) => touch.isTouch(event) || leave(app));
  let touched = false; // a double tap has been seen already
  box.addEventListener('pointerdown', (event) => (touched = touch.isTouch(event)));
  box.addEventListener('dblclick', (event) => touched || closer(app, place(box, event)));
  touch.listen(box);
  const {ops, live, waste, map} = app.strips;
  for (const canvas of [live, waste])
    followTime(app, canvas, (t) => app.setCursor(t, {open: true, quiet: true}));
  followTime(app, ops, (t) => operators.choose(app, t));
  const frame = ({x, y}) => overview(app, x, y, app.sizeOf(map));
  follow(map, {begin: frame, drag: frame});
  operators.onScene(app);
}
