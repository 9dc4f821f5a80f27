/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An array of numbers, at first 0, that adds to ranges and finds the largest of a range: the
 * negated minimum of negated numbers (core/range_min).
 */
#ifndef CORE_LOAD_TREE_H
#define CORE_LOAD_TREE_H

#include "core/range_min.h"

struct load_tree {
  struct range_min negated;
};

/* False if memory runs out. */
static inline bool load_tree_init(struct load_tree *tree, size_t count) {
  if (!range_min_init(&tree->negated, count)) return false;
  range_min_fill(&tree->negated, NULL);
  return true;
}

static inline void load_tree_clear(struct load_tree *tree) { range_min_clear(&tree->negated); }

/* Adds to the numbers [begin, end).  O(log count). */
static inline void load_tree_add(struct load_tree *tree, size_t begin, size_t end,
                                 int64_t amount) {
  range_min_add(&tree->negated, begin, end, -amount);
}

/* The largest of the numbers [begin, end), which are at least one.  O(log count). */
static inline int64_t load_tree_largest(const struct load_tree *tree, size_t begin,
                                        size_t end) {
  return -range_min_of(&tree->negated, begin, end);
}

#endif
