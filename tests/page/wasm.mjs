// SPDX-License-Identifier: GPL-3.0-or-later
// wasm.mjs BUILD PAGE WORK: plans the models that WORK/models lists with the page, and prints for each whether all
// offsets are those of WORK/MODEL.plan.json.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, join} from 'node:path';
import {pathToFileURL} from 'node:url';

const [, , build, file, work] = process.argv,
  {chromium} = createRequire(join(build, 'tests/page/x.js'))('playwright-core'),
  browser = await chromium.launch({
    executablePath: process.env.NEAP_CHROMIUM,
    args: ['--no-sandbox'],
  }),
  page = await browser.newPage({acceptDownloads: true});
page.on('pageerror', (problem) => console.log(`# ${problem.stack.replaceAll('\n', ' ')}`));
page.on('request', (request) => {
  if (!/^(file|blob|data):/.test(request.url())) console.log(`other request: ${request.url()}`);
});
await page.goto(pathToFileURL(file).href);

const offsets = (words) =>
  JSON.stringify(JSON.parse(words).buffers.map(({name, offset}) => [name, offset]));

// The content of a file that the page offers.
async function taken(ending) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`#downloads a[download$="${ending}"]`),
  ]);
  return readFileSync(await download.path());
}

for (const model of readFileSync(join(work, 'models'), 'utf8').trim().split('\n')) {
  const name = basename(model);
  await page.evaluate('delete document.documentElement.dataset.status');
  await page.fill('#options', '--max-ticks 100000 -q');
  await page.setInputFiles('#file', model);
  await page.waitForSelector('html[data-status]', {timeout: 120000, state: 'attached'});
  const status = await page.getAttribute('html', 'data-status');
  if (status !== '0')
    console.log(`# ${name}: ${(await page.innerText('#state')).replaceAll('\n', ' ')}`);
  const same =
    status === '0' &&
    offsets(await taken('-plan.json')) === offsets(readFileSync(join(work, `${name}.plan.json`)));
  console.log(`${same ? 'same' : 'other'} offsets of ${name}`);
}

// A run can be cancelled; the plan that is shown stays.
const state = await page.evaluate(() => {
  document.getElementById('plan').click();
  document.getElementById('cancel').click();
  return document.getElementById('state').textContent;
});
console.log(`${state === 'Cancelled.' ? 'same' : 'other'} after a cancel`);
const frame = page.frames().at(-1);
console.log(
  `${(await frame.evaluate('Boolean(window.neap?.ready)')) ? 'same' : 'other'} page of the plan`,
);
await browser.close();
