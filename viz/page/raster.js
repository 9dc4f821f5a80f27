// SPDX-License-Identifier: GPL-3.0-or-later
// Draws rectangles into pixels directly.  Edges are rounded, so neighbours meet without seams,
// and every pixel is written about once, however many rectangles there are.  A rectangle less
// than a pixel high fills a pixel if its edges lie on both sides of the pixel's middle; otherwise
// it only gives empty pixels a faint colour.  So crowds of tiny rectangles show their density.
const EDGE = 5; // pixels: from this size on, a rectangle gets an edge all around
const SEAM = 3; // pixels: from this size on, an edge on the left and at the top
const FAINTEST = 0.22; // opacity of the smallest rectangle
const HATCHED = 8; // pixels: from this size on, a rectangle shows its pattern

// Which pixels of a pattern are inked: a second cue beside the colour.  There is one pattern
// for each class of risk; the higher the risk, the denser the pattern.
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

// A rectangle of less than a pixel in one or both directions: fainter, and only in empty
// pixels.
function thin(pixels, across, left, top, right, bottom, face) {
  const x = left <= 0 ? 0 : (left + 0.5) | 0,
    stopX = Math.min(across, Math.max(x + 1, (right + 0.5) | 0));
  const down = pixels.length / across,
    y = top <= 0 ? 0 : top | 0;
  const stopY = Math.min(down, Math.max(y + 1, (bottom + 0.5) | 0));
  let faint = 0; // computed for the first empty pixel, which most have not
  for (let row = y * across; row < stopY * across; row += across)
    for (let at = row + x, stop = row + stopX; at < stop; at++)
      if (pixels[at] === 0) pixels[at] = faint ||= faintOf(face, right - left, bottom - top);
}

// Draws a box of model `m` into `pixels`, across by down.  Returns how many rectangles are in
// view.  Of rectangles that last less than a pixel, only each `stride`-th is drawn: crowds of them
// look alike then, but the count is an estimate.
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

// ------------------------------------------------------------ outlines

const DASH = 8,
  INKED = 5; // pixels: the length of a dash with its gap, and without

function edge({list, across, dashed}, x, y, dx, dy, length, ink) {
  for (let k = 0; k < length; k++)
    if (!dashed || (dx * x + dy * y + k) % DASH < INKED)
      list[(y + dy * k) * across + x + dx * k] = ink;
}

// Edges of a box in pixels, as far as they are in view.
function frame(image, {left, top, right, bottom}, ink) {
  const {across, down, thick} = image,
    l = clip(left, across),
    r = clip(right, across),
    t = clip(top, down),
    b = clip(bottom, down);
  for (let k = 0; k < thick; k++) {
    if (top >= 0 && t + k < down) edge(image, l, t + k, 1, 0, r - l, ink);
    if (bottom <= down && b - k > 0) edge(image, l, b - 1 - k, 1, 0, r - l, ink);
    if (left >= 0 && l + k < across) edge(image, l + k, t, 0, 1, b - t, ink);
    if (right <= across && r - k > 0) edge(image, r - 1 - k, t, 0, 1, b - t, ink);
  }
}

// Draws the outlines of the rectangles in a box of model `m` into image.list, or dashes if
// image.dashed.  Each kind of buffer has an ink in `line`, 0 for none, and one in `fill`.
export function outlines(m, box, image, {line, fill, kinds}) {
  const {list, across, down} = image,
    sx = across / (box.x1 - box.x0),
    sy = down / (box.y1 - box.y0);
  model.query(m, box, (r) => {
    const kind = kinds[m.rectBuffer[r]];
    if (line[kind] === 0) return;
    const left = (m.rectStart[r] - box.x0) * sx,
      right = (m.rectEnd[r] - box.x0) * sx,
      top = (box.y1 - m.rectHigh[r]) * sy,
      bottom = (box.y1 - m.rectLow[r]) * sy;
    if (fill[kind] !== 0)
      for (let y = clip(top, down); y < clip(bottom, down); y++)
        list.fill(fill[kind], y * across + clip(left, across), y * across + clip(right, across));
    frame(image, {left, top, right, bottom}, line[kind]);
  });
}
