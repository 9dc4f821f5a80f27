// SPDX-License-Identifier: GPL-3.0-or-later
// Fingers on a phone: what scrolls, what moves, what zooms, and the sheet at the bottom.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {
  box,
  build,
  check,
  middleOf,
  pages,
  planOf,
  selected,
  settle,
  skip,
  until,
  visit,
} from './browser.mjs';

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
      await until(page, 'scrollY > 40');
      assert.deepEqual(await box(page), all);
      assert.equal(await selected(page), null);
    },
    PHONE,
  ),
);

await check('all tabs of the sheet are in view', () =>
  visit(
    'arena',
    async (page) => {
      const cut = await page.evaluate(() =>
        panel.shown().filter((tab) => {
          const box = document.getElementById(`tab-${tab}`).getBoundingClientRect();
          return box.left < 0 || box.right > innerWidth || box.bottom > innerHeight;
        }),
      );
      assert.deepEqual(cut, []);
      assert.equal(await page.evaluate('panel.shown().length'), 6);
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
      await hand.swipe([x, y], [x, 560], {hold: 150});
      assert.match(await label(), /third/);
      assert.ok((await height()) <= 844 / 3);
      await page.screenshot({path: join(build, 'phone-third.png')});
      await hand.swipe(await grip(), [x, 60]);
      assert.match(await label(), /full/);
      assert.equal(await handle.getAttribute('aria-expanded'), 'true');
      await hand.swipe(await grip(), [x, 830]);
      assert.match(await label(), /peek/);
      await hand.tap(await grip());
      await settle(page);
      assert.match(await label(), /third/, 'a tap on the handle goes to the next height');
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

await check('on a phone, the drawing comes first, and a tab shows rows in a third of the screen', () =>
  visit(
    'few',
    async (page) => {
      const {y} = await page.locator('#stage').boundingBox();
      assert.ok(y < 844 / 6, `the drawing begins at ${y}`);
      await page.locator('#tab-buffers').tap();
      await page.waitForTimeout(300);
      const sheet = await page.locator('.panel').boundingBox();
      assert.ok(sheet.height <= 844 / 3, `the sheet takes ${sheet.height}`);
      const rows = await page
        .locator('#page-buffers [data-buffer]')
        .evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
      assert.ok(rows >= 3, `${rows} rows`);
    },
    PHONE,
  ),
);

// ---------------------------------------------------------------- pages of very different sizes, in windows of a desktop and a phone, light and dark: nothing on
// the console, no violation of any rule of axe-core, nothing to scroll sideways, and a
// drawing.

const SIZES = {nine: 9, few: 454, somas: 18692, many: 100000, million: 1000000};
const WINDOWS = [
  {across: 1440, down: 900, motion: 'reduce'},
  {across: 390, down: 844, motion: 'reduce'},
];
const SCHEMES = ['light', 'dark'];

const path = join(build, 'node_modules', 'axe-core', 'axe.min.js');
const axe = existsSync(path) ? readFileSync(path, 'utf8') : null;

// What axe-core finds, with one element for each violation.
async function violations(page) {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe);
  const found = await page.evaluate(() => {
    const rules = Object.fromEntries(window.axe.getRules().map(({ruleId}) => [ruleId, {enabled: true}]));
    return window.axe.run(document, {rules, resultTypes: ['violations']});
  });
  return found.violations.map(
    ({id, nodes}) =>
      `${id} (${nodes.length}): ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`,
  );
}

async function checkClean(page, where) {
  if (axe) assert.deepEqual(await violations(page), [], where);
  assert.ok(
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    `${where}: the page is wider than its window`,
  );
}

// How many colours there are among the pixels of the layout.
const coloursDrawn = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('canvas.rects'),
      {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

for (const [name, count] of Object.entries(SIZES))
  for (const size of WINDOWS)
    for (const scheme of SCHEMES) {
      const title = `${count} rectangles at ${size.across} by ${size.down}, ${scheme}`;
      if (!existsSync(join(pages, `${name}.html`))) {
        skip(title, 'the instance is not here');
        continue;
      }
      await check(title, () =>
        visit(
          name,
          async (page) => {
            assert.equal(await page.evaluate('neap.app.m.rectCount'), count);
            assert.ok((await coloursDrawn(page)) > 2, 'the layout is drawn');
            await checkClean(page, 'at first');
          },
          {...size, scheme},
        ),
      );
    }

// All parts of a page: every tab, with something selected, and the keyboard help.
async function eachPart(page, act) {
  const tabs = await page.evaluate(() =>
    [...document.querySelectorAll('.tabs [role=tab]')]
      .filter((tab) => !tab.hidden)
      .map(({id}) => id.slice('tab-'.length)),
  );
  await page.evaluate('neap.app.select(0); neap.app.setCursor(neap.app.m.first[0])');
  for (const tab of tabs) {
    await page.evaluate((one) => panel.open(one), tab);
    await settle(page);
    await act(tab);
  }
  await page.evaluate('document.getElementById("help").showModal()');
  await settle(page);
  await act('help');
}

if (!axe)
  skip('every tab and the help', 'there is no axe-core: NEAP_BROWSER=1 tests/run.sh installs it');
else
  for (const name of ['related', 'ordered', 'pair', 'clashes'])
    for (const [k, size] of WINDOWS.entries())
      await check(`every part of '${name}' at ${size.across} by ${size.down}, ${SCHEMES[k]}`, () =>
        visit(name, (page) => eachPart(page, (where) => checkClean(page, where)), {
          ...size,
          scheme: SCHEMES[k],
        }),
      );
