// SPDX-License-Identifier: GPL-3.0-or-later
// The names of rectangles, on pages and in pictures of models: each one of more than 60 times 14 pixels
// has a name that no other has, and no name lies under a line, a mark or another name.
import assert from 'node:assert/strict';
import {readdirSync} from 'node:fs';

import {pages, check, skip, visit, look} from './browser.mjs';

const models = readdirSync(pages)
  .filter((file) => /^model-.*\.html$/.test(file))
  .map((file) => file.replace('.html', ''));

// Two boxes {left, top, right, bottom} that have more than the tolerance in common.
const meet = (a, b, by = 1) =>
  a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;

const pairs = (list) => list.flatMap((a, i) => list.slice(0, i).map((b) => [b, a]));

function differ(labels) {
  for (const [a, b] of pairs(labels)) {
    if (a.buffer !== b.buffer) assert.notEqual(a.words, b.words, `${a.words} twice`);
    assert.ok(!meet(a, b), `${a.words} meets ${b.words}`);
  }
}

// What the page knows of its labels and of the rectangles in view.
const facts = () => {
  const {app} = window.neap,
    {m, view: v} = app,
    c = document.createElement('canvas').getContext('2d'),
    large = [];
  for (let r = 0; r < m.rectCount; r++) {
    const i = m.rectBuffer[r],
      left = Math.max(v.left, view.xOf(v, m.rectStart[r])),
      right = Math.min(v.left + v.across, view.xOf(v, m.rectEnd[r])),
      top = Math.max(v.top, view.yOf(v, m.offset[i] + m.size[i])),
      bottom = Math.min(v.top + v.down, view.yOf(v, m.offset[i]));
    if (right - left > 60 && bottom - top > 14) large.push(i);
  }
  return {
    large,
    labels: app.labels,
    keepouts: [...draw.levelKeepouts(app, c), ...signs.keepouts(app, c)],
    forms: app.labels.map(({buffer}) => Object.values(labels.forms(m, buffer)).flat()),
  };
};

async function pageIsNamed(page) {
  const {large, labels, keepouts, forms} = await page.evaluate(facts);
  const named = new Set(labels.map(({buffer}) => buffer));
  for (const i of large) assert.ok(named.has(i), `buffer ${i} has no label`);
  differ(labels);
  labels.forEach((label, k) => {
    const {words, box, beside, late} = label;
    assert.ok(forms[k].includes(words), `${words} is cut`);
    assert.ok(late || !keepouts.some((one) => meet(label, one, 0)), `${words} meets a line`);
    if (!beside) assert.ok(label.left >= box.left - 1 && label.right <= box.right + 1, words);
    if (!beside) assert.ok(label.top >= box.top - 1 && label.bottom <= box.bottom + 1, words);
  });
}

// The boxes of the elements of a picture, in pixels.
const drawn = () => {
  const boxOf = (node) => {
    const {left, top, right, bottom} = node.getBoundingClientRect();
    return {left, top, right, bottom};
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    rects: all('.boxes rect').map(boxOf),
    names: all('.names text:not(.size)').map((node) => {
      const {left, top, right, bottom} = boxOf(node),
        flat = node.hasAttribute('transform') ? [2, 0] : [0, 2]; // without ascenders and descenders
      return {
        words: node.textContent,
        over: node.classList.contains('outlined'),
        left: left + flat[0],
        right: right - flat[0],
        top: top + flat[1],
        bottom: bottom - flat[1],
      };
    }),
    lines: all('line.bound, line.capacity').map(boxOf),
    leaders: all('.critical .leader.layer').map((node) => {
      const {x, y} = node.getPointAtLength(0);
      return {left: x, top: y - 0.5, right: 1064, bottom: y + 0.5};
    }),
  };
};

async function pictureIsNamed(page) {
  const {rects, names, lines, leaders} = await page.evaluate(drawn);
  assert.ok(rects.length > 0);
  for (const rect of rects)
    if (rect.right - rect.left > 60 && rect.bottom - rect.top > 14)
      assert.ok(
        names.some((name) => meet(name, rect)),
        `no name in ${JSON.stringify(rect)}`,
      );
  differ(names.map((name, buffer) => ({...name, buffer})));
  for (const name of names)
    if (!name.over)
      for (const line of [...lines, ...leaders])
        assert.ok(!meet(name, line, 0), `${name.words} meets a line`);
}

if (models.length === 0) skip('names of rectangles', 'no models');
for (const model of models) {
  await check(`rectangles are named: ${model}`, async () => {
    await visit(model, pageIsNamed, {across: 1440, down: 900});
    await look(model, pictureIsNamed);
  });
}

await check('rectangles are named on a phone, and when zoomed', () =>
  visit(
    models[0],
    async (page) => {
      await pageIsNamed(page);
      for (let k = 0; k < 4; k++) {
        await page.locator('#stage').press('+');
        await pageIsNamed(page);
      }
    },
    {across: 390, down: 844, touch: true},
  ),
);

// Whose each label is: it is where no other buffer is, in its own rectangle or at the end of a leader
// that begins there, and clear of hatches and of the outline of any selection.
const owned = () => {
  const {app} = window.neap,
    {m, view: v} = app,
    placeOf = (box) => {
      const [left, top, across, down] = view.place(v, box);
      return {left, top, right: left + across, bottom: top + down};
    },
    meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
    others = Array.from(m.rectBuffer, (buffer, r) => ({buffer, ...draw.partOf(app, r)})),
    hatched = relations.reserved(m).map(placeOf);
  return app.labels.flatMap((label) => {
    const {words, box, tick} = label,
      inside =
        label.left >= box.left && label.right <= box.right && label.top >= box.top && label.bottom <= box.bottom,
      leads = tick && tick[0] >= box.left && tick[0] <= box.right && tick[1] >= box.top && tick[1] <= box.bottom,
      found = [];
    if (!inside && !leads) found.push(`${words} is beside its buffer without a leader`);
    for (const other of others)
      if (other.buffer !== label.buffer && m.size[other.buffer] > 0 && meets(label, other))
        found.push(`${words} is over ${model.name(m, other.buffer)}`);
    if (hatched.some((one) => meets(label, one))) found.push(`${words} is over a hatch`);
    return found;
  });
};

for (const name of ['related', 'ordered', 'clashes', 'torn'])
  await check(`${name}: it is clear whose each label is`, async () => {
    for (const [across, down] of [
      [1280, 720],
      [1920, 1080],
      [390, 844],
    ])
      await visit(
        name,
        async (page) => {
          assert.ok((await page.evaluate('neap.app.labels.length')) > 2);
          for (const times of [1, 2, 4]) {
            assert.deepEqual(await page.evaluate(owned), [], `${across} by ${down}, ${times} times as near`);
            differ(await page.evaluate('neap.app.labels'));
            await page.evaluate('view.zoom(neap.app, 0.5, 0.5, 300, 250); cancelAnimationFrame(neap.app.frame); neap.drawNow()');
          }
        },
        {across, down},
      );
  });

await check('the number in a label finds its buffer', () =>
  visit(models[0], async (page) => {
    await page.locator('#search').fill('#3');
    await page.locator('#search').press('Enter');
    assert.equal(await page.evaluate('neap.app.selected'), 3);
  }),
);
