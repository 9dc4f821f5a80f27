// SPDX-License-Identifier: GPL-3.0-or-later
// Rectangles into pixels, by hand: edges are rounded, so that neighbours meet without seams, and every pixel is
// written about once, whatever the number of rectangles.  One that covers no whole pixel adds its share of colour to
// the pixel it lies in: crowds of them become a picture of their density.
const raster = (() => {
  const EDGE = 5;        // pixels across from which on a rectangle has an edge
  const FAINTEST = 0.22; // what the smallest rectangle adds

  function blend(pixels, at, face, share) {
    const under = pixels[at];
    if (under === 0) {
      pixels[at] = (face & 0xffffff) | (Math.round(255 * share) << 24);
      return;
    }
    const a = (under >>> 24) / 255, sum = a + share * (1 - a);
    let mixed = Math.round(255 * sum) << 24;
    for (let shift = 0; shift < 24; shift += 8) {
      const old = (under >>> shift) & 255, one = (face >>> shift) & 255;
      mixed |= Math.round((one * share + old * a * (1 - share)) / sum) << shift;
    }
    pixels[at] = mixed;
  }

  // `inside` says which edges are in view: 1 left, 2 right, 4 top, 8 bottom.
  function fill(pixels, across, x0, y0, x1, y1, face, edge, inside) {
    const framed = x1 - x0 >= EDGE && y1 - y0 >= EDGE, narrow = x1 - x0 < 12;
    for (let y = y0; y < y1; y++) {
      const row = y * across;
      if (narrow) for (let at = row + x0, stop = row + x1; at < stop; at++) pixels[at] = face;
      else pixels.fill(face, row + x0, row + x1);
      if (framed) {
        if (inside & 1) pixels[row + x0] = edge;
        if (inside & 2) pixels[row + x1 - 1] = edge;
      }
    }
    if (framed && inside & 4) pixels.fill(edge, y0 * across + x0, y0 * across + x1);
    if (framed && inside & 8) pixels.fill(edge, (y1 - 1) * across + x0, (y1 - 1) * across + x1);
  }

  const clip = (value, most) => (value < 0 ? 0 : value > most ? most : Math.round(value));

  // Draws the box of model `m` into `pixels`, across by down; returns how many rectangles were in view.
  function paint(m, box, pixels, across, down, {face, edge}) {
    const {blocks, rectStart, rectEnd, rectBuffer, shown, size, rectCount} = m, {x0, x1, y0, y1} = box;
    const sx = across / (x1 - x0), sy = down / (y1 - y0);
    let count = 0;
    pixels.fill(0);
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.to[b] <= x0 || blocks.from[b] >= x1 || blocks.high[b] < y0 || blocks.low[b] > y1) continue;
      const stop = Math.min(rectCount, (b + 1) * model.BLOCK);
      for (let r = b * model.BLOCK; r < stop; r++) {
        const i = rectBuffer[r], low = shown[i], high = low + size[i];
        if (low < 0 || rectEnd[r] <= x0 || rectStart[r] >= x1 || high <= y0 || low >= y1) continue;
        count++;
        const left = (rectStart[r] - x0) * sx, right = (rectEnd[r] - x0) * sx;
        const top = (y1 - high) * sy, bottom = (y1 - low) * sy;
        const l = clip(left, across), t = clip(top, down), w = clip(right, across), h = clip(bottom, down);
        if (l < w && t < h) {
          const inside = (left >= 0) | ((right <= across) << 1) | ((top >= 0) << 2) | ((bottom <= down) << 3);
          fill(pixels, across, l, t, w, h, face[i], edge[i], inside);
        } else thin(pixels, across, down, left, top, right, bottom, l, t, w, h, face[i]);
      }
    }
    return count;
  }

  // Less than a pixel in one direction, or in both.
  function thin(pixels, across, down, left, top, right, bottom, l, t, w, h, face) {
    const share = Math.max(FAINTEST, Math.min(1, right - left) * Math.min(1, bottom - top));
    const x = l < w ? l : Math.max(0, Math.min(across - 1, Math.floor(left)));
    const y = t < h ? t : Math.max(0, Math.min(down - 1, Math.floor(top)));
    const stopX = l < w ? w : x + 1, stopY = t < h ? h : y + 1;
    for (let row = y; row < stopY; row++)
      for (let column = x; column < stopX; column++) blend(pixels, row * across + column, face, share);
  }

  return {paint};
})();
