/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines are sorted by input, engine, seed and age; the rows are then found in one pass.  The cost
 * is that of sorting.
 */
#include "cli/bench_merge.h"

#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/sweep_statistics.h"

static int read_all(struct bench_merge *merge) {
  int code = 0;
  for (size_t i = 0; i < merge->files.count && code == 0; i++)
    code = bench_lines_read(&merge->lines, merge->files.paths[i]);
  return code;
}

/* ---------------------------------------------------------------- sorting */

static int by_row(const struct bench_line *a, const struct bench_line *b) {
  int order = strcmp(a->instance, b->instance);
  return order != 0 ? order : strcmp(a->engine, b->engine);
}

static int by_key(const struct bench_line *a, const struct bench_line *b) {
  int order = by_row(a, b);
  return order != 0 ? order : (a->seed > b->seed) - (a->seed < b->seed);
}

static int by_age(const void *left, const void *right) {
  const struct bench_line *a = left, *b = right;
  int order = by_key(a, b);
  return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

/* Sorts the lines, and keeps the last of those with the same key. */
static void keep_latest(struct bench_lines *lines) {
  size_t kept = 0;
  if (lines->count > 1) qsort(lines->items, lines->count, sizeof *lines->items, by_age);
  for (size_t i = 0; i < lines->count; i++) {
    bool replaces = kept > 0 && by_key(&lines->items[kept - 1], &lines->items[i]) == 0;
    if (replaces) kept--;
    struct bench_line older = lines->items[kept];
    lines->items[kept] = lines->items[i];
    lines->items[i] = older; /* to be released with all others */
    kept++;
  }
  for (size_t i = kept; i < lines->count; i++) {
    free(lines->items[i].instance);
    free(lines->items[i].engine);
  }
  lines->count = kept;
}

/* ---------------------------------------------------------------- one row */

static bool is_optimal(const struct bench_result *result) {
  return strcmp(result->status, "optimal") == 0;
}

/* Whether a run is better: a lower peak, then a proof, then less time. */
static bool is_better(const struct bench_result *a, const struct bench_result *b) {
  if (a->peak < 0 || b->peak < 0) return b->peak < 0 && a->peak >= 0;
  if (a->peak != b->peak) return a->peak < b->peak;
  if (is_optimal(a) != is_optimal(b)) return is_optimal(a);
  return a->seconds < b->seconds;
}

/*
 * A lower bound that one run has proven holds for all runs of the same problem.  Runs with another
 * bound planned another problem.
 */
static int64_t best_lower_bound(const struct bench_line *lines, size_t count,
                                const struct bench_result *best) {
  int64_t lower = best->lower_bound;
  for (size_t i = 0; i < count; i++) {
    const struct bench_result *result = &lines[i].result;
    bool same = result->bound == best->bound && result->buffers == best->buffers;
    bool possible = best->peak < 0 || result->lower_bound <= best->peak;
    if (same && possible && result->lower_bound > lower) lower = result->lower_bound;
  }
  return lower;
}

/* The seconds of all runs that report them; `numbers` has room for them. */
static void set_seconds(struct bench_row *row, const struct bench_line *lines, size_t count,
                        double *numbers) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    if (lines[i].result.seconds >= 0) numbers[known++] = lines[i].result.seconds;
  struct spread seconds = spread_of(numbers, known);
  row->result.seconds = known > 0 ? seconds.median : -1;
  row->best_seconds = known > 0 ? seconds.min : -1;
}

/* Counts the seeds of a row and their plans; writes the peaks to `numbers`. */
static struct bench_seeds gather_seeds(const struct bench_line *lines, size_t count,
                                       const struct bench_line *best, double *numbers) {
  struct bench_seeds seeds = {.count = count, .peaks = numbers};
  seeds.has_best = best->seed != BENCH_NO_SEED;
  seeds.best = seeds.has_best ? best->seed : 0;
  for (size_t i = 0; i < count; i++) {
    int64_t peak = lines[i].result.peak;
    if (peak >= 0) numbers[seeds.planned++] = (double)peak;
    seeds.at_best += peak >= 0 && peak == best->result.peak;
  }
  struct spread spread = spread_of(numbers, seeds.planned);
  seeds.peak_median = spread.median;
  seeds.peak_max = spread.max;
  return seeds;
}

static struct bench_row make_row(const struct bench_line *lines, size_t count,
                                 double *numbers) {
  const struct bench_line *best = lines;
  for (size_t i = 1; i < count; i++)
    if (is_better(&lines[i].result, &best->result)) best = &lines[i];
  struct bench_row row = {
      .instance = best->instance, .engine = best->engine, .result = best->result};
  set_seconds(&row, lines, count, numbers);
  row.result.lower_bound = best_lower_bound(lines, count, &best->result);
  row.seeds = gather_seeds(lines, count, best, numbers);
  return row;
}

/* ---------------------------------------------------------------- all rows */

static int make_rows(struct bench_merge *merge) {
  const struct bench_lines *lines = &merge->lines;
  struct bench_table *table = &merge->table;
  table->is_merged = true;
  table->rows = calloc(lines->count + 1, sizeof *table->rows);
  merge->numbers = calloc(lines->count + 1, sizeof *merge->numbers);
  if (!table->rows || !merge->numbers) return message_memory();
  for (size_t first = 0, end; first < lines->count; first = end) {
    end = first + 1;
    while (end < lines->count && by_row(&lines->items[first], &lines->items[end]) == 0)
      end++;
    table->rows[table->count++] =
        make_row(&lines->items[first], end - first, &merge->numbers[first]);
  }
  return 0;
}

int bench_merge(struct bench_merge *merge, const char *const *paths, size_t count) {
  int code = bench_files_find_lines(&merge->files, paths, count);
  if (code == 0) code = read_all(merge);
  if (code != 0) return code;
  keep_latest(&merge->lines);
  return make_rows(merge);
}

void bench_merge_clear(struct bench_merge *merge) {
  bench_files_clear(&merge->files);
  bench_lines_clear(&merge->lines);
  free(merge->table.rows);
  free(merge->numbers);
  *merge = (struct bench_merge){0};
}
