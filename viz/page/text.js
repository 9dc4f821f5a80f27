// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them.
const text = (() => {
  const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

  // A number of the plan without loss: long ones are kept as their digits.
  const exact = (value) => BigInt(value);

  const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

  // "1.50 MiB": the largest unit that leaves at least 1.
  function bytes(value) {
    let number = Number(value),
      unit = 0;
    while (Math.abs(number) >= 1024 && unit < UNITS.length - 1) {
      number /= 1024;
      unit++;
    }
    return `${unit === 0 ? Math.round(number) : number.toFixed(2)} ${UNITS[unit]}`;
  }

  // For axes, whose steps are powers of two: no more places than needed.
  function tick(value, step) {
    let unit = 0,
      scale = 1;
    while (Math.abs(value) >= scale * 1024 && unit < UNITS.length - 1) {
      scale *= 1024;
      unit++;
    }
    const places = Math.max(0, Math.min(3, Math.ceil(Math.log10(scale / step))));
    return `${Number((value / scale).toFixed(places))} ${UNITS[unit]}`;
  }

  const hex = (value) => `0x${BigInt(value).toString(16)}`;

  function percent(share) {
    const number = 100 * share;
    if (number > 0 && number < 0.01) return 'under 0.01 %';
    return `${Number(number.toFixed(2))} %`;
  }

  // The beginning and the end of a long name.
  function cut(name, room) {
    if (name.length <= room) return name;
    const tail = Math.floor((room - 1) / 3);
    return `${name.slice(0, room - 1 - tail)}…${tail > 0 ? name.slice(-tail) : ''}`;
  }

  const plural = (count, word) => `${grouped(count)} ${word}${Number(count) === 1 ? '' : 's'}`;

  return {exact, grouped, bytes, tick, hex, percent, cut, plural};
})();
