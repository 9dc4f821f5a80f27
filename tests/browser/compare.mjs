// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing plans: what changed against a slow computation, and scenes that follow each other.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {build, check, pages, planOf, settle, until, visit} from './browser.mjs';

// ------------------------------------------------------------ what changed

// The kind of change of each buffer from plan a to plan b, in the obvious way: {kind: [name]}.
function changesOf(a, b) {
  const kinds = {same: [], moved: [], grew: [], shrank: [], retimed: [], gone: [], appeared: []};
  for (const one of a.buffers) {
    const two = b.buffers.find(({name}) => name === one.name);
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
      .map((node) => `${node.closest('li').dataset.kind} ${node.textContent}`)
      .sort(),
  );

async function expectChanges(page, a, b) {
  const expected = changesOf(a, b),
    shown = await countsShown(page);
  for (const [kind, names] of Object.entries(expected))
    assert.equal(shown[kind] ?? 0, names.length, kind);
  const rows = Object.entries(expected).flatMap(([kind, names]) =>
    kind === 'same' ? [] : names.map((name) => `${kind} ${name}`),
  );
  if (rows.length <= 100) assert.deepEqual(await listed(page), rows.sort());
}

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
      assert.ok(legend.includes(`${word} ${expected[kind].length}`), `${word} in ${legend}`);
    await page.screenshot({path: join(build, 'pair-changed.png')});
  }),
);
