// SPDX-License-Identifier: GPL-3.0-or-later
// The tab with an explanation.
import assert from 'node:assert/strict';

import {check, visit, settle} from './browser.mjs';

const openTab = (page) => page.locator('[role=tab][aria-selected=true]').innerText();

// How many pixels of the overlay have the colour of what cannot fit together.
const outlined = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById('over'),
      {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [1, 3, 5].map((k) => parseInt(neap.app.look.bad.slice(k, k + 2), 16));
    let found = 0;
    for (let k = 0; k < data.length; k += 4)
      if (wanted.every((part, n) => Math.abs(part - data[k + n]) < 16) && data[k + 3] > 200) found++;
    return found;
  });

await check('a page about a capacity that does not suffice opens on the explanation', async () => {
  await visit('explained', async (page) => {
    assert.equal(await openTab(page), 'Explain');
    const words = await page.locator('#page-explain').innerText();
    for (const part of ['does not fit (proven)', '282 B', '280 B', 'No layout of 3 buffers'])
      assert.ok(words.includes(part), `${part} is in ${words}`);
    assert.equal(await page.locator('#page-explain .fixes tbody tr').count(), 11);
    assert.ok(!(await page.locator('#other').count()));
  });
});

await check('what cannot fit together is outlined, unless switched off', async () => {
  await visit('explained', async (page) => {
    assert.ok((await outlined(page)) > 500);
    const legend = await page.locator('#legend, #legend-marks').allInnerTexts();
    assert.ok(legend.join().includes('cannot fit together'), String(legend));
  });
  await visit('explained', async (page) => {
    await page.locator('#outline-core').uncheck();
    await settle(page);
    assert.equal(await outlined(page), 0);
  });
  await visit('explained', async (page) => assert.equal(await outlined(page), 0), {
    hash: '#core=plain',
  });
});

await check('changes and buffers lead to the layout', async () => {
  await visit('explained', async (page) => {
    await page.locator('.fixes .link', {hasText: "make 'f' 2 bytes smaller"}).click();
    await settle(page);
    assert.equal(await page.evaluate('model.name(neap.app.m, neap.app.selected)'), 'f');
    assert.equal(await openTab(page), 'Explain');
    await page.locator('#page-explain dd .link').click();
    await settle(page);
    assert.equal(await page.evaluate('neap.app.cursor'), 4);
  });
});

await check('a page about the peak opens as usual, and other pages have no such tab', async () => {
  await visit('peak-explained', async (page) => {
    assert.notEqual(await openTab(page), 'Explain');
    await page.locator('#tab-explain').click();
    const words = await page.locator('#page-explain').innerText();
    assert.match(words, /What would lower the peak/);
    assert.match(words, /plan with --schedule optimal/);
    assert.equal(await outlined(page), 0);
  });
  await visit('nine', async (page) => assert.ok(await page.locator('#tab-explain').isHidden()));
});
