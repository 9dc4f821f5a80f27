/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of single runs, one JSON object per line, as 'neap plan --json' prints them. */
#ifndef CLI_BENCH_LINES_H
#define CLI_BENCH_LINES_H

#include "cli/bench_run.h"

/* The seed of a run that has none. */
#define BENCH_NO_SEED INT64_MIN

struct bench_line {
  char *instance, *engine; /* engine: "-" if the report does not name one */
  int64_t seed;
  size_t place; /* its number among all lines, in the order in which they were read */
  struct bench_result result;
};

struct bench_lines {
  struct bench_line *items;
  size_t count, capacity;
};

/*
 * Appends the reports in a file, or on standard input if the path is "-".  Empty lines are skipped.
 * Returns 0, or the exit code of the message it has printed.
 */
int bench_lines_read(struct bench_lines *lines, const char *path);
void bench_lines_clear(struct bench_lines *lines);

#endif
