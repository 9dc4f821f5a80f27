// The explanation of neap explain, in a block of the page: why a capacity does not suffice, or why
// the peak is not lower.  The buffers that cannot fit together are outlined in the layout.
const {byId, make, link, bytes, pairs, long, heading, note, amounts} = parts;
const OUTLINED_MOST = 300;

const block = byId('explanation'),
  found = block && JSON.parse(block.textContent); // the object of neap explain --json, or null
let isOutlined = true;

const VERDICTS = {
  fits: 'it fits',
  does_not_fit: 'it does not fit (proven)',
  unknown: 'unknown: neither a plan nor a proof was found within the limits',
};

// Whether the explanation is about a capacity, and not about the peak.
const asksCapacity = () => found.available !== null || found.verdict !== 'fits';

const isPeakProven = () => found.peak !== null && found.peak === found.required;

// The bytes that a capacity lacks for all buffers, in words; null if no lack is known.
export const shortfall = () =>
  found?.excess > 0 ? `${isPeakProven() ? '' : 'at least '}${text.amount(found.excess)}` : null;

function figures(app) {
  const row = (term, value, ...remark) =>
    value === null ? [term] : [term, ...amounts(value), ...remark.map((words) => ` ${words}`)];
  return pairs([
    ['Verdict', asksCapacity() ? VERDICTS[found.verdict] : 'no capacity is given'],
    row('Required', found.required, isPeakProven() ? '(suffices)' : '(at least)'),
    row('Available', found.available),
    shortfall() ? row('Excess', found.excess, isPeakProven() ? '' : '(at least)') : ['Excess'],
    row('Bound', found.bound),
    row('Peak', found.peak),
    found.moment ? ['Moment', moment(app)] : ['Moment'],
  ]);
}

function moment(app) {
  const {start, end, operator} = found.moment;
  return parts.momentLink(
    app,
    text.span(start, end) + (operator ? `, while ${operator} runs` : ''),
    start,
  );
}

// ------------------------------------------------------------ why

function reason() {
  const refused = found.refused === null ? 'the pools' : text.amount(found.refused),
    set = text.plural(found.core_count, 'buffer');
  if (found.reason === 'none')
    return found.peak > found.required && found.available === null
      ? `The peak is ${text.amount(found.peak - found.required)} above what is proven to be ` +
          'needed; whether a lower one exists is not known.'
      : '';
  const why = {
    sum: `The sizes alive at that moment exceed ${refused}; ${set} alone do.`,
    column:
      `${set} exceed ${refused} at one moment, ` +
      'with their alignments, fixed offsets and relations.',
    set: `No layout of ${set} fits ${refused}, although no moment has too many bytes.`,
    pools: `${set} can be only in pools that are too small for them.`,
  }[found.reason];
  const minimal = found.minimal
    ? 'Without any one of them, the others fit.'
    : 'The set may not be the smallest.';
  return ['sum', 'pools'].includes(found.reason) ? why : `${why} ${minimal}`;
}

// A buffer by its name; the plan on screen may lack it.
function named(app, name) {
  const i = model.find(app.m, name) ?? null;
  return i === null ? make('span', text.cut(name, 120)) : link(app, i);
}

const bufferRow = (app, {name, size, start, end}) =>
  make('li', named(app, name), bytes(size), make('small', text.span(start, end)));

const list = (app, items, words) => parts.listed(words, items, (item) => bufferRow(app, item));

const outlineBox = (app) =>
  parts.checkBox('outline-core', 'Outline them in the layout', isOutlined, (on) => {
    isOutlined = on;
    app.redrawOver();
    address.changed();
  });

// ------------------------------------------------------------ what would help

const costOf = ({cost, cost_unit: unit, needs_kernels: kernels}) => {
  if (kernels) return 'other kernels';
  return cost === 0
    ? 'a constraint'
    : text.amount(cost) + (unit === 'byte_steps' ? ' × steps' : '');
};

function fixRow(app, fix) {
  const first = (fix.changes ?? []).find(({buffer}) => buffer),
    i = first ? (model.find(app.m, first.buffer) ?? null) : null;
  const show = () =>
    parts.action(
      fix.text,
      'Show the buffer',
      () => app.select(i, {show: true, open: false}),
      (on) => app.setHover(on ? i : null),
    );
  return [i === null ? fix.text : show(), costOf(fix), bytes(fix.peak)];
}

// Options, and the change that they may also need.
function leverRow({options, fix, needs_kernels: kernels, peak}) {
  const costs = [...(fix ? [costOf(fix)] : []), ...(kernels ? ['other kernels'] : [])],
    words = ['plan with ', make('code', options), fix ? ` and ${fix.text}` : ''];
  return [make('span', ...words), [...new Set(costs)].join(' + ') || 'nothing', bytes(peak)];
}

function fixes(app) {
  const items = [...found.options, ...found.fixes],
    lowers = !asksCapacity();
  if (items.length === 0)
    return asksCapacity() && found.verdict !== 'fits'
      ? [note('No single change that makes it fit was found.')]
      : [];
  return [
    heading(lowers ? 'What would lower the peak' : 'What would make it fit', items.length),
    note('Each has been verified by planning again.'),
    parts.tableOf(
      'fixes',
      ['Change', 'Cost', 'Peak'],
      items.map((item) => (item.options ? leverRow(item) : fixRow(app, item))),
      [1, 2],
    ),
  ];
}

// ------------------------------------------------------------ the tab

export function page(app) {
  if (!found) return;
  const why = reason(),
    repeats = found.alive_count <= found.core_count;
  parts.fill(
    'page-explain',
    figures(app),
    why ? make('p.note.why', why) : null,
    found.core_count > 0 ? list(app, found.core, 'Cannot fit together') : null,
    found.core_count > 0 ? outlineBox(app) : null,
    fixes(app),
    found.complete ? null : note('Limits were reached, so there may be more changes.'),
    repeats ? null : list(app, found.alive, 'Alive at that moment'),
  );
}

// Outlines the buffers that cannot fit together; `outline` draws one.
export function over(app, c, outline) {
  if (!found || !isOutlined || !asksCapacity()) return;
  for (const {name} of found.core.slice(0, OUTLINED_MOST)) {
    const i = model.find(app.m, name) ?? null;
    if (i !== null) outline(app, c, i, app.look.bad, 2, {halo: false});
  }
}

// The entry of the legend for the outlines.
export const marks = ({look}) =>
  found && isOutlined && asksCapacity() && found.core_count > 0
    ? [['cannot fit together', 'box', look.bad]]
    : [];

export function begin(app) {
  if (!found) return;
  byId('tab-explain').hidden = false;
  page(app);
  address.field('core', {
    get: () => (isOutlined ? null : 'plain'),
    set: (words) => {
      isOutlined = words !== 'plain';
      page(app);
      app.redrawOver();
    },
  });
  if (found.verdict !== 'fits') panel.open('explain');
}
