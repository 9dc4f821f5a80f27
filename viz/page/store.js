// SPDX-License-Identifier: GPL-3.0-or-later
// The buffers in a plan's JSON, which is a list of objects or, for large plans, by column
// (src/files/json/columns.h).  Sizes, offsets and times become typed arrays.
//
// Integers beyond 2^53 are strings here, so that no digit is lost.
const LARGE = 2 ** 31;

// The array of the smallest type that holds these whole numbers, including -1.
export function narrow(values) {
  for (let i = 0; i < values.length; i++) if (values[i] >= LARGE) return values;
  return new Int32Array(values);
}

// Joins lists of numbers: {values, exact}, with integers beyond 2^53 also in the map `exact`.
function numbers(lists) {
  const exact = new Map();
  let values = new Int32Array(lists.reduce((sum, {length}) => sum + length, 0)),
    isNarrow = true,
    i = 0;
  for (const list of lists)
    for (let k = 0; k < list.length; k++, i++) {
      const one = list[k];
      if (isNarrow && one >= LARGE) {
        values = new Float64Array(values);
        isNarrow = false;
      }
      values[i] = one;
      if (typeof one === 'string') exact.set(i, BigInt(one));
    }
  return {values, exact};
}

const valueAt = ({values, exact}, k) => exact.get(k) ?? values[k];

// All ranges, buffer by buffer: those of buffer i are begins[i] .. begins[i + 1] - 1; without
// `begins`, each buffer has one range, i.
function readRanges(rows) {
  const [starts, ends, lifetimes] = ['start', 'end', 'lifetimes'].map(rows.take);
  if (lifetimes === null)
    return {begins: null, start: numbers(starts ?? []), end: numbers(ends ?? [])};
  const begins = new Uint32Array(rows.count + 1),
    start = [],
    end = [];
  let i = 0;
  lifetimes.forEach((list, c) =>
    list.forEach((ranges, k) => {
      for (const [from, to] of ranges ?? [[starts[c][k], ends[c][k]]]) {
        start.push(from);
        end.push(to);
      }
      begins[++i] = start.length;
    }),
  );
  return {
    begins: start.length === rows.count ? null : begins,
    start: numbers([start]),
    end: numbers([end]),
  };
}

const isEmpty = (value) => (value ?? '') === '';

// A list of objects as a chunk of columns.
function columnsOf(list) {
  const keys = new Set(list.flatMap(Object.keys)).add('size');
  return Object.fromEntries([...keys].map((key) => [key, list.map((object) => object[key])]));
}

// The rows of columns, in chunks: their count, at(i, key), has(key), and take(key): lists of the
// values in all rows, null if there are none, which are not read again.
function rowsOf(chunks) {
  const keys = new Set(chunks.flatMap(Object.keys)),
    begins = [0];
  for (const {size} of chunks) begins.push(begins.at(-1) + size.length);
  let at = 0; // the last chunk read
  return {
    count: begins.at(-1),
    has: (key) => chunks.some((chunk) => !(chunk[key]?.every(isEmpty) ?? true)),
    at(i, key) {
      if (!keys.has(key)) return undefined;
      while (i < begins[at]) at--;
      while (i >= begins[at + 1]) at++;
      return chunks[at][key]?.[i - begins[at]];
    },
    take(key) {
      if (!chunks.some((chunk) => key in chunk)) return null;
      return chunks.map((chunk, c) => {
        const list = chunk[key] ?? new Array(begins[c + 1] - begins[c]).fill(null);
        delete chunk[key];
        return list;
      });
    },
  };
}

// What a plan has instead of objects: {count, size, offset, ranges} and, for buffer i, name(i),
// value(i, key) and lifetimes(i); has(key) tells whether any buffer has a key, and codes(key,
// code) has a small number for each buffer's value.
export function of(plan) {
  const rows = rowsOf(plan.columns ?? [columnsOf(plan.buffers)]),
    {count} = rows,
    {begins, start, end} = readRanges(rows),
    value = (i, key) => rows.at(i, key) ?? undefined,
    range = (k) => [valueAt(start, k), valueAt(end, k)];
  return {
    count,
    size: numbers(rows.take('size') ?? []),
    offset: numbers(rows.take('offset') ?? []),
    ranges: {begins, start: start.values, end: end.values},
    name: (i) => rows.at(i, 'name'),
    value,
    codes(key, code) {
      const codes = new Uint8Array(count).fill(code(undefined));
      let i = 0;
      for (const list of rows.take(key) ?? []) for (const one of list) codes[i++] = code(one);
      return codes;
    },
    has: rows.has,
    lifetimes: (i) =>
      begins
        ? Array.from({length: begins[i + 1] - begins[i]}, (_, k) => range(begins[i] + k))
        : [range(i)],
  };
}

// A store whose buffers are those of `like`, but with the offsets, risks, objects and pools of a
// layout (src/files/json/plan.h).
export function withLayout(like, {offsets, risks, objects, pools}, names) {
  const own = {
    risk: (i) => names.risks[risks[i]],
    object: (i) => objects?.[i],
    pool: (i) => (pools ? names.pools[pools[i]] : undefined),
  };
  return {
    ...like,
    offset: numbers([offsets]),
    value: (i, key) => (own[key] ? own[key](i) : like.value(i, key)),
    has: (key) => (own[key] ? like.count > 0 && own[key](0) !== undefined : like.has(key)),
  };
}

// ------------------------------------------------------------ JSON

// JSON, and in it the columns of large plans (src/files/json/columns.h).  neap writes each column
// of a chunk on a line of its own.  Such a line is parsed when it is needed: of a million names,
// few ever are.
const OPENING = '\n  "columns": [\n',
  OPENING_MOST = 1 << 20, // bytes before it
  LINE = /^ {4}[{ ]"(\w+)": (?=\[)/,
  LINE_MOST = 200, // bytes before the values of a line
  [NEWLINE, BRACKET, BRACE] = [...'\n]}'].map((sign) => sign.charCodeAt(0)),
  TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*/g,
  decoder = new TextDecoder();

// Whether a value may contain a number of more than 15 digits.
function isWide(value) {
  if (typeof value === 'number') return !(Math.abs(value) < 1e15);
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value)) return Object.values(value).some(isWide);
  for (let k = 0; k < value.length; k++) {
    const one = value[k];
    if (typeof one === 'number' ? !(Math.abs(one) < 1e15) : isWide(one)) return true;
  }
  return false;
}

// JSON in which integers of more than 15 digits become strings.
export function decode(source) {
  const found = JSON.parse(source);
  if (!isWide(found)) return found;
  const quoted = (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token);
  return JSON.parse(source.replace(TOKEN, quoted));
}

// Gives a chunk a column that is parsed when it is first read.
function define(chunk, key, bytes) {
  const get = () => {
    const value = decode(decoder.decode(bytes));
    Object.defineProperty(chunk, key, {value});
    return value;
  };
  Object.defineProperty(chunk, key, {get, configurable: true, enumerable: true});
}

// The chunks whose lines begin at `at`, and the position of the line after them.
function readChunks(bytes, at) {
  const chunks = [];
  let chunk = {};
  for (let line; (line = LINE.exec(decoder.decode(bytes.subarray(at, at + LINE_MOST))));) {
    const stop = bytes.indexOf(NEWLINE, at),
      end = bytes.lastIndexOf(BRACKET, stop) + 1;
    define(chunk, line[1], bytes.slice(at + line[0].length, end));
    if (bytes[end] === BRACE) {
      chunks.push(chunk);
      chunk = {};
    }
    at = stop + 1;
  }
  return {chunks, at};
}

// Parses the unpacked content of a block of a page.
export function parse(bytes) {
  const head = decoder.decode(bytes.subarray(0, OPENING_MOST)),
    opening = head.indexOf(OPENING);
  if (opening < 0) return decode(decoder.decode(bytes));
  const start = new TextEncoder().encode(head.slice(0, opening)).length + OPENING.length,
    {chunks, at} = readChunks(bytes, start),
    plan = decode(head.slice(0, opening) + OPENING + decoder.decode(bytes.subarray(at)));
  plan.columns.unshift(...chunks);
  return plan;
}
