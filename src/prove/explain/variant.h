/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of a problem with some changes, such as a smaller buffer, or one that is freed earlier. */
#ifndef EXPLAIN_VARIANT_H
#define EXPLAIN_VARIANT_H

#include "facts/subset.h"
#include "neap/proof.h"

struct variant_choice {
  const size_t *indices; /* the buffers to keep; NULL: all */
  size_t count;          /* of `indices` */
  const neap_change *changes;
  size_t change_count; /* NEAP_FIX_CHANGES at most */
};

/*
 * Copies a problem without penalties and earlier offsets, which only affect what layouts cost.  A
 * change of the arena's capacity has no effect here.  NEAP_ERROR_INPUT: a change contradicts
 * the problem.
 */
neap_status variant_init(struct subset *subset, const struct neap_problem *whole,
                         const struct variant_choice *choice, neap_error *error);

#endif
