// SPDX-License-Identifier: GPL-3.0-or-later
// A window drawn with the pointer, to zoom to: of time and bytes in the layout, of time alone on the
// time axis and the curves, of bytes alone on the byte axis.
const {byId, make} = parts;
const LEAST = 5; // pixels: a smaller window is a slip of the hand
let armed = false,
  drawn = null;

// Whether the next drag draws a window without Shift.
function arm(app, on) {
  armed = on;
  byId('window').setAttribute('aria-pressed', String(on));
  for (const {column} of app.scenes) column.classList.toggle('windowing', on);
  if (on) app.announce('Drag to draw a window, Escape to cancel');
}

export const toggle = (app) => arm(app, !armed);

// What a drag from a point of the stage would draw: 'both', 'time', 'bytes', or null if it moves the
// view.
export function kindAt({view: v}, {x, y}, event) {
  const mouse = event.pointerType !== 'touch',
    inPlot = x >= v.left && y <= v.top + v.down;
  if (!inPlot && mouse) return x >= v.left ? 'time' : y <= v.top + v.down ? 'bytes' : null;
  return armed || (event.shiftKey && inPlot) ? 'both' : null;
}

export const asks = (event) => armed || event.shiftKey;

export function begin(scene, kind, {x, y}) {
  drawn = {scene, kind, from: {x, y}, to: {x, y}, node: make('div', {class: 'rubber'})};
  scene.stage.box.append(drawn.node);
  move({x, y});
}

// The sides of the window in pixels of the stage.
function sides() {
  const {scene, kind, from, to} = drawn,
    v = scene.view;
  const clip = (value, low, size) => Math.max(low, Math.min(low + size, value));
  const span = (a, b, low, size) => [
    clip(Math.min(a, b), low, size),
    clip(Math.max(a, b), low, size),
  ];
  const [left, right] =
    kind === 'bytes' ? [v.left, v.left + v.across] : span(from.x, to.x, v.left, v.across);
  const [top, bottom] =
    kind === 'time' ? [v.top, v.top + v.down] : span(from.y, to.y, v.top, v.down);
  return {left, right, top, bottom};
}

export function move({x, y}) {
  if (!drawn) return;
  drawn.to = {x, y};
  const {left, right, top, bottom} = sides();
  Object.assign(drawn.node.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${right - left}px`,
    height: `${bottom - top}px`,
  });
}

function remove() {
  drawn.node.remove();
  drawn = null;
}

// Zooms to the window.
export function finish(app) {
  if (!drawn) return;
  const {scene, kind} = drawn,
    v = scene.view,
    {left, right, top, bottom} = sides(),
    to = view.boxOf(v);
  remove();
  if (armed) arm(app, false);
  if ((kind !== 'bytes' && right - left < LEAST) || (kind !== 'time' && bottom - top < LEAST))
    return;
  if (kind !== 'bytes') [to.x0, to.x1] = [view.timeAt(v, left), view.timeAt(v, right)];
  if (kind !== 'time') [to.y0, to.y1] = [view.byteAt(v, bottom), view.byteAt(v, top)];
  view.go(scene, to, true);
}

// Returns whether there was something to cancel.
export function cancel(app) {
  const was = armed || drawn !== null;
  if (drawn) remove();
  if (armed) arm(app, false);
  return was;
}

export const isDrawing = () => drawn !== null;

export function listen(app) {
  byId('window').addEventListener('click', () => toggle(app));
}
