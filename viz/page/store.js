// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan's JSON says about its buffers, as a list of objects or, for large plans, by column
// (src/formats/json/columns.h).  Sizes, offsets and times become typed arrays.
//
// Integers beyond 2^53 are strings here, so that no digit is lost.
const LARGE = 2 ** 31;

// The smallest array for whole numbers, of which -1 may be one.
export function narrow(values) {
  for (let i = 0; i < values.length; i++) if (values[i] >= LARGE) return values;
  return new Int32Array(values);
}

// A list as numbers: {values, exact}, with those beyond 2^53 in a map.
function numbers(list) {
  const values = new Float64Array(list.length),
    exact = new Map();
  for (let i = 0; i < list.length; i++) {
    const one = list[i];
    values[i] = one;
    if (typeof one === 'string') exact.set(i, BigInt(one));
  }
  return {values: narrow(values), exact};
}

// All ranges, buffer by buffer: those of buffer i are begins[i] .. begins[i + 1] - 1, or i if
// each buffer has one.
function rangesOf(count, starts, ends, lifetimes) {
  if (lifetimes === null)
    return {begins: null, start: numbers(starts).values, end: numbers(ends).values};
  const begins = new Uint32Array(count + 1),
    start = [],
    end = [];
  lifetimes.forEach((ranges, i) => {
    for (const [from, to] of ranges ?? [[starts[i], ends[i]]]) {
      start.push(from);
      end.push(to);
    }
    begins[i + 1] = start.length;
  });
  return {
    begins: start.length === count ? null : begins,
    start: numbers(start).values,
    end: numbers(end).values,
  };
}

// A column of chunks, which forget it.
function joined(chunks, key, lengths) {
  return chunks.flatMap((chunk, c) => {
    const values = chunk[key] ?? new Array(lengths[c]).fill(null);
    delete chunk[key];
    return values;
  });
}

// The columns of a plan; column(key) is null if no buffer has the key.  A large plan has each only once.
function columnsOf({columns, buffers}) {
  if (buffers)
    return (key) =>
      buffers.some((buffer) => buffer[key] !== undefined)
        ? buffers.map((buffer) => buffer[key])
        : null;
  const lengths = columns.map((chunk) => chunk.name.length);
  return (key) => (columns.some((chunk) => key in chunk) ? joined(columns, key, lengths) : null);
}

// What a plan has instead of objects: {count, size, offset, ranges} and, for buffer i, name(i),
// value(i, key) and lifetimes(i); has(key) tells whether any buffer has a key, and codes(key,
// code) has a small number for each buffer's value.
export function of(plan) {
  const read = columnsOf(plan),
    kept = new Map();
  const column = (key) => {
    if (!kept.has(key)) kept.set(key, read(key));
    return kept.get(key);
  };
  const names = column('name') ?? [],
    count = names.length,
    [starts, ends, lifetimes] = ['start', 'end', 'lifetimes'].map(read);
  return {
    count,
    size: numbers(read('size') ?? []),
    offset: numbers(read('offset') ?? []),
    ranges: rangesOf(count, starts ?? [], ends ?? [], lifetimes),
    name: (i) => names[i],
    value: (i, key) => column(key)?.[i] ?? undefined,
    codes(key, code) {
      const codes = new Uint8Array(count),
        list = column(key);
      for (let i = 0; i < count; i++) codes[i] = code(list?.[i]);
      return codes;
    },
    has: (key) => column(key)?.some((value) => (value ?? '') !== '') ?? false,
    lifetimes: (i) => lifetimes?.[i] ?? [[starts[i], ends[i]]],
  };
}

// A store whose buffers are those of `like`, but with the offsets, risks, objects and pools of a
// layout (src/formats/json/plan.h).
export function withLayout(like, {offsets, risks, objects, pools}, names) {
  const own = {
    risk: (i) => names.risks[risks[i]],
    object: (i) => objects?.[i],
    pool: (i) => (pools ? names.pools[pools[i]] : undefined),
  };
  return {
    ...like,
    offset: numbers(offsets),
    value: (i, key) => (own[key] ? own[key](i) : like.value(i, key)),
    has: (key) => (own[key] ? like.count > 0 && own[key](0) !== undefined : like.has(key)),
  };
}
