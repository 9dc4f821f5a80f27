/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which pairs of buffers share bytes in a layout because relations permit it: an exclusion, a
 * colocation, or an overlap allowance that the layout keeps.  The verifier uses it; no engine does.
 */
#ifndef MODEL_SHARING_H
#define MODEL_SHARING_H

#include "model/placement.h"

struct sharing_pair {
  size_t buffer, partner;
  bool by_overlap; /* only an overlap allowance permits it */
};

/* Every pair is there twice, once for each of its buffers. */
struct sharing {
  struct sharing_pair *pairs; /* by buffer, then partner */
  size_t count;
};

/* O(n log n) time and O(n) memory for n relations. */
neap_status sharing_init(struct sharing *sharing, const struct placement *placement,
                         neap_error *error);
void sharing_clear(struct sharing *sharing);

/* The first pair of a buffer, or where it would be. */
size_t sharing_begin(const struct sharing *sharing, size_t buffer);

/* Whether a pair is among them. */
bool sharing_has(const struct sharing *sharing, size_t a, size_t b);

#endif
