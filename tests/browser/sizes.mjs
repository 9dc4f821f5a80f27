// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of very different sizes, in the windows of a desk and of a phone, light and dark: nothing on
// the console, no violation of WCAG 2.1 A and AA that axe-core finds, nothing to scroll sideways, and a
// drawing.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {build, check, pages, settle, skip, visit} from './browser.mjs';

const SIZES = {nine: 9, few: 454, somas: 18692, many: 100000, million: 1000000};
const WINDOWS = [
  {across: 1440, down: 900, motion: 'reduce'},
  {across: 390, down: 844, motion: 'reduce'},
];
const SCHEMES = ['light', 'dark'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

const path = join(build, 'node_modules', 'axe-core', 'axe.min.js');
const axe = existsSync(path) ? readFileSync(path, 'utf8') : null;

// What axe-core finds, with one element for each violation.
async function violations(page) {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe);
  const found = await page.evaluate(
    (values) =>
      window.axe.run(document, {runOnly: {type: 'tag', values}, resultTypes: ['violations']}),
    RULES,
  );
  return found.violations.map(
    ({id, nodes}) =>
      `${id} (${nodes.length}): ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`,
  );
}

async function checkClean(page, where) {
  if (axe) assert.deepEqual(await violations(page), [], where);
  assert.ok(
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    `${where}: the page is wider than its window`,
  );
}

// How many colours there are among the pixels of the layout.
const coloursDrawn = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('canvas.rects'),
      {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

for (const [name, count] of Object.entries(SIZES))
  for (const size of WINDOWS)
    for (const scheme of SCHEMES) {
      const title = `${count} rectangles at ${size.across} by ${size.down}, ${scheme}`;
      if (!existsSync(join(pages, `${name}.html`))) {
        skip(title, 'the instance is not here');
        continue;
      }
      await check(title, () =>
        visit(
          name,
          async (page) => {
            assert.equal(await page.evaluate('neap.app.m.rectCount'), count);
            assert.ok((await coloursDrawn(page)) > 2, 'the layout is drawn');
            await checkClean(page, 'at first');
          },
          {...size, scheme},
        ),
      );
    }

// All parts of a page: every tab, with something selected, and the keyboard help.
async function eachPart(page, act) {
  const tabs = await page.evaluate(() =>
    [...document.querySelectorAll('.tabs [role=tab]')]
      .filter((tab) => !tab.hidden)
      .map(({id}) => id.slice('tab-'.length)),
  );
  await page.evaluate('neap.app.select(0); neap.app.setCursor(neap.app.m.first[0])');
  for (const tab of tabs) {
    await page.evaluate((one) => panel.open(one), tab);
    await settle(page);
    await act(tab);
  }
  await page.evaluate('document.getElementById("help").showModal()');
  await settle(page);
  await act('help');
}

if (!axe)
  skip('every tab and the help', 'there is no axe-core: NEAP_BROWSER=1 tests/run.sh installs it');
else
  for (const name of ['related', 'ordered', 'pair', 'clashes'])
    for (const [k, size] of WINDOWS.entries())
      await check(`every part of '${name}' at ${size.across} by ${size.down}, ${SCHEMES[k]}`, () =>
        visit(name, (page) => eachPart(page, (where) => checkClean(page, where)), {
          ...size,
          scheme: SCHEMES[k],
        }),
      );
