// SPDX-License-Identifier: GPL-3.0-or-later
// The views that were shown before, to go back to and forward again.  A movement that pauses for less
// than REST is one step.
const REST = 600, // ms
  MOST = 100;
let back = [],
  forward = [],
  moved = -Infinity,
  isGoing = false;

const same = (a, b) => ['x0', 'x1', 'y0', 'y1'].every((key) => a[key] === b[key]);

// Call this before the view changes from one box to another.
export function note(from, to) {
  if (isGoing || same(from, to)) return;
  const now = performance.now();
  if (now - moved > REST) {
    back = [...back.slice(1 - MOST), from];
    forward = [];
  }
  moved = now;
}

// Back by one view (-1), or forward (1).  Returns whether there was one.
export function go(app, by) {
  const [from, to] = by < 0 ? [back, forward] : [forward, back];
  const box = from.pop();
  if (!box) {
    app.announce(by < 0 ? 'No earlier view' : 'No later view');
    return false;
  }
  to.push(view.target(app));
  isGoing = true;
  view.go(app, box, true);
  isGoing = false;
  moved = -Infinity;
  return true;
}
