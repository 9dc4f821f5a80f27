// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing plans: what changed against a slow computation, and scenes that follow each other.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {
  box,
  build,
  check,
  middleOf,
  note,
  openStrips,
  pages,
  planOf,
  settle,
  timeDrawings,
  until,
  visit,
} from './browser.mjs';

// ------------------------------------------------------------ what changed

// The kind of change of each buffer from plan a to plan b, in the obvious way: {kind: [name]}.
function changesOf(a, b) {
  const kinds = {same: [], moved: [], grew: [], shrank: [], retimed: [], gone: [], appeared: []};
  const inB = new Map(b.buffers.map((two) => [two.name, two]));
  for (const one of a.buffers) {
    const two = inB.get(one.name);
    const kind = !two
      ? 'gone'
      : two.size > one.size
        ? 'grew'
        : two.size < one.size
          ? 'shrank'
          : JSON.stringify(two.lifetimes) !== JSON.stringify(one.lifetimes)
            ? 'retimed'
            : two.offset !== one.offset
              ? 'moved'
              : 'same';
    kinds[kind].push(one.name);
  }
  const names = new Set(a.buffers.map(({name}) => name));
  kinds.appeared = b.buffers.map(({name}) => name).filter((name) => !names.has(name));
  return kinds;
}

const countsShown = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('.kinds li')].map((row) => [
        row.dataset.kind,
        Number(row.querySelector('b').textContent.replaceAll(',', '')),
      ]),
    ),
  );

const listed = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#page-compare .rows [data-kind] .link')]
      .map((node) => `${node.closest('li').dataset.kind} ${node.title}`)
      .sort(),
  );

async function expectCounts(page, a, b) {
  const expected = changesOf(a, b),
    shown = await countsShown(page);
  for (const [kind, names] of Object.entries(expected))
    assert.equal(shown[kind] ?? 0, names.length, kind);
  return expected;
}

async function expectChanges(page, a, b) {
  const expected = await expectCounts(page, a, b);
  const rows = Object.entries(expected).flatMap(([kind, names]) =>
    kind === 'same' ? [] : names.map((name) => `${kind} ${name}`),
  );
  if (rows.length <= 100) assert.deepEqual(await listed(page), rows.sort());
}

await check('a page of a split compares from before to after', () =>
  visit('split', async (page) => {
    const title = (k) => page.locator('.left .title').nth(k).innerText();
    assert.match(await title(0), /^A: before/);
    assert.match(await title(1), /^B: branches\.tflite/);
    const {own, other} = await page.evaluate(
      `({own: neap.app.own.peak, other: neap.app.other.peak})`,
    );
    assert.ok(other < own, `${other} is not below ${own}`);
    assert.match(await page.locator('.figures-of-two').innerText(), /Peak\s.*−[\d.]+ KiB/);
    const rows = await page.evaluate(`[...document.querySelectorAll('li')]
      .filter((row) => row.querySelector('.at')?.textContent === 'only in B')
      .map((row) => {
        const i = model.find(neap.app.other, row.querySelector('button, a').title);
        return [row.textContent, parts.bytes(model.exactSize(neap.app.other, i)).textContent];
      })`);
    assert.ok(rows.length > 0);
    for (const [row, size] of rows) assert.ok(row.endsWith(size), `${row}: ${size} in B`);
    const {appeared, gone = 0} = await countsShown(page);
    assert.ok(appeared > 0);
    assert.equal(gone, 0);
    assert.equal(await page.evaluate('model.name(neap.app.page, 0)'), 'image');
    await page.locator('#swap').click();
    assert.match(await title(0), /^A: branches\.tflite/);
    await page.screenshot({path: join(build, 'split.png')});
  }),
);

await check('a page made to compare opens on the comparison, side by side', () =>
  visit('pair', async (page) => {
    assert.ok(await page.locator('#page-compare').isVisible());
    assert.equal(await page.locator('.stage').count(), 2);
    assert.deepEqual(await page.locator('.title').allInnerTexts(), [
      'A: nine.jsontune · peak 1.07 KiB · gap 0 %',
      'B: moved.jsonpeak 5.86 KiB · gap 445.45 %',
    ]);
    await expectChanges(page, planOf('nine'), planOf('moved'));
    await page.screenshot({path: join(build, 'pair.png')});
  }),
);

await check('swapping exchanges the plans', () =>
  visit('pair', async (page) => {
    await page.locator('#swap').click();
    await settle(page);
    await expectChanges(page, planOf('moved'), planOf('nine'));
    await page.locator('#mode-one').click();
    assert.equal(await page.locator('.stage').count(), 1);
    await page.keyboard.press('f');
    assert.ok(await page.evaluate(`neap.app.m === neap.app.other`));
    await expectChanges(page, planOf('moved'), planOf('nine'));
  }),
);

await check('a plan from a file, or a page, is compared', () =>
  visit('nine', async (page) => {
    await page.locator('#compare-file').setInputFiles(join(pages, 'moved.json'));
    await page.locator('.kinds').waitFor();
    await expectChanges(page, planOf('nine'), planOf('moved'));
    await page.locator('#compare-file').setInputFiles(join(pages, 'nine.html'));
    await until(page, `document.querySelector('[data-kind=moved] b').textContent === '0'`);
    await page.locator('#compare-file').setInputFiles(join(pages, 'nine.csv'));
    await until(page, `!document.getElementById('fault').hidden`);
  }),
);

await check('changes are sorted by name on demand', () =>
  visit('pair-changed', async (page) => {
    await page.locator('#sort-changes').selectOption('name');
    const names = await page.locator('[aria-label="Changes"] .link').allInnerTexts();
    assert.deepEqual(names, names.slice().sort());
    assert.equal(await page.evaluate('document.activeElement.id'), 'sort-changes');
  }),
);

await check('every kind of change is counted, listed and in the legend', () =>
  visit('pair-changed', async (page) => {
    const expected = changesOf(planOf('nine'), planOf('changed'));
    for (const names of Object.values(expected)) assert.ok(names.length > 0);
    await expectChanges(page, planOf('nine'), planOf('changed'));
    const legend = (await page.locator('#legend').innerText()).replaceAll('\n', '; ');
    for (const [word, kind] of [
      ['unchanged', 'same'],
      ['moved', 'moved'],
      ['grew', 'grew'],
      ['shrank', 'shrank'],
      ['other lifetime', 'retimed'],
      ['gone', 'gone'],
      ['appeared', 'appeared'],
    ])
      assert.ok(legend.includes(`${word} (${expected[kind].length})`), `${word} in ${legend}`);
    await page.screenshot({path: join(build, 'pair-changed.png')});
  }),
);

// ------------------------------------------------------------ two scenes

// The views and states of both scenes.
const scenesOf = (page) =>
  page.evaluate(() =>
    window.neap.app.scenes.map(({m, view: v, selected, hover, cursor}) => ({
      box: [v.x0, v.x1, v.y0, v.y1],
      selected: selected === null ? null : model.name(m, selected),
      hover: hover === null ? null : model.name(m, hover),
      cursor,
    })),
  );

// The middle of a buffer's first rectangle in the second scene, in pixels of the window.
async function middleInSecond(page, buffer) {
  const stage = await page.locator('.stage').nth(1).boundingBox(),
    v = await page.evaluate(() => {
      const {left, top, across, down, x0, x1, y0, y1} = window.neap.app.scenes[1].view;
      return {left, top, across, down, x0, x1, y0, y1};
    });
  const [start, end] = buffer.lifetimes[0];
  return {
    x: stage.x + v.left + (((start + end) / 2 - v.x0) / (v.x1 - v.x0)) * v.across,
    y: stage.y + v.top + (1 - (buffer.offset + buffer.size / 2 - v.y0) / (v.y1 - v.y0)) * v.down,
  };
}

await check('zoom, hover, selection and cursor are those of both scenes', () =>
  visit('pair', async (page) => {
    const named = (name, wanted) => planOf(name).buffers.find((b) => b.name === wanted);
    const right = await middleInSecond(page, named('moved', 'relu1'));
    await page.mouse.move(right.x, right.y);
    await settle(page);
    for (const {hover} of await scenesOf(page)) assert.equal(hover, 'relu1');
    await page.mouse.click(right.x, right.y);
    await settle(page);
    for (const {selected, cursor} of await scenesOf(page)) {
      assert.equal(selected, 'relu1');
      assert.ok(cursor === 3 || cursor === 4, `cursor at ${cursor}`);
    }
    const before = await box(page);
    await page.mouse.wheel(0, -400);
    await settle(page);
    const [one, two] = await scenesOf(page);
    assert.notDeepEqual(one.box, Object.values(before));
    assert.deepEqual(one.box, two.box);
    await page.evaluate('view.fit(neap.app, false)');
    const left = await middleOf(page, named('nine', 'conv2/out'));
    await page.mouse.click(left.x, left.y);
    await settle(page);
    for (const {selected} of await scenesOf(page)) assert.equal(selected, 'conv2/out');
  }),
);

await check('a buffer that only the other plan has is selected there', () =>
  visit('pair', async (page) => {
    await page.locator('#page-compare .link', {hasText: 'newcomer'}).click();
    await settle(page);
    const [one, two] = await scenesOf(page);
    assert.deepEqual([one.selected, two.selected], [null, 'newcomer']);
    assert.match(
      await page.locator('#page-tensor').innerText(),
      /Only moved\.json has this buffer/,
    );
  }),
);

await check('the mode of a comparison is in the address', () =>
  visit('pair', async (page) => {
    await page.keyboard.press('v');
    await until(page, `location.hash.includes('compare=one')`);
    await page.evaluate(`neap.app.select(model.find(neap.app.m, 'relu1'))`);
    await page.locator('#legend', {hasText: 'selected buffer in moved.json'}).waitFor();
    await page.evaluate(`location.hash = 'compare=one&front=B'`);
    await until(page, 'neap.app.m === neap.app.other');
    assert.equal(await page.locator('.stage').count(), 1);
  }),
);

await check('on a phone the scenes are one above the other, with one set of strips', () =>
  visit(
    'pair',
    async (page) => {
      const boxes = await page.evaluate(() =>
        [...document.querySelectorAll('.stage')].map((node) => {
          const {x, y, width, height} = node.getBoundingClientRect();
          return {x, y, width, height};
        }),
      );
      assert.equal(boxes[0].x, boxes[1].x);
      assert.ok(boxes[1].y >= boxes[0].y + boxes[0].height);
      assert.ok(boxes[0].width > 340 && boxes[0].height > 200);
      await openStrips(page);
      assert.equal(await page.locator('canvas.live:visible').count(), 1);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      await page.screenshot({path: join(build, 'pair-phone.png')});
    },
    {across: 390, down: 844},
  ),
);

// ------------------------------------------------------------ engines

await check('a page of engines compares any two of them', () =>
  visit('engines', async (page) => {
    const results = planOf('engines').engines,
      planned = results.filter(({peak}) => peak !== null);
    assert.equal(await page.locator('.engines tbody tr').count(), results.length);
    const words = await page.locator('.engines').innerText();
    for (const {engine, reason} of results) assert.ok(words.includes(reason ?? engine), engine);
    const shown = () => page.evaluate('[neap.app.own.label, neap.app.other.label]');
    const rival = planned.find(({peak}) => peak !== planned[0].peak);
    assert.deepEqual(await shown(), [planned[0].engine, rival.engine]);
    for (const {engine, peak} of planned) {
      await page.locator(`[data-side="B"][data-engine="${engine}"]`).click();
      await settle(page);
      if (engine !== planned[0].engine)
        assert.deepEqual(await shown(), [planned[0].engine, engine]);
      assert.ok(
        (await page.evaluate('[neap.app.own.peak, neap.app.other.peak]')).includes(peak),
        `${engine}: ${peak}`,
      );
      await page.locator(`[data-side="A"][data-engine="${planned[0].engine}"]`).click();
    }
    await page.keyboard.press('e');
    await settle(page);
    assert.notEqual((await shown())[1], planned.at(-1).engine);
    await until(page, `/[#&]b=/.test(location.hash)`);
    await page.screenshot({path: join(build, 'engines.png')});
  }),
);

await check('engines are compared by their peaks: where they are, and what they rest on', () =>
  visit(
    'engines',
    async (page) => {
      const {a, b} = await page.evaluate(() => {
        const {own, other} = window.neap.app;
        const facts = (m) => {
          const {roots, seen} = supports.critical(m);
          return {peak: m.peak, roots, seen: Array.from(seen)};
        };
        return {a: facts(own), b: facts(other)};
      });
      const table = page.locator('.figures-of-two'),
        {y, height} = await table.boundingBox();
      assert.ok(y + height < 500, 'above the fold');
      const rows = (await table.innerText()).split('\n').map((line) => line.split('\t'));
      const row = (name) => rows.find(([first]) => first.trim() === name);
      const shown = await page.evaluate((list) => list.map(text.amount), [a.peak, b.peak]);
      assert.deepEqual(row('Peak').slice(1, 3), shown);
      assert.deepEqual(row('Buffers there').slice(1, 3), [a, b].map(({roots}) => String(roots.length)));
      assert.ok(!row('Bound'), 'what is the same is left out');
      const spans = planOf('nine').buffers.map(({lifetimes: [[start, end]]}) => `${start} to ${end}`);
      for (const words of row('Reached at').slice(1, 3)) assert.ok(spans.includes(words), words);
      // the colours of the legend
      const counts = [0, 0, 0, 0];
      a.seen.forEach((own, i) => counts[own ? (b.seen[i] ? 0 : 1) : b.seen[i] ? 2 : 3]++);
      assert.deepEqual(await page.evaluate('neap.app.paint.legend.map(({count}) => count)'), counts);
      assert.equal(await page.locator('#colour-by').inputValue(), 'stack');
    },
    {across: 1440, down: 900},
  ),
);

await check('two plans of 100,000 rectangles are drawn', () =>
  visit('pair-many', async (page) => {
    assert.equal(await page.locator('.stage').count(), 2);
    await expectCounts(page, planOf('many'), planOf('many2'));
    note(
      `100,000 rectangles twice: ${(await timeDrawings(page, 20)).toFixed(1)} ms a frame`,
    );
  }),
);
