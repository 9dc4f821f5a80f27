/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries all orders of a group, in lexicographic order of the members' positions in the sorted
 * order, which is the first.  O(members^2) per order, for groups of a few members.
 */
#include <assert.h>
#include <gsl/gsl_permutation.h>

#include "core/knobs.h"
#include "tune/rearrange.h"

bool exhaustive_fits(const struct trial *trial) {
  uint64_t orders = 1;
  if (trial->count > REARRANGE_MEMBERS_MAX) return false;
  for (uint64_t i = 2; i <= trial->count; i++)
    orders *= i;
  return orders <= trial->cap;
}

static size_t place_of(const struct trial *trial, size_t buffer) {
  size_t place = 0;
  for (; trial->sorted[place] != buffer; place++)
    assert(place + 1 < trial->count);
  return place;
}

/*
 * Maps the last order to positions in the sorted order, and steps to the lexicographically next
 * one.
 */
enum proposal exhaustive_propose(const struct trial *trial, size_t *next) {
  for (size_t i = 0; i < trial->count; i++)
    next[i] = place_of(trial, trial->last[i]);
  gsl_permutation places = {trial->count, next};
  bool more = trial->count > 1 && gsl_permutation_next(&places) == GSL_SUCCESS;
  for (size_t i = 0; i < trial->count; i++)
    next[i] = trial->sorted[next[i]];
  return more ? PROPOSAL_MADE : PROPOSAL_NONE;
}
