// SPDX-License-Identifier: GPL-3.0-or-later
// Building blocks of the panel.  Text is always inserted as text, never as HTML.
const parts = (() => {
  const byId = (id) => document.getElementById(id);

  // make('p', {class: 'x'}, 'text', node, ...)
  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes))
      if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
      else if (value !== false && value !== null)
        node.setAttribute(key, value === true ? '' : value);
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  const LINK_NAME = 120;

  // A button that selects a buffer.
  const link = (app, i) =>
    make(
      'button',
      {
        type: 'button',
        class: 'link',
        title: `Select ${text.cut(model.name(app.m, i), 300)}`,
        onclick: () => app.select(i, {show: true}),
        onmouseenter: () => app.setHover(i),
        onmouseleave: () => app.setHover(null),
      },
      text.cut(model.name(app.m, i), LINK_NAME),
    );

  const bytes = (value) =>
    make('span', {class: 'bytes', title: text.amountTitle(value)}, text.amount(value));

  // A number of bytes in the form that the switch asks for, and the other one after it.
  const amounts = (value) => [
    text.amount(value),
    make('small', {}, text.exact() ? text.hex(value) : `${text.grouped(value)} bytes`),
  ];

  // The same for an offset.
  const offsets = (value, base = null) => {
    const exactly = text.offsetExactly(value, base);
    return text.exact()
      ? [exactly, make('small', {}, text.bytes(value))]
      : [text.bytes(value), make('small', {}, exactly)];
  };

  // Rows of [term, value...]; rows without values are left out.
  function pairs(rows) {
    const list = make('dl', {class: 'pairs'});
    for (const [term, ...values] of rows)
      if (values.length > 0) list.append(make('dt', {}, term), make('dd', {}, ...values));
    return list;
  }

  const LIST_FIRST = 100,
    LIST_MORE = 400;

  // A list that shows its first rows and a button for more, because nobody reads a hundred
  // thousand.
  function long(items, row, label, tag = 'ul') {
    const list = make(tag, {class: 'rows', 'aria-label': label}),
      box = make('div', {}, list);
    let shown = 0;
    const more = (count) => {
      const stop = Math.min(items.length, shown + count);
      for (; shown < stop; shown++) list.append(row(items[shown], shown));
      box.querySelector(':scope > .more')?.remove();
      if (shown < items.length)
        box.append(
          make(
            'button',
            {type: 'button', class: 'more', onclick: () => more(LIST_MORE)},
            `${text.grouped(items.length - shown)} more`,
          ),
        );
    };
    more(LIST_FIRST);
    return box;
  }

  const heading = (string, count) =>
    make(
      'h3',
      {},
      string,
      count === undefined ? '' : make('span', {class: 'count'}, text.grouped(count)),
    );

  const note = (...children) => make('p', {class: 'note'}, ...children);

  // The colour that the layout uses for the subject of a heading.
  const key = (kind) => make('i', {class: `key ${kind}`, 'aria-hidden': 'true'});

  return {byId, make, link, bytes, amounts, offsets, pairs, long, heading, note, key};
})();
