// SPDX-License-Identifier: GPL-3.0-or-later
// Fingers on a phone: what scrolls, what moves, what zooms, and the sheet at the bottom.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {build, check, visit, until, settle, planOf, selected, box, middleOf} from './browser.mjs';

const PHONE = {across: 390, down: 844, touch: true};

// Fingers that touch the screen, as the browser sees them.
async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, points, timestamp) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      ...(timestamp ? {timestamp} : {}),
      touchPoints: points.map(([x, y], id) => ({x, y, id})),
    });
  return {
    send,
    // One finger from a point to another.
    async swipe([ax, ay], [bx, by], {steps = 8, hold = 0} = {}) {
      await send('touchStart', [[ax, ay]]);
      for (let k = 1; k <= steps; k++) {
        await send('touchMove', [[ax + ((bx - ax) * k) / steps, ay + ((by - ay) * k) / steps]]);
        await settle(page);
      }
      await page.waitForTimeout(hold);
      await send('touchEnd', []);
      await settle(page);
    },
    async tap([x, y]) {
      await send('touchStart', [[x, y]]);
      await send('touchEnd', []);
    },
    // Two taps a tenth of a second apart, however busy the machine is.
    async doubleTap([x, y]) {
      const now = Date.now() / 1000;
      await send('touchStart', [[x, y]], now);
      await send('touchEnd', [], now + 0.02);
      await send('touchStart', [[x, y]], now + 0.1);
      await send('touchEnd', [], now + 0.12);
    },
  };
}

const scrolled = (page) => page.evaluate('scrollY');

// The middle of the plot in the window.
async function middle(page) {
  const stage = await page.locator('#stage').boundingBox();
  return [stage.x + stage.width / 2 + 30, stage.y + stage.height / 2];
}

// Zooms in, and waits until the browser knows what fingers may do there.
async function closer(page) {
  await page.evaluate(`view.go(neap.app, {x0: 2, x1: 6, y0: 300, y1: 700})`);
  await settle(page);
  await page.waitForTimeout(300);
}

await check('at fit zoom, one finger scrolls the page and leaves the view alone', () =>
  visit(
    'nine',
    async (page) => {
      const hand = await fingers(page),
        all = await box(page),
        [x, y] = await middle(page);
      assert.ok(await page.evaluate('document.documentElement.scrollHeight > innerHeight'));
      await hand.swipe([x, y], [x, y - 200]);
      await until(page, 'scrollY > 100');
      assert.deepEqual(await box(page), all);
      assert.equal(await selected(page), null);
    },
    PHONE,
  ),
);

await check('zoomed in, one finger moves the view, and at its edge scrolls the page', () =>
  visit(
    'nine',
    async (page) => {
      const hand = await fingers(page),
        [x, y] = await middle(page);
      await closer(page);
      const before = await box(page);
      await hand.swipe([x, y], [x + 60, y - 60]);
      const after = await box(page);
      assert.ok(after.x0 < before.x0 && after.y0 < before.y0);
      assert.equal(await scrolled(page), 0);
      for (let k = 0; k < 4; k++) await hand.swipe([x, y], [x, y - 150]);
      assert.ok((await scrolled(page)) > 50, 'the page scrolls on');
      const low = await box(page);
      assert.ok(Math.abs(low.y0) < 2, `the view is at the bottom of the plan, not at ${low.y0}`);
    },
    PHONE,
  ),
);

await check('two fingers zoom around their middle', () =>
  visit(
    'nine',
    async (page) => {
      const {send} = await fingers(page),
        all = await box(page),
        [x, y] = await middle(page);
      await send('touchStart', [
        [x - 30, y - 10],
        [x + 30, y + 10],
      ]);
      for (let k = 1; k <= 6; k++)
        await send('touchMove', [
          [x - 30 - 10 * k, y - 10 - 10 * k],
          [x + 30 + 10 * k, y + 10 + 10 * k],
        ]);
      await send('touchEnd', []);
      await settle(page);
      const shown = await box(page);
      assert.ok(shown.x1 - shown.x0 < (all.x1 - all.x0) / 1.5, JSON.stringify(shown));
      assert.equal(await scrolled(page), 0);
      assert.equal(await selected(page), null);
    },
    PHONE,
  ),
);

await check('a tap selects, a second tap zooms in, a long press shows the tooltip', () =>
  visit(
    'nine',
    async (page) => {
      const hand = await fingers(page),
        plan = planOf('nine'),
        buffer = plan.buffers.find(({name}) => name === 'relu1');
      const {x, y} = await middleOf(page, buffer);
      await hand.send('touchStart', [[x, y]]);
      await page.waitForTimeout(600);
      assert.ok(await page.locator('#tip').isVisible());
      assert.match(await page.locator('#tip').innerText(), /relu1/);
      await hand.send('touchEnd', []);
      assert.equal(await selected(page), null, 'a long press selects nothing');
      assert.ok(await page.locator('#tip').isVisible(), 'and leaves time to read');
      await page.screenshot({path: join(build, 'phone-tip.png')});
      await hand.tap([x, y]);
      await settle(page);
      assert.equal(await selected(page), 'relu1');
      assert.equal(await page.locator('#tip').isVisible(), false);
      assert.ok(await page.locator('#page-tensor h2').isVisible());
      assert.match(await page.locator('#page-tensor h2').innerText(), /relu1/);
      await page.screenshot({path: join(build, 'phone-peek.png')});
      const all = await box(page);
      await hand.doubleTap([x, y]);
      await settle(page);
      const shown = await box(page);
      assert.ok(shown.x1 - shown.x0 < all.x1 - all.x0);
      assert.equal(await selected(page), 'relu1');
    },
    PHONE,
  ),
);

await check('the sheet has three heights, for fingers and for keys', () =>
  visit(
    'nine',
    async (page) => {
      const hand = await fingers(page),
        height = () => page.evaluate(`document.querySelector('.panel').offsetHeight`),
        handle = page.locator('#sheet-handle');
      const grip = async () => {
        const {x, y, width, height: tall} = await handle.boundingBox();
        return [x + width / 2, y + tall / 2];
      };
      const label = () => handle.getAttribute('aria-label');
      assert.match(await label(), /peek/);
      assert.ok((await height()) < 200);
      const [x, y] = await grip();
      await hand.swipe([x, y], [x, 430], {hold: 150});
      assert.match(await label(), /half/);
      assert.equal(await height(), 422);
      await page.screenshot({path: join(build, 'phone-half.png')});
      await hand.swipe(await grip(), [x, 60]);
      assert.match(await label(), /full/);
      assert.equal(await handle.getAttribute('aria-expanded'), 'true');
      await hand.swipe(await grip(), [x, 830]);
      assert.match(await label(), /peek/);
      await hand.tap(await grip());
      await settle(page);
      assert.match(await label(), /half/, 'a tap on the handle goes to the next height');
      await handle.focus();
      await page.keyboard.press('ArrowUp');
      assert.match(await label(), /full/);
      await page.keyboard.press('Home');
      assert.match(await label(), /peek/);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    },
    PHONE,
  ),
);
