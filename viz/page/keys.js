// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard.  Arrow keys act when the stage has the focus; letters act everywhere except in fields.
const keys = (() => {
  const {byId} = parts;
  const STEP = 60,
    FAR = 300,
    NEARER = 1 / 1.35;

  const middle = ({view: v}) => [v.left + v.across / 2, v.top + v.down / 2];
  const zoom = (app, factor) => view.zoom(app, factor, factor, ...middle(app), true);

  // The next or previous buffer by allocation; of those allocated together, the lowest first.
  function walk(app, by) {
    const {m} = app;
    if (m.count === 0) return;
    m.walk ??= Uint32Array.from({length: m.count}, (_, i) => i).sort(
      (a, b) => m.first[a] - m.first[b] || m.offset[a] - m.offset[b],
    );
    const at = app.selected === null ? (by > 0 ? -1 : 0) : m.walk.indexOf(app.selected);
    app.select(m.walk[(at + by + m.count) % m.count], {show: true});
  }

  function stepCursor(app, by) {
    app.setCursor(profile.step(app.m, app.cursor ?? (by > 0 ? app.m.from - 1 : app.m.to), by), {
      open: true,
    });
  }

  const CRITICAL = ['outline', 'fade', 'off'];

  function switchCritical(app) {
    app.setCritical(CRITICAL[(CRITICAL.indexOf(app.critical) + 1) % CRITICAL.length]);
  }

  const everywhere = {
    '+': (app) => zoom(app, NEARER),
    '=': (app) => zoom(app, NEARER),
    '-': (app) => zoom(app, 1 / NEARER),
    0: (app) => view.fit(app),
    '/': () => byId('search').focus(),
    '?': () => byId('help').showModal(),
    n: (app) => walk(app, 1),
    p: (app) => walk(app, -1),
    '[': (app) => stepCursor(app, -1),
    ']': (app) => stepCursor(app, 1),
    z: (app) => app.selected !== null && view.show(app, app.selected, true),
    c: switchCritical,
    b: (app) => app.chain.length > 1 && app.select(app.chain[1].buffer, {show: true}),
    ',': (app) => rounds.stepBy(app, -1),
    '.': (app) => rounds.stepBy(app, 1),
    '<': (app) => rounds.stepGroup(app, -1),
    '>': (app) => rounds.stepGroup(app, 1),
    Escape: (app) => {
      app.select(null);
      app.setCursor(null);
    },
  };

  const arrows = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

  function onKey(app, event) {
    const {target, key} = event;
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== 'checkbox') return;
    const act = everywhere[key];
    if (act) act(app);
    else if (key === ' ' && target.tagName !== 'BUTTON' && target.type !== 'checkbox')
      rounds.play(app);
    else if (key in arrows && app.scenes.some(({stage}) => stage.box === target)) {
      const far = event.shiftKey ? FAR : STEP;
      view.pan(app, arrows[key][0] * far, arrows[key][1] * far, true);
    } else return;
    event.preventDefault();
  }

  function listen(app) {
    document.addEventListener('keydown', (event) => onKey(app, event));
    byId('zoom-in').addEventListener('click', () => zoom(app, NEARER));
    byId('zoom-out').addEventListener('click', () => zoom(app, 1 / NEARER));
    byId('zoom-fit').addEventListener('click', () => view.fit(app));
    byId('help-open').addEventListener('click', () => byId('help').showModal());
  }

  return {listen};
})();
