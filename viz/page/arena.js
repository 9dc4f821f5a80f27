// The arena of TensorFlow Lite Micro: how many bytes the plan takes, and how many the interpreter
// and its kernels take.
const {byId, make, pairs, heading, note, amounts, tableOf} = parts;

const arenaOf = (m) => m.plan.report?.arena ?? null;

const row = (arena, name, bytes) => [
  make('th', {scope: 'row'}, name),
  text.grouped(bytes),
  text.percent(bytes / arena.smallest),
  parts.bar(bytes / arena.smallest),
];

function partsTable(arena) {
  const rows = [
    ['head: this plan', arena.head],
    ...Object.entries(arena.parts).map(([key, bytes]) => [key.replaceAll('_', ' '), bytes]),
    ['free once prepared', arena.smallest - arena.used],
  ];
  return tableOf(
    'arena',
    ['Part', 'Bytes', 'Share', ''],
    rows.filter(([, bytes]) => bytes > 0).map(([name, bytes]) => row(arena, name, bytes)),
    [1, 2],
  );
}

export function page(app) {
  const arena = arenaOf(app.m);
  byId('tab-arena').hidden = !arena;
  if (!arena) return;
  parts.fill(
    'page-arena',
    pairs([
      [arena.is_lower_bound ? 'At least' : 'Smallest arena', ...amounts(arena.smallest)],
      ['Head', ...amounts(arena.head)],
      ['Tail', ...amounts(arena.tail)],
      ['To prepare', ...amounts(arena.preparing)],
    ]),
    heading('What takes the arena'),
    partsTable(arena),
    note(
      `TensorFlow Lite Micro of ${arena.version}, ${arena.kernels} kernels, ` +
        `overlap ${arena.overlap}, pointers of ${arena.pointer} bytes`,
      arena.is_as_written ? ', as the model says.' : '.',
      arena.is_lower_bound ? ' Some kernels are unknown.' : '',
    ),
  );
}
