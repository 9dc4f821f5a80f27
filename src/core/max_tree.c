/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each inner node has the larger number of its children.  The next element is found by going up
 * and to the right until a node contains a number that is large enough, and down from there, to
 * the left where possible.
 */
#include "core/max_tree.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/tree.h"

bool max_tree_init(struct max_tree *tree, size_t count) {
  *tree = (struct max_tree){.count = count, .leaves = tree_leaves(count)};
  tree->largest = memory_array(2 * tree->leaves, sizeof *tree->largest);
  if (!tree->largest) return false;
  for (size_t node = 0; node < 2 * tree->leaves; node++)
    tree->largest[node] = MAX_TREE_NONE;
  return true;
}

void max_tree_clear(struct max_tree *tree) {
  free(tree->largest);
  *tree = (struct max_tree){0};
}

void max_tree_set(struct max_tree *tree, size_t index, int64_t value) {
  assert(index < tree->count);
  size_t node = tree->leaves + index;
  tree->largest[node] = value;
  while ((node = tree_parent(node)) != 0) {
    int64_t left = tree->largest[tree_left(node)], right = tree->largest[tree_right(node)];
    tree->largest[node] = left > right ? left : right;
  }
}

size_t max_tree_next(const struct max_tree *tree, size_t from, int64_t least) {
  assert(least > MAX_TREE_NONE);
  if (from >= tree->count) return tree->count;
  size_t node = from == 0 ? 1 : tree->leaves + from;
  while (tree->largest[node] < least) {
    while (node & 1) /* a right child: what follows it follows its parent */
      node = tree_parent(node);
    if (node == 0) return tree->count;
    node++;
  }
  while (node < tree->leaves)
    node = tree->largest[tree_left(node)] >= least ? tree_left(node) : tree_right(node);
  assert(node - tree->leaves < tree->count);
  return node - tree->leaves;
}
