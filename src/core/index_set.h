/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of numbers below a limit that finds the neighbours of any number in a few steps.
 */
#ifndef CORE_INDEX_SET_H
#define CORE_INDEX_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORDERED_LEVELS 6 /* 64^6 numbers */
#define ORDERED_NONE SIZE_MAX

/* A bit per number; on each level above, a bit per word below that is not zero. */
struct ordered {
  uint64_t *levels[ORDERED_LEVELS];
  size_t level_count;
};

/* Creates an empty set for numbers below `limit`; false if memory runs out. */
bool ordered_init(struct ordered *set, size_t limit);
void ordered_clear(struct ordered *set);

void ordered_add(struct ordered *set, size_t number);
void ordered_remove(struct ordered *set, size_t number);

static inline bool ordered_has(const struct ordered *set, size_t number) {
  return set->levels[0][number >> 6] >> (number & 63) & 1;
}

/*
 * The largest member below `number` and the smallest above it, or ORDERED_NONE.
 */
size_t ordered_below(const struct ordered *set, size_t number);
size_t ordered_above(const struct ordered *set, size_t number);

#endif
