/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a chart over common points. */
#ifndef CLI_EXPERIMENT_LINES_H
#define CLI_EXPERIMENT_LINES_H

#include <neap/neap-io.h>

struct lines {
  double *x;
  size_t x_count;
  neap_series *series; /* the lines that have been added; the last one is a reference */
  neap_band *bands;    /* of each */
  size_t count;
  double *values; /* of a line, then the low and high ones of its band; line by line */
};

/* A line whose values can be set. */
struct line {
  double *values, *low, *high;
};

/* Copies the points; makes room for `most` lines.  False if memory is short.  Clear in both cases. */
bool lines_init(struct lines *lines, const double *x, size_t x_count, size_t most);
void lines_clear(struct lines *lines);

/* Adds a line, all of its values 0.  The name is not copied. */
struct line lines_add(struct lines *lines, const char *name);

/* Adds a reference, which has one value at all points. */
void lines_add_reference(struct lines *lines, const char *name, double value);

#endif
