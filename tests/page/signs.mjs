// SPDX-License-Identifier: GPL-3.0-or-later
// Titles, axes, levels, colours, the critical stack, and collisions.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {pages, build, check, visit, settle, until, planOf, details} from './browser.mjs';

// The legend follows the next frame.
const legend = async (page) => {
  await settle(page);
  return page.locator('#legend li').allInnerTexts();
};
const figures = async (page) => (await page.locator('#figures').innerText()).replace(/\s+/g, ' ');

// How many pixels of the top canvas have exactly this colour, "#rrggbb", in each of the boxes.
const countPixels = (page, colour, boxes) =>
  page.evaluate(
    ([hex, list]) => {
      const canvas = document.getElementById('over'),
        {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const [red, green, blue] = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
      return list.map(([left, top, across, down]) => {
        let count = 0;
        for (let y = top; y < top + down; y++)
          for (let x = left; x < left + across; x++) {
            const k = 4 * (y * canvas.width + x);
            if (data[k] === red && data[k + 1] === green && data[k + 2] === blue) count++;
          }
        return count;
      });
    },
    [colour, boxes],
  );

const look = (page, name) => page.evaluate(`neap.app.look.${name}`);

// ------------------------------------------------------------ title and axes

await check('the heading and the title name the input', async () => {
  await visit('nine', async (page) => {
    assert.match(await page.title(), /^nine\.csv: 9 buffers, peak /);
    assert.equal(await page.locator('h1').innerText(), 'nine.csv');
  });
  await visit('pair', async (page) => {
    await page.locator('#mode-one').click();
    await page.locator('#sides button').nth(1).click();
    assert.match(await page.title(), /^moved\.json: /);
    await page.locator('#tab-compare').click();
    assert.match(await page.locator('#sides').innerText(), /nine\.json[^]*moved\.json/);
  });
});

// The number of bytes that a label gives.
const bytesOf = (label) => {
  if (label === '0') return 0;
  const [number, unit] = label.split(' ');
  return (
    Number(number.replaceAll(',', '')) *
    1024 ** ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'].indexOf(unit)
  );
};

await check('ticks of the byte axis are exact, in one unit', () =>
  visit('nine', async (page) => {
    assert.equal(await page.evaluate('text.tick(1310720, 262144)'), '1.25 MiB');
    for (let k = 0; k < 55; k++) {
      const step = 2 ** k;
      const labels = await page.evaluate(
        (one) => [0, 1, 2, 3, 5, 6, 7, 9, 41].map((times) => text.tick(times * one, one)),
        step,
      );
      assert.deepEqual(
        labels.map(bytesOf),
        [0, 1, 2, 3, 5, 6, 7, 9, 41].map((times) => times * step),
      );
      const units = new Set(labels.slice(1).map((label) => label.split(' ')[1]));
      assert.equal(units.size, 1, labels.join(' '));
    }
  }),
);

// ------------------------------------------------------------ levels

await check('a capacity is a line with a name', async () => {
  await visit('capped', async (page) => {
    assert.match(await figures(page), /Capacity 1\.46 KiB, \d+\.\d\d % used/);
    assert.ok((await legend(page)).includes('capacity'));
    const y = await page.evaluate('Math.round(view.yOf(neap.view, 1500))');
    const line = [100, y - 3, 400, 7];
    assert.ok((await countPixels(page, await look(page, 'capacity'), [line]))[0] >= 400);
    await page.screenshot({path: join(build, 'capped.png')});
  });
  await visit('roomy', async (page) => {
    assert.match(await figures(page), /Capacity 1\.00 MiB, 0\.\d\d % used/);
    assert.ok((await page.evaluate('neap.view.y1')) < 4000, 'the layout is not flattened');
    const top = [100, await page.evaluate('neap.view.top'), 400, 12];
    assert.ok((await countPixels(page, await look(page, 'capacity'), [top]))[0] >= 400);
  });
  await visit('nine', async (page) => {
    assert.doesNotMatch(await figures(page), /Capacity/);
    assert.ok(!(await legend(page)).includes('capacity'));
  });
});

// ------------------------------------------------------------ alignment

await check('the alignment is a key figure, unless every offset is allowed', async () => {
  await visit('aligned', async (page) => {
    assert.match(await figures(page), /Alignment 64( |$)/);
    await page.evaluate('neap.app.select(0)');
    assert.match(await details(page), /Alignment\s+64\s/);
  });
  await visit('mixed', async (page) => {
    assert.match(await figures(page), /Alignment 1 to 4( |$)/);
    await page.evaluate(`neap.app.select(model.find(neap.app.m, 'words'))`);
    assert.match(await details(page), /Alignment\s+4\s/);
  });
  await visit('nine', async (page) => assert.doesNotMatch(await figures(page), /Alignment/));
});

// ------------------------------------------------------------ colours

const MODES = ['risk', 'operator', 'name', 'size', 'lifetime'];

await check('the legend explains every colour', async () => {
  for (const name of ['nine', 'clashes', 'wild', 'tuned'])
    await visit(name, async (page) => {
      await page.evaluate(`neap.app.setCritical('off')`);
      for (const mode of MODES) {
        await page.evaluate((key) => window.neap.app.setColour(key), mode);
        const unexplained = await page.evaluate(() => {
          const {face, legend: entries} = window.neap.app.paint;
          const known = new Set(entries.map((entry) => entry.colour));
          const hex = (pixel) =>
            `#${[0, 8, 16].map((shift) => ((pixel >> shift) & 255).toString(16).padStart(2, '0')).join('')}`;
          return [...new Set(face)].map(hex).filter((colour) => !known.has(colour));
        });
        assert.deepEqual(unexplained, [], `${name} by ${mode}`);
        const counts = await page.evaluate('neap.app.paint.legend.map(({count}) => count)');
        assert.equal(
          counts.reduce((a, b) => a + b, 0),
          planOf(name).buffers.length,
        );
      }
    });
});

// The entries of an SVG's legend: "conv (12)".
const legendOfPicture = (name) => {
  const [, group] = readFileSync(join(pages, name), 'utf8').match(
    /<g class="legend colours">([^]*?)<\/g>/,
  );
  return [...group.matchAll(/<text[^>]*>([^<]*)</g)].slice(1).map(([, words]) => words);
};

await check('pages and pictures group alike', async () => {
  for (const name of ['nine', 'clashes'])
    await visit(name, async (page) => {
      for (const mode of MODES) {
        if (!(await page.locator(`#colour-by option[value=${mode}]`).count())) continue;
        await page.evaluate((key) => window.neap.app.setColour(key), mode);
        const wanted = legendOfPicture(`${name}-${mode}.svg`);
        assert.deepEqual((await legend(page)).slice(0, wanted.length), wanted, mode);
      }
    });
});

await check('risk is the default only of the tuner', async () => {
  for (const [name, wanted] of [
    ['lone', 'size'],
    ['sized', 'size'],
    ['clashes', 'size'],
    ['nine', null],
    ['gap', null],
    ['tuned', null],
  ])
    await visit(name, async (page) => {
      const plan = name === 'sized' ? planOf('nine') : planOf(name);
      const story = (plan.rounds ?? []).length > 1 && plan.report.engine === 'tune';
      const other = plan.buffers.some((b) => b.hint) ? 'operator' : 'size';
      assert.equal(await page.evaluate('neap.app.colourBy'), wanted ?? (story ? 'risk' : other));
    });
});

await check('classes of risk differ by pattern too', () =>
  visit('nine', async (page) => {
    await page.evaluate(`neap.app.setColour('risk')`);
    await settle(page);
    const swatches = await page
      .locator('#legend-colours li')
      .evaluateAll((all) =>
        all.map((one) => `${one.innerText.split(':')[0]} ${one.querySelector('i').className}`),
      );
    const patterns = {high: 'falling', medium: 'rising', low: 'dots', none: 'plain'};
    assert.ok(swatches.length > 1, String(swatches));
    for (const one of swatches)
      assert.equal(one, `${one.split(' ')[0]} ${patterns[one.split(' ')[0]]}`);
    const inked = await page.evaluate(() => {
      const {app, view: v} = window.neap,
        counts = {};
      for (let r = 0; r < app.m.rectCount; r++) {
        const i = app.m.rectBuffer[r],
          {width} = app.stage.rects,
          pixels = app.stage.pixels;
        const x = Math.round(view.xOf(v, app.m.rectStart[r]) - v.left) + 4,
          y = Math.round(view.yOf(v, app.m.end[i]) - v.top) + 4;
        let shades = 0;
        for (let down = 0; down < 8; down++)
          for (let across = 0; across < 8; across++)
            if (pixels[(y + down) * width + x + across] === app.paint.shade[r]) shades++;
        counts[model.RISKS[app.m.risk[i]]] = shades;
      }
      return counts;
    });
    const shades = {none: 0, low: 4, medium: 8};
    for (const [risk, count] of Object.entries(inked))
      if (risk in shades) assert.equal(count, shades[risk], risk);
      else assert.ok(count > 8, `${risk}: ${count}`);
    assert.ok(Object.keys(inked).length > 1);
  }),
);

// ------------------------------------------------------------ the critical stack

await check('the critical stack is outlined, or the rest fades; nothing is tinted', async () => {
  for (const scheme of ['light', 'dark'])
    await visit(
      'many',
      async (page) => {
        assert.equal(await page.evaluate('neap.app.critical'), 'fade', 'its buffers are tiny');
        const before = await page.evaluate('neap.app.paint.face.slice()');
        await page.evaluate(`neap.app.setCritical('outline')`);
        await settle(page);
        const clear = await page.evaluate(() => {
          const {over} = window.neap.app.stage,
            {data} = over.getContext('2d').getImageData(0, 0, over.width, over.height);
          let count = 0;
          for (let k = 3; k < data.length; k += 4) if (data[k] === 0) count++;
          return count / (data.length / 4);
        });
        assert.ok(clear > 0.9, `${(100 * (1 - clear)).toFixed(1)} % is drawn over`);
        const after = await page.evaluate('neap.app.paint.face.slice()');
        assert.notDeepEqual(before, after);
        await page.screenshot({path: join(build, `critical-${scheme}.png`)});
      },
      {scheme},
    );
  await visit('nine', async (page) => {
    assert.equal(await page.evaluate('neap.app.critical'), 'outline');
    await page.locator('#stage').focus();
    for (const how of ['fade', 'off', 'outline']) {
      await page.keyboard.press('c');
      assert.equal(await page.locator('#critical').inputValue(), how);
      assert.equal((await legend(page)).includes('critical stack'), how === 'outline');
    }
    await page.locator('#critical').selectOption('fade');
    const faded = await page.evaluate(() => {
      const {app} = window.neap,
        {seen} = supports.critical(app.m);
      return [...Array(app.m.count).keys()].filter((i) => app.paint.fades(i) !== !seen[i]);
    });
    assert.deepEqual(faded, []);
  });
});

// ------------------------------------------------------------ collisions

// Every overlap of two lifetimes, in the slow and obvious way.
function collisionsOf(plan) {
  const list = [];
  plan.buffers.forEach((a, i) =>
    plan.buffers.forEach((b, j) => {
      if (j <= i || Math.max(a.offset, b.offset) >= Math.min(a.offset + a.size, b.offset + b.size))
        return;
      for (const [from, to] of a.lifetimes)
        for (const [start, end] of b.lifetimes)
          if (Math.max(from, start) < Math.min(to, end))
            list.push(`${i} ${j} ${Math.max(from, start)} ${Math.min(to, end)}`);
    }),
  );
  return list;
}

// Random plans, half of them sound: what sweeps find, and what looking at all pairs does.
await check('sweeps find the collisions and the padding that all pairs have', () =>
  visit('nine', async (page) => {
    const wrong = await page.evaluate(async () => {
      let seed = 7;
      const roll = (n) => (seed = (seed * 16807) % 2147483647) % n;
      for (let round = 0; round < 200; round++) {
        const list = Array.from({length: 1 + roll(40)}, (_, k) => {
          const start = roll(30);
          return {
            name: `b${k}`,
            size: roll(12),
            lifetimes: [[start, start + 1 + roll(9)], [start + 12, start + 13 + roll(4)]].slice(roll(2)),
            alignment: 4 ** roll(3),
            offset: round % 2 ? roll(60) : 20 * k + roll(8),
          };
        });
        const m = await model.readFile(
          JSON.stringify({format: 'neap-plan', buffers: list}), 'random');
        const meet = (a, b) =>
          a.lifetimes.flatMap(([s, e]) => b.lifetimes.filter(([t, f]) => s < f && t < e)).length;
        let total = 0;
        const padding = list.map((a, i) => {
          let below = 0;
          for (const [j, b] of list.entries()) {
            if (i === j || a.size === 0 || b.size === 0 || !meet(a, b)) continue;
            if (b.offset + b.size <= a.offset) below = Math.max(below, b.offset + b.size);
            else if (i < j && b.offset < a.offset + a.size) total += meet(a, b);
          }
          return a.size > 0 && a.offset - below < a.alignment ? a.offset - below : 0;
        });
        if (collisions.of(m).total !== total || collisions.of(m).list.length !== total)
          return `${collisions.of(m).total} collisions instead of ${total}, round ${round}`;
        if (String(quantities.padding(m)) !== String(padding)) return `padding in round ${round}`;
      }
      return '';
    });
    assert.equal(wrong, '');
  }),
);

await check('collisions are found, listed and marked', () =>
  visit('clashes', async (page) => {
    const wanted = collisionsOf(planOf('clashes'));
    assert.ok(wanted.length > 50);
    const {list, total} = await page.evaluate('collisions.of(neap.app.m)');
    assert.equal(total, wanted.length);
    assert.deepEqual(
      list.map(({first, second, start, end}) => `${first} ${second} ${start} ${end}`),
      wanted,
    );
    assert.equal(await page.locator('#tab-collisions').isVisible(), true);
    await page.locator('#tab-collisions').click();
    assert.equal(await page.locator('#page-collisions .count').innerText(), String(wanted.length));
    const boxes = await page.evaluate(() =>
      collisions
        .of(window.neap.app.m)
        .list.map(({start, end, low, high}) => [
          Math.round(view.xOf(window.neap.view, (start + end) / 2)) - 6,
          Math.round(view.yOf(window.neap.view, (low + high) / 2)) - 6,
          13,
          13,
        ]),
    );
    const red = await countPixels(page, await look(page, 'bad'), boxes);
    assert.deepEqual(
      red.filter((count) => count < 4),
      [],
    );
    await page.screenshot({path: join(build, 'clashes.png')});
  }),
);

await check('an unsound plan has neither a gap nor a status', () =>
  visit('broken', async (page) => {
    assert.equal(await page.locator('#fault').textContent(), 'Unsound: 1 collision: a"><b> and b');
    const words = await figures(page);
    assert.match(words, /Status unsound: 1 collision/);
    assert.doesNotMatch(words, /Gap|optimal|feasible/);
    assert.match(await page.title(), /: 2 buffers, unsound$/);
    assert.ok((await legend(page)).includes('collision'));
    assert.equal(await page.locator('#critical').isVisible(), false);
    await page.evaluate('neap.app.select(1)');
    await page.evaluate(`panel.open('tensor')`);
    assert.match(await page.locator('#page-tensor').innerText(), /Collides with\s+1\s+a"><b>/);
  }),
);

await check('a plan from a file is verified', () =>
  visit('nine', async (page) => {
    await page.locator('#compare-file').setInputFiles(join(pages, 'broken.json'));
    await until(page, `!document.getElementById('fault').hidden`);
    assert.match(
      await page.locator('#fault').textContent(),
      /^The other plan is unsound: 1 collision: /,
    );
    await page.locator('#mode-one').click();
    await page.locator('#sides button').nth(1).click();
    assert.match(await figures(page), /unsound: 1 collision/);
    await page.locator('#sides button').nth(0).click();
    assert.match(await figures(page), /Gap/);
    assert.equal(await page.locator('#tab-collisions').isVisible(), false);
  }),
);
