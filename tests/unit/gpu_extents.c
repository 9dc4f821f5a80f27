/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/gpu_extents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"

static bool elements_of(const struct extent *extent, int64_t *elements) {
  *elements = 1;
  for (size_t d = 0; d < EXTENT_DIMENSIONS; d++)
    if (extent->along[d] < 0 || !checked_mul(*elements, extent->along[d], elements))
      return false;
  return true;
}

static neap_status check_records(const struct extent_records *records, bool by_first,
                                 neap_error *error) {
  for (size_t i = 0; i < records->count; i++) {
    const struct extent_record *record = &records->items[i];
    int64_t elements;
    if (!elements_of(&record->extent, &elements))
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: a dimension is negative, or their product too large", i);
    if (record->first < 0 || record->last < record->first)
      return error_set(
          error, NEAP_ERROR_INPUT,
          "record %zu: expected a first task from 0 to the last task, found %" PRId64
          " and %" PRId64,
          i, record->first, record->last);
    if (by_first && i > 0 && record->first < records->items[i - 1].first)
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: expected records ordered by first task", i);
  }
  return NEAP_OK;
}

static neap_status init_objects(struct extent_objects *objects, size_t count,
                                neap_error *error) {
  *objects = (struct extent_objects){.of = memory_array(count, sizeof *objects->of),
                                     .extents = memory_array(count, sizeof *objects->extents)};
  return objects->of && objects->extents ? NEAP_OK : error_memory(error);
}

void extent_objects_clear(struct extent_objects *objects) {
  free(objects->of);
  free(objects->extents);
  *objects = (struct extent_objects){0};
}

static void add_object(struct extent_objects *objects, const struct extent_records *records,
                       size_t record) {
  objects->extents[objects->count] = records->items[record].extent;
  objects->of[record] = objects->count++;
}

neap_status extents_naive(const struct extent_records *records, struct extent_objects *objects,
                          neap_error *error) {
  neap_status status = check_records(records, false, error);
  if (status == NEAP_OK) status = init_objects(objects, records->count, error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++)
    add_object(objects, records, i);
  return status;
}

neap_status extents_equality(const struct extent_records *records,
                             struct extent_objects *objects, neap_error *error) {
  neap_status status = check_records(records, false, error);
  if (status == NEAP_OK) status = init_objects(objects, records->count, error);
  if (status != NEAP_OK) return status;
  neap_time *busy_until = memory_array(records->count, sizeof *busy_until);
  if (!busy_until) return error_memory(error);
  for (size_t i = 0; i < records->count; i++) {
    const struct extent_record *record = &records->items[i];
    size_t object = 0;
    while (object < objects->count &&
           (busy_until[object] >= record->first ||
            memcmp(&objects->extents[object], &record->extent, sizeof record->extent) != 0))
      object++;
    if (object < objects->count) objects->of[i] = object;
    else add_object(objects, records, i);
    busy_until[object] = record->last;
  }
  free(busy_until);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- greedy in order */

struct in_order {
  const struct extent_records *records;
  struct extent_objects *objects;
  struct heap in_use;
  size_t *pool; /* free objects in order of release */
  size_t pool_count;
};

static bool covers(const struct extent *a, const struct extent *b) {
  for (size_t d = 0; d < EXTENT_DIMENSIONS; d++)
    if (a->along[d] < b->along[d]) return false;
  return true;
}

/* The index in the pool of the object with the fewest excess elements, or the pool's end. */
static size_t choose_object(const struct in_order *state, const struct extent *extent) {
  int64_t needed, found, least = INT64_MAX;
  size_t best = state->pool_count;
  elements_of(extent, &needed);
  for (size_t at = 0; at < state->pool_count; at++) {
    const struct extent *candidate = &state->objects->extents[state->pool[at]];
    if (!covers(candidate, extent)) continue;
    elements_of(candidate, &found);
    if (found - needed >= least) continue;
    least = found - needed;
    best = at;
  }
  return best;
}

static bool assign_object(struct in_order *state, size_t i) {
  const struct extent_record *record = &state->records->items[i];
  struct extent_objects *objects = state->objects;
  while (heap_pop_below(&state->in_use, record->first, &state->pool[state->pool_count]))
    state->pool_count++;
  size_t at = choose_object(state, &record->extent);
  if (at < state->pool_count) {
    objects->of[i] = state->pool[at];
    state->pool_count--;
    memmove(state->pool + at, state->pool + at + 1,
            (state->pool_count - at) * sizeof *state->pool);
  } else {
    add_object(objects, state->records, i);
  }
  return heap_push_id(&state->in_use, record->last, objects->of[i]);
}

neap_status extents_greedy_in_order(const struct extent_records *records,
                                    struct extent_objects *objects, neap_error *error) {
  neap_status status = check_records(records, true, error);
  if (status == NEAP_OK) status = init_objects(objects, records->count, error);
  if (status != NEAP_OK) return status;
  struct in_order state = {.records = records, .objects = objects};
  state.pool = memory_array(records->count + 1, sizeof *state.pool);
  if (!state.pool) status = error_memory(error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++)
    if (!assign_object(&state, i)) status = error_memory(error);
  heap_clear(&state.in_use);
  free(state.pool);
  return status;
}
