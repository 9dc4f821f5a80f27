// SPDX-License-Identifier: GPL-3.0-or-later
// plans.mjs FOLDER: makes plans that no instance gives, from nine.json and nine.html: names that could
// do harm, numbers that doubles cannot represent, rounds with offsets, a plan in which some buffers
// have moved, and unsound plans.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, name), 'utf8');
const write = (name, plan) =>
  writeFileSync(join(folder, name), typeof plan === 'string' ? plan : JSON.stringify(plan));
const nine = JSON.parse(read('nine.json'));
const plain = (buffers, more = {}) => ({format: 'neap-plan', version: 1, ...more, buffers});

const wild = [
  '</script><script>document.title="harm"</script>',
  '<img src=x onerror="document.title=1">',
  '"quoted" \'twice\'',
  'x'.repeat(10240),
  '<!--',
  'a\u2028b\u2029c',
  '${1}`',
  '&lt;b&gt;',
  '\u202eright to left',
  '\n new line',
];
const named = (names) =>
  plain(
    names.map((name, k) => ({
      name,
      size: 100,
      lifetimes: [
        [k, k + 3],
        [k + 5, k + 6],
      ],
      offset: 100 * (k % 6),
      hint: k === 0 ? '</script>' : '',
    })),
  );
write('wild.json', named(wild));
// Names with characters that are special to a shell, sed and CSV; CSV has no names with line breaks.
write(
  'quoted.json',
  named([
    ...wild.filter((name) => !/\n/.test(name) && name.length < 1000),
    'a,b',
    'x/y*z[1]^$\\',
    '$(exit 1) `x` &',
    "it's",
    '-e',
  ]),
);

// 2^53 + 1 and its like: written by hand, since JSON.stringify would round them.
const two =
  '{"name": "big", "size": 9007199254740993, "lifetimes": [[0, 4]], "offset": 0},' +
  '{"name": "above", "size": 4611686018427387905, "lifetimes": [[1, 9007199254740995]], "offset": 9007199254740993}';
write('large.json', `{"format": "neap-plan", "version": 1, "buffers": [${two}]}`);

// The same buffers end to end; the fifth is not placed in the first round.
let reached = 0;
const apart = nine.buffers.map((b) => (reached += b.size) - b.size);
const round = (number, peak, offsets) => ({
  round: number,
  peak,
  excess_area: 0,
  excess_count: 0,
  high: 1,
  medium: 2,
  low: 3,
  none: 3,
  high_groups: 0,
  medium_groups: 0,
  group_rounds: 0,
  improved: true,
  ...(offsets ? {offsets} : {}),
});
const rounds = [
  round(
    1,
    reached,
    apart.map((offset, k) => (k === 4 ? -1 : offset)),
  ),
  round(2, reached, apart),
  round(3, nine.report.peak),
  round(
    4,
    nine.report.peak,
    nine.buffers.map((b) => b.offset),
  ),
];
const withRounds = JSON.stringify({...nine, rounds}).replaceAll('<', '\\u003c');
write(
  'rounds.html',
  read('nine.html').replace(/(id="plan"[^>]*>)[^<]*/, (_, tag) => `${tag}\n${withRounds}\n`),
);

const moved = nine.buffers.map((b, k) => ({
  ...b,
  offset: b.offset + (k === 1 || k === 3 ? 5000 : 0),
}));
for (const b of moved) delete b.end_offset;
moved.pop();
write(
  'moved.json',
  plain([...moved, {name: 'newcomer', size: 8, lifetimes: [[20, 21]], offset: 0}]),
);

// Something of every kind: the first buffer as it was, then one each that is larger, smaller, alive
// longer, larger and elsewhere, and elsewhere only; the last is gone, and a new one is there.
const changed = nine.buffers.map((b, k) => ({
  ...b,
  size: b.size + [0, 64, -64, 0, 32][k % 5],
  lifetimes: k === 3 ? [[b.lifetimes[0][0], b.lifetimes[0][1] + 1]] : b.lifetimes,
  offset: b.offset + (k > 3 ? 2048 : 0),
}));
for (const b of changed) delete b.end_offset;
changed.pop();
write(
  'changed.json',
  plain([...changed, {name: 'new', size: 8, lifetimes: [[0, 11]], offset: 8000}]),
);

write(
  'broken.json',
  plain([
    {name: 'a"><b>', size: 4, lifetimes: [[0, 2]], offset: 0},
    {name: 'b', size: 4, lifetimes: [[1, 3]], offset: 2},
  ]),
);

// 300 buffers at random places, a few with several lifetimes: a linear congruential generator makes
// the same ones each time.
let seed = 1;
const roll = (limit) => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * limit);
};
write(
  'clashes.json',
  plain(
    Array.from({length: 300}, (_, k) => {
      const start = roll(1000),
        end = start + 1 + roll(30);
      const lifetimes = [[start, end]];
      if (k % 5 === 0) lifetimes.push([end + 1, end + 2 + roll(40)]);
      return {name: `t${k}`, size: k % 9 === 0 ? 0 : 1 + roll(100), lifetimes, offset: roll(2000)};
    }),
  ),
);

// Breaks a separation and an overlap allowance of the example that has relations of all kinds.
const related = JSON.parse(read('related.json'));
const elsewhere = {ping: 130, pong: 140, in: 460, out: 450};
write('torn.json', {
  ...related,
  buffers: related.buffers.map((buffer) => {
    const offset = elsewhere[buffer.name] ?? buffer.offset;
    return {...buffer, offset, end_offset: offset + buffer.size};
  }),
});

// The contents of a model: operators with names, shapes and types; some buffers have several lifetimes.
// Operator k makes the buffers that begin at k; the bound is reached twice.
{
  const RUNS = 60;
  let next = 11,
    below = 0;
  const roll = (n) => (next = (next * 16807) % 2147483647) % n;
  const buffers = Array.from({length: 240}, (_, k) => {
    const start = roll(RUNS - 2),
      lifetimes = [[start, Math.min(RUNS, start + 1 + roll(9))]];
    if (k % 6 === 0 && lifetimes[0][1] + 4 < RUNS)
      lifetimes.push([lifetimes[0][1] + 2, lifetimes[0][1] + 3 + roll(2)]);
    const size = (1 + roll(40)) * 4096;
    below += size;
    return {
      name: `block${k % 12}/tensor${k}`,
      size,
      lifetimes,
      offset: below - size,
      hint: ['CONV_2D', 'ADD', 'RELU'][start % 3],
      shape: [1, 1 + (k % 7), size / 4096, 1024],
      dtype: k % 4 === 0 ? 'float16' : 'int8',
    };
  });
  const liveAt = (t) =>
    buffers
      .filter(({lifetimes}) => lifetimes.some(([a, b]) => a <= t && t < b))
      .reduce((sum, {size}) => sum + size, 0);
  const live = Array.from({length: RUNS}, (_, t) => liveAt(t)),
    most = Math.max(...live);
  const second = live.map((bytes, t) => [bytes, t]).sort((a, b) => b[0] - a[0])[1];
  buffers.push({
    name: 'levels',
    size: most - second[0] || 4096,
    lifetimes: [[second[1], second[1] + 1]],
    offset: below,
    hint: 'PAD',
    dtype: 'int8',
  });
  const operators = Array.from({length: RUNS}, (_, k) => ({
    type: ['CONV_2D', 'ADD', 'RELU'][k % 3],
    ...(k % 5 === 0 ? {} : {name: `node${k}`}),
    reads: buffers
      .filter(({lifetimes}) => lifetimes.some(([a, b]) => a < k && k < b))
      .filter((_, n) => n % 3 === 0)
      .map(({name}) => name),
    makes: buffers.filter(({lifetimes}) => lifetimes[0][0] === k).map(({name}) => name),
  }));
  write('tabled.json', plain(buffers, {operators}));
}
