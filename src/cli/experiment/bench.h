/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of a benchmark, their chart, and a comparison with those of another.  Functions that return an
 * int return 0, or the exit code of the message they have printed.
 */
#ifndef CLI_EXPERIMENT_BENCH_H
#define CLI_EXPERIMENT_BENCH_H

#include "cli/experiment/outcome.h"

struct bench_row {
  const char *instance, *engine;
  struct outcome outcome; /* the best one; its seconds are the median of the runs */
  double best_seconds;
  /* Of merged rows: how many seeds there are, have a plan, and have the lowest peak. */
  int64_t seeds, planned, at_best;
  int64_t best_seed;            /* of the best plan; CELL_NONE if it has none */
  double peak_median, peak_max; /* of those with a plan; -1 if there are none */
  const double *peaks;          /* likewise, ascending */
};

struct bench_table {
  struct bench_row *rows;
  size_t count;
  bool is_merged;
};

/* Whether a row is merged from several seeds. */
static inline bool bench_row_has_seeds(const struct bench_row *row) { return row->seeds > 1; }

static inline bool bench_table_has_seeds(const struct bench_table *table) {
  bool has_seeds = false;
  for (size_t i = 0; i < table->count && !has_seeds; i++)
    has_seeds = bench_row_has_seeds(&table->rows[i]);
  return has_seeds;
}

int bench_chart_draw(const struct bench_table *table, const char *path);

/* Prints what is better or worse in the second of two files that --json has printed. */
int bench_print_differences(const char *first, const char *second);

#endif
