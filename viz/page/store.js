// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan's JSON says about its buffers, read from a list of objects or, for large plans, from
// blocks of columns (src/formats/json/blocks.h).  Columns become typed arrays; strings are made
// when they are asked for, so that a million buffers are not a million objects.
//
// Integers beyond 2^53 are strings here, so that no digit is lost.
const store = (() => {
  const CACHED = 16; // blocks with decoded names
  const SHARED_MOST = 255;
  const LARGE = 2 ** 31;
  const {MAX_SAFE_INTEGER} = Number;

  const torn = (what) => new Error(`the plan's blocks are damaged: ${what}`);

  // The smallest array for whole numbers, of which -1 may be one.
  function narrow(values) {
    for (let i = 0; i < values.length; i++) if (values[i] >= LARGE) return values;
    return new Int32Array(values);
  }

  // ------------------------------------------------------------ packed numbers

  const bytesOf = Uint8Array.fromBase64
    ? (packed) => Uint8Array.fromBase64(packed)
    : (packed) => Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));

  // Unpacks `count` numbers into `values` from `at` on; false if one needs more digits than a double
  // has.
  function unpackFast(bytes, differ, count, values, at) {
    let k = 0,
      sum = 0;
    for (let i = 0; i < count; i++) {
      let byte = bytes[k++],
        value = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) {
        if (scale > 2 ** 42) return false;
        byte = bytes[k++];
        value += (byte & 127) * scale;
      }
      if (differ) {
        sum += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
        value = sum;
      }
      if (value > MAX_SAFE_INTEGER) return false;
      values[at + i] = value;
    }
    if (k !== bytes.length) throw torn('packed numbers');
    return true;
  }

  function unpackExact(bytes, differ, count, values, at, exact) {
    let k = 0,
      sum = 0n;
    for (let i = 0; i < count; i++) {
      let value = 0n,
        byte = 128;
      for (let shift = 0n; byte > 127; shift += 7n) {
        byte = bytes[k++];
        if (byte === undefined) throw torn('packed numbers');
        value |= BigInt(byte & 127) << shift;
      }
      if (differ) value = sum += value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
      values[at + i] = Number(value);
      if (value > MAX_SAFE_INTEGER) exact?.set(at + i, value);
    }
    if (k !== bytes.length) throw torn('packed numbers');
  }

  function unpack(packed, differ, count, values, at = 0, exact = null) {
    const bytes = bytesOf(packed);
    if (!unpackFast(bytes, differ, count, values, at))
      unpackExact(bytes, differ, count, values, at, exact);
    return values;
  }

  const numbersOf = (column, count, values, at, exact) =>
    unpack(column.deltas ?? column.numbers, 'deltas' in column, count, values, at, exact);

  // The index of `values` for each buffer.
  const indexOf = (column, count) =>
    column.index === undefined
      ? new Uint16Array(count).fill(1)
      : unpack(column.index, false, count, new Uint16Array(count));

  // ------------------------------------------------------------ blocks

  // The strings of a block.
  function textsOf(column, count) {
    if (column.values) {
      const index = indexOf(column, count);
      return Array.from(index, (k) => column.values[k - 1]);
    }
    const shared = unpack(column.shared, false, count, new Uint16Array(count)),
      list = column.texts.split(column.between);
    if (list.length !== count) throw torn('texts');
    for (let i = 1; i < count; i++) {
      if (shared[i] > list[i - 1].length || shared[i] > SHARED_MOST) throw torn('texts');
      list[i] = list[i - 1].slice(0, shared[i]) + list[i];
    }
    return list;
  }

  // Values of the kind that a column of blocks may have at most once per buffer, as an index of one
  // list of values; null if no buffer has the key.
  function join(s, key) {
    if (!s.blocks.some(({columns}) => key in columns)) return null;
    const index = new Uint32Array(s.count),
      values = [],
      known = new Map();
    const placeOf = (value) => {
      const name = typeof value === 'object' ? JSON.stringify(value) : value;
      if (!known.has(name)) known.set(name, values.push(value));
      return known.get(name);
    };
    s.blocks.forEach(({count, columns}, b) => {
      const column = columns[key],
        first = s.begins[b];
      if (!column) return;
      if (column.values) {
        const places = Uint32Array.from([0, ...column.values.map(placeOf)]);
        indexOf(column, count).forEach((k, i) => (index[first + i] = places[k]));
      } else if (column.texts !== undefined)
        textsOf(column, count).forEach((value, i) => (index[first + i] = placeOf(value)));
      else {
        const exact = new Map(),
          numbers = numbersOf(column, count, new Float64Array(count), 0, exact);
        for (let i = 0; i < count; i++)
          index[first + i] = placeOf(exact.has(i) ? String(exact.get(i)) : numbers[i]);
      }
    });
    const least = values.length < 256 ? Uint8Array : values.length < 65536 ? Uint16Array : null;
    return {index: least ? least.from(index) : index, values};
  }

  // A key that all buffers have, as numbers: {values, exact}, with those beyond 2^53 in a map.
  function wholeColumn(s, key) {
    const values = new Float64Array(s.count),
      exact = new Map();
    s.blocks.forEach(({count, columns}, b) => {
      const column = columns[key];
      if (!column) throw torn(key);
      if (column.values) {
        const index = indexOf(column, count);
        for (let i = 0; i < count; i++) {
          const value = column.values[index[i] - 1],
            at = s.begins[b] + i;
          values[at] = Number(value);
          if (typeof value === 'string') exact.set(at, BigInt(value));
        }
      } else numbersOf(column, count, values, s.begins[b], exact);
    });
    return {values: narrow(values), exact};
  }

  // All ranges, buffer by buffer: those of buffer i are begins[i] .. begins[i + 1] - 1, or i if
  // each buffer has one.
  function rangesOf(s) {
    const counts = new Uint32Array(s.count).fill(1);
    s.blocks.forEach(({count, columns}, b) => {
      const packed = columns.lifetimes?.counts;
      if (packed !== undefined) unpack(packed, false, count, counts, s.begins[b]);
    });
    const begins = new Uint32Array(s.count + 1);
    for (let i = 0; i < s.count; i++) begins[i + 1] = begins[i] + counts[i];
    const total = begins[s.count],
      start = new Float64Array(total),
      end = new Float64Array(total),
      exactStart = new Map(),
      exactEnd = new Map();
    s.blocks.forEach(({count, columns}, b) => {
      if (!columns.lifetimes) throw torn('lifetimes');
      const {starts, durations} = columns.lifetimes,
        at = begins[s.begins[b]],
        most = begins[s.begins[b] + count] - at;
      numbersOf(starts, most, start, at, exactStart);
      numbersOf(durations, most, end, at, exactEnd);
      for (let k = at; k < at + most; k++) {
        if (exactStart.has(k) || exactEnd.has(k) || end[k] + start[k] > MAX_SAFE_INTEGER) {
          const exact =
            (exactStart.get(k) ?? BigInt(start[k])) + (exactEnd.get(k) ?? BigInt(end[k]));
          exactEnd.set(k, exact);
          end[k] = Number(exact);
        } else end[k] += start[k];
      }
    });
    return {
      begins: total === s.count ? null : begins,
      start: narrow(start),
      end: narrow(end),
      exactStart,
      exactEnd,
    };
  }

  // The number of the block with buffer i; all blocks but the last are usually full.
  function blockOf(s, i) {
    let b = Math.min(s.blocks.length - 1, Math.floor(i / s.blocks[0].count));
    while (i < s.begins[b]) b--;
    while (i >= s.begins[b + 1]) b++;
    return b;
  }

  function ofBlocks(blocks) {
    const begins = new Uint32Array(blocks.length + 1);
    blocks.forEach(({count}, b) => (begins[b + 1] = begins[b] + count));
    const s = {blocks, begins, count: begins[blocks.length]},
      joined = new Map(),
      cache = new Array(CACHED).fill(null);
    const size = wholeColumn(s, 'size'),
      offset = wholeColumn(s, 'offset');
    const ranges = rangesOf(s);
    const column = (key) => {
      if (!joined.has(key)) {
        joined.set(key, join(s, key));
        for (const {columns} of blocks) delete columns[key]; // no longer needed
      }
      return joined.get(key);
    };
    const names = (b) => {
      if (cache[b % CACHED]?.b !== b)
        cache[b % CACHED] = {b, list: textsOf(blocks[b].columns.name, blocks[b].count)};
      return cache[b % CACHED].list;
    };
    for (const {columns} of blocks)
      for (const key of ['size', 'offset', 'lifetimes']) delete columns[key];
    const shown = (exact, values, k) => (exact.has(k) ? String(exact.get(k)) : values[k]);
    return {
      count: s.count,
      size,
      offset,
      ranges,
      name(i) {
        const b = blockOf(s, i);
        return names(b)[i - begins[b]];
      },
      value(i, key) {
        const all = column(key),
          k = all === null ? 0 : all.index[i];
        return k === 0 ? undefined : all.values[k - 1];
      },
      // For each buffer what `code` makes of its value.
      codes(key, code) {
        const all = column(key);
        if (all === null) return new Uint8Array(s.count).fill(code(undefined));
        const table = Uint8Array.from([undefined, ...all.values], code);
        return Uint8Array.from(all.index, (k) => table[k]);
      },
      has: (key) => column(key)?.values.some((value) => value !== '') ?? false,
      lifetimes(i) {
        const list = [],
          stop = ranges.begins ? ranges.begins[i + 1] : i + 1;
        for (let k = ranges.begins ? ranges.begins[i] : i; k < stop; k++)
          list.push([
            shown(ranges.exactStart, ranges.start, k),
            shown(ranges.exactEnd, ranges.end, k),
          ]);
        return list;
      },
    };
  }

  // ------------------------------------------------------------ a list of objects

  function listColumn(list, key) {
    const exact = new Map(),
      values = new Float64Array(list.length);
    list.forEach((buffer, i) => {
      values[i] = Number(buffer[key]);
      if (typeof buffer[key] === 'string') exact.set(i, BigInt(buffer[key]));
    });
    return {values: narrow(values), exact};
  }

  function ofList(list) {
    const begins = new Uint32Array(list.length + 1);
    list.forEach(({lifetimes}, i) => (begins[i + 1] = begins[i] + lifetimes.length));
    const start = new Float64Array(begins[list.length]),
      end = new Float64Array(begins[list.length]);
    let k = 0;
    for (const {lifetimes} of list)
      for (const range of lifetimes) {
        start[k] = Number(range[0]);
        end[k++] = Number(range[1]);
      }
    return {
      count: list.length,
      size: listColumn(list, 'size'),
      offset: listColumn(list, 'offset'),
      ranges: {begins: k === list.length ? null : begins, start: narrow(start), end: narrow(end)},
      name: (i) => list[i].name,
      value: (i, key) => list[i][key],
      codes: (key, code) => Uint8Array.from(list, (buffer) => code(buffer[key])),
      has: (key) => list.some((buffer) => buffer[key] !== undefined && buffer[key] !== ''),
      lifetimes: (i) => list[i].lifetimes,
    };
  }

  // What a plan has instead of objects: {count, size, offset, ranges} and, for buffer i, name(i),
  // value(i, key) and lifetimes(i); has(key) tells whether any buffer has a key, and codes(key,
  // code) has a small number for each buffer's value.
  function of(plan) {
    if (Array.isArray(plan.blocks) && !plan.buffers) return ofBlocks(plan.blocks);
    return ofList(plan.buffers);
  }

  const numbersIn = (packed, count, type) => unpack(packed, false, count, new type(count));

  // A store whose buffers are those of `like`, but with the offsets, risks, objects and pools of a
  // layout.
  function withLayout(like, {offsets, risks, objects, pools}, names) {
    const {count} = like,
      exact = new Map(),
      values = unpack(offsets, true, count, new Float64Array(count), 0, exact);
    const list = (packed) => (packed === undefined ? null : numbersIn(packed, count, Uint32Array)),
      [riskOf, objectOf, poolOf] = [risks, objects, pools].map(list);
    const own = {
      risk: (i) => names.risks[riskOf[i]],
      object: (i) => objectOf?.[i],
      pool: (i) => (poolOf ? names.pools[poolOf[i]] : undefined),
    };
    return {
      ...like,
      offset: {values: narrow(values), exact},
      value: (i, key) => (own[key] ? own[key](i) : like.value(i, key)),
      has: (key) => (own[key] ? count > 0 && own[key](0) !== undefined : like.has(key)),
    };
  }

  return {of, narrow, numbersIn, withLayout};
})();
