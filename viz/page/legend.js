// The legend: every colour and every sign on screen.  Colours are buttons: a click fades the
// buffers of all other colours; with Shift, it fades those of this one.
const {byId, make} = parts;
const PATTERNS = ['plain', 'dots', 'rising', 'falling'];
const LABEL = 30;

// The labels of the classes that keep their colours; empty: all of them.
const shown = new Set();

export const isShown = (label) => shown.size === 0 || shown.has(label);

// ------------------------------------------------------------ colours

function entry(app, {colour: face, label, count, pattern = 0}) {
  const swatch = make('i', {class: PATTERNS[pattern], 'aria-hidden': 'true'});
  swatch.style.backgroundColor = face;
  const act = (event) => choose(app, label, event.shiftKey);
  const button = parts.toggle(swatch, shown.has(label), act, {
    class: isShown(label) ? 'entry' : 'entry off',
    title: `${text.cut(label, 200)}\nClick: only these.  Shift and click: all but these.`,
  });
  button.append(`${text.cut(label, LABEL)} (${text.grouped(count)})`);
  return make('li', button);
}

// Rebuilds the entries of the colours in use, and keeps the focus on the same entry.
export function colours(app) {
  const box = byId('legend-colours'),
    at = [...box.querySelectorAll('button')].indexOf(document.activeElement);
  box.replaceChildren(
    ...app.paint.legend.filter(({count}) => count > 0).map((one) => entry(app, one)),
  );
  if (at >= 0) box.querySelectorAll('button')[at]?.focus();
  byId('legend-note').textContent = app.paint.note;
  byId('legend-note').hidden = app.paint.note === '';
}

function choose(app, label, without) {
  const labels = app.paint.legend.map((one) => one.label),
    only = shown.size === 1 && shown.has(label);
  if (!without) {
    shown.clear();
    if (!only) shown.add(label);
  } else {
    if (shown.size === 0) labels.forEach((one) => shown.add(one));
    if (!shown.delete(label)) shown.add(label);
    if (shown.size === labels.length) shown.clear();
  }
  app.repaint();
  app.announce(shown.size === 0 ? 'All shown' : `Shown: ${[...shown].join(', ')}`);
}

// Shows all classes, after they have changed.
export const reset = () => shown.clear();

// ------------------------------------------------------------ signs

// Why some rectangles are faded.
function fading(app) {
  const reasons = [];
  if (app.matched) reasons.push('no match');
  else if (rounds.groupMask(app)) reasons.push('not in the group');
  else if (app.critical === 'fade' && collisions.isSound(app.m))
    reasons.push('not in the critical stack');
  if (shown.size > 0) reasons.push('other colours');
  return reasons.length > 0 ? [[`faded: ${reasons.join(', ')}`, 'box faint', app.look.frame]] : [];
}

function levelMarks({m, look}) {
  const capacities = m.pools.some(({capacity}) => capacity !== null),
    list = [];
  if (m.capacity !== null || capacities) list.push(['capacity', 'line thick', look.capacity]);
  list.push([draw.isProven(m) ? 'bound, lower bound' : 'bound', 'line', look.bound]);
  if (m.peak !== m.bound || m.pools.length > 0) list.push(['peak', 'line dashed', look.ink]);
  return list;
}

// The marks of the selection and of the cursor.
function choiceMarks(app) {
  const {look, selected} = app,
    list = [];
  if (selected !== null) {
    list.push(['selected', 'box', look.select]);
    if (app.chain.length > 1)
      list.push(['rests on', 'box', look.carrier, 'what the selected buffer rests on']);
  }
  if (app.cursor !== null) list.push(['time cursor', 'line', look.cursor]);
  return list;
}

// The signs over and under the rectangles: [name, kind of key, colour, explanation].
function list(app) {
  const {m, look} = app,
    sound = collisions.isSound(m);
  return [
    ...(!sound && collisions.of(m).total > 0 ? [['collision', 'clash', look.bad]] : []),
    ...levelMarks(app),
    ...(sound && app.critical === 'outline' && !rounds.state.shown
      ? [['critical stack', 'box', look.critical]]
      : []),
    ...signs.marks(app),
    ...operators.marks(m, look),
    ...compare.marks(app),
    ...explain.marks(app),
    ...choiceMarks(app),
    ...fading(app),
  ];
}

let built = '';

// Shows the signs; called after each drawing, but only a change touches the page.
export function marks(app) {
  const all = list(app),
    key = JSON.stringify(all);
  if (key === built) return;
  built = key;
  parts.fill(
    'legend-marks',
    ...all.map(([name, kind, ink, words = null]) => {
      const swatch = make('i', {class: kind, 'aria-hidden': 'true'});
      swatch.style.color = ink;
      return make('li', {title: words}, swatch, name);
    }),
  );
}
