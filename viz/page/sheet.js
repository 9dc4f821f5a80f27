// On a narrow screen, the panel is a sheet at the bottom, at one of three heights.  Drag its
// handle, press it for the next height, or move it with the arrow keys.
const {byId} = parts;
const HEIGHTS = ['peek', 'third', 'full'],
  SLACK = 6; // pixels: moving further is a drag
const narrow = matchMedia('(max-width: 700px)');
let at = 'peek',
  drag = null;

const panelBox = () => document.querySelector('.panel');

function set(height) {
  at = height;
  document.documentElement.dataset.sheet = at;
  panelBox().style.height = '';
  const handle = byId('sheet-handle');
  handle.setAttribute('aria-expanded', String(at !== 'peek'));
  handle.setAttribute('aria-label', `Details, height: ${at}`);
}

function step(by) {
  const k = HEIGHTS.indexOf(at) + by;
  set(HEIGHTS[Math.max(0, Math.min(HEIGHTS.length - 1, k))]);
}

const next = () => set(HEIGHTS[(HEIGHTS.indexOf(at) + 1) % HEIGHTS.length]);

// Shows at least the heading of the tapped buffer; lowers a sheet of full height to make room for
// the drawing.
export function peek() {
  if (!narrow.matches) return;
  panel.open('tensor');
  if (at === 'full') set('peek');
}

// The height nearest to `pixels`.
function settle(pixels) {
  const sizes = {peek: 150, third: innerHeight / 3, full: innerHeight * 0.92},
    off = (height) => Math.abs(sizes[height] - pixels);
  set(HEIGHTS.reduce((best, height) => (off(height) < off(best) ? height : best)));
}

function down(event) {
  event.currentTarget.setPointerCapture(event.pointerId);
  const {height} = panelBox().getBoundingClientRect();
  drag = {y: event.clientY, height, moved: false};
}

function move(event) {
  if (!drag) return;
  const by = drag.y - event.clientY;
  drag.moved ||= Math.abs(by) > SLACK;
  if (!drag.moved) return;
  panelBox().classList.add('dragged');
  panelBox().style.height = `${Math.max(60, Math.min(innerHeight * 0.92, drag.height + by))}px`;
}

function up(event) {
  if (!drag) return;
  const {moved, height, y} = drag;
  panelBox().classList.remove('dragged');
  if (moved) settle(height + y - event.clientY);
  // The click that follows a drag changes nothing.
  drag = moved ? {done: true} : null;
  if (drag) setTimeout(() => (drag = null));
}

export function listen() {
  const handle = byId('sheet-handle');
  set('peek');
  handle.addEventListener('pointerdown', down);
  handle.addEventListener('pointermove', (event) => !drag?.done && move(event));
  for (const type of ['pointerup', 'pointercancel'])
    handle.addEventListener(type, (event) => !drag?.done && up(event));
  handle.addEventListener('click', () => drag?.done || next());
  handle.addEventListener('keydown', (event) => {
    const by = {ArrowUp: 1, ArrowDown: -1, Home: -2, End: 2}[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  // Users who move through the panel with the keyboard need to see it.
  panelBox().addEventListener('focusin', ({target}) => {
    if (
      narrow.matches &&
      at === 'peek' &&
      target.closest('section') &&
      target.matches(':focus-visible')
    )
      set('third');
  });
  // Opening a tab raises the sheet, so that the contents are visible.
  document.querySelector('.tabs').addEventListener('click', () => {
    if (narrow.matches && at === 'peek') set('third');
  });
}
