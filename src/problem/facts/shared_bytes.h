/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pairs of buffers that may share bytes in a layout because relations permit it: by an
 * exclusion, a colocation, or an overlap allowance that the layout respects.  The verifier uses
 * it; no engine does.
 */
#ifndef FACTS_SHARED_BYTES_H
#define FACTS_SHARED_BYTES_H

#include "facts/placement.h"

struct sharing_pair {
  size_t buffer, partner;
  bool by_overlap; /* only an overlap allowance permits it */
};

/*
 * Colocated buffers may share bytes with all others in their body, even with buffers that are
 * colocated only indirectly.  There are too many such pairs to list.  Every other permitted pair
 * is listed twice, once for each of its buffers.
 */
struct shared_bytes {
  struct sharing_pair *pairs; /* by buffer, then partner */
  size_t count;
  size_t *bodies; /* per buffer: a buffer for its body, or SHARING_ALONE; NULL: no colocations */
};

#define SHARING_ALONE SIZE_MAX

/* O(n log n) time and O(n) memory for n buffers and relations; O(1) without relations. */
neap_status shared_bytes_init(struct shared_bytes *sharing, const struct placement *placement,
                              neap_error *error);
void shared_bytes_clear(struct shared_bytes *sharing);

/* The first listed pair of a buffer, or where it would be. */
size_t shared_bytes_begin(const struct shared_bytes *sharing, size_t buffer);

/* Whether two buffers are colocated, directly or indirectly, in one pool. */
static inline bool shared_bytes_colocates(const struct shared_bytes *sharing, size_t a,
                                          size_t b) {
  return sharing->bodies && sharing->bodies[a] != SHARING_ALONE &&
         sharing->bodies[a] == sharing->bodies[b];
}

/* Whether no pair may share bytes. */
static inline bool shared_bytes_is_empty(const struct shared_bytes *sharing) {
  return sharing->count == 0 && !sharing->bodies;
}

/* Whether relations permit two buffers to share bytes. */
bool shared_bytes_has(const struct shared_bytes *sharing, size_t a, size_t b);

#endif
