/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of runs on many machines, merged into the table of a benchmark. */
#ifndef CLI_BENCH_MERGE_H
#define CLI_BENCH_MERGE_H

#include "cli/bench_files.h"
#include "cli/bench_lines.h"
#include "cli/bench_table.h"

struct bench_merge {
  struct bench_files files;
  struct bench_lines lines;
  struct bench_table table; /* points into the rest */
  double *numbers;
};

/*
 * Reads all lines at the paths.  Of several lines with the same input, engine and seed, the last
 * one counts.  The table has a row per input and engine, in this order, whatever the order of the
 * lines.  Returns 0, or the exit code of the message it has printed.  The caller calls
 * bench_merge_clear in both cases.
 */
int bench_merge(struct bench_merge *merge, const char *const *paths, size_t count);
void bench_merge_clear(struct bench_merge *merge);

#endif
