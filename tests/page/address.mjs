// SPDX-License-Identifier: GPL-3.0-or-later
// The state in the address: a link shows what its sender saw.
import assert from 'node:assert/strict';

import {check, visit, until, settle, selected, box} from './browser.mjs';

// The address once the last change is in it.
export async function hashOf(page) {
  await page.waitForTimeout(400);
  return page.evaluate('location.hash');
}

const pixels = (page) => page.evaluate('Array.from(neap.app.stage.pixels).join()');
const state = (page) =>
  page.evaluate(`({
    view: [neap.view.x0, neap.view.x1, neap.view.y0, neap.view.y1],
    selected: neap.app.selected, cursor: neap.app.cursor, colour: neap.app.colourBy,
    critical: neap.app.critical, search: document.getElementById('search').value,
    tab: document.querySelector('.tabs [aria-selected=true]').id,
  })`);

await check('an untouched page has no state in its address', () =>
  visit('nine', async (page) => assert.equal(await hashOf(page), '')),
);

await check(
  'a link shows the same view, selection, cursor, colours, search, tab and pixels',
  async () => {
    let hash, before, drawn;
    await visit('nine', async (page) => {
      await page.evaluate(`neap.app.setColour('lifetime')`);
      await page.evaluate(`neap.app.setCritical('off')`);
      await page.fill('#search', 'conv & =%#é');
      await page.fill('#search', 'conv');
      const stage = await page.locator('#stage').boundingBox();
      await page.mouse.move(stage.x + 300, stage.y + 300);
      for (let k = 0; k < 3; k++) await page.mouse.wheel(0, -150);
      await page.evaluate('neap.app.select(3)');
      await page.evaluate('neap.app.setCursor(4)');
      await page.locator('#search').blur(); // its list is over the tabs
      await page.click('#tab-peak');
      hash = await hashOf(page);
      [before, drawn] = [await state(page), await pixels(page)];
    });
    assert.match(hash, /colour=lifetime.*critical=off.*search=conv|search=conv.*colour=lifetime/);
    await visit(
      'nine',
      async (page) => {
        const {view: here, ...rest} = await state(page),
          {view: there, ...wanted} = before;
        assert.deepEqual(rest, wanted);
        here.forEach((value, k) =>
          assert.ok(Math.abs(value - there[k]) <= 1e-5 * Math.abs(there[k])),
        );
        assert.equal(await pixels(page), drawn);
        assert.equal(await hashOf(page), hash);
      },
      {hash},
    );
  },
);

await check('a tuner round is in the address', () =>
  visit(
    'rounds',
    async (page) => {
      assert.equal(await page.evaluate('neap.rounds.step'), 1);
      assert.match(await hashOf(page), /round=2/);
      await page.evaluate(`document.getElementById('round-on').click()`);
      assert.match(await hashOf(page), /round=4/);
    },
    {hash: '#round=2'},
  ),
);

await check('a hash edited by hand is applied, and what it lacks gets its default', () =>
  visit('nine', async (page) => {
    const whole = await box(page);
    await page.evaluate(`location.hash = '#select=skip&view=2,6,0,500&colour=size'`);
    await until(page, `neap.app.selected !== null`);
    assert.equal(await selected(page), 'skip');
    assert.deepEqual(await box(page), {x0: 2, x1: 6, y0: 0, y1: 500});
    await page.evaluate(`location.hash = '#select=add'`);
    await until(page, `neap.app.colourBy !== 'size'`);
    await settle(page);
    assert.equal(await selected(page), 'add');
    assert.deepEqual(await box(page), whole);
    await page.goBack();
    await until(page, `neap.app.colourBy === 'size'`);
    assert.equal(await selected(page), 'skip');
  }),
);

const BROKEN = [
  '#',
  '#%',
  '#view',
  '#view=',
  '#view=1,2,3',
  '#view=1,2,3,4,5',
  '#view=a,b,c,d',
  '#view=NaN,1,Infinity,2',
  '#view=5,1,9,3',
  '#view=-1e308,1e308,-1e308,1e308',
  '#view=1e-320,2e-320,0,1e-320',
  '#view=,,,',
  '#select=nobody&time=never&tab=nowhere&colour=mauve&critical=perhaps&round=99&search=%E0%A4%A',
  '#select=%239999999&time=1e99&tab=../help',
  '#tab=compare&tab=graph',
  '#__proto__=x&constructor=y&toString=z',
  '#select=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&search=%3Cscript%3E',
  `#search=${'x'.repeat(20000)}`,
];
await check(`${BROKEN.length} damaged addresses leave a page that works`, async () => {
  for (const hash of BROKEN)
    await visit(
      'nine',
      async (page) => {
        const {x0, x1, y0, y1} = await box(page);
        assert.ok([x0, x1, y0, y1].every(Number.isFinite) && x0 < x1 && y0 < y1, hash);
        assert.equal(await page.locator('#fault').isVisible(), false, hash);
        assert.equal(await page.evaluate('neap.app.selected'), null, hash);
        await page.keyboard.press('0');
        await page.keyboard.press('n');
        assert.notEqual(await page.evaluate('neap.app.selected'), null, hash);
        assert.match(await hashOf(page), /select=/, hash);
      },
      {hash},
    );
});

await check('a buffer whose name does harm or is long is found again', () =>
  visit('wild', async (page) => {
    const count = await page.evaluate('neap.app.m.count');
    for (let i = 0; i < count; i++) {
      await page.evaluate(`neap.app.select(${i})`);
      const hash = await hashOf(page);
      assert.ok(hash.length < 2000, `${hash.length} characters`);
      await page.evaluate(`neap.app.select(null)`);
      await hashOf(page);
      await page.evaluate((words) => (location.hash = words), hash);
      await until(page, `neap.app.selected === ${i}`);
    }
  }),
);
