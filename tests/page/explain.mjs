// SPDX-License-Identifier: GPL-3.0-or-later
// The tab with an explanation.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {build, check, pages, settle, skip, visit} from './browser.mjs';
import {reduce} from './palette.mjs';

const openTab = (page) => page.locator('[role=tab][aria-selected=true]').innerText();

// How many pixels of the overlay have the colour of buffers that cannot fit together.
const outlined = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById('over'),
      {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [1, 3, 5].map((k) => parseInt(neap.app.look.bad.slice(k, k + 2), 16));
    let found = 0;
    for (let k = 0; k < data.length; k += 4)
      if (wanted.every((part, n) => Math.abs(part - data[k + n]) < 16) && data[k + 3] > 200) found++;
    return found;
  });

await check('a page about a capacity that does not suffice opens on the explanation', async () => {
  await visit('explained', async (page) => {
    assert.equal(await openTab(page), 'Explain');
    const words = await page.locator('#page-explain').innerText();
    for (const part of ['does not fit (proven)', '282 B', '280 B', 'No layout of 3 buffers'])
      assert.ok(words.includes(part), `${part} is in ${words}`);
    assert.equal(await page.locator('#page-explain .fixes tbody tr').count(), 11);
    assert.ok(!(await page.locator('#other').count()));
  });
});

await check('the head of the page and the tab agree on what a capacity lacks at least', () =>
  visit('lacking', async (page) => {
    const figures = await page.locator('#figures').innerText(),
      tab = await page.locator('#page-explain').innerText();
    assert.match(figures, /900\.00 KiB, at least 63\.00 KiB too small/);
    assert.match(tab, /Excess\s+63\.00 KiB.*\(at least\)/);
  }),
);

await check('what cannot fit together is outlined, unless switched off', async () => {
  await visit('explained', async (page) => {
    assert.ok((await outlined(page)) > 500);
    const legend = await page.locator('#legend, #legend-marks').allInnerTexts();
    assert.ok(legend.join().includes('cannot fit together'), String(legend));
  });
  await visit('explained', async (page) => {
    await page.locator('#outline-core').uncheck();
    await settle(page);
    assert.equal(await outlined(page), 0);
  });
  await visit('explained', async (page) => assert.equal(await outlined(page), 0), {
    hash: '#core=plain',
  });
});

await check('changes and buffers lead to the layout', async () => {
  await visit('explained', async (page) => {
    await page.locator('.fixes .link', {hasText: "make 'f' 2 bytes smaller"}).click();
    await settle(page);
    assert.equal(await page.evaluate('model.name(neap.app.m, neap.app.selected)'), 'f');
    assert.equal(await openTab(page), 'Explain');
    await page.locator('#page-explain dd .link').click();
    await settle(page);
    assert.equal(await page.evaluate('neap.app.cursor'), 4);
  });
});

await check('a page about the peak opens as usual, and other pages have no such tab', async () => {
  await visit('peak-explained', async (page) => {
    assert.notEqual(await openTab(page), 'Explain');
    await page.locator('#tab-explain').click();
    const words = await page.locator('#page-explain').innerText();
    assert.match(words, /What would lower the peak/);
    assert.match(words, /plan with --schedule optimal/);
    assert.equal(await outlined(page), 0);
  });
  await visit('nine', async (page) => assert.ok(await page.locator('#tab-explain').isHidden()));
});

// ---------------------------------------------------------------- the guide doc/page.md: makes its pictures and its table of keys in build/guide, which
// doc/page.sh reads, and checks that the guide has the keys of the page, and that all its pictures
// exist.

const folder = join(build, 'guide'),
  source = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'doc'),
  guide = readFileSync(join(source, 'page.md'), 'utf8');
mkdirSync(folder, {recursive: true});

const DESK = {across: 1440, down: 900},
  PHONE = {across: 390, down: 844};

// Selects a buffer alive at the peak, so that there is something to see.
const selectAtPeak = (page) =>
  page.evaluate(() => {
    const {app} = window.neap,
      {list} = supports.critical(app.m);
    app.select(list[Math.floor(list.length / 3)]);
    app.setColour('operator');
    panel.open('peak');
  });

const PICTURES = [
  ['desk', 'guide', DESK, selectAtPeak],
  ['dark', 'guide', {...DESK, scheme: 'dark'}, (page) => page.evaluate("panel.open('buffers')")],
  ['phone', 'guide', PHONE, selectAtPeak],
  ['compare', 'guide-pair', DESK, async () => {}],
  ['explain', 'guide-explain', DESK, async () => {}],
];

for (const [name, from, size, act] of PICTURES)
  if (!existsSync(join(pages, `${from}.html`))) skip(`picture '${name}' of the guide`, 'no page');
  else
    await check(`picture '${name}' of the guide`, () =>
      visit(
        from,
        async (page) => {
          await act(page);
          await settle(page);
          writeFileSync(join(folder, `${name}.png`), reduce(await page.screenshot()));
        },
        size,
      ),
    );

await check('the guide has every picture that it names', () => {
  const named = [...guide.matchAll(/[("](pictures\/[^)"]*)[)"]/g)].map(([, path]) => path);
  assert.ok(named.length > 0);
  for (const path of named) assert.ok(existsSync(join(source, path)), path);
});

// The keys of the help dialog as tables in Markdown.
const keysOf = (page) =>
  page.evaluate(() => {
    const words = (node) =>
      [...node.childNodes]
        .map((part) => (part.tagName === 'KBD' ? `\`${part.textContent}\`` : part.textContent))
        .filter((part) => part)
        .join(' ');
    return [...document.querySelectorAll('#keys section')]
      .map((section) => {
        const does = [...section.querySelectorAll('dd')];
        const rows = [...section.querySelectorAll('dt')].map(
          (term, k) => `| ${words(term)} | ${does[k].textContent} |`,
        );
        return `| ${section.querySelector('h3').textContent} | |\n| --- | --- |\n${rows.join('\n')}\n`;
      })
      .join('\n');
  });

await check('the guide has the keys of the help dialog', () =>
  visit('nine', async (page) => {
    const keys = await keysOf(page);
    writeFileSync(join(folder, 'keys.md'), keys);
    assert.ok(guide.includes(keys), 'doc/page.sh writes the keys into doc/page.md');
  }),
);
