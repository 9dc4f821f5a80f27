// SPDX-License-Identifier: GPL-3.0-or-later
// The legend against what is drawn: every colour that the layout is painted with has an entry, in each
// colouring, on the page and in pictures; and entries show or hide their buffers.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {pages, build, check, visit, settle} from './browser.mjs';

const PLANS = ['nine', 'capped', 'related', 'torn', 'aligned', 'ordered', 'clashes'];

// Notes the style of every stroke, filling and text on a canvas, by the id or the class of the canvas.
// Of a pattern, it notes the styles that its tile was drawn with.
const record = () => {
  const proto = CanvasRenderingContext2D.prototype,
    tiles = new WeakMap();
  window.drawn = [];
  const styleOf = (style) => (typeof style === 'string' ? [style] : (tiles.get(style) ?? []));
  const wrap = (method, style) => {
    const inner = proto[method];
    proto[method] = function (...list) {
      for (const one of styleOf(this[style]))
        window.drawn.push({
          where: this.canvas.className || 'tile',
          canvas: this.canvas,
          style: one,
        });
      return inner.apply(this, list);
    };
  };
  for (const method of ['stroke', 'strokeRect']) wrap(method, 'strokeStyle');
  for (const method of ['fill', 'fillRect', 'fillText']) wrap(method, 'fillStyle');
  const createPattern = proto.createPattern;
  proto.createPattern = function (tile, ...rest) {
    const pattern = createPattern.call(this, tile, ...rest);
    tiles.set(
      pattern,
      window.drawn.filter(({canvas}) => canvas === tile).map(({style}) => style),
    );
    return pattern;
  };
};

// The colours of the legend, "#rrggbb": its swatches and its lines.
const explained = (page) =>
  page.evaluate(() => {
    const hex = (colour) =>
      `#${(colour.match(/\d+/g) ?? [])
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`;
    return [...document.querySelectorAll('#legend i')].flatMap((node) => {
      const look = getComputedStyle(node);
      return [hex(look.backgroundColor), hex(look.color)];
    });
  });

// The colours of backgrounds and dividers, and of marks with their names beside them.
const plain = (page) =>
  page.evaluate(() =>
    ['panel', 'grid', 'muted', 'ink', 'on-face', 'frame'].map((name) => colour.css(`--${name}`)),
  );

// The colours of the top canvases that nothing explains.
async function unexplained(page) {
  await page.evaluate('window.drawn.length = 0; neap.app.redraw()');
  await settle(page);
  const drawn = await page.evaluate(() =>
    window.drawn.filter(({where}) => /over|grid/.test(where)).map(({style}) => style),
  );
  assert.ok(drawn.length > 10, 'the drawing is recorded');
  const known = new Set([...(await explained(page)), ...(await plain(page))]);
  return [...new Set(drawn)].filter((style) => !known.has(style));
}

// Colours of faces that have a rectangle but no entry.
const facesUnexplained = (page) =>
  page.evaluate(() => {
    const hex = (pixel) =>
      `#${[0, 8, 16].map((shift) => ((pixel >> shift) & 255).toString(16).padStart(2, '0')).join('')}`;
    const known = new Set(
      neap.app.paint.legend.filter(({count}) => count > 0).map((e) => e.colour),
    );
    return [...new Set(neap.app.paint.face)].map(hex).filter((one) => !known.has(one));
  });

const modes = (page) =>
  page.evaluate(() => [...document.getElementById('colour-by').options].map(({value}) => value));

for (const scheme of ['light', 'dark'])
  await check(`the legend explains every colour of the page (${scheme})`, async () => {
    for (const name of PLANS.filter((one) => existsSync(join(pages, `${one}.html`))))
      await visit(
        name,
        async (page) => {
          for (const mode of await modes(page)) {
            await page.evaluate((key) => neap.app.setColour(key), mode);
            assert.deepEqual(await facesUnexplained(page), [], `${name} by ${mode}`);
          }
          assert.deepEqual(await unexplained(page), [], name);
          await page.evaluate('neap.app.select(1); neap.app.setCursor(2)');
          assert.deepEqual(await unexplained(page), [], `${name} with a selection`);
        },
        {scheme, init: record},
      );
  });

// The least contrast between paint and ground, as WCAG 2 defines it: of faces and of faded faces.
const leastContrast = (page) =>
  page.evaluate(() => {
    const {m, paint} = neap.app,
      parts = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255],
      light = (pixel) => {
        const [r, g, b] = parts(pixel).map((v) =>
          v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      },
      ground = light(parseInt(colour.css('--panel').slice(1).match(/../g).reverse().join(''), 16)),
      least = [Infinity, Infinity];
    paint.face.forEach((pixel, r) => {
      const k = paint.fades(m.rectBuffer[r]) ? 1 : 0;
      least[k] = Math.min(least[k], (light(pixel) + 0.05) / (ground + 0.05));
    });
    return least;
  });

await check(
  'in the dark, faces stand out from the ground, and faded ones can be seen',
  async () => {
    for (const name of PLANS.concat('pair-changed').filter((one) =>
      existsSync(join(pages, `${one}.html`)),
    ))
      await visit(
        name,
        async (page) => {
          for (const mode of await modes(page)) {
            await page.evaluate((key) => neap.app.setColour(key), mode);
            assert.ok((await leastContrast(page))[0] >= 3, `${name} by ${mode}`);
            await page.evaluate(() => legend.reset());
            await page.locator('#search').fill('o');
            const [, faded] = await leastContrast(page);
            assert.ok(faded >= 1.5, `${name} by ${mode}: ${faded} of what is faded`);
            await page.locator('#search').fill('');
          }
        },
        {scheme: 'dark'},
      );
  },
);

await check('colourings are offered where they mean something', async () => {
  await visit('nine', async (page) => {
    const list = await modes(page);
    for (const mode of ['pool', 'waste', 'object']) assert.ok(!list.includes(mode), mode);
    for (const mode of ['risk', 'operator', 'age']) assert.ok(list.includes(mode), mode);
  });
  await visit('related', async (page) => assert.ok((await modes(page)).includes('pool')));
  await visit('aligned', async (page) => assert.ok((await modes(page)).includes('waste')));
  // Its names are numbers.
  await visit('groups', async (page) => assert.ok(!(await modes(page)).includes('name')));
});

await check('ages refer to the time cursor', () =>
  visit('nine', async (page) => {
    const entries = () => page.locator('#legend-colours li').allInnerTexts();
    await page.evaluate("neap.app.setColour('age'); neap.app.setCursor(4)");
    // At 4: conv2/out has just been allocated, skip is 2 and relu1 1 old; conv1/out ended.
    assert.deepEqual(await entries(), [
      'up to 1 (2)',
      'up to 2 (1)',
      'freed before (3)',
      'allocated later (3)',
    ]);
    assert.match(await page.locator('#legend-note').innerText(), /to 4, the time cursor/);
    await page.evaluate('neap.app.setCursor(10)');
    assert.deepEqual(await entries(), ['up to 1 (1)', 'freed before (8)']);
  }),
);

await check('padding is less than the alignment, and what is free below', () =>
  visit('aligned', async (page) => {
    const found = await page.evaluate(() => {
      const {m} = neap.app,
        alive = (i, k) => m.first[i] < m.last[k] && m.first[k] < m.last[i];
      return [...quantities.padding(m)].map((bytes, i) => {
        let floor = 0;
        for (let k = 0; k < m.count; k++)
          if (alive(i, k) && m.end[k] <= m.offset[i]) floor = Math.max(floor, m.end[k]);
        const free = m.offset[i] - floor;
        return [bytes, free < 64 ? free : 0];
      });
    });
    for (const [bytes, expected] of found) assert.equal(bytes, expected);
    assert.ok(found.some(([bytes]) => bytes > 0));
  }),
);

await check('an entry of the legend isolates its buffers, by mouse and by keyboard', () =>
  visit('nine', async (page) => {
    await page.evaluate("neap.app.setColour('operator')");
    const faded = () =>
      page.evaluate(() =>
        Array.from({length: neap.app.m.count}, (_, i) => i).filter(neap.app.paint.fades),
      );
    const entry = page.locator('#legend .entry', {hasText: 'conv'});
    await entry.click();
    assert.equal(await entry.getAttribute('aria-pressed'), 'true');
    assert.equal((await faded()).length, 6);
    await settle(page);
    assert.match(await page.locator('#legend-marks').innerText(), /faded: other colours/);
    assert.match(await page.evaluate('location.hash'), /^$|only=/);
    await page.keyboard.press('Enter');
    assert.equal((await faded()).length, 0, 'the focus stays on the entry');
    await entry.click({modifiers: ['Shift']});
    assert.equal((await faded()).length, 3);
    await page.evaluate("neap.app.setColour('size')");
    assert.equal((await faded()).length, 0, 'another colouring shows all');
  }),
);

await check('shared bytes are named under the pointer', () =>
  visit('related', async (page) => {
    const words = await page.evaluate(() => {
      const {m} = neap.app,
        [i, k] = ['in', 'out'].map((name) => model.find(m, name));
      return signs.sharedAt(neap.app, 3.5, (Math.max(m.offset[i], m.offset[k]) + m.end[i]) / 2);
    });
    assert.match(words, /448 B shared by out and in/);
    await page.evaluate("neap.app.select(model.find(neap.app.m, 'in'))");
    await settle(page);
    await page.screenshot({path: join(build, 'signs.png')});
  }),
);

// ------------------------------------------------------------ pictures

const BY = ['risk', 'operator', 'name', 'size', 'lifetime'];

await check('the legend of a picture explains every colour in it', async () => {
  for (const name of BY.flatMap((by) => [`nine-${by}`, `clashes-${by}`]).concat('related')) {
    if (!existsSync(join(pages, `${name}.svg`))) continue;
    const text = readFileSync(join(pages, `${name}.svg`), 'utf8');
    const groups = [...text.matchAll(/<g class="legend[^"]*">([^]*?)<\/g>/g)].map(([all]) => all);
    const words = (part) =>
      [...part.matchAll(/<(?:rect|line|path) class="([^"]+)"/g)].map(([, list]) =>
        list.replace(/ ?(wide|thin|tiny|flat|fine)\b/g, ''),
      );
    const known = new Set(groups.flatMap(words)),
      rest = groups.reduce((left, group) => left.replace(group, ''), text);
    // Frames and axes, the curve with its caption, halos, and leaders from a mark to its name.
    const plainly =
      /^(page|panel|grid|outline|outline target|halo|leader.*|area|curve|summit|pin|glass|dots|hatch|cross|above|stripe|weave|drop|spine|hole|stack.*|axis|tick|none|low|medium|high)$/;
    const missing = [...new Set(words(rest))].filter(
      (one) => !known.has(one) && !plainly.test(one),
    );
    assert.deepEqual(missing, [], name);
  }
});
