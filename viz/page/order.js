// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the operators, if a schedule has changed it: the given one beside that of the plan.
// An operator has its type and name if the plan lists operators, and the buffers that it makes.
const {byId, make, link, pairs, long, heading, note, amounts} = parts;

// For each operator in the plan's order, its place in the given one; null without a schedule.
function read(m) {
  const given = m.plan.schedule?.operators?.map(Number);
  if (!given || given.length === 0) return null;
  const seen = new Set(given);
  const isOrder = seen.size === given.length && given.every((g) => g >= 0 && g < given.length);
  return isOrder ? given : null;
}

// The places of a longest ascending run: the operators that have not moved past each other.
export function kept(given) {
  const least = [], // the least value that ends a run of each length
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

// The buffers that begin at each moment.  Inputs begin with the first operator, but none makes
// them.
function madeAt(m) {
  const at = new Map();
  for (let i = 0; i < m.count; i++) {
    if (!at.has(m.first[i])) at.set(m.first[i], []);
    at.get(m.first[i]).push(i);
  }
  const first = at.get(0) ?? [],
    made = first.filter((i) => model.kind(m, i));
  if (made.length > 0) at.set(0, made);
  return at;
}

function cell(app, at, k) {
  const made = at.get(k) ?? [],
    named = operators.count(app.m) > k;
  if (made.length === 0 && !named) return make('span.made.note', 'no new buffer');
  return make(
    'span.made',
    {title: made.length > 0 ? model.kind(app.m, made[0]) || null : null},
    named ? operators.operatorLink(app, k) : null,
    made.length > 0
      ? make(
          'span',
          link(app, made[0]),
          made.length > 1 ? make('small', ` +${made.length - 1}`) : null,
        )
      : null,
  );
}

// How far an operator has moved, in words and as a sign.
function shift(k, given, places) {
  const by = given[k] - k;
  if (places.has(k)) return make('span.shift');
  const words = `moved from ${text.span(given[k] + 1, k + 1)}`;
  return make(
    'span.shift',
    {title: words},
    make('span.unseen', words),
    make('span', {'aria-hidden': 'true'}, by > 0 ? `↑ ${by}` : by < 0 ? `↓ ${-by}` : '↕'),
  );
}

function row(app, k, {given, places, now, at}) {
  const was = now[k];
  return make(
    'li',
    {class: places.has(k) ? '' : 'moved'},
    make('span.place', text.grouped(k + 1)),
    cell(app, at, was),
    cell(app, at, k),
    shift(k, given, places),
  );
}

function figures(m) {
  const {given_bound: before, lower_bound: least} = m.plan.schedule,
    bound = m.report.bound ?? 0;
  return pairs([
    ['Given order', ...amounts(before)],
    ['This order', ...amounts(bound)],
    m.report.order_status === 'optimal'
      ? ['Proven', 'no order has a lower bound']
      : least
        ? ['Proven', `no order gets below ${text.amount(least)}`]
        : ['Proven'],
  ]);
}

// Fills the tab, or hides it.
export function page(app) {
  const given = read(app.m),
    box = byId('page-order');
  byId('tab-order').hidden = given === null;
  if (given === null) {
    if (!box.hidden) panel.open('tensor');
    box.replaceChildren();
    return;
  }
  const places = kept(given),
    now = new Int32Array(given.length),
    moved = given.length - places.size;
  given.forEach((g, k) => (now[g] = k));
  const known = {given, places, now, at: madeAt(app.m)};
  box.replaceChildren(
    heading('Bound'),
    figures(app.m),
    heading('Operators', given.length),
    note(
      moved === 0
        ? 'They run in the given order.'
        : `${text.plural(moved, 'operator')} moved past others, marked with how many places.`,
      ' Below each operator is what it makes.',
    ),
    make(
      'p.orders',
      {'aria-hidden': 'true'},
      make('span.place'),
      make('span.made', 'given order'),
      make('span.made', 'this order'),
      make('span.shift'),
    ),
    long(
      given,
      (_, k) => row(app, k, known),
      'Operators by place: in the given order, then in this order',
      'ol',
    ),
  );
}
