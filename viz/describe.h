/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to say of a plan and its buffers, in words. */
#ifndef VIZ_DESCRIBE_H
#define VIZ_DESCRIBE_H

#include "plan/plan.h"
#include "viz/label.h"
#include "viz/number.h"

#define DESCRIBE_BUFFER (2 * LABEL_BYTES + 1024)

/* Every number of a buffer, a line each; its name and hint are shortened.  Returns `text`. */
const char *describe_buffer(const struct neap_plan *plan, size_t buffer,
                            char text[DESCRIBE_BUFFER]);

#define DESCRIBE_PLAN 512

/* One or two sentences on the whole.  Returns `text`. */
const char *describe_plan(const struct neap_plan *plan, char text[DESCRIBE_PLAN]);

/* The same as figures to be set side by side. */
#define DESCRIBE_FIGURES 6

struct figure {
  const char *label;
  char value[NUMBER_TEXT];
  char detail[NUMBER_TEXT]; /* may be "" */
};

/* Returns how many there are.  A plan that is not `sound` is neither optimal nor feasible. */
size_t describe_figures(const struct neap_plan *plan, bool sound,
                        struct figure figures[DESCRIBE_FIGURES]);

#endif
