// Columns and groups for tables of buffers; and the tab with all buffers.
const {make} = parts;
let all = null; // the table

export const shape = (m, i) => model.shape(m, i)?.join('x') ?? '';

// "CONV_2D conv1": the type and the name of the operator that makes a buffer.
export function maker(m, i) {
  const at = operators.maker(m, i);
  return at === null ? model.kind(m, i) : operators.title(m, at);
}

// Everything that a filter searches, one item per line.
export const words = (m, i) =>
  [model.name(m, i), maker(m, i), model.dtype(m, i), shape(m, i), `#${i}`].join('\n');

const NAME_MOST = 160;

// The first lifetime of a buffer, and the number of further ones.
function lifetime(m, i) {
  const [r, ...more] = model.rectsOf(m, i),
    first = `${text.grouped(m.rectStart[r])}–${text.grouped(m.rectEnd[r])}`;
  return more.length > 0 ? `${first} +${more.length}` : first;
}

const duration = (m, i) => (m.durations ??= quantities.durations(m))[i];

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const exact = (value) => `${text.grouped(value)} bytes`;

// The width of the longest number of bytes: "1023.99 KiB", or all of its digits.
export function acrossBytes({peak, bound, ceiling}) {
  const most = Math.max(peak, bound, ceiling),
    longest = text.amount(Math.round(most)).length;
  return table.acrossDigits(text.exact() || most < 1024 ? longest : '1023.99 KiB'.length);
}

// A column, which by default moves to the second line of a narrow table, and is copied with the
// values by which it is sorted.
const column = (key, name, across, more) => ({
  key,
  name,
  across,
  minor: true,
  copy: more.rank ?? more.text,
  ...more,
});

const numberColumn = (m) =>
  column('number', '#', table.acrossDigits(`##${m.count}`.length), {
    minor: m.count > 1e5, // numbers this long leave no room for names
    help: 'The number of the buffer in the input',
    ascends: true,
    rank: (i) => i,
    text: (i) => `#${i}`,
    copy: (i) => i,
  });

function sizeColumn(m) {
  return column('size', 'Size', acrossBytes(m), {
    minor: false,
    sums: '',
    rank: (i) => m.size[i],
    text: (i) => text.amount(m.size[i]),
    title: (i) => exact(model.exactSize(m, i)),
    copy: (i) => model.exactSize(m, i),
  });
}

function shareColumn(m, whole, wholeName) {
  const share = (i) => (whole > 0 ? m.size[i] / whole : 0);
  return column('share', 'Share', table.acrossDigits('100.0 %'.length) + 36, {
    minor: false,
    help: `Share of ${wholeName}`,
    rank: share,
    text: (i) => percent(share(i)),
    node: (i) => make('span.share', parts.bar(share(i)), percent(share(i))),
    copy: (i) => (100 * share(i)).toFixed(4),
    copyName: 'share_percent',
  });
}

function withoutColumn(m) {
  const drop = (i) => profile.dropWithout(m, i);
  return column('without', 'Bound drops by', Math.max(122, acrossBytes(m)), {
    help: 'How far the bound would drop without this buffer',
    prefix: 'bound drops by ',
    rank: drop,
    text: (i) => (drop(i) > 0 ? text.amount(drop(i)) : '0'),
    title: (i) => `Without it, the bound is ${exact(profile.boundWithout(m, i))}`,
    copyName: 'bound_drops_by',
  });
}

const LOOKED_AT = 5000; // rows

function acrossShape(m, rows) {
  const longest = rows
    .subarray(0, LOOKED_AT)
    .reduce((most, i) => Math.max(most, shape(m, i).length), 0);
  return Math.max(84, table.acrossDigits(Math.min(40, longest)));
}

// Columns for the tensors of the model; a column that would be empty is left out.
function modelColumns(m, rows) {
  const list = [
    ['operator', 'Operator', 124, maker],
    ['shape', 'Shape', 84, shape],
    ['dtype', 'Type', 60, model.dtype],
  ];
  return list
    .filter(([, , , of]) => rows.some((i) => of(m, i) !== ''))
    .map(([key, name, across, of]) => {
      const words = (i) => of(m, i);
      return column(key, name, key === 'shape' ? acrossShape(m, rows) : across, {
        text: words,
        node: (i) => text.cut(words(i), NAME_MOST),
        title: words,
      });
    });
}

// The width of the longest lifetime.
function acrossLifetime(m) {
  const time = text.grouped(Math.ceil(m.to)).length,
    more = m.rectCount > m.count ? ' +99'.length : 0;
  return Math.max(84, table.acrossDigits(2 * time + 1 + more));
}

function placeColumns(m) {
  const offset = (i) => (model.isPlaced(m, i) ? model.exactOffset(m, i) : null);
  return [
    column('offset', 'Offset', acrossBytes(m), {
      ascends: true,
      prefix: 'at ',
      rank: (i) => m.offset[i],
      text: (i) => (offset(i) === null ? 'none' : text.amount(offset(i))),
      title: (i) => (offset(i) === null ? null : `${exact(offset(i))}, ${text.hex(offset(i))}`),
      copy: (i) => offset(i) ?? '',
    }),
    column('lifetime', 'Lifetime', acrossLifetime(m), {
      help: 'Sorted by start',
      ascends: true,
      prefix: 'time ',
      rank: (i) => m.first[i],
      text: (i) => lifetime(m, i),
      title: (i) => text.cut(model.lifetimes(m, i), 400),
      copy: (i) => model.lifetimes(m, i).replaceAll(',', ' '),
    }),
  ];
}

const acrossDuration = (m) =>
  Math.max(84, table.acrossDigits(text.grouped(Math.ceil(m.to - m.from)).length));

// The last columns, for which most tables have no room.
function lastColumns(m, rows) {
  const alignment = (i) => model.alignment(m, i) ?? 1,
    list = [
      column('duration', 'Duration', acrossDuration(m), {
        help: 'Units of time that it is alive for',
        prefix: 'alive for ',
        rank: (i) => duration(m, i),
        text: (i) => text.grouped(duration(m, i)),
      }),
    ];
  if (rows.some((i) => model.alignment(m, i) !== null))
    list.push(
      column('alignment', 'Alignment', 84, {
        prefix: 'aligned to ',
        rank: (i) => Number(alignment(i)),
        text: (i) => text.grouped(alignment(i)),
      }),
    );
  if (m.pools.length > 0)
    list.push(column('pool', 'Pool', 80, {text: (i) => model.pool(m, i) ?? ''}));
  return list;
}

// The columns, the most important first, because a panel shows as many as it has room for.
export const columns = (m, rows, whole, wholeName) => [
  column('name', 'Name', 0, {
    minor: false,
    grows: true,
    text: (i) => model.shortName(m, i),
    node: (i, room) => make('bdi.name', model.label(m, i, room)),
    title: (i) => text.cut(model.name(m, i), 400),
    copy: (i) => model.name(m, i),
  }),
  numberColumn(m),
  sizeColumn(m),
  ...placeColumns(m),
  ...modelColumns(m, rows),
  shareColumn(m, whole, wholeName),
  ...(profile.knowsWithout(m) ? [withoutColumn(m)] : []),
  ...lastColumns(m, rows),
];

const PATH_MOST = 12; // parts

// The path of a name: "model/layer1.conv/out" is in "model/", then "layer1.", then "conv/".
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

// Fills the tab if it is open, once for each layout.
export function page(app) {
  if (!table.isOpen(all)) return;
  const {m} = app;
  if (all.filled !== m || all.placed !== m.custom || all.exact !== text.exact()) {
    const rows = sort.upTo(m.count),
      whole = peakOf(m);
    all.filled = m;
    all.placed = m.custom;
    all.exact = text.exact();
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
  parts.fill('page-buffers', all.box);
}

export const has = (i) => table.has(all, i);
export const follow = () => table.follow(all);
