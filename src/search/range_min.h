/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array of numbers to whose ranges one adds, and whose smallest one asks for. */
#ifndef SEARCH_RANGE_MIN_H
#define SEARCH_RANGE_MIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger than any number kept, and still far from overflow when two are added. */
#define RANGE_MIN_FAR (INT64_MAX / 4)

struct range_min {
  size_t count, leaf_count;
  int64_t *least; /* per node: the smallest below it, with what has been added at or below */
  int64_t *added; /* per inner node: to all below */
};

bool range_min_init(struct range_min *tree, size_t count);
void range_min_clear(struct range_min *tree);

/* Sets all numbers.  O(count). */
void range_min_fill(struct range_min *tree, const int64_t *values);

/* Adds to all in [first, end).  O(log count), as all below. */
void range_min_add(struct range_min *tree, size_t first, size_t end, int64_t value);

int64_t range_min_at(const struct range_min *tree, size_t index);

/* The first of the smallest of all. */
size_t range_min_first(const struct range_min *tree);

/* The smallest of all. */
static inline int64_t range_min_least(const struct range_min *tree) { return tree->least[1]; }

/* The first of the smallest in [first, end), and its value. */
size_t range_min_in(const struct range_min *tree, size_t first, size_t end, int64_t *value);

#endif
