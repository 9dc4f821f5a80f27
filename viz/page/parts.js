// SPDX-License-Identifier: GPL-3.0-or-later
// Building blocks of the panel.  Text is always inserted as text, never as HTML.
export const byId = (id) => document.getElementById(id);

// The children to show: lists are flattened, and null is left out.
const shown = (children) => children.flat().filter((child) => child !== null);

// make('p.note', {id: 'x'}, 'text', node, ...): classes and attributes may be missing.
export function make(tag, ...children) {
  const [name, ...classes] = tag.split('.'),
    node = document.createElement(name),
    attributes = children[0]?.constructor === Object ? children.shift() : {};
  if (classes.length > 0) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) node.setAttribute(key, value === true ? '' : value);
  node.append(...shown(children));
  return node;
}

// Gives the node with an id new children.
export const fill = (id, ...children) => byId(id).replaceChildren(...shown(children));

const LINK_NAME = 120;

export const button = (words, act, attributes = {}) =>
  make('button', {type: 'button', onclick: act, ...attributes}, words);

// A button that stays pressed while something is on.
export const toggle = (words, isOn, act, attributes = {}) =>
  button(words, act, {'aria-pressed': String(isOn), ...attributes});

// A button that looks like a link.  hover(true) is called when the pointer comes, hover(false)
// when it goes.
export const action = (words, title, act, hover = () => undefined) =>
  button(words, act, {
    class: 'link',
    title,
    onmouseenter: () => hover(true),
    onmouseleave: () => hover(false),
  });

// A button that selects a buffer.
export const link = (app, i) =>
  action(
    model.label(app.m, i, LINK_NAME),
    `Select ${text.cut(model.name(app.m, i), 300)}`,
    () => app.select(i, {show: true}),
    (on) => app.setHover(on ? i : null),
  );

export const momentLink = (app, words, t) =>
  action(words, 'Set the time cursor there', () => app.setCursor(t));

// A table with rows of cells, each a node or words, below a head of words.  The class `number`, for
// columns in `numbers`, aligns them to the right.
export function tableOf(kind, head, rows, numbers = []) {
  const attributes = (k, more) => (numbers.includes(k) ? {...more, class: 'number'} : more);
  return make(
    'table',
    {class: `plain ${kind}`},
    make(
      'thead',
      make(
        'tr',
        ...head.map((words, k) =>
          words ? make('th', attributes(k, {scope: 'col'}), words) : make('td'),
        ),
      ),
    ),
    make(
      'tbody',
      ...rows.map((cells) =>
        make(
          'tr',
          ...cells.map((cell, k) =>
            cell instanceof HTMLTableCellElement ? cell : make('td', attributes(k, {}), cell),
          ),
        ),
      ),
    ),
  );
}

export const bytes = (value) =>
  make('span.bytes', {title: text.amountTitle(value)}, text.amount(value));

// A number of bytes in the form that the switch selects, followed by the other form.
export const amounts = (value) => [
  text.amount(value),
  make('small', text.exact() ? text.hex(value) : `${text.grouped(value)} bytes`),
];

// An offset in both forms.
export const offsets = (value, base = null) => {
  const exactly = text.offsetExactly(value, base);
  return text.exact()
    ? [exactly, make('small', text.bytes(value))]
    : [text.bytes(value), make('small', exactly)];
};

export function bar(share) {
  const inner = make('i');
  inner.style.width = `${Math.min(100, 100 * share)}%`;
  return make('span.bar', {'aria-hidden': 'true'}, inner);
}

// Rows of [term, value...]; rows without values are left out.
export function pairs(rows) {
  const list = make('dl.pairs');
  for (const [term, ...values] of rows)
    if (values.length > 0) list.append(make('dt', term), make('dd', ...values));
  return list;
}

const LIST_FIRST = 100,
  LIST_MORE = 400;

// A list that shows its first rows and a button for more, because nobody reads a hundred
// thousand.
export function long(items, row, label, tag = 'ul') {
  const list = make(tag, {class: 'rows', 'aria-label': label}),
    box = make('div', list);
  let shown = 0;
  const more = (count) => {
    const stop = Math.min(items.length, shown + count);
    for (; shown < stop; shown++) list.append(row(items[shown], shown));
    box.querySelector(':scope > .more')?.remove();
    if (shown < items.length)
      box.append(
        button(`${text.grouped(items.length - shown)} more`, () => more(LIST_MORE), {
          class: 'more',
        }),
      );
  };
  more(LIST_FIRST);
  return box;
}

// A row with a buffer and its size.
export const bufferRow = (app, i) => make('li', link(app, i), bytes(model.exactSize(app.m, i)));

// A box that calls act(isOn) when it is ticked or cleared.
export function checkBox(id, words, isOn, act) {
  const box = make('input', {type: 'checkbox', id, onchange: () => act(box.checked)});
  box.checked = isOn;
  return make('label.check', box, words);
}

// Fills a <select> with pairs [value, words].
export const offer = (field, choices) =>
  field.replaceChildren(...choices.map(([value, words]) => make('option', {value}, words)));

// A <select> of pairs [value, words] that calls act(value) when another one is chosen.
export function choice(choices, value, act, attributes = {}) {
  const field = make('select', {...attributes, onchange: () => act(field.value)});
  offer(field, choices);
  field.value = value;
  return field;
}

async function toClipboard(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    const field = make('textarea.unseen');
    field.value = words;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

// A button that copies what take() returns, words and what they are.
export function copier(app, name, take) {
  const node = button(name, async () => {
    const [words, what] = take(),
      done = await toClipboard(words);
    node.textContent = done ? 'Copied' : 'Not allowed';
    app.announce(done ? `${what} copied` : 'Copying is not allowed');
    setTimeout(() => (node.textContent = name), 1500);
  });
  return node;
}

// The row that a key moves to from row `now` of a list; undefined if the key does not move.
export function rowAfter(event, now, page, last) {
  const to = {
    ArrowDown: now + 1,
    ArrowUp: now - 1,
    PageDown: now + page,
    PageUp: now - page,
    Home: 0,
    End: last,
  }[event.key];
  return to === undefined ? to : Math.max(0, Math.min(last, to));
}

export const heading = (string, count) =>
  make('h3', string, count === undefined ? '' : make('span.count', text.grouped(count)));

// A list below its heading.
export const listed = (title, items, row) => [
  heading(title, items.length),
  long(items, row, title),
];

export const note = (...children) => make('p.note', ...children);

// The colour that the layout uses for the subject of a heading.
export const key = (kind) => make('i', {class: `key ${kind}`, 'aria-hidden': 'true'});
