// SPDX-License-Identifier: GPL-3.0-or-later
// Notes that readers pin to buffers and ranges of time.  They are in the address, so a link shows them.
const {byId, make, button, action, heading} = parts;
const WORDS_MOST = 200, // characters of a note
  MOST = 40, // notes
  LONGEST = 6000, // characters in the address
  SHOWN = 48, // characters in the drawing
  DOWN = 16; // pixels of a line
let list = []; // {words, name} or {words, from, to}

// ------------------------------------------------------------ the list

const placeText = ({name, from, to}) =>
  name === undefined ? `time ${text.grouped(from)} to ${text.grouped(to)}` : text.cut(name, 80);

const same = (a, b) => a.name === b.name && a.from === b.from && a.to === b.to;

function go(app, {name, from, to}) {
  const i = name === undefined ? null : address.numberOf(app.m, name);
  if (i !== null) app.select(i, {show: true, open: false});
  else if (from !== undefined) range.set(app, {from, to});
}

const row = (app, one) =>
  make(
    'li',
    {},
    action(placeText(one), 'Show its place', () => go(app, one)),
    make('span', {class: 'pinned'}, one.words),
    button(
      'Remove',
      () =>
        change(
          app,
          list.filter((other) => other !== one),
        ),
      {'aria-label': `Remove the note on ${placeText(one)}`},
    ),
  );

function page(app) {
  byId('tab-notes').hidden = list.length === 0;
  if (list.length === 0 && panel.current() === 'notes') panel.open('peak');
  byId('page-notes').replaceChildren(
    heading('Notes', list.length),
    make('ul', {class: 'rows', 'aria-label': 'Notes'}, ...list.map((one) => row(app, one))),
  );
}

function change(app, now) {
  list = now;
  page(app);
  panel.tensor(app);
  range.page(app);
  app.redrawOver();
}

const encoded = (notes) =>
  JSON.stringify(
    notes.map(({words, name, from, to}) => [words, ...(name === undefined ? [from, to] : [name])]),
  );

// Pins words to a place, instead of what was there; no words remove it.
function pin(app, place, words) {
  const others = list.filter((one) => !same(one, place)),
    now = words ? [...others, {...place, words}] : others;
  if (now.length > MOST || encodeURIComponent(encoded(now)).length > LONGEST)
    return app.announce('The address has no room for another note');
  change(app, now);
  return app.announce(words ? 'Note pinned' : 'Note removed');
}

// A field for the note on a place: {name} or {from, to}.
export function form(app, place, where) {
  const now = list.find((one) => same(one, place)),
    field = make('input', {
      type: 'text',
      maxlength: WORDS_MOST,
      value: now?.words ?? '',
      placeholder: 'Note',
      'aria-label': `Note on ${text.cut(where, 80)}`,
    });
  const submit = (event) => {
    event.preventDefault();
    pin(app, place, field.value.trim());
  };
  return make('form', {class: 'note-form', onsubmit: submit}, field, make('button', {}, 'Pin'));
}

export const onBuffer = (app, i) =>
  form(app, {name: address.nameOf(app.m, i)}, model.name(app.m, i));

// ------------------------------------------------------------ in the drawing

// Where a note points to in pixels; null if that is out of view.
function anchor({m, view: v}, {name, from, to}) {
  if (name === undefined) {
    const x = (view.xOf(v, Math.max(v.x0, from)) + view.xOf(v, Math.min(v.x1, to))) / 2;
    return from < v.x1 && to > v.x0 ? {x, y: v.top + DOWN} : null;
  }
  const i = address.numberOf(m, name);
  if (i === null || m.shown[i] < 0) return null;
  const r = m.rectOf[m.rectFirst[i]],
    x = view.xOf(v, (m.rectStart[r] + m.rectEnd[r]) / 2),
    y = view.yOf(v, m.shown[i] + m.size[i] / 2);
  const isIn = x > v.left && x < v.left + v.across && y > v.top && y < v.top + v.down;
  return isIn ? {x, y, pin: true} : null;
}

// A line of words on a ground, next to its anchor and clear of those before.
function flag({view: v, look}, c, words, at, taken) {
  const across = c.measureText(words).width + 12,
    left = Math.max(
      v.left + 2,
      Math.min(v.left + v.across - across - 2, at.x + (at.pin ? 8 : -across / 2)),
    );
  let top = Math.max(v.top + 2, at.y - DOWN - 4);
  const isTaken = () =>
    taken.some(
      (one) =>
        one.left < left + across &&
        left < one.right &&
        one.top < top + DOWN + 2 &&
        top < one.bottom,
    );
  while (isTaken()) top += DOWN + 3;
  taken.push({left, right: left + across, top, bottom: top + DOWN + 2});
  c.fillStyle = look.panel;
  c.fillRect(left, top, across, DOWN + 2);
  c.strokeStyle = look.select;
  c.lineWidth = 1.5;
  c.strokeRect(left, top, across, DOWN + 2);
  if (at.pin) {
    draw.line(c, at.x, at.y, left, top + DOWN / 2);
    c.fillStyle = look.select;
    c.fillRect(at.x - 3, at.y - 3, 6, 6);
  }
  c.fillStyle = look.ink;
  c.fillText(words, left + 6, top + DOWN / 2 + 1.5);
}

export function over(scene, c) {
  const taken = [];
  c.font = scene.look.strong;
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  for (const one of list) {
    const at = anchor(scene, one);
    if (at) flag(scene, c, text.cut(one.words, SHOWN), at, taken);
  }
}

// ------------------------------------------------------------ the address

// What somebody may have typed: entries that are no notes are left out.
function decoded(words) {
  const isTime = Number.isFinite,
    found = JSON.parse(words);
  return found
    .slice(0, MOST)
    .filter(
      ([words, place]) =>
        typeof words === 'string' && words && (typeof place === 'string' || isTime(place)),
    )
    .map(([words, place, to]) => ({
      words: words.slice(0, WORDS_MOST),
      ...(isTime(place) ? {from: place, to: isTime(to) ? to : place + 1} : {name: place}),
    }));
}

export function listen(app) {
  address.field('notes', {
    get: () => (list.length > 0 ? encoded(list) : null),
    set: (words) => change(app, words === null ? [] : decoded(words)),
    turn: 1,
    longest: LONGEST,
  });
}
