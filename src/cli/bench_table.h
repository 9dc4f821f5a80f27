/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a benchmark: printing them, and comparing them with those of another. */
#ifndef CLI_BENCH_TABLE_H
#define CLI_BENCH_TABLE_H

#include "cli/bench_run.h"

/* The seeds of a merged row. */
struct bench_seeds {
  size_t count, planned,
      at_best; /* how many there are, have a plan, and have the lowest peak */
  bool has_best;
  int64_t best;                 /* the seed of the best plan, if has_best */
  double peak_median, peak_max; /* of those with a plan */
  const double *peaks;          /* of those with a plan, ascending */
};

struct bench_row {
  const char *instance, *engine;
  struct bench_result result; /* the best one; its seconds are the median of the runs */
  double best_seconds;
  struct bench_seeds seeds; /* if merged */
};

struct bench_table {
  struct bench_row *rows;
  size_t count;
  bool is_merged;
};

/* Whether a row is merged from several seeds. */
static inline bool bench_row_has_seeds(const struct bench_row *row) {
  return row->seeds.count > 1;
}
bool bench_table_has_seeds(const struct bench_table *table);

/* Functions that return an int return 0, or the exit code of the message they have printed. */
void bench_table_print(const struct bench_table *table);
void bench_table_print_csv(const struct bench_table *table);
int bench_table_print_json(const struct bench_table *table);

/* Prints what is better or worse in the second of two files that --json has printed. */
int bench_table_compare(const char *first, const char *second);

#endif
