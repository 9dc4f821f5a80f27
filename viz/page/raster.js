// SPDX-License-Identifier: GPL-3.0-or-later
// Rectangles into pixels, by hand: edges are rounded, so that neighbours meet without seams, and
// every pixel is written about once, whatever the number of rectangles.  Of those lower than a
// pixel, as many as their heights add up to have an edge to either side of a pixel's middle and
// fill it; the others only tint what is empty.  So crowds of them become a picture of their
// density.
const raster = (() => {
  const EDGE = 5; // pixels across from which on a rectangle has edges all around
  const SEAM = 3; // and from which on one towards its neighbours at the left and above
  const FAINTEST = 0.22; // how much the smallest rectangle tints

  // `inside` says which edges are in view: 1 left, 2 right, 4 top, 8 bottom.
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

  // Less than a pixel in one direction, or in both: fainter, and only where nothing is yet.
  function thin(pixels, across, left, top, right, bottom, face) {
    const share = Math.min(1, right - left) * Math.min(1, bottom - top);
    const faint = (face & 0xffffff) | ((255 * (share > FAINTEST ? share : FAINTEST)) << 24);
    const x = left <= 0 ? 0 : (left + 0.5) | 0,
      stopX = Math.min(across, Math.max(x + 1, (right + 0.5) | 0));
    const down = pixels.length / across,
      y = top <= 0 ? 0 : top | 0;
    const stopY = Math.min(down, Math.max(y + 1, (bottom + 0.5) | 0));
    for (let row = y * across; row < stopY * across; row += across)
      for (let at = row + x, stop = row + stopX; at < stop; at++)
        if (pixels[at] === 0) pixels[at] = faint;
  }

  // Draws the box of model `m` into `pixels`, across by down; returns how many rectangles were in
  // view.
  function paint(m, box, pixels, across, down, {face, edge}) {
    const {blocks, rectStart, rectEnd, rectLow, rectHigh, rectCount} = m,
      {x0, x1, y0, y1} = box;
    const sx = across / (x1 - x0),
      sy = down / (y1 - y0);
    let count = 0;
    pixels.fill(0);
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.to[b] <= x0 || blocks.from[b] >= x1 || blocks.high[b] < y0 || blocks.low[b] > y1)
        continue;
      const stop = Math.min(rectCount, (b + 1) * model.BLOCK);
      for (let r = b * model.BLOCK; r < stop; r++) {
        const low = rectLow[r],
          high = rectHigh[r];
        if (low < 0 || rectEnd[r] <= x0 || rectStart[r] >= x1 || high <= y0 || low >= y1) continue;
        count++;
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
        } else thin(pixels, across, left, top, right, bottom, face[r]);
      }
    }
    return count;
  }

  return {paint};
})();
