/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array of numbers that finds the next one that is at least as large as a given one. */
#ifndef CORE_MAX_TREE_H
#define CORE_MAX_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element without a number. */
#define MAX_TREE_NONE INT64_MIN

struct max_tree {
  size_t count, leaves;
  int64_t *largest; /* per node of a tree (core/tree.h): the largest number below it */
};

/* Makes `count` elements without numbers; false if memory runs out. */
bool max_tree_init(struct max_tree *tree, size_t count);
void max_tree_clear(struct max_tree *tree);

/* Sets an element; MAX_TREE_NONE removes its number.  O(log count). */
void max_tree_set(struct max_tree *tree, size_t index, int64_t value);

/* Whether an element has a number. */
static inline bool max_tree_has(const struct max_tree *tree, size_t index) {
  return tree->largest[tree->leaves + index] != MAX_TREE_NONE;
}

/*
 * The first element, from index `from` on, whose number is at least `least` (> MAX_TREE_NONE);
 * `count` if there is none.  O(log count).
 */
size_t max_tree_next(const struct max_tree *tree, size_t from, int64_t least);

/* The largest number; MAX_TREE_NONE if there is none. */
static inline int64_t max_tree_largest(const struct max_tree *tree) {
  return tree->count > 0 ? tree->largest[1] : MAX_TREE_NONE;
}

#endif
