// SPDX-License-Identifier: GPL-3.0-or-later
// The groups that the tuner took out of its layouts, between one round and the next.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {build, check, visit, until, settle, planOf, grouped} from './browser.mjs';

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

// Steps to the first group that was lowered and grew from a buffer; what is known about it.
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
      await until(page, 'moves.state.shown !== null', 20000);
      const {g, step} = await page.evaluate('({g: moves.state.shown.g, step: neap.rounds.step})');
      const lowered = rounds[first].moves.findIndex((move) => move.outcome === 'lowered');
      assert.equal(step, first);
      assert.equal(g, Math.max(0, lowered));
      await until(page, `moves.state.shown === null && neap.rounds.step >= ${first}`, 20000);
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
    assert.equal(await page.evaluate('moves.state.shown.g'), 0);
    await page.keyboard.press('<');
    assert.equal(await page.evaluate('moves.state.shown'), null);
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
