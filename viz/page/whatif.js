// SPDX-License-Identifier: GPL-3.0-or-later
// What if a buffer were not there, or had another size or lifetime?  The tab shows the bound at
// once, and a command that plans the changed problem.  A bound needs no planner: it is the most
// bytes alive at one moment.
const {byId, make, button, pairs, heading, note, amounts} = parts;
const MOST = 100; // changes
const edits = new Map(); // of buffers: null if it is taken away, otherwise {size, start, end}
let capacity = '', // as typed
  curve = null, // {times, live, most, at} after the changes, while there are any
  planner = null; // the window of a page that plans (examples/browser), if it shows this one

// ------------------------------------------------------------ the changed problem

// The ranges of buffer i; only those of one range can change.
const rangesOf = (m, i) =>
  Array.from(model.rectsOf(m, i), (r) => ({start: m.rectStart[r], end: m.rectEnd[r]}));

const hasOne = (m, i) => model.rectsOf(m, i).length === 1;

const asIs = (m, i) => ({size: m.size[i], start: m.first[i], end: m.last[i]});

function changesOf(m, i, edit) {
  const was = rangesOf(m, i),
    now = edit && hasOne(m, i) ? [edit] : was;
  const part =
    (bytes) =>
    ({start, end}) => ({start, end, bytes});
  return [...was.map(part(-m.size[i])), ...(edit ? now.map(part(edit.size)) : [])];
}

function recompute({m}) {
  const changes = [...edits].flatMap(([i, edit]) => changesOf(m, i, edit));
  curve = edits.size > 0 ? profile.changed(m, changes) : null;
}

// The curve of live bytes after the changes, or null.
export const changed = () => curve;

function put(app, i, edit) {
  const usual = asIs(app.m, i);
  if (edit && Object.keys(usual).every((key) => usual[key] === edit[key])) edits.delete(i);
  else if (edits.size < MOST || edits.has(i)) edits.set(i, edit);
  recompute(app);
  refresh(app);
}

function clear(app) {
  edits.clear();
  recompute(app);
  page(app);
}

// ------------------------------------------------------------ the command

const shell = (words) =>
  /^[\w./][\w./-]*$/.test(words) ? words : `'${words.replaceAll("'", `'\\''`)}'`;

// The name of this page's file, which holds the problem.
function fileOf({m}) {
  const last = location.protocol === 'about:' ? '' : location.pathname.split('/').pop();
  return last ? decodeURIComponent(last) : save.fileName(m, 'html');
}

// The name of buffer i as a cell of CSV.
const cellOf = (m, i) => text.cell(model.name(m, i));

// A change as a command of sed: names are in the first column, then start, end and size.
function sedOf(m, [i, edit]) {
  const pattern = cellOf(m, i).replace(/[[\]\\.*^$/]/g, '\\$&');
  if (edit === null) return `/^${pattern},/d`;
  const {size, start, end} = edit;
  return hasOne(m, i)
    ? `s/^\\(${pattern}\\),[^,]*,[^,]*,[^,]*/\\1,${start},${end},${size}/`
    : `s/^\\(${pattern},[^,]*,[^,]*\\),[^,]*/\\1,${size}/`;
}

// The line that plans the changed problem.
export function command(app) {
  const {m} = app,
    bytes = table.bytesOf(capacity),
    limit = bytes ? ` --capacity ${Math.round(bytes)}` : '',
    file = fileOf(app),
    input = shell(file.startsWith('-') ? `./${file}` : file);
  if (edits.size === 0) return `neap plan ${input} --replan${limit}`;
  const sed = [...edits].map((one) => `-e ${shell(sedOf(m, one))}`).join(' ');
  return `neap convert ${input} --replan --format csv -o - | sed ${sed} | neap plan -${limit}`;
}

// Asks the page around this one to plan the changed problem.
function planHere({m}) {
  const changes = [...edits].map(([i, edit]) => ({
    cell: cellOf(m, i),
    size: edit?.size ?? null,
    ...(edit && hasOne(m, i) ? {start: edit.start, end: edit.end} : {}),
  }));
  planner.postMessage({changes, capacity: Math.round(table.bytesOf(capacity) || 0)}, '*');
}

// ------------------------------------------------------------ the tab

const isOpen = () => !byId('page-whatif').hidden;

// Relations let buffers share bytes, and pools have bounds of their own: their sums say nothing
// here.  The command plans the problem of the page, which another plan may not be of.
const isOffered = ({m, page: {first}}) =>
  m.first === first && profile.knowsWithout(m) && m.pools.length === 0 && m.count > 0;

function verdict(bound) {
  const bytes = table.bytesOf(capacity);
  if (bytes === null) return 'not a number of bytes';
  if (bytes === 0) return '';
  return bound > bytes
    ? `cannot fit: ${text.amount(bound - bytes)} too small`
    : `may fit: ${text.amount(bytes - bound)} above the bound`;
}

function figures(app) {
  const {m} = app,
    bound = curve ? curve.most : m.bound,
    by = bound - m.bound;
  const change = by === 0 ? 'unchanged' : `${by < 0 ? '−' : '+'}${text.amount(Math.abs(by))}`;
  return pairs([
    ['Bound now', ...amounts(m.bound)],
    ['Bound then', ...amounts(bound), ' ', make('b', edits.size > 0 ? change : '')],
    curve
      ? ['Reached at', parts.momentLink(app, `time ${text.grouped(curve.at)}`, curve.at)]
      : ['Reached at'],
    capacity ? ['Capacity', verdict(bound)] : ['Capacity'],
  ]);
}

// What a change does, in words.
function editText(m, [i, edit]) {
  if (edit === null) return 'taken away';
  const was = asIs(m, i),
    time = ({start, end}) => `${text.grouped(start)}–${text.grouped(end)}`;
  return [
    edit.size === was.size ? '' : `${text.amount(was.size)} → ${text.amount(edit.size)}`,
    time(edit) === time(was) ? '' : `time ${time(was)} → ${time(edit)}`,
  ]
    .filter((words) => words)
    .join(', ');
}

function editRow(app, one) {
  const undo = () => {
    put(app, one[0], asIs(app.m, one[0]));
    page(app);
  };
  return make(
    'li',
    parts.link(app, one[0]),
    make('span', editText(app.m, one)),
    button('Undo', undo, {'aria-label': `Undo: ${model.label(app.m, one[0], 60)}`}),
  );
}

// Fills in what a change changes; the fields keep the focus.
function refresh(app) {
  if (isOpen()) {
    parts.fill('whatif-figures', figures(app));
    parts.fill(
      'whatif-changes',
      edits.size > 0
        ? [
            heading('Changes', edits.size),
            make('ul.rows', ...[...edits].map((one) => editRow(app, one))),
            button('Undo all', () => clear(app)),
          ]
        : null,
    );
    byId('whatif-command').textContent = command(app);
  }
  app.redrawStrips();
}

function field(label, value, least, act) {
  const input = make('input', {type: 'number', min: least, step: 1, value});
  input.addEventListener(
    'input',
    () => input.value !== '' && input.validity.valid && act(Number(input.value)),
  );
  return make('label', `${label} `, input);
}

// The fields of the selected buffer.
function form(app) {
  const {m, selected: i} = app;
  if (i === null)
    return [note('Select a buffer to take it away or to change its size or lifetime.')];
  const now = () => edits.get(i) ?? asIs(m, i),
    {size, start, end} = now(),
    change = (part) => (value) => {
      const next = {...now(), [part]: value};
      if (next.start < next.end) put(app, i, next);
    };
  const away = edits.get(i) === null;
  const turn = () => {
    put(app, i, away ? asIs(m, i) : null);
    page(app);
  };
  const times = hasOne(m, i)
    ? [field('From', start, 0, change('start')), field('to', end, 0, change('end'))]
    : [];
  return [
    make('h2.name', parts.key('select'), make('bdi', model.name(m, i))),
    make(
      'div.modes',
      away ? null : [field('Size', size, 0, change('size')), ...times],
      button(away ? 'Put it back' : 'Take it away', turn),
    ),
  ];
}

function capacityField(app) {
  const set = (words) => {
    capacity = words;
    refresh(app);
  };
  return make(
    'label',
    'Capacity ',
    table.bytesField(capacity, set, {placeholder: 'such as 64K', size: 10}),
  );
}

// Fills the tab if it is open; hides it where there is no bound to compute.
export function page(app) {
  byId('tab-whatif').hidden = !isOffered(app);
  if (!isOpen()) return;
  parts.fill(
    'page-whatif',
    make('div', {id: 'whatif-figures', role: 'status'}),
    make('div.modes', capacityField(app)),
    ...form(app),
    make('div', {id: 'whatif-changes'}),
    heading('Plan it'),
    make('pre.command', {tabindex: '0'}, make('code', {id: 'whatif-command'})),
    planner ? button('Plan it here', () => planHere(app)) : null,
    parts.copier(app, 'Copy as command', () => [command(app), 'Command']),
    note('Run it in the folder of this page. Fixed offsets are dropped.'),
  );
  refresh(app);
}

// Another plan is shown: changes belong to the numbers of its buffers.
export function reset(app) {
  edits.clear();
  recompute(app);
}

// ------------------------------------------------------------ in the drawing

// Outlines what is changed; `outline` draws one.
export function over(app, c, outline) {
  if (edits.size === 0 || app.isSecond) return;
  for (const i of edits.keys()) outline(app, c, i, app.look.bound, 2.5, {dash: [2, 3]});
}

export const marks = ({look}) =>
  edits.size > 0
    ? [
        ['changed, what if', 'box dotted', look.bound],
        ['live bytes, what if', 'line dotted', look.bound],
      ]
    : [];

// ------------------------------------------------------------ the address

const encoded = (m) =>
  JSON.stringify(
    [...edits].map(([i, edit]) => [
      address.nameOf(m, i),
      ...(edit ? [edit.size, edit.start, edit.end] : []),
    ]),
  );

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

function take(m, words) {
  edits.clear();
  for (const [name, size, start, end] of JSON.parse(words).slice(0, MOST)) {
    const i = address.numberOf(m, name);
    if (i === null) continue;
    if (size === undefined) edits.set(i, null);
    else if ([size, start, end].every(isCount) && start < end) edits.set(i, {size, start, end});
  }
}

export function listen(app) {
  addEventListener('message', ({source, data}) => {
    if (source !== parent || source === window || data !== 'neap plans here') return;
    planner = source;
    page(app);
  });
  address.field('what-if', {
    get: () => (edits.size > 0 ? encoded(app.m) : null),
    set: (words) => {
      if (isOffered(app)) take(app.m, words ?? '[]');
      recompute(app);
      page(app);
      refresh(app);
    },
    turn: 1,
  });
  address.field('what-if-capacity', {
    get: () => capacity || null,
    set: (words) => {
      capacity = words ?? '';
      page(app);
    },
    turn: 1,
  });
}
