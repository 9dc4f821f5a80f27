// SPDX-License-Identifier: GPL-3.0-or-later
// Exact offsets, axis titles, keys and their dialog, the way back.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {hashOf} from './address.mjs';
import {box, build, check, grouped, middleOf, planOf, settle, until, visit} from './browser.mjs';

// The texts that the page draws on its canvases while act() runs.
async function drawn(page, act) {
  await page.evaluate(`{
    const {fillText} = CanvasRenderingContext2D.prototype;
    window.words = [];
    window.untap = () => (CanvasRenderingContext2D.prototype.fillText = fillText);
    CanvasRenderingContext2D.prototype.fillText = function (...args) {
      window.words.push(args[0]);
      return fillText.apply(this, args);
    };
  }`);
  await act();
  await settle(page);
  return page.evaluate('window.untap(), window.words');
}

const repaint = (page) => drawn(page, () => page.evaluate('neap.app.repaint()'));

// ------------------------------------------------------------ exact or rounded

await check('exact offsets in axis, levels, rectangles, tooltip, tables and figures', () =>
  visit('middle', async (page) => {
    const plan = planOf('middle'),
      {peak} = plan.report,
      hex = `0x${peak.toString(16)}`;
    const largest = plan.buffers.reduce((a, b) => (b.size > a.size ? b : a));
    const rounded = await repaint(page);
    assert.ok(
      rounded.some((words) => /^peak = bound [\d.]+ MiB$/.test(words)),
      String(rounded),
    );
    await page.keyboard.press('x');
    const exactly = await repaint(page);
    assert.ok(exactly.includes(`peak = bound ${grouped(peak)} (${hex})`), String(exactly));
    assert.ok(exactly.includes('0x400000') && exactly.includes('4,194,304'));
    assert.ok(!exactly.some((words) => /[KM]iB/.test(words)));
    const figures = await page.locator('#figures').innerText();
    assert.ok(figures.includes(`${grouped(peak)} B`));
    assert.equal(await page.locator('#exact').getAttribute('aria-pressed'), 'true');
    const {x, y} = await middleOf(page, largest);
    await page.mouse.move(x, y);
    const tip = await page.locator('#tip').innerText(),
      end = largest.offset + largest.size;
    assert.ok(tip.includes(`${grouped(end)} (0x${end.toString(16)})`), tip);
    assert.ok(tip.includes(`${grouped(largest.size)} B`), tip);
    assert.match(await hashOf(page), /exact=1/);
    await page.locator('#exact').click();
    assert.deepEqual(new Set(await repaint(page)), new Set(rounded));
  }),
);

await check('the base address is added to exact offsets', () =>
  visit(
    'lone',
    async (page) => {
      const words = await repaint(page);
      assert.ok(words.includes('0x20000000') && words.includes('offset, address'));
      assert.ok(
        words.some((one) => one.endsWith('1,000 (0x200003e8)')),
        String(words),
      );
    },
    {hash: '#exact=1'},
  ),
);

await check('axes have titles with units', () =>
  visit('nine', async (page) => {
    const words = await repaint(page);
    assert.ok(words.includes('offset (bytes)') && words.includes('time (steps)'), String(words));
  }),
);

// ------------------------------------------------------------ keys

await check('the dialog lists every key of the table, and Esc closes it', () =>
  visit('nine', async (page) => {
    await page.locator('#help-open').focus();
    await page.keyboard.press('?');
    const rows = await page.evaluate('keys.TABLE.length');
    assert.equal(await page.locator('#keys dt').count(), rows);
    const pressed = await page.evaluate(
      `keys.TABLE.flatMap((row) => row.keys ?? [])`,
    );
    assert.equal(new Set(pressed).size, pressed.length, 'no key does two things');
    assert.ok(
      await page.evaluate(`document.activeElement.matches('#help :focus-visible')`),
      'focus is in the dialog, and visible',
    );
    const whole = await box(page);
    await page.keyboard.press('+');
    assert.deepEqual(await box(page), whole, 'keys do not act behind the dialog');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#help').isVisible(), false);
    assert.equal(await page.evaluate('document.activeElement.id'), 'help-open');
  }),
);

await check('zooming in ends at one unit of time and one byte', () =>
  visit('nine', async (page) => {
    for (let k = 0; k < 80; k++) await page.keyboard.press('+');
    const {x0, x1, y0, y1} = await box(page);
    for (const span of [x1 - x0, y1 - y0])
      assert.ok(Math.abs(span - 1) < 1 / 50, `the view spans ${span}`);
  }),
);

// ---------------------------------------------------------------- the groups that the tuner took out of its layouts, between one round and the next

const {rounds, buffers} = planOf('groups');
const shown = (page) => page.evaluate('[...neap.app.m.shown]');
const hasGroups = (round) => (round.moves ?? []).length > 0;
const first = rounds.findIndex(hasGroups);

// Each group of a round with the offsets before and after it, as far as they are known.
function* groupsOf(step) {
  let now = rounds[step - 1].offsets;
  for (const [g, move] of rounds[step].moves.entries()) {
    const before = now;
    if (move.outcome === 'lowered') {
      if (!move.members) return;
      now = now.slice();
      move.members.forEach((buffer, k) => (now[buffer] = move.offsets[k]));
    }
    yield {g, move, before, now};
  }
}

const goTo = async (page, step) => page.locator('#round').fill(String(step));
const onward = (page) => page.locator('#group-on').click();

await check('groups lead from one round to the next', () =>
  visit('groups', async (page) => {
    assert.ok(first > 0);
    await goTo(page, first - 1);
    for (const {g, move, now} of groupsOf(first)) {
      await onward(page);
      assert.deepEqual(await shown(page), now, `group ${g}`);
      const words = await page.locator('#group-text b').textContent();
      assert.ok(words.startsWith(`Group ${g + 1} of ${rounds[first].moves.length}: `), words);
      const name = move.blamed === undefined ? '' : ` around ${buffers[move.blamed].name}`;
      assert.ok(
        words.includes(
          `${name} (highest end ${grouped(move.top)}), target ${grouped(move.target)}`,
        ),
        words,
      );
    }
    if (rounds[first].moves.every((move) => move.members || move.outcome !== 'lowered')) {
      await onward(page);
      assert.deepEqual(await shown(page), rounds[first].offsets);
    }
    await page.locator('#group-back').click();
    assert.match(await page.locator('#group-text').textContent(), /^Group /);
  }),
);

// The colours that the canvas above the layout has at the lower left corners of buffers, each given with
// its offset.  The canvas is read once: Chromium warns of more.
const cornersOf = (page, list) =>
  page.evaluate((places) => {
    const {view: v, m, stage} = window.neap.app,
      {width, height} = stage.over,
      ratio = window.devicePixelRatio;
    const {data} = stage.over.getContext('2d').getImageData(0, 0, width, height);
    return places.map(([i, low]) => {
      const x = Math.round(view.xOf(v, m.first[i]) * ratio),
        y = Math.round(view.yOf(v, low) * ratio),
        found = [];
      for (let row = y - 2; row <= y + 2; row++)
        for (let column = x - 2; column <= x + 2; column++) {
          const k = 4 * (row * width + column);
          if (data[k + 3] > 200) found.push([...data.slice(k, k + 3)].join());
        }
      return found;
    });
  }, list);

const inkOf = (page, name) =>
  page.evaluate((key) => {
    const number = parseInt(colour.css(key).slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255].join();
  }, name);

// Steps to the first group that was lowered and grew from a buffer; returns what is known about it.
async function goToLowered(page) {
  for (const step of rounds.keys()) {
    if (!hasGroups(rounds[step])) continue;
    for (const group of groupsOf(step)) {
      if (group.move.outcome !== 'lowered' || group.move.blamed === undefined) continue;
      await goTo(page, step - 1);
      for (let g = 0; g <= group.g; g++) await onward(page);
      await settle(page);
      return group;
    }
  }
  throw new Error('no group was lowered');
}

for (const scheme of ['light', 'dark'])
  await check(`the blamed buffer and its group are outlined (${scheme})`, () =>
    visit(
      'groups',
      async (page) => {
        const {move, before, now} = await goToLowered(page);
        const bad = await inkOf(page, '--bad'),
          taken = await inkOf(page, '--taken');
        const others = move.members.filter((i) => i !== move.blamed),
          left = others.filter((i) => before[i] !== now[i]);
        const found = await cornersOf(page, [
          [move.blamed, now[move.blamed]],
          ...others.map((i) => [i, now[i]]),
          ...left.map((i) => [i, before[i]]),
        ]);
        assert.ok(found[0].includes(bad));
        const seen = found.slice(1, 1 + others.length).filter((inks) => inks.includes(taken));
        assert.ok(seen.length > others.length / 2, `${seen.length} of ${others.length} outlined`);
        assert.ok(found.slice(1 + others.length).some((inks) => inks.length > 0));
        for (const key of ['taken', 'blamed', 'ghost'])
          assert.ok(await page.locator(`#group-text .key.${key}`).isVisible(), key);
        await page.screenshot({path: join(build, `groups-${scheme}.png`)});
        await page.locator('#group-text .link').click();
        assert.equal(await page.evaluate('neap.app.selected'), move.blamed);
      },
      {scheme, across: 1440, down: 900},
    ),
  );

await check('groups that were lowered are played before their round', () =>
  visit(
    'groups',
    async (page) => {
      await goTo(page, first - 1);
      await page.locator('#round-play').click();
      await until(page, 'rounds.state.shown !== null', 20000);
      const {g, step} = await page.evaluate('({g: rounds.state.shown.g, step: neap.rounds.step})');
      const lowered = rounds[first].moves.findIndex((move) => move.outcome === 'lowered');
      assert.equal(step, first);
      assert.equal(g, Math.max(0, lowered));
      await until(page, `rounds.state.shown === null && neap.rounds.step >= ${first}`, 20000);
      await page.locator('#round-play').click();
    },
    {motion: 'no-preference'},
  ),
);

await check('keys step through groups, and leave the last one for the plan', () =>
  visit('groups', async (page) => {
    await goTo(page, first - 1);
    await page.locator('#stage').focus();
    await page.keyboard.press('>');
    assert.equal(await page.evaluate('rounds.state.shown.g'), 0);
    await page.keyboard.press('<');
    assert.equal(await page.evaluate('rounds.state.shown'), null);
    assert.deepEqual(await shown(page), rounds[first - 1].offsets);
    await goTo(page, rounds.length);
    await page.keyboard.press('>');
    assert.deepEqual(
      await shown(page),
      buffers.map((b) => b.offset),
    );
  }),
);

await check('without groups there is no line for them', () =>
  visit('rounds', async (page) => assert.ok(await page.locator('#groups').isHidden())),
);
