/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier.  It uses only the problem and the offsets, trusts neither engines nor the plan's
 * report, and shares no code with any engine.  Collisions in time and bytes are found by a sweep
 * (verify/collide); relations, pools and reserved bytes have a file of their own
 * (verify/relations).  O(n log n) time, O(n) memory.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "plan/plan.h"
#include "verify/collide.h"
#include "verify/relations.h"

static neap_status verify_buffer(const neap_plan *plan, size_t index, neap_size capacity,
                                 neap_error *error) {
  const struct buffer *buffer = &plan->problem->buffers[index];
  neap_offset offset = plan->offsets[index], end;
  char excerpt[TEXT_EXCERPT];
  if (offset < 0 || __builtin_add_overflow(offset, buffer->size, &end))
    return error_set(error, NEAP_ERROR_UNSOUND, "%s has an impossible offset: %" PRId64,
                     problem_excerpt(plan->problem, index, excerpt), offset);
  if (buffer->alignment > 1 && offset % buffer->alignment != 0)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s is at offset %" PRId64
                     ", which is not a multiple of its alignment %" PRId64,
                     problem_excerpt(plan->problem, index, excerpt), offset, buffer->alignment);
  if (buffer->fixed_offset != NEAP_UNPLACED && offset != buffer->fixed_offset)
    return error_set(
        error, NEAP_ERROR_UNSOUND, "%s is at offset %" PRId64 ", but is fixed to %" PRId64,
        problem_excerpt(plan->problem, index, excerpt), offset, buffer->fixed_offset);
  if (capacity >= 0 && end > capacity)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s ends at %" PRId64 ", above the capacity of %" PRId64 " bytes",
                     problem_excerpt(plan->problem, index, excerpt), end, capacity);
  if (end > plan->report.peak)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s ends at %" PRId64 ", above the peak %" PRId64,
                     problem_excerpt(plan->problem, index, excerpt), end, plan->report.peak);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- shared objects */

static neap_status verify_fits(const neap_plan *plan, size_t index, neap_error *error) {
  size_t object = plan->objects[index];
  char excerpt[TEXT_EXCERPT];
  if (object >= plan->object_count)
    return error_set(error, NEAP_ERROR_UNSOUND, "%s is in object %zu, which does not exist",
                     problem_excerpt(plan->problem, index, excerpt), object);
  neap_size size = plan->problem->buffers[index].size;
  if (size > plan->object_sizes[object])
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s has %" PRId64 " bytes, but object %zu has %" PRId64,
                     problem_excerpt(plan->problem, index, excerpt), size, object,
                     plan->object_sizes[object]);
  return NEAP_OK;
}

static int by_offset(const void *left, const void *right, void *context) {
  const neap_plan *plan = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (plan->offsets[a] != plan->offsets[b]) return plan->offsets[a] < plan->offsets[b] ? -1 : 1;
  size_t x = plan->objects[a], y = plan->objects[b];
  /* An empty object may be where another begins. */
  if (plan->object_sizes[x] != plan->object_sizes[y])
    return plan->object_sizes[x] < plan->object_sizes[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* All buffers of an object start where it does, and objects do not overlap. */
static neap_status verify_apart(const neap_plan *plan, const size_t *order, neap_error *error) {
  for (size_t k = 1; k < plan->problem->count; k++) {
    size_t below = order[k - 1], above = order[k];
    size_t object = plan->objects[below], other = plan->objects[above];
    neap_offset end;
    assert(plan->offsets[below] <= plan->offsets[above]);
    if (object == other && plan->offsets[below] == plan->offsets[above]) continue;
    if (object == other ||
        __builtin_add_overflow(plan->offsets[below], plan->object_sizes[object], &end) ||
        end > plan->offsets[above])
      return error_set(error, NEAP_ERROR_UNSOUND,
                       "object %zu at offset %" PRId64
                       " overlaps object %zu at offset %" PRId64,
                       object, plan->offsets[below], other, plan->offsets[above]);
  }
  return NEAP_OK;
}

static neap_status verify_objects(const neap_plan *plan, neap_error *error) {
  size_t count = plan->problem->count;
  for (size_t i = 0; i < count; i++) {
    neap_status status = verify_fits(plan, i, error);
    if (status != NEAP_OK) return status;
  }
  size_t *order = memory_array(count, sizeof *order);
  if (!order) return error_memory(error);
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  if (count > 0) qsort_r(order, count, sizeof *order, by_offset, (void *)(uintptr_t)plan);
  neap_status status = verify_apart(plan, order, error);
  free(order);
  return status;
}

/* ---------------------------------------------------------------- the whole */

neap_status neap_plan_verify(const neap_plan *plan, neap_size capacity, neap_error *error) {
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_status status = verify_buffer(plan, i, capacity, error);
    if (status != NEAP_OK) return status;
  }
  neap_status sound = plan->objects ? verify_objects(plan, error) : NEAP_OK;
  if (sound != NEAP_OK) return sound;
  if (capacity >= 0 && plan->report.peak > capacity)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "the %s end at %" PRId64 ", above the capacity of %" PRId64 " bytes",
                     plan->objects ? "objects" : "pools together", plan->report.peak, capacity);
  sound = verify_relations(plan, error);
  if (sound != NEAP_OK) return sound;
  const struct placement placement = {plan->problem, plan->offsets, plan->pools};
  neap_collision collision;
  bool found = false;
  neap_status status = collide_first(&placement, &collision, &found, error);
  if (status != NEAP_OK || !found) return status;
  assert(collision.first < collision.second);
  char text[COLLIDE_TEXT];
  return error_set(error, NEAP_ERROR_UNSOUND, "%s",
                   collide_text(plan->problem, &collision, text));
}

neap_status neap_plan_collisions(const neap_plan *plan, size_t limit,
                                 neap_collision **collisions, size_t *count, uint64_t *total,
                                 neap_error *error) {
  struct collisions all;
  const struct placement placement = {plan->problem, plan->offsets, plan->pools};
  neap_status status = collide_all(&placement, limit, &all, error);
  if (status != NEAP_OK) return status;
  *collisions = all.items;
  *count = all.count;
  if (total) *total = all.total;
  return NEAP_OK;
}

void neap_collisions_free(neap_collision *collisions) { free(collisions); }
