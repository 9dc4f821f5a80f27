/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer rests on the buffer or reserved bytes with the highest end at its offset or below, among
 * all that are alive with it.
 *
 *      bytes |      +-------+ b
 *            |      |   b   |         A walk up the byte axis, over ends and beginnings: an end
 *            |      +-------+         writes its height over the times of its buffer, and a
 *            |       . . . .  padding  beginning reads the highest over the times of its own.
 *            |  +------+
 *            |  |  a   |  +---+       Heights are written in ascending order, so each write
 *            +--+------+--+---+--     replaces what was there, and the last one is the highest.
 *
 * Times are the leaves of a tree.  A node has the last height written over all of its times, and
 * the last one written over any of them.
 */
#include "viz/layout/quantity.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/tree.h"

/* ---------------------------------------------------------------- heights over time */

struct heights {
  size_t leaves, time_count;
  neap_time *times;         /* ascending */
  neap_offset *whole, *any; /* per node */
};

static int by_time(const void *left, const void *right) {
  neap_time a = *(const neap_time *)left, b = *(const neap_time *)right;
  return a < b ? -1 : a > b;
}

static size_t reserved_count(const struct neap_problem *problem) {
  return problem->relations ? problem->relations->reserved_count : 0;
}

static void add_times(struct heights *heights, neap_range when) {
  heights->times[heights->time_count++] = when.start;
  heights->times[heights->time_count++] = when.end;
}

static bool heights_init(struct heights *heights, const struct neap_problem *problem) {
  size_t count = 2 * (problem->range_count + reserved_count(problem));
  *heights = (struct heights){.leaves = tree_leaves(count)};
  heights->times = memory_array(count, sizeof *heights->times);
  heights->whole = memory_array(heights->leaves, 2 * sizeof *heights->whole);
  heights->any = memory_array(heights->leaves, 2 * sizeof *heights->any);
  if (!heights->times || !heights->whole || !heights->any) return false;
  for (size_t i = 0; i < problem->range_count; i++)
    add_times(heights, problem->ranges[i]);
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0; neap_problem_reserved_at(problem, i, &reserved); i++)
    add_times(heights, reserved.when);
  if (count > 0) qsort(heights->times, count, sizeof *heights->times, by_time);
  return true;
}

static void heights_clear(struct heights *heights) {
  free(heights->times);
  free(heights->whole);
  free(heights->any);
}

static void heights_reset(struct heights *heights) {
  memset(heights->whole, 0, 2 * heights->leaves * sizeof *heights->whole);
  memset(heights->any, 0, 2 * heights->leaves * sizeof *heights->any);
}

/* The first index of a time that is `time` or later. */
static size_t index_of(const struct heights *heights, neap_time time) {
  struct bisection search = bisection_of(0, heights->time_count);
  while (bisection_open(&search))
    bisection_step(&search, heights->times[search.middle] < time);
  return search.low;
}

/* Writes a height; the ancestors of a cover's nodes are above its first or its last leaf. */
static void heights_write(struct heights *heights, neap_range when, neap_offset height) {
  size_t first = heights->leaves + index_of(heights, when.start);
  size_t end = heights->leaves + index_of(heights, when.end);
  struct tree_cover cover = {first, end};
  for (size_t node; (node = tree_cover_next(&cover)) != 0;)
    heights->whole[node] = heights->any[node] = height;
  if (first == end) return;
  for (size_t node = first; node > 0; node = tree_parent(node))
    heights->any[node] = height;
  for (size_t node = end - 1; node > 0; node = tree_parent(node))
    heights->any[node] = height;
}

static neap_offset higher(neap_offset a, neap_offset b) { return a > b ? a : b; }

static neap_offset heights_read(const struct heights *heights, neap_range when) {
  size_t first = heights->leaves + index_of(heights, when.start);
  size_t end = heights->leaves + index_of(heights, when.end);
  struct tree_cover cover = {first, end};
  neap_offset highest = 0;
  for (size_t node; (node = tree_cover_next(&cover)) != 0;)
    highest = higher(highest, heights->any[node]);
  for (size_t node = first; node > 0; node = tree_parent(node))
    highest = higher(highest, heights->whole[node]);
  for (size_t node = end - 1; node > 0; node = tree_parent(node))
    highest = higher(highest, heights->whole[node]);
  return highest;
}

/* ---------------------------------------------------------------- the walk up */

/* The upper or the lower end of a buffer or of reserved bytes, at a height. */
struct edge {
  size_t pool;
  neap_offset at;
  bool is_low;
  size_t buffer;   /* SIZE_MAX: reserved bytes */
  neap_range when; /* of reserved bytes */
};

/* By pool, from below; at one height, ends before beginnings. */
static int by_height(const void *left, const void *right) {
  const struct edge *a = left, *b = right;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  if (a->is_low != b->is_low) return a->is_low ? 1 : -1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static size_t list_edges(const struct neap_plan *plan, struct edge *edges) {
  size_t count = 0;
  for (size_t i = 0; i < plan->problem->count; i++) {
    size_t pool = neap_plan_pool(plan, i);
    if (plan->problem->buffers[i].size == 0) continue;
    edges[count++] = (struct edge){pool, plan->offsets[i], true, i, {0, 0}};
    edges[count++] = (struct edge){pool, plan_end(plan, i), false, i, {0, 0}};
  }
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0; neap_problem_reserved_at(plan->problem, i, &reserved); i++)
    edges[count++] =
        (struct edge){reserved.pool, reserved.high, false, SIZE_MAX, reserved.when};
  return count;
}

/* The step of a buffer's offsets, which are its multiples; NEAP_MAX if the step would be larger. */
static neap_size step_of(const struct neap_plan *plan, size_t buffer) {
  neap_pool pool = {.struct_size = sizeof(neap_pool), .alignment = 1};
  neap_problem_pool_at(plan->problem, neap_plan_pool(plan, buffer), &pool);
  neap_size own = plan->problem->buffers[buffer].alignment, a = own, b = pool.alignment;
  while (b > 0) {
    neap_size rest = a % b;
    a = b;
    b = rest;
  }
  return pool.alignment / a > NEAP_MAX / own ? NEAP_MAX : pool.alignment / a * own;
}

static neap_size padding_below(const struct heights *heights, const struct neap_plan *plan,
                               size_t buffer) {
  neap_offset highest = 0;
  for (size_t i = problem_ranges_begin(plan->problem, buffer);
       i < plan->problem->buffers[buffer].ranges_end; i++)
    highest = higher(highest, heights_read(heights, plan->problem->ranges[i]));
  neap_size below = plan->offsets[buffer] - highest;
  return below < step_of(plan, buffer) ? below : 0;
}

static void write_end(struct heights *heights, const struct neap_plan *plan,
                      const struct edge *edge) {
  if (edge->buffer == SIZE_MAX) {
    heights_write(heights, edge->when, edge->at);
    return;
  }
  for (size_t i = problem_ranges_begin(plan->problem, edge->buffer);
       i < plan->problem->buffers[edge->buffer].ranges_end; i++)
    heights_write(heights, plan->problem->ranges[i], edge->at);
}

neap_status padding_find(const struct neap_plan *plan, neap_size *padding, neap_error *error) {
  size_t count = 2 * plan->problem->count + reserved_count(plan->problem);
  struct edge *edges = memory_array(count, sizeof *edges);
  struct heights heights;
  bool good = heights_init(&heights, plan->problem) && edges;
  if (good) {
    memset(padding, 0, plan->problem->count * sizeof *padding);
    count = list_edges(plan, edges);
    if (count > 0) qsort(edges, count, sizeof *edges, by_height);
  }
  for (size_t i = 0; good && i < count; i++) {
    if (i > 0 && edges[i].pool != edges[i - 1].pool) heights_reset(&heights);
    if (edges[i].is_low)
      padding[edges[i].buffer] = padding_below(&heights, plan, edges[i].buffer);
    else write_end(&heights, plan, &edges[i]);
  }
  heights_clear(&heights);
  free(edges);
  return good ? NEAP_OK : error_memory(error);
}
