// SPDX-License-Identifier: GPL-3.0-or-later
// The panel: its tabs, the selected tensor, the moment at the time cursor, and the collisions of an
// unsound plan.
const {byId, make, button, link, bytes, pairs, long, heading, note, key, amounts, offsets} = parts;
const NAMES = {
  peak: 'Peak',
  buffers: 'Buffers',
  tensor: 'Selected',
  time: 'Time',
  graph: 'Graph',
  collisions: 'Collisions',
  arena: 'Arena',
  compare: 'Compare',
  explain: 'Explain',
};
const TABS = Object.keys(NAMES),
  ALWAYS = TABS.slice(0, 4), // other tabs are for some plans only
  TABLED = ['peak', 'buffers', 'graph']; // tabs without margins, which scroll by themselves

// ------------------------------------------------------------ tabs

let theApp = null;

const tabOf = (tab) =>
  button(NAMES[tab], () => open(tab), {
    role: 'tab',
    id: `tab-${tab}`,
    'aria-controls': `page-${tab}`,
    'aria-selected': String(tab === TABS[0]),
    tabindex: tab === TABS[0] ? null : '-1',
    hidden: !ALWAYS.includes(tab),
  });

const pageOf = (tab) =>
  make('section', {
    id: `page-${tab}`,
    class: TABLED.includes(tab) ? 'tabled' : null,
    role: 'tabpanel',
    'aria-labelledby': `tab-${tab}`,
    tabindex: '-1',
    hidden: tab !== TABS[0],
  });

document.querySelector('.tabs').append(...TABS.map(tabOf));
document.querySelector('.panel').append(...TABS.map(pageOf));

export function open(name, focus = false) {
  const was = current();
  for (const tab of TABS) {
    const on = tab === name,
      button = byId(`tab-${tab}`);
    button.setAttribute('aria-selected', String(on));
    button.tabIndex = on ? 0 : -1;
    byId(`page-${tab}`).hidden = !on;
    if (on && focus) button.focus();
  }
  if (was !== name) filled[name]?.(theApp);
  address.changed();
}

// Tabs that are filled only while they are open.
const filled = {
  peak: (app) => peak.page(app),
  buffers: (app) => buffers.page(app),
  graph: (app) => graph.follow(app),
};

// Shows the selected buffer: its row if an open table has one, or else the tab about it.
export function openTensor(app) {
  if (![peak, buffers].some((tab) => tab.has(app.selected))) open('tensor');
}

// Follows a change of the selection.
export function follow(app) {
  tensor(app);
  peak.follow();
  buffers.follow();
  graph.follow(app);
}

// The names of the tabs that this plan has.
export const shown = () => TABS.filter((tab) => !byId(`tab-${tab}`).hidden);

// The name of the tab that is open.
export const current = () => TABS.find((tab) => !byId(`page-${tab}`).hidden);

export function listen(app) {
  theApp = app;
  peak.listen(app);
  buffers.listen(app);
  graph.listen(app);
  divider.listen();
  document.querySelector('.tabs').addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const there = shown();
    const at = there.findIndex(
      (tab) => byId(`tab-${tab}`).getAttribute('aria-selected') === 'true',
    );
    open(there[(at + step + there.length) % there.length], true);
  });
}

// ------------------------------------------------------------ the tensor

function numbers(app, i) {
  const {m} = app,
    placed = model.isPlaced(m, i);
  const low = model.exactOffset(m, i),
    size = model.exactSize(m, i);
  const rows = [
    ['Size', ...amounts(size)],
    ['Lifetime', model.lifetimes(m, i)],
  ];
  if (placed) rows.push(['Offset', ...offsets(low)], ['End', ...offsets(low + size)]);
  else rows.push(['Offset', 'none in this round']);
  if (placed && m.base !== null)
    rows.push(['Addresses', `${text.hex(m.base + low)} – ${text.hex(m.base + low + size)}`]);
  rows.push(...operators.rowsOf(app, i), ['Risk', colour.RISKS[quantities.risks(m)[i]]]);
  const add = (name, value, shown) => value !== null && rows.push([name, shown(value)]);
  add('Shape', buffers.shape(m, i) || null, String);
  add('Type', model.dtype(m, i) || null, String);
  add('Alignment', model.alignment(m, i), text.grouped);
  add('Fixed at', model.fixed(m, i), text.grouped);
  add(
    'Object',
    model.object(m, i),
    (object) => `${object} of ${text.amount(m.plan.object_sizes?.[object] ?? 0)}`,
  );
  add('Pool', model.pool(m, i), String);
  add(
    'Window',
    model.window(m, i),
    ([low, high]) => `[${text.grouped(low)}, ${high === null ? 'end' : text.grouped(high)})`,
  );
  add('Bank', model.bank(m, i), text.amount);
  add('Earlier offset', model.near(m, i), text.grouped);
  return pairs(rows);
}

// The relations of buffer i, in words.
function ties(app, i) {
  const list = relations.ofBuffer(app.m, i);
  const row = ({other, words, reason}) =>
    make('li', {title: reason || null}, make('span.words', words), link(app, other));
  return list.length > 0 ? parts.listed('Relations', list, row) : null;
}

// Explains in one sentence why the buffer is at its offset.
function reason(app, i, below) {
  const {m} = app;
  if (!model.isPlaced(m, i)) return 'It is not placed in this round.';
  if (m.size[i] === 0) return 'It has no bytes, so it needs no room.';
  if (m.offset[i] === m.lift[i]) {
    const where = m.pools.length > 0 ? `pool ${model.pool(m, i)}` : 'the arena';
    return `It is at the bottom of ${where}.`;
  }
  if (model.object(m, i) !== null)
    return `It is at the start of shared object ${model.object(m, i)}.`;
  if (model.fixed(m, i) !== null) return 'Its offset is fixed by the input.';
  if (below.list.length === 0) return 'No buffer below it is alive at the same time.';
  const what = text.plural(below.list.length, 'buffer'),
    alive = `${below.list.length === 1 ? 'is' : 'are'} alive at the same time`;
  return below.gap > 0
    ? `${what} below it ${alive}; the nearest ends ${text.amount(below.gap)} lower.`
    : `It rests on ${what} that ${alive}.`;
}

export function step(app, {buffer, gap, others}, k) {
  const {m} = app,
    more = others > 0 ? ` +${others}` : '';
  return make(
    'li',
    {class: k === 0 ? 'self' : ''},
    make('span.at', text.offset(model.exactOffset(m, buffer), m.base)),
    k === 0 ? make('b', model.label(m, buffer, 80)) : link(app, buffer),
    make(
      'span.bytes',
      {title: more ? `and ${others} more at the same height` : ''},
      `${text.amount(m.size[buffer])}${more}`,
    ),
    gap > 0 ? make('span.gap', `${text.amount(gap)} free below`) : null,
  );
}

const LINKS_MOST = 12;

function neighbours(app, title, list) {
  const items = list.slice(0, LINKS_MOST).map((i) => parts.bufferRow(app, i));
  if (list.length > LINKS_MOST)
    items.push(make('li.note', `and ${text.grouped(list.length - LINKS_MOST)} more`));
  return [title, list.length > 0 ? make('ul.rows', ...items) : make('span.note', 'none')];
}

// The buffers that collide with buffer i.
function clashesOf(app, i) {
  const mine = collisions.ofBuffer(app.m, i);
  const row = ({other, low, high}) => make('li', link(app, other), bytes(high - low));
  return mine.length > 0 ? parts.listed('Collides with', mine, row) : null;
}

export function tensor(app) {
  const {m, selected: i} = app;
  if (i === null)
    return parts.fill(
      'page-tensor',
      note(
        m.count > 0
          ? 'Click a rectangle, search, or press n to see a buffer’s size, lifetime and offset, ' +
              'its neighbours, and what it rests on.'
          : 'This plan has no buffers.',
      ),
    );
  const below = supports.below(m, i),
    above = supports.above(m, i);
  const marks = supports.critical(m).seen[i] ? make('span.badge', 'in the critical stack') : null;
  return parts.fill(
    'page-tensor',
    make('h2.name', key('select'), make('bdi', model.shortName(m, i)), ` #${i}`),
    make(
      'p.whole',
      make('bdi', model.longName(m, i)),
      parts.copier(app, 'Copy name', () => [model.name(m, i), 'Name']),
    ),
    marks,
    numbers(app, i),
    make(
      'div.actions',
      button('Zoom to buffer', () => view.show(app, i, true)),
      button('Go to its start', () => app.setCursor(m.first[i], {open: true})),
    ),
    ties(app, i),
    heading('Why it is at this offset'),
    note(reason(app, i, below)),
    app.chain.length > 1 ? note('What it rests on, down to the bottom:', key('carrier')) : '',
    long(app.chain, (item, k) => step(app, item, k), 'What it rests on, from the top', 'ol'),
    clashesOf(app, i),
    heading('Neighbours'),
    pairs([neighbours(app, 'Above', above.list), neighbours(app, 'Below', below.list)]),
  );
}

// ------------------------------------------------------------ the moment

function momentRow(app, row) {
  const size = row.high - row.low;
  const body = row.hole ? [make('span.hole', 'hole')] : [link(app, row.buffer)];
  const current = !row.hole && row.buffer === app.selected;
  return make(
    'li',
    {class: row.hole ? 'free' : current ? 'self' : '', 'data-buffer': row.hole ? null : row.buffer},
    make('span.at', {title: text.grouped(row.low)}, text.offset(row.low, app.m.base)),
    ...body,
    bytes(size),
  );
}

function mover(app, sign, label) {
  const act = () => app.setCursor(profile.step(app.m, app.cursor, sign));
  return button(sign < 0 ? '‹' : '›', act, {'aria-label': label, title: label});
}

export function time(app) {
  const {m, cursor} = app;
  if (cursor === null)
    return parts.fill(
      'page-time',
      note(
        'Click in the layout or the curves to set the time cursor; ' +
          '[ and ] move it from event to event.',
      ),
    );
  const {rows, count, top} = profile.alive(m, cursor),
    p = profile.of(m),
    k = profile.indexAt(p.times, cursor);
  const free = rows.filter((row) => row.hole);
  const holes = free.reduce((sum, row) => sum + row.high - row.low, 0n);
  const from = text.grouped(p.times[k] ?? 0),
    until = k + 1 < p.times.length ? ` to ${text.grouped(p.times[k + 1])}` : '';
  return parts.fill(
    'page-time',
    make(
      'div.moment',
      mover(app, -1, 'Previous event ( [ )'),
      make('h2', key('cursor'), text.moment(cursor).replace('t', 'T')),
      mover(app, 1, 'Next event ( ] )'),
    ),
    operators.section(app),
    note(k >= 0 ? `Unchanged from ${from}${until}.` : 'No buffer is alive yet.'),
    pairs([
      ['Alive', text.plural(count, 'buffer')],
      ['Live bytes', ...amounts(profile.liveAt(m, cursor))],
      m.pools.length > 0 ? ['Highest end'] : ['Highest end', ...amounts(top)],
      [
        'Holes',
        free.length > 0 ? `${text.grouped(free.length)}, ${text.amount(holes)}` : 'none',
        make(
          'small',
          free.length > 0 && m.pools.length === 0 ? text.percent(Number(holes) / Number(top)) : '',
        ),
      ],
    ]),
    heading('By address', count),
    long(rows.reverse(), (row) => momentRow(app, row), 'Alive, highest address first'),
  );
}

// ------------------------------------------------------------ collisions

function collisionRow(app, collision) {
  const {first, second, start, end, low, high} = collision;
  return make(
    'li.clash',
    link(app, first),
    make('span.times', '×'),
    link(app, second),
    button(
      text.amount(high - low),
      () => view.showBox(app, {x0: start, x1: end, y0: low, y1: high}),
      {
        class: 'link bytes',
        title: `Zoom to bytes ${text.span(low, high)}, time ${text.span(start, end)}`,
      },
    ),
  );
}

export function clashes(app) {
  const {list, total} = collisions.of(app.m);
  byId('tab-collisions').hidden = total === 0;
  if (total === 0) {
    if (!byId('page-collisions').hidden) open('tensor');
    return;
  }
  parts.fill(
    'page-collisions',
    note('These buffers are alive at the same time and share bytes, so the plan cannot be used.'),
    heading('Collisions', total),
    long(list, (item) => collisionRow(app, item), 'Collisions'),
    list.length < total
      ? note(`The earliest ${text.grouped(list.length)} are listed and marked.`)
      : null,
  );
}

// ------------------------------------------------------------ the head of the page

// Neither a gap nor an outcome means anything in an unsound plan.
function outcome(m) {
  const {status, order_status: order} = m.report,
    label = order ? 'Layout' : 'Status';
  if (!collisions.isSound(m)) {
    const {total} = collisions.of(m);
    return [[label, total > 0 ? `unsound: ${collisions.count(m)}` : 'unsound', null, 'bad']];
  }
  return [
    ['Gap', text.percent((m.peak - m.lowerBound) / (m.lowerBound || 1))],
    [label, m.custom ? 'a round' : (status ?? '')],
    ...(order ? [['Order', order]] : []),
  ];
}

function capacity(m) {
  if (m.capacity === null) return [];
  const over = m.peak - m.capacity;
  const used =
    over > 0
      ? `${explain.shortfall() ?? text.amount(over)} too small`
      : `${text.percent(m.peak / (m.capacity || 1))} used`;
  return [['Capacity', `${text.amount(m.capacity)}, ${used}`, text.grouped(m.report.capacity)]];
}

export function figures(app) {
  const {m} = app,
    r = m.report;
  const items = [
    ['Peak', text.amount(m.peak), text.grouped(app.m.custom ? m.peak : (r.peak ?? m.peak))],
    ['Bound', text.amount(m.bound), text.grouped(r.bound ?? m.bound)],
    ...(draw.isProven(m)
      ? [['Lower bound', text.amount(m.lowerBound), text.grouped(r.lower_bound ?? m.lowerBound)]]
      : []),
    ...capacity(m),
    ...outcome(m),
    ['Buffers', text.grouped(m.count), null, 'minor'],
    ['Engine', r.engine || '–', null, 'minor'],
  ];
  const {alignment_low: low = 1, alignment_high: high = 1} = r;
  if (high > 1)
    items.push(['Alignment', low < high ? `${low} to ${high}` : `${high}`, null, 'minor']);
  if (m.rectCount > m.count) items.push(['Rectangles', text.grouped(m.rectCount), null, 'minor']);
  parts.fill(
    'figures',
    ...items.map(([term, value, title, kind]) =>
      make(
        'div',
        {title: title ? `${title} bytes` : null, class: kind ?? null},
        make('dt', term),
        make('dd', value),
      ),
    ),
  );
  const name = m.name || 'Memory plan',
    state = collisions.isSound(m) ? `peak ${text.bytes(m.peak)}` : 'unsound';
  byId('name').textContent = name;
  byId('name').title = name;
  document.title = `${text.cut(name, 80)}: ${text.plural(m.count, 'buffer')}, ${state}`;
}
