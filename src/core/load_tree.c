/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A segment tree: node n has the children 2 n and 2 n + 1.  What is added to a node stays there and
 * is never passed down.
 */
#include "core/load_tree.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"

bool load_tree_init(struct load_tree *tree, size_t count) {
  *tree = (struct load_tree){.leaves = 1};
  while (tree->leaves < count)
    tree->leaves *= 2;
  tree->largest = memory_array(2 * tree->leaves, sizeof *tree->largest);
  tree->added = memory_array(2 * tree->leaves, sizeof *tree->added);
  if (tree->largest && tree->added) return true;
  load_tree_clear(tree);
  return false;
}

void load_tree_clear(struct load_tree *tree) {
  free(tree->largest);
  free(tree->added);
  *tree = (struct load_tree){0};
}

/* A node and the numbers [low, high) below it. */
struct place {
  size_t node, low, high;
};

static struct place root_of(const struct load_tree *tree) {
  return (struct place){1, 0, tree->leaves};
}

static struct place child_of(struct place place, size_t which) {
  size_t middle = place.low + (place.high - place.low) / 2;
  return (struct place){2 * place.node + which, which ? middle : place.low,
                        which ? place.high : middle};
}

static void add_below(struct load_tree *tree, struct place place, size_t begin, size_t end,
                      int64_t amount) {
  if (end <= place.low || place.high <= begin) return;
  if (begin <= place.low && place.high <= end) {
    tree->largest[place.node] += amount;
    tree->added[place.node] += amount;
    return;
  }
  add_below(tree, child_of(place, 0), begin, end, amount);
  add_below(tree, child_of(place, 1), begin, end, amount);
  tree->largest[place.node] =
      larger_of(tree->largest[2 * place.node], tree->largest[2 * place.node + 1]) +
      tree->added[place.node];
}

void load_tree_add(struct load_tree *tree, size_t begin, size_t end, int64_t amount) {
  assert(begin < end && end <= tree->leaves);
  add_below(tree, root_of(tree), begin, end, amount);
}

static int64_t largest_below(const struct load_tree *tree, struct place place, size_t begin,
                             size_t end) {
  if (begin <= place.low && place.high <= end) return tree->largest[place.node];
  struct place left = child_of(place, 0), right = child_of(place, 1);
  int64_t largest = INT64_MIN;
  if (begin < left.high) largest = largest_below(tree, left, begin, end);
  if (right.low < end) largest = larger_of(largest, largest_below(tree, right, begin, end));
  return largest + tree->added[place.node];
}

int64_t load_tree_largest(const struct load_tree *tree, size_t begin, size_t end) {
  assert(begin < end && end <= tree->leaves);
  return largest_below(tree, root_of(tree), begin, end);
}
