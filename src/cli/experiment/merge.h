/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of runs on many machines, merged into the table of a benchmark. */
#ifndef CLI_EXPERIMENT_MERGE_H
#define CLI_EXPERIMENT_MERGE_H

#include "cli/experiment/bench.h"
#include "cli/experiment/paths.h"

/* A line of a file: one JSON object, as neap plan --json prints it. */
struct report {
  char *instance, *engine; /* engine: "-" if the report does not name one */
  int64_t seed;            /* CELL_NONE if there is none */
  size_t place; /* its number among all lines, in the order in which they were read */
  struct outcome outcome;
};

struct reports {
  struct report *items;
  size_t count, capacity;
};

struct merge {
  struct paths files;
  struct reports lines;
  struct bench_table table; /* points into the rest */
  double *numbers;
};

/*
 * Reads all lines at the paths.  Of several lines with the same input, engine and seed, the last
 * one counts.  The table has a row per input and engine, in this order, whatever the order of the
 * lines.  Returns 0, or the exit code of the message it has printed.  The caller calls
 * merge_clear in both cases.
 */
int merge_reports(struct merge *merge, const char *const *operands, size_t count);
void merge_clear(struct merge *merge);

#endif
