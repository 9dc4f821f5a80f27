/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The path goes from step to step, across and then up or down.  With more than MOST_STEPS steps,
 * all steps in the same half pixel become one, at the highest of their levels: no peak is lost,
 * and the path has two points per half pixel at most.  O(n).
 */
#include "viz/layout/picture.h"

#include <assert.h>

#define MOST_STEPS 2000
#define COLUMN (SVG_PIXEL / 2)

struct pen {
  struct svg *svg;
  const struct axis *across, *up;
  int column; /* the width in which steps become one */
  int x;      /* where the level not yet drawn begins */
  neap_size bytes;
  neap_size drawn; /* the level drawn last */
};

/* Draws the level that is held back, up to a new x. */
static void pen_advance(struct pen *pen, int x) {
  if (pen->bytes != pen->drawn) {
    svg_along(pen->svg, 'H', pen->x);
    svg_along(pen->svg, 'V', axis_at(pen->up, pen->bytes));
    pen->drawn = pen->bytes;
  }
  pen->x = x;
}

static void pen_step(struct pen *pen, const struct live_step *step) {
  int x = axis_at(pen->across, step->time);
  x -= x % pen->column;
  if (x > pen->x) {
    pen_advance(pen, x);
    pen->bytes = step->bytes;
  } else if (step->bytes > pen->bytes) {
    pen->bytes = step->bytes;
  }
}

/* Draws the path from the ground at the first step to the ground at the last one. */
static void trace_steps(struct svg *svg, const struct live *live, const struct axis *across,
                        const struct axis *up) {
  int start = axis_at(across, live->steps[0].time), ground = axis_at(up, 0);
  int end = axis_at(across, live->steps[live->count - 1].time);
  struct pen pen = {svg, across, up, live->count > MOST_STEPS ? COLUMN : 1, start, 0, 0};
  svg_to(svg, 'M', start, ground);
  for (size_t i = 0; i + 1 < live->count; i++)
    pen_step(&pen, &live->steps[i]);
  pen_advance(&pen, end);
  svg_along(svg, 'H', end);
  svg_along(svg, 'V', ground);
}

/* Draws a thick line along every stretch at the summit; stretches that touch become one. */
static void mark_summit(struct svg *svg, const struct live *live, const struct axis *across,
                        const struct axis *up, neap_size summit) {
  int last = -SVG_PIXEL, y = axis_at(up, summit);
  svg_path_start(svg, "summit");
  for (size_t i = 0; i + 1 < live->count; i++) {
    if (live->steps[i].bytes != summit) continue;
    int from = axis_at(across, live->steps[i].time),
        to = axis_at(across, live->steps[i + 1].time);
    if (to - from < SVG_PIXEL) to = from + SVG_PIXEL;
    if (to - last < SVG_PIXEL) continue;
    svg_to(svg, 'M', from > last ? from : last, y);
    svg_along(svg, 'H', to);
    last = to;
  }
  svg_path_finish(svg);
  svg_end(svg);
}

void curve_draw(struct svg *svg, const struct live *live, const struct axis *across,
                const struct axis *up, neap_size summit) {
  if (live->count == 0) return;
  assert(live->count >= 2 && live->steps[live->count - 1].bytes == 0);
  svg_path_start(svg, "area");
  trace_steps(svg, live, across, up);
  svg_shut(svg);
  svg_path_finish(svg);
  svg_end(svg);
  svg_path_start(svg, "curve");
  trace_steps(svg, live, across, up);
  svg_path_finish(svg);
  svg_end(svg);
  mark_summit(svg, live, across, up, summit);
}
