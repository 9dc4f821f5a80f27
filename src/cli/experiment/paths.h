/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files to measure. */
#ifndef CLI_EXPERIMENT_PATHS_H
#define CLI_EXPERIMENT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

struct paths {
  char **items;
  size_t count, capacity;
  size_t skipped; /* files in folders */
  char first_skipped[256];
};

/*
 * Adds all files, and searches folders recursively for those whose extension is of a format that
 * holds problems or graphs; there must be at least one.  All paths are sorted.  Warns of files
 * that it skips, except hidden ones.  Returns 0, or the exit code of the message it has printed.
 */
int paths_find(struct paths *found, const char *const *operands, size_t count);

void paths_clear(struct paths *found);

#endif
