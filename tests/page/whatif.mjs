// SPDX-License-Identifier: GPL-3.0-or-later
// What if: the bound after changes against a slow computation, and the command, which the program runs.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {build, pages, check, visit, until, settle, planOf} from './browser.mjs';

const boundOf = (buffers) =>
  Math.max(
    0,
    ...buffers
      .flatMap(({lifetimes}) => lifetimes.map(([start]) => start))
      .map((t) =>
        buffers
          .filter(({lifetimes}) => lifetimes.some(([start, end]) => start <= t && t < end))
          .reduce((sum, {size}) => sum + size, 0),
      ),
  );

const boundThen = (page) => page.evaluate(() => whatif.changed()?.most ?? window.neap.app.m.bound);

// Runs the command of the page; returns the report of the plan.
function run(command) {
  const out = join(build, 'whatif.json');
  execFileSync('sh', ['-c', `${command} -q -o '${out}'`], {
    cwd: pages,
    env: {...process.env, PATH: `${dirname(process.env.NEAP_PROGRAM)}:${process.env.PATH}`},
  });
  return JSON.parse(readFileSync(out, 'utf8'));
}

await check('a buffer is taken away, changed and put back, and the bound follows', () =>
  visit('nine', async (page) => {
    const plan = planOf('nine'),
      without = plan.buffers.filter(({name}) => name !== 'relu1');
    await page.evaluate(`neap.app.select(model.find(neap.app.m, 'relu1'), {open: true})`);
    await page.evaluate(`panel.open('tensor')`);
    await page.getByRole('button', {name: 'What if …'}).click();
    await page.getByRole('button', {name: 'Take it away'}).click();
    assert.equal(await boundThen(page), boundOf(without));
    await page.getByRole('button', {name: 'Put it back'}).click();
    assert.equal(await boundThen(page), boundOf(plan.buffers));
    const fields = page.locator('#page-whatif .modes input[type="number"]');
    for (const [k, value] of [
      [0, 2000],
      [2, 8],
      [1, 5],
    ])
      await fields.nth(k).fill(String(value));
    assert.equal(await boundThen(page), boundOf([...without, {size: 2000, lifetimes: [[5, 8]]}]));
    const words = await page.locator('#whatif-changes').innerText();
    assert.match(words, /500 B → 1.95 KiB, time 3–5 → 5–8/);
    assert.ok((await page.locator('#legend').innerText()).includes('changed, what if'));
    await page.locator('#page-whatif input[type="text"]').fill('1K');
    assert.match(await page.locator('#whatif-figures').innerText(), /cannot fit: /);
    await until(page, `/what-if=.*what-if-capacity=1K/.test(location.hash)`);
    await page.screenshot({path: join(build, 'whatif.png')});
    const link = await page.evaluate('location.hash'),
      bound = await boundThen(page);
    await page.evaluate(`location.hash = ''`);
    await until(page, 'whatif.changed() === null');
    await page.evaluate((hash) => (location.hash = hash), link);
    await until(page, 'whatif.changed() !== null');
    assert.equal(await boundThen(page), bound);
  }),
);

for (const name of ['nine', 'quoted', 'few'])
  await check(`${name}: the command plans what the tab shows`, () =>
    visit(name, async (page) => {
      const plan = planOf(name),
        buffers = plan.buffers.map((b) => ({...b}));
      let seed = 11;
      const roll = (n) => (seed = (seed * 16807) % 2147483647) % n;
      const edits = [];
      for (let k = 0; k < 12; k++) {
        const i = roll(buffers.length),
          {name: own, lifetimes} = plan.buffers[i];
        if (edits.some(([other]) => other === own)) continue;
        if (k % 3 === 0) {
          edits.push([own]);
          buffers[i].size = 0;
          continue;
        }
        const size = 1 + roll(3000),
          [start, end] = lifetimes.length > 1 ? lifetimes[0] : [roll(9), 9 + roll(9)];
        edits.push([own, size, start, end]);
        Object.assign(buffers[i], {size}, lifetimes.length > 1 ? {} : {lifetimes: [[start, end]]});
      }
      await page.evaluate(
        (list) =>
          (location.hash = `what-if=${encodeURIComponent(JSON.stringify(list))}&what-if-capacity=100G`),
        edits,
      );
      await until(page, 'whatif.changed() !== null');
      const bound = await boundThen(page),
        planned = run(await page.evaluate('whatif.command(neap.app)'));
      assert.equal(bound, boundOf(buffers));
      assert.equal(planned.report.bound, bound);
      assert.equal(planned.report.capacity, 100 * 2 ** 30);
      assert.equal(
        planned.buffers.length,
        buffers.length - edits.filter((one) => one.length === 1).length,
      );
    }),
  );

await check('a capacity alone is a plain command', () =>
  visit('nine', async (page) => {
    await page.evaluate(`location.hash = 'tab=whatif&what-if-capacity=2K'`);
    await until(page, `!document.getElementById('page-whatif').hidden`);
    await settle(page);
    assert.equal(
      await page.locator('#whatif-command').innerText(),
      'neap plan nine.html --replan --capacity 2048',
    );
    assert.equal(run(await page.evaluate('whatif.command(neap.app)')).report.capacity, 2048);
  }),
);

await check('plans whose sums are no bound have no such tab', () =>
  visit('related', async (page) => assert.ok(await page.locator('#tab-whatif').isHidden())),
);
