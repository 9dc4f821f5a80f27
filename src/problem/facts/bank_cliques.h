/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lower bound from buffers that banks separate pairwise. */
#ifndef FACTS_BANK_CLIQUES_H
#define FACTS_BANK_CLIQUES_H

#include "model/problem.h"

/*
 * Raises *least, a lower bound on the peak in one arena, to the height of cliques of buffers that
 * banks of one size separate pairwise; to NEAP_MAX if no plan can separate them.  O(n log n) in
 * the number of bank separations, O(1) without any.
 */
neap_status bank_cliques_raise(const struct neap_problem *problem, neap_size *least,
                               neap_error *error);

/* The least number of banks that `size` bytes touch. */
static inline neap_size bank_cliques_touch(neap_size size, neap_size bank) {
  return size / bank + (size % bank > 0);
}

/* Buffers that banks of one size separate pairwise. */
struct bank_clique {
  neap_size bank;
  uint32_t *members; /* ascending; NULL: none was found */
  size_t count;
};

/* Finds a clique that forces a peak of at least `target`.  Release its members with free(). */
neap_status bank_cliques_find(const struct neap_problem *problem, neap_size target,
                              struct bank_clique *clique, neap_error *error);

#endif
