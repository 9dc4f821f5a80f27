/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shape of complete binary trees that are stored in arrays.  Node 1 is the root, the children
 * of node n are 2n and 2n + 1, and leaf i is node leaves + i, where `leaves` is a power of two.
 * An array of 2 * leaves elements holds one value per node; element 0 is not used.
 *
 *                      [        1        ]
 *                  [   2   ]        [   3   ]
 *                [ 4 ]   [ 5 ]    [ 6 ]   [ 7 ]
 *           leaf:  0       1        2       3
 *
 * What the nodes contain is up to the users: the trees of core/range_min and core/max_tree, and
 * others with nodes of their own.
 */
#ifndef CORE_TREE_H
#define CORE_TREE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of leaves of a tree over `count` elements: a power of two, at least 1. */
static inline size_t tree_leaves(size_t count) {
  assert(count <= SIZE_MAX / 4);
  size_t leaves = 1;
  while (leaves < count)
    leaves *= 2;
  return leaves;
}

static inline size_t tree_left(size_t node) { return 2 * node; }

static inline size_t tree_right(size_t node) { return 2 * node + 1; }

/* The parent of a node; 0 for the root. */
static inline size_t tree_parent(size_t node) { return node / 2; }

/*
 * The nodes of a level that have any of the first leaves below them.  The next node, if there is
 * one, is the only other node that is combined with these, so a tree over few more elements than a
 * power of two needs little more than half of its array.
 */
struct tree_level {
  size_t first, count;
};

static inline bool tree_has_next(struct tree_level level) { return level.count < level.first; }

/* The level above; the root is a level of its own. */
static inline struct tree_level tree_above(struct tree_level level) {
  return (struct tree_level){level.first / 2, (level.count + 1) / 2};
}

/*
 * The fewest nodes whose leaves are exactly those from node `left` up to before node `right`, both
 * at first on the level of the leaves: at most two nodes per level.
 *
 *     struct tree_cover cover = {leaves + first, leaves + end};
 *     for (size_t node; (node = tree_cover_next(&cover)) != 0;)
 *       ...
 */
struct tree_cover {
  size_t left, right;
};

/* The next node, level by level upwards, on each from outside inwards; 0 when there is none. */
static inline size_t tree_cover_next(struct tree_cover *cover) {
  for (; cover->left < cover->right; cover->left /= 2, cover->right /= 2) {
    if (cover->left & 1) return cover->left++;
    if (cover->right & 1) return --cover->right;
  }
  return 0;
}

#endif
