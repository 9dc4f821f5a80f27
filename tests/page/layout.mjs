// SPDX-License-Identifier: GPL-3.0-or-later
// The layout: counts, figures, moving, selecting, searching, the time cursor.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {
  pages,
  build,
  check,
  skip,
  note,
  visit,
  until,
  settle,
  planOf,
  details,
  selected,
  box,
  grouped,
  middleOf,
  livesAt,
  openStrips,
  aliveAt,
  rowsShown,
  timeDrawings,
} from './browser.mjs';

const SLOWEST = 1000; // ms a frame: not a target, a sign that something hangs

// ------------------------------------------------------------ counts, drawing, frames

for (const [name, expected] of [
  ['nine', 9],
  ['middle', null],
  ['somas', 18692],
  ['many', 100000],
]) {
  if (!existsSync(join(pages, `${name}.html`))) {
    skip(`${name}: counts and frames`, 'its instance is not there');
    continue;
  }
  const plan = planOf(name),
    rectangles = plan.buffers.reduce((sum, b) => sum + b.lifetimes.length, 0);
  await check(`${name}: ${rectangles} rectangles are counted and drawn`, () =>
    visit(name, async (page) => {
      if (expected) assert.equal(plan.buffers.length, expected);
      assert.equal(await page.evaluate('neap.app.m.rectCount'), rectangles);
      assert.equal(await page.evaluate('neap.app.inView'), rectangles);
      const figures = await page.locator('#figures').innerText();
      assert.match(figures, new RegExp(`Buffers\\s+${grouped(plan.buffers.length)}`));
      const inked = await page.evaluate(
        'neap.app.stage.pixels.reduce((sum, pixel) => sum + (pixel !== 0 ? 1 : 0), 0)',
      );
      assert.ok(inked > 1000, `${inked} pixels`);
      const whole = await timeDrawings(page, 20);
      await page.evaluate(`neap.app.setColour('size')`);
      await page.mouse.move(600, 300);
      for (let k = 0; k < 8; k++) await page.mouse.wheel(0, -300);
      await settle(page);
      const near = await timeDrawings(page, 20);
      note(`${name}: ${whole.toFixed(1)} ms a frame with all in view, ${near.toFixed(1)} ms near`);
      assert.ok(whole < SLOWEST && near < SLOWEST);
      assert.ok((await page.evaluate('neap.app.inView')) < rectangles || rectangles < 20);
      await page.screenshot({path: join(build, `${name}.png`)});
    }),
  );
}

await check('bound, peak and sections are those of the plan', () =>
  visit('nine', async (page) => {
    const plan = planOf('nine'),
      times = [...new Set(plan.buffers.flatMap((b) => b.lifetimes.flat()))].sort((a, b) => a - b);
    const live = times.map((t) =>
      plan.buffers.filter((b) => livesAt(b, t)).reduce((sum, b) => sum + b.size, 0),
    );
    const top = times.map((t) =>
      Math.max(0, ...plan.buffers.filter((b) => livesAt(b, t)).map((b) => b.offset + b.size)),
    );
    const shown =
      await page.evaluate(`(({times, live, top, free}) => ({times: [...times], live: [...live], top: [...top],
    free: [...free]}))(profile.of(neap.app.m))`);
    assert.deepEqual(shown, {times, live, top, free: top.map((end, k) => end - live[k])});
    assert.equal(await page.evaluate('neap.app.m.peak'), plan.report.peak);
  }),
);

// ------------------------------------------------------------ room

// The share of the window that the drawing takes, and where it begins.
const roomOf = (page) =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.stage')].map((one) => one.getBoundingClientRect()),
      area = boxes.reduce((sum, {width, top, bottom}) => sum + width * (Math.min(bottom, innerHeight) - top), 0);
    return {share: area / (innerWidth * innerHeight), top: boxes[0].top};
  });

for (const [across, down, least, above] of [
  [1280, 720, 0.55, 48],
  [1440, 900, 0.6, 48],
  [1920, 1080, 0.6, 48],
  [390, 844, 0.5, 130],
])
  await check(`at ${across} by ${down}, the drawing has ${(100 * least).toFixed(0)} % of the window`, async () => {
    for (const name of ['nine', 'few', 'guide', 'ordered', 'related', 'tuned', 'groups', 'pair', 'explained'])
      await visit(
        name,
        async (page) => {
          const {share, top} = await roomOf(page),
            figures = `${name}: ${(100 * share).toFixed(1)} %, ${top} pixels above it`;
          note(figures);
          assert.ok(share >= least && top <= above, figures);
        },
        {across, down},
      );
  });

await check('the panel closes, the address remembers it, and the drawing has its room', () =>
  visit('nine', async (page) => {
    const before = await roomOf(page),
      button = page.locator('#panel-toggle');
    await button.click();
    await until(page, `location.hash.includes('panel=closed')`);
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    assert.ok(await page.locator('.panel').isHidden());
    assert.ok((await roomOf(page)).share > before.share + 0.2);
    await button.click();
    assert.ok(await page.locator('.panel').isVisible());
    assert.deepEqual(await roomOf(page), before);
  }),
);

await check('strips are folded at first, and open together', () =>
  visit('guide-pair', async (page) => {
    assert.equal(await page.locator('.strip:visible').count(), 0);
    await page.locator('.curves summary').first().click();
    await until(page, `location.hash.includes('strips=open')`);
    assert.equal(await page.locator('canvas.live:visible').count(), 2);
  }),
);

await check('rounds have a strip only if there are some to step through', async () => {
  await visit('nine', async (page) => assert.ok(await page.locator('#rounds').isHidden()));
  await visit('tuned', async (page) => assert.ok(await page.locator('#rounds').isVisible()));
});

// ------------------------------------------------------------ moving

await check('wheel, drag, keys and buttons move the view', () =>
  visit('nine', async (page) => {
    const all = await box(page),
      stage = await page.locator('#stage').boundingBox();
    const changes = async (what, act) => {
      const before = await box(page);
      await act();
      await settle(page);
      assert.notDeepEqual(await box(page), before, what);
    };
    await page.mouse.move(stage.x + 400, stage.y + 200);
    await changes('wheel', () => page.mouse.wheel(0, -500));
    const near = await box(page);
    assert.ok(near.x1 - near.x0 < all.x1 - all.x0 && near.y1 - near.y0 < all.y1 - all.y0);
    await changes('drag', async () => {
      await page.mouse.down();
      await page.mouse.move(stage.x + 500, stage.y + 260, {steps: 4});
      await page.mouse.up();
    });
    assert.equal(await selected(page), null, 'a drag selects nothing');
    await page.locator('#stage').focus();
    for (const key of ['+', 'ArrowLeft', 'ArrowUp', '-'])
      await changes(key, () => page.keyboard.press(key));
    await page.keyboard.press('0');
    await settle(page);
    assert.deepEqual(await box(page), all);
    await changes('button', () => page.locator('#zoom-in').click());
    await page.locator('#zoom-fit').click();
    assert.deepEqual(await box(page), all);
  }),
);

await check('the view glides unless the user prefers reduced motion', () =>
  visit(
    'nine',
    async (page) => {
      const all = await box(page);
      await page.locator('#stage').focus();
      await page.keyboard.press('+');
      await until(
        page,
        `Math.abs((neap.view.x1 - neap.view.x0) * 1.35 - ${all.x1 - all.x0}) < 1e-6`,
      );
    },
    {motion: 'no-preference'},
  ),
);

await check('two fingers zoom', () =>
  visit('nine', async (page) => {
    const before = await box(page);
    await page.evaluate(() => {
      const stage = document.getElementById('stage'),
        {left, top} = stage.getBoundingClientRect();
      stage.setPointerCapture = () => {};
      const send = (type, pointerId, x, y) =>
        stage.dispatchEvent(
          new PointerEvent(type, {
            pointerId,
            pointerType: 'touch',
            clientX: left + x,
            clientY: top + y,
            bubbles: true,
          }),
        );
      send('pointerdown', 1, 300, 200);
      send('pointerdown', 2, 340, 200);
      send('pointermove', 2, 480, 200);
      send('pointerup', 1, 300, 200);
      send('pointerup', 2, 480, 200);
    });
    await settle(page);
    const after = await box(page);
    assert.ok(after.x1 - after.x0 < (before.x1 - before.x0) / 2);
    assert.equal(await selected(page), null);
  }),
);

// ------------------------------------------------------------ selecting

await check('a click selects, and the panel has its numbers', () =>
  visit('nine', async (page) => {
    const plan = planOf('nine');
    for (const buffer of plan.buffers) {
      const {x, y} = await middleOf(page, buffer);
      await page.mouse.click(x, y);
      assert.equal(await selected(page), buffer.name);
      const words = await details(page),
        [start, end] = buffer.lifetimes[0];
      for (const part of [
        buffer.name,
        `${grouped(buffer.size)} bytes`,
        `[${start}, ${end})`,
        `${grouped(buffer.offset)}  (0x${buffer.offset.toString(16)})`,
        grouped(buffer.offset + buffer.size),
        buffer.risk,
        buffer.hint ?? '',
      ])
        assert.ok(
          words.replace(/\s+/g, ' ').includes(part.replace(/\s+/g, ' ')),
          `${part} in ${words}`,
        );
    }
  }),
);

// Whether b rests on a: alive together, and a ends where b begins.
const carries = (a, b) =>
  a.size > 0 &&
  a.offset + a.size === b.offset &&
  a.lifetimes.some(([start, end]) => b.lifetimes.some(([from, to]) => start < to && from < end));

// The buffers at the peak, and all below them; the set grows during the loop.
function criticalOf(plan) {
  const wanted = new Set(plan.buffers.filter((b) => b.offset + b.size === plan.report.peak));
  for (const b of wanted) for (const a of plan.buffers) if (carries(a, b)) wanted.add(a);
  return [...wanted].map((b) => b.name).sort();
}

async function expectChains(page, plan) {
  for (const buffer of plan.buffers) {
    await page.evaluate(
      (name) => window.neap.app.select(model.find(window.neap.app.m, name)),
      buffer.name,
    );
    const chain = await page.evaluate('neap.app.chain.map(({buffer}) => model.name(neap.app.m, buffer))');
    const steps = chain.map((name) => plan.buffers.find((b) => b.name === name));
    assert.equal(chain[0], buffer.name);
    for (let k = 1; k < steps.length; k++)
      assert.ok(carries(steps[k], steps[k - 1]), `${chain[k]} under ${chain[k - 1]}`);
    assert.ok(!plan.buffers.some((b) => carries(b, steps.at(-1))), 'the last rests on nothing');
    assert.equal(await page.locator('#page-tensor ol li').count(), Math.min(100, chain.length));
  }
}

for (const name of ['nine', 'middle'])
  if (!existsSync(join(pages, `${name}.html`)))
    skip(`${name}: what rests on what`, 'its instance is not there');
  else
    await check(`${name}: what rests on what, down to the bottom`, () =>
      visit(name, async (page) => {
        const plan = planOf(name);
        await expectChains(page, plan);
        const critical = await page.evaluate(
          'supports.critical(neap.app.m).list.map((i) => model.name(neap.app.m, i))',
        );
        assert.deepEqual(critical.sort(), criticalOf(plan));
        const {most, peak} = await page.evaluate(
          '({most: profile.of(neap.app.m).most, peak: neap.app.m.peak})',
        );
        assert.deepEqual([most, peak], [plan.report.bound, plan.report.peak]);
      }),
    );

await check('keys step through the buffers, and down to their supports', () =>
  visit('nine', async (page) => {
    await page.locator('#stage').focus();
    const seen = new Set();
    for (let k = 0; k < 9; k++) {
      await page.keyboard.press('n');
      seen.add(await selected(page));
    }
    assert.equal(seen.size, 9);
    await page.keyboard.press('p');
    assert.ok(
      (await page.locator('#announcer').textContent()).startsWith(await selected(page)),
      'it is announced',
    );
    await page.evaluate('neap.app.select(supports.critical(neap.app.m).roots[0])');
    for (let k = 0; k < 9; k++) await page.keyboard.press('b');
    assert.equal(await page.evaluate('neap.app.m.offset[neap.app.selected]'), 0);
    await page.keyboard.press('Escape');
    assert.equal(await selected(page), null);
  }),
);

await check('search finds by name', () =>
  visit('nine', async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('CONV1');
    assert.equal(await page.locator('#matches').textContent(), '2 matches');
    assert.deepEqual(await page.locator('#found li .name').allTextContents(), ['conv1/out', 'tmp']);
    assert.match(await page.locator('#found li').nth(1).innerText(), /conv1\/tmp/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await selected(page), 'conv1/tmp');
    await page.locator('#search').fill('nobody');
    assert.equal(await page.locator('#matches').textContent(), '0 matches');
    assert.ok(await page.locator('#found').isHidden());
  }),
);

// ------------------------------------------------------------ the time cursor

await check('the time cursor lists the live buffers and the holes', () =>
  visit('nine', async (page) => {
    const plan = planOf('nine');
    for (let t = 0; t <= 11; t++) {
      await page.evaluate((moment) => window.neap.app.setCursor(moment, {open: true}), t);
      assert.deepEqual(await rowsShown(page), aliveAt(plan, t), `at ${t}`);
    }
    await page.locator('#stage').focus();
    await page.keyboard.press('[');
    assert.equal(await page.evaluate('neap.app.cursor'), 10);
    await page.keyboard.press(']');
    assert.equal(await page.evaluate('neap.app.cursor'), 11);
    await openStrips(page);
    const live = await page.locator('#live').boundingBox();
    await page.mouse.click(live.x + live.width / 2, live.y + 20);
    assert.ok(await page.evaluate('neap.app.cursor >= 4 && neap.app.cursor < 7'));
  }),
);

await check('holes of a large plan are right', async () => {
  const plan = planOf('many');
  await visit('many', async (page) => {
    for (const t of [20000.5, 50000]) {
      await page.evaluate((moment) => window.neap.app.setCursor(moment, {open: true}), t);
      while (await page.locator('#page-time .more').count())
        await page.locator('#page-time .more').click();
      assert.deepEqual(await rowsShown(page), aliveAt(plan, t), `at ${t}`);
    }
  });
});
