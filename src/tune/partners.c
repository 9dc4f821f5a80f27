/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A best-first search in a tree. Members are at the leaves, by ascending start. Each node knows
 * the first start, the last end, the longest duration and the first position below it, which
 * give an upper bound, the promise, on how long any member below can overlap the seed. A heap
 * holds nodes by promise. The best node is replaced by its children until the top of the heap
 * is a single member whose exact overlap is known; nothing else can beat it.
 *
 * So the k best partners of a seed are found without visiting all buffers that overlap it,
 * which for long-lived buffers are nearly all. Building takes O(n log n), removing O(log n), and
 * a search usually about O(k log n).
 */
#include "tune/partners.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/tree.h"
#include "order/coverage.h"

struct partners_node {
  neap_time first_start, last_end, longest; /* longest is 0 if no member is left */
  size_t first_position;
};

/* ---------------------------------------------------------------- the tree */

static void join_children(struct partners *partners, size_t node) {
  const struct partners_node *left = &partners->nodes[tree_left(node)];
  const struct partners_node *right = &partners->nodes[tree_right(node)];
  if (left->longest == 0 || right->longest == 0) {
    partners->nodes[node] = left->longest == 0 ? *right : *left;
    return;
  }
  partners->nodes[node] = (struct partners_node){
      .first_start =
          left->first_start < right->first_start ? left->first_start : right->first_start,
      .last_end = left->last_end > right->last_end ? left->last_end : right->last_end,
      .longest = left->longest > right->longest ? left->longest : right->longest,
      .first_position = left->first_position < right->first_position ? left->first_position
                                                                     : right->first_position};
}

static int by_start(const void *left, const void *right, void *context) {
  const struct partners *partners = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  neap_time start_a = problem_hull(partners->problem, partners->members[a]).start;
  neap_time start_b = problem_hull(partners->problem, partners->members[b]).start;
  if (start_a != start_b) return start_a < start_b ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void plant_tree(struct partners *partners, size_t count) {
  for (size_t i = 0; i < count; i++)
    partners->leaf_position[i] = i;
  qsort_r(partners->leaf_position, count, sizeof *partners->leaf_position, by_start, partners);
  for (size_t leaf = 0; leaf < count; leaf++) {
    size_t position = partners->leaf_position[leaf], buffer = partners->members[position];
    neap_range hull = problem_hull(partners->problem, buffer);
    partners->position_leaf[position] = leaf;
    partners->nodes[partners->leaves + leaf] = (struct partners_node){
        hull.start, hull.end, problem_duration(partners->problem, buffer), position};
  }
  for (size_t node = partners->leaves; node-- > 1;)
    join_children(partners, node);
}

bool partners_init(struct partners *partners, const struct neap_problem *problem,
                   const size_t *members, size_t count) {
  *partners =
      (struct partners){.problem = problem, .members = members, .leaves = tree_leaves(count)};
  partners->nodes = memory_array(2 * partners->leaves, sizeof *partners->nodes);
  partners->leaf_position = memory_array(count, sizeof *partners->leaf_position);
  partners->position_leaf = memory_array(count, sizeof *partners->position_leaf);
  if (!partners->nodes || !partners->leaf_position || !partners->position_leaf) {
    partners_clear(partners);
    return false;
  }
  plant_tree(partners, count);
  return true;
}

void partners_clear(struct partners *partners) {
  free(partners->nodes);
  free(partners->leaf_position);
  free(partners->position_leaf);
  heap_clear(&partners->heap);
  *partners = (struct partners){0};
}

void partners_remove(struct partners *partners, size_t position) {
  size_t node = partners->leaves + partners->position_leaf[position];
  assert(partners->nodes[node].longest > 0); /* it is still there */
  partners->nodes[node].longest = 0;
  while ((node = tree_parent(node)) != 0)
    join_children(partners, node);
}

/* ---------------------------------------------------------------- the heap */

/* A member with its overlap goes by this id; a node with its promise, by the node's number. */
#define EXACT 0

/* The largest promise is on top; of equal ones, the first position, and there what is exact. */
static bool push_entry(struct partners *partners, neap_time promise, size_t position,
                       size_t id) {
  assert(promise > 0);
  uint64_t tie = (uint64_t)position << 1 | (id != EXACT);
  return heap_push(&partners->heap, (struct heap_entry){-promise, tie, id});
}

static size_t position_of(const struct heap_entry *entry) { return (size_t)(entry->tie >> 1); }

/* ---------------------------------------------------------------- the search */

static neap_time smaller(neap_time a, neap_time b) { return a < b ? a : b; }

static neap_time larger(neap_time a, neap_time b) { return a > b ? a : b; }

/* The longest that any member below a node can overlap the seed; 0 or less if none can. */
static neap_time promise_of(const struct partners *partners, const struct partners_node *node) {
  neap_time begin = larger(node->first_start, partners->seed_hull.start);
  neap_time end = smaller(node->last_end, partners->seed_hull.end);
  return smaller(end - begin, smaller(node->longest, partners->seed_duration));
}

static bool push_node(struct partners *partners, size_t node) {
  const struct partners_node *here = &partners->nodes[node];
  neap_time promise = here->longest == 0 ? 0 : promise_of(partners, here);
  if (promise <= 0) return true;
  return push_entry(partners, promise, here->first_position, node);
}

/* How long two buffers are alive together. */
static neap_time overlap_of(const struct neap_problem *problem, size_t a, size_t b) {
  size_t i = problem_ranges_begin(problem, a), j = problem_ranges_begin(problem, b);
  neap_time overlap = 0;
  while (i < problem->buffers[a].ranges_end && j < problem->buffers[b].ranges_end) {
    neap_range left = problem->ranges[i], right = problem->ranges[j];
    overlap += larger(0, smaller(left.end, right.end) - larger(left.start, right.start));
    if (left.end < right.end) i++;
    else j++;
  }
  return overlap;
}

bool partners_search(struct partners *partners, size_t seed) {
  partners->seed = seed;
  partners->seed_hull = problem_hull(partners->problem, seed);
  partners->seed_duration = problem_duration(partners->problem, seed);
  partners->heap.count = 0;
  return push_node(partners, 1);
}

bool partners_next(struct partners *partners, size_t *position, neap_time *overlap) {
  *position = SIZE_MAX;
  while (partners->heap.count > 0) {
    struct heap_entry top = heap_pop(&partners->heap);
    size_t node = top.id, first = position_of(&top);
    if (node == EXACT) {
      *position = first;
      *overlap = -top.key;
      return true;
    }
    if (node < partners->leaves) {
      if (!push_node(partners, tree_left(node)) || !push_node(partners, tree_right(node)))
        return false;
      continue;
    }
    neap_time exact = overlap_of(partners->problem, partners->members[first], partners->seed);
    assert(exact <= -top.key); /* a promise is kept from above */
    if (exact > 0 && !push_entry(partners, exact, first, EXACT)) return false;
  }
  return true;
}
