// SPDX-License-Identifier: GPL-3.0-or-later
// The panel: the selected tensor, the moment under the time cursor, the peak.
const panel = (() => {
  const {byId, make, link, bytes, pairs, long, heading, note} = parts;
  const TABS = ['tensor', 'time', 'peak', 'compare'];

  // ------------------------------------------------------------ tabs

  function open(name, focus = false) {
    for (const tab of TABS) {
      const on = tab === name,
        button = byId(`tab-${tab}`);
      button.setAttribute('aria-selected', String(on));
      button.tabIndex = on ? 0 : -1;
      byId(`page-${tab}`).hidden = !on;
      if (on && focus) button.focus();
    }
  }

  function listen() {
    for (const tab of TABS) byId(`tab-${tab}`).addEventListener('click', () => open(tab));
    document.querySelector('.tabs').addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      event.preventDefault();
      const there = TABS.filter((tab) => !byId(`tab-${tab}`).hidden);
      const at = there.findIndex(
        (tab) => byId(`tab-${tab}`).getAttribute('aria-selected') === 'true',
      );
      open(there[(at + step + there.length) % there.length], true);
    });
  }

  // ------------------------------------------------------------ the tensor

  const address = (value) => `${text.grouped(value)}  (${text.hex(value)})`;

  function numbers(app, i) {
    const {m} = app,
      raw = m.raw[i],
      placed = model.isPlaced(m, i);
    const low = model.exactOffset(m, i),
      size = model.exactSize(m, i);
    const rows = [
      ['Size', text.bytes(size), make('small', {}, `${text.grouped(size)} bytes`)],
      ['Lifetime', model.lifetimes(m, i)],
    ];
    if (placed) rows.push(['Offset', address(low)], ['End', address(low + size)]);
    else rows.push(['Offset', 'none in this round']);
    if (placed && m.base !== null)
      rows.push(['Addresses', `${text.hex(m.base + low)} – ${text.hex(m.base + low + size)}`]);
    rows.push(raw.hint ? ['Operator', raw.hint] : ['Operator'], [
      'Class',
      app.m.custom ? `${raw.risk} (in the plan)` : (raw.risk ?? 'none'),
    ]);
    if (raw.alignment !== undefined) rows.push(['Alignment', text.grouped(raw.alignment)]);
    if (raw.fixed_offset !== undefined) rows.push(['Fixed at', text.grouped(raw.fixed_offset)]);
    if (raw.object !== undefined)
      rows.push([
        'Object',
        `${raw.object} of ${text.bytes(app.m.plan.object_sizes?.[raw.object] ?? 0)}`,
      ]);
    return pairs(rows);
  }

  // Why it is where it is, in a sentence.
  function reason(app, i, below) {
    const {m} = app;
    if (!model.isPlaced(m, i)) return 'This round has not placed it.';
    if (m.size[i] === 0) return 'It is empty, and collides with nothing.';
    if (m.offset[i] === 0) return 'It lies at the bottom.';
    if (m.raw[i].object !== undefined)
      return `It begins where its shared object ${m.raw[i].object} begins.`;
    if (m.raw[i].fixed_offset !== undefined) return 'Its offset is fixed by the input.';
    if (below.list.length === 0) return 'Nothing that is alive with it lies below.';
    const who = text.plural(below.list.length, 'buffer');
    return below.gap > 0
      ? `The nearest below, ${who}, ends ${text.bytes(below.gap)} under it.`
      : `It rests on ${who} that ${below.list.length === 1 ? 'is' : 'are'} alive with it.`;
  }

  function step(app, {buffer, gap, others}, k) {
    const {m} = app,
      more = others > 0 ? ` +${others}` : '';
    return make(
      'li',
      {class: k === 0 ? 'self' : ''},
      make('span', {class: 'at'}, text.bytes(model.exactOffset(m, buffer))),
      k === 0 ? make('b', {}, text.cut(m.names[buffer], 80)) : link(app, buffer),
      make(
        'span',
        {class: 'bytes', title: more ? `and ${others} more beside it below` : ''},
        `${text.bytes(m.size[buffer])}${more}`,
      ),
      gap > 0 ? make('span', {class: 'gap'}, `${text.bytes(gap)} free below`) : null,
    );
  }

  const LINKS_MOST = 12;

  function neighbours(app, title, list) {
    const items = list
      .slice(0, LINKS_MOST)
      .map((i) => make('li', {}, link(app, i), bytes(model.exactSize(app.m, i))));
    if (list.length > LINKS_MOST)
      items.push(make('li', {class: 'note'}, `and ${text.grouped(list.length - LINKS_MOST)} more`));
    return [
      title,
      list.length > 0
        ? make('ul', {class: 'rows'}, ...items)
        : make('span', {class: 'note'}, 'none'),
    ];
  }

  function tensor(app) {
    const page = byId('page-tensor'),
      {m, selected: i} = app;
    if (i === null) {
      page.replaceChildren(
        note(
          m.count > 0
            ? 'Click a rectangle, search, or press n to see a tensor’s numbers, its neighbours, and what it rests on.'
            : 'This plan has no buffers.',
        ),
      );
      return;
    }
    const below = supports.below(m, i),
      above = supports.above(m, i),
      {before, after} = supports.inTime(m, i);
    const marks = supports.critical(m).seen[i] ? make('span', {class: 'badge'}, 'critical') : null;
    page.replaceChildren(
      make('h2', {class: 'name', tabindex: '0'}, make('bdi', {}, m.names[i])),
      ...(marks ? [marks] : []),
      numbers(app, i),
      make(
        'div',
        {class: 'actions'},
        make('button', {type: 'button', onclick: () => view.show(app, i, true)}, 'Zoom to it'),
        make(
          'button',
          {type: 'button', onclick: () => app.setCursor(m.first[i], {open: true})},
          'Its first moment',
        ),
      ),
      heading('Why it is here'),
      note(reason(app, i, below)),
      long(app.chain, (item, k) => step(app, item, k), 'Down to the bottom', 'ol'),
      heading('Neighbours'),
      pairs([
        neighbours(app, 'Above', above.list),
        neighbours(app, 'Below', below.list),
        neighbours(app, 'Before', before),
        neighbours(app, 'After', after),
      ]),
    );
  }

  // ------------------------------------------------------------ the moment

  function momentRow(app, row) {
    const size = row.high - row.low;
    const body = row.hole ? [make('span', {class: 'hole'}, 'free')] : [link(app, row.buffer)];
    const current = !row.hole && row.buffer === app.selected;
    return make(
      'li',
      {
        class: row.hole ? 'free' : current ? 'self' : '',
        'data-buffer': row.hole ? null : row.buffer,
      },
      make('span', {class: 'at', title: text.grouped(row.low)}, text.bytes(row.low)),
      ...body,
      bytes(size),
    );
  }

  function mover(app, sign, label) {
    return make(
      'button',
      {
        type: 'button',
        'aria-label': label,
        title: label,
        onclick: () => app.setCursor(profile.step(app.m, app.cursor, sign)),
      },
      sign < 0 ? '‹' : '›',
    );
  }

  function time(app) {
    const page = byId('page-time'),
      {m, cursor} = app;
    if (cursor === null) {
      page.replaceChildren(
        note(
          'Click into the layout or the curves to put the time cursor there; [ and ] step it from event to event.',
        ),
      );
      return;
    }
    const {rows, count, top} = profile.alive(m, cursor),
      p = profile.of(m),
      k = profile.indexAt(p.times, cursor);
    const free = rows.filter((row) => row.hole),
      live = rows.reduce((sum, row) => (row.hole ? sum : sum + row.high - row.low), 0n);
    const holes = free.reduce((sum, row) => sum + row.high - row.low, 0n);
    const until = k + 1 < p.times.length ? `, the same until ${text.grouped(p.times[k + 1])}` : '';
    page.replaceChildren(
      make(
        'div',
        {class: 'moment'},
        mover(app, -1, 'Event before ( [ )'),
        make('h2', {}, `Time ${text.grouped(Number(cursor.toFixed(3)))}`),
        mover(app, 1, 'Event after ( ] )'),
      ),
      note(k >= 0 ? `As from ${text.grouped(p.times[k])}${until}.` : 'Before anything lives.'),
      pairs([
        ['Alive', text.plural(count, 'buffer')],
        ['Live bytes', text.bytes(live), make('small', {}, text.grouped(live))],
        ['Highest end', text.bytes(top), make('small', {}, text.grouped(top))],
        [
          'Free holes',
          free.length > 0 ? `${text.grouped(free.length)}, ${text.bytes(holes)}` : 'none',
          make('small', {}, free.length > 0 ? text.percent(Number(holes) / Number(top)) : ''),
        ],
      ]),
      heading('By address', count),
      long(rows.reverse(), (row) => momentRow(app, row), 'Alive, highest first'),
    );
  }

  // ------------------------------------------------------------ the peak

  function peak(app) {
    const page = byId('page-peak'),
      {m} = app,
      p = profile.of(m);
    if (m.count === 0) {
      page.replaceChildren(note('This plan has no buffers.'));
      return;
    }
    const {roots, list, way, whole} = supports.critical(m),
      at = p.live.indexOf(p.most);
    page.replaceChildren(
      pairs([
        ['Peak', text.bytes(m.peak), make('small', {}, text.grouped(m.peak))],
        ['Bound', text.bytes(p.most), make('small', {}, text.grouped(p.most))],
        [
          'Attained at',
          make(
            'button',
            {
              type: 'button',
              class: 'link',
              onclick: () => app.setCursor(p.times[at], {open: true}),
            },
            `time ${text.grouped(p.times[at] ?? 0)}`,
          ),
        ],
      ]),
      heading('These reach the peak', roots.length),
      long(
        roots,
        (i) => make('li', {}, link(app, i), bytes(model.exactSize(m, i))),
        'These reach the peak',
      ),
      heading('One way down'),
      long(way, (item, k) => step(app, item, k || 1), 'From the peak to the bottom', 'ol'),
      heading('Critical stack', list.length),
      note(
        `${whole ? 'All' : 'The first of those'} that the peak rests on, outlined in the layout. Where these lie decides how high the peak is.`,
      ),
      long(
        list,
        (i) =>
          make(
            'li',
            {},
            make('span', {class: 'at'}, text.bytes(m.offset[i])),
            link(app, i),
            bytes(model.exactSize(m, i)),
          ),
        'Critical stack, highest first',
      ),
    );
  }

  // ------------------------------------------------------------ the head of the page

  function figures(app) {
    const {m} = app,
      r = m.report,
      lower = Number(r.lower_bound ?? r.bound ?? 0);
    const gap = m.peak === lower ? '0 %' : text.percent((m.peak - lower) / (lower || 1));
    const items = [
      ['Peak', text.bytes(m.peak), text.grouped(app.m.custom ? m.peak : (r.peak ?? m.peak))],
      ['Bound', text.bytes(r.bound ?? 0), text.grouped(r.bound ?? 0)],
      ['Gap', gap],
      ['Status', m.custom ? 'a round' : (r.status ?? '')],
      ['Engine', r.engine || '–'],
      ['Buffers', text.grouped(m.count)],
    ];
    if (m.rectCount > m.count) items.push(['Rectangles', text.grouped(m.rectCount)]);
    byId('figures').replaceChildren(
      ...items.map(([term, value, title]) =>
        make(
          'div',
          {title: title ? `${title} bytes` : null},
          make('dt', {}, term),
          make('dd', {}, value),
        ),
      ),
    );
    document.title = `neap: ${text.plural(m.count, 'buffer')}, peak ${text.bytes(m.peak)}`;
  }

  return {open, listen, tensor, time, peak, figures};
})();
