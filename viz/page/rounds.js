// SPDX-License-Identifier: GPL-3.0-or-later
// The tuner's rounds: a chart of their peaks.  Rounds with offsets can be stepped through and played,
// all to one scale once stepping has begun.  Steps 0 .. layouts - 1 are these rounds; the last step
// is the plan itself.
const rounds = (() => {
  const {byId} = parts;
  const MOVE = 420,
    REST = 480; // ms
  const state = {list: [], layouts: [], step: 0, timer: 0, moving: 0};

  const peakOf = (round) => Number(round.peak);
  const isWhole = (app, round) =>
    Array.isArray(round.offsets) && round.offsets.length === app.m.count;
  const last = () => state.layouts.length;

  function open(app) {
    state.list = app.m.plan.rounds ?? [];
    state.layouts = state.list.filter((round) => isWhole(app, round));
    state.step = last();
    state.ceiling = state.layouts.reduce((most, round) => Math.max(most, peakOf(round)), 0);
    byId('rounds').hidden = state.list.length < 2 && state.layouts.length === 0;
    const slider = byId('round');
    slider.max = String(last());
    slider.value = String(state.step);
    for (const id of ['round', 'round-back', 'round-play', 'round-on'])
      byId(id).hidden = last() === 0;
    byId('round-back').parentElement.hidden = last() === 0;
    showStep(app);
  }

  function showStep(app) {
    const round = state.layouts[state.step],
      none = last() === 0;
    const words = round
      ? `Round ${round.round} of ${state.list.length}: peak ${text.bytes(round.peak)}${round.improved ? ', lowest so far' : ''}`
      : `${none ? text.plural(state.list.length, 'round') : 'The plan'}: peak ${text.bytes(app.m.report.peak ?? app.m.peak)}`;
    byId('round-text').textContent = words;
    byId('round').setAttribute('aria-valuetext', words);
    byId('round').value = String(state.step);
    return words;
  }

  // Moves from the offsets drawn to those of the model; a buffer that is unplaced in either jumps.
  function glide(app, from) {
    const {m} = app,
      started = performance.now();
    cancelAnimationFrame(state.moving);
    const frame = (now) => {
      const share = Math.min(1, Math.max(0, (now - started) / MOVE)),
        ease = share * share * (3 - 2 * share);
      for (let i = 0; i < m.count; i++)
        m.shown[i] =
          from[i] < 0 || m.offset[i] < 0 || share === 1
            ? m.offset[i]
            : from[i] + (m.offset[i] - from[i]) * ease;
      model.bound(m);
      app.repaint();
      if (share < 1) state.moving = requestAnimationFrame(frame);
    };
    frame(started);
  }

  function go(app, step, glides = true) {
    const {m} = app,
      from = m.shown.slice(),
      whole = view.isWhole(app);
    state.step = Math.max(0, Math.min(last(), step));
    model.place(m, state.layouts[state.step]?.offsets ?? null);
    app.placed();
    m.ceiling = state.ceiling;
    if (whole) view.fit(app);
    if (glides && !app.still()) glide(app, from);
    else app.repaint();
    const words = showStep(app);
    if (!state.timer) app.announce(words);
    chart(app);
  }

  function pause() {
    clearInterval(state.timer);
    state.timer = 0;
    byId('round-play').textContent = 'Play';
    byId('round-play').setAttribute('aria-pressed', 'false');
  }

  function play(app) {
    if (state.timer) return pause();
    if (last() === 0) return undefined;
    if (state.step === last()) go(app, 0);
    byId('round-play').textContent = 'Pause';
    byId('round-play').setAttribute('aria-pressed', 'true');
    state.timer = setInterval(() => {
      if (state.step < last()) go(app, state.step + 1);
      if (state.step === last()) pause();
    }, MOVE + REST);
    return undefined;
  }

  const stepBy = (app, by) => {
    if (last() === 0) return;
    pause();
    go(app, state.step + by);
  };

  // ------------------------------------------------------------ the chart

  function chart(app) {
    if (byId('rounds').hidden) return;
    const canvas = byId('round-chart'),
      {across, down} = app.sizeOf(canvas),
      c = draw.fitCanvas(canvas, across, down);
    const peaks = state.list.map(peakOf),
      bound = Number(app.m.report.lower_bound ?? 0);
    const low = Math.min(bound || Infinity, ...peaks.slice(0, 5000)),
      high = Math.max(...peaks.slice(0, 5000), low + 1);
    const xOf = (k) => 8 + (k / Math.max(1, peaks.length - 1)) * (across - 16);
    const yOf = (peak) => down - 5 - ((peak - low) / (high - low)) * (down - 10);
    c.strokeStyle = app.look.bound;
    c.lineWidth = 1;
    draw.line(c, 4, draw.crisp(yOf(bound || low)), across - 4, draw.crisp(yOf(bound || low)));
    c.strokeStyle = app.look.curve;
    c.lineWidth = 1.5;
    c.beginPath();
    peaks.forEach((peak, k) => c.lineTo(xOf(k), yOf(peak)));
    c.stroke();
    state.list.forEach((round, k) => {
      const on = state.layouts[state.step] === round;
      if (!on && peaks.length > 60 && !round.improved) return;
      c.fillStyle = on ? app.look.select : round.improved ? app.look.curve : app.look.panel;
      c.beginPath();
      c.arc(xOf(k), yOf(peaks[k]), on ? 4.5 : 2.5, 0, 7);
      c.fill();
      c.strokeStyle = app.look.curve;
      c.stroke();
    });
    const best = peaks.length > 0 ? Math.min(...peaks.slice(0, 5000)) : 0;
    canvas.setAttribute(
      'aria-label',
      `Peak by round: ${text.plural(peaks.length, 'round')}, lowest ${text.bytes(best)}`,
    );
  }

  function pick(app, event) {
    const {left, width} = byId('round-chart').getBoundingClientRect();
    const at = Math.round(((event.clientX - left - 8) / (width - 16)) * (state.list.length - 1));
    const step = state.layouts.indexOf(
      state.list[Math.max(0, Math.min(state.list.length - 1, at))],
    );
    if (step < 0) return;
    pause();
    go(app, step);
  }

  function listen(app) {
    byId('round-back').addEventListener('click', () => stepBy(app, -1));
    byId('round-on').addEventListener('click', () => stepBy(app, 1));
    byId('round-play').addEventListener('click', () => play(app));
    byId('round').addEventListener('input', (event) => {
      pause();
      go(app, Number(event.target.value));
    });
    byId('round-chart').addEventListener('click', (event) => pick(app, event));
  }

  return {open, play, pause, stepBy, chart, listen, go, state};
})();
