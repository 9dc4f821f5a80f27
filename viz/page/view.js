// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the plan that is in view, [x0, x1) in time and [y0, y1) in bytes, and conversions
// to pixels and back.
const LEFT = 78,
  RIGHT = 12,
  TOP = 24,
  BOTTOM = 40;
const HEADROOM = 1.05,
  SHORTEST = 1,
  LOWEST = 1; // of time and bytes across the view
const GLIDE = 220; // ms
let gliding = 0;

export const make = () => ({x0: 0, x1: 1, y0: 0, y1: 1, left: LEFT, top: TOP, across: 1, down: 1});

export function resize(v, across, down) {
  v.across = Math.max(1, across - LEFT - RIGHT);
  v.down = Math.max(1, down - TOP - BOTTOM);
}

export const xOf = (v, t) => v.left + ((t - v.x0) / (v.x1 - v.x0)) * v.across;
export const yOf = (v, o) => v.top + (1 - (o - v.y0) / (v.y1 - v.y0)) * v.down;
export const timeAt = (v, x) => v.x0 + ((x - v.left) / v.across) * (v.x1 - v.x0);
export const byteAt = (v, y) => v.y0 + (1 - (y - v.top) / v.down) * (v.y1 - v.y0);

// Converts a box of times and bytes to pixels: [x, y, across, down].
export function place(v, {start, end, low, high}) {
  const x = xOf(v, start),
    y = yOf(v, high);
  return [x, y, xOf(v, end) - x, yOf(v, low) - y];
}

// The extent of a plan.  A capacity of more than twice the rest would flatten everything else: it
// is off the scale.
function extent(m) {
  let top = Math.max(m.top, m.ceiling, 1);
  if (m.pools.length > 0)
    return {x0: m.from, x1: m.to, y0: 0, y1: Math.max(top, m.pools[0].high) * HEADROOM};
  top = Math.max(top, m.bound, m.lowerBound);
  if (m.capacity !== null && m.capacity <= 2 * top) top = Math.max(top, m.capacity);
  return {x0: m.from, x1: m.to, y0: 0, y1: top * HEADROOM};
}

// The box of a whole plan, and of the plan that it is compared with.
export function whole(m) {
  const one = extent(m);
  if (!m.beside) return one;
  const two = extent(m.beside);
  return {
    x0: Math.min(one.x0, two.x0),
    x1: Math.max(one.x1, two.x1),
    y0: 0,
    y1: Math.max(one.y1, two.y1),
  };
}

// Limits a box to sensible sizes and to a part of the plan.
function clamped(m, box) {
  const all = whole(m),
    out = {};
  for (const [a, b, least] of [
    ['x0', 'x1', SHORTEST],
    ['y0', 'y1', LOWEST],
  ]) {
    const span = all[b] - all[a],
      wanted = box[b] - box[a];
    const size = Math.max(Math.min(least, span), Math.min(wanted, span * 1.5));
    let middle = (box[a] + box[b]) / 2;
    middle = size >= span ? (all[a] + all[b]) / 2 : Math.max(all[a], Math.min(all[b], middle));
    if (size < span) middle = Math.max(all[a] + 0.2 * size, Math.min(all[b] - 0.2 * size, middle));
    out[a] = middle - size / 2;
    out[b] = middle + size / 2;
  }
  return out;
}

export const isWhole = (app) =>
  Object.entries(whole(app.m)).every(
    ([key, value]) => Math.abs(app.view[key] - value) <= 1e-9 * Math.abs(value),
  );

export const boxOf = ({x0, x1, y0, y1}) => ({x0, x1, y0, y1});

// Shows a box, immediately or, unless the user prefers reduced motion, by gliding there.
export function go(app, box, glide = false) {
  const from = boxOf(app.view),
    to = clamped(app.m, box);
  cancelAnimationFrame(gliding);
  if (!glide || app.still()) {
    Object.assign(app.view, to);
    app.redraw();
    return;
  }
  const started = performance.now();
  const frame = (now) => {
    const share = Math.min(1, Math.max(0, (now - started) / GLIDE)),
      ease = 1 - (1 - share) ** 3;
    for (const key of Object.keys(to)) app.view[key] = from[key] + (to[key] - from[key]) * ease;
    if (share === 1) Object.assign(app.view, to);
    else gliding = requestAnimationFrame(frame);
    app.redraw();
  };
  gliding = requestAnimationFrame(frame);
}

// Shows a given time and number of bytes, by default as many as now, around a moment and an offset.
export function centre(app, t, o, {across, down, glide = false} = {}) {
  const v = app.view,
    x = (across ?? v.x1 - v.x0) / 2,
    y = (down ?? v.y1 - v.y0) / 2;
  go(app, {x0: t - x, x1: t + x, y0: o - y, y1: o + y}, glide);
}

// Zooms around the point (x, y) of the stage; a factor below 1 zooms in.
export function zoom(app, factorX, factorY, x, y, glide = false) {
  const v = app.view,
    t = timeAt(v, x),
    o = byteAt(v, y);
  go(
    app,
    {
      x0: t - (t - v.x0) * factorX,
      x1: t + (v.x1 - t) * factorX,
      y0: o - (o - v.y0) * factorY,
      y1: o + (v.y1 - o) * factorY,
    },
    glide,
  );
}

export function pan(app, dx, dy, glide = false) {
  const v = app.view,
    t = (dx / v.across) * (v.x1 - v.x0),
    o = (dy / v.down) * (v.y1 - v.y0);
  go(app, {x0: v.x0 - t, x1: v.x1 - t, y0: v.y0 + o, y1: v.y1 + o}, glide);
}

// Brings a buffer into view: moves no further than needed or, with `close`, zooms in on it.
export function show(app, i, close) {
  const {m, view: v} = app;
  if (!model.isPlaced(m, i)) return;
  const span = m.last[i] - m.first[i],
    size = Math.max(1, m.size[i]);
  const across = close ? span * 3 : Math.max(v.x1 - v.x0, span * 1.2);
  const down = close ? size * 3 : Math.max(v.y1 - v.y0, size * 1.2);
  const inside = m.first[i] >= v.x0 && m.last[i] <= v.x1 && m.offset[i] >= v.y0 && m.end[i] <= v.y1;
  if (inside && !close) return;
  centre(app, (m.first[i] + m.last[i]) / 2, m.offset[i] + size / 2, {across, down, glide: true});
}

// Shows a part of the plan with room around it.
export function showBox(app, {x0, x1, y0, y1}) {
  const across = Math.max(x1 - x0, 1),
    down = Math.max(y1 - y0, 1);
  go(app, {x0: x0 - 2 * across, x1: x1 + 2 * across, y0: y0 - 2 * down, y1: y1 + 2 * down}, true);
}

export const fit = (app, glide = true) => go(app, whole(app.m), glide);
