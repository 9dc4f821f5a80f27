// SPDX-License-Identifier: GPL-3.0-or-later
// How much work it is to open pages of 100 to a million buffers and to draw them, and their heap.
//
// Work is counted, because times depend on the machine and on what else runs: it is the number of characters of
// the page's script that are executed, each as often as it runs, according to the browser's coverage.  The same
// page does the same work within one percent.  The times that the main thread computes are printed, but decide nothing.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {pages, check, skip, note, timeDrawings, visit} from './browser.mjs';

const DRAWINGS = 4;

// For each page: its buffers and, in millions of characters, the work to open it and of a drawing, and its heap in
// MiB, each as measured.  A figure above 1.5 times that fails, so doubled work is found.  How many of a million buffers
// a drawing has depends on the machine (viz/page/raster.js).
const PAGES = [
  {name: 'hundred', count: 100},
  {name: 'myriad', count: 10000, opening: 189, drawing: 36, heap: 3.1},
  {name: 'many', count: 100000, opening: 1260, drawing: 212, heap: 3.3},
  {name: 'million', count: 1000000, opening: 9800, heap: 4},
];
const MOST = 1.5;

// The characters executed: those of a range that are not in a range inside it, times its count.
function workOf({result}) {
  let work = 0;
  for (const {functions, url} of result)
    for (const {ranges} of url.startsWith('file:') ? functions : []) {
      const around = [];
      for (const range of ranges) {
        while (around.length > 0 && around.at(-1).endOffset <= range.startOffset) around.pop();
        const outer = around.at(-1)?.count ?? 0;
        work += (range.count - outer) * (range.endOffset - range.startOffset);
        around.push(range);
      }
    }
  return work / 1e6;
}

const counted = async (session) => workOf(await session.send('Profiler.takePreciseCoverage'));

async function metrics(session) {
  const list = (await session.send('Performance.getMetrics')).metrics;
  return Object.fromEntries(list.map(({name, value}) => [name, value]));
}

async function countWork(name) {
  const found = {};
  await visit(
    name,
    async (page, session) => {
      found.opening = await counted(session);
      await timeDrawings(page, DRAWINGS);
      found.drawing = (await counted(session)) / DRAWINGS;
    },
    {counted: true},
  );
  return found;
}

// Seconds until a page is drawn and milliseconds of a drawing, without the counters; MiB of the heap.
async function measure(name) {
  const found = {};
  await visit(
    name,
    async (page, session) => {
      const before = (await metrics(session)).TaskDuration;
      await timeDrawings(page, DRAWINGS);
      found.ready = before;
      found.frame = (1000 * ((await metrics(session)).TaskDuration - before)) / DRAWINGS;
      await session.send('HeapProfiler.collectGarbage');
      found.heap = (await metrics(session)).JSHeapUsedSize / 2 ** 20;
    },
    {metered: true},
  );
  return found;
}

for (const {name, count, ...usual} of PAGES)
  if (!existsSync(join(pages, `${name}.html`))) skip(`the work of ${count} buffers`, 'no page');
  else
    await check(`the work of ${count} buffers`, async () => {
      const {ready, frame, heap} = await measure(name),
        found = {...(await countWork(name)), heap};
      note(
        `${count} buffers: opening ${found.opening.toFixed(0)} million characters (${ready.toFixed(2)} s), ` +
          `a drawing ${found.drawing.toFixed(1)} (${frame.toFixed(1)} ms), heap ${heap.toFixed(1)} MiB`,
      );
      for (const [key, value] of Object.entries(usual))
        assert.ok(found[key] <= MOST * value, `${key}: ${found[key]}, usually ${value}`);
    });
