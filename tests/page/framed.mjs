// SPDX-License-Identifier: GPL-3.0-or-later
// The page in a frame, as notebooks show it: wheel, theme, and visible parts.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {build, pages, check, open, until} from './browser.mjs';

// A notebook with a ground: the page is in a cell of 920 by 720 pixels, and there is more to scroll to.
function notebook(name, ground) {
  const words = readFileSync(join(pages, `${name}.html`), 'utf8')
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;'),
    path = join(build, `notebook-${name}.html`);
  writeFileSync(
    path,
    `<!doctype html><body style="background:${ground}"><div style="width:920px"><iframe title="plan"
     srcdoc="${words}" style="width:100%;height:720px;border:0"></iframe></div><div style="height:3000px"></div>`,
  );
  return pathToFileURL(path).href;
}

// Calls act(page, frame) with a notebook whose frame has loaded.
const cell = (name, ground, act) =>
  open({across: 1000, down: 800}, async (page) => {
    await page.goto(notebook(name, ground));
    const frame = page.frames()[1] ?? (await page.waitForEvent('frameattached'));
    await until(frame, 'window.neap?.ready');
    await act(page, frame);
  });

await check('the wheel scrolls a notebook until the layout is clicked', () =>
  cell('nine', '#fff', async (page, frame) => {
    const {x, y} = await frame.locator('#stage').boundingBox(),
      span = () => frame.evaluate('neap.view.x1 - neap.view.x0'),
      all = await span();
    await page.mouse.move(x + 200, y + 60);
    await page.mouse.wheel(0, 200);
    await until(page, 'scrollY > 0');
    assert.equal(await span(), all);
    await page.evaluate('scrollTo(0, 0)');
    await page.mouse.click(x + 200, y + 60);
    await page.mouse.wheel(0, -200);
    await until(frame, `neap.view.x1 - neap.view.x0 < ${all}`);
    assert.equal(await page.evaluate('scrollY'), 0);
  }),
);

for (const [ground, theme] of [
  ['#111', 'dark'],
  ['rgb(250, 250, 250)', 'light'],
])
  await check(`on a ground of ${ground}, a notebook has the ${theme} theme`, () =>
    cell('guide', ground, async (page, frame) => {
      const shown = () => frame.evaluate('document.documentElement.dataset.theme');
      assert.equal(await shown(), theme);
      await page.screenshot({path: join(build, `notebook-${theme}.png`)});
      const other = theme === 'dark' ? '#fff' : '#000';
      await page.evaluate((colour) => (document.body.style.background = colour), other);
      await until(frame, `document.documentElement.dataset.theme !== '${theme}'`);
    }),
  );

await check('a frame shows the layout and rows of the table', () =>
  cell('guide', '#fff', async (page, frame) => {
    const inside = await frame.evaluate(() => {
      const size = (node) => {
        const {top, bottom, width, height} = node.getBoundingClientRect();
        return {top, bottom, width, height};
      };
      const rows = [...document.querySelectorAll('#page-peak .lines > [role=row]')];
      return {
        stage: size(document.querySelector('#stage')),
        rows: rows.map(size).filter(({bottom}) => bottom <= innerHeight).length,
        overflow: document.documentElement.scrollHeight - innerHeight,
      };
    });
    assert.ok(inside.stage.height >= 180 && inside.stage.width >= 350, JSON.stringify(inside));
    assert.ok(inside.rows >= 3, `${inside.rows} rows in view`);
    assert.ok(inside.overflow <= 0, 'nothing to scroll in the frame');
  }),
);
