/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/charts/chart.h"

#include <stdio.h>
#include <string.h>

#include "viz/svg/label.h"
#include "viz/svg/measure.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

#define REACH 450              /* from a mark's middle to its edge */
#define APART (14 * SVG_PIXEL) /* between marks of a series, where points lie closer */
#define RANGE_TEXT (2 * NUMBER_TEXT + 24)

/* With names, how far right of its x a series lies; references are not shifted. */
static int shift_of(const struct series_axes *axes, const struct neap_series *series) {
  int curves = 0, before = 0;
  if (axes->aside == 0 || series->is_reference) return 0;
  for (size_t s = 0; s < axes->chart->series_count; s++) {
    if (axes->chart->series[s].is_reference) continue;
    curves++;
    before += &axes->chart->series[s] < series;
  }
  return (2 * before - (curves - 1)) * axes->aside / 2;
}

/* Finds the place of a value at x `index`. */
static bool find_point(const struct series_axes *axes, double quantity, size_t index, int shift,
                       int *x, int *y) {
  int64_t at, value;
  if (!measure_value(axes->across, axes->chart->x[index], &at) ||
      !measure_value(axes->up, quantity, &value))
    return false;
  *x = axis_at(axes->across, at) + shift;
  *y = axis_at(axes->up, value);
  return true;
}

bool series_point(const struct series_axes *axes, const struct neap_series *series,
                  size_t index, int *x, int *y) {
  return find_point(axes, series->values[index], index, shift_of(axes, series), x, y);
}

static const struct neap_band *band_of(const struct series_axes *axes,
                                       const struct neap_series *series) {
  const struct neap_band *bands = axes->chart->bands;
  const struct neap_band *band = bands ? &bands[series - axes->chart->series] : NULL;
  return band && band->low && band->high ? band : NULL;
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

/* Writes an x; seconds have millionths, which is as much as is measured. */
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
  if (axes->across->unit == AXIS_POWERS) {
    at = x < 9e12 ? (int64_t)(x * 1e6 + .5) : 0;
    return number_scaled(text, at, -6, at);
  }
  measure_value(axes->across, x, &at);
  return number_scaled(text, at, axes->across->exponent, at);
}

/* "lowest 1,024 B, highest 2,048 B", on a line of its own. */
static void write_range(const struct series_axes *axes, const struct neap_series *series,
                        size_t index, char text[RANGE_TEXT]) {
  const struct neap_band *band = band_of(axes, series);
  int64_t low, high;
  char one[NUMBER_TEXT], other[NUMBER_TEXT];
  const char *unit = axes->up->unit == AXIS_BYTES ? " B" : "";
  int exponent = axes->up->exponent;
  text[0] = '\0';
  if (!band || !measure_value(axes->up, band->low[index], &low) ||
      !measure_value(axes->up, band->high[index], &high))
    return;
  snprintf(text, RANGE_TEXT, "\nfrom %s%s to %s%s", number_scaled(one, low, exponent, low),
           unit, number_scaled(other, high, exponent, high), unit);
}

static void write_title(const struct series_axes *axes, const struct neap_series *series,
                        size_t index, struct svg *svg) {
  int64_t value = 0;
  measure_value(axes->up, series->values[index], &value);
  char name[LABEL_BYTES], across[NUMBER_TEXT + 2], up[NUMBER_TEXT], range[RANGE_TEXT];
  char at[LABEL_BYTES], text[2 * LABEL_BYTES + NUMBER_TEXT + RANGE_TEXT + 32];
  bool bytes = axes->up->unit == AXIS_BYTES, named = axes->chart->x_names != NULL;
  if (named) label_clean(axes->chart->x_names[index], at);
  write_range(axes, series, index, range);
  snprintf(text, sizeof text, "%s\nat %s: %s%s%s", label_clean(series->name, name),
           named ? at : write_across(axes, index, across),
           number_scaled(up, value, axes->up->exponent, value), bytes ? " B" : "", range);
  svg_title(svg, text);
}

/* In a stepped chart, a value equal to the one before gets no mark. */
static bool repeats_value(const struct series_axes *axes, const struct neap_series *series,
                          size_t index, bool after) {
  return axes->chart->is_stepped && index > 0 && after &&
         series->values[index] == series->values[index - 1];
}

/* Draws marks: at the ends of a stretch of line always, elsewhere where there is room. */
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

/* Draws a reference with one point only, or one value at all names, as a level all across. */
static void draw_level(const struct series_axes *axes, const struct neap_series *series,
                       struct svg *svg) {
  int x, y, level = 0;
  size_t points = 0;
  bool is_level = true;
  for (size_t i = 0; i < axes->chart->x_count; i++)
    if (series_point(axes, series, i, &x, &y)) {
      is_level = points == 0 || (is_level && y == level && axes->chart->x_names);
      level = y;
      points++;
    }
  if (points > 0 && is_level)
    svg_line(svg, "level bound", axes->across->from, level, axes->across->to, level);
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
  if (!axes->chart->x_names) draw_line(axes, series, class, svg);
  draw_marks(axes, series, look, svg);
}

/* ---------------------------------------------------------------- bands */

/* Finds the ends of a series' band at x `index`; false where the series has no band. */
static bool find_range(const struct series_axes *axes, const struct neap_series *series,
                       size_t index, int *x, int *low, int *high) {
  const struct neap_band *band = band_of(axes, series);
  int shift = shift_of(axes, series);
  return find_point(axes, band->low[index], index, shift, x, low) &&
         find_point(axes, band->high[index], index, shift, x, high);
}

/* Draws the area over [begin, end): right along the highest values, and back along the lowest. */
static void draw_area(const struct series_axes *axes, const struct neap_series *series,
                      size_t begin, size_t end, const char *class, struct svg *svg) {
  int x, low, high;
  svg_path_start(svg, class);
  for (size_t i = begin; i < end; i++)
    if (find_range(axes, series, i, &x, &low, &high))
      svg_to(svg, i == begin ? 'M' : 'L', x, high);
  for (size_t i = end; i-- > begin;)
    if (find_range(axes, series, i, &x, &low, &high)) svg_to(svg, 'L', x, low);
  svg_shut(svg);
  svg_path_finish(svg);
  svg_end(svg);
}

/* Draws a line from the lowest to the highest value, as a single x has no area. */
static void draw_whisker(const struct series_axes *axes, const struct neap_series *series,
                         size_t index, size_t look, struct svg *svg) {
  char class[48];
  int x, low, high;
  if (!find_range(axes, series, index, &x, &low, &high) || low == high) return;
  snprintf(class, sizeof class, "whisker %s", style_series(look));
  svg_line(svg, class, x, high, x, low);
}

/* The end of the stretch of x that one area covers from `begin` on. */
static size_t end_of_stretch(const struct series_axes *axes, const struct neap_series *series,
                             size_t begin) {
  int x, low, high;
  size_t end = begin + 1;
  while (!axes->chart->x_names && end < axes->chart->x_count &&
         find_range(axes, series, end, &x, &low, &high))
    end++;
  return end;
}

void series_draw_band(const struct series_axes *axes, const struct neap_series *series,
                      size_t look, struct svg *svg) {
  char class[32];
  int x, low, high;
  if (!band_of(axes, series)) return;
  snprintf(class, sizeof class, "band %s", style_series(look));
  for (size_t i = 0; i < axes->chart->x_count;) {
    size_t end = i + 1;
    if (find_range(axes, series, i, &x, &low, &high)) {
      end = end_of_stretch(axes, series, i);
      if (end - i == 1) draw_whisker(axes, series, i, look, svg);
      else draw_area(axes, series, i, end, class, svg);
    }
    i = end;
  }
}

/* ---------------------------------------------------------------- keys */

void series_draw_key(const struct neap_series *series, size_t look, int x, int y,
                     struct svg *svg) {
  if (series->is_reference) {
    svg_line(svg, "level bound", x - 7 * SVG_PIXEL, y, x + 7 * SVG_PIXEL, y);
    return;
  }
  start_mark(svg, look, x, y);
  svg_end(svg);
}
