// SPDX-License-Identifier: GPL-3.0-or-later
// The level of detail.  If a drawing of all rectangles takes too long for a smooth motion, the
// frames of a motion have only some of the tiniest, and the rest follow when it ends.
const FRAME = 20, // ms for the rectangles
  REST = 140, // ms without a frame: the motion has ended
  FROM = 200000, // rectangles
  STRIDE_MOST = 8;

// Of the tiniest rectangles, each `stride`-th is drawn in this frame.
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
