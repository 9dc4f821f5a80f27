// SPDX-License-Identifier: GPL-3.0-or-later
// page.test.mjs PAGES BUILD: opens the pages in PAGES and prints TAP; screenshots go to BUILD.  The
// parts are imported one after the other, because cases that run at the same time would disturb each
// other.
await import('./layout.mjs');
await import('./more.mjs');
await import('./signs.mjs');
await import('./labels.mjs');
await import('./colours.mjs');
await import('./tables.mjs');
await import('./operators.mjs');
await import('./address.mjs');
await import('./moves.mjs');
await import('./compare.mjs');
await import('./touch.mjs');
await import('./explain.mjs');
await import('./arena.mjs');
await import('./groups.mjs');
await import('./print.mjs');
await import('./framed.mjs');
await import('./keyboard.mjs');
await import('./graph.mjs');
await import('./speed.mjs');
const {finish} = await import('./browser.mjs');

await finish();
