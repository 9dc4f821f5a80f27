/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hill climbing: swaps two members of the best order so far, or moves one member to another
 * place.  Only a better order becomes the new best.  O(members) per order.
 */
#include <assert.h>
#include <string.h>

#include "tune/rearrange.h"

static void move_member(size_t *order, size_t from, size_t to) {
  size_t buffer = order[from];
  if (from < to) memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = buffer;
}

enum proposal search_propose(const struct trial *trial, size_t *next) {
  if (trial->count < 2) return PROPOSAL_NONE;
  memcpy(next, trial->best, trial->count * sizeof *next);
  uint32_t count = (uint32_t)trial->count;
  size_t one = random_below(trial->random, count);
  size_t other = random_below(trial->random, count - 1);
  if (other >= one) other++; /* uniform over all positions except `one` */
  assert(one < count && other < count && one != other);
  if (random_below(trial->random, 2) == 0) {
    size_t buffer = next[one];
    next[one] = next[other];
    next[other] = buffer;
  } else {
    move_member(next, one, other);
  }
  return PROPOSAL_MADE;
}
