/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The depth changes only at starts and ends and rises only at starts, so it is largest at a
 * start.  A tree over the distinct starts adds a weight to a run of starts and yields the
 * maximum (core/range_min, with negated weights).  O(n log n) time to prepare, O(log n) per
 * weight, O(n) memory.
 */
#include "facts/usage_depth.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"

static int by_time(const void *left, const void *right) {
  neap_time a = *(const neap_time *)left, b = *(const neap_time *)right;
  return a < b ? -1 : a > b;
}

static void find_starts(struct depth *depth) {
  for (size_t i = 0; i < depth->records->count; i++)
    depth->starts[i] = depth->records->items[i].first;
  if (depth->records->count > 0)
    qsort(depth->starts, depth->records->count, sizeof *depth->starts, by_time);
  for (size_t i = 0; i < depth->records->count; i++)
    if (depth->count == 0 || depth->starts[i] != depth->starts[depth->count - 1])
      depth->starts[depth->count++] = depth->starts[i];
}

bool depth_init(struct depth *depth, const struct records *records) {
  *depth = (struct depth){.records = records};
  depth->starts = memory_array(records->count, sizeof *depth->starts);
  if (!depth->starts) return false;
  find_starts(depth);
  if (!range_min_init(&depth->negated, depth->count)) {
    depth_clear(depth);
    return false;
  }
  range_min_fill(&depth->negated, NULL);
  return true;
}

void depth_clear(struct depth *depth) {
  free(depth->starts);
  range_min_clear(&depth->negated);
  *depth = (struct depth){0};
}

/* The number of starts before `time`. */
static size_t starts_before(const struct depth *depth, neap_time time) {
  struct bisection search = bisection_of(0, depth->count);
  while (bisection_open(&search))
    bisection_step(&search, depth->starts[search.middle] < time);
  return search.low;
}

void depth_add(struct depth *depth, size_t record, neap_size weight) {
  const struct record *item = &depth->records->items[record];
  size_t first = starts_before(depth, item->first);
  size_t end = item->last == NEAP_MAX ? depth->count : starts_before(depth, item->last + 1);
  assert(first < end && depth->starts[first] == item->first);
  range_min_add(&depth->negated, first, end, -weight);
}

neap_size depth_most(const struct depth *depth) {
  return depth->count > 0 ? -range_min_least(&depth->negated) : 0;
}

neap_size depth_at(const struct depth *depth, size_t start) {
  assert(start < depth->count);
  return -range_min_at(&depth->negated, start);
}

/* ---------------------------------------------------------------- positional maxima */

/*
 * The k-th positional maximum is the largest size such that at least k tensors of that size or
 * more are alive together (Y. Pisarchyk and J. Lee, Efficient memory management for deep neural
 * net inference, 2020).  So tensors are added from the largest to the smallest, and the depth
 * that their intervals reach is the number of maxima found so far.
 *
 * O(n log n) time, O(n) memory.
 */

/* Sets one more maximum for each tensor that increases the depth. */
static void fill_positions(const struct records *records, const size_t *order,
                           struct depth *depth, neap_size *maxima, size_t *count) {
  for (size_t i = 0; i < records->count; i++) {
    const struct record *record = &records->items[order[i]];
    depth_add(depth, order[i], 1);
    assert(*count == 0 || maxima[*count - 1] >= record->size);
    while ((neap_size)*count < depth_most(depth))
      maxima[(*count)++] = record->size;
  }
  assert(*count <= records->count);
}

neap_status depth_positional_maxima(const struct records *records, neap_size **maxima,
                                    size_t *count, neap_error *error) {
  struct depth depth = {0};
  size_t *order = memory_array(records->count, sizeof *order);
  *maxima = memory_array(records->count, sizeof **maxima);
  *count = 0;
  bool good = order && *maxima && depth_init(&depth, records);
  if (good) {
    for (size_t i = 0; i < records->count; i++)
      order[i] = i;
    if (records->count > 0)
      qsort_r(order, records->count, sizeof *order, records_by_size, records->items);
    fill_positions(records, order, &depth, *maxima, count);
  } else {
    free(*maxima);
    *maxima = NULL;
  }
  free(order);
  depth_clear(&depth);
  return good ? NEAP_OK : error_memory(error);
}
