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
    assert.deepEqual(await repaint(page), rounded);
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
