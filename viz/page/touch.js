// Touch on the drawing.  While all bytes are in view, one finger scrolls the page up and down.
// Zoomed in, it moves the drawing; at the edge of the drawing, it scrolls the page on.  Two fingers
// zoom, a second tap zooms to a buffer, and a long press shows the tooltip.
const LONG = 450, // ms until a press is a long one
  SECOND = 320, // ms within which a second tap follows
  NEAR = 30; // pixels between two taps
let waiting = 0,
  last = {time: -Infinity, x: 0, y: 0},
  pressed = false;

export const isTouch = (event) => event.pointerType === 'touch';

// Leaves to the browser the movements of one finger that are not needed here.
export function refresh(scene) {
  const all = view.whole(scene.m),
    v = scene.view,
    isTall = v.y1 - v.y0 >= (all.y1 - all.y0) * (1 - 1e-9);
  const wanted = isTall ? 'pan-y' : 'none';
  if (scene.stage.box.style.touchAction !== wanted) scene.stage.box.style.touchAction = wanted;
}

// Begins to wait for a long press, which calls act().
export function press(event, act) {
  pressed = false;
  clearTimeout(waiting);
  if (!isTouch(event)) return;
  waiting = setTimeout(() => {
    pressed = true;
    act();
  }, LONG);
}

// Whether the press has become a long one.
export const isLong = () => pressed;

export const release = () => clearTimeout(waiting);

// Whether this tap is the second of two at one place.
export function isSecond(event) {
  const {timeStamp: time, clientX: x, clientY: y} = event;
  const second =
    isTouch(event) && time - last.time < SECOND && Math.hypot(x - last.x, y - last.y) < NEAR;
  last = {time: second || !isTouch(event) ? -Infinity : time, x, y};
  return second;
}

// Moves the view with a finger, up and down only as far as the edge of the plan; beyond it, the
// page scrolls.
export function pan(scene, dx, dy) {
  const v = scene.view,
    all = view.whole(scene.m),
    pixels = (bytes) => (bytes / (v.y1 - v.y0)) * v.down;
  const most = dy < 0 ? Math.min(0, pixels(all.y0 - v.y0)) : Math.max(0, pixels(all.y1 - v.y1)),
    moved = dy < 0 ? Math.max(dy, most) : Math.min(dy, most);
  view.pan(scene, dx, moved);
  if (moved !== dy) window.scrollBy(0, moved - dy);
}

// A long press must not turn into scrolling, nor open the browser's menu.
export function listen(box) {
  box.addEventListener(
    'touchmove',
    (event) => pressed && event.cancelable && event.preventDefault(),
    {passive: false},
  );
  box.addEventListener('contextmenu', (event) => pressed && event.preventDefault());
}
