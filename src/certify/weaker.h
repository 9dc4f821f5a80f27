/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weaker problems have fewer buffers, with sizes rounded down to multiples of a unit.  Every
 * layout of the whole problem is also a layout of these, so their least height is a lower
 * bound, which is often proven sooner (search/coarsening).
 */
#ifndef CERTIFY_WEAKER_H
#define CERTIFY_WEAKER_H

#include "certify/certificate.h"
#include "facts/sections.h"

struct weaker_choice {
  neap_size unit;
  struct span window; /* a run of columns; the buffers are those with a column in it */
  bool has_layout;    /* it has a layout, so it proves nothing */
};

struct weaker {
  const struct neap_problem *problem;
  struct sections sections;
  struct weaker_choice *choices; /* for each unit, the weakest first */
  size_t count;
};

/* Clear in any case. */
neap_status weaker_init(struct weaker *weaker, const struct neap_problem *problem,
                        neap_error *error);
void weaker_clear(struct weaker *weaker);

/* Searches each weaker problem, with at most `states` states, until one proves task->target. */
neap_status weaker_prove(struct weaker *weaker, struct certify_task *task, uint64_t states,
                         neap_error *error);

#endif
