// SPDX-License-Identifier: GPL-3.0-or-later
// What tables say about buffers: their columns and groups; and the tab with all buffers.
const {byId, make} = parts;
let all = null; // the table

export const shape = (m, i) => model.shape(m, i)?.join('x') ?? '';

// "CONV_2D conv1": the type and the name of the operator that makes a buffer.
export function maker(m, i) {
  const at = operators.maker(m, i);
  return at === null ? model.kind(m, i) : operators.title(m, at);
}

// Everything that a filter looks at, one below the other.
export const words = (m, i) =>
  [model.name(m, i), maker(m, i), model.dtype(m, i), shape(m, i), `#${i}`].join('\n');

const NAME_MOST = 160;

const lifetime = (m, i) =>
  Array.from(m.rectOf.subarray(m.rectFirst[i], Math.min(m.rectFirst[i + 1], m.rectFirst[i] + 4)))
    .map((r) => `${text.grouped(m.rectStart[r])}–${text.grouped(m.rectEnd[r])}`)
    .join(', ') + (m.rectFirst[i + 1] - m.rectFirst[i] > 4 ? ', …' : '');

const duration = (m, i) => (m.durations ??= quantities.durations(m))[i];

function bar(share) {
  const inner = make('i');
  inner.style.width = `${Math.min(100, 100 * share)}%`;
  return make('span.bar', {'aria-hidden': 'true'}, inner);
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const exact = (value) => `${text.grouped(value)} bytes`;

function nameColumn(m) {
  return {
    key: 'name',
    name: 'Name',
    grows: true,
    text: (i) => model.name(m, i),
    node: (i, room) => make('bdi.name', model.label(m, i, room)),
    title: (i) => model.label(m, i, 400),
    copy: (i) => model.name(m, i),
  };
}

function sizeColumns(m, whole, wholeName) {
  const share = (i) => (whole > 0 ? m.size[i] / whole : 0);
  return [
    {
      key: 'size',
      name: 'Size',
      sums: '',
      across: 84,
      rank: (i) => m.size[i],
      text: (i) => text.amount(m.size[i]),
      title: (i) => exact(model.exactSize(m, i)),
      copy: (i) => model.exactSize(m, i),
    },
    {
      key: 'share',
      name: 'Share',
      help: `Share of ${wholeName}`,
      across: 84,
      rank: share,
      text: (i) => percent(share(i)),
      node: (i) => make('span.share', bar(share(i)), percent(share(i))),
      copy: (i) => (100 * share(i)).toFixed(4),
      copyName: 'share_percent',
    },
  ];
}

const withoutColumn = (m) => ({
  key: 'without',
  name: 'Bound drops by',
  help: 'How far the bound would drop without this buffer',
  minor: true,
  prefix: 'bound drops by ',
  across: 122,
  rank: (i) => profile.dropWithout(m, i),
  text: (i) => {
    const drop = profile.dropWithout(m, i);
    return drop > 0 ? text.amount(drop) : '0';
  },
  title: (i) => `Without it, the bound is ${exact(profile.boundWithout(m, i))}`,
  copy: (i) => profile.dropWithout(m, i),
  copyName: 'bound_drops_by',
});

// What the model says about the tensor; a column that would be empty is left out.
function modelColumns(m, rows) {
  const any = (of) => rows.some((i) => of(m, i) !== '');
  const column = (key, name, across, of) => ({
    key,
    name,
    across,
    minor: true,
    text: (i) => of(m, i),
    node: (i) => text.cut(of(m, i), NAME_MOST),
    title: (i) => of(m, i),
    copy: (i) => of(m, i),
  });
  return [
    ['operator', 'Operator', 124, maker],
    ['shape', 'Shape', 104, shape],
    ['dtype', 'Type', 60, model.dtype],
  ]
    .filter(([, , , of]) => any(of))
    .map((args) => column(...args));
}

// As wide as the longest lifetime without gaps needs.
const acrossLifetime = (m) =>
  Math.max(84, 16 + 6.6 * (2 * text.grouped(Math.ceil(m.to)).length + 1));

function placeColumns(m, rows) {
  const offset = (i) => (model.isPlaced(m, i) ? model.exactOffset(m, i) : null);
  const columns = [
    {
      key: 'lifetime',
      name: 'Lifetime',
      help: 'Sorted by start',
      ascends: true,
      minor: true,
      prefix: 'time ',
      across: acrossLifetime(m),
      rank: (i) => m.first[i],
      text: (i) => lifetime(m, i),
      title: (i) => text.cut(model.lifetimes(m, i), 400),
      copy: (i) => model.lifetimes(m, i).replaceAll(',', ' '),
    },
    {
      key: 'offset',
      name: 'Offset',
      ascends: true,
      minor: true,
      prefix: 'at ',
      across: 84,
      rank: (i) => m.offset[i],
      text: (i) => (offset(i) === null ? 'none' : text.amount(offset(i))),
      title: (i) => (offset(i) === null ? null : `${exact(offset(i))}, ${text.hex(offset(i))}`),
      copy: (i) => offset(i) ?? '',
    },
    {
      key: 'duration',
      name: 'Duration',
      help: 'Units of time that it is alive for',
      minor: true,
      prefix: 'alive for ',
      across: 76,
      rank: (i) => duration(m, i),
      text: (i) => text.grouped(duration(m, i)),
      copy: (i) => duration(m, i),
    },
  ];
  if (rows.some((i) => model.alignment(m, i) !== null))
    columns.push({
      key: 'alignment',
      name: 'Alignment',
      minor: true,
      prefix: 'aligned to ',
      across: 84,
      rank: (i) => Number(model.alignment(m, i) ?? 1),
      text: (i) => text.grouped(model.alignment(m, i) ?? 1),
      copy: (i) => model.alignment(m, i) ?? 1,
    });
  if (m.pools.length > 0)
    columns.push({
      key: 'pool',
      name: 'Pool',
      minor: true,
      across: 80,
      text: (i) => model.pool(m, i) ?? '',
      copy: (i) => model.pool(m, i) ?? '',
    });
  return columns;
}

// The most important first, because a panel shows as many as it has room for.
const ORDER =
  'name size offset lifetime operator shape dtype share without duration alignment pool';

export function columns(m, rows, whole, wholeName) {
  const all = [
    nameColumn(m),
    ...sizeColumns(m, whole, wholeName),
    ...modelColumns(m, rows),
    ...(profile.knowsWithout(m) ? [withoutColumn(m)] : []),
    ...placeColumns(m, rows),
  ];
  return ORDER.split(' ').flatMap((wanted) => all.filter(({key}) => key === wanted));
}

const PATH_MOST = 12; // parts

// "model/layer1.conv/out" is in "model/", there in "layer1.", and there in "conv/".
const pathOf = (name) => (name.match(/[^/.]*[/.]/g) ?? ['']).slice(0, PATH_MOST);

export function groupings(m, rows) {
  const list = {};
  if (rows.some((i) => model.kind(m, i)))
    list.kind = {label: 'By operator', of: (i) => model.kind(m, i), none: 'no operator'};
  const byName = colour.byName(m);
  list.name = {label: 'By name', of: byName, none: 'other names'};
  if (rows.some((i) => model.dtype(m, i)))
    list.dtype = {label: 'By type', of: (i) => model.dtype(m, i), none: 'no type'};
  list.path = {label: 'By path', of: (i) => pathOf(model.name(m, i)), none: 'no path'};
  return list;
}

const peakOf = (m) => m.pools.reduce((sum, {peak}) => sum + peak, 0) || m.peak;

// ------------------------------------------------------------ the tab with all buffers

const isOpen = () => !byId('page-buffers').hidden;

// Fills the tab if it is open, once for each layout.
export function page(app) {
  if (!isOpen()) return;
  const {m} = app;
  if (all.filled !== m || all.placed !== m.custom) {
    const rows = sort.upTo(m.count),
      whole = peakOf(m);
    all.filled = m;
    all.placed = m.custom;
    table.fill(all, {
      rows,
      columns: columns(m, rows, whole, 'the peak'),
      groupings: groupings(m, rows),
      whole: 0,
      wholeName: '',
    });
  } else table.lay(all);
  table.follow(all);
}

export function listen(app) {
  all = table.create(app, {label: 'All buffers', sort: {key: 'size', down: true}});
  table.remember(all, 'buffers');
  byId('page-buffers').replaceChildren(all.box);
}

export const has = (i) => isOpen() && table.has(all, i);
export const follow = () => isOpen() && table.follow(all);
