// SPDX-License-Identifier: GPL-3.0-or-later
// Draws rectangles into pixels directly.  Edges are rounded, so neighbours meet without seams,
// and every pixel is written about once, however many rectangles there are.  A rectangle less
// than a pixel high fills a pixel if its edges lie on both sides of the pixel's middle; otherwise
// it only gives empty pixels a faint colour.  So crowds of tiny rectangles show their density.
const EDGE = 5; // pixels: from this size on, a rectangle gets an edge all around
const SEAM = 3; // pixels: from this size on, an edge on the left and at the top
const FAINTEST = 0.22; // opacity of the smallest rectangle
const HATCHED = 8; // pixels: from this size on, a rectangle shows its pattern

// The inked pixels of each pattern: a second cue beside the colour.  There is one pattern per class
// of risk; the higher the risk, the denser the pattern.
const PATTERNS = [
  () => false,
  (x, y) => (x & 7) < 2 && (y & 7) < 2,
  (x, y) => ((x + y) & 7) === 0,
  (x, y) => (x - y + 100000) % 5 === 0,
];

function hatch(pixels, across, x0, y0, x1, y1, shade, inked) {
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) if (inked(x, y)) pixels[y * across + x] = shade;
}

// The bits of `inside` mark the edges in view: 1 left, 2 right, 4 top, 8 bottom.
function fill(pixels, across, x0, y0, x1, y1, face, edge, inside) {
  const framed = x1 - x0 >= EDGE && y1 - y0 >= EDGE,
    narrow = x1 - x0 < 12;
  for (let y = y0; y < y1; y++) {
    const row = y * across;
    if (narrow) for (let at = row + x0, stop = row + x1; at < stop; at++) pixels[at] = face;
    else pixels.fill(face, row + x0, row + x1);
    if (framed) {
      if (inside & 1) pixels[row + x0] = edge;
      if (inside & 2) pixels[row + x1 - 1] = edge;
    }
  }
  if (inside & 4 && y1 - y0 >= SEAM) pixels.fill(edge, y0 * across + x0, y0 * across + x1);
  if (framed && inside & 8) pixels.fill(edge, (y1 - 1) * across + x0, (y1 - 1) * across + x1);
  if (!framed && inside & 1 && x1 - x0 >= SEAM)
    for (let y = y0; y < y1; y++) pixels[y * across + x0] = edge;
}

const clip = (value, most) => (value <= 0 ? 0 : value >= most ? most : (value + 0.5) | 0);

function faintOf(face, across, down) {
  const share = Math.min(1, across) * Math.min(1, down);
  return ((face & 0xffffff) | ((255 * (share > FAINTEST ? share : FAINTEST)) << 24)) >>> 0;
}

// Draws a rectangle of less than a pixel in one or both directions: fainter, and only in empty
// pixels.
function thin(pixels, across, left, top, right, bottom, face) {
  const x = left <= 0 ? 0 : (left + 0.5) | 0,
    stopX = Math.min(across, Math.max(x + 1, (right + 0.5) | 0));
  const down = pixels.length / across,
    y = top <= 0 ? 0 : top | 0;
  const stopY = Math.min(down, Math.max(y + 1, (bottom + 0.5) | 0));
  let faint = 0; // computed at the first empty pixel; most rectangles meet none
  for (let row = y * across; row < stopY * across; row += across)
    for (let at = row + x, stop = row + stopX; at < stop; at++)
      if (pixels[at] === 0) pixels[at] = faint ||= faintOf(face, right - left, bottom - top);
}

// Draws a box of model `m` into `pixels`, across by down.  Returns how many rectangles are in view.
// Draws only each `stride`-th of the rectangles that last less than a pixel: crowds of them look
// alike then, but the count is an estimate.
export function paint(m, box, pixels, across, down, {face, edge, shade, pattern}, stride = 1) {
  const {blocks, rectStart, rectEnd, rectLow, rectHigh, rectCount} = m,
    {x0, x1, y0, y1} = box;
  const sx = across / (x1 - x0),
    sy = down / (y1 - y0);
  let count = 0;
  pixels.fill(0);
  for (let b = 0; b < blocks.count; b++) {
    if (blocks.to[b] <= x0 || blocks.from[b] >= x1 || blocks.high[b] < y0 || blocks.low[b] > y1)
      continue;
    const stop = Math.min(rectCount, (b + 1) * model.BLOCK),
      step = blocks.longest[b] * sx < 1 ? stride : 1;
    for (let r = b * model.BLOCK; r < stop; r += step) {
      const low = rectLow[r],
        high = rectHigh[r];
      if (low < 0 || rectEnd[r] <= x0 || rectStart[r] >= x1 || high <= y0 || low >= y1) continue;
      count += step;
      const left = (rectStart[r] - x0) * sx,
        right = (rectEnd[r] - x0) * sx;
      const top = (y1 - high) * sy,
        bottom = (y1 - low) * sy;
      const l = clip(left, across),
        t = clip(top, down),
        w = clip(right, across),
        h = clip(bottom, down);
      if (l < w && t < h) {
        const inside =
          (left >= 0) | ((right <= across) << 1) | ((top >= 0) << 2) | ((bottom <= down) << 3);
        fill(pixels, across, l, t, w, h, face[r], edge[r], inside);
        const kind = pattern ? pattern[m.rectBuffer[r]] : 0;
        if (kind > 0 && w - l >= HATCHED && h - t >= HATCHED)
          hatch(pixels, across, l + 1, t + 1, w - 1, h - 1, shade[r], PATTERNS[kind]);
      } else thin(pixels, across, left, top, right, bottom, face[r]);
    }
  }
  return count;
}

// ------------------------------------------------------------ the level of detail

// If drawing all rectangles takes too long for a smooth motion, the frames of a motion show only
// some of the tiniest; the others follow when the motion ends.
const FRAME = 20, // ms for the rectangles
  REST = 140, // ms without a frame: the motion has ended
  FROM = 200000, // rectangles, at least
  STRIDE_MOST = 8;

// The stride of this frame: each `stride`-th of the tiniest rectangles is drawn.
export function stride({m, stage}) {
  stage.started = performance.now();
  if (m.rectCount < FROM || stage.whole || !(stage.cost > FRAME)) return 1;
  return Math.min(STRIDE_MOST, Math.ceil(stage.cost / FRAME));
}

// Call it after drawing with that stride.
export function drawn(app, used) {
  const {stage} = app;
  stage.cost = (performance.now() - stage.started) * used;
  stage.whole = false;
  clearTimeout(stage.rest);
  if (used > 1) stage.rest = setTimeout(() => refine(app), REST);
}

function refine(app) {
  app.stage.whole = true;
  app.redraw();
}
