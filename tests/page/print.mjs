// SPDX-License-Identifier: GPL-3.0-or-later
// Printed pages.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {build, check, openStrips, settle, visit} from './browser.mjs';

// What is drawn when the browser prints: [name, pixels, size on the page, place of its stage's view], of
// each canvas of a layout.
const DRAWN = `[...document.querySelectorAll('.left')].flatMap((column, k) => {
  const {view: v, m} = neap.app.scenes[k];
  return ['grid', 'rects', 'over', 'live'].map((name) => {
    const canvas = column.querySelector('canvas.' + name),
      {width, height} = canvas.getBoundingClientRect();
    return {name, pixels: [canvas.width, canvas.height], size: [width, height],
      plot: [v.across, v.down], top: m.top, y1: v.y1};
  });
})`;

for (const [name, landscape] of [
  ['nine', false],
  ['split', true],
])
  await check(`printed, everything is drawn for the paper (${name})`, () =>
    visit(
      name,
      async (page) => {
        await openStrips(page);
        const before = await page.evaluate(DRAWN);
        await page.evaluate(
          `addEventListener('beforeprint', () => (window.printed = ${DRAWN}, window.theme = document.documentElement.dataset.theme))`,
        );
        await page.pdf({path: join(build, `printed-${name}.pdf`), format: 'A4', landscape});
        const printed = await page.evaluate('window.printed');
        assert.equal(printed.length, before.length);
        for (const {name: kind, pixels, size, plot, top, y1} of printed) {
          const [across, down] = kind === 'rects' ? plot : size;
          assert.ok(size[0] <= 700, `${kind} is ${size[0]} wide`);
          assert.deepEqual(size.map(Math.round), [across, down].map(Math.round), kind);
          assert.deepEqual(
            pixels,
            [across, down].map((one) => Math.round(2 * one)),
            kind,
          );
          assert.ok(top <= y1, 'boxes end within the axes');
        }
        assert.equal(await page.evaluate('window.theme'), 'light');
        await settle(page);
        assert.deepEqual(await page.evaluate(DRAWN), before, 'the screen is as it was');
        assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
      },
      {scheme: 'dark'},
    ),
  );
