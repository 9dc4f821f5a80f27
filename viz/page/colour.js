// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of rectangles: tables with 32-bit pixels for each face and each edge, rebuilt when
// the theme, the colouring or the search changes.  The colours themselves are CSS variables.
//
// Groups, ramps and the default follow the same rules as viz/colouring.c.
const colour = (() => {
  const CATEGORIES = 10; // the last of which holds all smaller groups
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function rgb(name) {
    const number = parseInt(css(name).slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
  }

  // The layout of image memory on little-endian machines, which browsers run on.
  const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  const pixelOf = (name) => pixel(rgb(name));
  const mix = (a, b, share) => a.map((v, k) => Math.round(v + (b[k] - v) * share));
  const hexOf = (parts) => `#${parts.map((v) => v.toString(16).padStart(2, '0')).join('')}`;

  // ------------------------------------------------------------ scales

  const RAMP = 5; // colours

  // The next larger round number: a power of two for bytes, otherwise 1, 2 or 5 times a power of
  // ten.
  function nextRound(number, isBytes) {
    if (isBytes) return number * 2;
    const power = 10 ** Math.floor(Math.log10(number) + 1e-9);
    return power * [2, 5, 10].find((factor) => factor * power > number * (1 + 1e-9));
  }

  function roundUp(number, isBytes) {
    let round = 1;
    while (round < number) round = nextRound(round, isBytes);
    return round;
  }

  // Classes from small to large, at most RAMP of them, which end at round numbers.
  function ramp(values, isBytes) {
    let low = Infinity,
      high = 1;
    for (const value of values)
      if (value > 0) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    let edge = roundUp(Math.min(low, high), isBytes);
    const rounds = [edge];
    while (edge < high) rounds.push((edge = nextRound(edge, isBytes)));
    const steps = rounds.length,
      stride = Math.ceil(steps / RAMP),
      edges = [];
    for (let k = stride - 1; k < steps + stride - 1; k += stride) {
      while (rounds.length <= k) rounds.push(nextRound(rounds.at(-1), isBytes));
      edges.push(rounds[k]);
    }
    const last = Math.max(1, edges.length - 1);
    const faces = edges.map((_, k) => rgb(`--ramp-${Math.floor((k * (RAMP - 1)) / last)}`));
    const classOf = (i) => edges.findIndex((top) => values[i] <= top);
    const show = (value) => (isBytes ? text.round(value) : text.grouped(value));
    const counts = edges.map(() => 0);
    for (let i = 0; i < values.length; i++) counts[classOf(i)]++;
    return {
      of: (i) => faces[classOf(i)],
      legend: edges.map((top, k) => ({
        colour: faces[k],
        label: `up to ${show(top)}`,
        count: counts[k],
      })),
    };
  }

  // How many bytes, and how many buffers, each group has: the largest first.
  function weigh(m, groupOf) {
    const groups = new Map();
    for (let i = 0; i < m.count; i++) {
      const name = groupOf(i),
        group = groups.get(name) ?? {name, bytes: 0, count: 0};
      group.bytes += m.size[i];
      group.count++;
      groups.set(name, group);
    }
    return [...groups.values()].sort((a, b) => b.bytes - a.bytes);
  }

  // The groups with most bytes have a colour of their own, and all others share one.
  function categories(m, groupOf, none) {
    const groups = weigh(m, groupOf),
      own = groups.length <= CATEGORIES ? groups.length : CATEGORIES - 1;
    const faces = Array.from({length: CATEGORIES}, (_, k) => rgb(`--group-${k}`)),
      classOf = new Map(groups.map(({name}, k) => [name, k < own ? k : CATEGORIES - 1]));
    const legend = groups
      .slice(0, own)
      .map(({name, count}, k) => ({colour: faces[k], label: name || none, count}));
    if (own < groups.length)
      legend.push({
        colour: faces[CATEGORIES - 1],
        label: `${text.grouped(groups.length - own)} others`,
        count: groups.slice(own).reduce((sum, {count}) => sum + count, 0),
      });
    return {of: (i) => faces[classOf.get(groupOf(i))], legend};
  }

  function byRisk(m) {
    const faces = model.RISKS.map((risk) => rgb(`--risk-${risk}`)),
      counts = [0, 0, 0, 0];
    for (const risk of m.risk) counts[risk]++;
    const legend = model.RISKS.map((risk, k) => ({
      colour: faces[k],
      label: risk,
      count: counts[k],
      pattern: k,
    }));
    return {of: (i) => faces[m.risk[i]], legend: legend.reverse(), pattern: m.risk};
  }

  const PREFIX_MOST = 200; // characters of a name that can determine its group

  // The length of the prefix that all names share, up to its last separator, such as "model/".
  function commonStart(m) {
    if (m.count < 2) return 0;
    const first = model.name(m, 0);
    let common = Math.min(first.length, PREFIX_MOST);
    for (let i = 1; i < m.count && common > 0; i++) {
      const name = model.name(m, i);
      let same = 0;
      while (same < common && name[same] === first[same]) same++;
      common = same;
    }
    while (common > 0 && !/[/.:]/.test(first[common - 1])) common--;
    return common;
  }

  // "conv1/weights" and "conv1/bias" belong to conv1; "conv_1" and "conv_2" to conv; "12" to
  // none.
  function prefix(name, skipped) {
    const piece = name.slice(skipped, skipped + PREFIX_MOST),
      cut = piece.slice(1).search(/[/.:]/) + 1;
    return cut > 0 ? piece.slice(0, cut) : piece.replace(/[-_# ]*\d+$/, '');
  }

  function byName(m) {
    if (!m.prefixes) {
      const skipped = commonStart(m);
      m.prefixes = Array.from({length: m.count}, (_, i) => prefix(model.name(m, i), skipped));
    }
    return (i) => m.prefixes[i];
  }

  const byOperator = (m) => (i) => model.kind(m, i);

  const hasGroups = (m, groupOf) => {
    for (let i = 1; i < m.count; i++) if (groupOf(i) !== groupOf(0)) return true;
    return false;
  };

  // Risk explains rounds and a gap, but means nothing in an unsound plan.  In all other plans the
  // operator or the name tells more.
  function defaultFor(m) {
    const hasStory = (m.plan.rounds ?? []).length > 1 || m.peak > m.bound,
      sound = collisions.isSound(m);
    if (hasStory && sound) return 'risk';
    if (hasGroups(m, byOperator(m))) return 'operator';
    if (hasGroups(m, byName(m))) return 'name';
    return sound ? 'risk' : 'size';
  }

  // What became of each buffer from plan A to plan B; the counts are those of both plans.
  function byChange(m, app) {
    const {pair: p} = app,
      kinds = pair.kinds(p, m),
      faces = pair.KINDS.map((kind) => rgb(kind.colour));
    return {
      of: (i) => faces[kinds[i]],
      legend: pair.KINDS.map(({word, pattern}, k) => ({
        colour: faces[k],
        label: word,
        count: p.counts[k],
        pattern,
      })).filter(({count}, k) => count > 0 || k <= 1),
      pattern: kinds.map((kind) => pair.KINDS[kind].pattern),
    };
  }

  // The time that a buffer is alive, without gaps.
  function durations(m) {
    const sums = new Float64Array(m.count);
    for (let r = 0; r < m.rectCount; r++) sums[m.rectBuffer[r]] += m.rectEnd[r] - m.rectStart[r];
    return sums;
  }

  // The colourings: what the page calls each, which plans it is offered for, and its scale.
  const MODES = {
    risk: {label: 'class of risk', offered: () => true, scale: byRisk},
    operator: {
      label: 'operator',
      offered: (m) => model.hasKinds(m),
      scale: (m) => categories(m, byOperator(m), 'no operator'),
    },
    name: {
      label: 'name',
      offered: () => true,
      scale: (m) => categories(m, byName(m), 'other names'),
    },
    size: {label: 'size', offered: () => true, scale: (m) => ramp(m.size, true)},
    lifetime: {label: 'lifetime', offered: () => true, scale: (m) => ramp(durations(m), false)},
    object: {
      label: 'shared object',
      offered: (m) => model.hasObjects(m),
      scale: (m) =>
        categories(
          m,
          (i) => (model.object(m, i) === null ? '' : `object ${model.object(m, i)}`),
          'no object',
        ),
    },
    moved: {label: 'what changed', offered: (m, app) => Boolean(app.other), scale: byChange},
  };

  // ------------------------------------------------------------ the table

  // The matches of a search, a group that the tuner moved and, if selected, the critical stack keep
  // their colours; the rest fades.
  function isFaded(app) {
    const {m} = app,
      matched = app.matched ?? moves.mask(app);
    if (matched) return (i) => !matched[i];
    if (app.critical !== 'fade') return () => false;
    const {seen} = supports.critical(m);
    return (i) => !seen[i];
  }

  // Fills app.paint: {face, edge, shade, pattern, fades, legend}.
  function refresh(app) {
    const {m} = app,
      ground = rgb('--panel'),
      ink = rgb('--ink');
    const scale = MODES[app.colourBy].scale(m, app),
      fades = isFaded(app);
    const face = new Uint32Array(m.rectCount),
      edge = new Uint32Array(m.rectCount),
      shade = new Uint32Array(m.rectCount),
      known = new Map();
    for (let r = 0; r < m.rectCount; r++) {
      const i = m.rectBuffer[r],
        parts = scale.of(i),
        faded = fades(i);
      const key = (parts[0] << 17) | (parts[1] << 9) | (parts[2] << 1) | (faded ? 1 : 0);
      let pixels = known.get(key);
      if (!pixels) {
        const own = faded ? mix(parts, ground, 0.82) : parts;
        pixels = [
          pixel(own),
          pixel(mix(mix(own, ground, 0.35), ink, faded ? 0.06 : 0.22)),
          pixel(mix(own, ink, faded ? 0.06 : 0.2)),
        ];
        known.set(key, pixels);
      }
      [face[r], edge[r], shade[r]] = pixels;
    }
    app.paint = {
      face,
      edge,
      shade,
      pattern: scale.pattern ?? null,
      fades,
      legend: scale.legend.map((entry) => ({...entry, colour: hexOf(entry.colour)})),
    };
  }

  return {css, pixelOf, MODES, byName, defaultFor, refresh};
})();
