// SPDX-License-Identifier: GPL-3.0-or-later
// The stage: three canvases, one on the other.  The grid and the rectangles are drawn when the
// view changes; what follows the pointer (hover, selection, cursor, critical stack) is drawn over
// them, so that hovering costs little.
const draw = (() => {
  const NAME_ACROSS = 46,
    NAME_DOWN = 13,
    NAME_FONT = 11,
    NAMES_MOST = 500;
  const GLYPH = 6.1; // pixels across, on average, at NAME_FONT
  const OUTLINES_MOST = 4000,
    WAY_MOST = 60;

  // Gives a canvas as many pixels as the screen has for it; returns its context in CSS pixels.
  function fitCanvas(canvas, across, down) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(across * ratio)),
      height = Math.max(1, Math.round(down * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, across, down);
    return context;
  }

  // ------------------------------------------------------------ axes

  // 1, 2 or 5 times a power of ten; of bytes a power of two.
  function stepFor(span, room, least, isBytes) {
    const rough = Math.max(span / Math.max(1, room), least);
    if (isBytes) return 2 ** Math.ceil(Math.log2(rough));
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  }

  function ticks(from, to, step) {
    const list = [];
    for (let k = Math.ceil(from / step); k * step <= to; k++) list.push(k * step);
    return list;
  }

  const crisp = (value) => Math.round(value) + 0.5;

  function line(context, x0, y0, x1, y1) {
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
  }

  const timeTicks = (v) => ticks(v.x0, v.x1, stepFor(v.x1 - v.x0, v.across / 90, 1, false));

  function grid(app) {
    const {view: v, stage, look} = app;
    const c = fitCanvas(stage.grid, stage.across, stage.down),
      bottom = v.top + v.down,
      right = v.left + v.across;
    c.fillStyle = look.panel;
    c.fillRect(v.left, v.top, v.across, v.down);
    c.font = look.small;
    c.strokeStyle = look.grid;
    c.fillStyle = look.muted;
    c.lineWidth = 1;
    const step = stepFor(v.y1 - v.y0, v.down / 44, 1, true);
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (const o of ticks(Math.max(0, v.y0), v.y1, step)) {
      const y = crisp(view.yOf(v, o));
      line(c, v.left, y, right, y);
      c.fillText(text.tick(o, step), v.left - 8, y);
    }
    c.textAlign = 'center';
    c.textBaseline = 'top';
    for (const t of timeTicks(v)) {
      const x = crisp(view.xOf(v, t));
      line(c, x, v.top, x, bottom);
      const words = text.grouped(t);
      c.fillText(words, Math.min(x, stage.across - c.measureText(words).width / 2 - 2), bottom + 7);
    }
  }

  // ------------------------------------------------------------ rectangles

  function rects(app) {
    const {view: v, stage, m} = app,
      canvas = stage.rects,
      ratio = window.devicePixelRatio || 1;
    const across = Math.max(1, Math.round(v.across * ratio)),
      down = Math.max(1, Math.round(v.down * ratio));
    if (canvas.width !== across || canvas.height !== down) {
      canvas.width = across;
      canvas.height = down;
    }
    const c = canvas.getContext('2d');
    if (stage.image?.width !== across || stage.image?.height !== down) {
      stage.image = c.createImageData(across, down);
      stage.pixels = new Uint32Array(stage.image.data.buffer);
    }
    app.inView = raster.paint(m, view.boxOf(v), stage.pixels, across, down, app.paint);
    c.putImageData(stage.image, 0, 0);
    c.setTransform(ratio, 0, 0, ratio, -v.left * ratio, -v.top * ratio);
    names(app, c);
  }

  // Those with room for one, of too many the longest.
  function names(app, c) {
    const {view: v, m} = app,
      found = [];
    const leastTime = (NAME_ACROSS / v.across) * (v.x1 - v.x0),
      leastSize = (NAME_DOWN / v.down) * (v.y1 - v.y0);
    const note = (r) => m.size[m.rectBuffer[r]] >= leastSize && found.push(r);
    model.query(m, v, note, leastTime);
    found.splice(0, found.length - NAMES_MOST);
    c.font = app.look.name;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    for (const r of found) name(app, c, r);
  }

  function name(app, c, r) {
    const {view: v, m} = app,
      i = m.rectBuffer[r];
    const left = Math.max(v.left, view.xOf(v, m.rectStart[r]));
    const right = Math.min(v.left + v.across, view.xOf(v, m.rectEnd[r]));
    const top = Math.max(v.top, view.yOf(v, m.shown[i] + m.size[i]));
    const bottom = Math.min(v.top + v.down, view.yOf(v, m.shown[i]));
    const room = Math.floor((right - left - 8) / GLYPH);
    if (room < 4 || bottom - top < NAME_DOWN) return;
    const x = (left + right) / 2,
      y = (top + bottom) / 2,
      size = text.bytes(m.size[i]),
      two = bottom - top >= 2.4 * NAME_DOWN && size.length <= room;
    c.fillStyle = app.matched && !app.matched[i] ? app.look.muted : app.look.onFace;
    c.fillText(
      text.cut(m.names[i].slice(0, 400), room),
      x,
      two ? y - NAME_FONT * 0.62 : y,
      right - left - 6,
    );
    if (!two) return;
    c.globalAlpha = 0.75;
    c.fillText(size, x, y + NAME_FONT * 0.62);
    c.globalAlpha = 1;
  }

  // ------------------------------------------------------------ over them

  // The pixels of a rectangle, cut to the plot; null when it is not in it.
  function box(app, r, low) {
    const {view: v, m} = app,
      i = m.rectBuffer[r];
    const left = Math.max(v.left - 4, view.xOf(v, m.rectStart[r]));
    const right = Math.min(v.left + v.across + 4, view.xOf(v, m.rectEnd[r]));
    const bottom = Math.min(v.top + v.down + 4, view.yOf(v, low));
    const top = Math.max(v.top - 4, view.yOf(v, low + m.size[i]));
    if (right <= left - 1 || bottom <= top - 1) return null;
    return [left, top, Math.max(2, right - left), Math.max(2, bottom - top)];
  }

  function outline(app, c, i, colour, breadth, halo, low = app.m.shown[i]) {
    const {m} = app;
    if (low < 0) return;
    for (let k = m.rectFirst[i]; k < m.rectFirst[i + 1]; k++) {
      const at = box(app, m.rectOf[k], low);
      if (!at) continue;
      if (halo && Math.min(at[2], at[3]) > 12) {
        c.strokeStyle = app.look.panel;
        c.lineWidth = breadth + 2.5;
        c.strokeRect(...at);
      }
      c.strokeStyle = colour;
      c.lineWidth = !halo && Math.min(at[2], at[3]) < 4 * breadth ? breadth / 2 : breadth;
      c.strokeRect(...at);
    }
  }

  function levelLine(app, c, bytes, colour, dash, label, below) {
    const v = app.view,
      y = crisp(view.yOf(v, bytes));
    if (bytes <= 0 || y < v.top || y > v.top + v.down) return;
    c.strokeStyle = colour;
    c.lineWidth = 1.5;
    c.setLineDash(dash);
    line(c, v.left, y, v.left + v.across, y);
    c.setLineDash([]);
    c.font = app.look.strong;
    c.textAlign = 'right';
    c.textBaseline = below ? 'top' : 'bottom';
    const x = v.left + v.across - 6,
      at = below ? y + 3 : y - 3;
    c.lineWidth = 3;
    c.lineJoin = 'round';
    c.strokeStyle = app.look.panel;
    c.strokeText(label, x, at);
    c.fillStyle = colour;
    c.fillText(label, x, at);
  }

  function levels(app, c) {
    const {m, look} = app,
      lower = Number(m.report.lower_bound ?? m.report.bound ?? 0);
    if (lower === m.peak) {
      levelLine(app, c, m.peak, look.bound, [], `peak = bound ${text.bytes(m.peak)}`, false);
      return;
    }
    const close = view.yOf(app.view, lower) - view.yOf(app.view, m.peak) < 16;
    levelLine(app, c, lower, look.bound, [], `bound ${text.bytes(lower)}`, close);
    levelLine(app, c, m.peak, look.ink, [6, 4], `peak ${text.bytes(m.peak)}`, false);
  }

  // The critical stack as two paths, of small and of large rectangles; kept until the view changes.
  function stackPaths(app, list) {
    const {m, view: v} = app,
      key = [v.x0, v.x1, v.y0, v.y1, v.across, v.down, app.paintCount].join();
    if (app.stack.key === key) return app.stack;
    const small = new Path2D(),
      large = new Path2D();
    for (const i of list.slice(0, OUTLINES_MOST))
      for (let n = m.rectFirst[i]; n < m.rectFirst[i + 1]; n++) {
        const at = box(app, m.rectOf[n], m.shown[i]);
        if (at) (Math.min(at[2], at[3]) < 7 ? small : large).rect(...at);
      }
    return (app.stack = {key, small, large});
  }

  // One way down in outline; the rest outlined where there is room for it, tinted where not.
  function criticalStack(app, c) {
    const {list, way} = supports.critical(app.m),
      {small, large} = stackPaths(app, list);
    c.fillStyle = c.strokeStyle = app.look.critical;
    c.lineWidth = 1;
    c.globalAlpha = 0.3;
    c.fill(small);
    c.globalAlpha = 0.8;
    c.stroke(large);
    c.globalAlpha = 1;
    if (way.length <= WAY_MOST)
      for (const {buffer} of way) outline(app, c, buffer, app.look.critical, 2, false);
  }

  // The selected one, what carries it, and where it is in the other plan.
  function selection(app, c) {
    const {m, selected, look} = app;
    for (const {buffer} of app.chain.slice(1)) outline(app, c, buffer, look.carrier, 2, true);
    const there = compare.offsetThere(app, selected);
    if (there !== null && there !== m.offset[selected]) {
      c.setLineDash([5, 4]);
      outline(app, c, selected, look.carrier, 2, true, there);
      c.setLineDash([]);
    }
    outline(app, c, selected, look.select, 3, true);
  }

  // The unit of time that begins at the cursor, and its first moment.
  function cursorLine(app, c) {
    const v = app.view,
      x = crisp(view.xOf(v, app.cursor)),
      unit = view.xOf(v, app.cursor + 1) - x;
    if (unit > 4) {
      c.fillStyle = app.look.cursor;
      c.globalAlpha = 0.12;
      c.fillRect(x, v.top, unit, v.down);
      c.globalAlpha = 1;
    }
    if (x < v.left || x > v.left + v.across) return;
    c.strokeStyle = app.look.cursor;
    c.lineWidth = 1.5;
    line(c, x, v.top, x, v.top + v.down);
    c.fillStyle = app.look.cursor;
    c.beginPath();
    c.moveTo(x - 5, v.top);
    c.lineTo(x + 5, v.top);
    c.lineTo(x, v.top + 7);
    c.fill();
  }

  function over(app) {
    const {view: v, stage} = app,
      c = fitCanvas(stage.over, stage.across, stage.down);
    c.save();
    c.beginPath();
    c.rect(v.left, v.top, v.across, v.down);
    c.clip();
    if (app.showsCritical) criticalStack(app, c);
    levels(app, c);
    if (app.selected !== null) selection(app, c);
    if (app.hover !== null && app.hover !== app.selected)
      outline(app, c, app.hover, app.look.ink, 2, true);
    if (app.cursor !== null) cursorLine(app, c);
    c.restore();
    c.strokeStyle = app.look.frame;
    c.lineWidth = 1;
    c.strokeRect(v.left - 0.5, v.top - 0.5, v.across + 1, v.down + 1);
  }

  // The buffer under a point of the stage, the smallest where several are; null if none.
  function hit(app, x, y) {
    const {view: v, m} = app,
      t = view.timeAt(v, x),
      o = view.byteAt(v, y);
    if (x < v.left || x > v.left + v.across || y < v.top || y > v.top + v.down) return null;
    const nearT = (v.x1 - v.x0) / v.across,
      nearO = (v.y1 - v.y0) / v.down;
    let best = null,
      bestOff = Infinity;
    model.query(m, {x0: t - nearT, x1: t + nearT, y0: o - nearO, y1: o + nearO}, (r) => {
      const i = m.rectBuffer[r],
        low = m.shown[i];
      const offX = Math.max(0, m.rectStart[r] - t, t - m.rectEnd[r]) / nearT;
      const offY = Math.max(0, low - o, o - low - m.size[i]) / nearO;
      if (offX + offY < bestOff) {
        best = i;
        bestOff = offX + offY;
      }
    });
    return best;
  }

  return {fitCanvas, stepFor, ticks, timeTicks, crisp, line, grid, rects, over, hit};
})();
