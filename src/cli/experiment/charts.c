/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The charts of sweeps and benchmarks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/experiment/bench.h"
#include "cli/experiment/sweep.h"
#include "cli/input/files.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"

/* ---------------------------------------------------------------- lines over common points */

struct lines {
  double *x;
  size_t x_count;
  neap_series *series; /* the lines that have been added; the last one is a reference */
  neap_band *bands;    /* of each */
  size_t count;
  double *values; /* line by line: its values, then the lows and the highs of its band */
};

/* A line whose values can be set. */
struct line {
  double *values, *low, *high;
};

/*
 * Copies the points; makes room for `most` lines.  False if memory is short.  Clear in both
 * cases.
 */
static bool lines_init(struct lines *lines, const double *x, size_t x_count, size_t most) {
  *lines = (struct lines){.x_count = x_count,
                          .x = calloc(x_count + 1, sizeof *lines->x),
                          .series = calloc(most + 1, sizeof *lines->series),
                          .bands = calloc(most + 1, sizeof *lines->bands),
                          .values = calloc(3 * most * x_count + 1, sizeof *lines->values)};
  if (!lines->x || !lines->series || !lines->bands || !lines->values) return false;
  memcpy(lines->x, x, x_count * sizeof *x);
  return true;
}

static void lines_clear(struct lines *lines) {
  free(lines->x);
  free(lines->series);
  free(lines->bands);
  free(lines->values);
}

/* Adds a line, all of its values 0.  The name is not copied. */
static struct line lines_add(struct lines *lines, const char *name) {
  double *values = lines->values + 3 * lines->count * lines->x_count;
  struct line line = {values, values + lines->x_count, values + 2 * lines->x_count};
  lines->series[lines->count] = (neap_series){name, values, false};
  lines->bands[lines->count++] = (neap_band){line.low, line.high};
  return line;
}

/* Adds a reference, which has one value at all points. */
static void lines_add_reference(struct lines *lines, const char *name, double value) {
  struct line line = lines_add(lines, name);
  lines->series[lines->count - 1].is_reference = true;
  lines->bands[lines->count - 1] = (neap_band){NULL, NULL};
  for (size_t i = 0; i < lines->x_count; i++)
    line.values[i] = value;
}

/* ---------------------------------------------------------------- sweeps */

/*
 * The first option is the horizontal axis; each value of the second has a curve of its own.  A
 * curve is the median of the peaks of all seeds.  Its band goes from the lowest to the highest,
 * because there are few seeds, and their quartiles would say less than their extremes.
 */

/* Limits that span this factor or more get a logarithmic axis. */
#define WIDE 20

/* The curve of one value of the second factor. */
static void add_curve(const struct sweep *sweep, size_t value, struct lines *lines) {
  const struct design *design = &sweep->design;
  const char *only = design->seed_count > 1 ? "median peak" : "peak";
  struct line line =
      lines_add(lines, design->factor_count > 1 ? design->factors[1].texts[value] : only);
  for (size_t i = 0; i < design->setting_count; i++) {
    if (design->factor_count > 1 && design_value(design, i, 1) != value) continue;
    size_t at = design_value(design, i, 0);
    const struct statistics *statistics = &sweep->settings[i].statistics;
    bool known = i < sweep->done && statistics->plans > 0;
    line.values[at] = known ? statistics->peak.median : (double)NAN;
    line.low[at] = known ? statistics->peak.min : (double)NAN;
    line.high[at] = known ? statistics->peak.max : (double)NAN;
  }
}

static bool is_wide(const struct factor *factor) {
  double low = factor->numbers[0], high = factor->numbers[factor->count - 1];
  return factor->kind != FACTOR_NAMES && low > 0 && high / low >= WIDE;
}

#define LABEL_SIZE 64

static const char *write_label(const struct factor *factor, char label[LABEL_SIZE]) {
  snprintf(label, LABEL_SIZE, "%s%s", factor->name, is_wide(factor) ? ", logarithmic" : "");
  return label;
}

#define SWEEP_CAPTION (DESIGN_TEXT + 256)

/* Explains curves and bands, and names the best setting. */
static const char *write_caption(const struct sweep *sweep, char text[SWEEP_CAPTION]) {
  const struct design *design = &sweep->design;
  bool named = design->factors[0].kind == FACTOR_NAMES;
  char curves[96] = "", seeds[128] = "", setting[DESIGN_TEXT] = "";
  if (design->factor_count > 1)
    snprintf(curves, sizeof curves, "one %s per %.40s", named ? "colour" : "line",
             design->factors[1].name);
  if (design->seed_count > 1)
    snprintf(seeds, sizeof seeds, "median of %zu seeds; %s: lowest to highest; layouts: lowest",
             design->seed_count, named ? "bars" : "bands");
  size_t best = sweep_best(sweep);
  if (best < sweep->done) design_text(design, best, "--", " ", setting);
  snprintf(text, SWEEP_CAPTION, "%s%s%s%s%s%s", curves, *curves && *seeds ? ": " : "", seeds,
           *curves || *seeds ? "; " : "", *setting ? "best: " : "no plan", setting);
  return text;
}

static int draw_sweep(struct sweep *sweep, const struct lines *lines) {
  neap_error error;
  neap_panel panels[NEAP_PANELS_MAX];
  char caption[SWEEP_CAPTION], label[LABEL_SIZE];
  const struct factor *first = &sweep->design.factors[0];
  bool named = first->kind == FACTOR_NAMES;
  const neap_chart chart = {.title = files_last_part(sweep->arguments->operand),
                            .x_label = write_label(first, label),
                            .y_label = "peak (bytes)",
                            .x = lines->x,
                            .x_count = lines->x_count,
                            .series = lines->series,
                            .series_count = lines->count,
                            .y_is_bytes = true,
                            .x_is_logarithmic = is_wide(first),
                            .x_names = named ? (const char *const *)first->texts : NULL,
                            .bands = sweep->design.seed_count > 1 ? lines->bands : NULL,
                            .caption = write_caption(sweep, caption),
                            .panels = panels,
                            .panel_count =
                                layouts_panels(&sweep->layouts, &sweep->design, panels)};
  const char *path = sweep->arguments->svg;
  return message_written(path, neap_chart_draw(&chart, path, &error), &error);
}

int sweep_draw(struct sweep *sweep) {
  const struct design *design = &sweep->design;
  const struct factor *first = &design->factors[0];
  size_t curves = design->factor_count > 1 ? design->factors[1].count : 1;
  struct lines lines;
  if (!sweep->arguments->svg || sweep->done == 0) return 0;
  bool made = lines_init(&lines, first->numbers, first->count, curves + 1);
  for (size_t i = 0; i < curves && made; i++)
    add_curve(sweep, i, &lines);
  bool plain = sweep->bound.lower_bound == sweep->bound.bytes;
  if (made)
    lines_add_reference(&lines, plain ? "bound" : "lower bound",
                        (double)sweep->bound.lower_bound);
  int code = made ? draw_sweep(sweep, &lines) : message_memory();
  lines_clear(&lines);
  return code;
}

/* ---------------------------------------------------------------- benchmarks */

/*
 * How many rows are proven optimal within which time, a line per engine.
 *
 * A picture shows a few hundred points across, so a line never has more points than that.  Steps at
 * those points are exact; other steps are drawn at the next point.
 */

#define POINTS_MAX 400
#define LINES_MAX 12          /* more could not be told apart */
#define LEAST_SECONDS 0.00001 /* the axis is logarithmic */
#define CAPTION_SIZE 160

/* Keeps the first, the last and evenly spaced ones of ascending numbers. */
static size_t thin_out(double *numbers, size_t count) {
  if (count <= POINTS_MAX) return count;
  for (size_t i = 0; i < POINTS_MAX; i++)
    numbers[i] = numbers[(count - 1) * i / (POINTS_MAX - 1)];
  return POINTS_MAX;
}

static int by_number(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static size_t sort_numbers(double *numbers, size_t count) {
  size_t kept = 0;
  if (count > 1) qsort(numbers, count, sizeof *numbers, by_number);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || numbers[i] > numbers[kept - 1]) numbers[kept++] = numbers[i];
  return kept;
}

/* ---------------------------------------------------------------- proofs over time */

static bool is_proven(const struct bench_row *row) { return outcome_is_optimal(&row->outcome); }

static double seconds_of(const struct bench_row *row) {
  return row->outcome.seconds > LEAST_SECONDS ? row->outcome.seconds : LEAST_SECONDS;
}

/*
 * The points are the times of proofs; without proofs, there is one point at 1 s.  `times` has
 * room for all rows and one more.  Returns the number of points.
 */
static size_t find_times(const struct bench_table *table, double *times) {
  size_t count = 0;
  for (size_t i = 0; i < table->count; i++)
    if (is_proven(&table->rows[i])) times[count++] = seconds_of(&table->rows[i]);
  if (count == 0) times[count++] = 1;
  return thin_out(times, sort_numbers(times, count));
}

/* The first point at or after the time. */
static size_t point_of(const struct lines *lines, double seconds) {
  size_t low = 0, high = lines->x_count - 1;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lines->x[middle] < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int by_engine(const void *left, const void *right) {
  const struct bench_row *const *a = left, *const *b = right;
  return strcmp((*a)->engine, (*b)->engine);
}

/* The rows sorted by engine; *engines is the number of engines.  NULL if memory is short. */
static const struct bench_row **sort_rows(const struct bench_table *table, size_t *engines) {
  const struct bench_row **rows = calloc(table->count + 1, sizeof *rows);
  *engines = 0;
  if (!rows) return NULL;
  for (size_t i = 0; i < table->count; i++)
    rows[i] = &table->rows[i];
  if (table->count > 1) qsort(rows, table->count, sizeof *rows, by_engine);
  for (size_t i = 0; i < table->count; i++)
    *engines += i == 0 || strcmp(rows[i - 1]->engine, rows[i]->engine) != 0;
  return rows;
}

static void sum_up(double *values, size_t count) {
  for (size_t i = 1; i < count; i++)
    values[i] += values[i - 1];
}

/* Adds a line for each of the first engines.  Returns the largest number of rows of one engine. */
static size_t count_proofs(const struct bench_row *const *rows, size_t count,
                           struct lines *lines) {
  size_t most = 0;
  for (size_t first = 0, end; first < count && lines->count < LINES_MAX; first = end) {
    double *values = lines_add(lines, rows[first]->engine).values;
    for (end = first; end < count && strcmp(rows[end]->engine, rows[first]->engine) == 0; end++)
      if (is_proven(rows[end])) values[point_of(lines, seconds_of(rows[end]))]++;
    sum_up(values, lines->x_count);
    if (end - first > most) most = end - first;
  }
  return most;
}

static bool make_proofs(const struct bench_table *table, struct lines *lines, char *caption) {
  size_t engines;
  const struct bench_row **rows = sort_rows(table, &engines);
  double *times = calloc(table->count + 1, sizeof *times);
  bool good =
      rows && times && lines_init(lines, times, find_times(table, times), LINES_MAX + 1);
  if (good) {
    char instances[FIGURE_SIZE];
    size_t most = count_proofs(rows, table->count, lines);
    lines_add_reference(lines, "all", (double)most);
    snprintf(caption, CAPTION_SIZE, "%s%s", figure_count(instances, most, "instance"),
             engines > LINES_MAX ? "; some engines are not shown" : "");
  }
  free(times);
  free(rows);
  return good;
}

int bench_chart_draw(const struct bench_table *table, const char *path) {
  neap_error error;
  struct lines lines = {0};
  char caption[CAPTION_SIZE];
  bool made = make_proofs(table, &lines, caption);
  const neap_chart chart = {.title = "neap bench",
                            .x_label = "planning time",
                            .y_label = "instances proven optimal",
                            .x = lines.x,
                            .x_count = lines.x_count,
                            .series = lines.series,
                            .series_count = lines.count,
                            .x_is_seconds = true,
                            .is_stepped = true,
                            .caption = caption};
  int code = made ? message_written(path, neap_chart_draw(&chart, path, &error), &error)
                  : message_memory();
  lines_clear(&lines);
  return code;
}
