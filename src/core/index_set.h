/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of numbers below a limit that finds the neighbours of any number in a few steps.
 */
#ifndef CORE_INDEX_SET_H
#define CORE_INDEX_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_SET_LEVELS 6 /* 64^6 numbers */
#define INDEX_NONE SIZE_MAX

/* A bit per number; on each level above, a bit per word below that is not zero. */
struct index_set {
  uint64_t *levels[INDEX_SET_LEVELS];
  size_t level_count;
};

/* Creates an empty set for numbers below `limit`; false if memory runs out. */
bool index_set_init(struct index_set *set, size_t limit);
void index_set_clear(struct index_set *set);

void index_set_add(struct index_set *set, size_t number);
void index_set_remove(struct index_set *set, size_t number);

static inline bool index_set_has(const struct index_set *set, size_t number) {
  return set->levels[0][number >> 6] >> (number & 63) & 1;
}

/*
 * The largest member below `number` and the smallest above it, or INDEX_NONE.
 */
size_t index_set_below(const struct index_set *set, size_t number);
size_t index_set_above(const struct index_set *set, size_t number);

#endif
