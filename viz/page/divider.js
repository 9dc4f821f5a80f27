// The divider between the layout and the panel, which is dragged, or moved with the arrow keys. A
// button closes and opens the panel.
const {byId} = parts;
const LEAST = 280,
  LEFT_LEAST = 320, // pixels of the layout
  STEP = 24;
let chosen = null, // pixels across the panel; null: as the style sheet has it
  isClosed = false;

const panelBox = () => document.querySelector('.panel');
const most = () => Math.max(LEAST, document.querySelector('.main').clientWidth - LEFT_LEAST);

function describe() {
  const bar = byId('divider');
  bar.setAttribute('aria-valuemin', LEAST);
  bar.setAttribute('aria-valuemax', most());
  bar.setAttribute('aria-valuenow', Math.round(panelBox().getBoundingClientRect().width));
}

function set(across) {
  chosen = across === null ? null : Math.round(Math.max(LEAST, Math.min(most(), across)));
  const {style} = document.querySelector('.main');
  if (chosen === null) style.removeProperty('--across');
  else style.setProperty('--across', `${chosen}px`);
  describe();
}

function close(on) {
  isClosed = on;
  document.querySelector('.main').classList.toggle('closed', on);
  byId('panel-toggle').setAttribute('aria-expanded', String(!on));
}

function onKey(event, changed) {
  const now = panelBox().getBoundingClientRect().width;
  const to = {ArrowLeft: now + STEP, ArrowRight: now - STEP, Home: LEAST, End: most(), Enter: null}[
    event.key
  ];
  if (to === undefined) return;
  set(to);
  changed();
  event.preventDefault();
  event.stopPropagation();
}

export function listen() {
  const bar = byId('divider'),
    changed = address.changed;
  address.field('panel', {
    get: () => (isClosed ? 'closed' : chosen === null ? null : String(chosen)),
    set: (words) => {
      close(words === 'closed');
      set(Number(words) || null);
    },
  });
  byId('panel-toggle').addEventListener('click', () => (close(!isClosed), changed()));
  bar.addEventListener('keydown', (event) => onKey(event, changed));
  bar.addEventListener('dblclick', () => (set(null), changed()));
  bar.addEventListener('pointerdown', (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
    bar.focus();
  });
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    set(panelBox().getBoundingClientRect().right - event.clientX);
    changed();
  });
  addEventListener('resize', () => set(chosen));
  describe();
  close(false);
}
