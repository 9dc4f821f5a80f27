/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy clustering (doc/tuner.md, R23 and A9).  Running sums give the total overlaps
 * (order/coverage), and a best-first search finds the partners of a seed.  So no list of pairs
 * is needed: O(n log n), plus about O(log n) for each member found.
 */
#include "tune/group.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "core/tree.h"
#include "model/problem.h"
#include "order/coverage.h"

/* ---------------------------------------------------------------- partners */

/*
 * Finds the buffers of a set that are alive together with a given buffer the longest.  Buffers
 * can be removed from the set.
 */

/*
 * A best-first search in a tree.  The leaves are the members, by ascending start.  Each node
 * stores the first start, the last end, the longest duration and the first position below it.
 * They give an upper bound, the promise, on the time that any member below the node can overlap
 * the seed.  A heap orders nodes by promise.  The best node is replaced by its children until
 * the top of the heap is a single member with a known exact overlap, which no other member can
 * beat.
 *
 * So the k best partners of a seed are found without visiting all buffers that overlap it,
 * which for long-lived buffers are nearly all. Building takes O(n log n), removing O(log n), and
 * a search usually about O(k log n).
 */

struct partners {
  const struct neap_problem *problem;
  const size_t *members; /* the caller's; a position is an index here */
  size_t leaves;         /* of a tree over the members (core/tree.h) */
  struct partners_node *nodes;
  size_t *leaf_position; /* positions by ascending start */
  size_t *position_leaf; /* the inverse of leaf_position */
  struct heap heap;      /* of the current search */
  size_t seed;
  neap_time seed_duration;
  neap_range seed_hull;
};

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

static void partners_clear(struct partners *partners) {
  free(partners->nodes);
  free(partners->leaf_position);
  free(partners->position_leaf);
  heap_clear(&partners->heap);
  *partners = (struct partners){0};
}

/* The members are identified by their positions, 0 .. count - 1.  False when memory is short. */
static bool partners_init(struct partners *partners, const struct neap_problem *problem,
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

/* Removes a member. */
static void partners_remove(struct partners *partners, size_t position) {
  size_t node = partners->leaves + partners->position_leaf[position];
  assert(partners->nodes[node].longest > 0); /* it has not been removed */
  partners->nodes[node].longest = 0;
  while ((node = tree_parent(node)) != 0)
    join_children(partners, node);
}

/* ---------------------------------------------------------------- the heap */

/*
 * The id of a member with its exact overlap; a node with its promise has the node's number as
 * id.
 */
#define EXACT 0

/*
 * The largest promise is on top; among equal ones, the first position, and there an exact
 * overlap.
 */
static bool push_entry(struct partners *partners, neap_time promise, size_t position,
                       size_t id) {
  assert(promise > 0);
  uint64_t tie = (uint64_t)position << 1 | (id != EXACT);
  return heap_push(&partners->heap, (struct heap_entry){-promise, tie, id});
}

static size_t position_of(const struct heap_entry *entry) { return (size_t)(entry->tie >> 1); }

/* ---------------------------------------------------------------- the search */

/* The longest time that any member below a node can overlap the seed; 0 or less if none can. */
static neap_time promise_of(const struct partners *partners, const struct partners_node *node) {
  neap_time begin = larger_of(node->first_start, partners->seed_hull.start);
  neap_time end = smaller_of(node->last_end, partners->seed_hull.end);
  return smaller_of(end - begin, smaller_of(node->longest, partners->seed_duration));
}

static bool push_node(struct partners *partners, size_t node) {
  const struct partners_node *here = &partners->nodes[node];
  neap_time promise = here->longest == 0 ? 0 : promise_of(partners, here);
  if (promise <= 0) return true;
  return push_entry(partners, promise, here->first_position, node);
}

/* The time for which two buffers are alive together. */
static neap_time overlap_of(const struct neap_problem *problem, size_t a, size_t b) {
  size_t i = problem_ranges_begin(problem, a), j = problem_ranges_begin(problem, b);
  neap_time overlap = 0;
  while (i < problem->buffers[a].ranges_end && j < problem->buffers[b].ranges_end) {
    neap_range left = problem->ranges[i], right = problem->ranges[j];
    overlap += larger_of(0, smaller_of(left.end, right.end) - larger_of(left.start, right.start));
    if (left.end < right.end) i++;
    else j++;
  }
  return overlap;
}

/* Begins a search for the members that overlap buffer `seed`. False when memory is short. */
static bool partners_search(struct partners *partners, size_t seed) {
  partners->seed = seed;
  partners->seed_hull = problem_hull(partners->problem, seed);
  partners->seed_duration = problem_duration(partners->problem, seed);
  partners->heap.count = 0;
  return push_node(partners, 1);
}

/*
 * Finds the next member, by descending overlap with the seed, then by position; *position is
 * SIZE_MAX if there is none. No member may be removed between partners_search and the last
 * call. False when memory is short.
 */
static bool partners_next(struct partners *partners, size_t *position, neap_time *overlap) {
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
    assert(exact <= -top.key); /* a promise is an upper bound */
    if (exact > 0 && !push_entry(partners, exact, first, EXACT)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- groups */

void groups_clear(struct groups *groups) {
  free(groups->members);
  free(groups->ends);
  *groups = (struct groups){0};
}

struct seed {
  wide_half overlap; /* the sum over all other buffers of the class */
  size_t position;
};

static int by_overlap(const void *left, const void *right) {
  const struct seed *a = left, *b = right;
  if (a->overlap != b->overlap) return a->overlap > b->overlap ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

static struct seed *seeds_new(const struct neap_problem *problem, const size_t *buffers,
                              size_t count) {
  struct coverage coverage;
  struct seed *seeds = memory_array(count, sizeof *seeds);
  if (!seeds || !coverage_init(&coverage, problem, buffers, count)) {
    free(seeds);
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    seeds[i] = (struct seed){coverage_overlap(&coverage, problem, buffers[i], true), i};
  coverage_clear(&coverage);
  qsort(seeds, count, sizeof *seeds, by_overlap);
  return seeds;
}

static bool overlaps_enough(const struct neap_problem *problem, const struct grouping *grouping,
                            size_t a, size_t b, neap_time overlap) {
  neap_time duration_a = problem_duration(problem, a),
            duration_b = problem_duration(problem, b);
  neap_time shorter = duration_a < duration_b ? duration_a : duration_b;
  assert(overlap > 0 && overlap <= shorter);
  return (wide_half)(uint64_t)overlap * GROUP_OVERLAP_ONE >=
         (wide_half)(uint64_t)shorter * (uint64_t)grouping->min_overlap;
}

struct gathering {
  const struct neap_problem *problem;
  const struct grouping *grouping;
  const size_t *buffers;
  struct partners partners;
  bool *grouped;   /* by position */
  size_t *joining; /* positions of the members so far */
};

/* Appends the group of a seed; false when memory is short. */
static bool gather_group(struct gathering *gathering, size_t seed, size_t *members,
                         size_t *used) {
  size_t size = 1, position;
  neap_time overlap;
  assert(!gathering->grouped[seed]);
  gathering->joining[0] = seed;
  /* The seed is removed first, so that it is not found as its own partner. */
  partners_remove(&gathering->partners, seed);
  if (!partners_search(&gathering->partners, gathering->buffers[seed])) return false;
  while (size < gathering->grouping->max_size) {
    if (!partners_next(&gathering->partners, &position, &overlap)) return false;
    if (position == SIZE_MAX) break;
    if (overlaps_enough(gathering->problem, gathering->grouping, gathering->buffers[seed],
                        gathering->buffers[position], overlap))
      gathering->joining[size++] = position;
  }
  for (size_t i = 0; i < size; i++) {
    if (i > 0) partners_remove(&gathering->partners, gathering->joining[i]);
    gathering->grouped[gathering->joining[i]] = true;
    members[(*used)++] = gathering->buffers[gathering->joining[i]];
  }
  return true;
}

static bool gather_all(struct gathering *gathering, const struct seed *seeds, size_t count,
                       struct groups *groups) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (gathering->grouped[seeds[i].position]) continue;
    if (!gather_group(gathering, seeds[i].position, groups->members, &used)) return false;
    groups->ends[groups->count++] = used;
  }
  assert(used == count && groups->count <= count);
  return true;
}

static bool reserve_groups(struct groups *groups, size_t count) {
  groups->count = 0;
  size_t members_capacity = groups->capacity, ends_capacity = groups->capacity;
  if (!memory_reserve(&groups->members, &members_capacity, count, sizeof *groups->members) ||
      !memory_reserve(&groups->ends, &ends_capacity, count, sizeof *groups->ends))
    return false;
  groups->capacity = ends_capacity;
  return true;
}

neap_status groups_make(struct groups *groups, const struct neap_problem *problem,
                        const struct grouping *grouping, const size_t *buffers, size_t count,
                        neap_error *error) {
  assert(grouping->max_size >= 1 && grouping->min_overlap >= 0);
  if (!reserve_groups(groups, count)) return error_memory(error);
  if (count == 0) return NEAP_OK;
  size_t largest = grouping->max_size < count ? grouping->max_size : count;
  struct gathering gathering = {.problem = problem, .grouping = grouping, .buffers = buffers};
  struct seed *seeds = seeds_new(problem, buffers, count);
  gathering.grouped = memory_array(count, sizeof *gathering.grouped);
  gathering.joining = memory_array(largest, sizeof *gathering.joining);
  bool done = seeds && gathering.grouped && gathering.joining &&
              partners_init(&gathering.partners, problem, buffers, count) &&
              gather_all(&gathering, seeds, count, groups);
  partners_clear(&gathering.partners);
  free(gathering.grouped);
  free(gathering.joining);
  free(seeds);
  return done ? NEAP_OK : error_memory(error);
}
