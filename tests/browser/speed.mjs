// SPDX-License-Identifier: GPL-3.0-or-later
// How long pages of 100 to a million buffers take to open, how long a drawing takes, and their heap.
//
// Times are those that the main thread computes, the least of some visits, because other processes must not
// decide what passes.  Even so they depend on the machine, so what passes are ratios: of the time per buffer
// of a million to that of a hundred thousand, and of the time to open a million to that of reading and
// sorting a million numbers.  A ratio that doubles fails.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {pages, check, skip, note, visit} from './browser.mjs';

const VISITS = 3,
  DRAWINGS = 10,
  GROWTH_MOST = 0.8,
  WORK_MOST = 9;
const SIZES = [
  ['hundred', 100],
  ['myriad', 10000],
  ['many', 100000],
  ['million', 1000000],
];

// What time is compared with: it is spent in the engine of the browser alone.
const WORK = `JSON.parse(JSON.stringify(Array.from({length: 1e6}, (_, k) => (k * 7919) % 1000003)))
  .sort((a, b) => a - b)[0]`;

async function metrics(session) {
  const list = (await session.send('Performance.getMetrics')).metrics;
  return Object.fromEntries(list.map(({name, value}) => [name, value]));
}

const msOf = async (session) => 1000 * (await metrics(session)).TaskDuration;

// Milliseconds until a page is drawn, of a drawing and of the work, and bytes of the heap.
async function measure(name) {
  const found = {};
  const taken = async (session, act) => {
    const before = await msOf(session);
    await act();
    return (await msOf(session)) - before;
  };
  await visit(
    name,
    async (page, session) => {
      found.ready = await msOf(session);
      found.frame =
        (await taken(session, () => page.evaluate(`neap.time(${DRAWINGS})`))) / DRAWINGS;
      await session.send('HeapProfiler.collectGarbage');
      found.heap = (await metrics(session)).JSHeapUsedSize;
      found.work = await taken(session, () => page.evaluate(WORK));
    },
    {metered: true},
  );
  return found;
}

async function leastOf(name) {
  const least = {};
  for (let k = 0; k < VISITS; k++)
    for (const [key, value] of Object.entries(await measure(name)))
      least[key] = Math.min(least[key] ?? Infinity, value);
  return least;
}

const known = new Map();
for (const [name, count] of SIZES)
  if (!existsSync(join(pages, `${name}.html`))) skip(`speed of ${count} buffers`, 'no page');
  else
    await check(`${count} buffers open`, async () => {
      const {ready, frame, heap, work} = await leastOf(name);
      known.set(name, {perBuffer: ready / count, ready, work});
      note(
        `${count} buffers: ready ${ready.toFixed(0)} ms, frame ${frame.toFixed(1)} ms, ` +
          `heap ${(heap / 2 ** 20).toFixed(1)} MiB`,
      );
    });

await check('a million buffers open in time linear in their count', () => {
  const [many, million] = ['many', 'million'].map((name) => known.get(name)),
    growth = million.perBuffer / many.perBuffer,
    work = million.ready / million.work;
  note(
    `time per buffer, a million to a hundred thousand: ${growth.toFixed(2)}, at most ${GROWTH_MOST}`,
  );
  note(`opening a million takes ${work.toFixed(2)} times the work, at most ${WORK_MOST} times`);
  assert.ok(growth <= GROWTH_MOST, `growth ${growth}`);
  assert.ok(work <= WORK_MOST, `work ${work}`);
});
