// SPDX-License-Identifier: GPL-3.0-or-later
// The groups that the tuner took out of a layout, one after the other, between one round and the
// next. Group g of a step is shown as it was when its search had ended: its members outlined, the
// buffer blamed for it marked, and ghosts where the members were before.
const {byId, make, link, key} = parts;
const LISTED_MOST = 256; // NEAP_MOVES_MAX
const OUTLINES_MOST = 600; // beyond it, fading the others says enough
export const state = {shown: null};

export const of = (round) => (Array.isArray(round?.moves) ? round.moves : []);

// The offsets before group g of a round, or null if they are not known: the round before may be
// missing, or a group may have been lowered without a list of its members.
function offsetsBefore(round, before, g) {
  if (!before || before.round !== round.round - 1) return null;
  const now = before.offsets.map(Number);
  for (const {outcome, members, offsets} of of(round).slice(0, g)) {
    if (outcome === 'lowered' && !offsets) return null;
    if (outcome === 'lowered') members.forEach((i, k) => (now[i] = Number(offsets[k])));
  }
  return now;
}

// Makes group g of a round the one that is shown.  Returns the offsets after its search, or null if
// they are not known.
export function show(app, round, before, g) {
  const move = of(round)[g],
    members = move.members ?? [];
  const mask = members.length > 0 ? new Uint8Array(app.m.count) : null;
  for (const i of members) mask[i] = 1;
  state.shown = {m: app.m, round, g, move, mask, before: offsetsBefore(round, before, g)};
  return offsetsBefore(round, before, g + 1);
}

export const hide = () => {
  state.shown = null;
};

export const isShownIn = ({m}) => state.shown?.m === m;

// Marks the members of the group shown; null if none is, or they are not known.
export const mask = (app) => (isShownIn(app) ? state.shown.mask : null);

// ------------------------------------------------------------ words

const OUTCOMES = {
  lowered: 'lowered',
  refuted: 'refuted: impossible while the others stay',
  open: 'given up',
};

const has = (move) => move.blamed !== undefined;

function sentence(app) {
  const {round, g, move} = state.shown,
    count = of(round).length,
    around = has(move) ? ` around ${model.label(app.m, move.blamed, 60)}` : ', everything';
  return (
    `Group ${text.grouped(g + 1)} of ${text.grouped(count)}: ` +
    `${text.plural(move.member_count, 'buffer')}${around} (highest end ` +
    `${text.grouped(move.top)}), target ${text.grouped(move.target)}: ${OUTCOMES[move.outcome]}`
  );
}

function counts(round) {
  const list = of(round),
    number = (outcome) => list.filter((move) => move.outcome === outcome).length;
  const cut = list.length < LISTED_MOST ? '' : 'the first ';
  return (
    `${cut}${text.plural(list.length, 'group')} taken out: ${number('lowered')} lowered, ` +
    `${number('refuted')} refuted, ${number('open')} given up`
  );
}

// The line below the rounds: the group shown, or how many groups the round has.
export function describe(app, round) {
  const line = byId('group-text');
  if (!state.shown) {
    line.replaceChildren(round && of(round).length > 0 ? counts(round) : '');
    return line.textContent;
  }
  const {move} = state.shown,
    words = sentence(app);
  const keys = [
    move.members ? make('span', key('taken'), 'group') : null,
    has(move) ? make('span', key('blamed'), link(app, move.blamed)) : null,
    move.offsets ? make('span', key('ghost'), 'before') : null,
  ];
  line.replaceChildren(make('b', words), ...keys.filter((node) => node));
  return words;
}

// ------------------------------------------------------------ over the layout

// Outlines the group; of everything, only what moves.
export function paint(app, c, outline) {
  const {move, before} = state.shown,
    {look, m} = app;
  const members = (move.members ?? [])
    .filter((i) => has(move) || !before || before[i] !== m.offset[i])
    .slice(0, OUTLINES_MOST);
  for (const i of members)
    if (before && before[i] !== m.shown[i])
      outline(app, c, i, look.taken, 1.5, {dash: [4, 4], low: before[i]});
  for (const i of members) if (i !== move.blamed) outline(app, c, i, look.taken, has(move) ? 2 : 1);
  if (has(move)) outline(app, c, move.blamed, look.bad, 4);
}
