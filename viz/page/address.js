// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the page in its address, "#tab=peak&colour=size&view=0,8,0,1024", so that a link
// shows what its sender sees.  A module that has state registers a field in listen() and calls
// changed() after a change.  Only fields that differ from the default are in the address.
// The history of the browser does not grow: the entry is replaced.
const PAUSE = 250, // ms between two writes: browsers refuse hundreds within seconds
  LONGEST = 1500; // characters of one field: longer ones stay out, so that links can be passed on
const fields = new Map();
let started = false,
  timer = 0,
  shown = ''; // the address as this module last wrote or read it

// Registers a field.  get() returns its text, or null if it has its default.  set(text) takes text
// that somebody may have typed, and ignores nonsense; set(null) restores the default.  Fields are
// set in the order of `turn`: -1 for those that change the plan on screen, 0, then 1 for those that
// refer to it (selection, view).
export function field(key, {get, set, turn = 0}) {
  fields.set(key, {get, set, turn});
}

// Like encodeURIComponent, but keeps characters that are safe after '#' readable.
const encode = (words) =>
  encodeURIComponent(words.isWellFormed?.() === false ? words.toWellFormed() : words).replace(
    /%(2C|2F|3A|3B|40|24)/g,
    decodeURIComponent,
  );

function compose() {
  const list = [];
  for (const [key, {get}] of fields) {
    const words = get(),
      pair = words ? `${key}=${encode(words)}` : '';
    if (pair && pair.length <= LONGEST + key.length + 1) list.push(pair);
  }
  return list.join('&');
}

// The pairs of an address, without those that cannot be decoded.
function parse(hash) {
  const found = new Map();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    try {
      found.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)));
    } catch {
      // a '%' that begins no character
    }
  }
  return found;
}

// Replaces the address.  A page in a sandbox may not do that, and works without.
function write() {
  timer = 0;
  const words = compose();
  if (words === shown) return;
  shown = words;
  try {
    history.replaceState(null, '', location.href.split('#')[0] + (words ? `#${words}` : ''));
  } catch {
    started = false;
  }
}

export function changed() {
  if (started) timer ||= setTimeout(write, PAUSE);
}

// Sets the fields that are in the address, and restores all others.
function apply() {
  const found = parse(location.hash);
  const list = [...fields].sort(([, a], [, b]) => a.turn - b.turn);
  for (const [key, {get, set}] of list) {
    const words = found.get(key) ?? null;
    if (words === null && get() === null) continue;
    try {
      set(words);
    } catch {
      // not from this page, or edited by hand: the rest still applies
    }
  }
}

// ------------------------------------------------------------ the state of the page itself

const usual = {}; // the state in which the page opens

const NAME_MOST = 200; // a buffer with a longer name is given by its number, as "#12"

function nameOf(m, i) {
  const name = model.name(m, i);
  return name.length > NAME_MOST || name.startsWith('#') ? `#${i}` : name;
}

function numberOf(m, words) {
  const i = /^#\d+$/.test(words) ? Number(words.slice(1)) : model.find(m, words);
  return i !== undefined && i < m.count ? i : null;
}

// Writes as many digits as keep the view within a thousandth of a pixel.
function viewText({x0, x1, y0, y1, across, down}) {
  const digits = (span, pixels) =>
    Math.max(0, Math.min(20, Math.ceil(3 - Math.log10(span / pixels))));
  const dx = digits(x1 - x0, across),
    dy = digits(y1 - y0, down);
  return [x0.toFixed(dx), x1.toFixed(dx), y0.toFixed(dy), y1.toFixed(dy)].map(Number).join();
}

function setView(app, words) {
  if (words === null) return view.fit(app, false);
  const [x0, x1, y0, y1, ...more] = words.split(',').map((part) => (part ? Number(part) : NaN));
  const good = [x0, x1, y0, y1].every(Number.isFinite) && x0 < x1 && y0 < y1;
  if (good && more.length === 0) view.go(app, {x0, x1, y0, y1});
  return undefined;
}

// Registers a field whose value is one of the choices of a <select>.
const choice = (key, id, now, set) =>
  field(key, {
    get: () => (now() === usual[key] ? null : now()),
    set: (words) => {
      const wanted = words ?? usual[key];
      if ([...parts.byId(id).options].some(({value}) => value === wanted)) set(wanted);
    },
  });

export function listen(app) {
  choice('colour', 'colour-by', () => app.colourBy, app.setColour);
  choice('critical', 'critical', () => app.critical, app.setCritical);
  field('select', {
    get: () => (app.selected === null ? null : nameOf(app.m, app.selected)),
    set: (words) => app.select(words === null ? null : numberOf(app.m, words)),
    turn: 1,
  });
  field('time', {
    get: () => (app.cursor === null ? null : String(app.cursor)),
    set: (words) => {
      const t = words === null ? null : words.trim() ? Number(words) : NaN;
      if (t === null || (t >= app.m.from && t <= app.m.to)) app.setCursor(t, {quiet: true});
    },
    turn: 1,
  });
  field('tab', {
    get: () => (panel.current() === usual.tab ? null : panel.current()),
    set: (words) => {
      const tab = parts.byId(`tab-${words ?? usual.tab}`);
      if (tab?.role === 'tab' && !tab.hidden) panel.open(words ?? usual.tab);
    },
    turn: 2,
  });
  field('view', {
    get: () => (view.isWhole(app) ? null : viewText(app.view)),
    set: (words) => setView(app, words),
    turn: 2,
  });
}

// Takes over the state in the address, once all fields are registered and the plan is shown.
export function start(app) {
  Object.assign(usual, {colour: app.colourBy, critical: app.critical, tab: panel.current()});
  if (location.hash.length > 1) apply();
  started = true;
  shown = location.hash.slice(1);
  addEventListener('hashchange', () => {
    clearTimeout(timer);
    timer = 0;
    shown = location.hash.slice(1);
    apply();
    changed();
  });
  changed();
}
