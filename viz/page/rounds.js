// SPDX-License-Identifier: GPL-3.0-or-later
// The tuner's rounds: a chart of their peaks.  Rounds with offsets can be stepped through and
// played, all to one scale once stepping has begun.  Steps 0 .. layouts - 1 are the rounds with
// offsets; the last step is the plan itself.  Between a round and the previous one are the groups
// that led to it.
const {byId, make, link, key} = parts;
const MOVE = 420,
  REST = 480, // ms
  LOOK = 520; // for which a group is outlined before it moves
const PLAYED_MOST = 6; // groups per round in playback; stepping shows all
// The frames are all that can be shown, in order: {step, g}, where g is a group of the step, or
// null for the layout of the step.
export const state = {list: [], layouts: [], frames: [], at: 0, step: 0, timer: 0, shown: null};

const peakOf = (round) => Number(round.peak);
const isWhole = (app, round) =>
  Array.isArray(round.offsets) && round.offsets.length === app.m.count;
const last = () => state.layouts.length;

export function open(app) {
  state.list = app.m.plan.rounds ?? [];
  state.layouts = state.list.filter((round) => isWhole(app, round));
  state.step = last();
  state.frames = state.layouts.flatMap((round, step) => [
    ...groupsOf(round).map((_, g) => ({step, g})),
    {step, g: null},
  ]);
  state.at = state.frames.push({step: last(), g: null}) - 1;
  state.ceiling = state.layouts.reduce((most, round) => Math.max(most, peakOf(round)), 0);
  byId('rounds').hidden = state.list.length < 2 || state.layouts.length === 0;
  const slider = byId('round');
  slider.max = String(last());
  slider.value = String(state.step);
  halt();
  hideGroup();
  byId('groups').hidden = !state.layouts.some((round) => groupsOf(round).length > 0);
  showStep(app);
}

export function showStep(app) {
  const round = state.layouts[state.step],
    count = state.list.length,
    best = round?.improved ? ', lowest so far' : '';
  const words = round
    ? `Round ${round.round} of ${count}: peak ${text.amount(round.peak)}${best}`
    : `The plan: peak ${text.amount(app.m.report.peak ?? app.m.peak)}`;
  byId('round-text').textContent = words;
  byId('round').setAttribute('aria-valuetext', words);
  byId('round').value = String(state.step);
  const group = describeGroup(app, round);
  return state.shown ? `Round ${round.round}. ${group}` : words;
}

function halt() {
  cancelAnimationFrame(state.moving);
  clearTimeout(state.waiting);
}

// Glides from the offsets drawn to those of the model; a buffer that is unplaced in either jumps.
function glide(app, from) {
  const {m} = app,
    shown = new Float64Array(m.count),
    started = performance.now();
  halt();
  const frame = (now) => {
    const share = Math.min(1, Math.max(0, (now - started) / MOVE)),
      ease = share * share * (3 - 2 * share);
    for (let i = 0; i < m.count; i++)
      shown[i] =
        from[i] < 0 || m.offset[i] < 0 || share === 1
          ? m.offset[i]
          : from[i] + (m.offset[i] - from[i]) * ease;
    if (share < 1) model.glide(m, shown);
    else model.settle(m);
    app.repaint();
    if (share < 1) state.moving = requestAnimationFrame(frame);
  };
  frame(started);
}

// Takes other offsets and, after a while, shows how the buffers move there from the offsets `from`.
function take(app, offsets, from, wait) {
  const {m} = app,
    whole = view.isWhole(app);
  halt();
  model.place(m, offsets);
  app.placed();
  m.ceiling = state.ceiling;
  if (whole) view.fit(app);
  if (!app.still()) {
    model.glide(m, from);
    state.waiting = setTimeout(() => glide(app, from), wait);
  }
  app.repaint();
  const words = showStep(app);
  if (!state.timer) app.announce(words);
  chart(app);
}

// Shows the frame at place k: a layout, or a group, first where it was and then where it is.
function goTo(app, k) {
  const {step, g} = state.frames[k],
    round = state.layouts[step],
    drawn = app.m.shown.slice();
  Object.assign(state, {at: k, step});
  if (g === null) {
    hideGroup();
    return take(app, round?.offsets ?? null, drawn, 0);
  }
  const after = showGroup(app, round, state.layouts[step - 1], g),
    {before} = state.shown;
  return take(app, after ?? before ?? round.offsets, before ?? drawn, LOOK);
}

const within = (value, most) => Math.max(0, Math.min(most, value));

function go(app, step) {
  const wanted = within(step, last());
  goTo(
    app,
    state.frames.findIndex((frame) => frame.step === wanted && frame.g === null),
  );
}

// Goes to the next or the previous group, or to the round that ends the list.
export function stepGroup(app, by) {
  if (last() === 0) return;
  pause();
  goTo(app, within(state.at + by, state.frames.length - 1));
}

// Whether a frame is played: all layouts are and, of a round's groups, those that were lowered or,
// if none was, the first.
function isPlayed({step, g}) {
  const lowered = [...groupsOf(state.layouts[step]).keys()].filter(
    (k) => state.layouts[step].moves[k].outcome === 'lowered',
  );
  return g === null || (lowered.length > 0 ? lowered.slice(0, PLAYED_MOST) : [0]).includes(g);
}

// Shows the next frame while the rounds are played.
function playOn(app) {
  const next = state.frames.findIndex((frame, k) => k > state.at && isPlayed(frame));
  if (next >= 0) goTo(app, next);
  if (state.step === last()) pause();
  else state.timer = setTimeout(() => playOn(app), MOVE + REST + (state.shown ? LOOK : 0));
}

export function pause() {
  clearTimeout(state.timer);
  state.timer = 0;
  byId('round-play').textContent = 'Play';
  byId('round-play').setAttribute('aria-pressed', 'false');
}

export function play(app) {
  if (state.timer) return pause();
  if (last() === 0) return undefined;
  if (state.step === last()) go(app, 0);
  byId('round-play').textContent = 'Pause';
  byId('round-play').setAttribute('aria-pressed', 'true');
  state.timer = setTimeout(() => playOn(app), MOVE + REST);
  return undefined;
}

export const stepBy = (app, by) => {
  if (last() === 0) return;
  pause();
  go(app, state.step + by);
};

// ------------------------------------------------------------ the chart

export function chart(app) {
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
  draw.pen(c, app.look.bound);
  draw.line(c, 4, draw.crisp(yOf(bound || low)), across - 4, draw.crisp(yOf(bound || low)));
  draw.pen(c, app.look.curve, 1.5);
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
  const step = state.layouts.indexOf(state.list[Math.max(0, Math.min(state.list.length - 1, at))]);
  if (step < 0) return;
  pause();
  go(app, step);
}

export function listen(app) {
  byId('round-back').addEventListener('click', () => stepBy(app, -1));
  byId('round-on').addEventListener('click', () => stepBy(app, 1));
  byId('round-play').addEventListener('click', () => play(app));
  byId('group-back').addEventListener('click', () => stepGroup(app, -1));
  byId('group-on').addEventListener('click', () => stepGroup(app, 1));
  byId('round').addEventListener('input', (event) => {
    pause();
    go(app, Number(event.target.value));
  });
  byId('round-chart').addEventListener('click', (event) => pick(app, event));
  address.field('round', {
    get: () => (state.step === last() ? null : String(state.layouts[state.step].round)),
    set: (words) => {
      const step = state.layouts.findIndex(({round}) => String(round) === words);
      pause();
      if (step >= 0 || words === null) go(app, step >= 0 ? step : last());
    },
    turn: -1,
  });
}

// ------------------------------------------------------------ the groups between two rounds

// The tuner takes groups out of a layout, one after the other.  Group g of a step is shown as at
// the end of its search: its members outlined, the blamed buffer marked, and the earlier places of
// the members in dashed outlines.
const LISTED_MOST = 256; // NEAP_MOVES_MAX
const OUTLINES_MOST = 600; // with more members, fading the others suffices
const groupsOf = (round) => (Array.isArray(round?.moves) ? round.moves : []);

// The offsets before group g of a round, or null if unknown: the previous round may be missing, or
// a group may have been lowered without a list of its members.
function offsetsBefore(round, before, g) {
  if (!before || before.round !== round.round - 1) return null;
  const now = before.offsets.map(Number);
  for (const {outcome, members, offsets} of groupsOf(round).slice(0, g)) {
    if (outcome === 'lowered' && !offsets) return null;
    if (outcome === 'lowered') members.forEach((i, k) => (now[i] = Number(offsets[k])));
  }
  return now;
}

// Shows group g of a round.  Returns the offsets after its search, or null if they are unknown.
function showGroup(app, round, before, g) {
  const move = groupsOf(round)[g],
    members = move.members ?? [];
  const mask = members.length > 0 ? new Uint8Array(app.m.count) : null;
  for (const i of members) mask[i] = 1;
  state.shown = {m: app.m, round, g, move, mask, before: offsetsBefore(round, before, g)};
  return offsetsBefore(round, before, g + 1);
}

const hideGroup = () => {
  state.shown = null;
};

export const showsGroup = ({m}) => state.shown?.m === m;

// The mask of the members of the group shown; null if there is no group, or its members are
// unknown.
export const groupMask = (app) => (showsGroup(app) ? state.shown.mask : null);

// ------------------------------------------------------------ words

const OUTCOMES = {
  lowered: 'lowered',
  refuted: 'refuted: impossible while the others stay',
  open: 'given up',
};

const isAround = (move) => move.blamed !== undefined;

function sentence(app) {
  const {round, g, move} = state.shown,
    count = groupsOf(round).length,
    around = isAround(move) ? ` around ${model.label(app.m, move.blamed, 60)}` : ', everything';
  return (
    `Group ${text.grouped(g + 1)} of ${text.grouped(count)}: ` +
    `${text.plural(move.member_count, 'buffer')}${around} (highest end ` +
    `${text.grouped(move.top)}), target ${text.grouped(move.target)}: ${OUTCOMES[move.outcome]}`
  );
}

function counts(round) {
  const list = groupsOf(round),
    number = (outcome) => list.filter((move) => move.outcome === outcome).length;
  const cut = list.length < LISTED_MOST ? '' : 'the first ';
  return (
    `${cut}${text.plural(list.length, 'group')} taken out: ${number('lowered')} lowered, ` +
    `${number('refuted')} refuted, ${number('open')} given up`
  );
}

// The line below the rounds: the group shown, or the number of groups of the round.
function describeGroup(app, round) {
  const line = byId('group-text');
  if (!state.shown) {
    line.replaceChildren(round && groupsOf(round).length > 0 ? counts(round) : '');
    return line.textContent;
  }
  const {move} = state.shown,
    words = sentence(app);
  const keys = [
    move.members ? make('span', key('taken'), 'group') : null,
    isAround(move) ? make('span', key('blamed'), link(app, move.blamed)) : null,
    move.offsets ? make('span', key('ghost'), 'before') : null,
  ];
  line.replaceChildren(make('b', words), ...keys.filter((node) => node));
  return words;
}

// ------------------------------------------------------------ over the layout

// Outlines the group; of a group of all buffers, only those that move.
export function paintGroup(app, c, outline) {
  const {move, before} = state.shown,
    {look, m} = app;
  const members = (move.members ?? [])
    .filter((i) => isAround(move) || !before || before[i] !== m.offset[i])
    .slice(0, OUTLINES_MOST);
  for (const i of members)
    if (before && before[i] !== m.shown[i])
      outline(app, c, i, look.taken, 1.5, {dash: [4, 4], low: before[i]});
  const breadth = isAround(move) ? 2 : 1;
  for (const i of members) if (i !== move.blamed) outline(app, c, i, look.taken, breadth);
  if (isAround(move)) outline(app, c, move.blamed, look.bad, 4);
}
