// SPDX-License-Identifier: GPL-3.0-or-later
// page.test.mjs PAGES BUILD: opens the pages in PAGES and prints TAP; screenshots go to BUILD.
import './layout.mjs';
import './more.mjs';
import {finish} from './browser.mjs';

await finish();
