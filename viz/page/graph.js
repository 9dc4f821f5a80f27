// SPDX-License-Identifier: GPL-3.0-or-later
// The tab with the model: its operators one below the other in order, and beside them each buffer
// as a lane, from the first to the last operator of its lifetime.  When a lane ends, the next
// buffer that begins takes it over, as in a graph of commits, so that chains are straight.  The
// layout and this tab show the same buffer under the pointer or selected, and the same operator
// at the time cursor.
//
// Only the rows in view are drawn, so the cost of a frame is that of looking at each lane once.
const {byId, make, note} = parts;
const ROW = 24,
  LANE = 11,
  SPARE = 4, // rows beyond the view
  SHARE = 0.5, // of the tab's width, at most, for lanes
  STUB = 6, // pixels of a lane that begins and ends with one operator
  DOT = 4;
const state = {box: null, body: null, canvas: null, active: 0};

const isOpen = () => !byId('page-graph').hidden;

// ------------------------------------------------------------ lanes

// The first and the last operator of the lifetime of buffer i.
function rowsOf(m, i) {
  const last = operators.count(m) - 1,
    row = (t) => Math.max(0, Math.min(last, t));
  return [row(Math.floor(m.first[i])), row(Math.ceil(m.last[i]) - 1)];
}

// The lane of each buffer, the least that is free from its first row to its last: {from, to,
// lane, count}.
function lay(m) {
  const from = new Int32Array(m.count),
    to = new Int32Array(m.count),
    lane = new Int32Array(m.count),
    ends = []; // by lane: the row in which its buffer ends
  for (let i = 0; i < m.count; i++) [from[i], to[i]] = rowsOf(m, i);
  for (const i of sort.by(from)) {
    const isInput = operators.maker(m, i) === null;
    let k = 0; // an operator's output may take over a lane that it frees
    while (k < ends.length && (isInput ? ends[k] >= from[i] : ends[k] > from[i])) k++;
    lane[i] = k;
    ends[k] = to[i] === from[i] ? to[i] + 1 : to[i];
  }
  return {from, to, lane, count: ends.length};
}

const lanesOf = (m) => (m.lanes ??= lay(m));

// The operator that runs when most bytes are alive.
function peakRow(m) {
  const [first] = profile.peaks(m, m.pools.length > 0 ? 0 : null);
  return first ? operators.at(m, first.start) : null;
}

// ------------------------------------------------------------ the given order

// The places of a longest ascending run: operators that have not moved past each other.
export function kept(given) {
  const least = [], // by length: the least value that ends such a run
    ends = [], // its place
    before = new Int32Array(given.length).fill(-1);
  given.forEach((value, k) => {
    const length = profile.indexAt(least, value) + 1;
    if (length > 0) before[k] = ends[length - 1];
    least[length] = value;
    ends[length] = k;
  });
  const places = new Set();
  for (let k = ends[ends.length - 1]; k >= 0; k = before[k]) places.add(k);
  return places;
}

// The places in the given order of operators that a schedule has moved; null without one.
function movedOf(m) {
  const given = m.plan.schedule?.operators?.map(Number) ?? [],
    isOrder = new Set(given).size === given.length && given.every((g) => given[g] !== undefined);
  if (given.length === 0 || !isOrder) return null;
  const stays = kept(given);
  return new Map([...given.entries()].filter(([k]) => !stays.has(k)));
}

const moved = (m) => (m.moved === undefined ? (m.moved = movedOf(m)) : m.moved);

// A note on the gain of the new order.
function orderNote({m}) {
  if (!moved(m)) return '';
  const {given_bound: before, lower_bound: least} = m.plan.schedule,
    bounds = `bound ${text.amount(before)} in the given order, ${text.amount(m.bound)} in this one`,
    proof =
      m.report.order_status === 'optimal'
        ? '; no order has a lower bound'
        : least
          ? `; no order gets below ${text.amount(least)}`
          : '';
  return `${text.plural(moved(m).size, 'operator')} moved past others: ${bounds}${proof}.`;
}

// ------------------------------------------------------------ highlights

// The verbs of the buffers of the operator that is shown, and the buffer under the pointer or
// selected.
function lit(app) {
  const {m} = app,
    verbs = new Map(),
    k = operators.shown(m);
  if (k !== null)
    for (const [verb, , list] of operators.deeds(m, k))
      for (const i of list) if (!verbs.has(i)) verbs.set(i, verb);
  return {k, verbs, buffer: app.hover ?? app.selected};
}

const INKS = {reads: 'carrier', makes: 'taken', frees: 'waste'},
  DASHES = {reads: [7, 3], frees: [3, 3]};

// The colour and the breadth of a lane.
function penOf(app, i, {verbs, buffer}, isAtPeak) {
  const {m, look, paint} = app,
    pixel = paint.face[m.rectOf[m.rectFirst[i]]],
    face = `rgb(${pixel & 255}, ${(pixel >> 8) & 255}, ${(pixel >> 16) & 255})`;
  if (verbs.has(i)) return [look[INKS[verbs.get(i)]], 5];
  if (i === buffer) return [look.select, 5];
  return [face, isAtPeak ? 6 : 3];
}

// ------------------------------------------------------------ drawing

const xOf = (lane) => LANE * (lane + 0.75);
const yOf = (row) => ROW * (row + 0.5);

// The lane with the dot of an operator: that of a buffer that it makes, or else reads.
function dotLane(m, k) {
  const {lane} = lanesOf(m),
    {makes, reads} = operators.of(m, k),
    [i] = [...makes, ...reads].filter((one) => one !== undefined);
  return i === undefined ? 0 : lane[i];
}

function drawLanes(app, c, view, light) {
  const {m, look} = app,
    {from, to, lane} = lanesOf(m),
    peak = peakRow(m);
  for (let i = 0; i < m.count; i++) {
    if (to[i] < view.from || from[i] >= view.to || lane[i] >= view.lanes) continue;
    const isAtPeak = peak !== null && from[i] <= peak && peak <= to[i],
      [ink, breadth] = penOf(app, i, light, isAtPeak),
      x = xOf(lane[i]);
    const ends = from[i] === to[i] ? STUB : 0,
      pens = light.verbs.has(i)
        ? [[ink, breadth]]
        : [
            [look.muted, breadth + 1],
            [ink, breadth - 1],
          ];
    for (const [style, wide] of pens) {
      draw.pen(c, style, wide, DASHES[light.verbs.get(i)]);
      draw.line(c, x, yOf(from[i]) - ends, x, yOf(to[i]) + ends);
    }
  }
}

// Draws the operators in view: a line from each lane that an operator reads or makes to its dot.
function drawDots(app, c, view, light) {
  const {m, look} = app,
    {lane} = lanesOf(m);
  for (let k = view.from; k < view.to; k++) {
    const {makes, reads} = operators.of(m, k),
      x = xOf(dotLane(m, k)),
      y = yOf(k),
      isLit = light.k === k;
    draw.pen(c, isLit ? look.ink : look.muted, isLit ? 2 : 1);
    for (const i of [...reads, ...makes])
      if (i !== undefined && lane[i] < view.lanes) draw.line(c, xOf(lane[i]), y, x, y);
    c.fillStyle = isLit ? look.select : look.ink;
    c.beginPath();
    c.arc(Math.min(x, xOf(view.lanes)), y, isLit ? DOT + 1.5 : DOT, 0, 2 * Math.PI);
    c.fill();
  }
}

// The rows and the lanes in view.
function inView(app) {
  const {box} = state,
    all = operators.count(app.m),
    room = Math.floor((box.clientWidth * SHARE) / LANE);
  return {
    from: Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE),
    to: Math.min(all, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + SPARE),
    lanes: Math.max(1, Math.min(lanesOf(app.m).count, room)),
  };
}

// The short names of the buffers that operator k makes.
const made = (m, k) =>
  operators
    .of(m, k)
    .makes.filter((i) => i !== undefined)
    .map((i) => model.shortName(m, i))
    .join(', ');

function row(app, k, peak, light) {
  const {m} = app,
    {makes} = operators.of(m, k),
    bytes = makes.reduce((sum, i) => sum + (i === undefined ? 0 : m.size[i]), 0),
    isNow = operators.at(m, app.cursor) === k,
    was = moved(m)?.get(k),
    touches = light.buffer !== null && operators.touches(m, k, light.buffer);
  const kinds = [k === peak ? 'peak' : '', light.k === k ? 'lit' : '', touches ? 'touches' : ''];
  const node = make(
    'div',
    {
      role: 'option',
      id: `graph-${k}`,
      'data-operator': k,
      class: `${kinds.join(' ')}${k === state.active ? ' active' : ''}`,
      'aria-selected': String(isNow),
    },
    make('b', operators.type(m, k) || `#${k}`),
    make('bdi', operators.name(m, k) || made(m, k)),
    was === undefined ? null : make('small', `moved from ${text.grouped(was + 1)}`),
    k === peak ? make('em', 'peak') : null,
    make('span.bytes', bytes > 0 ? text.amount(bytes) : ''),
  );
  node.style.top = `${k * ROW}px`;
  return node;
}

// Draws the part in view, if the tab is open.
export function paint(app) {
  if (!isOpen() || !operators.has(app.m)) return;
  const view = inView(app),
    across = LANE * (view.lanes + 0.5),
    {box, body, canvas} = state,
    light = lit(app),
    peak = peakRow(app.m);
  body.style.height = `${operators.count(app.m) * ROW}px`;
  body.style.setProperty('--lanes', `${across}px`);
  canvas.style.top = `${view.from * ROW}px`;
  canvas.style.width = `${across}px`;
  canvas.style.height = `${(view.to - view.from) * ROW}px`;
  const c = draw.fitCanvas(canvas, across, (view.to - view.from) * ROW);
  c.translate(0, -view.from * ROW);
  drawLanes(app, c, view, light);
  drawDots(app, c, view, light);
  const rows = [];
  for (let k = view.from; k < view.to; k++) rows.push(row(app, k, peak, light));
  body.replaceChildren(canvas, ...rows);
  box.setAttribute('aria-activedescendant', `graph-${state.active}`);
}

// ------------------------------------------------------------ links to the layout

function reveal(app, k) {
  const {box} = state,
    low = k * ROW,
    was = state.active;
  state.active = k;
  const isNear = Math.abs(k - was) === 1,
    margin = isNear ? 0 : (box.clientHeight - ROW) / 2;
  if (low < box.scrollTop) box.scrollTop = low - margin;
  else if (low + ROW > box.scrollTop + box.clientHeight)
    box.scrollTop = low + ROW - box.clientHeight + margin;
  paint(app);
}

// Follows the time cursor or the selection: brings its operator into view.
export function follow(app) {
  if (!isOpen() || !operators.has(app.m)) return;
  const at = operators.at(app.m, app.cursor),
    by = app.selected === null ? null : operators.maker(app.m, app.selected);
  reveal(app, at ?? by ?? state.active);
}

// The buffer whose lane is at a point of the canvas, or null.
function laneAt(app, event) {
  const {m} = app,
    at = state.body.getBoundingClientRect(),
    wanted = Math.round((event.clientX - at.left) / LANE - 0.75),
    k = Math.floor((event.clientY - at.top) / ROW),
    {from, to, lane} = lanesOf(m);
  for (let i = 0; i < m.count; i++) if (lane[i] === wanted && from[i] <= k && k <= to[i]) return i;
  return null;
}

const operatorAt = (event) => {
  const node = event.target.closest('[data-operator]');
  return node ? Number(node.dataset.operator) : null;
};

function onKey(app, event) {
  const page = Math.max(1, Math.floor(state.box.clientHeight / ROW) - 1),
    last = operators.count(app.m) - 1,
    now = state.active,
    to = parts.rowAfter(event, now, page, last);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (to !== undefined) {
    reveal(app, to);
    operators.setHover(app, state.active);
  } else if (event.key === 'Enter') operators.pin(app, now, false);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function listen(app) {
  state.canvas = make('canvas.lanes', {'aria-hidden': 'true'});
  state.body = make('div.operators');
  state.box = make(
    'div.graph',
    {role: 'listbox', tabindex: '0', 'aria-label': 'Operators in their order'},
    state.body,
  );
  const {box} = state;
  box.addEventListener('scroll', () => app.redrawOver(), {passive: true});
  box.addEventListener('keydown', (event) => onKey(app, event));
  box.addEventListener('pointermove', (event) => {
    operators.setHover(app, operatorAt(event));
    app.setHover(event.target === state.canvas ? laneAt(app, event) : null);
  });
  box.addEventListener('pointerleave', () => {
    operators.setHover(app, null);
    app.setHover(null);
  });
  box.addEventListener('blur', () => operators.setHover(app, null));
  box.addEventListener('click', (event) => {
    const k = operatorAt(event),
      i = event.target === state.canvas ? laneAt(app, event) : null;
    if (k !== null) operators.pin(app, k, false);
    else if (i !== null) app.select(i, {show: true, open: false});
  });
  new ResizeObserver(() => paint(app)).observe(box);
  state.order = note('');
  parts.fill('page-graph', state.order, box);
}

// Shows the tab if the plan has operators.
export function page(app) {
  const isThere = operators.has(app.m);
  byId('tab-graph').hidden = !isThere;
  state.order.textContent = isThere ? orderNote(app) : '';
  state.order.hidden = state.order.textContent === '';
  if (!isThere && isOpen()) panel.open('tensor');
  follow(app);
}
