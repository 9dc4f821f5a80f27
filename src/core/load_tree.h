/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array of numbers, at first 0, that adds to ranges and finds the largest of a range. */
#ifndef CORE_LOAD_TREE_H
#define CORE_LOAD_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load_tree {
  size_t leaves;    /* a power of two */
  int64_t *largest; /* per node, of the numbers below it without what is added above it */
  int64_t *added;   /* per node, to all below it */
};

/* False if memory runs out. */
bool load_tree_init(struct load_tree *tree, size_t count);
void load_tree_clear(struct load_tree *tree);

/* Adds to the numbers [begin, end).  O(log count). */
void load_tree_add(struct load_tree *tree, size_t begin, size_t end, int64_t amount);

/* The largest of the numbers [begin, end), which are at least one.  O(log count). */
int64_t load_tree_largest(const struct load_tree *tree, size_t begin, size_t end);

#endif
