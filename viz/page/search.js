// SPDX-License-Identifier: GPL-3.0-or-later
// Search by name, operator, type and shape: matches keep their colours and the rest fades; a list
// shows the first matches, buffers before operators.
const {byId, make} = parts;
const OFFERED = 50,
  OPERATORS = 12; // operators in the list
let offered = [], // {buffer} or {operator}
  active = -1;

// An array that marks the matching buffers; null if the search is empty.
export function marks(m, wanted) {
  const needle = wanted.trim().toLowerCase();
  if (!needle) return null;
  const matched = new Uint8Array(m.count);
  for (let i = 0; i < m.count; i++)
    matched[i] = buffers.words(m, i).toLowerCase().includes(needle) ? 1 : 0;
  return matched;
}

function point(at) {
  const items = byId('found').children;
  if (items[active]) items[active].setAttribute('aria-selected', 'false');
  active = at;
  const field = byId('search');
  if (!items[active]) return field.removeAttribute('aria-activedescendant');
  items[active].setAttribute('aria-selected', 'true');
  items[active].scrollIntoView({block: 'nearest'});
  field.setAttribute('aria-activedescendant', items[active].id);
}

function close() {
  byId('found').hidden = true;
  byId('search').setAttribute('aria-expanded', 'false');
  point(-1);
}

// The words for an entry of the list.
function words(m, {buffer: i, operator: k}) {
  const entry = (name, about, end) => [
    make('span.name', text.cut(name, 90)),
    about ? make('span.about', text.cut(about, 120)) : '',
    make('span.bytes', end),
  ];
  if (k !== undefined) return entry(operators.title(m, k), 'operator', `time ${text.grouped(k)}`);
  const about = [model.longName(m, i), buffers.maker(m, i), buffers.shape(m, i)];
  return entry(
    model.shortName(m, i),
    about.filter((one) => one).join(' · '),
    text.amount(model.exactSize(m, i)),
  );
}

function offer(app, count) {
  const list = byId('found'),
    wanted = byId('search').value;
  const ran = app.matched ? operators.find(app.m, wanted, OPERATORS) : [];
  offered = [];
  for (let i = 0; app.matched && i < app.m.count && offered.length < OFFERED - ran.length; i++)
    if (app.matched[i]) offered.push({buffer: i});
  offered.push(...ran.map((operator) => ({operator})));
  list.replaceChildren(
    ...offered.map((item, k) =>
      make(
        'li',
        {
          role: 'option',
          id: `found-${k}`,
          'aria-selected': 'false',
          onmousedown: (event) => event.preventDefault(),
          onclick: () => choose(app, k),
        },
        ...words(app.m, item),
      ),
    ),
  );
  list.hidden = offered.length === 0;
  byId('search').setAttribute('aria-expanded', String(offered.length > 0));
  byId('matches').textContent = wanted.trim()
    ? text.plural(count, 'match').replace(/matchs$/, 'matches')
    : '';
  active = -1;
}

function ask(app) {
  app.matched = marks(app.m, byId('search').value);
  const count = app.matched ? app.matched.reduce((a, b) => a + b, 0) : 0;
  offer(app, count);
  app.repaint();
}

function choose(app, k) {
  if (offered[k] === undefined) return;
  const {buffer, operator} = offered[k];
  close();
  if (operator !== undefined) operators.pin(app, operator);
  else app.select(buffer, {show: true});
}

function onKey(app, event) {
  const steps = {ArrowDown: 1, ArrowUp: -1};
  if (event.key in steps && offered.length > 0) {
    event.preventDefault();
    byId('found').hidden = false;
    point((active + steps[event.key] + offered.length) % offered.length);
  } else if (event.key === 'Enter') choose(app, Math.max(0, active));
  else if (event.key === 'Escape') {
    byId('search').value = '';
    ask(app);
    app.stage.box.focus();
  } else return;
  event.stopPropagation();
}

export function listen(app) {
  const field = byId('search');
  let waiting = 0;
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => ask(app), app.m.count > 20000 ? 120 : 0);
  });
  field.addEventListener('keydown', (event) => onKey(app, event));
  field.addEventListener('blur', close);
  address.field('search', {
    get: () => field.value.trim() || null,
    set: (words) => {
      field.value = words ?? '';
      ask(app);
      close();
    },
  });
}
