/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to call each buffer where there is little room: the parts of its name that others lack. */
#ifndef VIZ_LAYOUT_SHORT_NAMES_H
#define VIZ_LAYOUT_SHORT_NAMES_H

#include "model/problem.h"
#include "viz/svg/label.h"

struct short_names {
  const struct neap_problem *problem;
  char *text;    /* all short names, each with its NUL */
  size_t *start; /* of each in `text`; NULL: each is the name itself */
  size_t used, capacity;
};

/*
 * Short names of different buffers differ.  O(n log n); of more than 20,000 buffers it sets the
 * names.
 */
neap_status short_names_init(struct short_names *names, const struct neap_problem *problem,
                             neap_error *error);
void short_names_clear(struct short_names *names);

/* Of one buffer. */
const char *short_names_of(const struct short_names *names, size_t buffer);

#define SHORT_NAMES_FORMS 6

/* The labels of a buffer from the most telling to the shortest.  No two buffers share one. */
struct short_forms {
  char text[SHORT_NAMES_FORMS][LABEL_BYTES];
  size_t named; /* so many contain the short name: first with the operator, then without it */
  size_t
      count; /* the others are the buffer's number after less and less of the operator's type */
};
void short_names_forms(const struct short_names *names, size_t buffer,
                       struct short_forms *forms);

#endif
