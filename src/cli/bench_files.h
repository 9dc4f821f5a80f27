/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files to measure or to merge. */
#ifndef CLI_BENCH_FILES_H
#define CLI_BENCH_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct bench_files {
  char **paths;
  size_t count, capacity;
  size_t skipped; /* files in folders */
  char first_skipped[256];
};

/*
 * Adds all files, and searches folders recursively for those whose extension is of a format that
 * holds problems or graphs; there must be at least one.  All paths are sorted.  Warns of files
 * that it skips, except hidden ones.  Returns 0, or the exit code of the message it has printed.
 */
int bench_files_find(struct bench_files *files, const char *const *paths, size_t count);

/*
 * Adds all files in the given order.  A folder stands for the files in it whose names end in
 * BENCH_LINES, sorted; there must be at least one.  "-" is standard input.  Returns 0, or the exit
 * code of the message it has printed.
 */
#define BENCH_LINES ".jsonl"
int bench_files_find_lines(struct bench_files *files, const char *const *paths, size_t count);

void bench_files_clear(struct bench_files *files);

#endif
