// The tab of a comparison: the figures of both plans, how many buffers changed and in what way,
// which of these set the peak, and a list of the changes.
const {byId, make, bytes, long, heading, note} = parts;

// ------------------------------------------------------------ figures

const gapOf = (value) => (value === undefined ? '–' : text.percent(value / 100));

function change(a, b) {
  if (a === b) return '=';
  const by = Math.abs(b - a),
    share = a > 0 ? make('span', `(${text.percent(by / a)})`) : '';
  return [make('span', `${b < a ? '−' : '+'}${text.amount(by)}`), ' ', share];
}

// The first buffer, by time, that reaches the peak; null if there is none.
function firstRoot(m) {
  const {roots} = supports.critical(m);
  return roots.length > 0 ? roots.reduce((a, b) => (m.first[b] < m.first[a] ? b : a)) : null;
}

// The time at which a plan reaches its peak, as a link to it.
function placeOf(app, m) {
  const i = firstRoot(m);
  if (i === null) return '–';
  return parts.momentLink(app, text.span(m.first[i], m.last[i]), m.first[i]);
}

// The bytes of holes below the peak, when it is first reached.
function holesAt(m) {
  const i = firstRoot(m);
  if (i === null || m.pools.length > 0) return null;
  const {times, free} = profile.of(m);
  return free[profile.indexAt(times, m.first[i])];
}

// [name, A, B, change]; rows in which both plans agree are left out, except the peak.
function figureRows(app) {
  const {own: a, other: b} = app,
    engines = [a, b].map(({report}) => report.engine ?? '–'),
    amountRow = (name, x, y) => [name, text.amount(x), text.amount(y), change(x, y)],
    ifDiffers = (x, y, row) => (x === y ? [] : [row]),
    holes = [a, b].map(holesAt);
  return [
    amountRow('Peak', a.peak, b.peak),
    ['Reached at', placeOf(app, a), placeOf(app, b), ''],
    ...(holes.includes(null) ? [] : [amountRow('Holes there', ...holes)]),
    ['Buffers there', ...[a, b].map((m) => text.grouped(supports.critical(m).roots.length)), ''],
    ...ifDiffers(a.bound, b.bound, amountRow('Bound', a.bound, b.bound)),
    ...ifDiffers(a.lowerBound, b.lowerBound, amountRow('Lower bound', a.lowerBound, b.lowerBound)),
    ['Gap', gapOf(a.report.gap_percent), gapOf(b.report.gap_percent), ''],
    ...ifDiffers(...engines, ['Engine', ...engines, '']),
    ...ifDiffers(a.count, b.count, ['Buffers', text.grouped(a.count), text.grouped(b.count), '']),
  ];
}

function figures(app) {
  const rows = figureRows(app).map(([name, ...cells]) => [
      make('th', {scope: 'row'}, name),
      ...cells,
    ]),
    headOf = (side, m) => `${side}: ${compare.labelOf(app, m)}`;
  return parts.tableOf(
    'figures-of-two',
    ['', headOf('A', app.own), headOf('B', app.other), 'Change'],
    rows,
  );
}

// ------------------------------------------------------------ kinds of change

const swatch = (kind) => {
  const node = make('i.swatch', {'aria-hidden': 'true'});
  node.style.backgroundColor = `var(${kind.colour})`;
  return node;
};

function kinds({pair: p}) {
  const rows = pair.KINDS.map((kind, k) => ({kind, k})).filter(({k}) => k <= 1 || p.counts[k] > 0);
  return make(
    'ul.rows.kinds',
    {'aria-label': 'Changes from A to B'},
    ...rows.map(({kind, k}) =>
      make(
        'li',
        {'data-kind': kind.key},
        swatch(kind),
        make('span.words', kind.word),
        make('b', text.grouped(p.counts[k])),
        bytes(p.bytes[k]),
      ),
    ),
  );
}

// ------------------------------------------------------------ buffers

// The plan in which a buffer is shown, A if it has the buffer, and its number there.
const sideOf = ({own, other}, {i, j}) => (i === pair.NONE ? [other, j] : [own, i]);

// A button that selects a buffer, given by its numbers in A and B.
function link(app, one) {
  const [m, i] = sideOf(app, one);
  return parts.action(
    model.label(m, i, 120),
    text.cut(model.name(m, i), 300),
    () => reveal(app, m, i),
    (on) => (on ? hover(app, m, i) : app.setHover(null)),
  );
}

// The scene that shows buffer i of plan m, or its namesake: [scene, number]; null if none does.
function sceneOf(app, m, i) {
  for (const scene of app.scenes) {
    if (scene.m === m) return [scene, i];
    const j = compare.there({...app, m}, i);
    if (j !== null) return [scene, j];
  }
  return null;
}

function hover(app, m, i) {
  const found = sceneOf(app, m, i);
  if (found) found[0].setHover(found[1]);
}

function reveal(app, m, i) {
  if (!sceneOf(app, m, i)) compare.flip(app);
  const [scene, k] = sceneOf(app, m, i);
  view.show(scene, k, false);
  scene.select(k);
}

function setters(app) {
  const {own, other, pair: p} = app,
    roots = (m) => supports.critical(m).roots;
  const inB = new Set(roots(other)),
    list = roots(own).map((i) => ({i, j: p.toB[i], at: inB.has(p.toB[i]) ? 'both' : 'A'}));
  for (const j of inB) if (!list.some((one) => one.j === j)) list.push({i: pair.NONE, j, at: 'B'});
  return list;
}

function peak(app) {
  const list = setters(app),
    words = {both: 'in both', A: 'only in A', B: 'only in B'};
  const row = (one) => make('li', make('span.at', words[one.at]), link(app, one), sizeOf(app, one));
  return parts.listed('Buffers that reach the peak', list, row);
}

const sizeOf = (app, one) => bytes(model.exactSize(...sideOf(app, one)));

// How far a buffer moved, how much it grew, and whether it lives at other times.
function words({own: a, other: b}, {kind, i, j}) {
  if (i === pair.NONE || j === pair.NONE) return pair.KINDS[kind].word;
  const by = pair.rise(a, i, b, j),
    more = b.size[j] - a.size[i];
  const sign = (value, up, down) =>
    value === 0 ? [] : [`${value > 0 ? up : down}${text.amount(Math.abs(value))}`];
  const pools = model.pool(a, i) === model.pool(b, j) ? [] : [`to ${model.pool(b, j)}`];
  const time = pair.isRetimed(a, i, b, j) ? ['time'] : [];
  return [...pools, ...sign(by, '↑ ', '↓ '), ...sign(more, '+', '−'), ...time].join(', ');
}

function distance({own: a, other: b}, {i, j}) {
  if (i === pair.NONE || j === pair.NONE) return Infinity;
  return Math.abs(pair.rise(a, i, b, j));
}

// The rank of a change: buffers that a peak rests on come first, then the rest, by distance.
function weight(app, one) {
  const {own, other} = app,
    isBelow = (m, i) => i !== pair.NONE && supports.critical(m).seen[i];
  const step = Math.min(distance(app, one), 2 ** 60);
  return isBelow(own, one.i) || isBelow(other, one.j) ? 2 ** 61 + step : step;
}

// The sort orders of the list of changes: the largest first, or names in order.
const SORTS = {
  peak: {label: 'what a peak rests on', of: weight},
  distance: {label: 'distance', of: distance},
  size: {label: 'size', of: (app, one) => ((m, i) => m.size[i])(...sideOf(app, one))},
  kind: {label: 'kind of change', of: (_, {kind}) => kind},
  name: {label: 'name'},
};
let sortedBy = 'peak';

function sorted(app) {
  const list = pair.changes(app.pair),
    {of} = SORTS[sortedBy];
  for (const one of list) one.key = of ? of(app, one) : model.shortName(...sideOf(app, one));
  return list.sort((x, y) =>
    x.key === y.key ? 0 : of ? (y.key > x.key ? 1 : -1) : x.key > y.key ? 1 : -1,
  );
}

function sortBox(app) {
  const choices = Object.entries(SORTS).map(([key, {label}]) => [key, label]);
  const change = (key) => {
    sortedBy = key;
    page(app);
    byId('sort-changes').focus();
  };
  return make(
    'label.note',
    'Sort by ',
    parts.choice(choices, sortedBy, change, {id: 'sort-changes'}),
  );
}

function changes(app) {
  const list = sorted(app);
  const row = (one) =>
    make(
      'li',
      {'data-kind': pair.KINDS[one.kind].key},
      swatch(pair.KINDS[one.kind]),
      link(app, one),
      make('small', words(app, one)),
      sizeOf(app, one),
    );
  return [
    heading('Changes', list.length),
    list.length > 1 ? sortBox(app) : '',
    list.length > 0 ? long(list, row, 'Changes') : note('The plans are the same.'),
  ];
}

export function page(app) {
  if (!app.other) return parts.fill('page-compare', ...compare.table(app));
  return parts.fill(
    'page-compare',
    figures(app),
    ...compare.table(app),
    ...peak(app),
    heading('From A to B'),
    kinds(app),
    ...changes(app),
  );
}

// ------------------------------------------------------------ a buffer that only the other plan
// has

export function stranger(app, {m}, j) {
  parts.fill(
    'page-tensor',
    make('h2.name', model.shortName(m, j)),
    make('p.whole', make('bdi', model.longName(m, j))),
    note(`Only ${compare.labelOf(app, m)} has this buffer.`),
    parts.pairs([
      ['Size', text.amount(model.exactSize(m, j))],
      ['Lifetime', model.lifetimes(m, j)],
      ['Offset', text.grouped(model.exactOffset(m, j))],
    ]),
  );
  panel.open('tensor');
}
