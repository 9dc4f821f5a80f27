// SPDX-License-Identifier: GPL-3.0-or-later
// page.test.mjs PAGES BUILD: opens the pages in PAGES and prints TAP; screenshots go to BUILD.
// Parts are imported one after the other: side by side, their cases would disturb each other.
await import('./layout.mjs');
await import('./more.mjs');
const {finish} = await import('./browser.mjs');

await finish();
