// SPDX-License-Identifier: GPL-3.0-or-later
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

// Whether a number in a value may have more than 15 digits.
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

// The chunks whose lines begin at `at`, and where the line after them does.
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

// Parses what a block of a page has unpacked to.
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
