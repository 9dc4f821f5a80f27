// SPDX-License-Identifier: GPL-3.0-or-later
// What fingers do on the drawing.  As long as all bytes are in view, one finger scrolls the page up
// and down.  Zoomed in, it moves the drawing, and at the drawing's edge it scrolls the page on.  Two
// fingers zoom, a second tap zooms to a buffer, and a long press shows the tooltip.
const touch = (() => {
  const LONG = 450, // ms until a press is a long one
    SECOND = 320, // ms within which a second tap follows
    NEAR = 30; // pixels between two taps
  let waiting = 0,
    last = {time: -Infinity, x: 0, y: 0},
    isLong = false;

  const isTouch = (event) => event.pointerType === 'touch';

  // Leaves to the browser what one finger does not need here.
  function refresh(scene) {
    const all = view.whole(scene.m),
      v = scene.view,
      isTall = v.y1 - v.y0 >= (all.y1 - all.y0) * (1 - 1e-9);
    const wanted = isTall ? 'pan-y' : 'none';
    if (scene.stage.box.style.touchAction !== wanted) scene.stage.box.style.touchAction = wanted;
  }

  // Starts to wait for a long press, which calls act().
  function press(event, act) {
    isLong = false;
    clearTimeout(waiting);
    if (!isTouch(event)) return;
    waiting = setTimeout(() => {
      isLong = true;
      act();
    }, LONG);
  }

  const release = () => clearTimeout(waiting);

  // Whether this tap is the second of two at one place.
  function isSecond(event) {
    const {timeStamp: time, clientX: x, clientY: y} = event;
    const second =
      isTouch(event) && time - last.time < SECOND && Math.hypot(x - last.x, y - last.y) < NEAR;
    last = {time: second || !isTouch(event) ? -Infinity : time, x, y};
    return second;
  }

  // Moves the view with a finger, up and down no further than to the edge of the plan; the rest of
  // the way, the page scrolls.
  function pan(scene, dx, dy) {
    const v = scene.view,
      all = view.whole(scene.m),
      pixels = (bytes) => (bytes / (v.y1 - v.y0)) * v.down;
    const most = dy < 0 ? Math.min(0, pixels(all.y0 - v.y0)) : Math.max(0, pixels(all.y1 - v.y1)),
      moved = dy < 0 ? Math.max(dy, most) : Math.min(dy, most);
    view.pan(scene, dx, moved);
    if (moved !== dy) window.scrollBy(0, moved - dy);
  }

  // A long press must not turn into scrolling, nor open the browser's menu.
  function listen(box) {
    box.addEventListener(
      'touchmove',
      (event) => isLong && event.cancelable && event.preventDefault(),
      {passive: false},
    );
    box.addEventListener('contextmenu', (event) => isLong && event.preventDefault());
  }

  return {refresh, press, release, isSecond, isTouch, pan, listen, isLong: () => isLong};
})();
