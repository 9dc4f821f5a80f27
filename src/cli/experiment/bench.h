/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a benchmark, and their chart. */
#ifndef CLI_EXPERIMENT_BENCH_H
#define CLI_EXPERIMENT_BENCH_H

#include "cli/experiment/outcome.h"

struct bench_row {
  const char *instance, *engine;
  struct outcome outcome; /* the best one; its seconds are the median of the runs */
  double best_seconds;
};

struct bench_table {
  struct bench_row *rows;
  size_t count;
};

/* Returns 0, or the exit code of the message it has printed. */
int bench_chart_draw(const struct bench_table *table, const char *path);

#endif
