// SPDX-License-Identifier: GPL-3.0-or-later
// Operators: their labels below the layout, what each reads, makes and frees, and the links to buffers.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {shortNames, build, check, details, middleOf, openStrips, planOf, selected, settle, visit} from './browser.mjs';

const titleOf = ({type, name}) => [type, name].filter(Boolean).join(' ');
const freedBy = (plan, k) =>
  plan.buffers.filter(({lifetimes}) => lifetimes[lifetimes.length - 1][1] === k + 1);

// The middle of operator k in the strip that names operators, in pixels of the window.
async function cellOf(page, k) {
  await openStrips(page);
  const strip = page.locator('#first canvas.ops');
  await strip.scrollIntoViewIfNeeded();
  const box = await strip.boundingBox(),
    x = await page.evaluate((n) => {
      const v = window.neap.view;
      return v.left + ((n + 0.5 - v.x0) / (v.x1 - v.x0)) * v.across;
    }, k);
  return {x: box.x + x, y: box.y + 5};
}

// How many pixels of the outlines have a colour, or nearly: edges are smoothed.
const pixels = (page, name) =>
  page.evaluate((which) => {
    const canvas = document.getElementById('over'),
      copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
        willReadFrequently: true,
      });
    copy.drawImage(canvas, 0, 0);
    const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
    const number = parseInt(window.neap.app.look[which].slice(1), 16);
    let count = 0;
    const [r, g, b] = [number >> 16, (number >> 8) & 255, number & 255];
    for (let k = 0; k < data.length; k += 4) {
      const apart = Math.abs(data[k] - r) + Math.abs(data[k + 1] - g) + Math.abs(data[k + 2] - b);
      if (data[k + 3] > 100 && apart < 60) count++;
    }
    return count;
  }, name);

await check('the strip names operators, and no two labels touch', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    for (const zoom of [1, 3, 12]) {
      await page.evaluate((times) => {
        const {app} = window.neap,
          all = view.whole(app.m);
        view.go(app, {...all, x0: 20, x1: 20 + (all.x1 - all.x0) / times});
      }, zoom);
      await settle(page);
      const {list, angle} = await page.evaluate(() => {
        const scene = window.neap.app,
          c = document.querySelector('canvas.ops').getContext('2d');
        c.font = scene.look.small;
        const {list: found, angle: turned} = operators.labels(scene, 84);
        return {
          angle: turned,
          list: found.map((one) => ({...one, across: c.measureText(one.words).width})),
        };
      });
      assert.ok(list.length > 2, `${list.length} labels`);
      for (let k = 1; k < list.length; k++) {
        const apart = list[k].x - list[k - 1].x;
        if (angle) assert.ok(apart * Math.SQRT1_2 >= 11, `${apart} apart at an angle`);
        else
          assert.ok(
            apart >=
              (Math.min(list[k].across, list[k].room) +
                Math.min(list[k - 1].across, list[k - 1].room)) /
                2,
            `${apart} apart`,
          );
      }
      for (const {k, words} of list)
        assert.equal(words[0], plan.operators[k].type[0], `${words} is of operator ${k}`);
      if (!angle)
        assert.ok(
          list.some(({words, k}) => words === plan.operators[k].type),
          'in full where there is room',
        );
    }
    await page.screenshot({path: join(build, 'operators.png')});
  }),
);

await check('an operator under the pointer shows what it reads, makes and frees', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    const before = {};
    for (const name of ['carrier', 'taken', 'waste']) before[name] = await pixels(page, name);
    const k = plan.operators.findIndex(
      ({reads, makes}, n) => reads.length > 1 && makes.length > 1 && freedBy(plan, n).length > 1,
    );
    const {x, y} = await cellOf(page, k);
    await page.mouse.move(x, y);
    await settle(page);
    const card = await page.locator('#tip').innerText(),
      shown = await shortNames(page),
      op = plan.operators[k];
    assert.ok(card.includes(titleOf(op)), card);
    assert.match(card, /reads[^]*makes[^]*frees/);
    for (const name of [...op.reads.slice(0, 5), ...op.makes.slice(0, 5)])
      assert.ok(card.includes(shown[name]), `${name} in ${card}`);
    for (const {name} of freedBy(plan, k).slice(0, 2))
      assert.ok(card.includes(shown[name]), `${name} freed`);
    for (const name of ['carrier', 'taken', 'waste'])
      assert.ok((await pixels(page, name)) > before[name] + 10, `${name} is drawn`);
    await page.mouse.move(5, 5);
    await settle(page);
    for (const name of ['carrier', 'taken', 'waste'])
      assert.equal(await pixels(page, name), before[name], `${name} is gone`);
    const legend = await page.locator('#legend').innerText();
    assert.match(legend, /reads[^]*makes[^]*frees/);
  }),
);

await check('the strips of curves show the same card', () =>
  visit('tabled', async (page) => {
    const {x} = await cellOf(page, 12),
      {y} = await page.locator('#live').boundingBox();
    await page.mouse.move(x, y + 20);
    await settle(page);
    assert.ok(
      (await page.locator('#tip').innerText()).includes(titleOf(planOf('tabled').operators[12])),
    );
  }),
);

await check('a click pins an operator in the tab of the time, which links to buffers', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled'),
      shown = await shortNames(page),
      called = (list) => list.map((name) => shown[name]).sort();
    for (const k of [7, 20, 33]) {
      const {x, y} = await cellOf(page, k);
      await page.mouse.click(x, y);
      assert.ok(await page.locator('#page-time').isVisible());
      assert.equal(await page.evaluate('neap.app.cursor'), k);
      const lists = await page.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll('#page-time h3.deeds')].map((head) => {
            const box = head.nextElementSibling;
            const links = box?.matches('h3') ? [] : [...(box?.querySelectorAll('.link') ?? [])];
            return [
              head.textContent.match(/^[A-Z][a-z]+/)[0].slice(0, 5),
              links.map((one) => one.textContent),
            ];
          }),
        ),
      );
      const op = plan.operators[k];
      assert.deepEqual(lists.Reads.slice().sort(), called(op.reads));
      assert.deepEqual(lists.Makes.slice().sort(), called(op.makes));
      assert.deepEqual(lists.Frees.slice().sort(), called(freedBy(plan, k).map(({name}) => name)));
      assert.ok((await page.locator('#page-time').innerText()).includes(titleOf(op)));
    }
    const first = page.locator('#page-time h3.deeds + div .link').first(),
      name = await first.innerText();
    await first.click();
    assert.equal((await shortNames(page))[await selected(page)], name);
  }),
);

await check('a tensor names who makes and who reads it, its shape and its type', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    for (const i of [0, 50, 111]) {
      const b = plan.buffers[i];
      await page.evaluate((k) => window.neap.app.select(k), i);
      const words = await details(page),
        by = plan.operators.findIndex(({makes}) => makes.includes(b.name)),
        readers = plan.operators.flatMap((op, k) => (op.reads.includes(b.name) ? [k] : []));
      assert.match(words, new RegExp(`Shape\\s+${b.shape.join('x')}\\s`));
      assert.match(words, new RegExp(`Type\\s+${b.dtype}\\s`));
      const links = await page
        .locator('#page-tensor .pairs')
        .first()
        .locator('.link')
        .allInnerTexts();
      assert.deepEqual(
        links,
        [by, ...readers].map((k) => titleOf(plan.operators[k])),
      );
      await page.locator('#page-tensor .pairs .link').first().click();
      assert.equal(await page.evaluate('neap.app.cursor'), by);
    }
  }),
);

await check('the tooltip of a rectangle names its operator, its shape and its type', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled'),
      i = plan.buffers.findIndex(
        ({size, lifetimes}) => size > 120000 && lifetimes[0][1] - lifetimes[0][0] > 6,
      ),
      b = plan.buffers[i];
    const {x, y} = await middleOf(page, b);
    await page.mouse.move(x, y);
    await settle(page);
    const tip = await page.locator('#tip').innerText(),
      hovered = plan.buffers[await page.evaluate('neap.app.hover')];
    assert.ok(tip.includes(hovered.shape.join('x')) && tip.includes(hovered.dtype), tip);
    const maker = plan.operators.find(({makes}) => makes.includes(hovered.name));
    assert.ok(tip.includes(titleOf(maker)), tip);
  }),
);

await check('search finds operators, types and shapes', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    const search = page.locator('#search');
    await search.fill('node7');
    const found = page.locator('#found li');
    assert.ok(
      (await found.allInnerTexts()).some((row) => /node7/.test(row) && /operator/.test(row)),
    );
    await page.locator('#found li', {hasText: 'time 7'}).last().click();
    assert.equal(await page.evaluate('neap.app.cursor'), 7);
    for (const [words, keeps] of [
      ['1x3x', ({shape}) => (shape ?? []).join('x').includes('1x3x')],
      ['float16', ({dtype}) => dtype === 'float16'],
    ]) {
      await search.fill(words);
      await settle(page);
      const count = await page.evaluate('neap.app.matched.reduce((a, b) => a + b, 0)');
      assert.equal(count, plan.buffers.filter(keeps).length, words);
    }
  }),
);

await check('without operators there is no strip for them', () =>
  visit('nine', async (page) => {
    assert.ok(await page.locator('#first canvas.ops').isHidden());
    assert.doesNotMatch(await page.locator('#legend').innerText(), /frees/);
  }),
);

// ---------------------------------------------------------------- the order of operators, given and new, and what outputs share with inputs

await check('the graph shows which operators moved, and what for', () =>
  visit('ordered', async (page) => {
    await page.evaluate("panel.open('graph')");
    await settle(page);
    const rows = await page.locator('#page-graph [data-operator]').allInnerTexts(),
      moved = rows.filter((row) => /moved from/.test(row));
    assert.equal(rows.length, 5);
    assert.equal(moved.length, 1, String(rows));
    assert.match(moved[0], /left\/small[^]*moved from 3/);
    assert.match(
      await page.locator('#page-graph .note').innerText(),
      /^1 operator moved past others: bound 5.00 KiB in the given order, 2.75 KiB in this one; no order has a lower bound\.$/,
    );
  }),
);

await check('the operators that have not moved are as many as possible', async () => {
  await visit('ordered', async (page) => {
    const wrong = await page.evaluate(() => {
      const slow = (list) => {
        const longest = list.map(() => 1);
        list.forEach((value, k) => {
          for (let j = 0; j < k; j++)
            if (list[j] < value) longest[k] = Math.max(longest[k], longest[j] + 1);
        });
        return Math.max(...longest);
      };
      let seed = 7;
      const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
      for (let round = 0; round < 300; round++) {
        const list = Array.from({length: 1 + random(12)}, (_, k) => k);
        for (let k = list.length; k-- > 1;) {
          const j = random(k + 1);
          [list[k], list[j]] = [list[j], list[k]];
        }
        const places = [...graph.kept(list)].sort((a, b) => a - b);
        const ascends = places.every((k, n) => n === 0 || list[places[n - 1]] < list[k]);
        if (!ascends || places.length !== slow(list)) return String(list);
      }
      return '';
    });
    assert.equal(wrong, '');
  });
});

await check('overlaps are in the legend, and the bound is that of the plan', async () => {
  await visit('ordered', async (page) => {
    const names = await page.locator('#legend li').allInnerTexts();
    assert.ok(names.includes('shared bytes'), String(names));
    await page.click('#tab-peak');
    const peak = await page.locator('#page-peak').innerText();
    assert.match(peak, /Bound\s+2\.75 KiB/);
    assert.match(peak, /Reached at/); // shared bytes count once
  });
});

// ---------------------------------------------------------------- pools, reserved bytes and relations

// How many pixels around a buffer have about the colour of related buffers.
const outlined = (page, name) =>
  page.evaluate((name) => {
    const {m, look} = neap.app,
      {view: v} = neap,
      canvas = document.getElementById('over'),
      i = model.find(m, name),
      across = (t) => v.left + ((t - v.x0) / (v.x1 - v.x0)) * v.across,
      down = (o) => v.top + (1 - (o - v.y0) / (v.y1 - v.y0)) * v.down,
      left = Math.floor(across(m.first[i])) - 2,
      top = Math.floor(down(m.end[i])) - 2,
      {data} = canvas
        .getContext('2d')
        .getImageData(left, top, across(m.last[i]) + 3 - left, down(m.offset[i]) + 3 - top);
    const wanted = [1, 3, 5].map((k) => parseInt(look.shared.slice(k, k + 2), 16));
    let found = 0;
    for (let k = 0; k < data.length; k += 4)
      if (wanted.every((part, n) => Math.abs(part - data[k + n]) < 24) && data[k + 3] > 200) found++;
    return found;
  }, name);

// The legend follows the next frame.
const legend = async (page) => {
  await settle(page);
  return page.locator('#legend li').allInnerTexts();
};

await check('pools are above one another, with their free bytes', async () => {
  await visit('related', async (page) => {
    const pools = await page.evaluate('neap.app.m.pools.map(({name, low}) => [name, low])');
    assert.deepEqual(
      pools.map(([name]) => name),
      ['sram', 'dram'],
    );
    assert.ok(pools[0][1] > 2048 && pools[1][1] === 0, String(pools));
    assert.equal(await page.evaluate('signs.freeOf(neap.app.m.pools[0])'), '832 B free');
  });
});

await check('the legend names reserved and shared bytes, and only where there are any', async () => {
  await visit('related', async (page) => {
    const names = await legend(page);
    for (const name of ['reserved bytes', 'shared bytes', 'capacity'])
      assert.ok(names.includes(name), `${name} is in ${names}`);
  });
  await visit('nine', async (page) => {
    const names = await legend(page);
    assert.ok(!names.some((name) => /related|reserved|shared/.test(name)), String(names));
  });
});

await check('the panel lists the relations of a tensor, and its partners are outlined', async () => {
  await visit('related', async (page) => {
    await page.evaluate("neap.app.select(model.find(neap.app.m, 'ping'), {open: true})");
    await settle(page);
    const details = await page.locator('#page-tensor').innerText();
    assert.match(details, /separated from\s*pong/);
    assert.match(details, /Pool\s+sram/);
    assert.ok((await outlined(page, 'pong')) > 50, 'the partner is outlined');
  });
});

await check('a broken separation and a broken overlap are collisions', async () => {
  await visit('torn', async (page) => {
    const list = await page.locator('#page-collisions li.clash').allTextContents();
    assert.equal(list.length, 2, String(list));
    assert.match(await page.locator('#fault').innerText(), /ping and pong/);
  });
});
