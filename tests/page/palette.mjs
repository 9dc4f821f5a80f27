// SPDX-License-Identifier: GPL-3.0-or-later
// Makes screenshots small: rewrites a PNG of 8 bits per channel, as Chromium writes them, with a
// palette.  The palette has the 256 most frequent colours after rounding each channel to four bits;
// every other colour becomes the nearest of them.
import {deflateSync, inflateSync} from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const COLOURS = 256;

function* chunks(png) {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield {
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    };
    at += 12 + length;
  }
}

const paeth = (a, b, c) => {
  const [p, q, r] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return p <= q && p <= r ? a : q <= r ? b : c;
};

// The bytes of all rows, without the filters (PNG specification, section 9).
function unfilter(raw, across, down, size) {
  const stride = across * size,
    rows = Buffer.alloc(stride * down);
  for (let y = 0; y < down; y++) {
    const kind = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x,
        left = x >= size ? rows[at - size] : 0,
        up = y > 0 ? rows[at - stride] : 0,
        corner = x >= size && y > 0 ? rows[at - stride - size] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind];
      rows[at] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return rows;
}

function read(png) {
  const all = [...chunks(png)],
    head = all[0].data,
    across = head.readUInt32BE(0),
    down = head.readUInt32BE(4),
    size = head[9] === 6 ? 4 : 3;
  const packed = Buffer.concat(all.filter(({type}) => type === 'IDAT').map(({data}) => data));
  return {across, down, size, rows: unfilter(inflateSync(packed), across, down, size)};
}

const keyOf = (rows, at) =>
  ((rows[at] >> 4) << 8) | ((rows[at + 1] >> 4) << 4) | (rows[at + 2] >> 4);

// The colours of a palette, each the mean of those that round to it, and which one each rounded
// colour becomes.
function choose({rows, size}) {
  const groups = new Map();
  for (let at = 0; at < rows.length; at += size) {
    const key = keyOf(rows, at);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = {count: 0, sums: [0, 0, 0]}));
    group.count++;
    for (let c = 0; c < 3; c++) group.sums[c] += rows[at + c];
  }
  for (const group of groups.values())
    group.colour = group.sums.map((sum) => Math.round(sum / group.count));
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count),
    palette = sorted.slice(0, COLOURS).map(({colour}) => colour),
    distance = (a, b) => a.reduce((sum, value, c) => sum + (value - b[c]) ** 2, 0);
  const places = new Map();
  for (const [key, {colour}] of groups) {
    let best = 0;
    for (let k = 1; k < palette.length; k++)
      if (distance(palette[k], colour) < distance(palette[best], colour)) best = k;
    places.set(key, best);
  }
  return {palette, places};
}

// The checksum of a chunk (PNG specification, annex D).
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]),
    length = Buffer.alloc(4),
    check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

export function reduce(png) {
  const image = read(png),
    {across, down, size, rows} = image,
    {palette, places} = choose(image);
  const head = Buffer.alloc(13),
    raw = Buffer.alloc((across + 1) * down);
  head.writeUInt32BE(across, 0);
  head.writeUInt32BE(down, 4);
  head[8] = 8; // bits
  head[9] = 3; // with a palette
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++)
      raw[y * (across + 1) + 1 + x] = places.get(keyOf(rows, (y * across + x) * size));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(raw, {level: 9})),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
