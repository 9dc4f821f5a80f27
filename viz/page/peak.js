// The tab on which the page opens: a table of the buffers alive at the bound, or at the time
// cursor, and below it the buffers on which the peak rests.
const {byId, make, link, bytes, pairs, long, heading, note, amounts} = parts;
const MOMENTS_MOST = 500;
const state = {table: null, atCursor: false, pool: 0, moment: 0};

const isOpen = () => table.isOpen(state.table);
const poolOf = (m) => (m.pools.length > 0 ? Math.min(state.pool, m.pools.length - 1) : null);

// ------------------------------------------------------------ which moment

const span = ({start, end}) => `time ${text.span(start, end)}`;

function shownMoment(app) {
  const list = profile.peaks(app.m, poolOf(app.m));
  return state.atCursor ? app.cursor : (list[Math.min(state.moment, list.length - 1)]?.start ?? 0);
}

// A <select> by the number of the choice.
const choice = (label, list, value, act) =>
  parts.choice([...list.entries()], value, (k) => act(Number(k)), {'aria-label': label});

function change(app, what) {
  Object.assign(state, what);
  page(app);
  address.changed();
}

// Shows the buffers alive at the bound, or at the cursor, which is then there.
function setMode(app, atCursor) {
  state.atCursor = false;
  if (atCursor && app.cursor === null) app.setCursor(shownMoment(app), {quiet: true});
  change(app, {atCursor});
}

const modeButton = (app, atCursor, words, title) =>
  parts.toggle(words, state.atCursor === atCursor, () => setMode(app, atCursor), {title});

// Shows the moments of the bound: one, or a choice of several.
function moments(app, pool) {
  const list = profile.peaks(app.m, pool).slice(0, MOMENTS_MOST),
    at = list[Math.min(state.moment, list.length - 1)];
  if (!at) return [];
  const go = parts.momentLink(app, list.length > 1 ? 'show' : span(at), at.start);
  if (list.length === 1) return [go];
  const act = (moment) => change(app, {moment});
  return [choice('Moment of the bound', list.map(span), list.indexOf(at), act), go];
}

function head(app) {
  const {m} = app,
    pool = poolOf(m),
    {peak: top, bound, lowerBound} = pool === null ? m : m.pools[pool];
  const names = m.pools.map(({name}) => name),
    pools = make(
      'span',
      choice('Pool', names, pool, (k) => change(app, {pool: k, moment: 0})),
    );
  return [
    pairs([
      pool === null ? ['Pool'] : ['Pool', pools],
      ['Peak', ...amounts(top)],
      ['Bound', ...amounts(bound)],
      lowerBound > bound ? ['Lower bound', ...amounts(lowerBound)] : ['Lower bound'],
      ['Reached at', make('span.moments', ...moments(app, pool))],
    ]),
    make(
      'div.modes',
      make(
        'span.segments',
        {role: 'group', 'aria-label': 'Buffers alive at'},
        modeButton(app, false, 'Alive at the bound', 'The moment with most bytes'),
        modeButton(app, true, 'Alive at the cursor', 'The table follows the time cursor'),
      ),
      state.atCursor && app.cursor !== null ? make('span.note', text.moment(app.cursor)) : '',
    ),
  ];
}

// ------------------------------------------------------------ what the peak rests on

function support(app) {
  const {m} = app,
    {roots, list, way, whole} = supports.critical(m);
  return [
    ...parts.listed('Buffers that reach the peak', roots, (i) => parts.bufferRow(app, i)),
    heading('One chain from the peak to the bottom'),
    long(way, (item, k) => panel.step(app, item, k || 1), 'From the peak to the bottom', 'ol'),
    heading('Critical stack', list.length),
    note(
      whole ? 'All buffers' : 'The first of the buffers',
      ' that the peak rests on. The peak can only get lower if some of these move.',
    ),
    long(
      list,
      (i) =>
        make(
          'li',
          make('span.at', text.offset(model.exactOffset(m, i), m.base)),
          link(app, i),
          bytes(model.exactSize(m, i)),
        ),
      'Critical stack, highest first',
    ),
  ];
}

// ------------------------------------------------------------ the tab

function fillTable(app, at) {
  const {m} = app,
    pool = poolOf(m);
  const rows = Uint32Array.from(
    profile.aliveAt(m, at).filter((i) => pool === null || m.poolOf[i] === pool),
  ).sort();
  const whole = pool === null ? m.peak : m.pools[pool].peak,
    wholeName = pool === null ? 'the peak' : `the peak of ${m.pools[pool].name}`;
  table.fill(state.table, {
    rows,
    columns: buffers.columns(m, rows, whole, wholeName),
    groupings: buffers.groupings(m, rows),
    live: profile.shares(m) ? profile.liveAt(m, at, pool) : null,
    whole,
    wholeName,
  });
}

// Fills the tab if it is open.
export function page(app) {
  if (!isOpen()) return;
  const {m} = app,
    isEmpty = m.count === 0;
  state.table.box.hidden = byId('peak-support').hidden = isEmpty;
  if (isEmpty) {
    parts.fill('peak-head', note('This plan has no buffers.'));
    return;
  }
  if (state.atCursor && app.cursor === null) state.atCursor = false;
  const at = shownMoment(app);
  parts.fill('peak-head', ...head(app));
  fillTable(app, at);
  parts.fill('peak-support', make('summary', 'What the peak rests on'), ...support(app));
  table.follow(state.table);
}

// Follows the time cursor.
export function moved(app) {
  if (state.atCursor) page(app);
}

export function listen(app) {
  state.table = table.create(app, {label: 'Buffers alive', sort: {key: 'size', down: true}});
  table.remember(state.table, 'peak');
  address.field('peak-at', {
    get: () => (state.atCursor ? 'cursor' : state.moment > 0 ? String(state.moment) : null),
    set: (words) => {
      state.atCursor = words === 'cursor';
      state.moment = /^\d+$/.test(words ?? '') ? Number(words) : 0;
      page(app);
    },
    turn: 1,
  });
  address.field('peak-pool', {
    get: () => (state.pool > 0 ? String(state.pool) : null),
    set: (words) => {
      state.pool = /^\d+$/.test(words ?? '') ? Number(words) : 0;
      page(app);
    },
  });
  parts.fill(
    'page-peak',
    make('div', {id: 'peak-head'}),
    state.table.box,
    make('details', {id: 'peak-support'}),
  );
}

export const has = (i) => table.has(state.table, i);
export const follow = () => table.follow(state.table);
export const followsCursor = () => isOpen() && state.atCursor;
