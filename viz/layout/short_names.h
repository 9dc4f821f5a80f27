/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short names for buffers where there is little room: the parts of a name that others lack. */
#ifndef VIZ_LAYOUT_SHORT_NAMES_H
#define VIZ_LAYOUT_SHORT_NAMES_H

#include "model/problem.h"
#include "viz/svg/label.h"

struct short_names {
  const struct neap_problem *problem;
  char *text;    /* all short names, each with its NUL */
  size_t *start; /* of each name in `text`; NULL: all are full names */
  size_t used, capacity;
};

/*
 * Finds short names, which differ for different buffers.  O(n log n); for more than 20,000 buffers,
 * uses the full names.
 */
neap_status short_names_init(struct short_names *names, const struct neap_problem *problem,
                             neap_error *error);
void short_names_clear(struct short_names *names);

/* The short name of a buffer. */
const char *short_names_of(const struct short_names *names, size_t buffer);

#define SHORT_NAMES_FORMS 6

/* The labels of a buffer from the most telling to the shortest.  No two buffers share one. */
struct short_forms {
  char text[SHORT_NAMES_FORMS][LABEL_BYTES];
  size_t named; /* the number that contain the short name: with the operator, then without */
  size_t count; /* the rest: the buffer's number, after ever less of the operator's type */
};
void short_names_forms(const struct short_names *names, size_t buffer,
                       struct short_forms *forms);

#endif
