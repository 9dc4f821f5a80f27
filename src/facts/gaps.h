/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The minimum distances between buffers that overlap allowances permit. */
#ifndef FACTS_GAPS_H
#define FACTS_GAPS_H

#include "model/problem.h"

/* Two buffers of at least one byte, related by at least one overlap allowance. */
struct gap {
  uint32_t first, second; /* first < second */
  /* The least offset(second) - offset(first) if `first` is below `second`, and the reverse. */
  neap_size first_below, second_below;
  bool second_is_output; /* the allowance is for `second` as an output over `first` as an input */
};

struct gaps {
  struct gap *items; /* by first, then second; each pair once */
  size_t count;
};

/* O(n log n) in the number of allowances. */
neap_status gaps_init(struct gaps *gaps, const struct neap_problem *problem, neap_error *error);
void gaps_clear(struct gaps *gaps);

/* The most bytes that two buffers of these sizes can share. */
static inline neap_size gap_saving(const struct gap *gap, neap_size first, neap_size second) {
  neap_size above = first - gap->first_below, below = second - gap->second_below;
  if (above > second) above = second;
  if (below > first) below = first;
  return above > below ? above : below;
}

#endif
