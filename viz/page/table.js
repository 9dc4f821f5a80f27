// SPDX-License-Identifier: GPL-3.0-or-later
// A table of buffers that can be sorted by every column, filtered and grouped, and that stays quick
// with a million rows: rows are buffer numbers in typed arrays, and only those in view have nodes.
//
// From all buffers of the table to the lines: `rows` (given) > `sorted` > `kept` by the filter >
// `lines`, which include headings of groups: heading g is the line -1 - g.
const {make} = parts;
const LINE = 26,
  TWO_LINES = 44,
  HEAD = 30; // pixels
const NARROW = 520; // pixels: a narrower table has its minor columns in a second line
const TALLEST = 8e6; // pixels: browsers limit the height of a node
const DEEPER = 14, // pixels by which a group is indented in the group around it
  SPARE = 6, // lines beyond the view
  NAME_ACROSS = 170,
  PADDING = 16, // pixels left and right of a cell together
  GLYPH = 6.4, // pixels across, on average
  SLICE = 12, // ms of work between two tasks of the page
  CHECKED = 2048; // buffers between two looks at the clock
let made = 0,
  digit = 0; // pixels across

// The width in pixels of a cell with this many digits.
export function acrossDigits(count) {
  if (digit === 0) {
    const c = document.createElement('canvas').getContext('2d');
    c.font = `12px ${colour.css('--font')}`;
    digit = c.measureText('0').width;
  }
  return Math.ceil(PADDING + count * digit);
}

// ------------------------------------------------------------ filter

const UNITS = {'': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4};

// "1M", "1.5 MiB", "640": a number of bytes, 0 for nothing, or null for anything else.
export function bytesOf(words) {
  const parsed = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*$/i.exec(words);
  if (words.trim() === '') return 0;
  return parsed ? Number(parsed[1]) * UNITS[parsed[2].toLowerCase()] : null;
}

// Whether a buffer has all the words in its name, its operator, its type or its shape.
function tester(t) {
  const {m} = t.app,
    least = bytesOf(t.least) ?? 0;
  const patterns = t.filter
    .trim()
    .split(/\s+/)
    .filter((word) => word)
    .map((word) => new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i'));
  return (i) => {
    if (m.size[i] < least) return false;
    const words = patterns.length > 0 ? buffers.words(m, i) : '';
    return patterns.every((pattern) => pattern.test(words));
  };
}

// ------------------------------------------------------------ from buffers to lines

const columnOf = (t, key) => t.columns.find((column) => column.key === key);

function keysOf(t, column) {
  if (column.rank) return Float64Array.from(t.rows, (i) => column.rank(i));
  return sort.ranks(Array.from(t.rows, (i) => column.text(i)));
}

function arrange(t) {
  const column = columnOf(t, t.sort.key) ?? t.columns[0];
  const keys = (t.keys[column.key] ??= keysOf(t, column));
  t.sorted = sort.pick(t.rows, sort.by(keys, {down: t.sort.down}));
}

// The columns with values that add up, for the headings of groups.
const summed = (t) => t.columns.filter(({sums}) => sums !== undefined);

const groupOf = (name, key, sums) => ({
  name,
  key,
  depth: 0,
  sums: new Float64Array(sums),
  count: 0,
  rows: [],
  inner: new Map(),
});

// The groups of the kept rows: a tree, if a grouping returns the parts of a path instead of a name.
function gather(t) {
  const pathOf = t.groupings[t.group]?.of,
    columns = summed(t),
    root = groupOf('', '', columns.length);
  t.groups = [];
  if (!pathOf) return;
  for (const i of t.kept) {
    const values = columns.map(({rank}) => rank(i));
    let at = root;
    for (const name of [pathOf(i)].flat()) {
      let next = at.inner.get(name);
      if (!next) at.inner.set(name, (next = groupOf(name, at.key + name, values.length)));
      at = next;
      at.count++;
      values.forEach((value, k) => (at.sums[k] += value));
    }
    at.rows.push(i);
  }
  const add = (group, depth) => {
    for (const one of ordered(t, group)) {
      t.groups.push(Object.assign(shorten(one), {depth}));
      add(one, depth + 1);
    }
  };
  add(root, 0);
}

// The groups in a group, sorted like the rows: by name or by a sum, otherwise the largest first.
function ordered(t, {inner}) {
  const {key, down} = t.sort,
    at = summed(t).findIndex((column) => column.key === key),
    turn = at >= 0 && !down ? -1 : 1,
    byName = (a, b) => (sort.natural(a.name) < sort.natural(b.name) ? -1 : 1);
  const list = [...inner.values()];
  if (key === 'name') return list.sort((a, b) => (down ? byName(b, a) : byName(a, b)));
  return list.sort(
    (a, b) => turn * (b.sums[Math.max(0, at)] - a.sums[Math.max(0, at)]) || byName(a, b),
  );
}

// Replaces a group that contains only one other group by this: "model/" and "encoder/" become
// "model/encoder/".
function shorten(group) {
  while (group.rows.length === 0 && group.inner.size === 1) {
    const [only] = group.inner.values();
    const {key, rows, inner} = only;
    Object.assign(group, {name: group.name + only.name, key, rows, inner});
  }
  return group;
}

const isUnfolded = (t, {key}) => !t.closed.has(key);

function unfold(t) {
  if (t.groups.length === 0) {
    t.lines = t.kept;
    return;
  }
  const lines = [];
  let depth = Infinity; // lines below this depth are in a closed group
  t.groups.forEach((group, g) => {
    if (group.depth > depth) return;
    lines.push(-1 - g);
    depth = isUnfolded(t, group) ? Infinity : group.depth;
    if (isUnfolded(t, group)) for (const i of group.rows) lines.push(i);
  });
  t.lines = Int32Array.from(lines);
}

const isWhole = (t) => t.filter.trim() === '' && !bytesOf(t.least);

export function lay(t) {
  gather(t);
  unfold(t);
  t.active = Math.max(0, Math.min(t.active, t.lines.length - 1));
  t.where = null;
  t.summary.textContent = totals(t);
  t.box.classList.toggle('grouped', t.groups.length > 0);
  measure(t);
  paint(t);
}

// Calls step(k) for all k < count, a few milliseconds at a time, then done().  Returns a function
// that stops it.
function inSlices(count, step, done) {
  let k = 0,
    waiting = 0;
  const run = () => {
    const end = performance.now() + SLICE;
    while (k < count && performance.now() < end)
      for (const stop = Math.min(count, k + CHECKED); k < stop; k++) step(k);
    if (k < count) waiting = setTimeout(run);
    else done();
  };
  run();
  return () => clearTimeout(waiting);
}

// Filters long lists in slices; the earlier rows are shown until the last slice is done.
function sift(t) {
  t.stop?.();
  if (isWhole(t)) {
    t.kept = t.sorted;
    return lay(t);
  }
  const test = tester(t),
    kept = new Uint32Array(t.sorted.length);
  let count = 0;
  t.stop = inSlices(
    t.sorted.length,
    (k) => {
      const i = t.sorted[k];
      if (test(i)) kept[count++] = i;
    },
    () => {
      t.kept = kept.slice(0, count);
      lay(t);
    },
  );
}

const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);

function totals(t) {
  const {m} = t.app,
    all = t.rows.length,
    some = t.kept.length,
    size = (i) => m.size[i],
    bytes = sum(t.kept, size);
  const {live} = t,
    count = text.plural(all, 'buffer'),
    kept = text.amount(bytes),
    share = t.whole > 0 ? `, ${text.percent((live ?? bytes) / t.whole)} of ${t.wholeName}` : '';
  if (!isWhole(t))
    return (
      `${text.grouped(some)} of ${count}, ${kept} of ${text.amount(sum(t.rows, size))}` +
      (live === null ? share : '')
    );
  if (live === null) return `${count}, ${kept}${share}`;
  return `${count} of ${kept}, which share bytes: ${text.amount(live)}${share}`;
}

// ------------------------------------------------------------ the lines in view

const lineDown = (t) => (t.narrow ? TWO_LINES : LINE);

// Measures the scrolling box.  All lines together may be taller than a node can be; the position of
// the scroll bar then stands for a share of them.
function measure(t) {
  const {scroller} = t,
    across = scroller.clientWidth;
  if (across === 0) return;
  // If there is room, the style sheet makes the panel as wide as all columns.
  const content = sum(t.columns, ({across: own, grows}) => (grows ? NAME_ACROSS : own));
  document.body.style.setProperty('--content', `${content}px`);
  t.narrow = across < NARROW;
  t.box.classList.toggle('narrow', t.narrow);
  t.name = acrossName(t, across);
  t.room = Math.floor((t.name - PADDING) / GLYPH); // characters
  t.head = t.narrow ? 0 : HEAD;
  t.down = Math.max(1, scroller.clientHeight - t.head);
  t.tall = t.lines.length * lineDown(t);
  const node = Math.min(t.tall, TALLEST);
  t.stretch = node < t.tall ? (t.tall - t.down) / (node - t.down) : 1;
  t.body.style.height = `${node}px`;
  scroller.setAttribute('aria-rowcount', t.lines.length + 1);
  scroller.setAttribute('aria-colcount', shownColumns(t).length + (t.narrow ? 1 : 0));
  const tracks = shownColumns(t).map((one) => `${acrossOf(t, one)}px`);
  scroller.style.setProperty('--columns', tracks.join(' '));
  scroller.style.setProperty('--least', `${sum(shownColumns(t), (one) => acrossOf(t, one))}px`);
  scroller.style.setProperty('--seen', `${across}px`);
  scroller.style.setProperty('--name', `${t.name}px`);
  scroller.style.setProperty('--size', `${t.name + acrossOf(t, t.columns[1])}px`);
}

const shownColumns = (t) => t.columns.filter(({minor}) => !t.narrow || !minor);

// The column of names gets what the others leave: those of them in view at first are whole.
function acrossName(t, across) {
  let others = 0;
  for (const {grows, across: own} of shownColumns(t))
    if (!grows && (t.narrow || others + own + NAME_ACROSS <= across)) others += own;
    else if (!grows) break;
  return across - others;
}

const acrossOf = (t, {across, grows}) => (grows ? t.name : across);

const topOf = (t) => t.scroller.scrollTop * t.stretch;

function paint(t) {
  if (t.scroller.clientHeight === 0) return; // in a tab that is not open
  const one = lineDown(t),
    top = topOf(t),
    from = Math.max(0, Math.floor(top / one) - SPARE),
    to = Math.min(t.lines.length, Math.ceil((top + t.down) / one) + SPARE);
  const nodes = [];
  for (let k = from; k < to; k++) {
    const node = t.lines[k] < 0 ? heading(t, k) : row(t, k);
    node.style.transform = `translateY(${k * one - top + t.scroller.scrollTop}px)`;
    nodes.push(node);
  }
  t.body.replaceChildren(...nodes);
  const active = t.lines.length > 0 && t.active >= from && t.active < to;
  if (active) t.scroller.setAttribute('aria-activedescendant', `${t.id}-${t.active}`);
  else t.scroller.removeAttribute('aria-activedescendant');
  t.empty.hidden = t.lines.length > 0;
}

const later = (t) => (t.frame ||= requestAnimationFrame(() => ((t.frame = 0), paint(t))));

function reveal(t, k) {
  const one = lineDown(t),
    top = topOf(t);
  let there = top;
  if (k * one < top) there = k * one;
  else if ((k + 1) * one > top + t.down) there = (k + 1) * one - t.down;
  if (there !== top) t.scroller.scrollTop = there / t.stretch;
  paint(t);
}

const lineAttributes = (t, k, kind) => ({
  role: 'row',
  id: `${t.id}-${k}`,
  class: `${kind}${k === t.active ? ' active' : ''}`,
  'data-line': k,
  'aria-rowindex': k + 2,
});

function heading(t, k) {
  const group = t.groups[-1 - t.lines[k]],
    {name, depth, count, sums} = group,
    open = isUnfolded(t, group);
  return make(
    'div',
    {...lineAttributes(t, k, 'group'), 'aria-expanded': String(open), 'aria-level': depth + 1},
    make(
      'span',
      {
        role: 'gridcell',
        'aria-colspan': t.columns.length,
        style: `padding-left: ${8 + DEEPER * depth}px`,
      },
      make('i', {'aria-hidden': 'true'}, open ? '▾' : '▸'),
      make('b', {title: group.key}, text.cut(name || t.groupings[t.group].none, 60)),
      make('span.count', text.plural(count, 'buffer')),
      ...summed(t).map(({sums: words}, n) =>
        make('span', `${words}${text.amount(Math.round(sums[n]))}`),
      ),
      t.whole > 0 ? make('span.part', text.percent(sums[0] / t.whole)) : null,
    ),
  );
}

function cell(t, column, i) {
  const value = column.node?.(i, t.room) ?? column.text(i);
  return make(
    'span',
    {role: 'gridcell', class: column.rank ? 'number' : '', title: column.title?.(i) ?? null},
    value,
  );
}

// The minor columns of a narrow table: as many as fit on a line, so that none is cut.
function restOf(t, i) {
  let line = '';
  for (const {minor, prefix = '', ...column} of t.columns) {
    const words = minor ? column.text(i) : '',
      longer = `${line}${line && ' · '}${prefix}${words}`;
    if (words && acrossDigits(longer.length) <= t.scroller.clientWidth) line = longer;
  }
  return line;
}

function row(t, k) {
  const i = t.lines[k],
    self = t.app.selected === i;
  return make(
    'div',
    {...lineAttributes(t, k, self ? 'self' : ''), 'data-buffer': i, 'aria-selected': String(self)},
    ...shownColumns(t).map((column) => cell(t, column, i)),
    t.narrow ? make('span', {role: 'gridcell', class: 'rest'}, restOf(t, i)) : null,
  );
}

// ------------------------------------------------------------ the head

function caption(t, column) {
  const on = t.sort.key === column.key;
  return make(
    'span',
    {
      role: 'columnheader',
      class: column.rank ? 'number' : '',
      'aria-sort': on ? (t.sort.down ? 'descending' : 'ascending') : 'none',
    },
    make(
      'button',
      {type: 'button', title: column.help ?? null, onclick: () => sortBy(t, column.key)},
      column.name,
      make('i', {'aria-hidden': 'true'}, on ? (t.sort.down ? '▼' : '▲') : ''),
    ),
  );
}

function fillHead(t) {
  t.captions.replaceChildren(...t.columns.map((column) => caption(t, column)));
  const {sorts, turn} = t;
  parts.offer(
    sorts,
    t.columns.map(({key, name}) => [key, `by ${name.toLowerCase()}`]),
  );
  sorts.value = t.sort.key;
  turn.textContent = t.sort.down ? '▼' : '▲';
  turn.setAttribute('aria-label', t.sort.down ? 'Descending' : 'Ascending');
}

// Sorts by a column, by default with the largest number or the first text first.
function sortBy(t, key, down = null) {
  const column = columnOf(t, key),
    turned = t.sort.key === key ? !t.sort.down : Boolean(column.rank) && !column.ascends;
  t.sort = {key, down: down ?? turned};
  fillHead(t);
  arrange(t);
  sift(t);
  t.app.announce(`Sorted by ${column.name}, ${t.sort.down ? 'descending' : 'ascending'}`);
  address.changed();
}

// ------------------------------------------------------------ links to the drawing

function toggle(t, k) {
  const {key} = t.groups[-1 - t.lines[k]];
  if (!t.closed.delete(key)) t.closed.add(key);
  unfold(t);
  t.where = null;
  measure(t);
  paint(t);
}

// Selects the buffer of a row; a second time, shows what the page knows about the buffer.
function choose(t, k) {
  const i = t.lines[k];
  if (i === undefined) return;
  t.active = k;
  if (i < 0) toggle(t, k);
  else if (t.app.selected === i) panel.open('tensor', true);
  else t.app.select(i, {show: true, open: false});
  paint(t);
}

// The line of a buffer, or -1.
function lineOf(t, i) {
  if (!t.where) {
    t.where = new Int32Array(t.app.m.count).fill(-1);
    t.lines.forEach((line, k) => line >= 0 && (t.where[line] = k));
  }
  return t.where[i] ?? -1;
}

// Whether the tab of a table is open.
export const isOpen = (t) => !t.box.closest('section').hidden;

// Marks the selected buffer and brings its row into view, if the tab is open.
export function follow(t) {
  if (!isOpen(t)) return undefined;
  const {selected} = t.app,
    k = selected === null ? -1 : lineOf(t, selected);
  if (k < 0) return paint(t);
  t.active = k;
  return reveal(t, k);
}

function onKey(t, event) {
  const page = Math.max(1, Math.floor(t.down / lineDown(t)) - 1),
    last = t.lines.length - 1;
  const {key} = event,
    line = t.lines[t.active],
    to = parts.rowAfter(event, t.active, page, last);
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== t.scroller || last < 0)
    return;
  if (to !== undefined) {
    t.active = to;
    reveal(t, t.active);
    t.app.setHover(t.lines[t.active] >= 0 ? t.lines[t.active] : null);
  } else if (key === 'Enter' || (key === ' ' && line < 0)) choose(t, t.active);
  else if (line < 0 && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    if ((key === 'ArrowRight') !== isUnfolded(t, t.groups[-1 - line])) toggle(t, t.active);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

// ------------------------------------------------------------ copies

const asTsv = (value) => String(value).replace(/[\t\n\r]/g, ' ');

function copied(t) {
  const columns = t.columns.filter(({copy}) => copy),
    lines = [columns.map(({copyName, key}) => copyName ?? key).join('\t')];
  for (const i of t.kept) lines.push(columns.map(({copy}) => asTsv(copy(i))).join('\t'));
  return `${lines.join('\n')}\n`;
}

// ------------------------------------------------------------ the component

// Filters a long table only once typing stops.
function filterLater(t) {
  clearTimeout(t.waiting);
  const run = () => {
    sift(t);
    address.changed();
  };
  t.waiting = setTimeout(run, t.rows.length > 20000 ? 120 : 0);
}

function fields(t) {
  const words = 'Minimum size, such as 1M or 64 KiB';
  t.leastField = make('input', {
    class: 'least',
    placeholder: 'Min size',
    'aria-label': words,
    title: words,
    size: 8,
    oninput: () => {
      t.least = t.leastField.value.trim();
      t.leastField.setAttribute('aria-invalid', String(bytesOf(t.least) === null));
      filterLater(t);
    },
  });
  t.filterField = make('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter by name, operator, type or shape',
    title: 'Name, operator, type or shape; all words must match',
    oninput: () => {
      t.filter = t.filterField.value;
      filterLater(t);
    },
  });
  return [t.filterField, t.leastField];
}

function tools(t) {
  const group = (key) => {
    t.group = key;
    t.closed.clear();
    lay(t);
    address.changed();
  };
  t.grouper = parts.choice([], '', group, {'aria-label': 'Groups', title: 'Groups with subtotals'});
  t.sorts = parts.choice([], '', (key) => sortBy(t, key), {class: 'sorts', 'aria-label': 'Sort'});
  t.turn = parts.button('', () => sortBy(t, t.sort.key, !t.sort.down), {
    class: 'sorts',
    'aria-label': 'Direction',
  });
  return make(
    'div.table-tools',
    ...fields(t),
    t.grouper,
    t.sorts,
    t.turn,
    parts.copier(t.app, 'Copy TSV', () => [copied(t), text.plural(t.kept.length, 'row')]),
  );
}

const lineAt = (event) => event.target.closest('[data-line]');

function listen(t) {
  const {scroller, app} = t;
  scroller.addEventListener('scroll', () => later(t), {passive: true});
  scroller.addEventListener('keydown', (event) => onKey(t, event));
  scroller.addEventListener('click', (event) => {
    const node = lineAt(event);
    if (node) choose(t, Number(node.dataset.line));
  });
  scroller.addEventListener('pointerover', (event) => {
    const buffer = lineAt(event)?.dataset.buffer;
    app.setHover(buffer === undefined ? null : Number(buffer));
  });
  scroller.addEventListener('pointerleave', () => app.setHover(null));
  new ResizeObserver(() => {
    const was = scroller.clientHeight > 0 && t.narrow;
    measure(t);
    if (was !== t.narrow) follow(t);
    else paint(t);
  }).observe(scroller);
}

// Creates an empty table with a label, sorted by a column.
export function create(app, {label, sort: by}) {
  const t = {
    app,
    id: `table${++made}`,
    columns: [],
    groupings: {},
    rows: new Uint32Array(0),
    sorted: new Uint32Array(0),
    kept: new Uint32Array(0),
    lines: new Int32Array(0),
    keys: {},
    groups: [],
    closed: new Set(), // groups
    group: '', // a key of `groupings`, '' for none
    filter: '',
    least: '',
    sort: by,
    active: 0,
    stretch: 1,
    live: null,
    whole: 0,
    wholeName: '',
    narrow: false,
  };
  t.captions = make('div', {role: 'row', class: 'captions', 'aria-rowindex': 1});
  t.body = make('div', {role: 'rowgroup', class: 'lines'});
  t.empty = make('p.note', {hidden: true}, 'No buffer matches.');
  t.summary = make('p.totals', {role: 'status'});
  t.scroller = make(
    'div',
    {role: 'grid', class: 'grid', tabindex: '0', 'aria-label': label},
    make('div', {role: 'rowgroup', class: 'table-head'}, t.captions),
    t.body,
  );
  t.box = make('div.table', tools(t), t.scroller, t.empty, t.summary);
  listen(t);
  return t;
}

// Gives the table its buffers.  Shares refer to `whole`, in bytes; `live` is how many bytes the
// buffers take together if they share some, otherwise null.
export function fill(t, {rows, columns, groupings, live = null, whole, wholeName}) {
  Object.assign(t, {rows, columns, groupings, live, whole, wholeName, keys: {}});
  const choices = Object.entries(groupings).map(([key, {label}]) => [key, label]);
  parts.offer(t.grouper, [['', 'No groups'], ...choices]);
  refill(t);
}

// Refills the table after a change of its buffers, or of their presentation.
function refill(t) {
  if (!columnOf(t, t.sort.key)) t.sort = {key: 'size', down: true};
  if (!t.groupings[t.group]) t.group = '';
  t.grouper.value = t.group;
  fillHead(t);
  arrange(t);
  sift(t);
}

// Keeps the sorting, filter and grouping of the table in the address, in fields that begin with
// `prefix`; writes only what differs from the default.
export function remember(t, prefix) {
  const sorting = () => `${t.sort.key}${t.sort.down ? '-' : ''}`,
    usual = sorting();
  const fields = {
    sort: {
      get: () => (sorting() === usual ? '' : sorting()),
      set: (words) => {
        const [, key, minus] = /^(\w+)(-?)$/.exec(words || usual) ?? [];
        if (key) t.sort = {key, down: minus === '-'};
      },
    },
    filter: {get: () => t.filter.trim(), set: (words) => (t.filter = t.filterField.value = words)},
    min: {get: () => t.least.trim(), set: (words) => (t.least = t.leastField.value = words)},
    group: {get: () => t.group, set: (words) => (t.group = words)},
  };
  for (const [name, {get, set}] of Object.entries(fields))
    address.field(`${prefix}-${name}`, {
      get: () => get() || null,
      set: (words) => {
        set(words ?? '');
        if (t.columns.length > 0) refill(t);
      },
    });
}

// Whether an open table has a row for buffer i.
export const has = (t, i) => isOpen(t) && lineOf(t, i) >= 0;
