/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary search over any array in any order.  The caller compares, so nothing is cast and the
 * loop compiles to what it would be by hand:
 *
 *     struct bisection search = bisection_of(0, count);
 *     while (bisection_open(&search))
 *       bisection_step(&search, times[search.middle] < limit);
 *     return search.low;
 *
 * This finds the first index in [0, count) whose element does not lie before the place sought, or
 * `count` if all do.  The elements that lie before it must be the first ones.  O(log count) steps.
 */
#ifndef CORE_BISECTION_H
#define CORE_BISECTION_H

#include <stdbool.h>
#include <stddef.h>

/* Elements up to `low` lie before the place sought, those from `high` on do not. */
struct bisection {
  size_t low, high;
  size_t middle; /* to be compared next */
};

/* Searches [low, high), low <= high. */
static inline struct bisection bisection_of(size_t low, size_t high) {
  return (struct bisection){low, high, low};
}

/* Chooses the next element to compare; false when `low` is the place sought. */
static inline bool bisection_open(struct bisection *search) {
  if (search->low >= search->high) return false;
  search->middle = search->low + (search->high - search->low) / 2;
  return true;
}

/* Takes the result of a comparison: whether the middle element lies before the place sought. */
static inline void bisection_step(struct bisection *search, bool is_before) {
  if (is_before) search->low = search->middle + 1;
  else search->high = search->middle;
}

#endif
