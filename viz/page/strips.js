// SPDX-License-Identifier: GPL-3.0-or-later
// The strips below the stage: live bytes and fragmentation during the time in view, and an overview
// of the whole plan.
// The greatest value of a curve in each column of pixels.
function columns(times, values, v) {
  const chunks = profile.chunksOf(values),
    high = new Float64Array(Math.ceil(v.across)),
    span = (v.x1 - v.x0) / v.across;
  let k = Math.max(0, profile.indexAt(times, v.x0));
  for (let x = 0; x < high.length; x++) {
    const from = v.x0 + x * span,
      to = from + span;
    while (k + 1 < times.length && times[k + 1] <= from) k++;
    let at = k;
    while (at < times.length && times[at] < to) {
      const isChunk = at % profile.CHUNK === 0 && times[at + profile.CHUNK - 1] < to;
      high[x] = Math.max(high[x], isChunk ? chunks[at / profile.CHUNK] : values[at]);
      at += isChunk ? profile.CHUNK : 1;
    }
    k = Math.max(k, at - 1);
  }
  return high;
}

function frame(app, canvas) {
  const {across, down} = app.sizeOf(canvas);
  const c = draw.fitCanvas(canvas, across, down),
    v = app.view;
  c.fillStyle = app.look.panel;
  c.fillRect(v.left, 0, v.across, down);
  return {c, down: down - 1, top: 6};
}

// The steps of a curve as a path.
function trace({c, down, top}, {left}, high, most) {
  const yOf = (value) => down - (value / most) * (down - top);
  high.forEach((value, x) => {
    c.lineTo(left + x, yOf(value));
    c.lineTo(left + x + 1, yOf(value));
  });
}

function curve(app, strip, high, most, ...pen) {
  const {c, down} = strip,
    v = app.view;
  draw.clip(c, v.left, 0, v.across, down + 1);
  c.beginPath();
  trace(strip, v, high, most);
  draw.pen(c, ...pen);
  c.stroke();
  c.restore();
}

// A curve and the area below it.
function area(app, strip, high, most, colour) {
  const {c, down} = strip,
    {left} = app.view;
  c.beginPath();
  c.moveTo(left, down);
  trace(strip, app.view, high, most);
  c.lineTo(left + high.length, down);
  c.fillStyle = colour;
  c.globalAlpha = 0.2;
  c.fill();
  c.globalAlpha = 1;
  curve(app, strip, high, most, colour, 1.4);
}

function label(app, c, string, y) {
  c.font = app.look.small;
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  c.fillStyle = app.look.muted;
  c.fillText(string, app.view.left - 8, y, app.view.left - 10);
}

function level(app, strip, value, most, colour, dash) {
  const {c, down, top} = strip,
    v = app.view,
    y = draw.crisp(down - (value / most) * (down - top));
  draw.pen(c, colour, 1.4, dash);
  draw.line(c, v.left, y, v.left + v.across, y);
  return y;
}

// The time cursor.
function marks(app, strip) {
  if (app.cursor === null) return;
  const v = app.view,
    x = draw.crisp(view.xOf(v, app.cursor));
  if (x < v.left || x > v.left + v.across) return;
  draw.pen(strip.c, app.look.cursor, 1.5);
  draw.line(strip.c, x, 0, x, strip.down + 1);
}

// The value at the time cursor, beside it on the side with more room.
function reading(app, strip, words) {
  const v = app.view,
    x = app.cursor === null ? -1 : view.xOf(v, app.cursor);
  if (x < v.left || x > v.left + v.across) return;
  draw.besideCursor(app, strip.c, words, x, strip.top + 13);
}

// The value of a step curve at the time cursor.
function valueAt(app, {times}, values) {
  const k = profile.indexAt(times, app.cursor);
  return k < 0 ? 0 : values[k];
}

function live(app) {
  const {m, look} = app,
    p = profile.of(m),
    strip = frame(app, app.strips.live);
  const beside = m.beside ? m.beside.peak : 0,
    high = Math.max(m.peak, p.most, beside, 1),
    step = draw.byteStep(high, 4),
    most = step * Math.ceil(high / step);
  area(app, strip, columns(p.times, p.live, app.view), most, look.curve);
  if (m.pools.length === 0) level(app, strip, m.bound, most, look.bound, []);
  if (m.peak > m.bound) level(app, strip, m.peak, most, look.ink, [6, 4]);
  label(app, strip.c, text.tick(most, step), strip.top + 3);
  label(app, strip.c, '0', strip.down - 5);
  marks(app, strip);
  reading(app, strip, `${text.amount(profile.liveAt(m, app.cursor))} alive`);
}

function sharesOf({top, free}) {
  const share = new Float32Array(top.length);
  for (let k = 0; k < share.length; k++) share[k] = top[k] > 0 ? free[k] / top[k] : 0;
  return share;
}

function waste(app) {
  const p = profile.of(app.m),
    strip = frame(app, app.strips.waste);
  p.share ??= sharesOf(p);
  area(app, strip, columns(p.times, p.share, app.view), 1, app.look.waste);
  label(app, strip.c, '100 %', strip.top + 3);
  label(app, strip.c, '0 %', strip.down - 5);
  marks(app, strip);
  const words = profile.shares(app.m) ? 'of the top is not live' : 'free below the top';
  reading(app, strip, `${Math.round(100 * valueAt(app, p, p.share))} % ${words}`);
}

// The overview is drawn once for each change of colours, then copied.
function map(app) {
  const {m, view: v, overview} = app,
    canvas = app.strips.map,
    {across, down} = app.sizeOf(canvas);
  const width = Math.max(1, Math.round(v.across)),
    key = `${width} ${down} ${app.paintCount}`;
  if (overview.key !== key) {
    overview.canvas.width = width;
    overview.canvas.height = down;
    const c = overview.canvas.getContext('2d'),
      image = c.createImageData(width, down);
    raster.paint(m, view.whole(m), new Uint32Array(image.data.buffer), width, down, app.paint);
    c.putImageData(image, 0, 0);
    overview.key = key;
  }
  const c = draw.fitCanvas(canvas, across, down),
    all = view.whole(m);
  c.fillStyle = app.look.panel;
  c.fillRect(v.left, 0, v.across, down);
  c.drawImage(overview.canvas, v.left, 0, v.across, down);
  const x = v.left + ((v.x0 - all.x0) / (all.x1 - all.x0)) * v.across,
    y = down * (1 - v.y1 / all.y1);
  const right = x + ((v.x1 - v.x0) / (all.x1 - all.x0)) * v.across,
    bottom = down * (1 - v.y0 / all.y1);
  draw.clip(c, v.left, 0, v.across, down);
  c.beginPath();
  c.rect(v.left, 0, v.across, down);
  c.rect(x, y, right - x, bottom - y);
  c.fillStyle = app.look.veil;
  c.fill('evenodd');
  draw.pen(c, app.look.select, 1.5);
  c.strokeRect(
    Math.max(v.left + 1, x),
    Math.max(1, y),
    Math.max(3, Math.min(right, v.left + v.across - 1) - Math.max(v.left + 1, x)),
    Math.max(3, Math.min(bottom, down - 1) - Math.max(1, y)),
  );
  c.restore();
}

// Draws the strips.  Two scenes one above the other have one set of strips: the other set has no
// size.
export function paint(app) {
  operators.paint(app);
  for (const [name, strip] of Object.entries({live, waste, map}))
    if (app.sizeOf(app.strips[name]).down > 0) strip(app);
}

function setOpen(app, on) {
  for (const {strips} of app.scenes) strips.live.closest('details').open = on;
}

// The strips of two scenes open and close together.
export function listen(app) {
  const box = app.strips.live.closest('details');
  const follow = ({target}) => {
    if (!target.matches('.curves')) return;
    setOpen(app, target.open);
    address.changed();
  };
  document.addEventListener('toggle', follow, true);
  address.field('strips', {
    get: () => (box.open ? 'open' : null),
    set: (words) => setOpen(app, words === 'open'),
  });
}
