/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weaker problems: fewer buffers, with sizes rounded down to multiples of a unit.  Every layout of
 * the whole is one of these, so their least height is a lower bound, and often found sooner
 * (search/coarsener).
 */
#ifndef CERTIFY_WEAKER_H
#define CERTIFY_WEAKER_H

#include "certify/certificate.h"
#include "model/sections.h"

struct weaker_choice {
  neap_size unit;
  struct span window; /* of columns: the buffers are those that have one of them */
  bool has_layout;    /* nothing is proven by this one */
};

struct weaker {
  const struct neap_problem *problem;
  struct sections sections;
  struct weaker_choice *choices; /* from the weakest for each unit */
  size_t count;
};

/* Clear in any case. */
neap_status weaker_init(struct weaker *weaker, const struct neap_problem *problem,
                        neap_error *error);
void weaker_clear(struct weaker *weaker);

/* Searches each of them, with at most `states` states, until one proves task->target. */
neap_status weaker_prove(struct weaker *weaker, struct certify_task *task, uint64_t states,
                         neap_error *error);

#endif
