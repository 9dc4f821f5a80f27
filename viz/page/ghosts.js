// SPDX-License-Identifier: GPL-3.0-or-later
// An overlay of two plans: outlines of what changed, solid for plan A and dashed for plan B,
// filled faintly for what only the plan behind has; and an arrow between the places of the
// selected buffer.
const HEAD = 8; // pixels: the length of an arrow's head
const FAINT = 0x58; // opacity of the filling, of 255

// The other plan in the place of the one that a scene shows.
const ghostOf = (scene) =>
  Object.assign(Object.create(scene), {m: compare.beside(scene), stack: {key: ''}});

// The variables of the style sheet that outline plans A and B.
const LINES = ['carrier', 'waste'];
const lineOf = (app, m) => LINES[m === app.own ? 0 : 1];

// The ink and the filling of each kind of change, as pixels; 0 where nothing is drawn.
function inks(app, m) {
  const ink = colour.pixelOf(`--${lineOf(app, m)}`),
    isFront = m === app.m,
    faint = (name) => ((colour.pixelOf(name) & 0xffffff) | (FAINT << 24)) >>> 0;
  const isAlone = (kind) => kind === pair.GONE || kind === pair.APPEARED;
  return {
    line: pair.KINDS.map((_, kind) => (kind === pair.SAME ? 0 : ink)),
    fill: pair.KINDS.map((kind, k) => (!isFront && isAlone(k) ? faint(kind.colour) : 0)),
  };
}

// The outlines as an image, kept until the view or the plans change.
function image(app) {
  const {view: v, m} = app,
    ratio = window.devicePixelRatio || 1,
    across = Math.max(1, Math.round(v.across * ratio)),
    down = Math.max(1, Math.round(v.down * ratio));
  const key = [v.x0, v.x1, v.y0, v.y1, across, down, app.paintCount, m === app.own].join();
  const kept = (app.ghosts ??= {canvas: document.createElement('canvas')});
  if (kept.key === key) return kept.canvas;
  kept.key = key;
  kept.canvas.width = across;
  kept.canvas.height = down;
  const c = kept.canvas.getContext('2d'),
    pixels = c.createImageData(across, down),
    list = new Uint32Array(pixels.data.buffer),
    thick = Math.max(1, Math.round(ratio));
  for (const one of [m, compare.beside(app)])
    raster.outlines(
      one,
      view.boxOf(v),
      {list, across, down, thick, dashed: one === app.other},
      {...inks(app, one), kinds: pair.kinds(app.pair, one)},
    );
  c.putImageData(pixels, 0, 0);
  return kept.canvas;
}

export const isOn = (app) => app.pairMode === 'over' && Boolean(app.pair) && !app.isSecond;

export function paint(app, c) {
  const v = app.view;
  if (isOn(app)) c.drawImage(image(app), v.left, v.top, v.across, v.down);
}

// The peak of the other plan, for the lines across the layout.
export function levels(app) {
  if (!isOn(app)) return [];
  const {peak} = compare.beside(app),
    name = `peak of ${text.cut(compare.labelOf(app, compare.beside(app)), 20)}`;
  return [{name, bytes: peak, colour: app.look.muted, dash: [2, 4], breadth: 1.5}];
}

// ------------------------------------------------------------ the selected buffer

// The middle of a buffer's first rectangle in pixels.
function middle({m, view: v}, i) {
  const [x, y, across, down] = view.place(v, model.rect(m, m.rectOf[m.rectFirst[i]]));
  return {x: x + across / 2, y: y + down / 2};
}

function arrow(c, from, to) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  if (Math.hypot(to.x - from.x, to.y - from.y) < HEAD) return;
  draw.line(c, from.x, from.y, to.x, to.y);
  c.beginPath();
  for (const turn of [-0.4, 0, 0.4])
    if (turn === 0) c.lineTo(to.x, to.y);
    else c.lineTo(to.x - HEAD * Math.cos(angle + turn), to.y - HEAD * Math.sin(angle + turn));
  c.stroke();
}

// Outlines the namesake of buffer i in the other plan, with an arrow to it in an overlay.
export function mark(app, c, i, outline) {
  const j = compare.there(app, i);
  if (j === null || app.isSecond || app.pairMode === 'beside') return;
  const ghost = ghostOf(app);
  if (pair.kinds(app.pair, app.m)[i] === pair.SAME || !model.isPlaced(ghost.m, j)) return;
  outline(ghost, c, j, app.look.carrier, 2, {dash: [5, 4]});
  if (!isOn(app)) return;
  const [from, to] =
    app.m === app.own ? [middle(app, i), middle(ghost, j)] : [middle(ghost, j), middle(app, i)];
  for (const [ink, breadth] of [
    [app.look.panel, 5],
    [app.look.carrier, 2],
  ]) {
    draw.pen(c, ink, breadth);
    arrow(c, from, to);
  }
}

// What the legend has to explain.
export function marks(app) {
  if (!app.pair || app.pairMode === 'beside') return [];
  const nameOf = (m) => text.cut(compare.labelOf(app, m), 20),
    selected = [
      `selected buffer in ${nameOf(compare.beside(app))}`,
      'box dashed',
      app.look.carrier,
    ];
  const place = (m) => [
    `place in ${nameOf(m)}`,
    m === app.own ? 'box' : 'box dashed',
    app.look[lineOf(app, m)],
  ];
  return isOn(app) ? [place(app.own), place(app.other), selected] : [selected];
}
