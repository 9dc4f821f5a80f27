// SPDX-License-Identifier: GPL-3.0-or-later
// Opens pages in headless Chromium, prints cases as TAP, and computes facts about plans in the slow and
// obvious way.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

export const [, , pages, build] = process.argv;
const {chromium} = createRequire(join(build, 'x.js'))('playwright-core');
let count = 0;

// ------------------------------------------------------------ TAP

export async function check(name, act) {
  count++;
  try {
    await act();
    console.log(`ok ${count} - ${name}`);
  } catch (problem) {
    console.log(`not ok ${count} - ${name}`);
    console.log(String(problem.stack ?? problem).replace(/^/gm, '#   '));
  }
}

export const skip = (name, why) => console.log(`ok ${++count} - ${name} # SKIP ${why}`);
export const note = (words) => console.log(`# ${words}`);

// ------------------------------------------------------------ the browser

const browser = await chromium.launch({
  executablePath: process.env.NEAP_CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu'],
});

// Calls act(page, session) with an open page and, if it is `metered` or `counted`, a session of the DevTools
// protocol that counts the time that its main thread computes, or the code that it executes.  Messages on the console and
// requests to a network are faults.
export async function visit(
  name,
  act,
  {
    scheme = 'light',
    motion = 'reduce',
    across = 1280,
    down = 800,
    hash = '',
    touch = false,
    init = null,
    metered = false,
    counted = false,
  } = {},
) {
  const context = await browser.newContext({
    viewport: {width: across, height: down},
    colorScheme: scheme,
    reducedMotion: motion,
    hasTouch: touch,
    isMobile: touch,
  });
  const page = await context.newPage(),
    faults = [],
    own = pathToFileURL(join(pages, `${name}.html`)).href;
  page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (problem) => faults.push(`error: ${problem.stack}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== own && !request.url().startsWith('data:'))
      faults.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  if (init) await page.addInitScript(init);
  const session = metered || counted ? await context.newCDPSession(page) : null;
  if (metered) await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  if (counted) {
    await session.send('Profiler.enable');
    await session.send('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
  }
  await page.goto(own + hash);
  await until(page, 'window.neap?.ready', 60000);
  await settle(page);
  await act(page, session);
  await context.close();
  assert.deepEqual(faults, []);
}

// Calls act(page) with an empty page.
export async function open({across, down}, act) {
  const context = await browser.newContext({viewport: {width: across, height: down}});
  await act(await context.newPage());
  await context.close();
}

// Calls act(page) with an SVG.
export const look = (name, act) =>
  open({across: 1400, down: 900}, async (page) => {
    await page.goto(pathToFileURL(join(pages, `${name}.svg`)).href);
    await act(page);
  });

// Polls: the page's policy forbids what waitForFunction would do.
export async function until(page, condition, patience = 10000) {
  const end = Date.now() + patience;
  while (!(await page.evaluate(condition))) {
    if (Date.now() > end) throw new Error(`timeout: ${condition}`);
    await page.waitForTimeout(20);
  }
}

// The mean time of `count` complete drawings in milliseconds, each of a slightly different view.
export const timeDrawings = (page, count) =>
  page.evaluate(
    `(() => {
      const {app, drawNow} = neap,
        started = performance.now(),
        box = view.boxOf(app.view);
      for (let k = 0; k < ${count}; k++) {
        const factor = k % 2 ? 1.01 : 1 / 1.01;
        view.zoom(app, factor, factor, 300, 200);
        cancelAnimationFrame(app.frame);
        drawNow();
      }
      view.go(app, box);
      return (performance.now() - started) / ${count};
    })()`,
  );

// After two frames, everything is drawn.
export const settle = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
export const planOf = (name) => JSON.parse(readFileSync(join(pages, `${name}.json`), 'utf8'));
export async function details(page) {
  await page.evaluate(`panel.open('tensor')`);
  return page.locator('#page-tensor').innerText();
}
export const selected = (page) =>
  page.evaluate('neap.app.selected === null ? null : model.name(neap.app.m, neap.app.selected)');
// What the page calls each buffer, by its whole name.
export const shortNames = (page) =>
  page.evaluate(() => {
    const {m} = neap.app,
      all = Array.from({length: m.count}, (_, i) => i);
    return Object.fromEntries(all.map((i) => [model.name(m, i), model.shortName(m, i)]));
  });
export const box = (page) =>
  page.evaluate('({x0: neap.view.x0, x1: neap.view.x1, y0: neap.view.y0, y1: neap.view.y1})');
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

// Opens the strips below the layout.
export async function openStrips(page) {
  await page.evaluate(`document.querySelector('.curves').open = true`);
  await settle(page);
}

// The middle of a rectangle in pixels of the window.
export async function middleOf(page, buffer) {
  const stage = await page.locator('#stage').boundingBox(),
    v = await page.evaluate('({...neap.view})');
  const [start, end] = buffer.lifetimes[0];
  return {
    x: stage.x + v.left + (((start + end) / 2 - v.x0) / (v.x1 - v.x0)) * v.across,
    y: stage.y + v.top + (1 - (buffer.offset + buffer.size / 2 - v.y0) / (v.y1 - v.y0)) * v.down,
  };
}

// ------------------------------------------------------------ facts about plans

export const livesAt = (b, t) => b.lifetimes.some(([start, end]) => start <= t && t < end);

// The buffers alive at t from the top, and the free bytes between them.
export function aliveAt(plan, t) {
  const rows = [];
  let reached = 0;
  for (const b of plan.buffers
    .filter((one) => livesAt(one, t))
    .sort((a, c) => a.offset - c.offset)) {
    if (b.offset > reached) rows.push(`free ${reached} ${b.offset}`);
    rows.push(`${b.name} ${b.offset} ${b.offset + b.size}`);
    reached = Math.max(reached, b.offset + b.size);
  }
  return rows.reverse();
}

export const rowsShown = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#page-time .rows li')].map((row) => {
      const {m} = window.neap.app,
        low = Number(row.querySelector('.at').title.replaceAll(',', ''));
      const size = Number(row.querySelector('.bytes').title.replace(/[, a-z]/g, ''));
      return `${row.dataset.buffer === undefined ? 'free' : model.name(m, Number(row.dataset.buffer))} ${low} ${low + size}`;
    }),
  );

// The end of all tests.
export async function finish() {
  await browser.close();
  console.log(`1..${count}`);
}
