// SPDX-License-Identifier: GPL-3.0-or-later
// Finds buffers by name: a hash table of their numbers, without the names themselves.
const names = (() => {
  function hash(name) {
    let h = 0x811c9dc5;
    for (let k = 0; k < name.length; k++) h = Math.imul(h ^ name.charCodeAt(k), 0x01000193);
    return (h ^ (h >>> 15)) >>> 0;
  }

  // `nameOf(i)` is the name of buffer i.  Names that differ in their hash are never compared.
  function index(count, nameOf) {
    let slots = 16;
    while (slots < 2 * count) slots *= 2;
    const table = new Int32Array(slots).fill(-1),
      hashes = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      hashes[i] = hash(nameOf(i));
      let slot = hashes[i] & (slots - 1);
      while (table[slot] >= 0) slot = (slot + 1) & (slots - 1);
      table[slot] = i;
    }
    return {table, hashes};
  }

  // The first buffer of that name, or undefined.
  function find({table, hashes}, nameOf, wanted) {
    const h = hash(wanted),
      last = table.length - 1;
    for (let slot = h & last; table[slot] >= 0; slot = (slot + 1) & last)
      if (hashes[table[slot]] === h && nameOf(table[slot]) === wanted) return table[slot];
    return undefined;
  }

  return {index, find};
})();
