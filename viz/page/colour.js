// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of rectangles: tables with 32-bit pixels for each face and each edge, rebuilt when
// the theme, the colouring or the search changes.  The colours themselves are CSS variables.
//
// Groups and ramps follow the same rules as viz/layout/colouring.c.  A scale is
// {of, legend, note, pattern}: the class of each buffer, the entry of each class, a note on entries
// that their labels do not explain, and the pattern of each buffer.
const CATEGORIES = 10; // colours; the last one is for all smaller groups
export const css = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function rgb(name) {
  const number = parseInt(css(name).slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

// Packs a colour as in image memory on little-endian machines, on which browsers run.
const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
const mix = (a, b, share) => a.map((v, k) => Math.round(v + (b[k] - v) * share));
const hexOf = (parts) => `#${parts.map((v) => v.toString(16).padStart(2, '0')).join('')}`;

// ------------------------------------------------------------ scales

const RAMP = 5; // colours

// The next round number: a power of two for bytes, otherwise 1, 2 or 5 times a power of ten.
function nextRound(number, isBytes) {
  if (isBytes) return number * 2;
  const power = 10 ** Math.floor(Math.log10(number) + 1e-9);
  return power * [2, 5, 10].find((factor) => factor * power > number * (1 + 1e-9));
}

function roundUp(number, isBytes) {
  let round = 1;
  while (round < number) round = nextRound(round, isBytes);
  return round;
}

// The upper ends, round numbers, of at most RAMP classes from small to large.
function edgesOf(values, isBytes) {
  let low = Infinity,
    high = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value > 0 && value < low) low = value;
    if (value > high) high = value;
  }
  const rounds = [roundUp(Math.min(low, high), isBytes)],
    add = () => rounds.push(nextRound(rounds.at(-1), isBytes));
  while (rounds.at(-1) < high) add();
  const stride = Math.ceil(rounds.length / RAMP);
  while (rounds.length % stride > 0) add();
  return rounds.filter((_, k) => (k + 1) % stride === 0);
}

function countInto(legend, of) {
  const counts = new Uint32Array(legend.length);
  for (let i = 0; i < of.length; i++) counts[of[i]]++;
  legend.forEach((entry, k) => (entry.count = counts[k]));
  return {of, legend};
}

// Sizes and times of 0 are in the first class.  `rest` has the labels of the classes of buffers
// without the quantity, and restOf(value) tells which of them a value belongs to, or -1.
function ramp(values, isBytes, rest = [], restOf = () => -1) {
  const edges = edgesOf(values, isBytes),
    last = Math.max(1, edges.length - 1),
    show = (value) => (isBytes ? text.round(value) : text.grouped(value));
  const legend = [
    ...edges.map((top, k) => ({
      colour: rgb(`--ramp-${Math.floor((k * (RAMP - 1)) / last)}`),
      label: `up to ${show(top)}`,
    })),
    ...rest.map((label, k) => ({colour: rgb(`--rest-${k}`), label})),
  ];
  const of = new Uint8Array(values.length);
  for (let i = 0; i < of.length; i++) {
    const value = values[i],
      k = restOf(value);
    if (k >= 0) of[i] = edges.length + k;
    else while (value > edges[of[i]]) of[i]++;
  }
  return countInto(legend, of);
}

// The groups, the one with the most bytes first.
function byBytes(m, groupOf) {
  const groups = new Map();
  for (let i = 0; i < m.count; i++) {
    const name = groupOf(i);
    groups.set(name, (groups.get(name) ?? 0) + m.size[i]);
  }
  return [...groups].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

// The groups with the most bytes get a colour each; all others share one.
function categories(m, groupOf, none) {
  const groups = byBytes(m, groupOf),
    own = groups.length <= CATEGORIES ? groups.length : CATEGORIES - 1,
    classOf = new Map(groups.map((name, k) => [name, Math.min(k, own)]));
  const legend = groups
    .slice(0, own)
    .map((name, k) => ({colour: rgb(`--group-${k}`), label: name || none}));
  if (own < groups.length)
    legend.push({
      colour: rgb(`--group-${CATEGORIES - 1}`),
      label: `${text.grouped(groups.length - own)} others`,
    });
  const of = new Uint8Array(m.count);
  for (let i = 0; i < m.count; i++) of[i] = classOf.get(groupOf(i));
  return countInto(legend, of);
}

// The classes of risk, by the buffers that a buffer is alive with, including itself.
export const RISKS = [
  'none: all others',
  'low: with one of these',
  'medium: with one at the bound',
  'high: with one above the bound',
];

function byRisk(m) {
  const legend = model.RISKS.map((risk, k) => ({
    colour: rgb(`--risk-${risk}`),
    label: RISKS[k],
    pattern: k,
  }));
  const risks = quantities.risks(m);
  return {
    ...countInto(legend, risks),
    pattern: risks,
    reversed: true,
  };
}

const PREFIX_MOST = 200; // characters of a name that can determine its group

// The length of the prefix that the first `count` names share, up to its last separator, such as
// "model/".
function commonStart(m, count) {
  if (count < 2) return 0;
  const first = model.name(m, 0);
  let common = Math.min(first.length, PREFIX_MOST);
  for (let i = 1; i < count && common > 0; i++) {
    const name = model.name(m, i);
    let same = 0;
    while (same < common && name[same] === first[same]) same++;
    common = same;
  }
  while (common > 0 && !/[/.:]/.test(first[common - 1])) common--;
  return common;
}

// "conv1/weights" and "conv1/bias" belong to conv1; "conv_1" and "conv_2" to conv; "12" to
// none.
function prefix(name, skipped) {
  const piece = name.slice(skipped, skipped + PREFIX_MOST),
    cut = piece.slice(1).search(/[/.:]/) + 1;
  return cut > 0 ? piece.slice(0, cut) : piece.replace(/[-_# ]*\d+$/, '');
}

export function byName(m) {
  return (i) => {
    m.skipped ??= commonStart(m, m.count);
    return prefix(model.name(m, i), m.skipped);
  };
}

const LOOKED_AT = 1000; // names

// Whether names group buffers, judged by the first names: numbers do not.
function hasNames(m) {
  const count = Math.min(m.count, LOOKED_AT),
    skipped = commonStart(m, count);
  for (let i = 0; i < count; i++) if (prefix(model.name(m, i), skipped)) return true;
  return false;
}

const byOperator = (m) => (i) => model.kind(m, i);
const byObject = (m) => (i) => (model.object(m, i) === null ? '' : `object ${model.object(m, i)}`);

// Groups the buffers of two plans: the peak rests on them in both, in one, or in none.
function byStack(m, app) {
  const {own, other, pair: p} = app,
    there = pair.numbers(p, m),
    [here, beside] = (m === own ? [own, other] : [other, own]).map(
      (one) => supports.critical(one).seen,
    ),
    [onlyHere, onlyThere] = m === own ? [1, 2] : [2, 1];
  const of = Uint8Array.from(there, (j, i) => {
    const inOther = j !== pair.NONE && beside[j];
    return here[i] ? (inOther ? 0 : onlyHere) : inOther ? onlyThere : 3;
  });
  const legend = [
    ['--retimed', 'below the peaks of A and B', 3],
    ['--shrank', 'only of A', 1],
    ['--moved', 'only of B', 2],
    ['--still', 'of neither', 0],
  ].map(([name, label, pattern]) => ({colour: rgb(name), label, pattern}));
  return {...countInto(legend, of), pattern: of.map((kind) => legend[kind].pattern)};
}

// The change of each buffer from plan A to plan B; counts are over both plans.
function byChange(m, app) {
  const {pair: p} = app,
    kinds = pair.kinds(p, m);
  return {
    of: kinds,
    legend: pair.KINDS.map(({word, colour: name, pattern}, k) => ({
      colour: rgb(name),
      label: word,
      count: p.counts[k],
      pattern,
    })),
    pattern: kinds.map((kind) => pair.KINDS[kind].pattern),
  };
}

function byWaste(m) {
  const restOf = (value) => (value === 0 ? 0 : -1);
  return {
    ...ramp(quantities.padding(m), true, ['none'], restOf),
    note:
      'Bytes that alignment leaves unused right below a buffer: what is free there, ' +
      'if it is less than the alignment',
  };
}

function byAge(m, app) {
  const at = quantities.moment(m, app),
    restOf = (value) => (value >= 0 ? -1 : value === quantities.FREED ? 0 : 1);
  const since = app.cursor === null ? 'the first moment with most live bytes' : 'the time cursor';
  return {
    ...ramp(quantities.ages(m, at), false, ['freed before', 'allocated later'], restOf),
    note: `Time from the allocation of a buffer to ${text.grouped(at)}, ${since}`,
  };
}

// The colourings: their names on the page, the plans that have them, and their scales.
export const MODES = {
  risk: {label: 'class of risk', offered: () => true, scale: byRisk},
  operator: {
    label: 'operator',
    offered: (m) => model.hasKinds(m),
    scale: (m) => categories(m, byOperator(m), 'no operator'),
  },
  name: {label: 'name', offered: hasNames, scale: (m) => categories(m, byName(m), 'other names')},
  size: {label: 'size', offered: () => true, scale: (m) => ramp(m.size, true)},
  lifetime: {
    label: 'lifetime',
    offered: () => true,
    scale: (m) => ramp(quantities.durations(m), false),
  },
  pool: {
    label: 'pool',
    offered: (m) => m.pools.length > 0,
    scale: (m) => categories(m, (i) => model.pool(m, i), 'no pool'),
  },
  waste: {label: 'alignment waste', offered: quantities.isAligned, scale: byWaste},
  age: {label: 'age', offered: () => true, scale: byAge, byCursor: true},
  object: {
    label: 'shared object',
    offered: (m) => model.hasObjects(m),
    scale: (m) => categories(m, byObject(m), 'no object'),
  },
  stack: {label: 'what the peaks rest on', offered: (m, app) => Boolean(app.other), scale: byStack},
  moved: {label: 'what changed', offered: (m, app) => Boolean(app.other), scale: byChange},
};

// ------------------------------------------------------------ the table

// The matches of a search, a group that the tuner moved and, if selected, the critical stack keep
// their colours; all other buffers fade.  So do the classes that the legend has hidden.
function isFaded(app, outside) {
  const {m} = app,
    matched = app.matched ?? rounds.groupMask(app);
  if (matched) return (i) => !matched[i] || outside(i);
  if (app.critical !== 'fade') return outside;
  const {seen} = supports.critical(m);
  return (i) => !seen[i] || outside(i);
}

// The pixels of a face, its edge and its pattern, both normal and faded.
function pixelsOf(face) {
  const ground = rgb('--panel'),
    ink = rgb('--ink'),
    share = Number(css('--faded'));
  return [false, true].map((faded) => {
    const own = faded ? mix(face, ground, share) : face;
    return {
      face: pixel(own),
      edge: pixel(mix(own, ground, 0.8)),
      shade: pixel(mix(own, ink, faded ? 0.06 : 0.2)),
    };
  });
}

// Fills app.paint: {face, edge, shade, pattern, fades, of, note, legend}.
export function refresh(app) {
  const {m} = app,
    scale = MODES[app.colourBy].scale(m, app),
    {of, legend: classes, note = '', pattern = null} = scale;
  const hidden = classes.map(({label}) => !legend.isShown(label)),
    fades = isFaded(app, hidden.includes(true) ? (i) => hidden[of[i]] : () => false),
    pixels = classes.map(({colour: face}) => pixelsOf(face));
  const [face, edge, shade] = [0, 1, 2].map(() => new Uint32Array(m.rectCount));
  for (let r = 0; r < m.rectCount; r++) {
    const i = m.rectBuffer[r],
      own = pixels[of[i]][fades(i) ? 1 : 0];
    face[r] = own.face;
    edge[r] = own.edge;
    shade[r] = own.shade;
  }
  const entries = classes.map((entry) => ({...entry, colour: hexOf(entry.colour)}));
  if (scale.reversed) entries.reverse();
  app.paint = {face, edge, shade, pattern, fades, of, note, legend: entries};
}
