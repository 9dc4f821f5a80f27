// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard alone: Tab reaches every control, each shows that it has the focus, whatever listens to a
// pointer has keys that do the same, and a whole review needs no pointer.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {pages, check, visit, settle, selected, box} from './browser.mjs';

const PLANS = [
  'nine',
  'tuned',
  'related',
  'ordered',
  'clashes',
  'pair',
  'engines',
  'explained',
  'guide',
];
const WINDOWS = {desk: {across: 1440, down: 900}, phone: {across: 390, down: 844}};

// Notes which elements listen to a pointer.
const record = () => {
  const inner = EventTarget.prototype.addEventListener;
  window.pointed = new Set();
  EventTarget.prototype.addEventListener = function (kind, ...rest) {
    if (/^(click|dblclick|pointerdown)$/.test(kind) && this instanceof Element)
      window.pointed.add(this);
    return inner.call(this, kind, ...rest);
  };
};

// Elements that listen to a pointer but take no focus, because these do the same: the keys o and O, [ and ],
// the arrow keys; those of the search field; the handle of the sheet; the slider of rounds.
const INSTEAD = '.ops, .live, .waste, .map, #found, .tabs, #round-chart';

// Walks with Tab once around the page, and marks all that it reaches; returns those without a sign of
// the focus.
async function walk(page) {
  const unsigned = [];
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
  for (let k = 0; k < 400; k++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const node = document.activeElement,
        look = getComputedStyle(node),
        ring = node.matches('input.unseen') ? getComputedStyle(node.parentElement) : look;
      if (node === document.body) return {isSigned: true}; // between the end and the start
      if (node.dataset.reached) return null;
      node.dataset.reached = 'yes';
      return {what: node.outerHTML.slice(0, 120), isSigned: ring.outlineStyle !== 'none'};
    });
    if (!found) return unsigned;
    if (!found.isSigned) unsigned.push(found.what);
  }
  throw new Error('Tab does not come round');
}

// Controls in view that Tab has not reached: of a group that arrow keys move in, one is enough.
const missed = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, summary, a[href], [tabindex="0"]')]
      .filter((node) => node.checkVisibility({visibilityProperty: true}) && !node.disabled)
      .filter((node) => !node.dataset.reached && node.role !== 'tab')
      .map((node) => node.outerHTML.slice(0, 120)),
  );

// What only a pointer can use.
const pointerOnly = (page) =>
  page.evaluate(
    (instead) =>
      [...window.pointed]
        .filter((node) => node.isConnected && node.checkVisibility())
        .filter((node) => !node.matches(`button, input, select, a, [tabindex], ${instead}`))
        .map((node) => node.outerHTML.slice(0, 120)),
    INSTEAD,
  );

for (const [where, size] of Object.entries(WINDOWS))
  await check(`Tab reaches every control of a ${where}, and pointers have no more`, async () => {
    for (const name of PLANS.filter((one) => existsSync(join(pages, `${one}.html`))))
      await visit(
        name,
        async (page) => {
          await page.evaluate('neap.app.select(0)');
          for (const tab of await page.evaluate('panel.shown()')) {
            await page.evaluate((one) => panel.open(one), tab);
            await settle(page);
            await page.evaluate(() =>
              document
                .querySelectorAll('[data-reached]')
                .forEach((node) => delete node.dataset.reached),
            );
            assert.deepEqual(await walk(page), [], `${name}, ${tab}: no sign of the focus`);
            assert.deepEqual(await missed(page), [], `${name}, ${tab}: not reached`);
            assert.deepEqual(await pointerOnly(page), [], `${name}, ${tab}`);
          }
        },
        {...size, init: record},
      );
  });

await check('arrow keys move through the tabs and open them', () =>
  visit('guide', async (page) => {
    await page.locator('#tab-peak').focus();
    const tabs = await page.evaluate('panel.shown()');
    for (const tab of [...tabs.slice(1), tabs[0]]) {
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.evaluate('panel.current()'), tab);
      assert.equal(await page.evaluate('document.activeElement.id'), `tab-${tab}`);
    }
  }),
);

await check('time and bytes zoom alone', () =>
  visit('nine', async (page) => {
    const all = await box(page);
    await page.keyboard.press('t');
    const narrow = await box(page);
    assert.ok(narrow.x1 - narrow.x0 < all.x1 - all.x0);
    assert.equal(narrow.y1 - narrow.y0, all.y1 - all.y0);
    await page.keyboard.press('Shift+T');
    await page.keyboard.press('y');
    const flat = await box(page);
    assert.ok(flat.y1 - flat.y0 < all.y1 - all.y0);
    assert.ok(Math.abs(flat.x1 - flat.x0 - (all.x1 - all.x0)) < 1e-9);
  }),
);

await check('a review without a pointer', () =>
  visit('guide', async (page) => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      await settle(page);
    };
    const tabTo = async (selector) => {
      for (let k = 0; k < 100; k++) {
        if (await page.evaluate((one) => document.activeElement.matches(one), selector)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`no ${selector}`);
    };
    await press('/');
    await page.keyboard.type('concat');
    await press('ArrowDown', 'Enter', 'Escape');
    await press('n');
    assert.notEqual(await selected(page), null);
    await press('Escape', 'o', 'o');
    assert.equal(await page.evaluate('neap.app.cursor'), 1);
    assert.equal(await page.evaluate('operators.state.pinned'), 1);
    await press('O');
    assert.equal(await page.evaluate('operators.state.pinned'), 0);
    // the table: sorted by its head, a row selected
    await page.setViewportSize({width: 2400, height: 800}); // wide enough for captions
    await page.evaluate('document.activeElement.blur()');
    await tabTo('.tabs [aria-selected="true"]');
    while ((await page.evaluate('panel.current()')) !== 'buffers') await press('ArrowRight');
    await tabTo('.captions button');
    await press('Enter');
    assert.match(await page.locator('#announcer').textContent(), /^Sorted by Name/);
    await tabTo('.grid');
    await press('End', 'Enter');
    const last = await selected(page);
    assert.equal(last, await page.evaluate('model.name(neap.app.m, neap.app.selected)'));
    await press('z');
    // the legend: alone, and without
    await tabTo('#theme');
    await press('Enter');
    await tabTo('#legend .entry');
    await press('Enter');
    assert.equal(await page.locator('#legend .entry[aria-pressed="true"]').count(), 1);
    await press('Enter', 'Shift+Enter');
    assert.equal(await page.locator('#legend .entry.off').count(), 1);
    await tabTo('#exact');
  }),
);
