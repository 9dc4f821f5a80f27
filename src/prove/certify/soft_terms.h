/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs that plans pay: reuse penalties, and moves from an earlier plan. */
#ifndef CERTIFY_SOFT_TERMS_H
#define CERTIFY_SOFT_TERMS_H

#include "facts/bodies.h"
#include "model/problem.h"
#include "neap/relations.h"

/*
 * A cost to avoid.  It is paid if two buffers share a byte, or if a buffer is not at its offset
 * of the earlier plan.
 */
struct soft_term {
  neap_term kind; /* NEAP_TERM_REUSE or NEAP_TERM_MOVED */
  size_t first;
  int64_t second; /* the other buffer, > `first`; or the earlier offset */
  neap_size cost;
};

struct soft_terms {
  struct soft_term *items; /* in the order of the certificate */
  size_t count;
};

/* Lists the terms of one kind; false if memory is short. */
bool soft_terms_init(struct soft_terms *terms, const struct neap_problem *problem,
                     neap_term kind);
void soft_terms_clear(struct soft_terms *terms);

/*
 * Whether every plan pays a term, for a reason that needs no proof: the buffer is not allowed
 * at its earlier offset in any of its pools, or the two buffers are colocated such that they
 * share bytes.
 */
bool soft_term_is_due(const struct soft_term *term, const struct neap_problem *problem,
                      const struct bodies *bodies);

#endif
