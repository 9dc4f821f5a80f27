// SPDX-License-Identifier: GPL-3.0-or-later
// The plans of all engines for one problem, in a page made by neap compare --html: which two of
// them are compared.  The first plan is complete; the others are read when they are first shown.
const {byId, make} = parts;
let list = null; // [{engine, peak, gap_percent, seconds, reason, block, m}], the best first

// The blocks of plans follow the entries that have a peak.
export function begin(app) {
  const block = byId('engines');
  if (!block) return false;
  list = columns.decode(block.textContent).engines;
  list
    .filter(({peak}) => peak !== null)
    .forEach((entry, k) => {
      entry.block = byId(k === 0 ? 'plan' : k === 1 ? 'other' : `other-${k}`);
    });
  const found = planned();
  found[0].m = Object.assign(app.own, {label: found[0].engine});
  return true;
}

export const isOpen = () => list !== null;
const planned = () => list.filter(({block}) => block);

export function modelOf(entry) {
  entry.m ??= Object.assign(model.readLayout(planned()[0].m, entry.block), {label: entry.engine});
  return entry.m;
}

const entryOf = (m) => planned().find((entry) => entry.m === m);

// What the best plan is compared with at first: the best one with another peak.
export function rival() {
  const [best, ...others] = planned();
  return others.find(({peak}) => peak !== best.peak) ?? others[0];
}

// Makes an entry plan A or B; if it is the other one already, they change places.
function choose(app, side, entry) {
  const m = modelOf(entry),
    [a, b] = [app.own, app.other];
  if (side === 'A' && m !== a) compare.show(app, m, m === b ? a : b);
  if (side === 'B' && m !== b) compare.show(app, m === a ? b : a, m);
}

// The next or previous engine instead of plan B or, one at a time, of the one on screen.
export function step(app, by) {
  if (!list || !app.other) return;
  const entries = planned(),
    side = app.pairMode === 'one' && app.m === app.own ? 'A' : 'B',
    [now, fixed] = side === 'A' ? [app.own, app.other] : [app.other, app.own];
  let k = entries.indexOf(entryOf(now));
  do k = (k + by + entries.length) % entries.length;
  while (modelOf(entries[k]) === fixed && entries.length > 2);
  const isFront = app.m === app.other;
  choose(app, side, entries[k]);
  if (isFront && app.pairMode !== 'beside') compare.flip(app);
  app.announce(`${side}: ${entries[k].engine}, peak ${text.amount(entries[k].peak)}`);
}

// ------------------------------------------------------------ the list

const seconds = (value) => (value < 0.001 ? '<0.001' : value.toFixed(3));

function button(app, side, entry) {
  const isOn = entry.m === (side === 'A' ? app.own : app.other) && entry.m !== undefined;
  return parts.toggle(side, isOn, () => again(app, side, entry), {
    'aria-label': `${entry.engine} as plan ${side}`,
    'data-side': side,
    'data-engine': entry.engine,
  });
}

// The list is made anew: the focus goes to the same button.
function again(app, side, entry) {
  choose(app, side, entry);
  byId('page-compare')
    .querySelector(`[data-side="${side}"][data-engine="${CSS.escape(entry.engine)}"]`)
    ?.focus();
}

function row(app, entry) {
  const cells = entry.block
    ? [text.amount(entry.peak), text.percent(entry.gap_percent / 100), seconds(entry.seconds)]
    : [make('td', {colspan: 3, class: 'note'}, entry.reason)];
  const sides =
    entry.block && planned().length > 1
      ? make('span.segments', button(app, 'A', entry), button(app, 'B', entry))
      : '';
  return [
    sides,
    make('th', {scope: 'row', class: entry.runtime ? '' : 'own'}, entry.engine),
    ...cells,
  ];
}

export function table(app) {
  if (!list) return [];
  const head = ['Plan', 'Engine', 'Peak', 'Gap', 'Seconds'],
    rows = list.map((entry) => row(app, entry));
  return [parts.tableOf('engines', head, rows, [2, 3, 4])];
}

// ------------------------------------------------------------ the address

function field(app, key, side) {
  const usual = () => (side === 'A' ? planned()[0] : rival()),
    now = () => (side === 'A' ? app.own : app.other);
  address.field(key, {
    get: () => {
      const entry = list && app.other ? entryOf(now()) : null;
      return entry && entry !== usual() ? entry.engine : null;
    },
    set: (words) => {
      const wanted = words ?? (list && usual()?.engine),
        entry = list && planned().find(({engine}) => engine === wanted);
      if (entry && app.other) choose(app, side, entry);
    },
    turn: -1,
  });
}

export function listen(app) {
  field(app, 'a', 'A');
  field(app, 'b', 'B');
}
