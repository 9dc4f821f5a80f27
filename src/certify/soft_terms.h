/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plans pay for: reuse penalties, and moves from an earlier plan. */
#ifndef CERTIFY_SOFT_TERMS_H
#define CERTIFY_SOFT_TERMS_H

#include "model/bodies.h"
#include "model/problem.h"

/* To avoid: bytes that two buffers share, or another offset of a buffer than in the earlier plan. */
struct soft_term {
  neap_term kind; /* NEAP_TERM_REUSE or NEAP_TERM_MOVED */
  size_t first;
  int64_t second; /* the other buffer, above `first`; or the offset */
  neap_size cost;
};

struct soft_terms {
  struct soft_term *items; /* sorted, one for each pair or buffer */
  size_t count;
};

/* Lists those of one kind; false if memory is short. */
bool soft_terms_init(struct soft_terms *terms, const struct neap_problem *problem,
                     neap_term kind);
void soft_terms_clear(struct soft_terms *terms);

/*
 * Whether every plan pays a term, for a reason that needs no proof: the buffer may not be at its earlier
 * offset in any of its pools, or the two are colocated where they share bytes.
 */
bool soft_term_is_due(const struct soft_term *term, const struct neap_problem *problem,
                      const struct bodies *bodies);

#endif
