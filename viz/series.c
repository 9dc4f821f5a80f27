/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/series.h"

#include <stdio.h>

#include "viz/label.h"
#include "viz/measure.h"
#include "viz/number.h"
#include "viz/style.h"

#define REACH 450              /* from a mark's middle to its edge */
#define APART (14 * SVG_PIXEL) /* marks of a series, where points lie closer */

bool series_point(const struct series_axes *axes, const struct neap_series *series,
                  size_t index, int *x, int *y) {
  int64_t at, value;
  if (!measure_value(axes->across, axes->chart->x[index], &at) ||
      !measure_value(axes->up, series->values[index], &value))
    return false;
  *x = axis_at(axes->across, at);
  *y = axis_at(axes->up, value);
  return true;
}

/* ---------------------------------------------------------------- marks */

/*
 * Corners of each shape, in parts of REACH, from the middle; more shapes than fit a glance are
 * not needed.
 */
static const struct shape {
  size_t count; /* 0: a circle */
  signed char corner[4][2];
} shapes[] = {
    {0, {{0, 0}}},
    {4, {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}},
    {3, {{0, -12}, {11, 8}, {-11, 8}}},
    {4, {{0, -13}, {13, 0}, {0, 13}, {-13, 0}}},
    {3, {{0, 12}, {11, -8}, {-11, -8}}},
};
static const size_t shape_count = sizeof shapes / sizeof shapes[0];

static void start_mark(struct svg *svg, size_t look, int x, int y) {
  const struct shape *shape = &shapes[look % shape_count];
  char class[32];
  snprintf(class, sizeof class, "mark %s", style_series(look));
  if (shape->count == 0) {
    svg_start(svg, "circle");
    svg_attribute(svg, "class", class);
    svg_length(svg, "cx", x);
    svg_length(svg, "cy", y);
    svg_length(svg, "r", REACH);
    return;
  }
  svg_path_start(svg, class);
  for (size_t i = 0; i < shape->count; i++)
    svg_to(svg, i == 0 ? 'M' : 'L', x + shape->corner[i][0] * REACH / 10,
           y + shape->corner[i][1] * REACH / 10);
  svg_shut(svg);
  svg_path_finish(svg);
}

static void write_title(const struct series_axes *axes, const struct neap_series *series,
                        size_t index, struct svg *svg) {
  int64_t at = 0, value = 0;
  measure_value(axes->across, axes->chart->x[index], &at);
  measure_value(axes->up, series->values[index], &value);
  char name[LABEL_BYTES], across[NUMBER_TEXT], up[NUMBER_TEXT], text[LABEL_BYTES + 128];
  bool bytes = axes->up->unit == AXIS_BYTES;
  snprintf(text, sizeof text, "%s\nat %s: %s%s", label_clean(series->name, name),
           number_scaled(across, at, axes->across->exponent, at),
           number_scaled(up, value, axes->up->exponent, value), bytes ? " B" : "");
  svg_title(svg, text);
}

/* Those at the ends of a stretch of line always, the others where there is room. */
static void draw_marks(const struct series_axes *axes, const struct neap_series *series,
                       size_t look, struct svg *svg) {
  bool before = false;
  int last = 0, x, y, next_x, next_y;
  for (size_t i = 0; i < axes->chart->x_count; i++) {
    bool here = series_point(axes, series, i, &x, &y);
    bool after =
        i + 1 < axes->chart->x_count && series_point(axes, series, i + 1, &next_x, &next_y);
    if (here && (!before || !after || x - last >= APART)) {
      start_mark(svg, look, x, y);
      write_title(axes, series, i, svg);
      svg_end(svg);
      last = x;
    }
    before = here;
  }
}

/* ---------------------------------------------------------------- lines */

static void draw_line(const struct series_axes *axes, const struct neap_series *series,
                      const char *class, struct svg *svg) {
  bool before = false;
  int x, y;
  svg_path_start(svg, class);
  for (size_t i = 0; i < axes->chart->x_count; i++) {
    bool here = series_point(axes, series, i, &x, &y);
    if (here) svg_to(svg, before ? 'L' : 'M', x, y);
    before = here;
  }
  svg_path_finish(svg);
  svg_end(svg);
}

/* A reference that has one value only is a level all across. */
static void draw_level(const struct series_axes *axes, const struct neap_series *series,
                       struct svg *svg) {
  int x, y;
  size_t points = 0, point = 0;
  for (size_t i = 0; i < axes->chart->x_count; i++)
    if (series_point(axes, series, i, &x, &y)) {
      points++;
      point = i;
    }
  if (points == 1 && series_point(axes, series, point, &x, &y))
    svg_line(svg, "level bound", axes->across->from, y, axes->across->to, y);
  else if (points > 1) draw_line(axes, series, "level bound", svg);
}

void series_draw(const struct series_axes *axes, const struct neap_series *series, size_t look,
                 struct svg *svg) {
  if (series->is_reference) {
    draw_level(axes, series, svg);
    return;
  }
  char class[32];
  snprintf(class, sizeof class, "series %s", style_series(look));
  draw_line(axes, series, class, svg);
  draw_marks(axes, series, look, svg);
}

void series_draw_key(const struct neap_series *series, size_t look, int x, int y,
                     struct svg *svg) {
  if (series->is_reference) {
    svg_line(svg, "level bound", x - 7 * SVG_PIXEL, y, x + 7 * SVG_PIXEL, y);
    return;
  }
  start_mark(svg, look, x, y);
  svg_end(svg);
}
