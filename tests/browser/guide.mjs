// SPDX-License-Identifier: GPL-3.0-or-later
// The guide doc/page.md: makes its pictures and its table of keys in BUILD/guide, from where
// doc/page.sh takes them, and checks that the guide has the keys of the page and no picture that does
// not exist.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build, check, pages, settle, skip, visit} from './browser.mjs';
import {reduce} from './palette.mjs';

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
