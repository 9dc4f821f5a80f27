// SPDX-License-Identifier: GPL-3.0-or-later
// Exact offsets, axis titles, keys and their dialog, the way back.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {build, check, visit, settle, planOf, box, grouped, middleOf} from './browser.mjs';
import {hashOf} from './address.mjs';

// The texts that the page draws on its canvases while act() runs.
async function drawn(page, act) {
  await page.evaluate(`{
    const {fillText} = CanvasRenderingContext2D.prototype;
    window.words = [];
    window.untap = () => (CanvasRenderingContext2D.prototype.fillText = fillText);
    CanvasRenderingContext2D.prototype.fillText = function (...args) {
      window.words.push(args[0]);
      return fillText.apply(this, args);
    };
  }`);
  await act();
  await settle(page);
  return page.evaluate('window.untap(), window.words');
}

const repaint = (page) => drawn(page, () => page.evaluate('neap.app.repaint()'));

// ------------------------------------------------------------ exact or rounded

await check('exact offsets in axis, levels, rectangles, tooltip, tables and figures', () =>
  visit('middle', async (page) => {
    const plan = planOf('middle'),
      {peak} = plan.report,
      hex = `0x${peak.toString(16)}`;
    const largest = plan.buffers.reduce((a, b) => (b.size > a.size ? b : a));
    const rounded = await repaint(page);
    assert.ok(
      rounded.some((words) => /^peak = bound [\d.]+ MiB$/.test(words)),
      String(rounded),
    );
    await page.keyboard.press('x');
    const exactly = await repaint(page);
    assert.ok(exactly.includes(`peak = bound ${grouped(peak)} (${hex})`), String(exactly));
    assert.ok(exactly.includes('0x400000') && exactly.includes('4,194,304'));
    assert.ok(!exactly.some((words) => /[KM]iB/.test(words)));
    const figures = await page.locator('#figures').innerText();
    assert.ok(figures.includes(`${grouped(peak)} B`));
    assert.equal(await page.locator('#exact').getAttribute('aria-pressed'), 'true');
    const {x, y} = await middleOf(page, largest);
    await page.mouse.move(x, y);
    const tip = await page.locator('#tip').innerText(),
      end = largest.offset + largest.size;
    assert.ok(tip.includes(`${grouped(end)} (0x${end.toString(16)})`), tip);
    assert.ok(tip.includes(`${grouped(largest.size)} B`), tip);
    assert.match(await hashOf(page), /exact=1/);
    await page.locator('#exact').click();
    assert.deepEqual(new Set(await repaint(page)), new Set(rounded));
  }),
);

await check('the base address is added to exact offsets', () =>
  visit(
    'lone',
    async (page) => {
      const words = await repaint(page);
      assert.ok(words.includes('0x20000000') && words.includes('offset (bytes), address'));
      assert.ok(
        words.some((one) => one.endsWith('1,000 (0x200003e8)')),
        String(words),
      );
    },
    {hash: '#exact=1'},
  ),
);

await check('axes have titles with units', () =>
  visit('nine', async (page) => {
    const words = await repaint(page);
    assert.ok(words.includes('offset (bytes)') && words.includes('time (steps)'), String(words));
  }),
);

// ------------------------------------------------------------ keys

await check('the dialog lists every key of the table, and Esc closes it', () =>
  visit('nine', async (page) => {
    await page.locator('#help-open').focus();
    await page.keyboard.press('?');
    const rows = await page.evaluate('keys.TABLE.length');
    assert.equal(await page.locator('#keys dt').count(), rows);
    const pressed = await page.evaluate(
      `keys.TABLE.flatMap((row) => (row.keys ?? []).map((key) => (row.alt ? 'Alt ' : '') + key))`,
    );
    assert.equal(new Set(pressed).size, pressed.length, 'no key does two things');
    assert.ok(
      await page.evaluate(`document.activeElement.matches('#help :focus-visible')`),
      'focus is in the dialog, and visible',
    );
    const whole = await box(page);
    await page.keyboard.press('+');
    assert.deepEqual(await box(page), whole, 'keys do not act behind the dialog');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#help').isVisible(), false);
    assert.equal(await page.evaluate('document.activeElement.id'), 'help-open');
  }),
);

await check('back and forward through the views', () =>
  visit('nine', async (page) => {
    const whole = await box(page);
    await page.keyboard.press('+');
    const near = await box(page);
    await page.waitForTimeout(700);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    const nearer = await box(page);
    await page.keyboard.press('Backspace');
    assert.deepEqual(await box(page), near, 'what follows at once is one step');
    await page.keyboard.press('Alt+ArrowLeft');
    assert.deepEqual(await box(page), whole);
    await page.keyboard.press('Backspace');
    assert.deepEqual(await box(page), whole);
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Shift+Backspace');
    assert.deepEqual(await box(page), nearer);
    await page.screenshot({path: join(build, 'moves.png')});
  }),
);

// ------------------------------------------------------------ windows

const near = (a, b, span) => assert.ok(Math.abs(a - b) < span / 50, `${a} is not near ${b}`);

// Drags from one point of the stage to another, each a share of the plot.
async function dragIn(page, [ax, ay], [bx, by], keyboard = []) {
  const stage = await page.locator('#stage').boundingBox(),
    v = await page.evaluate('({...neap.view})');
  const at = (x, y) => [stage.x + v.left + x * v.across, stage.y + v.top + y * v.down];
  for (const key of keyboard) await page.keyboard.down(key);
  await page.mouse.move(...at(ax, ay));
  await page.mouse.down();
  await page.mouse.move(...at((ax + bx) / 2, (ay + by) / 2));
  await page.mouse.move(...at(bx, by));
  return async () => {
    await page.mouse.up();
    for (const key of keyboard) await page.keyboard.up(key);
    await settle(page);
  };
}

await check('a drag with Shift, or after w, zooms to a window, and Esc cancels it', () =>
  visit('nine', async (page) => {
    const all = await box(page),
      [across, tall] = [all.x1, all.y1];
    let release = await dragIn(page, [0.25, 0.25], [0.75, 0.5], ['Shift']);
    assert.ok(await page.locator('.rubber').isVisible());
    await page.screenshot({path: join(build, 'window.png')});
    await release();
    const shown = await box(page);
    near(shown.x0, across / 4, across);
    near(shown.x1, (3 * across) / 4, across);
    near(shown.y0, tall / 2, tall);
    near(shown.y1, (3 * tall) / 4, tall);
    await page.keyboard.press('0');
    await page.keyboard.press('w');
    assert.equal(await page.locator('#window').getAttribute('aria-pressed'), 'true');
    release = await dragIn(page, [0.2, 0.9], [0.6, 0.1]);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.rubber').count(), 0);
    await release();
    assert.deepEqual(await box(page), all);
    assert.equal(await page.locator('#window').getAttribute('aria-pressed'), 'false');
  }),
);

await check('a drag on the time axis or a curve zooms in time, on the byte axis in bytes', () =>
  visit('nine', async (page) => {
    const all = await box(page);
    await (
      await dragIn(page, [0.2, 1.04], [0.5, 1.03])
    )();
    let shown = await box(page);
    near(shown.x0, 0.2 * all.x1, all.x1);
    near(shown.x1, 0.5 * all.x1, all.x1);
    assert.deepEqual([shown.y0, shown.y1], [all.y0, all.y1]);
    await page.keyboard.press('0');
    await (
      await dragIn(page, [-0.03, 0.2], [-0.02, 0.6])
    )();
    shown = await box(page);
    near(shown.y0, 0.4 * all.y1, all.y1);
    near(shown.y1, 0.8 * all.y1, all.y1);
    assert.deepEqual([shown.x0, shown.x1], [all.x0, all.x1]);
    await page.keyboard.press('0');
    const live = await page.locator('#live').boundingBox(),
      left = live.x + (await page.evaluate('neap.view.left')),
      wide = await page.evaluate('neap.view.across');
    await page.keyboard.down('Shift');
    await page.mouse.move(left + wide * 0.5, live.y + 20);
    await page.mouse.down();
    await page.mouse.move(left + wide * 0.9, live.y + 30);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    shown = await box(page);
    near(shown.x0, 0.5 * all.x1, all.x1);
    near(shown.x1, 0.9 * all.x1, all.x1);
    assert.equal(await page.evaluate('neap.app.cursor'), null, 'and sets no cursor');
  }),
);

// ------------------------------------------------------------ lost

await check('where no buffer is in view, the page offers the way back', () =>
  visit('nine', async (page) => {
    const all = await box(page);
    assert.equal(await page.locator('.lost').isVisible(), false);
    await page.evaluate(
      'view.go(neap.app, {x0: 9.5, x1: 10.5, y0: neap.app.m.peak - 40, y1: neap.app.m.peak})',
    );
    await settle(page);
    assert.ok(await page.locator('.lost').isVisible());
    await page.screenshot({path: join(build, 'lost.png')});
    await page.locator('.lost .nearest').click();
    await settle(page);
    assert.ok((await page.evaluate('neap.app.inView')) > 0);
    assert.equal(await page.locator('.lost').isVisible(), false);
    const shown = await box(page);
    near(shown.x1 - shown.x0, 1, 1);
    await page.evaluate(
      'view.go(neap.app, {x0: 9.5, x1: 10.5, y0: neap.app.m.peak - 40, y1: neap.app.m.peak})',
    );
    await settle(page);
    await page.locator('.lost .whole').click();
    assert.deepEqual(await box(page), all);
    for (let k = 0; k < 80; k++) await page.keyboard.press('+');
    const close = await box(page);
    near(close.x1 - close.x0, 1, 1);
    near(close.y1 - close.y0, 1, 1);
  }),
);
