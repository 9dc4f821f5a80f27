// SPDX-License-Identifier: GPL-3.0-or-later
// This plan and another one, matched by name: what moved, what only one of them has, and which
// buffers set the peak in each.
const compare = (() => {
  const {byId, make, link, bytes, pairs, long, heading, note} = parts;

  // The model of the plan that is not shown.
  const beside = (app) => (app.other ? (app.m === app.other ? app.own : app.other) : null);

  function match(a, b) {
    const moved = new Uint8Array(a.count),
      alone = new Uint8Array(a.count),
      list = [];
    for (let i = 0; i < a.count; i++) {
      const j = model.find(b, model.name(a, i));
      if (j === undefined) alone[i] = 1;
      else if (model.exactOffset(a, i) !== model.exactOffset(b, j)) {
        moved[i] = 1;
        list.push(i);
      }
    }
    return {moved, alone, list};
  }

  function marks(m, app) {
    const other = beside(app);
    return other
      ? match(m, other)
      : {moved: new Uint8Array(m.count), alone: new Uint8Array(m.count), list: []};
  }

  // The offset in the other plan of a buffer of the model shown, or null.
  function offsetThere(app, i) {
    const other = beside(app),
      j = other ? model.find(other, model.name(app.m, i)) : undefined;
    return j === undefined ? null : other.offset[j];
  }

  // The buffer of a scene's other plan that has the same name, or null.
  function there(scene, i) {
    const other = beside(scene);
    return i === null || !other ? null : (model.find(other, model.name(scene.m, i)) ?? null);
  }

  // Bytes of the second scene for one of the first.
  const byteScale = () => 1;

  // ------------------------------------------------------------ the panel's page

  const setters = (m) => supports.critical(m).roots;

  function settersList(app, m) {
    const row = (i) => {
      const here = model.find(app.m, model.name(m, i));
      return make(
        'li',
        {},
        here === undefined ? text.cut(model.name(m, i), 120) : link(app, here),
        bytes(model.exactSize(m, i)),
      );
    };
    return long(setters(m), row, 'Buffers that reach the peak');
  }

  function difference(a, b) {
    if (a === b) return 'same peak';
    return `${text.bytes(Math.abs(b - a))} ${b < a ? 'lower' : 'higher'} (${text.percent(Math.abs(b - a) / (a || 1))})`;
  }

  function movedRow(app, there, i) {
    const {m} = app,
      j = model.find(there, model.name(m, i)),
      by = there.offset[j] - m.offset[i];
    return make(
      'li',
      {},
      make('span', {class: 'at'}, `${by > 0 ? '↑' : '↓'} ${text.bytes(Math.abs(by))}`),
      link(app, i),
      bytes(model.exactSize(m, i)),
    );
  }

  const NAME_ROOM = 24;

  // The plan's name, if the two plans have different ones.
  function nameOf(m, usual) {
    return m.name ? text.cut(m.name, NAME_ROOM) : usual;
  }

  function page(app) {
    const box = byId('page-compare');
    if (!app.other) return;
    const {own, other} = app,
      there = beside(app),
      here = match(app.m, there),
      back = match(there, app.m);
    let changed = 0;
    for (let i = 0; i < own.count; i++) {
      const j = model.find(other, model.name(own, i));
      if (j !== undefined && !model.isAlike(own, i, other, j)) changed++;
    }
    const byDistance = here.list
      .slice()
      .sort(
        (x, y) =>
          Math.abs(there.offset[model.find(there, model.name(app.m, y))] - app.m.offset[y]) -
            Math.abs(there.offset[model.find(there, model.name(app.m, x))] - app.m.offset[x]) ||
          x - y,
      );
    const alone = (count) => (count > 0 ? [text.plural(count, 'buffer')] : ['none']);
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    box.replaceChildren(
      pairs([
        [
          nameOf(own, 'This plan'),
          text.amount(own.peak),
          make('small', {}, own.report.engine ?? ''),
        ],
        [
          nameOf(other, 'Other plan'),
          text.amount(other.peak),
          make('small', {}, other.report.engine ?? ''),
        ],
        ['Its peak is', difference(own.peak, other.peak)],
        [
          'Moved',
          make('b', {id: 'moved-count'}, text.grouped(here.list.length)),
          ` of ${text.plural(app.m.count, 'buffer')}`,
        ],
        ['Only in the plan shown', ...alone(sum(here.alone))],
        ['Only in the other', ...alone(sum(back.alone))],
        ['Different size or lifetime', ...alone(changed)],
      ]),
      heading('Reach the peak in this plan', setters(own).length),
      settersList(app, own),
      heading('Reach the peak in the other plan', setters(other).length),
      settersList(app, other),
      heading('Moved, largest distance first', here.list.length),
      byDistance.length > 0
        ? long(byDistance, (i) => movedRow(app, there, i), 'Moved')
        : note('No buffer has moved.'),
    );
  }

  // ------------------------------------------------------------ which plan is shown

  function sides(app) {
    const choice = (label, m) =>
      make(
        'button',
        {type: 'button', 'aria-pressed': String(app.m === m), onclick: () => app.showModel(m)},
        label,
      );
    byId('sides').replaceChildren(choice('This plan', app.own), choice('Other plan', app.other));
    byId('sides').hidden = false;
  }

  function open(app, other) {
    if (app.other && app.m === app.other) app.showModel(app.own);
    app.other = other;
    byId('tab-compare').hidden = false;
    sides(app);
    page(app);
    app.offerColours();
    app.complain('');
  }

  async function load(app, file) {
    try {
      open(app, model.readFile(await file.text(), file.name));
      panel.open('compare');
      app.setColour('moved');
      app.announce(`Comparing with ${file.name}`);
    } catch (problem) {
      app.complain(`${file.name}: ${problem.message}`);
    }
  }

  function listen(app) {
    const field = byId('compare-file');
    field.addEventListener('change', () => {
      if (field.files.length > 0) load(app, field.files[0]);
      field.value = '';
    });
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length > 0) load(app, event.dataTransfer.files[0]);
    });
  }

  return {marks, offsetThere, there, byteScale, page, sides, open, listen};
})();
