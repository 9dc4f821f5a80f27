// SPDX-License-Identifier: GPL-3.0-or-later
// Saved pictures of the view.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

import {check, visit} from './browser.mjs';

// Saves the view, and returns the file and its name.
async function saved(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#save').click(),
  ]);
  return {bytes: readFileSync(await download.path()), name: download.suggestedFilename()};
}

await check('the PNG has two pixels for one of the page, and colours', () =>
  visit('nine', async (page) => {
    const {bytes, name} = await saved(page);
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

await check('file names are safe', () =>
  visit('nine', async (page) => {
    const names = await page.evaluate(
      `['a/b\\\\..', '', 'x:y*?.json', '../../etc', 'modèle 1.tflite', '...'].map((name) => save.fileName({name}, 'png'))`,
    );
    assert.deepEqual(names, [
      'plan.png',
      'plan.png',
      'x_y_.png',
      'etc.png',
      'modèle_1.png',
      'plan.png',
    ]);
  }),
);
