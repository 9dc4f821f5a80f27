// SPDX-License-Identifier: GPL-3.0-or-later
// page.test.mjs PAGES BUILD: opens the pages in headless Chromium and prints TAP.  What the page says is compared with what
// the plan says, worked out here in the slow and obvious way.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const [, , pages, build] = process.argv;
const {chromium} = createRequire(join(build, 'x.js'))('playwright-core');
const SLOWEST = 1000; // ms a frame: not a target, a sign that something hangs
let count = 0;

// ------------------------------------------------------------ TAP

async function check(name, act) {
  count++;
  try {
    await act();
    console.log(`ok ${count} - ${name}`);
  } catch (problem) {
    console.log(`not ok ${count} - ${name}`);
    console.log(String(problem.stack ?? problem).replace(/^/gm, '#   '));
  }
}

const skip = (name, why) => console.log(`ok ${++count} - ${name} # SKIP ${why}`);
const note = (words) => console.log(`# ${words}`);

// ------------------------------------------------------------ the browser

const browser = await chromium.launch({executablePath: process.env.NEAP_CHROMIUM, args: ['--no-sandbox', '--disable-gpu']});

// Calls act(page) with an open page; whatever goes to the console, or out to a network, is a fault.
async function visit(name, act, {scheme = 'light', motion = 'reduce', across = 1280, down = 800} = {}) {
  const context = await browser.newContext({viewport: {width: across, height: down}, colorScheme: scheme, reducedMotion: motion});
  const page = await context.newPage(), faults = [], own = pathToFileURL(join(pages, `${name}.html`)).href;
  page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (problem) => faults.push(`error: ${problem.stack}`));
  page.on('request', (request) => {
    if (request.url() !== own && !request.url().startsWith('data:')) faults.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  await page.goto(own);
  await until(page, 'window.neap?.ready', 60000);
  await settle(page);
  await act(page);
  await context.close();
  assert.deepEqual(faults, []);
}

// Asks again and again: the page's policy forbids what waitForFunction would do in it.
async function until(page, condition, patience = 10000) {
  const end = Date.now() + patience;
  while (!(await page.evaluate(condition))) {
    if (Date.now() > end) throw new Error(`in vain: ${condition}`);
    await page.waitForTimeout(20);
  }
}

// Two frames later, all that was asked for is drawn.
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const planOf = (name) => JSON.parse(readFileSync(join(pages, `${name}.json`), 'utf8'));
const said = (page) => page.locator('#page-tensor').innerText();
const selected = (page) => page.evaluate('neap.app.selected === null ? null : neap.app.m.names[neap.app.selected]');
const box = (page) => page.evaluate('({x0: neap.view.x0, x1: neap.view.x1, y0: neap.view.y0, y1: neap.view.y1})');
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

// The middle of a rectangle, in pixels of the window.
async function middleOf(page, buffer) {
  const stage = await page.locator('#stage').boundingBox(), v = await page.evaluate('({...neap.view})');
  const [start, end] = buffer.lifetimes[0];
  return {x: stage.x + v.left + (((start + end) / 2 - v.x0) / (v.x1 - v.x0)) * v.across,
    y: stage.y + v.top + (1 - (buffer.offset + buffer.size / 2 - v.y0) / (v.y1 - v.y0)) * v.down};
}

// ------------------------------------------------------------ what the plan says

const livesAt = (b, t) => b.lifetimes.some(([start, end]) => start <= t && t < end);

// Alive at t from the top, with the free bytes between.
function aliveAt(plan, t) {
  const rows = [];
  let reached = 0;
  for (const b of plan.buffers.filter((one) => livesAt(one, t)).sort((a, c) => a.offset - c.offset)) {
    if (b.offset > reached) rows.push(`free ${reached} ${b.offset}`);
    rows.push(`${b.name} ${b.offset} ${b.offset + b.size}`);
    reached = Math.max(reached, b.offset + b.size);
  }
  return rows.reverse();
}

const rowsShown = (page) => page.evaluate(() => [...document.querySelectorAll('#page-time .rows li')].map((row) => {
  const {m} = window.neap.app, low = Number(row.querySelector('.at').title.replaceAll(',', ''));
  const size = Number(row.querySelector('.bytes').title.replace(/[, a-z]/g, ''));
  return `${row.dataset.buffer === undefined ? 'free' : m.names[row.dataset.buffer]} ${low} ${low + size}`;
}));

// ------------------------------------------------------------ counts, drawing, frames

for (const [name, expected] of [['nine', 9], ['middle', null], ['somas', 18692], ['many', 100000]]) {
  if (!existsSync(join(pages, `${name}.html`))) {
    skip(`${name}: counts and frames`, 'its instance is not there');
    continue;
  }
  const plan = planOf(name), rectangles = plan.buffers.reduce((sum, b) => sum + b.lifetimes.length, 0);
  await check(`${name}: ${rectangles} rectangles are counted and drawn`, () => visit(name, async (page) => {
    if (expected) assert.equal(plan.buffers.length, expected);
    assert.equal(await page.evaluate('neap.app.m.rectCount'), rectangles);
    assert.equal(await page.evaluate('neap.app.inView'), rectangles);
    const figures = await page.locator('#figures').innerText();
    assert.match(figures, new RegExp(`Buffers\\s+${grouped(plan.buffers.length)}`));
    const inked = await page.evaluate('neap.app.stage.pixels.reduce((sum, pixel) => sum + (pixel !== 0 ? 1 : 0), 0)');
    assert.ok(inked > 1000, `${inked} pixels`);
    const whole = await page.evaluate('neap.time(20)');
    await page.evaluate(`neap.app.setColour('size')`);
    await page.mouse.move(600, 300);
    for (let k = 0; k < 8; k++) await page.mouse.wheel(0, -300);
    await settle(page);
    const near = await page.evaluate('neap.time(20)');
    note(`${name}: ${whole.toFixed(1)} ms a frame with all in view, ${near.toFixed(1)} ms near`);
    assert.ok(whole < SLOWEST && near < SLOWEST);
    assert.ok((await page.evaluate('neap.app.inView')) < rectangles || rectangles < 20);
    await page.screenshot({path: join(build, `${name}.png`)});
  }));
}

await check('bound, peak and sections are the plan’s', () => visit('nine', async (page) => {
  const plan = planOf('nine'), times = [...new Set(plan.buffers.flatMap((b) => b.lifetimes.flat()))].sort((a, b) => a - b);
  const live = times.map((t) => plan.buffers.filter((b) => livesAt(b, t)).reduce((sum, b) => sum + b.size, 0));
  const top = times.map((t) => Math.max(0, ...plan.buffers.filter((b) => livesAt(b, t)).map((b) => b.offset + b.size)));
  const shown = await page.evaluate(`(({times, live, top, free}) => ({times: [...times], live: [...live], top: [...top],
    free: [...free]}))(profile.of(neap.app.m))`);
  assert.deepEqual(shown, {times, live, top, free: top.map((end, k) => end - live[k])});
  assert.equal(await page.evaluate('neap.app.m.peak'), plan.report.peak);
}));

// ------------------------------------------------------------ moving

await check('wheel, drag, keys and buttons move the view', () => visit('nine', async (page) => {
  const all = await box(page), stage = await page.locator('#stage').boundingBox();
  const changes = async (what, act) => {
    const before = await box(page);
    await act();
    await settle(page);
    assert.notDeepEqual(await box(page), before, what);
  };
  await page.mouse.move(stage.x + 400, stage.y + 200);
  await changes('wheel', () => page.mouse.wheel(0, -500));
  const near = await box(page);
  assert.ok(near.x1 - near.x0 < all.x1 - all.x0 && near.y1 - near.y0 < all.y1 - all.y0);
  await changes('drag', async () => {
    await page.mouse.down();
    await page.mouse.move(stage.x + 500, stage.y + 260, {steps: 4});
    await page.mouse.up();
  });
  assert.equal(await selected(page), null, 'a drag selects nothing');
  await page.locator('#stage').focus();
  for (const key of ['+', 'ArrowLeft', 'ArrowUp', '-']) await changes(key, () => page.keyboard.press(key));
  await page.keyboard.press('0');
  await settle(page);
  assert.deepEqual(await box(page), all);
  await changes('button', () => page.locator('#zoom-in').click());
  await page.locator('#zoom-fit').click();
  assert.deepEqual(await box(page), all);
}));

await check('the view glides where motion is welcome', () => visit('nine', async (page) => {
  const all = await box(page);
  await page.locator('#stage').focus();
  await page.keyboard.press('+');
  await until(page, `Math.abs((neap.view.x1 - neap.view.x0) * 1.35 - ${all.x1 - all.x0}) < 1e-6`);
}, {motion: 'no-preference'}));

await check('two fingers zoom', () => visit('nine', async (page) => {
  const before = await box(page);
  await page.evaluate(() => {
    const stage = document.getElementById('stage'), {left, top} = stage.getBoundingClientRect();
    stage.setPointerCapture = () => {};
    const send = (type, pointerId, x, y) =>
      stage.dispatchEvent(new PointerEvent(type, {pointerId, pointerType: 'touch', clientX: left + x, clientY: top + y, bubbles: true}));
    send('pointerdown', 1, 300, 200);
    send('pointerdown', 2, 340, 200);
    send('pointermove', 2, 480, 200);
    send('pointerup', 1, 300, 200);
    send('pointerup', 2, 480, 200);
  });
  await settle(page);
  const after = await box(page);
  assert.ok(after.x1 - after.x0 < (before.x1 - before.x0) / 2);
  assert.equal(await selected(page), null);
}));

// ------------------------------------------------------------ selecting

await check('a click selects, and the panel has its numbers', () => visit('nine', async (page) => {
  const plan = planOf('nine');
  for (const buffer of plan.buffers) {
    const {x, y} = await middleOf(page, buffer);
    await page.mouse.click(x, y);
    assert.equal(await selected(page), buffer.name);
    const words = await said(page), [start, end] = buffer.lifetimes[0];
    for (const part of [buffer.name, `${grouped(buffer.size)} bytes`, `[${start}, ${end})`, `${grouped(buffer.offset)}  (0x${buffer.offset.toString(16)})`,
      grouped(buffer.offset + buffer.size), buffer.risk, buffer.hint ?? ''])
      assert.ok(words.replace(/\s+/g, ' ').includes(part.replace(/\s+/g, ' ')), `${part} in ${words}`);
  }
}));

await check('what it rests on goes down to the bottom', () => visit('nine', async (page) => {
  const plan = planOf('nine');
  const carries = (a, b) => a.offset + a.size === b.offset && a.lifetimes[0][0] < b.lifetimes[0][1] && b.lifetimes[0][0] < a.lifetimes[0][1];
  for (const buffer of plan.buffers) {
    await page.evaluate((name) => window.neap.app.select(window.neap.app.m.byName.get(name)), buffer.name);
    const chain = await page.evaluate('neap.app.chain.map(({buffer}) => neap.app.m.names[buffer])');
    const steps = chain.map((name) => plan.buffers.find((b) => b.name === name));
    assert.equal(chain[0], buffer.name);
    for (let k = 1; k < steps.length; k++) assert.ok(carries(steps[k], steps[k - 1]), `${chain[k]} under ${chain[k - 1]}`);
    assert.ok(!plan.buffers.some((b) => carries(b, steps.at(-1))), 'the last rests on nothing');
    assert.equal(await page.locator('#page-tensor ol li').count(), chain.length);
  }
  const critical = await page.evaluate('supports.critical(neap.app.m).list.map((i) => neap.app.m.names[i])');
  const wanted = new Set(plan.buffers.filter((b) => b.offset + b.size === plan.report.peak));
  for (const b of wanted) for (const a of plan.buffers) if (carries(a, b)) wanted.add(a);
  assert.deepEqual(critical.sort(), [...wanted].map((b) => b.name).sort());
}));

await check('keys walk from buffer to buffer, and down', () => visit('nine', async (page) => {
  await page.locator('#stage').focus();
  const seen = new Set();
  for (let k = 0; k < 9; k++) {
    await page.keyboard.press('n');
    seen.add(await selected(page));
  }
  assert.equal(seen.size, 9);
  await page.keyboard.press('p');
  assert.ok((await page.locator('#said').textContent()).startsWith(await selected(page)), 'it is said');
  await page.evaluate('neap.app.select(supports.critical(neap.app.m).roots[0])');
  for (let k = 0; k < 9; k++) await page.keyboard.press('b');
  assert.equal(await page.evaluate('neap.app.m.offset[neap.app.selected]'), 0);
  await page.keyboard.press('Escape');
  assert.equal(await selected(page), null);
}));

await check('search finds by name', () => visit('nine', async (page) => {
  await page.keyboard.press('/');
  await page.keyboard.type('CONV1');
  assert.equal(await page.locator('#matches').textContent(), '2 matches');
  assert.deepEqual(await page.locator('#found li .name').allTextContents(), ['conv1/out', 'conv1/tmp']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await selected(page), 'conv1/tmp');
  await page.locator('#search').fill('nobody');
  assert.equal(await page.locator('#matches').textContent(), '0 matches');
  assert.ok(await page.locator('#found').isHidden());
}));

// ------------------------------------------------------------ the time cursor

await check('the time cursor lists who is alive, and the holes', () => visit('nine', async (page) => {
  const plan = planOf('nine');
  for (let t = 0; t <= 11; t++) {
    await page.evaluate((moment) => window.neap.app.setCursor(moment, {open: true}), t);
    assert.deepEqual(await rowsShown(page), aliveAt(plan, t), `at ${t}`);
  }
  await page.locator('#stage').focus();
  await page.keyboard.press('[');
  assert.equal(await page.evaluate('neap.app.cursor'), 10);
  await page.keyboard.press(']');
  assert.equal(await page.evaluate('neap.app.cursor'), 11);
  const live = await page.locator('#live').boundingBox();
  await page.mouse.click(live.x + live.width / 2, live.y + 20);
  assert.ok(await page.evaluate('neap.app.cursor > 4 && neap.app.cursor < 7'));
}));

await check('holes of a large plan are right', async () => {
  const plan = planOf('many');
  await visit('many', async (page) => {
    for (const t of [20000.5, 50000]) {
      await page.evaluate((moment) => window.neap.app.setCursor(moment, {open: true}), t);
      while (await page.locator('#page-time .more').count()) await page.locator('#page-time .more').click();
      assert.deepEqual(await rowsShown(page), aliveAt(plan, t), `at ${t}`);
    }
  });
});

// ------------------------------------------------------------ rounds

await check('rounds with offsets are stepped through', () => visit('rounds', async (page) => {
  const offsets = () => page.evaluate('[...neap.app.m.shown]'), plan = planOf('nine');
  const own = plan.buffers.map((b) => b.offset);
  assert.deepEqual(await offsets(), own);
  assert.equal(await page.locator('#round').getAttribute('max'), '3');
  await page.locator('#round').fill('0');
  assert.deepEqual((await offsets())[4], -1);
  assert.match(await page.locator('#round-text').textContent(), /^Round 1 of 4/);
  await settle(page);
  assert.equal(await page.evaluate('neap.app.inView'), 8);
  await page.locator('#round-on').click();
  assert.notDeepEqual(await offsets(), own);
  assert.equal(await page.evaluate('neap.app.m.peak'), plan.buffers.reduce((sum, b) => sum + b.size, 0));
  await page.locator('#round-on').click();
  assert.deepEqual(await offsets(), own);
}));

await check('rounds are played', () => visit('rounds', async (page) => {
  await page.locator('#stage').focus();
  await page.keyboard.press(' ');
  assert.equal(await page.evaluate('neap.rounds.step'), 0);
  assert.equal(await page.locator('#round-play').textContent(), 'Pause');
  await until(page, 'neap.rounds.step === 3', 20000);
  await until(page, `document.getElementById('round-play').textContent === 'Play'`);
  await until(page, 'neap.app.m.shown.every((low, i) => low === neap.app.m.offset[i])');
  await page.screenshot({path: join(build, 'rounds.png')});
}, {motion: 'no-preference', scheme: 'dark'}));

// ------------------------------------------------------------ comparing

async function expectCompared(page) {
  assert.equal(await page.locator('#moved-count').textContent(), '2');
  const words = (await page.locator('#page-compare').textContent()).replace(/\s+/g, ' ');
  assert.match(words, /Only here1 buffer/);
  assert.match(words, /Only there1 buffer/);
  assert.match(words, /higher/);
}

await check('two plans are compared', () => visit('pair', async (page) => {
  await page.locator('#tab-compare').click();
  await expectCompared(page);
  await page.locator('#colour-by').selectOption('moved');
  assert.match(await page.locator('#legend').innerText(), /moved 2/);
  await page.locator('#sides button').nth(1).click();
  await settle(page);
  assert.ok(await page.evaluate(`neap.app.m.byName.has('newcomer')`));
  await expectCompared(page);
  await page.screenshot({path: join(build, 'pair.png')});
}));

await check('a plan from a file, or a page, is compared', () => visit('nine', async (page) => {
  await page.locator('#compare-file').setInputFiles(join(pages, 'moved.json'));
  await page.locator('#moved-count').waitFor();
  await expectCompared(page);
  await page.locator('#compare-file').setInputFiles(join(pages, 'nine.html'));
  await until(page, `document.getElementById('moved-count').textContent === '0'`);
  await page.locator('#compare-file').setInputFiles(join(pages, 'nine.csv'));
  await until(page, `!document.getElementById('fault').hidden`);
}));

// ------------------------------------------------------------ odd plans

await check('names do no harm', () => visit('wild', async (page) => {
  const plan = planOf('wild');
  assert.equal(await page.evaluate('neap.app.m.count'), plan.buffers.length);
  assert.match(await page.title(), /^neap: 10 buffers/);
  for (const [i, {name}] of plan.buffers.entries()) {
    await page.evaluate((k) => window.neap.app.select(k, {show: true}), i);
    assert.equal(await page.locator('#page-tensor h2').textContent(), name);
    await page.evaluate((k) => window.neap.app.setCursor(k), plan.buffers[i].lifetimes[0][0]);
  }
  assert.equal(await page.evaluate(`document.querySelectorAll('main script, main img, main b b').length`), 0);
  for (const mode of ['size', 'lifetime', 'hint', 'group', 'risk']) await page.locator('#colour-by').selectOption(mode);
  await page.locator('#search').fill('x');
  const {x, y} = await middleOf(page, plan.buffers[3]);
  await page.mouse.move(x, y);
  await settle(page);
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is wider than the window');
  await page.screenshot({path: join(build, 'wild.png')});
}));

await check('numbers beyond 2^53 lose nothing', () => visit('large', async (page) => {
  await page.evaluate('neap.app.select(1)');
  const words = (await said(page)).replace(/\s+/g, ' ');
  for (const part of ['4,611,686,018,427,387,905 bytes', '[1, 9,007,199,254,740,995)', '9,007,199,254,740,993 (0x20000000000001)',
    '4,620,693,217,682,128,898 (0x4020000000000002)', 'It rests on 1 buffer'])
    assert.ok(words.includes(part), `${part} in ${words}`);
}));

await check('an empty plan and a lone buffer', async () => {
  await visit('none', async (page) => {
    assert.ok(await page.locator('#nothing').isVisible());
    for (const key of ['n', ']', 'b', ' ', '+', '0']) await page.keyboard.press(key);
    for (const tab of ['time', 'peak', 'tensor']) await page.locator(`#tab-${tab}`).click();
    await page.screenshot({path: join(build, 'none.png')});
  });
  await visit('lone', async (page) => {
    await page.keyboard.press('n');
    assert.match(await said(page), /0x20000000 – 0x200003e8/);
    assert.match(await said(page), /lies at the bottom/);
  });
});

await check('a plan that is not sound says so', () => visit('broken', async (page) => {
  assert.match(await page.locator('#fault').textContent(), /^Unsound: 'a"><b>' and 'b' share bytes \[2, 4\)/);
}));

// ------------------------------------------------------------ for everybody

await check('every control has a name, and Tab reaches them', () => visit('pair', async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [tabindex="0"], canvas[role]')].filter((node) =>
    !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length)).map((node) => node.outerHTML));
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let k = 0; k < 40; k++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate('document.activeElement.id || document.activeElement.className'));
  }
  for (const id of ['search', 'theme', 'colour-by', 'critical', 'stage', 'zoom-fit', 'tab-tensor']) assert.ok(reached.has(id), `${id} in ${[...reached]}`);
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#help').isHidden());
}));

// The contrast of text and what it stands on, as WCAG 2 reckons it.
await check('text has contrast in both themes', () => visit('nine', async (page) => {
  for (const theme of ['light', 'dark']) {
    while ((await page.locator('#theme').textContent()) !== `Theme: ${theme}`) await page.locator('#theme').click();
    const weak = await page.evaluate(() => {
      const light = (name) => {
        const number = parseInt(colour.css(name).slice(1), 16);
        const [r, g, b] = [number >> 16, (number >> 8) & 255, number & 255].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const pairs = ['--page', '--panel', '--raised', '--sunk'].flatMap((ground) => ['--ink', '--muted', '--link', '--waste', '--bound'].map((ink) => [ink, ground]));
      for (const face of ['risk-none', 'risk-low', 'risk-medium', 'risk-high', 'moved', 'still', 'alone']) pairs.push(['--on-face', `--${face}`]);
      for (let k = 0; k < 10; k++) pairs.push(['--on-face', `--group-${k}`]);
      for (let k = 0; k < 5; k++) pairs.push(['--on-face', `--ramp-${k}`]);
      pairs.push(['--bad', '--bad-page']);
      return pairs.filter(([a, b]) => contrast(a, b) < 4.5).map(([a, b]) => `${a} on ${b}: ${contrast(a, b).toFixed(2)}`);
    });
    assert.deepEqual(weak, [], theme);
  }
}));

await check('a narrow window has room for all', () => visit('nine', async (page) => {
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  assert.ok((await page.locator('#stage').boundingBox()).height > 250);
  await page.screenshot({path: join(build, 'narrow.png'), fullPage: true});
}, {across: 420, down: 800}));

await browser.close();
console.log(`1..${count}`);
