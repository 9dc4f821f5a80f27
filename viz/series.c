/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/series.h"

#include <stdio.h>
#include <string.h>

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
 * Corners of each shape, in tenths of REACH, from the middle.  Shapes repeat after the last.
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

/* Seconds to the millionth, as much as is measured. */
static const char *write_across(const struct series_axes *axes, size_t index,
                                char text[NUMBER_TEXT]) {
  int64_t at = 0;
  double x = axes->chart->x[index];
  if (axes->across->unit == AXIS_SECONDS) {
    at = x < 9e12 ? (int64_t)(x * 1e6 + .5) : 0;
    number_scaled(text, at, -6, at);
    strcat(text, " s");
    return text;
  }
  measure_value(axes->across, x, &at);
  return number_scaled(text, at, axes->across->exponent, at);
}

static void write_title(const struct series_axes *axes, const struct neap_series *series,
                        size_t index, struct svg *svg) {
  int64_t value = 0;
  measure_value(axes->up, series->values[index], &value);
  char name[LABEL_BYTES], across[NUMBER_TEXT + 2], up[NUMBER_TEXT], text[LABEL_BYTES + 128];
  bool bytes = axes->up->unit == AXIS_BYTES;
  snprintf(text, sizeof text, "%s\nat %s: %s%s", label_clean(series->name, name),
           write_across(axes, index, across),
           number_scaled(up, value, axes->up->exponent, value), bytes ? " B" : "");
  svg_title(svg, text);
}

/* In a stepped chart, a value equal to the one before gets no mark. */
static bool repeats_value(const struct series_axes *axes, const struct neap_series *series,
                          size_t index, bool after) {
  return axes->chart->is_stepped && index > 0 && after &&
         series->values[index] == series->values[index - 1];
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
    if (here && !repeats_value(axes, series, i, after) &&
        (!before || !after || x - last >= APART)) {
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
    if (here && before && axes->chart->is_stepped) svg_along(svg, 'H', x);
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

#define NOTE_LINE (13 * SVG_PIXEL)

void series_draw_notes(const struct series_axes *axes, const struct neap_series *series,
                       struct svg *svg) {
  int right = 0, bottom = 0, x, y;
  for (size_t i = 0; i < axes->chart->x_count; i++) {
    const char *note = axes->chart->notes[i];
    if (!note || !series_point(axes, series, i, &x, &y)) continue;
    x += 7 * SVG_PIXEL;
    y -= 7 * SVG_PIXEL;
    int end = x + label_width(note, STYLE_SMALL);
    bool collides = x < right + 5 * SVG_PIXEL && y < bottom + NOTE_LINE;
    if (collides || end > axes->across->to + 14 * SVG_PIXEL) continue;
    svg_label(svg, "detail", x, y, note);
    right = end;
    bottom = y;
  }
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
