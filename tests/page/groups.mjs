// SPDX-License-Identifier: GPL-3.0-or-later
// Trees of groups, and the time cursor on the curves.
import assert from 'node:assert/strict';

import {check, openStrips, visit, until, settle, planOf} from './browser.mjs';

const headings = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#page-buffers .group')].map((node) => ({
      level: Number(node.getAttribute('aria-level')),
      words: [...node.querySelectorAll('[role=gridcell] > :not(i)')].map((one) => one.textContent),
    })),
  );

await check('groups by path are a tree, sorted like the rows', () =>
  visit(
    'tabled',
    async (page) => {
      const plan = planOf('tabled'),
        level = (list) => list.map(({words: [name]}) => name);
      await page.locator('#page-buffers .table-tools select').first().selectOption('path');
      const tops = [...new Set(plan.buffers.map(({name}) => /^[^/.]*[/.]/.exec(name)?.[0] ?? ''))];
      for (let k = 0; k < tops.length; k++) {
        await page.locator('#page-buffers .group[aria-expanded="true"]').first().click();
        await settle(page);
      }
      const shown = await headings(page);
      assert.ok(shown.every((one) => one.level === 1));
      assert.equal(shown.length, tops.length);
      for (const {
        words: [name, count],
      } of shown) {
        const within = plan.buffers.filter((b) => b.name.startsWith(name === 'no path' ? '' : name));
        if (name !== 'no path')
          assert.equal(count, `${within.length} buffer${within.length === 1 ? '' : 's'}`);
      }
      await page.setViewportSize({width: 2400, height: 800}); // wide enough for captions
      await page.locator('#page-buffers .captions button', {hasText: 'Name'}).click();
      const byName = level(await headings(page)).filter((name) => name !== 'no path');
      assert.deepEqual(
        byName,
        byName.slice().sort(new Intl.Collator('en', {numeric: true}).compare),
      );
      await until(page, `location.hash.includes('buffers-group=path')`);
    },
    {hash: '#tab=buffers'},
  ),
);

await check('paths of one part are joined', () =>
  visit('nine', async (page) => {
    const wrong = await page.evaluate(() => {
      const {app} = window.neap,
        t = table.create(app, {label: 'x', sort: {key: 'size', down: true}}),
        names = ['a/b/c/x', 'a/b/c/y', 'a/b/d.e/z', 'q'],
        parts = (i) => names[i].match(/[^/.]*[/.]/g) ?? [''];
      t.group = 'path';
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

await check('on a curve, a click and a drag set the time cursor', () =>
  visit('nine', async (page) => {
    await openStrips(page);
    const {x, y, width} = await page.locator('canvas.live').boundingBox(),
      cursor = () => page.evaluate('neap.app.cursor');
    await page.mouse.click(x + width / 2, y + 20);
    const clicked = await cursor();
    assert.notEqual(clicked, null);
    await page.mouse.down();
    await page.mouse.move(x + (width * 3) / 4, y + 20, {steps: 5});
    await page.mouse.up();
    await settle(page);
    assert.ok((await cursor()) > clicked);
  }),
);
