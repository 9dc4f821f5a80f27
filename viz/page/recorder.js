// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing context that writes SVG.  The functions that draw on canvases draw on it as well, so a
// saved picture has whatever the page has.  It knows the part of the canvas interface that they use.
const tiles = new WeakMap(); // of patterns
const number = (value) => String(Number(value.toFixed(2)));

// Text for XML, without the characters that XML cannot have.
export const escape = (words) =>
  String(words)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const attributes = (list) =>
  Object.entries(list)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? number(value) : escape(value)}"`)
    .join('');

export const element = (tag, list, content = null) =>
  content === null
    ? `<${tag}${attributes(list)}/>`
    : `<${tag}${attributes(list)}>${content}</${tag}>`;

const rectPath = (x, y, w, h) =>
  `M${number(x)} ${number(y)}h${number(w)}v${number(h)}h${number(-w)}z`;

const circlePath = (x, y, r) =>
  `M${number(x - r)} ${number(y)}a${number(r)} ${number(r)} 0 1 0 ${number(2 * r)} 0a${number(r)} ${number(r)} 0 1 0 ${number(-2 * r)} 0z`;

// A path for both kinds of contexts.
export class Path extends Path2D {
  steps = [];

  rect(...box) {
    super.rect(...box);
    this.steps.push(rectPath(...box));
  }
}

// A pattern for either kind; its tile is a canvas.
export function pattern(c, tile) {
  const made = c.createPattern(tile, 'repeat');
  tiles.set(made, tile);
  return made;
}

const measure = document.createElement('canvas').getContext('2d');
const FONT = /^(?:(\d+|bold) )?([\d.]+)px (.*)$/;
const ANCHORS = {left: 'start', start: 'start', center: 'middle', right: 'end', end: 'end'};
const DROPS = {middle: 0.35, top: 0.8, alphabetic: 0, bottom: -0.2}; // of the font's size

// A new context; `prefix` keeps its ids apart from those of others in the same file.
export function make(prefix) {
  const out = [],
    defs = [],
    known = new Map();
  let steps = [],
    saved = [],
    state = {
      fillStyle: '#000',
      strokeStyle: '#000',
      lineWidth: 1,
      lineJoin: 'miter',
      lineCap: 'butt',
      globalAlpha: 1,
      font: '10px sans-serif',
      textAlign: 'start',
      textBaseline: 'alphabetic',
      dash: [],
      groups: 0,
    };

  const define = (key, build) => {
    if (!known.has(key)) {
      const id = `${prefix}${known.size}`;
      known.set(key, id);
      defs.push(build(id));
    }
    return `url(#${known.get(key)})`;
  };

  function paint(style) {
    if (typeof style === 'string') return style;
    const tile = tiles.get(style),
      href = tile.toDataURL();
    return define(href, (id) =>
      element(
        'pattern',
        {id, width: tile.width, height: tile.height, patternUnits: 'userSpaceOnUse'},
        element('image', {width: tile.width, height: tile.height, href}),
      ),
    );
  }

  const filling = () => ({
    fill: paint(state.fillStyle),
    'fill-opacity': state.globalAlpha < 1 ? state.globalAlpha : null,
  });
  const stroking = () => ({
    fill: 'none',
    stroke: paint(state.strokeStyle),
    'stroke-width': state.lineWidth === 1 ? null : state.lineWidth,
    'stroke-linejoin': state.lineJoin === 'miter' ? null : state.lineJoin,
    'stroke-linecap': state.lineCap === 'butt' ? null : state.lineCap,
    'stroke-dasharray': state.dash.length > 0 ? state.dash.join(' ') : null,
    'stroke-opacity': state.globalAlpha < 1 ? state.globalAlpha : null,
  });
  const dOf = (path) => (path?.steps ?? steps).join('');

  function words(string, x, y, most, style) {
    const [, weight, size, family] = FONT.exec(state.font);
    measure.font = state.font;
    const {width} = measure.measureText(string);
    out.push(
      element(
        'text',
        {
          x,
          y: y + DROPS[state.textBaseline] * Number(size),
          ...style,
          'font-family': family,
          'font-size': Number(size),
          'font-weight': weight ?? null,
          'text-anchor': ANCHORS[state.textAlign],
          textLength: most < width ? most : null,
          lengthAdjust: most < width ? 'spacingAndGlyphs' : null,
        },
        escape(string),
      ),
    );
  }

  // A group, which ends with restore().
  const open = (list) => {
    out.push(`<g${attributes(list)}>`);
    state.groups++;
  };

  const context = {
    beginPath: () => (steps = []),
    moveTo: (x, y) => steps.push(`M${number(x)} ${number(y)}`),
    lineTo: (x, y) => steps.push(`${steps.length > 0 ? 'L' : 'M'}${number(x)} ${number(y)}`),
    rect: (...box) => steps.push(rectPath(...box)),
    arc: (x, y, r) => steps.push(circlePath(x, y, r)), // whole circles
    fill: (path) => out.push(element('path', {d: dOf(path), ...filling()})),
    stroke: (path) => out.push(element('path', {d: dOf(path), ...stroking()})),
    fillRect: (x, y, width, height) =>
      out.push(element('rect', {x, y, width, height, ...filling()})),
    strokeRect: (x, y, width, height) =>
      out.push(element('rect', {x, y, width, height, ...stroking()})),
    fillText: (string, x, y, most = Infinity) => words(string, x, y, most, filling()),
    strokeText: (string, x, y, most = Infinity) => words(string, x, y, most, stroking()),
    measureText(string) {
      measure.font = state.font;
      return measure.measureText(string);
    },
    setLineDash: (dash) => (state.dash = [...dash]),
    createPattern: (tile) => ({tile}),
    save() {
      saved.push({...state});
      state.groups = 0;
    },
    restore() {
      out.push('</g>'.repeat(state.groups));
      state = saved.pop() ?? state;
    },
    clip() {
      const d = dOf();
      const path = define(`clip ${d}`, (id) => element('clipPath', {id}, element('path', {d})));
      open({'clip-path': path});
    },
    translate: (x, y) => open({transform: `translate(${number(x)} ${number(y)})`}),
    rotate: (angle) => open({transform: `rotate(${number((angle * 180) / Math.PI)})`}),
    setTransform: () => undefined,
    clearRect: () => undefined,
    // Adds elements as they are.
    add: (...list) => out.push(...list),
    define,
    group: () => `<defs>${defs.join('')}</defs>\n${out.join('\n')}`,
  };
  for (const key of Object.keys(state))
    if (key !== 'dash' && key !== 'groups')
      Object.defineProperty(context, key, {
        get: () => state[key],
        set: (value) => (state[key] = value),
      });
  return context;
}

// What draw.fitCanvas takes for a canvas.
export const canvasOf = (context) => ({ratio: 1, width: 0, height: 0, getContext: () => context});
