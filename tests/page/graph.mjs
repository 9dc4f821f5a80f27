// SPDX-License-Identifier: GPL-3.0-or-later
// The tab Graph: operators in their order, lanes of buffers, and links to the layout in both directions.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {build, check, visit, settle, planOf, selected} from './browser.mjs';

const open = async (page) => {
  await page.evaluate("panel.open('graph')");
  await settle(page);
};
const scroller = (page) => page.locator('#page-graph .graph');

await check('the graph lists all operators in their order', () =>
  visit('guide', async (page) => {
    await open(page);
    const seen = new Map(),
      wanted = planOf('guide').operators.map(({type}) => type);
    for (let top = 0; ; top += 300) {
      await scroller(page).evaluate((box, to) => (box.scrollTop = to), top);
      await settle(page);
      for (const [k, type] of await page.evaluate(() =>
        [...document.querySelectorAll('[data-operator]')].map((row) => [
          Number(row.dataset.operator),
          row.querySelector('b').textContent,
        ]),
      ))
        seen.set(k, type);
      if (await scroller(page).evaluate((box, at) => at > box.scrollHeight, top)) break;
    }
    assert.deepEqual(
      wanted.map((_, k) => seen.get(k)),
      wanted,
    );
  }),
);

await check('a lane has one buffer at a time, for its whole lifetime', () =>
  visit('guide', async (page) => {
    await open(page);
    const {from, to, lane} = await page.evaluate(() => {
      const {from, to, lane} = neap.app.m.lanes;
      return {from: [...from], to: [...to], lane: [...lane]};
    });
    planOf('guide').buffers.forEach(({lifetimes}, i) => {
      assert.equal(from[i], lifetimes[0][0]);
      assert.equal(to[i], lifetimes.at(-1)[1] - 1);
    });
    const inLane = new Map(lane.map((one) => [one, []]));
    for (const i of lane.map((_, one) => one).sort((a, b) => from[a] - from[b]))
      inLane.get(lane[i]).push(i);
    for (const list of inLane.values())
      for (let k = 1; k < list.length; k++)
        assert.ok(to[list[k - 1]] <= from[list[k]], `${list[k - 1]} and ${list[k]}`);
  }),
);

await check('what is alive at the bound stands out', () =>
  visit('guide', async (page) => {
    await open(page);
    const start = await page.evaluate('profile.peaks(neap.app.m, null)[0].start');
    await page.evaluate((t) => neap.app.setCursor(t), start);
    await settle(page);
    const peak = page.locator('#page-graph .peak');
    assert.equal(await peak.getAttribute('data-operator'), String(start));
    assert.match(await peak.innerText(), /peak/);
    await page.screenshot({path: join(build, 'graph.png')});
  }),
);

await check('operators of the graph light buffers of the layout, and the other way round', () =>
  visit('guide', async (page) => {
    await open(page);
    const {operators} = planOf('guide');
    await page.locator('[data-operator="5"]').hover();
    assert.equal(await page.evaluate('operators.state.hover'), 5);
    await page.locator('[data-operator="5"]').click();
    assert.equal(await page.evaluate('neap.app.cursor'), 5);
    assert.equal(await page.evaluate('panel.current()'), 'graph');
    assert.match(await page.locator('[data-operator="5"]').getAttribute('class'), /lit/);
    await page.mouse.move(5, 5);
    // selecting a buffer in the layout marks its operators and scrolls them into view
    const made = operators.at(-1).makes[0];
    await page.evaluate((name) => {
      neap.app.setCursor(null);
      neap.app.select(model.find(neap.app.m, name), {open: false});
    }, made);
    await settle(page);
    const last = page.locator(`[data-operator="${operators.length - 1}"]`);
    assert.match(await last.getAttribute('class'), /touches/);
    // a lane selects its buffer
    await page.evaluate('neap.app.select(null)');
    await scroller(page).evaluate((box) => (box.scrollTop = 0));
    await settle(page);
    const lanes = await page.locator('#page-graph canvas').boundingBox();
    await page.mouse.click(lanes.x + 8, lanes.y + 8);
    assert.notEqual(await selected(page), null);
  }),
);

await check('the keyboard moves through the graph', () =>
  visit('guide', async (page) => {
    await open(page);
    await scroller(page).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    assert.equal(await page.evaluate('operators.state.pinned'), 2);
    await page.keyboard.press('End');
    const last = (await page.evaluate('operators.count(neap.app.m)')) - 1;
    assert.equal(await scroller(page).getAttribute('aria-activedescendant'), `graph-${last}`);
    assert.ok(await page.locator(`#graph-${last}`).isVisible());
  }),
);

await check('a plan without operators has no graph', () =>
  visit('nine', async (page) => assert.ok(await page.locator('#tab-graph').isHidden())),
);

await check('without a schedule the graph says nothing of an order', () =>
  visit('guide', async (page) => {
    await open(page);
    assert.ok(await page.locator('#page-graph .note').isHidden());
  }),
);
