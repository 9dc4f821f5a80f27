/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A segment tree whose additions are never pushed down: what is added to a whole node stays
 * there, and queries add it up along the path.
 */
#include "search/range_min.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

bool range_min_init(struct range_min *tree, size_t count) {
  *tree = (struct range_min){.count = count, .leaf_count = 1};
  while (tree->leaf_count < count)
    tree->leaf_count *= 2;
  tree->least = memory_array(2 * tree->leaf_count, sizeof *tree->least);
  tree->added = memory_array(tree->leaf_count, sizeof *tree->added);
  if (tree->least && tree->added) return true;
  range_min_clear(tree);
  return false;
}

void range_min_clear(struct range_min *tree) {
  free(tree->least);
  free(tree->added);
  *tree = (struct range_min){0};
}

static void pull(struct range_min *tree, size_t node) {
  int64_t left = tree->least[2 * node], right = tree->least[2 * node + 1];
  tree->least[node] = (left < right ? left : right) + tree->added[node];
}

void range_min_fill(struct range_min *tree, const int64_t *values) {
  for (size_t i = 0; i < tree->leaf_count; i++) {
    tree->least[tree->leaf_count + i] = i < tree->count ? values[i] : RANGE_MIN_FAR;
    tree->added[i] = 0;
  }
  for (size_t node = tree->leaf_count; node-- > 1;)
    pull(tree, node);
}

static void add_at(struct range_min *tree, size_t node, int64_t value) {
  tree->least[node] += value;
  if (node < tree->leaf_count) tree->added[node] += value;
}

void range_min_add(struct range_min *tree, size_t first, size_t end, int64_t value) {
  assert(first < end && end <= tree->count);
  size_t left = first + tree->leaf_count, right = end + tree->leaf_count;
  size_t low = left / 2, high = (right - 1) / 2;
  for (; left < right; left /= 2, right /= 2) {
    if (left & 1) add_at(tree, left++, value);
    if (right & 1) add_at(tree, --right, value);
  }
  for (; low > 0; low /= 2, high /= 2) {
    pull(tree, low);
    if (high != low) pull(tree, high);
  }
}

int64_t range_min_at(const struct range_min *tree, size_t index) {
  int64_t value = tree->least[tree->leaf_count + index];
  for (size_t node = (tree->leaf_count + index) / 2; node > 0; node /= 2)
    value += tree->added[node];
  return value;
}

static size_t descend(const struct range_min *tree, size_t node) {
  while (node < tree->leaf_count) {
    node *= 2;
    if (tree->least[node + 1] < tree->least[node]) node++;
  }
  return node - tree->leaf_count;
}

size_t range_min_first(const struct range_min *tree) { return descend(tree, 1); }

size_t range_min_in(const struct range_min *tree, size_t first, size_t end, int64_t *value) {
  assert(first < end && end <= tree->count);
  size_t best = 0;
  int64_t least = INT64_MAX;
  size_t left = first + tree->leaf_count, right = end + tree->leaf_count;
  for (; left < right; left /= 2, right /= 2) {
    size_t nodes[2], count = 0;
    if (left & 1) nodes[count++] = left++;
    if (right & 1) nodes[count++] = --right;
    for (size_t i = 0; i < count; i++) {
      int64_t here = tree->least[nodes[i]];
      for (size_t above = nodes[i] / 2; above > 0; above /= 2)
        here += tree->added[above];
      /* Of equal minima take the leftmost: compare where they are. */
      if (here < least || (here == least && descend(tree, nodes[i]) < descend(tree, best))) {
        least = here;
        best = nodes[i];
      }
    }
  }
  *value = least;
  return descend(tree, best);
}
