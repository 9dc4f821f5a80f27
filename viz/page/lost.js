// SPDX-License-Identifier: GPL-3.0-or-later
// When no rectangle is in view: a quiet message, and the ways back.
// The rectangle nearest to the middle of the view, in screens; -1 if no buffer is placed.
function nearest({m, view: v}) {
  const t = (v.x0 + v.x1) / 2,
    o = (v.y0 + v.y1) / 2;
  let best = -1,
    least = Infinity;
  for (let r = 0; r < m.rectCount; r++) {
    if (m.rectLow[r] < 0) continue;
    const offX = Math.max(0, m.rectStart[r] - t, t - m.rectEnd[r]) / (v.x1 - v.x0),
      offY = Math.max(0, m.rectLow[r] - o, o - m.rectHigh[r]) / (v.y1 - v.y0);
    if (offX + offY >= least) continue;
    least = offX + offY;
    best = r;
  }
  return best;
}

// Moves the nearest part of the nearest rectangle to the middle.
function back(scene) {
  const {m, view: v} = scene,
    r = nearest(scene);
  if (r < 0) return view.fit(scene);
  const around = (a, b, low, high) => {
    const half = (b - a) / 2,
      at = Math.max(low, Math.min(high, a + half));
    return [at - half, at + half];
  };
  const [x0, x1] = around(v.x0, v.x1, m.rectStart[r], m.rectEnd[r]),
    [y0, y1] = around(v.y0, v.y1, m.rectLow[r], m.rectHigh[r]);
  return view.go(scene, {x0, x1, y0, y1}, true);
}

export function refresh(scene) {
  const node = scene.stage.box.querySelector('.lost'),
    isLost = scene.inView === 0 && scene.m.count > 0 && !view.isWhole(scene);
  if (node.hidden !== isLost) return;
  node.hidden = !isLost;
  if (isLost) scene.announce('No buffer in view');
}

export function onScene(scene) {
  const node = scene.stage.box.querySelector('.lost');
  for (const type of ['pointerdown', 'dblclick', 'click'])
    node.addEventListener(type, (event) => event.stopPropagation());
  for (const [way, act] of Object.entries({nearest: back, whole: view.fit}))
    node.querySelector(`.${way}`).addEventListener('click', () => {
      act(scene);
      scene.stage.box.focus();
    });
}
