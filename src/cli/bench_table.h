/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a benchmark: printing them, and comparing them with those of another. */
#ifndef CLI_BENCH_TABLE_H
#define CLI_BENCH_TABLE_H

#include "cli/bench_run.h"

struct bench_row {
  const char *instance, *engine;
  struct bench_result result; /* its seconds are the median of the runs */
  double best_seconds;
};

struct bench_table {
  struct bench_row *rows;
  size_t count;
};

/* Functions that return an int return 0, or the exit code of the message they have printed. */
void bench_table_print(const struct bench_table *table);
void bench_table_print_csv(const struct bench_table *table);
int bench_table_print_json(const struct bench_table *table);

/* Prints what is better or worse in the second of two files that --json has printed. */
int bench_table_compare(const char *first, const char *second);

#endif
