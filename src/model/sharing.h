/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pairs of buffers that may share bytes in a layout because relations permit it: by an
 * exclusion, a colocation, or an overlap allowance that the layout respects.  The verifier uses
 * it; no engine does.
 */
#ifndef MODEL_SHARING_H
#define MODEL_SHARING_H

#include "model/placement.h"

struct sharing_pair {
  size_t buffer, partner;
  bool by_overlap; /* only an overlap allowance permits it */
};

/*
 * Colocated buffers may share bytes with all others in their body, even with those that they
 * are colocated with only indirectly.  There are too many such pairs to list.  Every other
 * permitted pair is listed twice, once for each of its buffers.
 */
struct sharing {
  struct sharing_pair *pairs; /* by buffer, then partner */
  size_t count;
  size_t *bodies; /* per buffer: a buffer for its body, or SHARING_ALONE; NULL: no colocations */
};

#define SHARING_ALONE SIZE_MAX

/* O(n log n) time and O(n) memory for n buffers and relations; O(1) without relations. */
neap_status sharing_init(struct sharing *sharing, const struct placement *placement,
                         neap_error *error);
void sharing_clear(struct sharing *sharing);

/* The first listed pair of a buffer, or where it would be. */
size_t sharing_begin(const struct sharing *sharing, size_t buffer);

/* Whether two buffers are colocated, directly or indirectly, in one pool. */
static inline bool sharing_colocates(const struct sharing *sharing, size_t a, size_t b) {
  return sharing->bodies && sharing->bodies[a] != SHARING_ALONE &&
         sharing->bodies[a] == sharing->bodies[b];
}

/* Whether no pair may share bytes. */
static inline bool sharing_is_empty(const struct sharing *sharing) {
  return sharing->count == 0 && !sharing->bodies;
}

/* Whether relations permit two buffers to share bytes. */
bool sharing_has(const struct sharing *sharing, size_t a, size_t b);

#endif
