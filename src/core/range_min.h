/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An array of numbers in which a value can be added to a range, and the minimum of a range
 * found.
 */
#ifndef CORE_RANGE_MIN_H
#define CORE_RANGE_MIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger than any number kept; two of them can be added without overflow. */
#define RANGE_MIN_FAR (INT64_MAX / 4)

struct range_min {
  size_t count, leaves;
  int64_t *least; /* per node: the minimum below it, with everything added at or below it */
  int64_t *added; /* per inner node: what was added to all numbers below it */
};

bool range_min_init(struct range_min *tree, size_t count);
void range_min_clear(struct range_min *tree);

/* Sets all numbers, to 0 if `values` is NULL.  O(count). */
void range_min_fill(struct range_min *tree, const int64_t *values);

/* Adds to all numbers in [first, end).  O(log count), like what follows. */
void range_min_add(struct range_min *tree, size_t first, size_t end, int64_t value);

int64_t range_min_at(const struct range_min *tree, size_t index);

/* The position of the minimum of all numbers; of equal ones, the first. */
size_t range_min_first(const struct range_min *tree);

/* The minimum of all numbers. */
static inline int64_t range_min_least(const struct range_min *tree) { return tree->least[1]; }

/* The minimum of [first, end). */
int64_t range_min_of(const struct range_min *tree, size_t first, size_t end);

/*
 * The position of the minimum in [first, end), of equal ones the first, and its value.
 * O(log^2).
 */
size_t range_min_in(const struct range_min *tree, size_t first, size_t end, int64_t *value);

#endif
