// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of time, and trees of groups, against slow computations.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {build, check, openStrips, visit, until, settle, planOf} from './browser.mjs';

const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);
const timeIn = (b, from, to) =>
  sum(b.lifetimes, ([start, end]) => Math.max(0, Math.min(end, to) - Math.max(start, from)));

// Drags along a strip from one time to another.
async function drag(page, strip, from, to) {
  await openStrips(page);
  const {x, y, height} = await page.locator(`canvas.${strip}`).boundingBox(),
    v = await page.evaluate('({...neap.view})'),
    at = (t) => x + v.left + ((t - v.x0) / (v.x1 - v.x0)) * v.across;
  await page.mouse.move(at(from), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(to), y + height / 2, {steps: 5});
  await page.mouse.up();
  await settle(page);
}

const headings = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#page-range .group')].map((node) => ({
      level: Number(node.getAttribute('aria-level')),
      words: [...node.querySelectorAll('[role=gridcell] > :not(i)')].map((one) => one.textContent),
    })),
  );

// What the heading of a group of buffers says.
const wordsOf = (page, list, {from, to, at}) =>
  page.evaluate(
    ([count, ...sums]) => [
      text.plural(count, 'buffer'),
      ...sums.map((one) => text.amount(Math.round(one))),
    ],
    [
      list.length,
      sum(list, ({size}) => size),
      sum(list, (b) => (timeIn(b, at, at + 1) > 0 ? b.size : 0)),
      sum(list, (b) => (b.size * timeIn(b, from, to)) / (to - from)),
    ],
  );

await check('a drag on the curves sums what is alive, by operator', () =>
  visit('nine', async (page) => {
    const plan = planOf('nine');
    await drag(page, 'live', 3.2, 5.8);
    const {from, to} = await page.evaluate('range.span()');
    assert.deepEqual([from, to], [3, 6]);
    assert.ok(await page.locator('#page-range').isVisible());
    const alive = plan.buffers.filter((b) => timeIn(b, from, to) > 0),
      at = [3, 4, 5].reduce((best, t) => {
        const live = (moment) =>
          sum(alive, (b) => (timeIn(b, moment, moment + 1) > 0 ? b.size : 0));
        return live(t) > live(best) ? t : best;
      });
    const shown = await headings(page),
      kinds = [...new Set(alive.map(({hint}) => hint ?? ''))];
    assert.equal(shown.length, kinds.length);
    for (const kind of kinds) {
      const [count, size, most, mean] = await wordsOf(
        page,
        alive.filter(({hint}) => (hint ?? '') === kind),
        {from, to, at},
      );
      const wanted = [kind || 'no operator', count, size, `at fullest ${most}`, `mean ${mean}`];
      assert.ok(
        shown.some(({words}) => String(words) === String(wanted)),
        `${wanted}`,
      );
    }
    await page.locator('#page-range .group').first().click();
    assert.ok((await page.locator('#page-range [data-buffer]').count()) > 0, 'a group opens');
    await page.screenshot({path: join(build, 'range.png')});
    await until(page, `location.hash.includes('range=3,6')`);
    await page.locator('#stage').focus();
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('range.span()'), null);
  }),
);

await check('groups by path are a tree, sorted like the rows', () =>
  visit(
    'tabled',
    async (page) => {
      const plan = planOf('tabled'),
        alive = plan.buffers.filter((b) => timeIn(b, 0, 30) > 0),
        level = (list) => list.map(({words: [name]}) => name);
      await page.locator('#page-range .table-tools select').first().selectOption('path');
      const tops = [...new Set(alive.map(({name}) => /^[^/.]*[/.]/.exec(name)?.[0] ?? ''))];
      const shown = await headings(page);
      assert.ok(shown.every((one) => one.level === 1));
      assert.equal(shown.length, tops.length);
      for (const {
        words: [name, count],
      } of shown) {
        const within = alive.filter((b) => b.name.startsWith(name === 'no path' ? '' : name));
        if (name !== 'no path')
          assert.equal(count, `${within.length} buffer${within.length === 1 ? '' : 's'}`);
      }
      await page.setViewportSize({width: 2400, height: 800}); // wide enough for captions
      await page.locator('#page-range .captions button', {hasText: 'Name'}).click();
      const byName = level(await headings(page)).filter((name) => name !== 'no path');
      assert.deepEqual(
        byName,
        byName.slice().sort(new Intl.Collator('en', {numeric: true}).compare),
      );
      await until(page, `location.hash.includes('range-group=path')`);
    },
    {hash: '#range=0,30&tab=range'},
  ),
);

await check('paths of one part are joined', () =>
  visit('nine', async (page) => {
    const wrong = await page.evaluate(() => {
      const {app} = window.neap,
        t = table.create(app, {label: 'x', sort: {key: 'size', down: true}, grouped: ['path']}),
        names = ['a/b/c/x', 'a/b/c/y', 'a/b/d.e/z', 'q'],
        parts = (i) => names[i].match(/[^/.]*[/.]/g) ?? [''];
      document.body.append(t.box);
      table.fill(t, {
        rows: Uint32Array.from([0, 1, 2, 3]),
        columns: buffers.columns(app.m, Uint32Array.from([0, 1, 2, 3]), 1, 'x'),
        groupings: {path: {label: 'By path', of: parts, none: 'none'}},
        whole: 0,
        wholeName: '',
      });
      const found = t.groups.map(({name, depth, count}) => `${depth} ${name} ${count}`).sort();
      t.box.remove();
      return found;
    });
    assert.deepEqual(wrong, ['0  1', '0 a/b/ 3', '1 c/ 2', '1 d.e/ 1']);
  }),
);

await check('fields and a key choose a range, and a click on a curve sets the cursor', () =>
  visit('nine', async (page) => {
    await page.keyboard.press('r');
    assert.deepEqual(await page.evaluate('range.span()'), {from: 0, to: 11});
    await page.locator('#range-head input').first().fill('8');
    await page.keyboard.press('Tab');
    assert.deepEqual(await page.evaluate('range.span()'), {from: 8, to: 11});
    await page.getByRole('button', {name: 'Clear'}).click();
    assert.equal(await page.evaluate('range.span()'), null);
    await openStrips(page);
    const {x, y, width} = await page.locator('canvas.live').boundingBox();
    await page.mouse.click(x + width / 2, y + 20);
    assert.notEqual(await page.evaluate('neap.app.cursor'), null);
    assert.equal(await page.evaluate('range.span()'), null);
  }),
);
