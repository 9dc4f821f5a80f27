// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of the model: which one makes a buffer, which ones read it, and which one runs at a
// moment.  Operator k runs during [k, k + 1).
const operators = (() => {
  // For each buffer the operator that makes it, or -1, and those that read it, in order.
  function index(m) {
    if (m.operatorIndex) return m.operatorIndex;
    const list = model.operators(m) ?? [],
      makers = new Int32Array(m.count).fill(-1),
      readers = new Map();
    list.forEach(({reads, makes}, k) => {
      for (const i of makes) if (makers[i] < 0) makers[i] = k;
      for (const i of new Set(reads)) {
        if (!readers.has(i)) readers.set(i, []);
        readers.get(i).push(k);
      }
    });
    return (m.operatorIndex = {list, makers, readers});
  }

  const has = (m) => index(m).list.length > 0;

  // The operator that makes buffer i; null if none does.
  function maker(m, i) {
    const k = index(m).makers[i];
    return k < 0 ? null : k;
  }

  const readers = (m, i) => index(m).readers.get(i) ?? [];

  // "CONV_2D conv1": the type and the name of operator k.
  function title(m, k) {
    const {type, name} = index(m).list[k];
    return [type, name].filter((words) => words).join(' ') || `operator ${text.grouped(k)}`;
  }

  return {has, maker, readers, title};
})();
