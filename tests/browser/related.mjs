// SPDX-License-Identifier: GPL-3.0-or-later
// Pools, reserved bytes and relations.
import assert from 'node:assert/strict';

import {check, visit, settle} from './browser.mjs';

// How many pixels around a buffer have about the colour of related buffers.
const outlined = (page, name) =>
  page.evaluate((name) => {
    const {m, look} = neap.app,
      {view: v} = neap,
      canvas = document.getElementById('over'),
      i = model.find(m, name),
      across = (t) => v.left + ((t - v.x0) / (v.x1 - v.x0)) * v.across,
      down = (o) => v.top + (1 - (o - v.y0) / (v.y1 - v.y0)) * v.down,
      left = Math.floor(across(m.first[i])) - 2,
      top = Math.floor(down(m.end[i])) - 2,
      {data} = canvas
        .getContext('2d')
        .getImageData(left, top, across(m.last[i]) + 3 - left, down(m.offset[i]) + 3 - top);
    const wanted = [1, 3, 5].map((k) => parseInt(look.shared.slice(k, k + 2), 16));
    let found = 0;
    for (let k = 0; k < data.length; k += 4)
      if (wanted.every((part, n) => Math.abs(part - data[k + n]) < 24) && data[k + 3] > 200) found++;
    return found;
  }, name);

// The legend follows the next frame.
const legend = async (page) => {
  await settle(page);
  return page.locator('#legend li').allInnerTexts();
};

await check('pools are above one another, and their free bytes in the head', async () => {
  await visit('related', async (page) => {
    const pools = await page.evaluate('neap.app.m.pools.map(({name, low}) => [name, low])');
    assert.deepEqual(
      pools.map(([name]) => name),
      ['sram', 'dram'],
    );
    assert.ok(pools[0][1] > 2048 && pools[1][1] === 0, String(pools));
    const figures = await page.locator('#figures').innerText();
    assert.match(figures, /1\.19 KiB of 2\.00 KiB, 832 B free/);
  });
});

await check('the legend names reserved and shared bytes, and only where there are any', async () => {
  await visit('related', async (page) => {
    const names = await legend(page);
    for (const name of ['reserved bytes', 'shared bytes', 'capacity'])
      assert.ok(names.includes(name), `${name} is in ${names}`);
  });
  await visit('nine', async (page) => {
    const names = await legend(page);
    assert.ok(!names.some((name) => /related|reserved|shared/.test(name)), String(names));
  });
});

await check('the panel lists the relations of a tensor, and its partners are outlined', async () => {
  await visit('related', async (page) => {
    await page.evaluate("neap.app.select(model.find(neap.app.m, 'ping'), {open: true})");
    await settle(page);
    const details = await page.locator('#page-tensor').innerText();
    assert.match(details, /separated from\s*pong/);
    assert.match(details, /Pool\s+sram/);
    assert.ok((await outlined(page, 'pong')) > 50, 'the partner is outlined');
  });
});

await check('a broken separation and a broken overlap are collisions', async () => {
  await visit('torn', async (page) => {
    const list = await page.locator('#page-collisions li.clash').allTextContents();
    assert.equal(list.length, 2, String(list));
    assert.match(await page.locator('#fault').innerText(), /ping and pong/);
  });
});
