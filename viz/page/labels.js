// SPDX-License-Identifier: GPL-3.0-or-later
// The names of rectangles, as viz/layout/boxes.c places them in pictures: in a rectangle where
// any form of its short name fits, otherwise beside it where there is room.  Names keep clear of
// lines, of other words and of each other.  The short names themselves come with the plan
// (viz/layout/short_names.c).
const LINE = 13, // pixels between two lines of a label
  LEAST = 11.5, // the least height for a line of words
  MARGIN = 3,
  STEP = 3, // between places tried for a label
  TRIES = 60, // places along each axis
  MOST = 1000, // labels: a large screen has room for fewer rectangles of 60 times 14 pixels
  BESIDE = {most: 64, least: 4, gap: 4, rects: 4000},
  WIDTHS_MOST = 50000;
let widths = new Map(),
  font = '';

// ------------------------------------------------------------ forms

const letters = (words) => words.replace(/[^a-z]/gi, '').toLowerCase();

// "DEPTHWISE_CONV" of "DEPTHWISE_CONV_2D", "GlobalAverage" of "GlobalAveragePool"; "" of one word.
const LAST_WORD = /(?:[-_/.:]+(?:[^-_/.:A-Z]|(?<![a-z])[A-Z])*|(?<=[a-z])[A-Z][^-_/.:A-Z]*)$/;
const dropWord = (type) => (LAST_WORD.test(type) ? type.replace(LAST_WORD, '') : '');

// The labels of a buffer from the most telling to the shortest.  No two buffers share one.  Those
// with its short name come first, then its number after less and less of the operator's type.
export function forms(m, i) {
  m.forms ??= new Map();
  if (m.forms.has(i)) return m.forms.get(i);
  const name = model.shortName(m, i).slice(0, 200),
    type = model.kind(m, i).slice(0, 100),
    named = type && !letters(name).includes(letters(type)) ? [`${type} ${name}`, name] : [name],
    numbered = [];
  for (let left = type; left && numbered.length < 3; left = dropWord(left))
    numbered.push(`${left} #${i}`);
  const made = {named, numbered: [...numbered, `#${i}`]};
  m.forms.set(i, made);
  return made;
}

function widthOf(c, words) {
  if (font !== c.font || widths.size > WIDTHS_MOST) [font, widths] = [c.font, new Map()];
  if (!widths.has(words)) widths.set(words, c.measureText(words).width);
  return widths.get(words);
}

// ------------------------------------------------------------ places

// The box of times and bytes at a place.
const boxOf = ({view: v}, {left, right, top, bottom}) => ({
  x0: view.timeAt(v, left),
  x1: view.timeAt(v, right),
  y0: view.byteAt(v, bottom),
  y1: view.byteAt(v, top),
});

const hits = (list, a) =>
  list.some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);

// Finds a place of the given extent that touches no keepout, as near to the middle of a box as
// possible; otherwise returns the middle, with `late`.
function findFree(box, across, down, keepouts) {
  const slackX = (box.right - box.left - across) / 2,
    slackY = (box.bottom - box.top - down) / 2,
    off = (k) => (k % 2 ? k + 1 : -k) * (STEP / 2),
    at = (x, y) => ({left: x, top: y, right: x + across, bottom: y + down}),
    middle = at(box.left + slackX, box.top + slackY);
  if (slackX < 0 || slackY < 0) return null;
  for (let i = 0; i < TRIES && Math.abs(off(i)) <= slackX; i++)
    for (let k = 0; k < TRIES && Math.abs(off(k)) <= slackY; k++) {
      const place = at(middle.left + off(i), middle.top + off(k));
      if (!hits(keepouts, place)) return place;
    }
  return {...middle, late: true};
}

const grown = (box, by) => ({
  left: box.left + by,
  right: box.right - by,
  top: box.top,
  bottom: box.bottom,
});

// The height of a line of words, which is more with letters such as g.
const lineOf = (words) => (/[gjpqy_,;()|@]/.test(words) ? LINE + 1 : LEAST);

function seatLevel(c, box, words, size, keepouts) {
  const across = Math.max(widthOf(c, words), size ? widthOf(c, size) : 0),
    down = size ? 2 * LINE : lineOf(words),
    place = findFree(grown(box, MARGIN), across, down, keepouts);
  return place && !place.late && {...place, words, size};
}

function seatUpright(c, box, words, keepouts) {
  const inner = {...box, top: box.top + MARGIN, bottom: box.bottom - MARGIN},
    place = findFree(inner, lineOf(words), widthOf(c, words), keepouts);
  return place && !place.late && {...place, words, upright: true};
}

function seatForms(c, box, list, size, keepouts) {
  for (const words of list) {
    const label =
      (size && seatLevel(c, box, words, size, keepouts)) ||
      seatLevel(c, box, words, null, keepouts);
    if (label) return label;
  }
  if (box.bottom - box.top <= box.right - box.left) return null;
  for (const words of list) {
    const label = seatUpright(c, box, words, keepouts);
    if (label) return label;
  }
  return null;
}

// Places the shortest form over lines, with a halo, where they leave no free place.
function seatOverLines(c, box, words) {
  const across = widthOf(c, words),
    level = findFree(grown(box, MARGIN), across, LEAST, []),
    place = level ?? findFree(box, LEAST, across + 2 * MARGIN, []);
  return place && {...place, words, late: true, upright: !level};
}

// The parts of a rectangle that other buffers also cover: a name there could be theirs.
function sharedParts(app, {buffer, box}) {
  const {m} = app,
    list = [];
  const note = (r) => {
    const other = draw.partOf(app, r),
      left = Math.max(box.left, other.left) - MARGIN,
      right = Math.min(box.right, other.right) + MARGIN,
      top = Math.max(box.top, other.top) - 1,
      bottom = Math.min(box.bottom, other.bottom) + 1;
    const isPart = right - left > 2 * MARGIN && bottom - top > 2;
    if (m.rectBuffer[r] !== buffer && isPart) list.push({left, right, top, bottom});
  };
  model.query(m, boxOf(app, box), note);
  return list;
}

function seatInside(app, c, {box, buffer: i}, keepouts, mayShare) {
  const {named, numbered} = forms(app.m, i);
  return (
    seatForms(c, box, named, text.amount(app.m.size[i]), keepouts) ??
    seatForms(c, box, numbered, null, keepouts) ??
    (mayShare ? null : seatOverLines(c, box, numbered.at(-1)))
  );
}

// ------------------------------------------------------------ beside rectangles

// Whether a place meets any rectangle of the plan or the edge of the plot.
function isCovered(app, place) {
  const {m, view: v} = app,
    {left, right, top, bottom} = place;
  if (left < v.left || right > v.left + v.across || top < v.top || bottom > v.top + v.down)
    return true;
  let covered = false;
  model.query(m, boxOf(app, place), () => (covered = true));
  return covered;
}

// The places for words above a box, right of it, below it and left of it, each with the tick that
// leads there.
function sides(box, across) {
  const x = (box.left + box.right) / 2,
    y = (box.top + box.bottom) / 2,
    {gap} = BESIDE,
    at = (left, top) => ({left, top, right: left + across, bottom: top + LEAST}),
    middle = [x - across / 2, y - LEAST / 2];
  return [
    {...at(middle[0], box.top - gap - LEAST), tick: [x, box.top, x, box.top - gap]},
    {...at(box.right + gap, middle[1]), tick: [box.right, y, box.right + gap, y]},
    {...at(middle[0], box.bottom + gap), tick: [x, box.bottom, x, box.bottom + gap]},
    {...at(box.left - gap - across, middle[1]), tick: [box.left, y, box.left - gap, y]},
  ];
}

function seatBeside(app, c, box, i, keepouts) {
  for (const words of forms(app.m, i).named)
    for (const place of sides(box, widthOf(c, words)))
      if (!hits(keepouts, place) && !isCovered(app, place)) return {...place, words, beside: true};
  return null;
}

// ------------------------------------------------------------ all of them

const areaOf = ({left, right, top, bottom}) => (right - left) * (bottom - top);

// The rectangles with both sides of at least `least` pixels, the largest first.
function large(app, least) {
  const {view: v, m} = app,
    found = [],
    leastSize = (least / v.down) * (v.y1 - v.y0);
  const note = (r) => {
    const buffer = m.rectBuffer[r];
    if (m.size[buffer] >= leastSize) found.push({buffer, box: draw.partOf(app, r)});
  };
  model.query(m, v, note, (least / v.across) * (v.x1 - v.x0));
  return found.sort((a, b) => areaOf(b.box) - areaOf(a.box)).slice(0, MOST);
}

// Lays out all labels: {buffer, box, words, left, top, right, bottom} and their looks.
function layOut(app, c) {
  const {m} = app,
    keepouts = [...draw.levelKeepouts(app, c), ...signs.keepouts(app)],
    mayShare = relations.isRelated(m) || !collisions.isSound(m) || m.shown !== m.offset,
    labels = [],
    left = [];
  c.font = app.look.name;
  const all = m.rectCount <= BESIDE.rects,
    add = (label, {buffer, box}) => labels.push({...label, buffer, box});
  for (const rect of large(app, all ? BESIDE.least : LEAST)) {
    const around = mayShare ? [...keepouts, ...labels, ...sharedParts(app, rect)] : keepouts,
      label = seatInside(app, c, rect, around, mayShare);
    if (label) add(label, rect);
    else left.push(rect);
  }
  if (!all) return labels;
  for (const rect of left.slice(0, BESIDE.most)) {
    const label = seatBeside(app, c, rect.box, rect.buffer, [...keepouts, ...labels]);
    if (label) add(label, rect);
  }
  return labels;
}

function write(c, {words, size, upright, left, right, top, bottom}, put) {
  const x = (left + right) / 2,
    y = (top + bottom) / 2;
  if (upright) {
    c.save();
    c.translate(x, y);
    c.rotate(-Math.PI / 2);
    put(words, 0, 0);
    c.restore();
    return;
  }
  put(words, x, size ? y - LINE / 2 : y);
  if (!size) return;
  c.globalAlpha = 0.75;
  put(size, x, y + LINE / 2);
  c.globalAlpha = 1;
}

function begin(app, c) {
  c.font = app.look.name;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
}

// Draws the names of the rectangles in view, except those over lines, and keeps them all in
// app.labels.
export function paint(app, c) {
  const {look} = app;
  app.labels = layOut(app, c);
  begin(app, c);
  draw.pen(c, look.muted);
  for (const label of app.labels) {
    if (label.late) continue;
    if (label.tick) draw.line(c, ...label.tick);
    c.fillStyle = app.paint.fades(label.buffer)
      ? look.muted
      : label.beside
        ? look.ink
        : look.onFace;
    write(c, label, (words, x, y) => c.fillText(words, x, y));
  }
}

// Draws the names over lines.
export function over(app, c) {
  begin(app, c);
  for (const label of app.labels ?? [])
    if (label.late)
      write(c, label, (words, x, y) => draw.haloed(app, c, words, x, y, app.look.ink, 'center'));
}
