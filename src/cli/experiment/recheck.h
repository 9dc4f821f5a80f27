/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares what the library of public instances states with what the program finds now. */
#ifndef CLI_EXPERIMENT_RECHECK_H
#define CLI_EXPERIMENT_RECHECK_H

#include <stddef.h>
#include <stdint.h>

#include "cli/options/arguments.h"

/*
 * Plans all instances that are at hand in a folder as in library.h, and prints what is better, worse or
 * missing.  Returns 0, EXIT_NO_PLAN if something is worse, EXIT_UNSOUND if a peak and a bound contradict
 * each other, or the exit code of the message it has printed.
 */
int recheck_library(const struct arguments *arguments, const char *folder);

/* ---------------------------------------------------------------- library */

/*
 * The library of public instances: a folder with the tables instances.txt and sources.txt, which
 * bench/library/README.md describes, and with the instances at hand in instances/.  Functions that return
 * an int return 0, or the exit code of the message they have printed.
 */

/* What is looked for. */
enum library_kind {
  LIBRARY_LAYOUT,    /* the lowest peak */
  LIBRARY_ORDER,     /* the lowest peak over all orders of the operators */
  LIBRARY_OVERLAP,   /* the lowest peak with outputs over inputs */
  LIBRARY_SPLIT,     /* the lowest peak of a model that is split, with outputs over inputs */
  LIBRARY_RECOMPUTE, /* the least time in which operators run, some again, to fit a capacity */
  LIBRARY_KINDS
};

const char *library_kind_name(enum library_kind kind);

/* Columns of sources.txt. */
struct library_source {
  char *line; /* which the texts are parts of */
  const char *name, *repository, *commit, *licence;
};

/* Columns of instances.txt.  Numbers that are not known are -1, and texts "-". */
struct library_row {
  char *line;
  const char *instance, *source, *derivation, *path, *found, *certificate;
  const struct library_source *from; /* of that name */
  enum library_kind kind;
  int64_t capacity;    /* of recomputation */
  int64_t ticks;       /* the work in which the program finds the best */
  int64_t size;        /* of layouts and overlaps buffers, of others operators */
  int64_t best, bound; /* the lowest peak or least time that is known, and what is proven */
};

struct library {
  struct library_row *rows;
  struct library_source *sources;
  size_t row_count, source_count;
};

int library_read(struct library *library, const char *folder);
void library_clear(struct library *library);

#endif
