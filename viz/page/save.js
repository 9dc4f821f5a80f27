// SPDX-License-Identifier: GPL-3.0-or-later
// Saves what is in view as PNG: the layout with its axes, levels and marks below a title and the
// legend.  neap draw writes an SVG.
const {byId} = parts;
const RATIO = 2, // pixels for each of the page
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

// Draws a scene on a context of pixels.
function sceneAsPixels(scene, c, x, y) {
  const {across, down} = scene.stage,
    v = scene.view;
  const [grid, over] = [canvasWith(across, down), canvasWith(across, down)],
    rects = canvasWith(v.across, v.down),
    copy = copyOf(scene, {grid, rects, over});
  draw.grid(copy);
  draw.rects(copy);
  draw.over(copy);
  c.drawImage(grid, x, y, across, down);
  c.drawImage(rects, x + v.left, y + v.top, v.across, v.down);
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
  draw.pen(c, color, has('thick') ? 3 : 2, has('dashed') ? [4, 3] : []);
  if (has('line')) draw.line(c, x, y, x + 22, y);
  else if (has('box')) c.strokeRect(x + 1, y - 5, 14, 10);
  else {
    if (!isClear(face)) {
      c.fillStyle = face;
      c.fillRect(x, y - 6, 16, 12);
    }
    draw.pen(c, color);
    if (has('falling') || has('clash'))
      for (const by of [0, 5, 10]) draw.line(c, x + by, y - 6, x + by + 6, y + 6);
    if (has('rising') || has('stripes') || has('clash'))
      for (const by of [0, 5, 10]) draw.line(c, x + by, y + 6, x + by + 6, y - 6);
    if (has('dots')) for (const by of [2, 7, 12]) c.strokeRect(x + by, y - 3, 1, 1);
    if (has('clash')) c.strokeRect(x, y - 6, 16, 12);
  }
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

export function png(app) {
  const across = acrossOf(app),
    canvas = document.createElement('canvas'),
    c = canvas.getContext('2d'),
    top = head(app, c, across); // measures, because the size clears the canvas
  canvas.width = across * RATIO;
  canvas.height = (top + downOf(app) + MARGIN) * RATIO;
  c.scale(RATIO, RATIO);
  c.fillStyle = colour.css('--page');
  c.fillRect(0, 0, canvas.width, canvas.height);
  head(app, c, across);
  app.scenes.reduce((x, scene) => {
    sceneAsPixels(scene, c, x, top);
    return x + scene.stage.across;
  }, 0);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

// "layers.json" makes "layers.png".
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

async function save(app) {
  const blob = await png(app),
    name = fileName(app.own, 'png');
  if (blob) download(blob, name);
  app.announce(blob ? `Saved as ${name}` : 'This view is too large for a PNG');
}

export function listen(app) {
  byId('save').addEventListener('click', () => save(app));
}
