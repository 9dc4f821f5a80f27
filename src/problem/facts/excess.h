/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a layout is above a threshold: a finer measure than its peak. */
#ifndef FACTS_EXCESS_H
#define FACTS_EXCESS_H

#include "model/problem.h"

struct excess {
  neap_size peak;
  /*
   * The sum, over all buffers, of their bytes above the threshold times the time they are alive;
   * NEAP_MAX if it is larger.
   */
  int64_t area;
  size_t count; /* buffers that end above the threshold */
};

/* Measures a layout in which every buffer has an offset.  O(n + ranges). */
struct excess excess_measure(const struct neap_problem *problem, const neap_offset *offsets,
                             neap_size threshold);

/* Whether `a` is the better layout: by peak, then area, then count. */
bool excess_is_less(const struct excess *a, const struct excess *b);

#endif
