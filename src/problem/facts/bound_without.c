/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound without a buffer.  Between two steps of the live-size curve, the number of live
 * bytes is constant.  So it is enough to know whether the buffer is alive during some of that
 * time, and whether it is absent during some of it.  One walk over steps and ranges finds both:
 * O(steps + ranges) per buffer.  With relations, the bound is that of the problem without the
 * buffer.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/live_bytes.h"
#include "facts/subset.h"

struct cursor {
  const neap_range *ranges;
  size_t count, at; /* the first range that does not end before the time */
};

/* Whether some of [start, end) is inside the ranges, and whether some is outside. */
static void find_coverage(struct cursor *cursor, neap_time start, neap_time end, bool *inside,
                          bool *outside) {
  neap_time covered = start;
  *inside = *outside = false;
  while (cursor->at < cursor->count && cursor->ranges[cursor->at].end <= start)
    cursor->at++;
  for (size_t r = cursor->at; r < cursor->count && cursor->ranges[r].start < end; r++) {
    *inside = true;
    if (cursor->ranges[r].start > covered) *outside = true;
    covered = cursor->ranges[r].end;
  }
  if (covered < end) *outside = true;
  assert(*inside || *outside);
}

static neap_size bound_without(const struct live *live, const struct neap_problem *problem,
                               size_t index) {
  size_t begin = problem_ranges_begin(problem, index);
  struct cursor cursor = {problem->ranges + begin, problem->buffers[index].ranges_end - begin,
                          0};
  neap_size size = problem->buffers[index].size, bound = 0;
  for (size_t s = 0; s + 1 < live->count; s++) {
    neap_size bytes = live->steps[s].bytes;
    bool inside, outside;
    if (bytes <= bound) continue;
    find_coverage(&cursor, live->steps[s].time, live->steps[s + 1].time, &inside, &outside);
    assert(!inside || bytes >= size);
    if (outside) bound = bytes;
    else if (inside && bytes - size > bound) bound = bytes - size;
  }
  return bound;
}

/*
 * Setting the size to 0 has the effect of removing the buffer, but keeps the buffers colocated
 * with it together.
 */
static neap_status empty_bound(const struct neap_problem *problem, size_t index, size_t *all,
                               neap_size *bytes, neap_error *error) {
  struct subset_choice choice = {all, problem->count, SUBSET_NONE, false};
  struct subset subset;
  neap_bound bound = NEAP_INIT(neap_bound);
  for (size_t i = 0; i < problem->count; i++)
    all[i] = i;
  neap_status status = subset_init(&subset, problem, &choice, error);
  if (status != NEAP_OK) return status;
  subset.problem->buffers[index].size = 0;
  status = neap_problem_bound(subset.problem, &bound, error);
  if (status == NEAP_OK) *bytes = bound.bytes;
  subset_clear(&subset);
  return status;
}

/*
 * Relations decide which buffers may share bytes, so the bound is computed for the edited
 * problem.
 */
static neap_status relate_bound_without(const struct neap_problem *problem, size_t index,
                                        size_t *others, neap_size *bytes, neap_error *error) {
  struct subset_choice choice = {others, 0, SUBSET_NONE, false};
  struct subset subset;
  neap_bound bound = NEAP_INIT(neap_bound);
  for (size_t i = 0; i < problem->count; i++)
    if (i != index) others[choice.count++] = i;
  neap_status status = subset_init(&subset, problem, &choice, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_bound(subset.problem, &bound, error);
  if (status == NEAP_OK) *bytes = bound.bytes;
  subset_clear(&subset);
  return status;
}

static neap_status relate_bounds_without(const struct neap_problem *problem,
                                         const size_t *indices, size_t count, neap_size *bounds,
                                         neap_error *error) {
  size_t *others = memory_array(problem->count, sizeof *others);
  neap_status status = others ? NEAP_OK : error_memory(error);
  bool has_bodies = problem_has(problem, RELATION_JOINS);
  for (size_t i = 0; i < count && status == NEAP_OK; i++)
    status = has_bodies ? empty_bound(problem, indices[i], others, &bounds[i], error)
                        : relate_bound_without(problem, indices[i], others, &bounds[i], error);
  free(others);
  return status;
}

neap_status neap_problem_bounds_without(const neap_problem *problem, const size_t *indices,
                                        size_t count, neap_size *bounds, neap_error *error) {
  struct live live;
  if (problem_has(problem, RELATION_ANY))
    return relate_bounds_without(problem, indices, count, bounds, error);
  neap_status status = live_init(&live, problem, error);
  if (status != NEAP_OK) return status;
  for (size_t i = 0; i < count; i++)
    bounds[i] = bound_without(&live, problem, indices[i]);
  live_clear(&live);
  return NEAP_OK;
}
