// SPDX-License-Identifier: GPL-3.0-or-later
// Saved pictures of the view, as SVG and PNG.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {build, check, visit, planOf} from './browser.mjs';

// Saves the view, and returns the file and its name.
async function saved(page, type) {
  await page.locator('#save summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`#save-${type}`).click(),
  ]);
  return {bytes: readFileSync(await download.path()), name: download.suggestedFilename()};
}

// Reads an SVG in the page: its texts, and the rectangles of buffers.
const read = (page, source) =>
  page.evaluate((words) => {
    const doc = new DOMParser().parseFromString(words, 'image/svg+xml');
    const number = (node, key) => Number(node.getAttribute(key));
    return {
      isSound: doc.querySelector('parsererror') === null,
      texts: [...doc.querySelectorAll('text')].map((node) => node.textContent),
      images: doc.querySelectorAll('g > image').length,
      rects: [...doc.querySelectorAll('.buffers > rect > title')].map((title) => {
        const node = title.parentNode,
          edge = node.hasAttribute('stroke') ? 0.5 : 0;
        return {
          name: title.textContent.split('\n')[0],
          x: number(node, 'x') - edge,
          y: number(node, 'y') - edge,
          across: number(node, 'width') + 2 * edge,
          down: number(node, 'height') + 2 * edge,
        };
      }),
    };
  }, source);

// Where the rectangles of a plan are in a view.
function expected(plan, v) {
  const clip = (value, low, size) => Math.max(low, Math.min(low + size, value));
  const xOf = (t) => clip(v.left + ((t - v.x0) / (v.x1 - v.x0)) * v.across, v.left, v.across);
  const yOf = (o) => clip(v.top + (1 - (o - v.y0) / (v.y1 - v.y0)) * v.down, v.top, v.down);
  return plan.buffers
    .flatMap(({name, size, offset, lifetimes}) =>
      lifetimes.map(([start, end]) => ({
        name,
        x: xOf(start),
        y: yOf(offset + size),
        across: xOf(end) - xOf(start),
        down: yOf(offset) - yOf(offset + size),
        isEmpty: size === 0 && offset > v.y0 && offset < v.y1,
      })),
    )
    .filter(({across, down, isEmpty}) => across > 0 && (down > 0 || isEmpty));
}

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.x - b.x);

for (const [name, hash, file] of [
  ['nine', '', 'nine'],
  ['nine', '#view=1,7,100,900&select=skip&time=4', 'nine'],
  ['clashes', '', 'clashes'],
  ['related', '', 'together'],
  ['wild', '', 'wild'],
])
  await check(`${name}${hash}: the SVG has the rectangles in view`, () =>
    visit(
      name,
      async (page) => {
        const {bytes, name: called} = await saved(page, 'svg'),
          svg = await read(page, bytes.toString('utf8'));
        assert.equal(called, `${file}.svg`);
        assert.ok(svg.isSound, 'well-formed XML');
        assert.ok(svg.texts.includes('time (steps)'), String(svg.texts));
        assert.ok(
          svg.texts.some((words) => words.includes(' buffers, ')),
          'a title',
        );
        assert.equal(svg.images, 0);
        const again = await saved(page, 'svg');
        assert.ok(bytes.equals(again.bytes), 'the same again');
        if (name === 'wild' || name === 'related') return; // other names, other pools
        const wanted = expected(planOf(name), await page.evaluate('({...neap.view})')).sort(byName);
        const found = svg.rects.sort(byName);
        assert.deepEqual(
          found.map((one) => one.name),
          wanted.map((one) => one.name),
        );
        found.forEach((one, k) => {
          for (const key of ['x', 'y', 'across', 'down'])
            assert.ok(
              Math.abs(one[key] - wanted[k][key]) < 0.3,
              `${one.name} ${key}: ${one[key]}, ${wanted[k][key]}`,
            );
        });
      },
      {hash},
    ),
  );

await check('the PNG has two pixels for one of the page, and colours', () =>
  visit('nine', async (page) => {
    const {bytes, name} = await saved(page, 'png');
    assert.equal(name, 'nine.png');
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    const across = await page.evaluate('neap.app.stage.across');
    assert.equal(bytes.readUInt32BE(16), 2 * across);
    const colours = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const c = canvas.getContext('2d');
      c.drawImage(image, 0, 0);
      return new Set(new Uint32Array(c.getImageData(0, 0, image.width, image.height).data.buffer))
        .size;
    }, bytes.toString('base64'));
    assert.ok(colours > 20, `${colours} colours`);
  }),
);

await check('many rectangles are an image in the SVG', () =>
  visit('many', async (page) => {
    const {bytes} = await saved(page, 'svg'),
      svg = await read(page, bytes.toString('utf8'));
    assert.ok(svg.isSound);
    assert.deepEqual([svg.images, svg.rects.length], [1, 0]);
    assert.ok(bytes.length < 3e6, `${bytes.length} bytes`);
  }),
);

await check('the menu closes with Esc, and file names are safe', () =>
  visit('nine', async (page) => {
    await page.locator('#save summary').focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.locator('#save-svg').isVisible());
    await page.screenshot({path: join(build, 'save.png')});
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#save-svg').isVisible(), false);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY');
    const names = await page.evaluate(
      `['a/b\\\\..', '', 'x:y*?.json', '../../etc', 'modèle 1.tflite', '...'].map((name) => save.fileName({name}, 'svg'))`,
    );
    assert.deepEqual(names, [
      'plan.svg',
      'plan.svg',
      'x_y_.svg',
      'etc.svg',
      'modèle_1.svg',
      'plan.svg',
    ]);
  }),
);
