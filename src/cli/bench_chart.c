/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two charts.  With one run per row: how many rows are proven optimal within which time, a line per
 * engine.  With several seeds per row: their peaks in ascending order, a line per row, so that the
 * length of the flat beginning is the number of seeds that reach the best peak.
 *
 * A picture shows a few hundred points across, so a line never has more points than that.  Steps at
 * those points are exact; other steps are drawn at the next point.
 */
#include "cli/bench_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/figures.h"
#include "cli/messages.h"
#include "neap-tool.h"

#define POINTS_MAX 400
#define LINES_MAX 12          /* more could not be told apart */
#define LEAST_SECONDS 0.00001 /* the axis is logarithmic */
#define CAPTION_SIZE 160

struct lines {
  double *x;
  size_t x_count;
  double *values;      /* of all lines and the reference, one after another */
  neap_series *series; /* the lines, then the reference */
  size_t count;        /* without the reference */
};

static void clear_lines(struct lines *lines) {
  free(lines->x);
  free(lines->values);
  free(lines->series);
}

/* Allocates the values of lines at the points in lines->x. */
static bool allocate_lines(struct lines *lines, size_t count) {
  lines->values = calloc((count + 1) * lines->x_count + 1, sizeof *lines->values);
  lines->series = calloc(count + 1, sizeof *lines->series);
  return lines->values && lines->series;
}

static double *add_line(struct lines *lines, const char *name, bool is_reference) {
  double *values = lines->values + lines->count * lines->x_count;
  lines->series[lines->count] = (neap_series){name, values, is_reference};
  if (!is_reference) lines->count++;
  return values;
}

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

static bool is_proven(const struct bench_row *row) {
  return strcmp(row->result.status, "optimal") == 0;
}

static double seconds_of(const struct bench_row *row) {
  return row->result.seconds > LEAST_SECONDS ? row->result.seconds : LEAST_SECONDS;
}

/* The points are the times of proofs; without proofs, there is one point at 1 s. */
static bool find_times(const struct bench_table *table, struct lines *lines) {
  lines->x = calloc(table->count + 1, sizeof *lines->x);
  if (!lines->x) return false;
  for (size_t i = 0; i < table->count; i++)
    if (is_proven(&table->rows[i])) lines->x[lines->x_count++] = seconds_of(&table->rows[i]);
  if (lines->x_count == 0) lines->x[lines->x_count++] = 1;
  lines->x_count = thin_out(lines->x, sort_numbers(lines->x, lines->x_count));
  return true;
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
    double *values = add_line(lines, rows[first]->engine, false);
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
  bool good = rows && find_times(table, lines) &&
              allocate_lines(lines, engines < LINES_MAX ? engines : LINES_MAX);
  if (good) {
    size_t most = count_proofs(rows, table->count, lines);
    double *all = add_line(lines, "all", true);
    for (size_t i = 0; i < lines->x_count; i++)
      all[i] = (double)most;
    char instances[FIGURE_SIZE];
    snprintf(caption, CAPTION_SIZE, "%s%s", figure_count(instances, most, "instance"),
             engines > LINES_MAX ? "; some engines are not shown" : "");
  }
  free(rows);
  return good;
}

/* ---------------------------------------------------------------- peaks of seeds */

/* The ranks of seeds, from 1. */
static bool find_ranks(const struct bench_table *table, struct lines *lines) {
  size_t most = 1;
  for (size_t i = 0; i < table->count; i++)
    if (table->rows[i].seeds.planned > most) most = table->rows[i].seeds.planned;
  lines->x = calloc(most, sizeof *lines->x);
  if (!lines->x) return false;
  for (size_t i = 0; i < most; i++)
    lines->x[i] = (double)(i + 1);
  lines->x_count = thin_out(lines->x, most);
  return true;
}

static double peak_at(const struct bench_row *row, double rank, bool in_bytes) {
  if (rank > (double)row->seeds.planned) return (double)NAN;
  double peak = row->seeds.peaks[(size_t)rank - 1];
  return in_bytes ? peak : figure_gap((neap_size)peak, row->result.lower_bound);
}

/* Whether all rows with several seeds have one lower bound, so that bytes can be compared. */
static bool share_bound(const struct bench_table *table, int64_t *bound) {
  *bound = -1;
  for (size_t i = 0; i < table->count; i++) {
    const struct bench_row *row = &table->rows[i];
    if (!bench_row_has_seeds(row)) continue;
    if (*bound >= 0 && row->result.lower_bound != *bound) return false;
    *bound = row->result.lower_bound;
  }
  return *bound >= 0;
}

static void add_peaks(const struct bench_row *row, bool several_engines, bool in_bytes,
                      struct lines *lines) {
  double *values = add_line(lines, several_engines ? row->engine : row->instance, false);
  for (size_t i = 0; i < lines->x_count; i++)
    values[i] = peak_at(row, lines->x[i], in_bytes);
}

/* Whether lines differ by engine, not by instance, and so are named after their engines. */
static bool is_one_instance(const struct bench_table *table) {
  for (size_t i = 1; i < table->count; i++)
    if (strcmp(table->rows[i].instance, table->rows[0].instance) != 0) return false;
  return table->count > 1;
}

static bool make_peaks(const struct bench_table *table, bool *in_bytes, struct lines *lines,
                       char *caption) {
  int64_t bound;
  size_t left_out = 0;
  bool one = is_one_instance(table);
  *in_bytes = share_bound(table, &bound);
  if (!find_ranks(table, lines) || !allocate_lines(lines, LINES_MAX)) return false;
  for (size_t i = 0; i < table->count; i++) {
    if (!bench_row_has_seeds(&table->rows[i])) continue;
    if (lines->count == LINES_MAX) left_out++;
    else add_peaks(&table->rows[i], one, *in_bytes, lines);
  }
  double *level = add_line(lines, "lower bound", true);
  for (size_t i = 0; i < lines->x_count; i++)
    level[i] = *in_bytes ? (double)bound : 0;
  snprintf(caption, CAPTION_SIZE, "the peaks of all seeds, lowest first");
  if (left_out > 0)
    snprintf(caption, CAPTION_SIZE, "the peaks of all seeds, lowest first; %zu rows not shown",
             left_out);
  return true;
}

/* ---------------------------------------------------------------- either chart */

int bench_chart_draw(const struct bench_table *table, const char *path) {
  neap_error error;
  struct lines lines = {0};
  char caption[CAPTION_SIZE];
  bool of_seeds = bench_table_has_seeds(table), in_bytes = false;
  bool made = of_seeds ? make_peaks(table, &in_bytes, &lines, caption)
                       : make_proofs(table, &lines, caption);
  const char *peak = in_bytes ? "peak" : "gap to the lower bound, %";
  const neap_chart chart = {.title = "neap bench",
                            .x_label = of_seeds ? "seeds" : "planning time",
                            .y_label = of_seeds ? peak : "instances proven optimal",
                            .x = lines.x,
                            .x_count = lines.x_count,
                            .series = lines.series,
                            .series_count = lines.count + 1,
                            .y_is_bytes = in_bytes,
                            .x_is_seconds = !of_seeds,
                            .is_stepped = !of_seeds,
                            .caption = caption};
  int code = made ? message_written(path, neap_chart_draw(&chart, path, &error), &error)
                  : message_memory();
  clear_lines(&lines);
  return code;
}
