/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line charts.  Each line is named at its end, so no legend is needed. */
#include "viz/charts/chart.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "neap/neap-io.h"
#include "viz/layout/small_multiples.h"
#include "viz/svg/axis.h"
#include "viz/svg/frame.h"
#include "viz/svg/label.h"
#include "viz/svg/measure.h"
#include "viz/svg/style.h"
#include "viz/svg/svg.h"

/* ---------------------------------------------------------------- the axis of names */

#define ASIDE (16 * SVG_PIXEL) /* between series at one name, at most */
#define LEAST (40 * SVG_PIXEL) /* the least room for a name */

/* Adds room beside the first and the last name. */
static void named_axis_widen(struct axis *axis) {
  axis->low--;
  axis->high++;
}

/* The distance from a name to the next one. */
static int distance_of(const struct axis *axis) {
  return axis_at(axis, axis->low + 1) - axis_at(axis, axis->low);
}

/*
 * How far apart `count` series at one name are drawn: as far as the room between names allows, once
 * the axis has its ends.
 */
static int named_axis_spread(const struct axis *axis, size_t count) {
  int64_t most = distance_of(axis) * INT64_C(7) / 10 / (int64_t)(count > 0 ? count : 1);
  return most < ASIDE ? (int)most : ASIDE;
}

/* Draws grid lines and, below the panel, names cut to their room; leaves out crowded names. */
static void named_axis_draw(struct svg *svg, const struct frame *frame, const struct axis *axis,
                            const neap_chart *chart) {
  char label[LABEL_BYTES];
  int last = frame->left - frame->right, room = distance_of(axis);
  if (room < LEAST) room = LEAST;
  for (size_t i = 0; i < chart->x_count; i++) {
    int64_t at;
    if (!measure_value(axis, chart->x[i], &at)) continue;
    int x = axis_at(axis, at);
    svg_line(svg, "grid", x, frame->top, x, frame->bottom + 4 * SVG_PIXEL);
    if (x - last < room - SVG_PIXEL) continue;
    label_fit(chart->x_names[i], STYLE_SMALL, room - 6 * SVG_PIXEL, label);
    svg_label(svg, "tick middle", x, frame->bottom + 17 * SVG_PIXEL, label);
    last = x;
  }
}

/* ---------------------------------------------------------------- the chart */

#define PAGE_ACROSS 960
#define PAGE_DOWN 540

static const struct frame main_frame = {9600, 7200, 78000, 45000};
#define INSET (14 * SVG_PIXEL) /* so that marks at the first and last x lie within the panel */

struct key {
  int y;
  size_t series, look;
  double last; /* value */
};

struct plot {
  const neap_chart *chart;
  const struct frame *frame;
  struct axis across, up;
  bool empty, cut; /* no values; the vertical axis does not begin at 0 */
  int aside;       /* see struct series_axes */
  struct key *keys; /* of the series that have a point, downwards */
  struct level *levels;
  size_t key_count;
};

static struct series_axes axes_of(const struct plot *plot) {
  return (struct series_axes){plot->chart, &plot->across, &plot->up, plot->aside};
}

/* The number of colours and marks that the series take. */
static size_t count_looks(const neap_chart *chart) {
  size_t looks = 0;
  for (size_t i = 0; i < chart->series_count; i++)
    looks += !chart->series[i].is_reference;
  return looks;
}

/* ---------------------------------------------------------------- axes */

static void measure_points(const neap_chart *chart, struct measure *x, struct measure *y) {
  for (size_t i = 0; i < chart->x_count; i++)
    measure_add(x, chart->x[i]);
  for (size_t s = 0; s < chart->series_count; s++)
    for (size_t i = 0; i < chart->x_count; i++) {
      measure_add(y, chart->series[s].values[i]);
      if (!chart->bands || !chart->bands[s].low || !chart->bands[s].high) continue;
      measure_add(y, chart->bands[s].low[i]);
      measure_add(y, chart->bands[s].high[i]);
    }
}

/* Adds room on both sides of a single value. */
static void widen_axis(struct axis *axis) {
  if (axis->low < axis->high) return;
  int64_t room = llabs(axis->low) / 2 + 1;
  axis->low -= room;
  axis->high += room;
}

static enum axis_unit unit_across(const neap_chart *chart) {
  if (chart->x_is_seconds) return AXIS_SECONDS;
  return chart->x_is_logarithmic ? AXIS_POWERS : AXIS_NUMBER;
}

static void set_across(struct plot *plot, const struct measure *x) {
  measure_axis(x, unit_across(plot->chart), &plot->across);
  if (plot->chart->x_names) named_axis_widen(&plot->across);
  widen_axis(&plot->across);
  plot->across.from = plot->frame->left + INSET;
  plot->across.to = plot->frame->right - INSET;
  axis_set_step(&plot->across, (plot->across.unit == AXIS_POWERS ? 40 : 70) * SVG_PIXEL);
  if (plot->chart->x_names)
    plot->aside = named_axis_spread(&plot->across, count_looks(plot->chart));
}

/*
 * Sets the vertical axis, which begins at 0 or, if all values lie in the upper half, at the tick
 * below them.  Both ends are ticks, so that the panel's edges are labelled.
 */
static void set_up(struct plot *plot, const struct measure *y) {
  struct axis *up = &plot->up;
  measure_axis(y, plot->chart->y_is_bytes ? AXIS_BYTES : AXIS_NUMBER, up);
  if (up->low >= 0 && (up->low <= up->high / 2 || up->low == up->high)) up->low = 0;
  if (up->low == up->high) up->high = up->low + 1;
  up->from = plot->frame->bottom;
  up->to = plot->frame->top + INSET;
  axis_set_step(up, 44 * SVG_PIXEL);
  int64_t below = up->low % up->step, above = up->high % up->step;
  up->low -= below < 0 ? below + up->step : below;
  if (above != 0) up->high += above < 0 ? -above : up->step - above;
  plot->cut = up->low > 0;
}

static void set_axes(struct plot *plot) {
  struct measure x = {0}, y = {0};
  measure_points(plot->chart, &x, &y);
  plot->empty = x.count == 0 || y.count == 0;
  set_across(plot, &x);
  set_up(plot, &y);
}

/* ---------------------------------------------------------------- names beside the lines */

static int downwards(const void *left, const void *right) {
  const struct key *a = left, *b = right;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return a->series < b->series ? -1 : a->series > b->series;
}

/*
 * Lists a key for every series that has a point, at its last point; only series that are no
 * references take colours, in their order.
 */
static void list_keys(struct plot *plot) {
  struct series_axes axes = axes_of(plot);
  size_t look = 0;
  for (size_t s = 0; s < plot->chart->series_count; s++) {
    const neap_series *series = &plot->chart->series[s];
    int x, y;
    for (size_t i = plot->chart->x_count; i-- > 0;) {
      if (!series_point(&axes, series, i, &x, &y)) continue;
      plot->keys[plot->key_count++] = (struct key){y, s, look, series->values[i]};
      break;
    }
    if (!series->is_reference) look++;
  }
  qsort(plot->keys, plot->key_count, sizeof *plot->keys, downwards);
}

static void draw_key(const struct plot *plot, const struct key *key, const struct level *level,
                     struct svg *svg) {
  const neap_series *series = &plot->chart->series[key->series];
  int x = plot->frame->right + 18 * SVG_PIXEL;
  char label[LABEL_BYTES], bytes[TEXT_BYTES];
  series_draw_key(series, key->look, x, level->text_y, svg);
  label_fit(series->name, STYLE_STRONG, 130 * SVG_PIXEL, label);
  svg_label(svg, "strong", x + 14 * SVG_PIXEL, level->text_y + 4 * SVG_PIXEL, label);
  int64_t value;
  /* At several names, the last value says nothing about the others. */
  bool is_told = !plot->chart->x_names || series->is_reference;
  if (is_told && plot->up.unit == AXIS_BYTES && measure_value(&plot->up, key->last, &value))
    svg_label(svg, "detail", x + 14 * SVG_PIXEL, level->text_y + 18 * SVG_PIXEL,
              text_bytes(bytes, value));
}

/* Draws as many keys as fit, and below them the number of the others. */
static void draw_keys(const struct plot *plot, struct svg *svg) {
  const struct frame *frame = plot->frame;
  const int spacing = 34 * SVG_PIXEL;
  size_t most = (size_t)((frame->bottom - frame->top) / spacing);
  size_t shown = plot->key_count > most ? most : plot->key_count;
  for (size_t i = 0; i < shown; i++)
    plot->levels[i].y = plot->keys[i].y;
  frame_spread_levels(frame, plot->levels, shown, spacing);
  for (size_t i = 0; i < shown; i++)
    draw_key(plot, &plot->keys[i], &plot->levels[i], svg);
  if (shown == plot->key_count) return;
  char text[64];
  snprintf(text, sizeof text, "and %zu more", plot->key_count - shown);
  svg_label(svg, "detail", frame->right + 32 * SVG_PIXEL, frame->bottom + 34 * SVG_PIXEL, text);
}

/* ---------------------------------------------------------------- one plot */

static neap_status plot_init(struct plot *plot, neap_error *error) {
  size_t count = plot->chart->series_count;
  plot->keys = memory_array(count, sizeof *plot->keys);
  plot->levels = memory_array(count, sizeof *plot->levels);
  if (!plot->keys || !plot->levels) return error_memory(error);
  set_axes(plot);
  if (!plot->empty) list_keys(plot);
  return NEAP_OK;
}

static void plot_clear(struct plot *plot) {
  free(plot->keys);
  free(plot->levels);
}

static void draw_series(const struct plot *plot, struct svg *svg) {
  struct series_axes axes = axes_of(plot);
  for (size_t i = 0; i < plot->key_count; i++) /* below all lines */
    series_draw_band(&axes, &plot->chart->series[plot->keys[i].series], plot->keys[i].look,
                     svg);
  for (int references = 1; references >= 0; references--) /* below the others */
    for (size_t i = 0; i < plot->key_count; i++) {
      const neap_series *series = &plot->chart->series[plot->keys[i].series];
      if (series->is_reference == (references == 1))
        series_draw(&axes, series, plot->keys[i].look, svg);
    }
}

/* Shows that the axis does not begin at 0, by a break in the axis and in words. */
static void draw_cut(const struct plot *plot, struct svg *svg) {
  char text[160], label[AXIS_LABEL];
  int x = plot->frame->left, y = plot->frame->bottom - 16 * SVG_PIXEL;
  svg_path_start(svg, "outline");
  svg_to(svg, 'M', x, plot->frame->bottom);
  svg_along(svg, 'V', y + 10 * SVG_PIXEL);
  svg_to(svg, 'L', x - 5 * SVG_PIXEL, y + 7 * SVG_PIXEL);
  svg_to(svg, 'L', x + 5 * SVG_PIXEL, y + 3 * SVG_PIXEL);
  svg_to(svg, 'L', x, y);
  svg_along(svg, 'V', plot->frame->top);
  svg_path_finish(svg);
  svg_end(svg);
  snprintf(text, sizeof text, "The vertical axis begins at %s, not at 0.",
           axis_label(&plot->up, plot->up.low, label));
  svg_label(svg, "note", x, plot->frame->bottom + 74 * SVG_PIXEL, text);
}

static void draw_across(const struct plot *plot, struct svg *svg) {
  if (plot->chart->x_names)
    named_axis_draw(svg, plot->frame, &plot->across, plot->chart);
  else frame_across(svg, plot->frame, &plot->across, true);
}

static void draw_axes(const struct plot *plot, struct svg *svg) {
  const struct frame *frame = plot->frame;
  frame_panel(svg, frame);
  if (plot->empty) {
    svg_label(svg, "caption middle", (frame->left + frame->right) / 2,
              (frame->top + frame->bottom) / 2, "no values");
  } else {
    draw_across(plot, svg);
    frame_up(svg, frame, &plot->up);
    if (plot->cut) draw_cut(plot, svg);
    else svg_line(svg, "outline", frame->left, frame->top, frame->left, frame->bottom);
  }
  frame_title_across(svg, frame, plot->chart->x_label);
  frame_title_up(svg, frame, plot->chart->y_label);
}

static void plot_draw(const struct plot *plot, struct svg *svg) {
  draw_axes(plot, svg);
  draw_series(plot, svg);
  draw_keys(plot, svg);
}

/* ---------------------------------------------------------------- the whole */

static void draw_caption(const char *caption, struct svg *svg) {
  char label[LABEL_BYTES];
  label_fit(caption, STYLE_SMALL, PAGE_ACROSS * SVG_PIXEL - main_frame.left, label);
  svg_label(svg, "caption", main_frame.left, 5800, label);
}

static neap_status draw_chart(const struct plot *plot, enum render_kind kind, FILE *stream,
                              neap_error *error) {
  struct svg svg;
  char title[LABEL_BYTES], description[160];
  const neap_chart *chart = plot->chart;
  label_fit(chart->title, STYLE_HEAD, main_frame.right - main_frame.left, title);
  snprintf(description, sizeof description, "A line chart of %zu series over %zu points%s.",
           chart->series_count, chart->x_count,
           plot->cut ? "; its vertical axis does not begin at 0" : "");
  int down = PAGE_DOWN + small_multiples_down(chart->panel_count);
  neap_status status =
      svg_open(&svg, kind, stream, PAGE_ACROSS, down, title, description, error);
  if (status != NEAP_OK) return status;
  style_write(&svg, PAGE_ACROSS, down);
  svg_label(&svg, "head", main_frame.left, chart->caption ? 3600 : 4400, title);
  if (chart->caption) draw_caption(chart->caption, &svg);
  plot_draw(plot, &svg);
  status = small_multiples_draw(chart->panels, chart->panel_count, PAGE_DOWN * SVG_PIXEL,
                                PAGE_ACROSS * SVG_PIXEL, &svg, error);
  return svg_close(&svg, status, error);
}

neap_status chart_write(const neap_chart *chart, enum render_kind kind, FILE *stream,
                        neap_error *error) {
  struct plot plot = {.chart = chart, .frame = &main_frame};
  neap_status status = plot_init(&plot, error);
  if (status == NEAP_OK) status = draw_chart(&plot, kind, stream, error);
  plot_clear(&plot);
  return status;
}
