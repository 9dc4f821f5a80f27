// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of buffers: those alive at the bound or at the cursor, and all buffers.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {
  shortNames,
  build,
  check,
  visit,
  until,
  settle,
  planOf,
  livesAt,
  selected,
  middleOf,
} from './browser.mjs';

const sum = (list) => list.reduce((bytes, {size}) => bytes + size, 0);
const liveAt = (plan, t) => sum(plan.buffers.filter((b) => livesAt(b, t)));
const timesOf = (plan) =>
  [...new Set(plan.buffers.flatMap((b) => b.lifetimes.flat()))].sort((a, b) => a - b);
const boundOf = (plan) => Math.max(...timesOf(plan).map((t) => liveAt(plan, t)));
const shapeOf = (b) => (b.shape ?? []).join('x');

// The rows that a table copies, as objects.
async function copied(page, tab) {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: {writeText: async (words) => (window.copied = words)},
      configurable: true,
    });
    window.copied = null;
  });
  await page.locator(`#page-${tab} button`, {hasText: 'TSV'}).click();
  await until(page, 'window.copied !== null');
  const [head, ...lines] = (await page.evaluate('window.copied')).trimEnd().split('\n'),
    keys = head.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((v, k) => [keys[k], v])));
}

const names = async (page, tab) => (await copied(page, tab)).map(({name}) => name);
const totals = (page, tab) => page.locator(`#page-${tab} .totals`).innerText();
const caption = (page, tab, name) =>
  page.locator(`#page-${tab} [role="columnheader"] button`, {hasText: name});

// ------------------------------------------------------------ at the bound

await check('the page opens on what is alive at the bound', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled'),
      bound = boundOf(plan),
      peak = Math.max(...plan.buffers.map(({offset, size}) => offset + size));
    const moments = timesOf(plan).filter((t) => liveAt(plan, t) === bound);
    assert.equal(moments.length, 2);
    assert.equal(await page.locator('#tab-peak').getAttribute('aria-selected'), 'true');
    const choice = page.locator('#peak-head select');
    assert.equal(await choice.locator('option').count(), 2);
    for (const [k, t] of moments.entries()) {
      await choice.selectOption(String(k));
      const rows = await copied(page, 'peak'),
        alive = plan.buffers.filter((b) => livesAt(b, t));
      assert.equal(rows.length, alive.length);
      assert.equal(
        rows.reduce((bytes, {size}) => bytes + Number(size), 0),
        bound,
      );
      for (let n = 1; n < rows.length; n++)
        assert.ok(Number(rows[n - 1].size) >= Number(rows[n].size), 'the largest first');
      for (const row of rows) {
        const b = alive.find(({name}) => name === row.name);
        const maker = plan.operators.find(({makes}) => makes.includes(b.name));
        assert.equal(Number(row.size), b.size);
        assert.equal(Number(row.offset), b.offset);
        assert.equal(row.shape, shapeOf(b));
        assert.equal(row.dtype, b.dtype);
        assert.equal(
          row.operator,
          maker ? [maker.type, maker.name].filter(Boolean).join(' ') : b.hint,
        );
        assert.ok(Math.abs(Number(row.share_percent) - (100 * b.size) / peak) < 0.001);
      }
      assert.match(await totals(page, 'peak'), new RegExp(`^${rows.length} buffers, `));
    }
    await page.screenshot({path: join(build, 'peak.png')});
  }),
);

await check('the bound without each buffer is that of the plan without it', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    const slow = plan.buffers.map((b) =>
      boundOf({buffers: plan.buffers.filter((other) => other !== b)}),
    );
    const shown = await page.evaluate(() =>
      Array.from({length: window.neap.app.m.count}, (_, i) => profile.boundWithout(window.neap.app.m, i)),
    );
    assert.deepEqual(shown, slow);
    assert.ok(new Set(slow).size > 1, 'some matter');
    for (const row of await copied(page, 'peak'))
      assert.equal(
        Number(row.bound_drops_by),
        boundOf(plan) - slow[plan.buffers.findIndex(({name}) => name === row.name)],
      );
  }),
);

await check('each pool has its own bound', () =>
  visit('related', async (page) => {
    const plan = planOf('related');
    const pools = page.locator('#peak-head select').first();
    for (const [k, {name}] of plan.pools.entries()) {
      await pools.selectOption(String(k));
      const mine = {buffers: plan.buffers.filter(({pool}) => pool === name)},
        rows = await copied(page, 'peak');
      assert.ok(rows.length > 0 && rows.every((row) => row.pool === name), name);
      const shown = rows.map((row) => row.name).sort();
      const sets = timesOf(mine).map((t) =>
        mine.buffers
          .filter((b) => livesAt(b, t))
          .map((b) => b.name)
          .sort(),
      );
      assert.ok(
        sets.some((set) => String(set) === String(shown)),
        String(shown),
      );
    }
  }),
);

await check('the table follows the time cursor, and goes back to the bound', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled'),
      atBound = await names(page, 'peak');
    await page.getByRole('button', {name: 'Alive at the cursor'}).click();
    assert.deepEqual(await names(page, 'peak'), atBound, 'the cursor is set to the bound');
    for (const t of [3, 17, 40]) {
      await page.evaluate((moment) => window.neap.app.setCursor(moment, {open: true}), t);
      const expected = plan.buffers.filter((b) => livesAt(b, t)).map(({name}) => name);
      assert.deepEqual((await names(page, 'peak')).sort(), expected.sort());
      assert.ok(await page.locator('#page-peak').isVisible(), 'the tab stays');
    }
    await page.getByRole('button', {name: 'Alive at the bound'}).click();
    assert.deepEqual(await names(page, 'peak'), atBound);
  }),
);

// ------------------------------------------------------------ sorted, filtered, grouped

await check('every column sorts, both ways', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    await page.setViewportSize({width: 2400, height: 800}); // wide enough for captions
    await page.click('#tab-buffers');
    const value = {
      Size: ({size}) => Number(size),
      Share: ({size}) => Number(size),
      Offset: ({offset}) => Number(offset),
      'Bound drops by': ({bound_drops_by: bytes}) => Number(bytes),
      Duration: ({duration}) => Number(duration),
      '#': ({number}) => Number(number),
    };
    for (const [name, of] of Object.entries(value)) {
      for (const way of ['one', 'other']) {
        await caption(page, 'buffers', name).click();
        const rows = await copied(page, 'buffers'),
          header = page.locator('#page-buffers [role="columnheader"]', {hasText: name});
        const sign = (await header.getAttribute('aria-sort')) === 'descending' ? -1 : 1;
        assert.equal(rows.length, plan.buffers.length);
        for (let k = 1; k < rows.length; k++)
          assert.ok(sign * (of(rows[k]) - of(rows[k - 1])) >= 0, `${name}, ${way} way, row ${k}`);
      }
    }
    const collator = new Intl.Collator('en', {numeric: true});
    const shown = await shortNames(page);
    const texts = {Name: 'name', Operator: 'operator', Shape: 'shape', Type: 'dtype'};
    for (const [name, key] of Object.entries(texts)) {
      await page
        .locator(`#page-buffers [role="columnheader"] button:text-matches("^${name}")`)
        .click();
      const list = (await copied(page, 'buffers')).map((row) => shown[row[key]] ?? row[key]);
      for (let k = 1; k < list.length; k++)
        assert.ok(collator.compare(list[k - 1], list[k]) <= 0, `${list[k - 1]} before ${list[k]}`);
    }
    assert.equal(
      await page.locator('#page-buffers [aria-sort="ascending"]').count(),
      1,
      'one column says that it is sorted',
    );
  }),
);

await check('numbers and texts are sorted like in a slow way', () =>
  visit('nine', async (page) => {
    const wrong = await page.evaluate(() => {
      let seed = 5;
      const roll = (n) => (seed = (seed * 16807) % 2147483647) % n;
      const letters = 'abAB019/_\u00e9\uffff';
      for (let round = 0; round < 120; round++) {
        const keys = Float64Array.from(
          {length: round % 40 === 0 ? 5000 : roll(200)},
          () => [roll(10), roll(1e9) * 1e5, -roll(5), roll(7) / 3, 0][roll(5)],
        );
        for (const down of [false, true]) {
          const slow = [...keys.keys()].sort(
            (a, b) => (down ? keys[b] - keys[a] : keys[a] - keys[b]) || a - b,
          );
          if (String(sort.by(keys, {down})) !== String(slow)) return `numbers ${keys}`;
        }
        const texts = Array.from({length: round % 40 === 0 ? 9000 : roll(300)}, () =>
            Array.from({length: roll(9)}, () => letters[roll(letters.length)]).join(''),
          ),
          ranks = sort.ranks(texts);
        for (let k = 0; k < 500 && texts.length > 0; k++) {
          const [a, b] = [roll(texts.length), roll(texts.length)],
            [x, y] = [sort.natural(texts[a]), sort.natural(texts[b])];
          if (Math.sign(ranks[a] - ranks[b]) !== (x < y ? -1 : x > y ? 1 : 0))
            return `texts ${texts[a]} ${texts[b]}`;
        }
      }
      return '';
    });
    assert.equal(wrong, '');
  }),
);

await check('filters and their totals', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    await page.click('#tab-buffers');
    const filter = page.locator('#page-buffers input[type="search"]'),
      least = page.locator('#page-buffers .least');
    const makerOf = (b) => {
      const maker = plan.operators.find(({makes}) => makes.includes(b.name));
      return maker ? `${maker.type} ${maker.name ?? ''}` : b.hint;
    };
    const cases = [
      ['block3/', '', (b) => b.name.includes('block3/')],
      ['conv_2d', '', (b) => makerOf(b).includes('CONV_2D')],
      ['node7', '', (b) => `${b.name} ${makerOf(b)}`.includes('node7')],
      ['FLOAT16 add', '', (b) => b.dtype === 'float16' && makerOf(b).startsWith('ADD')],
      ['1x3x', '', (b) => shapeOf(b).includes('1x3x')],
      ['', '64K', (b) => b.size >= 65536],
      ['int8', '100 KiB', (b) => b.dtype === 'int8' && b.size >= 102400],
      ['none has this', '', () => false],
    ];
    for (const [words, bytes, keeps] of cases) {
      await filter.fill(words);
      await least.fill(bytes);
      await settle(page);
      const kept = plan.buffers.filter(keeps);
      assert.deepEqual(
        (await names(page, 'buffers')).sort(),
        kept.map(({name}) => name).sort(),
        `${words} ${bytes}`,
      );
      const line = await totals(page, 'buffers');
      assert.ok(line.startsWith(`${kept.length} of 241 buffers, `), line);
      const shown = await page.evaluate((n) => text.amount(n), sum(kept));
      assert.ok(line.includes(`, ${shown} of `), `${shown} in ${line}`);
    }
    await least.fill('much');
    await page.locator('#page-buffers .least[aria-invalid="true"]').waitFor();
  }),
);

await check('sizes in a filter have units', () =>
  visit('nine', async (page) => {
    const list = ['', '640', '1K', '1.5 MiB', '2g', '3kb', 'x', '1 2'];
    assert.deepEqual(await page.evaluate((all) => all.map((words) => table.bytesOf(words)), list), [
      0,
      640,
      1024,
      1572864,
      2147483648,
      3072,
      null,
      null,
    ]);
  }),
);

await check('groups have subtotals, the largest first, and close', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    await page.click('#tab-buffers');
    await page.locator('#page-buffers .table-tools select').first().selectOption('dtype');
    const weights = ['int8', 'float16']
      .map((dtype) => ({dtype, list: plan.buffers.filter((b) => b.dtype === dtype)}))
      .sort((a, b) => sum(b.list) - sum(a.list));
    const heading = page.locator('#page-buffers [role="row"].group');
    await heading.first().click();
    const lines = await heading.allInnerTexts();
    assert.equal(lines.length, 2, 'the other heading is in view when the first group is closed');
    for (const [k, {dtype, list}] of weights.entries()) {
      const bytes = await page.evaluate((n) => text.amount(n), sum(list));
      assert.ok(lines[k].includes(dtype), lines[k]);
      assert.ok(lines[k].includes(`${list.length} buffers`), lines[k]);
      assert.ok(lines[k].includes(bytes), lines[k]);
    }
    assert.equal(await heading.first().getAttribute('aria-expanded'), 'false');
    const grid = page.locator('#page-buffers [role="grid"]');
    assert.equal(await grid.getAttribute('aria-rowcount'), String(1 + 2 + weights[1].list.length));
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.equal(await grid.getAttribute('aria-rowcount'), String(1 + 2 + 241));
  }),
);

// ------------------------------------------------------------ links, keys

await check('rows and rectangles are linked both ways', () =>
  visit('nine', async (page) => {
    const plan = planOf('nine');
    await page.click('#tab-buffers');
    const row = page.locator('#page-buffers [data-buffer="4"]');
    await row.hover();
    assert.equal(await page.evaluate('neap.app.hover'), 4);
    await row.click();
    assert.equal(await selected(page), plan.buffers[4].name);
    assert.equal(await row.getAttribute('aria-selected'), 'true');
    const {x, y} = await middleOf(page, plan.buffers[0]);
    await page.mouse.click(x, y);
    await settle(page);
    assert.equal(await selected(page), plan.buffers[0].name);
    assert.ok(await page.locator('#page-tensor').isVisible(), 'the drawing opens what it rests on');
    await page.click('#tab-buffers');
    assert.equal(
      await page.locator('#page-buffers [aria-selected="true"]').getAttribute('data-buffer'),
      '0',
    );
    await page.locator('#page-buffers [data-buffer="0"]').click();
    assert.ok(await page.locator('#page-tensor').isVisible(), 'a second click opens the details');
  }),
);

await check('the most important columns are in view, and the others scroll into it', async () => {
  // The names of the columns that are wholly in view.
  const shown = (page) =>
    page.evaluate(() => {
      const grid = document.querySelector('#page-buffers .grid').getBoundingClientRect();
      return [...document.querySelectorAll('#page-buffers [role=columnheader]')]
        .filter((node) => node.getBoundingClientRect().right <= grid.right + 1)
        .map((node) => node.innerText.replace(/[▲▼\s]+$/, ''));
    });
  for (const [across, columns] of [
    [605, 'Name # Size Offset Lifetime'],
    [806, 'Name # Size Offset Lifetime Operator Shape'],
  ])
    await visit(
      'tabled',
      async (page) => {
        await page.click('#tab-buffers');
        await settle(page);
        assert.deepEqual((await shown(page)).slice(0, columns.split(' ').length), columns.split(' '));
        const places = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('#page-buffers .lines > [role=row]:first-child > *')].map(
              (node) => Math.round(node.getBoundingClientRect().left),
            ),
          );
        const before = await places();
        await page.locator('#page-buffers .grid').evaluate((grid) => grid.scrollBy({left: 200}));
        await settle(page);
        const after = await places();
        assert.deepEqual(after.slice(0, 3), before.slice(0, 3), 'name, number and size stay');
        assert.ok(after[3] < before[3], 'the others move');
      },
      {across: 1920, down: 900, hash: `#panel=${across}`},
    );
});

await check('a selected buffer is scrolled into view', () =>
  visit('tabled', async (page) => {
    await page.click('#tab-buffers');
    for (const i of [200, 3, 120]) {
      await page.evaluate((buffer) => window.neap.app.select(buffer, {show: true}), i);
      await settle(page);
      const row = page.locator(`#page-buffers [data-buffer="${i}"]`),
        grid = await page.locator('#page-buffers [role="grid"]').boundingBox(),
        box = await row.boundingBox();
      assert.ok(box.y >= grid.y && box.y + box.height <= grid.y + grid.height + 1, `row of ${i}`);
    }
  }),
);

await check('keys move through a table', () =>
  visit('tabled', async (page) => {
    const plan = planOf('tabled');
    await page.click('#tab-buffers');
    const grid = page.locator('#page-buffers [role="grid"]');
    await grid.focus();
    const active = async () => {
      const id = await grid.getAttribute('aria-activedescendant');
      const row = page.locator(`#${id}`),
        outer = await grid.boundingBox(),
        box = await row.boundingBox();
      assert.ok(box.y >= outer.y && box.y + box.height <= outer.y + outer.height + 1, 'in view');
      return Number(await row.getAttribute('aria-rowindex'));
    };
    const count = plan.buffers.length;
    let at = 2;
    for (const [key, to] of [
      ['Home', () => 2],
      ['ArrowDown', () => at + 1],
      ['ArrowDown', () => at + 1],
      ['ArrowUp', () => at - 1],
      ['End', () => count + 1],
      ['ArrowDown', () => count + 1],
      ['Home', () => 2],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await active(), to(), key);
      at = to();
    }
    await page.keyboard.press('PageDown');
    const below = await active();
    assert.ok(below > 6, `${below}`);
    await page.keyboard.press('PageUp');
    assert.equal(await active(), 2);
    await page.keyboard.press('ArrowDown');
    const rows = await names(page, 'buffers');
    await grid.focus();
    await page.keyboard.press('Enter');
    assert.equal(await selected(page), rows[1]);
  }),
);

// ------------------------------------------------------------ sizes

await check('100,000 rows open, sort and filter, and few of them have nodes', () =>
  visit('many', async (page) => {
    const plan = planOf('many');
    await page.setViewportSize({width: 2400, height: 800});
    await page.click('#tab-buffers');
    const grid = page.locator('#page-buffers [role="grid"]'),
      rows = page.locator('#page-buffers .lines > [role="row"]');
    assert.equal(await grid.getAttribute('aria-rowcount'), '100001');
    assert.ok((await rows.count()) < 80);
    const last = (list) => list[list.length - 1].name;
    const bySize = plan.buffers
      .map((b, k) => ({...b, k}))
      .sort((a, b) => b.size - a.size || a.k - b.k);
    await grid.focus();
    await page.keyboard.press('End');
    await settle(page);
    assert.equal((await rows.last().locator('.name').innerText()).trim(), last(bySize));
    assert.equal(await rows.last().getAttribute('aria-rowindex'), '100001');
    await caption(page, 'buffers', 'Offset').click();
    const shown = await names(page, 'buffers');
    assert.equal(shown.length, 100000);
    const byOffset = plan.buffers
      .map((b, k) => ({...b, k}))
      .sort((a, b) => a.offset - b.offset || a.k - b.k);
    assert.deepEqual(
      shown,
      byOffset.map(({name}) => name),
    );
    await page.locator('#page-buffers input[type="search"]').fill('77');
    await until(
      page,
      `document.querySelector('#page-buffers .totals').textContent.includes(' of ')`,
      60000,
    );
    const kept = plan.buffers.filter(({name}) => name.includes('77'));
    assert.ok(
      (await totals(page, 'buffers')).startsWith(
        `${String(kept.length).replace(/\B(?=(\d{3})+$)/g, ',')} of 100,000 buffers`,
      ),
    );
    assert.ok((await rows.count()) < 80);
  }),
);

await check('the state of a table is in the address', () =>
  visit(
    'tabled',
    async (page) => {
      assert.ok(await page.locator('#page-buffers').isVisible());
      const rows = await copied(page, 'buffers'),
        expected = planOf('tabled')
          .buffers.filter(({name, size}) => name.includes('block3/') && size >= 8192)
          .map(({name}) => name)
          .sort(new Intl.Collator('en', {numeric: true}).compare);
      assert.deepEqual(
        rows.map(({name}) => name),
        expected,
      );
      assert.ok((await page.locator('#page-buffers .group').count()) > 0);
      const across = (await page.locator('.panel').boundingBox()).width;
      assert.equal(Math.round(across), 420);
    },
    {
      hash: '#buffers-sort=name&buffers-filter=block3/&buffers-min=8K&buffers-group=dtype&panel=420&tab=buffers',
    },
  ),
);

await check('the panel is resized by keys and by dragging', () =>
  visit('nine', async (page) => {
    const across = async () => (await page.locator('.panel').boundingBox()).width,
      before = await across(),
      bar = page.locator('#divider');
    await bar.focus();
    await page.keyboard.press('ArrowLeft');
    assert.ok((await across()) > before);
    assert.equal(Number(await bar.getAttribute('aria-valuenow')), Math.round(await across()));
    const {x, y, height} = await bar.boundingBox();
    await page.mouse.move(x + 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 103, y + height / 2, {steps: 4});
    await page.mouse.up();
    assert.ok((await across()) < before);
    await page.keyboard.press('Enter');
    assert.equal(await across(), before);
  }),
);

await check('a phone shows two lines for each buffer, and none too wide', () =>
  visit(
    'tabled',
    async (page) => {
      const row = page.locator('#page-peak .lines > [role="row"]').first();
      await row.scrollIntoViewIfNeeded();
      const {width, height} = await row.boundingBox();
      assert.ok(width <= 390 && height >= 40, `${width} x ${height}`);
      assert.match(await row.locator('.rest').innerText(), /int8|float16/);
      assert.ok(await page.locator('#page-peak select.sorts').isVisible());
      await page.locator('#page-peak select.sorts').selectOption('name');
      const shown = await shortNames(page),
        list = (await names(page, 'peak')).map((name) => shown[name]);
      assert.deepEqual(list, list.slice().sort(new Intl.Collator('en', {numeric: true}).compare));
      assert.ok(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        'nothing is cut off',
      );
      await page.screenshot({path: join(build, 'peak-phone.png')});
    },
    {across: 390, down: 844},
  ),
);

// The clipped parts of the open table: numbers, the second lines of a narrow table, and tabs; and the buttons
// that lie over rows.
const cutIn = (page) =>
  page.evaluate(() => {
    const section = document.querySelector('.panel section:not([hidden])'),
      panel = document.querySelector('.panel').getBoundingClientRect(),
      grid = section.querySelector('.grid').getBoundingClientRect(),
      place = (node) => node.getBoundingClientRect(),
      found = [];
    for (const node of section.querySelectorAll('.lines .number, .lines .rest, .lines .group span'))
      if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline')
        found.push(`cut: ${node.textContent}`);
    for (const node of section.querySelectorAll('.captions .number, .lines .number'))
      if (place(node).left < grid.right - 1 && place(node).right > grid.right + 1)
        found.push(`at the edge: ${node.textContent}`);
    for (const tab of document.querySelectorAll('.tabs button:not([hidden])'))
      if (place(tab).right > panel.right + 1 || tab.scrollWidth > tab.clientWidth + 1)
        found.push(`tab: ${tab.textContent}`);
    for (const button of section.querySelectorAll('button'))
      for (const row of section.querySelectorAll('.lines > [role="row"]')) {
        const [a, b] = [place(button), place(row)],
          bottom = Math.min(b.bottom, grid.bottom);
        if (a.height > 0 && !button.closest('.captions') && a.top < bottom - 1 && b.top < a.bottom - 1)
          found.push(`over a row: ${button.textContent}`);
      }
    return found;
  });

for (const [across, down] of [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [390, 844],
])
  await check(`at ${across} by ${down}, no number of a table and no tab is cut`, async () => {
    for (const name of ['tabled', 'large', 'groups', 'guide', 'few'])
      for (const hash of ['', '#exact=1', '#panel=700', '#buffers-group=name&panel=420'])
        await visit(
          name,
          async (page) => {
            for (const tab of ['peak', 'buffers']) {
              await page.evaluate((one) => panel.open(one), tab);
              await settle(page);
              assert.deepEqual(await cutIn(page), [], `${name}${hash}, ${tab}`);
            }
          },
          {across, down, hash},
        );
  });

// ------------------------------------------------------------ live bytes

for (const name of ['ordered', 'related'])
  await check(`${name}: bytes that buffers may share count once in the live curve`, () =>
    visit(name, async (page) => {
      const plan = planOf(name);
      const {times, live} = await page.evaluate(() => {
        const p = profile.of(window.neap.app.m);
        return {times: [...p.times], live: [...p.live]};
      });
      const from = (curve, t) => curve.bytes[curve.times.findLastIndex((time) => time <= t)] ?? 0;
      times.forEach((t, k) => {
        const bytes = new Set();
        for (const b of plan.buffers.filter((one) => livesAt(one, t)))
          for (let o = b.offset; o < b.offset + b.size; o++) bytes.add(`${b.pool ?? ''} ${o}`);
        assert.ok(live[k] <= bytes.size, `no layout needs fewer bytes at ${t}`);
        assert.equal(
          live[k],
          plan.live.reduce((sum, curve) => sum + from(curve, t), 0),
          `at ${t}`,
        );
      });
      const pools = plan.report.pools ?? [plan.report];
      plan.live.forEach((curve, k) => assert.equal(Math.max(...curve.bytes), pools[k].bound));
      const most = times[live.indexOf(Math.max(...live))];
      await page.evaluate((t) => window.neap.app.setCursor(t, {open: true}), most);
      await page.getByRole('tab', {name: 'Time'}).click();
      const words = await page.locator('#page-time .pairs').first().innerText();
      assert.match(words.replace(/[^\d\w\n ]/g, ''), new RegExp(`Live bytes[^H]*${Math.max(...live)} bytes`));
    }),
  );
