// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds, comparisons, unusual plans, accessibility.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {pages, build, check, visit, until, settle, planOf, details, middleOf} from './browser.mjs';

// ------------------------------------------------------------ rounds

await check('rounds with offsets can be stepped through', () =>
  visit('rounds', async (page) => {
    const offsets = () => page.evaluate('[...neap.app.m.shown]'),
      plan = planOf('nine');
    const own = plan.buffers.map((b) => b.offset);
    assert.deepEqual(await offsets(), own);
    assert.equal(await page.locator('#round').getAttribute('max'), '3');
    await page.locator('#round').fill('0');
    assert.deepEqual((await offsets())[4], -1);
    assert.match(await page.locator('#round-text').textContent(), /^Round 1 of 4/);
    await settle(page);
    assert.equal(await page.evaluate('neap.app.inView'), 8);
    await page.locator('#round-on').click();
    assert.notDeepEqual(await offsets(), own);
    assert.equal(
      await page.evaluate('neap.app.m.peak'),
      plan.buffers.reduce((sum, b) => sum + b.size, 0),
    );
    await page.locator('#round-on').click();
    assert.deepEqual(await offsets(), own);
  }),
);

await check('the rounds of the tuner are shown with their layouts', () =>
  visit('tuned', async (page) => {
    const {rounds} = planOf('tuned');
    assert.ok(rounds.length > 2);
    assert.equal(await page.locator('#round').getAttribute('max'), String(rounds.length));
    for (const [k, round] of rounds.entries()) {
      await page.locator('#round').fill(String(k));
      assert.deepEqual(await page.evaluate('[...neap.app.m.shown]'), round.offsets);
      assert.equal(await page.evaluate('neap.app.m.peak'), round.peak);
    }
  }),
);

await check('buffers of a round have the classes of risk of its layout', async () => {
  for (const name of ['tuned', 'groups'])
    await visit(name, async (page) => {
      const {rounds, buffers} = planOf(name),
        first = rounds[0];
      const counts = () => page.evaluate('neap.app.paint.legend.map(({count}) => count)');
      const own = await counts();
      assert.equal(own[0], buffers.filter(({risk}) => risk === 'high').length);
      for (const [k, {high, medium, low, none}] of rounds.entries()) {
        await page.locator('#round').fill(String(k));
        assert.deepEqual(await counts(), [high, medium, low, none], `round ${k + 1}`);
      }
      await page.locator('#round').fill(String(rounds.length));
      assert.deepEqual(await counts(), own);
      await page.locator('#round').fill('0');
      await page.evaluate('neap.app.select(0)');
      if (first.high === buffers.length) assert.match(await details(page), /Risk\s+high: /);
      const words = await page.locator('#legend-colours').innerText();
      assert.ok(words.includes(`above the bound (${first.high})`), words);
    });
});

await check('rounds are played', () =>
  visit(
    'rounds',
    async (page) => {
      await page.locator('#stage').focus();
      await page.keyboard.press(' ');
      assert.equal(await page.evaluate('neap.rounds.step'), 0);
      assert.equal(await page.locator('#round-play').textContent(), 'Pause');
      await until(page, 'neap.rounds.step === 3', 20000);
      await until(page, `document.getElementById('round-play').textContent === 'Play'`);
      await until(page, 'neap.app.m.shown.every((low, i) => low === neap.app.m.offset[i])');
      await page.screenshot({path: join(build, 'rounds.png')});
    },
    {motion: 'no-preference', scheme: 'dark'},
  ),
);

// ------------------------------------------------------------ unusual plans

await check('names cannot inject markup or scripts', () =>
  visit('wild', async (page) => {
    const plan = planOf('wild');
    assert.equal(await page.evaluate('neap.app.m.count'), plan.buffers.length);
    assert.equal(await page.title(), 'wild.json: 10 buffers, peak 600 B');
    for (const [i, {name}] of plan.buffers.entries()) {
      await page.evaluate((k) => window.neap.app.select(k, {show: true}), i);
      const [short, whole] = await page.locator('#page-tensor :is(h2, .whole) bdi').allTextContents();
      assert.equal(whole || short, name);
      await page.evaluate((k) => window.neap.app.setCursor(k), plan.buffers[i].lifetimes[0][0]);
    }
    assert.equal(
      await page.evaluate(`document.querySelectorAll('main script, main img, main b b').length`),
      0,
    );
    for (const mode of ['size', 'lifetime', 'operator', 'name', 'risk'])
      await page.locator('#colour-by').selectOption(mode);
    await page.locator('#search').fill('x');
    const {x, y} = await middleOf(page, plan.buffers[3]);
    await page.mouse.move(x, y);
    await settle(page);
    assert.ok(
      await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
      'nothing is wider than the window',
    );
    await page.screenshot({path: join(build, 'wild.png')});
  }),
);

await check('numbers beyond 2^53 keep all digits', () =>
  visit('large', async (page) => {
    await page.evaluate('neap.app.select(1)');
    const words = (await details(page)).replace(/\s+/g, ' ');
    for (const part of [
      '4,611,686,018,427,387,905 bytes',
      '[1, 9,007,199,254,740,995)',
      '9,007,199,254,740,993 (0x20000000000001)',
      '4,620,693,217,682,128,898 (0x4020000000000002)',
      'It rests on 1 buffer',
    ])
      assert.ok(words.includes(part), `${part} in ${words}`);
  }),
);

await check('an empty plan and a lone buffer', async () => {
  await visit('none', async (page) => {
    assert.ok(await page.locator('#nothing').isVisible());
    for (const key of ['n', ']', 'b', ' ', '+', '0']) await page.keyboard.press(key);
    for (const tab of ['time', 'peak', 'tensor']) await page.locator(`#tab-${tab}`).click();
    await page.screenshot({path: join(build, 'none.png')});
  });
  await visit('lone', async (page) => {
    await page.keyboard.press('n');
    assert.match(await details(page), /0x20000000 – 0x200003e8/);
    assert.match(await details(page), /at the bottom of the arena/);
  });
});

// ------------------------------------------------------------ accessibility

await check('every control has a name, and Tab reaches them', () =>
  visit('pair', async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, [tabindex="0"], canvas[role]')]
        .filter(
          (node) =>
            !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length),
        )
        .map((node) => node.outerHTML),
    );
    assert.deepEqual(nameless, []);
    const reached = new Set();
    for (let k = 0; k < 40; k++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate('document.activeElement.id || document.activeElement.className'),
      );
    }
    for (const id of [
      'search',
      'theme',
      'colour-by',
      'critical',
      'stage',
      'zoom-fit',
      'tab-compare',
      'divider',
    ])
      assert.ok(reached.has(id), `${id} in ${[...reached]}`);
    await page.locator('#stage').focus();
    await page.keyboard.press('?');
    assert.ok(await page.locator('#help').isVisible());
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#help').isHidden());
  }),
);

// The contrast of text and its background, as WCAG 2 defines it.
await check('text has contrast in both themes', () =>
  visit('nine', async (page) => {
    for (const theme of ['light', 'dark']) {
      while ((await page.locator('#theme').textContent()) !== `Theme: ${theme}`)
        await page.locator('#theme').click();
      const weak = await page.evaluate(() => {
        const light = (name) => {
          const number = parseInt(colour.css(name).slice(1), 16);
          const [r, g, b] = [number >> 16, (number >> 8) & 255, number & 255].map((v) =>
            v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (a, b) =>
          (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        const pairs = ['--page', '--panel', '--raised', '--sunk'].flatMap((ground) =>
          [
            '--ink',
            '--muted',
            '--link',
            '--waste',
            '--bound',
            '--capacity',
            '--taken',
            '--bad',
          ].map((ink) => [ink, ground]),
        );
        for (const face of [
          'risk-none',
          'risk-low',
          'risk-medium',
          'risk-high',
          'moved',
          'still',
          'alone',
        ])
          pairs.push(['--on-face', `--${face}`]);
        for (let k = 0; k < 10; k++) pairs.push(['--on-face', `--group-${k}`]);
        for (let k = 0; k < 5; k++) pairs.push(['--on-face', `--ramp-${k}`]);
        pairs.push(['--bad', '--bad-page']);
        return pairs
          .filter(([a, b]) => contrast(a, b) < 4.5)
          .map(([a, b]) => `${a} on ${b}: ${contrast(a, b).toFixed(2)}`);
      });
      assert.deepEqual(weak, [], theme);
    }
  }),
);

await check('the page fits a narrow window', () =>
  visit(
    'nine',
    async (page) => {
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      assert.ok((await page.locator('#stage').boundingBox()).height > 250);
      await page.screenshot({path: join(build, 'narrow.png'), fullPage: true});
    },
    {across: 420, down: 800},
  ),
);
