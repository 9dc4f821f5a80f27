/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A best-first search in a tree. Members are at the leaves, by ascending start. Each node knows
 * the first start, the last end, the longest duration and the first position below it, which
 * give an upper bound, the promise, on how long any member below can overlap the seed. A heap
 * holds nodes by promise. The best node is replaced by its children until the top of the heap
 * is a single member whose exact overlap is known; nothing else can beat it.
 *
 * So the k best partners of a seed are found without visiting all buffers that overlap it,
 * which for long-lived buffers are nearly all.
 */
#include "tune/partners.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"
#include "order/coverage.h"

struct partners_node {
  neap_time first_start, last_end, longest; /* longest is 0 if no member is left */
  size_t first_position;
};

/* A node with its promise or, if exact, a member with its overlap. */
struct partners_entry {
  neap_time promise;
  size_t first_position;
  size_t node;
  bool exact;
};

/* ---------------------------------------------------------------- the tree */

static void pull(struct partners *partners, size_t node) {
  const struct partners_node *left = &partners->nodes[2 * node];
  const struct partners_node *right = &partners->nodes[2 * node + 1];
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

static void plant(struct partners *partners, size_t count) {
  for (size_t i = 0; i < count; i++)
    partners->leaf_position[i] = i;
  qsort_r(partners->leaf_position, count, sizeof *partners->leaf_position, by_start, partners);
  for (size_t leaf = 0; leaf < count; leaf++) {
    size_t position = partners->leaf_position[leaf], buffer = partners->members[position];
    neap_range hull = problem_hull(partners->problem, buffer);
    partners->position_leaf[position] = leaf;
    partners->nodes[partners->leaf_count + leaf] = (struct partners_node){
        hull.start, hull.end, coverage_duration(partners->problem, buffer), position};
  }
  for (size_t node = partners->leaf_count; node-- > 1;)
    pull(partners, node);
}

bool partners_init(struct partners *partners, const struct neap_problem *problem,
                   const size_t *members, size_t count) {
  *partners = (struct partners){.problem = problem, .members = members, .leaf_count = 1};
  while (partners->leaf_count < count)
    partners->leaf_count *= 2;
  partners->nodes = memory_array(2 * partners->leaf_count, sizeof *partners->nodes);
  partners->leaf_position = memory_array(count, sizeof *partners->leaf_position);
  partners->position_leaf = memory_array(count, sizeof *partners->position_leaf);
  if (!partners->nodes || !partners->leaf_position || !partners->position_leaf) {
    partners_clear(partners);
    return false;
  }
  plant(partners, count);
  return true;
}

void partners_clear(struct partners *partners) {
  free(partners->nodes);
  free(partners->leaf_position);
  free(partners->position_leaf);
  free(partners->heap);
  *partners = (struct partners){0};
}

void partners_remove(struct partners *partners, size_t position) {
  size_t node = partners->leaf_count + partners->position_leaf[position];
  partners->nodes[node].longest = 0;
  for (node /= 2; node >= 1; node /= 2)
    pull(partners, node);
}

/* ---------------------------------------------------------------- the heap */

static bool before(const struct partners_entry *a, const struct partners_entry *b) {
  if (a->promise != b->promise) return a->promise > b->promise;
  if (a->first_position != b->first_position) return a->first_position < b->first_position;
  return a->exact && !b->exact;
}

static bool push(struct partners *partners, struct partners_entry entry) {
  if (!memory_reserve(&partners->heap, &partners->heap_capacity, partners->heap_count + 1,
                      sizeof *partners->heap))
    return false;
  size_t at = partners->heap_count++;
  for (; at > 0 && before(&entry, &partners->heap[(at - 1) / 2]); at = (at - 1) / 2)
    partners->heap[at] = partners->heap[(at - 1) / 2];
  partners->heap[at] = entry;
  return true;
}

static struct partners_entry pop(struct partners *partners) {
  struct partners_entry top = partners->heap[0], last = partners->heap[--partners->heap_count];
  size_t at = 0;
  for (size_t child = 1; child < partners->heap_count; child = 2 * at + 1) {
    if (child + 1 < partners->heap_count &&
        before(&partners->heap[child + 1], &partners->heap[child]))
      child++;
    if (!before(&partners->heap[child], &last)) break;
    partners->heap[at] = partners->heap[child];
    at = child;
  }
  partners->heap[at] = last;
  return top;
}

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
  return push(partners, (struct partners_entry){promise, here->first_position, node, false});
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
  partners->seed_duration = coverage_duration(partners->problem, seed);
  partners->heap_count = 0;
  return push_node(partners, 1);
}

bool partners_next(struct partners *partners, size_t *position, neap_time *overlap) {
  *position = SIZE_MAX;
  while (partners->heap_count > 0) {
    struct partners_entry top = pop(partners);
    if (top.exact) {
      *position = top.first_position;
      *overlap = top.promise;
      return true;
    }
    if (top.node < partners->leaf_count) {
      if (!push_node(partners, 2 * top.node) || !push_node(partners, 2 * top.node + 1))
        return false;
      continue;
    }
    top.promise =
        overlap_of(partners->problem, partners->members[top.first_position], partners->seed);
    top.exact = true;
    if (top.promise > 0 && !push(partners, top)) return false;
  }
  return true;
}
