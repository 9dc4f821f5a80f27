// SPDX-License-Identifier: GPL-3.0-or-later
// The order of operators, given and new, and what outputs share with inputs.
import assert from 'node:assert/strict';

import {check, visit, settle} from './browser.mjs';

const rows = (page) => page.locator('#page-order ol li').allInnerTexts();

await check('the tab of the order shows both, and which operators moved', async () => {
  await visit('ordered', async (page) => {
    await page.click('#tab-order');
    const cells = await page.evaluate(() =>
      [...document.querySelectorAll('#page-order ol li')].map((row) => [
        row.querySelector('.place').textContent,
        ...[...row.querySelectorAll('.made > span')].map((made) => made.textContent),
      ]),
    );
    assert.deepEqual(
      cells,
      [
        ['1', 'left', 'left'],
        ['2', 'right', 'left/small'],
        ['3', 'left/small', 'right'],
        ['4', 'right/small', 'right/small'],
        ['5', 'both', 'both'],
      ],
    );
    const moved = await page.locator('#page-order li.moved').allInnerTexts();
    assert.equal(moved.length, 1, String(moved));
    assert.match(moved[0], /moved from 3 to 2/);
    assert.match(await page.locator('#page-order').innerText(), /5,123[^]*2,816[^]*no order has/);
  });
});

await check('the operators that have not moved are as many as possible', async () => {
  await visit('ordered', async (page) => {
    const wrong = await page.evaluate(() => {
      const slow = (list) => {
        const longest = list.map(() => 1);
        list.forEach((value, k) => {
          for (let j = 0; j < k; j++)
            if (list[j] < value) longest[k] = Math.max(longest[k], longest[j] + 1);
        });
        return Math.max(...longest);
      };
      let seed = 7;
      const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
      for (let round = 0; round < 300; round++) {
        const list = Array.from({length: 1 + random(12)}, (_, k) => k);
        for (let k = list.length; k-- > 1;) {
          const j = random(k + 1);
          [list[k], list[j]] = [list[j], list[k]];
        }
        const places = [...order.kept(list)].sort((a, b) => a - b);
        const ascends = places.every((k, n) => n === 0 || list[places[n - 1]] < list[k]);
        if (!ascends || places.length !== slow(list)) return String(list);
      }
      return '';
    });
    assert.equal(wrong, '');
  });
});

await check('an operator in the order leads to the tensor that it makes', async () => {
  await visit('ordered', async (page) => {
    await page.click('#tab-order');
    await page.locator('#page-order ol li:nth-child(3) .made:nth-child(3) > span button').click();
    await settle(page);
    assert.equal(await page.evaluate('model.name(neap.app.m, neap.app.selected)'), 'right');
  });
});

await check('without a schedule there is no tab for the order', async () => {
  await visit('nine', async (page) => {
    assert.equal(await page.locator('#tab-order').isHidden(), true);
  });
});

await check('overlaps are in the legend, and the bound is that of the plan', async () => {
  await visit('ordered', async (page) => {
    const names = await page.locator('#legend li').allInnerTexts();
    assert.ok(names.includes('shared bytes'), String(names));
    await page.click('#tab-peak');
    const peak = await page.locator('#page-peak').innerText();
    assert.match(peak, /Bound\s+2\.75 KiB/);
    assert.match(peak, /Bound reached at/); // shared bytes count once
  });
});
