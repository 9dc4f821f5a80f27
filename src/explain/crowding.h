/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools that are too small for the buffers that can be nowhere else. */
#ifndef EXPLAIN_CROWDING_H
#define EXPLAIN_CROWDING_H

#include "model/problem.h"

struct crowding {
  size_t *members; /* alive at one moment, the largest first; NULL: no pools are too small */
  size_t count;
  neap_size available,
      required; /* the capacities of these pools, and what their buffers need */
};

/*
 * Looks for pools whose capacities are exceeded by the sizes, at one moment, of buffers that can be
 * only in them; fewer pools first.  `members` is released with free().
 */
neap_status crowding_find(struct crowding *crowding, const struct neap_problem *problem,
                          neap_error *error);

#endif
