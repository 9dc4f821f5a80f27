// SPDX-License-Identifier: GPL-3.0-or-later
// Saves what is in view as SVG or PNG: the layout with its axes, levels and marks below a title and
// the legend.  The same page, plan and view give the same file.  An SVG has a rectangle with a name
// for each one in view, or if there are too many, a picture of them.
const {byId} = parts;
const MOST = 20000, // rectangles in an SVG
  RATIO = 2, // pixels of a PNG for each of the page
  EDGE = 5, // pixels: from this size on, a rectangle gets an edge
  HATCHED = 8, // and from this size on, its pattern
  MARGIN = 16,
  ROW = 20;

// ------------------------------------------------------------ the parts of the picture

// A scene like another one, but drawn on canvases of its own; nothing is under the pointer.
const copyOf = (scene, canvas) =>
  Object.assign(Object.create(scene), {
    stage: {across: scene.stage.across, down: scene.stage.down, ...canvas},
    hover: null,
    stack: {key: ''},
    tiles: {},
  });

function canvasWith(across, down) {
  const canvas = document.createElement('canvas');
  canvas.ratio = RATIO;
  canvas.width = across * RATIO;
  canvas.height = down * RATIO;
  return canvas;
}

// The rectangles of a scene as pixels, and where they belong.
function pictureOf(scene) {
  const rects = document.createElement('canvas');
  rects.ratio = RATIO;
  draw.rects(copyOf(scene, {rects}));
  return rects;
}

const hex = (pixel) =>
  `#${[pixel, pixel >> 8, pixel >> 16].map((part) => (part & 255).toString(16).padStart(2, '0')).join('')}`;

// The patterns of the raster, as tiles of 40 pixels, which both periods divide.
const TILES = [
  null,
  {size: 8, d: 'M0 0h2v2h-2z'},
  {size: 8, d: 'M0 8L8 0'},
  {size: 5, d: 'M0 0L5 5'},
];

function patternOf(c, kind, ink) {
  const {size, d} = TILES[kind],
    style = kind === 1 ? {fill: ink} : {stroke: ink, fill: 'none'};
  return c.define(`kind ${kind} ${ink}`, (id) =>
    recorder.element(
      'pattern',
      {id, width: size, height: size, patternUnits: 'userSpaceOnUse'},
      recorder.element('path', {d, ...style}),
    ),
  );
}

// What a rectangle says when the pointer is over it.
function captionOf(m, i) {
  const low = model.exactOffset(m, i),
    size = model.exactSize(m, i);
  const range = `${text.offset(low, m.base)} – ${text.offset(low + size, m.base)}`;
  return `${model.name(m, i)}\n${text.amount(size)}, lifetime ${text.cut(model.lifetimes(m, i), 200)}, offset ${range}`;
}

function vectorRect(scene, c, r) {
  const {m, view: v, paint} = scene,
    i = m.rectBuffer[r];
  const x0 = Math.max(v.left, view.xOf(v, m.rectStart[r])),
    x1 = Math.min(v.left + v.across, view.xOf(v, m.rectEnd[r]));
  const y0 = Math.max(v.top, view.yOf(v, m.rectHigh[r])),
    y1 = Math.min(v.top + v.down, view.yOf(v, m.rectLow[r]));
  const across = Math.max(0.25, x1 - x0),
    down = Math.max(0.25, y1 - y0),
    inset = across >= EDGE && down >= EDGE ? 0.5 : 0;
  const place = {x: x0 + inset, y: y0 + inset, width: across - 2 * inset, height: down - 2 * inset};
  const edge = inset > 0 ? hex(paint.edge[r]) : null,
    title = recorder.element('title', {}, recorder.escape(captionOf(m, i)));
  c.add(recorder.element('rect', {...place, fill: hex(paint.face[r]), stroke: edge}, title));
  const kind = paint.pattern ? paint.pattern[i] : 0;
  if (kind > 0 && across >= HATCHED && down >= HATCHED)
    c.add(
      recorder.element('rect', {
        ...place,
        fill: patternOf(c, kind, hex(paint.shade[r])),
        'pointer-events': 'none',
      }),
    );
}

function vectors(scene, c) {
  const {m, view: v} = scene,
    found = [];
  model.query(m, v, (r) => found.push(r));
  c.add('<g class="buffers">');
  for (const r of found) vectorRect(scene, c, r);
  c.add('</g>');
}

function raster(scene, c) {
  const {left: x, top: y, across: width, down: height} = scene.view;
  const href = pictureOf(scene).toDataURL();
  c.add(recorder.element('image', {x, y, width, height, href, preserveAspectRatio: 'none'}));
}

// A scene as SVG.
function sceneAsSvg(scene, k) {
  const c = recorder.make(`s${k}-`),
    canvas = recorder.canvasOf(c),
    copy = copyOf(scene, {grid: canvas, over: canvas});
  draw.grid(copy);
  if (scene.inView > MOST) raster(scene, c);
  else {
    vectors(copy, c);
    c.add('<g pointer-events="none">');
    labels.paint(copy, c);
    c.add('</g>');
  }
  c.add('<g pointer-events="none">');
  draw.over(copy);
  c.add('</g>');
  return c.group();
}

// Draws a scene on a context of pixels.
function sceneAsPixels(scene, c, x, y) {
  const {across, down} = scene.stage,
    v = scene.view;
  const grid = canvasWith(across, down),
    over = canvasWith(across, down),
    copy = copyOf(scene, {grid, over});
  draw.grid(copy);
  draw.over(copy);
  c.drawImage(grid, x, y, across, down);
  c.drawImage(pictureOf(scene), x + v.left, y + v.top, v.across, v.down);
  c.drawImage(over, x, y, across, down);
}

// ------------------------------------------------------------ title and legend

function titleOf({m}) {
  const state = collisions.isSound(m)
    ? `peak ${text.amount(m.peak)}, bound ${text.amount(m.bound)}`
    : `unsound: ${collisions.count(m)}`;
  return `${text.cut(m.name || 'Memory plan', 60)}: ${text.plural(m.count, 'buffer')}, ${state}`;
}

// The entries of the legend on the page: [words, class of the sign, its colours].
const entries = () =>
  [...byId('legend').querySelectorAll('li')].map((item) => {
    const sign = item.querySelector('i'),
      {color, backgroundColor} = getComputedStyle(sign);
    return {words: item.textContent.trim(), kind: sign.className, color, face: backgroundColor};
  });

const isClear = (colour) => /^(transparent|rgba\(.*, 0\))$/.test(colour);

function sign(c, {kind, color, face}, x, y) {
  const has = (word) => kind.split(' ').includes(word);
  c.strokeStyle = color;
  c.setLineDash(has('dashed') ? [4, 3] : []);
  c.lineWidth = has('thick') ? 3 : 2;
  if (has('line')) draw.line(c, x, y, x + 22, y);
  else if (has('box')) c.strokeRect(x + 1, y - 5, 14, 10);
  else {
    if (!isClear(face)) {
      c.fillStyle = face;
      c.fillRect(x, y - 6, 16, 12);
    }
    c.lineWidth = 1;
    if (has('falling') || has('clash'))
      for (const by of [0, 5, 10]) draw.line(c, x + by, y - 6, x + by + 6, y + 6);
    if (has('rising') || has('stripes') || has('clash'))
      for (const by of [0, 5, 10]) draw.line(c, x + by, y + 6, x + by + 6, y - 6);
    if (has('dots')) for (const by of [2, 7, 12]) c.strokeRect(x + by, y - 3, 1, 1);
    if (has('clash')) c.strokeRect(x, y - 6, 16, 12);
  }
  c.setLineDash([]);
}

// Draws title and legend above the scenes; returns the height that they take.
function head(app, c, across) {
  const {look} = app;
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.fillStyle = look.ink;
  c.font = look.strong.replace(/[\d.]+px/, '15px');
  c.fillText(titleOf(app), MARGIN, 22, across - 2 * MARGIN);
  c.font = look.small.replace(/[\d.]+px/, '12px');
  let x = MARGIN,
    y = 48;
  for (const entry of entries()) {
    const room = 26 + c.measureText(entry.words).width;
    if (x > MARGIN && x + room > across - MARGIN) [x, y] = [MARGIN, y + ROW];
    sign(c, entry, x, y);
    c.fillStyle = look.muted;
    c.fillText(entry.words, x + 26, y);
    x += room + 16;
  }
  return y + ROW;
}

// ------------------------------------------------------------ files

const acrossOf = ({scenes}) => scenes.reduce((sum, {stage}) => sum + stage.across, 0);
const downOf = ({scenes}) => Math.max(...scenes.map(({stage}) => stage.down));

// Calls act(scene, x, number) for each scene, from the left.
function eachScene({scenes}, act) {
  let x = 0;
  scenes.forEach((scene, k) => {
    act(scene, x, k);
    x += scene.stage.across;
  });
}

function svg(app) {
  const across = acrossOf(app),
    c = recorder.make('t-'),
    top = head(app, c, across),
    down = top + downOf(app) + MARGIN,
    groups = [];
  eachScene(app, (scene, x, k) =>
    groups.push(`<g transform="translate(${x} ${top})">\n${sceneAsSvg(scene, k)}\n</g>`),
  );
  const size = {width: across, height: down, viewBox: `0 0 ${across} ${down}`};
  const ground = recorder.element('rect', {
    width: across,
    height: down,
    fill: colour.css('--page'),
  });
  const title = recorder.element('title', {}, recorder.escape(titleOf(app)));
  return `${recorder.element('svg', {xmlns: 'http://www.w3.org/2000/svg', ...size}, `\n${title}\n${ground}\n${c.group()}\n${groups.join('\n')}\n`)}\n`;
}

export function png(app) {
  const across = acrossOf(app),
    canvas = document.createElement('canvas'),
    c = canvas.getContext('2d');
  const top = head(app, recorder.make(''), across); // measures
  canvas.width = across * RATIO;
  canvas.height = (top + downOf(app) + MARGIN) * RATIO;
  c.scale(RATIO, RATIO);
  c.fillStyle = colour.css('--page');
  c.fillRect(0, 0, canvas.width, canvas.height);
  head(app, c, across);
  eachScene(app, (scene, x) => sceneAsPixels(scene, c, x, top));
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

// "layers.json" makes "layers.svg".
export function fileName({name}, type) {
  const stem = name
    .replace(/^.*[/\\]/, '')
    .replace(/\.(csv|json|tflite|onnx|ops|dot|txt|html|mlir|gz)$/i, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(0, 80);
  return `${/[\p{L}\p{N}]/u.test(stem) ? stem : 'plan'}.${type}`;
}

function download(blob, name) {
  const url = URL.createObjectURL(blob);
  parts.make('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function as(app, type) {
  const blob = type === 'svg' ? new Blob([svg(app)], {type: 'image/svg+xml'}) : await png(app);
  const name = fileName(app.own, type);
  byId('save').open = false;
  byId('save').querySelector('summary').focus();
  if (blob) download(blob, name);
  app.announce(blob ? `Saved as ${name}` : 'This view is too large for a PNG');
}

export function listen(app) {
  const menu = byId('save');
  byId('save-svg').addEventListener('click', () => as(app, 'svg'));
  byId('save-png').addEventListener('click', () => as(app, 'png'));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  document.addEventListener('pointerdown', ({target}) => {
    if (!menu.contains(target)) menu.open = false;
  });
}
