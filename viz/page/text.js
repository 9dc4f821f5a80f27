// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them.
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

// "1,000 to 2,000"
export const span = (from, to) => `${grouped(from)} to ${grouped(to)}`;

// A time, which may be between two events.
export const moment = (t) => `time ${grouped(Number(t.toFixed(3)))}`;

// Bytes in the largest unit that leaves at least 1: "1.50 MiB".
export function bytes(value) {
  let number = Number(value),
    unit = 0;
  while (Math.abs(number) >= 1024 && unit < UNITS.length - 1) {
    number /= 1024;
    unit++;
  }
  return `${unit === 0 ? Math.round(number) : number.toFixed(2)} ${UNITS[unit]}`;
}

// A tick of a byte axis.  The unit depends only on the step, so an axis has one unit: the largest
// of which the step is at least a quarter, so that two decimals are exact.
export function tick(value, step) {
  if (value === 0) return '0';
  let unit = 0;
  while (unit < UNITS.length - 1 && step * 4 >= 1024 ** (unit + 1)) unit++;
  const scale = 1024 ** unit,
    whole = Math.floor(value / scale),
    quarters = Math.round(((value - whole * scale) * 4) / scale);
  return `${grouped(whole)}${['', '.25', '.5', '.75'][quarters]} ${UNITS[unit]}`;
}

// "4 KiB": a power of two, as the end of a class.
export const round = (value) => bytes(value).replace('.00', '');

export const hex = (value) => `0x${BigInt(value).toString(16)}`;

// ------------------------------------------------------------ rounded or exact

// Whether the page shows bytes exactly.  Everything that shows bytes or offsets asks the functions
// below, so that one switch changes them all.
let isExact = false;
export const setExact = (on) => (isExact = on);
export const exact = () => isExact;

// A number of bytes: "1.50 KiB", or exactly "1,536 B".
export const amount = (value) => (isExact ? `${grouped(value)} B` : bytes(value));

// The digits that amount() leaves out, as a tooltip.
export const amountTitle = (value) =>
  isExact ? `${hex(value)}, ${bytes(value)}` : `${grouped(value)} bytes`;

// An offset: "1.50 KiB", or exactly "1,536 (0x600)".  The arena's base address, if it is known, is
// added to the hexadecimal form: "1,536 (0x20000600)".
export const offsetExactly = (value, base = null) =>
  `${grouped(value)} (${hex(BigInt(value) + (base ?? 0n))})`;
export const offset = (value, base = null) => (isExact ? offsetExactly(value, base) : bytes(value));

// A gap as the rest of neap shows it (neap_gap_text).
export function percent(share) {
  const number = 100 * share;
  if (!(number > 0)) return '0 %';
  if (number < 0.01) return '<0.01 %';
  if (number > 1e6) return '>1,000,000 %';
  const [whole, hundredths] = number.toFixed(2).split('.');
  return `${grouped(whole)}.${hundredths} %`;
}

const BORDER = /[-_/.:\s]/,
  BACK = 3; // characters given up to cut at the border of a word

// The start and the end of a long name.  Cuts are at borders of words where one is near, and
// never inside a number, as in viz/svg/label.c.
export function cut(name, room) {
  if (name.length <= room) return name;
  const near = (words) => words.slice(0, BACK + 1).search(BORDER);
  let tail = Math.floor((room - 1) / 3),
    head = room - 1 - tail;
  const back = near([...name.slice(0, head)].reverse().join('')),
    ahead = near(name.slice(name.length - tail));
  if (back >= 0 && back + 1 < head) head -= back;
  if (ahead >= 0 && ahead + 1 < tail) tail -= ahead;
  while (head > 0 && /[\d.]{2}/.test(name.slice(head - 1, head + 1))) head--;
  const at = () => name.length - tail;
  while (tail > 0 && /[\d.]{2}/.test(name.slice(at() - 1, at() + 1))) tail--;
  return `${name.slice(0, head)}…${tail > 0 ? name.slice(-tail) : ''}`;
}

export const plural = (count, word) => `${grouped(count)} ${word}${Number(count) === 1 ? '' : 's'}`;
