/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problems and models to measure. */
#ifndef CLI_BENCH_FILES_H
#define CLI_BENCH_FILES_H

#include <stddef.h>

struct bench_files {
  char **paths; /* sorted */
  size_t count, capacity;
  size_t skipped; /* files in folders */
  char first_skipped[256];
};

/*
 * Adds all files, and searches folders recursively for those whose extension is of a format that
 * holds problems or graphs; there must be at least one.  Warns of files that it skips, except
 * hidden ones. Returns 0, or the exit code of the message it has printed.
 */
int bench_files_find(struct bench_files *files, const char *const *paths, size_t count);
void bench_files_clear(struct bench_files *files);

#endif
