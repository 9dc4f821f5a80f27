/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A segment tree (Bentley 1977) whose additions are never pushed down: what is added to a whole
 * node stays there, and queries add it up along the path.
 *
 *     numbers       3   1   4   1
 *     + 2 in [1, 4)     3   6   3
 *
 *     least (added)        [  3  ]             minimum of a node = that of its children + added
 *                     [ 3 ]       [ 3 (+2) ]   number of a leaf  = its own + added above it
 *                     3   3       4   1
 *
 * A range is covered by O(log n) nodes (core/tree.h), so additions and queries take O(log n), and
 * range_min_in, which compares where minima are, O(log^2 n).
 */
#include "core/range_min.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/tree.h"

bool range_min_init(struct range_min *tree, size_t count) {
  *tree = (struct range_min){.count = count, .leaves = tree_leaves(count)};
  tree->least = memory_array(2 * tree->leaves, sizeof *tree->least);
  tree->added = memory_array(tree->leaves, sizeof *tree->added);
  if (tree->least && tree->added) return true;
  range_min_clear(tree);
  return false;
}

void range_min_clear(struct range_min *tree) {
  free(tree->least);
  free(tree->added);
  *tree = (struct range_min){0};
}

static void combine_children(struct range_min *tree, size_t node) {
  int64_t left = tree->least[tree_left(node)], right = tree->least[tree_right(node)];
  tree->least[node] = (left < right ? left : right) + tree->added[node];
}

void range_min_fill(struct range_min *tree, const int64_t *values) {
  struct tree_level level = {tree->leaves, tree->count};
  for (size_t i = 0; i < tree->count; i++)
    tree->least[tree->leaves + i] = values ? values[i] : 0;
  for (;;) {
    if (tree_has_next(level)) tree->least[level.first + level.count] = RANGE_MIN_FAR;
    if (level.first == 1) return;
    level = tree_above(level);
    for (size_t node = level.first; node < level.first + level.count; node++) {
      tree->added[node] = 0;
      combine_children(tree, node);
    }
  }
}

static void add_to_node(struct range_min *tree, size_t node, int64_t value) {
  tree->least[node] += value;
  if (node < tree->leaves) tree->added[node] += value;
}

void range_min_add(struct range_min *tree, size_t first, size_t end, int64_t value) {
  assert(first < end && end <= tree->count);
  struct tree_cover cover = {first + tree->leaves, end + tree->leaves};
  size_t low = tree_parent(cover.left), high = tree_parent(cover.right - 1);
  for (size_t node; (node = tree_cover_next(&cover)) != 0;)
    add_to_node(tree, node, value);
  for (; low != 0; low = tree_parent(low), high = tree_parent(high)) {
    combine_children(tree, low);
    if (high != low) combine_children(tree, high);
  }
}

/* The minimum below a node, with everything added above it. */
static int64_t node_value(const struct range_min *tree, size_t node) {
  int64_t value = tree->least[node];
  while ((node = tree_parent(node)) != 0)
    value += tree->added[node];
  return value;
}

int64_t range_min_at(const struct range_min *tree, size_t index) {
  assert(index < tree->count);
  return node_value(tree, tree->leaves + index);
}

/* Climbs from both ends to where they meet, and takes in what lies between them on each level. */
int64_t range_min_of(const struct range_min *tree, size_t first, size_t end) {
  assert(first < end && end <= tree->count);
  size_t low = tree->leaves + first, high = tree->leaves + end - 1;
  int64_t left = tree->least[low], right = tree->least[high];
  while (tree_parent(low) != tree_parent(high)) {
    if (low % 2 == 0 && tree->least[low + 1] < left) left = tree->least[low + 1];
    if (high % 2 == 1 && tree->least[high - 1] < right) right = tree->least[high - 1];
    low = tree_parent(low);
    high = tree_parent(high);
    left += tree->added[low];
    right += tree->added[high];
  }
  int64_t least = left < right ? left : right;
  while ((low = tree_parent(low)) != 0)
    least += tree->added[low];
  return least;
}

static size_t first_least_leaf(const struct range_min *tree, size_t node) {
  while (node < tree->leaves) {
    node = tree_left(node);
    if (tree->least[node + 1] < tree->least[node]) node++;
  }
  return node - tree->leaves;
}

size_t range_min_first(const struct range_min *tree) { return first_least_leaf(tree, 1); }

size_t range_min_in(const struct range_min *tree, size_t first, size_t end, int64_t *value) {
  assert(first < end && end <= tree->count);
  size_t best = 0;
  int64_t least = INT64_MAX;
  struct tree_cover cover = {first + tree->leaves, end + tree->leaves};
  for (size_t node; (node = tree_cover_next(&cover)) != 0;) {
    int64_t here = node_value(tree, node);
    /* Of equal minima take the leftmost: compare where they are. */
    if (here < least ||
        (here == least && first_least_leaf(tree, node) < first_least_leaf(tree, best))) {
      least = here;
      best = node;
    }
  }
  *value = least;
  return first_least_leaf(tree, best);
}
