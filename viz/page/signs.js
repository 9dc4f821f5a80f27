// Signs of limits and relations on the layout, as viz/layout/signs.c draws them: reserved bytes,
// the area above a capacity, pools, banks, shared bytes, bodies of colocated buffers, fixed
// offsets, and the window and the earlier offset of the selected buffer.
const MOST = 2000, // of each kind
  BANKS_MOST = 64; // more lines would be a grey area

// ------------------------------------------------------------ finding signs

// Bytes that overlaps and exclusions let buffers share in this layout: [{first, second, start, end,
// low, high}].
function shares(m) {
  if (m.sharing) return m.sharing;
  const list = [];
  for (const {kind, first, second} of m.related.all) {
    if (kind !== 'overlaps' && kind !== 'exclusions') continue;
    const box = relations.share(m, first, second);
    if (box && list.length < MOST) list.push({...box, first, second});
  }
  return (m.sharing = list);
}

// The smallest rectangles around colocated buffers.
function bodies(m) {
  if (m.bodyBoxes) return m.bodyBoxes;
  const boxes = new Map(),
    isColocated = m.related.all.some(({kind}) => kind === 'colocations');
  for (let i = 0; isColocated && i < m.count; i++) {
    const key = relations.bodyOf(m, i),
      box = boxes.get(key) ?? {start: Infinity, end: -Infinity, low: Infinity, high: 0, count: 0};
    box.start = Math.min(box.start, m.first[i]);
    box.end = Math.max(box.end, m.last[i]);
    box.low = Math.min(box.low, m.offset[i]);
    box.high = Math.max(box.high, m.end[i]);
    box.count++;
    boxes.set(key, box);
  }
  return (m.bodyBoxes = [...boxes.values()].filter(({count}) => count > 1).slice(0, MOST));
}

// The smallest bank of any buffer or relation; 0: there is none.
function bank(m) {
  if (m.bankSize === undefined) {
    const sizes = m.related.all
      .filter(({kind}) => kind === 'bank_separations')
      .map(({relation}) => Number(relation.bank));
    for (let i = 0; i < m.count; i++)
      if (model.bank(m, i) !== null) sizes.push(Number(model.bank(m, i)));
    m.bankSize = sizes.reduce((least, size) => (least === 0 ? size : Math.min(least, size)), 0);
  }
  return m.bankSize;
}

// Whether lines at the banks would be far enough apart in a view.
const showsBanks = ({m, view: v}) => bank(m) > 0 && (v.y1 - v.y0) / bank(m) <= BANKS_MOST;

function pinned(m) {
  if (!m.pinned) {
    m.pinned = [];
    for (let i = 0; i < m.count && m.pinned.length < MOST; i++)
      if (model.fixed(m, i) !== null) m.pinned.push(i);
  }
  return m.pinned;
}

// The areas {low, high} above the capacities that are on the scale of the byte axis.
function aboveCapacity(app) {
  const {m, view: v} = app;
  if (m.pools.length > 0)
    return m.pools
      .filter(({capacity, low, high}) => capacity !== null && low + capacity <= high)
      .map(({low, capacity, high, space}) => ({low: low + capacity, high: high + space / 3}));
  if (m.capacity === null || m.capacity >= v.y1) return [];
  return [{low: m.capacity, high: Math.max(v.y1, m.top)}];
}

// ------------------------------------------------------------ hatching and labels

// A pattern of lines, cached under a key; `lines` is their direction.
export function hatching(app, c, key, ink, lines, {breadth = 1.4, size = 6} = {}) {
  const tiles = (app.tiles ??= {}),
    name = `${key} ${ink}`;
  if (tiles[name]) return tiles[name];
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const t = tile.getContext('2d');
  draw.pen(t, ink, breadth);
  for (const shift of [-size, 0, size]) {
    if (lines !== 'falling') draw.line(t, shift - 1, size + 1, shift + size + 1, -1);
    if (lines !== 'rising') draw.line(t, shift - 1, -1, shift + size + 1, size + 1);
  }
  return (tiles[name] = c.createPattern(tile, 'repeat'));
}

export function hatch(app, c, boxes, pattern, ink) {
  c.fillStyle = pattern;
  draw.pen(c, ink);
  for (const box of boxes) {
    const at = view.place(app.view, box);
    c.globalAlpha = 0.6;
    c.fillRect(...at);
    c.globalAlpha = 1;
    c.strokeRect(...at);
  }
}

// ------------------------------------------------------------ below the rectangles

function drawCapacities(app, c) {
  const {view: v, look} = app;
  c.fillStyle = hatching(app, c, 'above', look.capacity, 'rising', {breadth: 0.8});
  c.globalAlpha = 0.5;
  for (const {low, high} of aboveCapacity(app)) {
    const y = view.yOf(v, high);
    c.fillRect(v.left, y, v.across, view.yOf(v, low) - y);
  }
  c.globalAlpha = 1;
}

function drawBanks(app, c) {
  if (!showsBanks(app)) return;
  const {m, view: v, look} = app,
    size = bank(m);
  draw.pen(c, look.muted, 1, [1, 3]);
  for (const {low, high} of m.pools.length > 0 ? m.pools : [{low: 0, high: v.y1}])
    for (let at = low + size; at < high; at += size) {
      const y = draw.crisp(view.yOf(v, at));
      if (y > v.top && y < v.top + v.down) draw.line(c, v.left, y, v.left + v.across, y);
    }
}

export function ground(app, c) {
  const {m, view: v, look} = app,
    reserved = relations.reserved(m);
  draw.clip(c, v.left, v.top, v.across, v.down);
  c.fillStyle = look.grid;
  for (const {high, space} of m.pools.slice(1)) {
    const y = view.yOf(v, high + space);
    c.fillRect(v.left, y, v.across, view.yOf(v, high) - y);
  }
  drawCapacities(app, c);
  hatch(app, c, reserved, hatching(app, c, 'reserved', look.muted, 'rising'), look.muted);
  drawBanks(app, c);
  c.restore();
}

// ------------------------------------------------------------ above the rectangles

function drawShares(app, c) {
  const {m, look} = app;
  const pattern = hatching(app, c, 'shared', look.shared, 'falling', {breadth: 0.9, size: 7});
  hatch(app, c, shares(m), pattern, look.shared);
}

function drawBodies(app, c) {
  draw.pen(c, app.look.capacity, 2.4, [0.5, 4]);
  c.lineCap = 'round';
  for (const box of bodies(app.m)) c.strokeRect(...view.place(app.view, box));
  c.lineCap = 'butt';
}

// The middles of the pins in the lower left corners of buffers whose offsets are fixed.
function pins({m, view: v}) {
  const list = [];
  for (const i of pinned(m)) {
    if (m.shown[i] < 0) continue;
    const [x, y, across, down] = view.place(v, model.rect(m, m.rectOf[m.rectFirst[i]]));
    if (across < 14 || down < 9 || x > v.left + v.across || x + across < v.left) continue;
    list.push({x: Math.max(x, v.left) + 7, y: y + down - 5});
  }
  return list;
}

function drawPins(app, c) {
  const {look} = app;
  c.fillStyle = look.critical;
  draw.pen(c, look.panel, 1.5);
  for (const {x, y} of pins(app)) {
    c.beginPath();
    c.arc(x, y, 3, 0, 2 * Math.PI);
    c.stroke();
    c.fill();
  }
}

// The height at which a pool is named; null if it is out of view.
function poolLine({view: v}, {high, low}) {
  const y = Math.max(v.top + 9, view.yOf(v, high) - 8);
  return y > v.top + v.down - 4 || view.yOf(v, low) < v.top + 20 ? null : y;
}

export const freeOf = ({peak, capacity}) =>
  capacity === null ? '' : `${text.amount(capacity - peak)} free`;

// The name of each pool and its free bytes, at its top left.
function drawPools(app, c) {
  const {m, view: v, look} = app;
  for (const pool of m.pools) {
    const y = poolLine(app, pool),
      x = v.left + 6,
      words = text.cut(pool.name, 24);
    if (y === null) continue;
    c.font = look.strong;
    draw.haloed(app, c, words, x, y, look.ink, 'left');
    const next = x + c.measureText(words).width + 10;
    c.font = look.small;
    draw.haloed(app, c, freeOf(pool), next, y, look.muted, 'left');
  }
}

// Whether an earlier plan has a buffer at another offset.
function isElsewhere(m, i) {
  const near = model.near(m, i);
  return near !== null && Number(near) + m.lift[i] !== m.shown[i];
}

// Draws the window of the selected buffer, and its place in an earlier plan.
export function choice(app, c, outline) {
  const {m, selected: i, look} = app;
  if (i === null) return;
  const window = model.window(m, i);
  if (isElsewhere(m, i))
    outline(app, c, i, look.carrier, 2, {dash: [2, 3], low: Number(model.near(m, i)) + m.lift[i]});
  if (window) {
    const [low, high] = [window[0], window[1] ?? m.top].map((at) => m.lift[i] + Number(at)),
      box = {start: m.first[i], end: m.last[i], low, high};
    draw.pen(c, look.select, 1.5, [10, 4]);
    c.strokeRect(...view.place(app.view, box));
  }
}

export function over(app, c) {
  const {m} = app;
  if (relations.isRelated(m)) {
    drawShares(app, c);
    drawBodies(app, c);
  }
  drawPins(app, c);
  drawPools(app, c);
}

// The keepouts for names of rectangles: reserved bytes, the names of pools, and pins.
export function keepouts(app) {
  const {m, view: v} = app;
  return [
    ...relations
      .reserved(m)
      .map((box) => view.place(v, box))
      .map(([x, y, across, down]) => ({left: x, right: x + across, top: y, bottom: y + down})),
    ...pins(app).map(({x, y}) => ({left: x - 5, right: x + 5, top: y - 7, bottom: y + 7})),
    ...m.pools
      .map((pool) => poolLine(app, pool))
      .filter((y) => y !== null)
      .map((y) => ({left: v.left, right: v.left + 240, top: y - 8, bottom: y + 8})),
  ];
}

// Outlines of the buffers related to the one under the pointer, or to the selected one.
export function partners(app, c, outline) {
  const {m, look} = app,
    at = app.hover ?? app.selected;
  if (at === null) return;
  for (const {other} of relations.ofBuffer(m, at))
    outline(app, c, other, look.shared, 2.5, {dash: [4, 3]});
}

// ------------------------------------------------------------ words

// The sharing at a point of the stage: "64 B shared by in and out".
export function sharedAt({m}, t, at) {
  if (!relations.isRelated(m)) return null;
  const box = shares(m).find(
    ({start, end, low, high}) => start <= t && t < end && low <= at && at < high,
  );
  if (!box) return null;
  const [a, b] = [box.first, box.second].map((i) => model.label(m, i, 60));
  return `${text.amount(box.high - box.low)} shared by ${a} and ${b}`;
}

// The marks that the legend explains: [name, kind of key, colour, explanation].
export function marks(app) {
  const {m, look, selected} = app,
    list = [];
  const add = (is, ...mark) => is && list.push(mark);
  add(aboveCapacity(app).length > 0, 'above the capacity', 'stripes rise', look.capacity);
  add(relations.reserved(m).length > 0, 'reserved bytes', 'box stripes rise', look.muted);
  add(showsBanks(app), 'bank boundary', 'line dotted', look.muted);
  if (relations.isRelated(m)) {
    add(
      shares(m).length > 0,
      'shared bytes',
      'box stripes',
      look.shared,
      'bytes that two buffers share while both are alive, as a relation allows',
    );
    add(bodies(m).length > 0, 'colocated buffers', 'box dotted', look.capacity);
    add(
      true,
      'related',
      'box dashed',
      look.shared,
      'in a relation with the buffer under the pointer, or with the selected one',
    );
  }
  add(pinned(m).length > 0, 'fixed offset', 'pin', look.critical);
  if (selected === null) return list;
  add(model.window(m, selected) !== null, 'window of its offset', 'box dashed', look.select);
  add(isElsewhere(m, selected), 'its earlier offset', 'box dotted', look.carrier);
  return list;
}
