// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of rectangles: a table of one 32-bit pixel each for the face and one for the edge, made
// anew when the theme, the mode or the search changes.  The colours themselves are CSS variables.
const colour = (() => {
  const CATEGORIES = 9; // and one for all others
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function rgb(name) {
    const number = parseInt(css(name).slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
  }

  // As in the memory of an image on a little-endian machine, which is what browsers run on.
  const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  const mix = (a, b, share) => a.map((v, k) => Math.round(v + (b[k] - v) * share));
  const hexOf = (parts) => `#${parts.map((v) => v.toString(16).padStart(2, '0')).join('')}`;

  // ------------------------------------------------------------ scales

  function ramp(share) {
    const stops = [0, 1, 2, 3, 4].map((k) => rgb(`--ramp-${k}`));
    const at = Math.max(0, Math.min(0.9999, share)) * 4,
      k = Math.floor(at);
    return mix(stops[k], stops[k + 1], at - k);
  }

  const RAMP_STEPS = 64;

  function logScale(values, show) {
    let low = Infinity,
      high = 0;
    for (const value of values)
      if (value > 0) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    if (high === 0) low = high = 1;
    const span = Math.log(high / low) || 1;
    const steps = Array.from({length: RAMP_STEPS}, (_, k) => ramp(k / (RAMP_STEPS - 1)));
    const of = (i) =>
      steps[
        Math.round(
          Math.max(0, Math.min(1, Math.log(Math.max(values[i], low) / low) / span)) *
            (RAMP_STEPS - 1),
        )
      ];
    const legend = [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      colour: ramp(share),
      label: show(Math.exp(Math.log(low) + share * span)),
    }));
    return {of, legend: high === low ? legend.slice(0, 1) : legend, ordered: true};
  }

  // The groups with most bytes have colours of their own.
  function categories(m, groupOf) {
    const bytes = new Map();
    for (let i = 0; i < m.count; i++)
      bytes.set(groupOf(i), (bytes.get(groupOf(i)) ?? 0) + m.size[i]);
    const names = [...bytes.keys()].sort((a, b) => bytes.get(b) - bytes.get(a) || (a < b ? -1 : 1));
    const index = new Map(names.map((name, k) => [name, Math.min(k, CATEGORIES)]));
    const faces = Array.from({length: CATEGORIES + 1}, (_, k) => rgb(`--group-${k}`));
    const legend = names
      .slice(0, CATEGORIES)
      .map((name, k) => ({colour: faces[k], label: name || '(none)'}));
    if (names.length > CATEGORIES)
      legend.push({colour: faces[CATEGORIES], label: `${names.length - CATEGORIES} others`});
    return {of: (i) => faces[index.get(groupOf(i))], legend};
  }

  function byRisk(m) {
    const faces = model.RISKS.map((risk) => rgb(`--risk-${risk}`)),
      counts = [0, 0, 0, 0];
    for (const risk of m.risk) counts[risk]++;
    const legend = model.RISKS.map((risk, k) => ({
      colour: faces[k],
      label: `${risk} ${text.grouped(counts[k])}`,
    }));
    return {of: (i) => faces[m.risk[i]], legend: legend.reverse()};
  }

  // "conv1/weights" and "conv1/bias" are of group conv1; "conv_1" and "conv_2" of conv; numbers
  // of none.
  function prefix(name) {
    const cut = name.slice(0, 200).search(/[/.:]/);
    return cut > 0 ? name.slice(0, cut) : name.slice(0, 200).replace(/[-_#\s]*\d+$/, '');
  }

  function byMove(m, app) {
    const kinds = {moved: rgb('--moved'), still: rgb('--still'), alone: rgb('--alone')};
    const {moved, alone} = compare.marks(m, app);
    const count = (marks) => text.grouped(marks.reduce((a, b) => a + b, 0));
    return {
      of: (i) => (moved[i] ? kinds.moved : alone[i] ? kinds.alone : kinds.still),
      legend: [
        {colour: kinds.moved, label: `moved ${count(moved)}`},
        {colour: kinds.still, label: 'where it was'},
        {colour: kinds.alone, label: `in this plan only ${count(alone)}`},
      ],
    };
  }

  // What a buffer is coloured by: its label, whether a plan has it, and the scale.
  const MODES = {
    risk: {label: 'class of risk', offered: () => true, scale: byRisk},
    size: {label: 'size', offered: () => true, scale: (m) => logScale(m.size, text.bytes)},
    lifetime: {
      label: 'lifetime',
      offered: () => true,
      scale: (m) =>
        logScale(
          m.last.map((t, i) => t - m.first[i]),
          (value) => text.grouped(Math.round(value)),
        ),
    },
    hint: {
      label: 'operator',
      offered: (m) => m.raw.some((b) => b.hint),
      scale: (m) => categories(m, (i) => m.raw[i].hint ?? ''),
    },
    group: {
      label: 'group (name)',
      offered: () => true,
      scale: (m) => categories(m, (i) => prefix(m.names[i])),
    },
    object: {
      label: 'shared object',
      offered: (m) => m.raw.some((b) => b.object !== undefined),
      scale: (m) => categories(m, (i) => `object ${m.raw[i].object ?? '(none)'}`),
    },
    moved: {label: 'moved or not', offered: (m, app) => Boolean(app.other), scale: byMove},
  };

  // ------------------------------------------------------------ the table

  // Fills app.paint: {face, edge, legend}.  Buffers that the search does not match fade.
  function refresh(app) {
    const {m} = app,
      ground = rgb('--panel'),
      ink = rgb('--ink');
    const scale = MODES[app.colourBy].scale(m, app);
    const face = new Uint32Array(m.rectCount),
      edge = new Uint32Array(m.rectCount),
      known = new Map();
    for (let r = 0; r < m.rectCount; r++) {
      const i = m.rectBuffer[r],
        parts = scale.of(i),
        faded = app.matched && !app.matched[i];
      const key = (parts[0] << 17) | (parts[1] << 9) | (parts[2] << 1) | (faded ? 1 : 0);
      let pair = known.get(key);
      if (!pair) {
        const shade = faded ? mix(parts, ground, 0.82) : parts;
        pair = [pixel(shade), pixel(mix(mix(shade, ground, 0.35), ink, faded ? 0.06 : 0.22))];
        known.set(key, pair);
      }
      face[r] = pair[0];
      edge[r] = pair[1];
    }
    app.paint = {
      face,
      edge,
      legend: scale.legend.map(({colour: c, label}) => ({colour: hexOf(c), label})),
      ordered: Boolean(scale.ordered),
    };
  }

  return {css, MODES, refresh};
})();
