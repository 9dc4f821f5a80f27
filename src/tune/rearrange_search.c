/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local search: from the best order so far, swap two members or move one elsewhere.  Only
 * better orders become the best one: a climb.
 */
#include <string.h>

#include "tune/rearrange.h"

static void move(size_t *order, size_t from, size_t to) {
  size_t buffer = order[from];
  if (from < to) memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = buffer;
}

bool search_propose(const struct trial *trial, size_t *next) {
  if (trial->count < 2) return false;
  memcpy(next, trial->best, trial->count * sizeof *next);
  uint32_t count = (uint32_t)trial->count;
  size_t one = random_below(trial->random, count);
  size_t other = random_below(trial->random, count - 1);
  if (other >= one) other++; /* even over all places but `one` */
  if (random_below(trial->random, 2) == 0) {
    size_t buffer = next[one];
    next[one] = next[other];
    next[other] = buffer;
  } else {
    move(next, one, other);
  }
  return true;
}
