// SPDX-License-Identifier: GPL-3.0-or-later
// The tab with what takes the arena of TensorFlow Lite Micro.
import assert from 'node:assert/strict';

import {check, visit} from './browser.mjs';

await check('the arena tab shows what takes the arena, and other pages have none', async () => {
  await visit('arena', async (page) => {
    await page.locator('#tab-arena').click();
    const words = await page.locator('#page-arena').innerText();
    for (const part of ['5,456 bytes', 'head: this plan', 'variables', 'reference kernels',
      'pointers of 4 bytes'])
      assert.ok(words.includes(part), `${part} is in ${words}`);
    assert.equal(await page.locator('#page-arena tbody tr').count(), 9);
  });
  await visit('nine', async (page) => assert.ok(await page.locator('#tab-arena').isHidden()));
});
