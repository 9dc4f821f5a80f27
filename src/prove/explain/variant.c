/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain/variant.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* The changes, with room for the ranges that each leaves of its buffer. */
struct edit {
  const neap_change *changes;
  size_t count;
  neap_range *ranges[NEAP_FIX_CHANGES];
};

/* ---------------------------------------------------------------- buffers */

static void end_earlier(neap_buffer *buffer, neap_range *ranges, neap_time end) {
  size_t count = 0;
  for (size_t r = 0; r < buffer->range_count; r++) {
    neap_range range = buffer->ranges[r];
    if (range.start >= end) break;
    if (range.end > end) range.end = end;
    ranges[count++] = range;
  }
  buffer->ranges = ranges;
  buffer->range_count = count;
}

static void start_later(neap_buffer *buffer, neap_range *ranges, neap_time start) {
  size_t count = 0;
  for (size_t r = 0; r < buffer->range_count; r++) {
    neap_range range = buffer->ranges[r];
    if (range.end <= start) continue;
    if (range.start < start) range.start = start;
    ranges[count++] = range;
  }
  buffer->ranges = ranges;
  buffer->range_count = count;
}

static void apply_change(neap_buffer *buffer, const neap_change *change, neap_range *ranges) {
  switch (change->kind) {
  case NEAP_CHANGE_ALIGNMENT:
    buffer->alignment = change->bytes;
    break;
  case NEAP_CHANGE_FIXED:
    buffer->fixed_offset = NEAP_UNPLACED;
    break;
  case NEAP_CHANGE_WINDOW:
    buffer->window_low = 0;
    buffer->window_high = NEAP_MAX;
    break;
  case NEAP_CHANGE_BANK:
    buffer->bank = 0;
    break;
  case NEAP_CHANGE_SIZE:
    buffer->size -= change->bytes;
    break;
  case NEAP_CHANGE_END:
    end_earlier(buffer, ranges, change->time);
    break;
  case NEAP_CHANGE_START:
    start_later(buffer, ranges, change->time);
    break;
  case NEAP_CHANGE_RELATION:
  case NEAP_CHANGE_RESERVED:
  case NEAP_CHANGE_OVERLAP:
  case NEAP_CHANGE_CAPACITY:
    break; /* these do not change the buffer */
  }
}

static void edit_buffer(neap_buffer *buffer, size_t index, const void *user) {
  const struct edit *edit = user;
  buffer->near_offset = NEAP_UNPLACED;
  buffer->move_cost = -1;
  for (size_t c = 0; c < edit->count; c++)
    if (edit->changes[c].buffer == index)
      apply_change(buffer, &edit->changes[c], edit->ranges[c]);
}

/* ---------------------------------------------------------------- relations and reserved bytes */

static bool drops(const struct edit *edit, neap_change_kind kind, size_t index) {
  for (size_t c = 0; c < edit->count; c++)
    if (edit->changes[c].kind == kind && edit->changes[c].index == index) return true;
  return false;
}

static bool keep_relation(const neap_relation *relation, size_t index, const void *user) {
  return !relation_has(relation, RELATION_PRICED) && !drops(user, NEAP_CHANGE_RELATION, index);
}

static bool keep_reserved(size_t index, const void *user) {
  return !drops(user, NEAP_CHANGE_RESERVED, index);
}

/* ---------------------------------------------------------------- the whole problem */

/* Copies the target and the runtime's own allocations if all buffers are kept. */
static neap_status copy_runtime(struct neap_problem *problem, const struct neap_problem *whole,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  if (problem->count != whole->count) return NEAP_OK;
  problem->target = whole->target;
  for (size_t i = 0; status == NEAP_OK && neap_problem_runtime_tensor_at(whole, i, &tensor);
       i++)
    status = neap_problem_add_runtime_tensor(problem, tensor.name, tensor.size, error);
  return status;
}

static neap_status add_overlap(const struct subset *subset, const neap_change *change,
                               neap_error *error) {
  size_t output = subset->places[change->buffer], input = subset->places[change->other];
  if (output == SUBSET_NONE || input == SUBSET_NONE) return NEAP_OK;
  neap_size rest = subset->problem->buffers[output].size - change->bytes;
  neap_relation relation = {.struct_size = sizeof(neap_relation),
                            .kind = NEAP_OVERLAP,
                            .first = output,
                            .second = input,
                            .bytes = rest};
  return neap_problem_relate(subset->problem, &relation, error);
}

static neap_status enlarge_pool(const struct subset *subset, const neap_change *change,
                                neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  if (!neap_problem_pool_at(subset->problem, change->index, &pool)) return NEAP_OK;
  if (pool.capacity < 0 || pool.capacity > NEAP_MAX - change->bytes) return NEAP_OK;
  return neap_problem_set_pool_capacity(subset->problem, change->index,
                                        pool.capacity + change->bytes, error);
}

static neap_status finish(struct subset *subset, const struct neap_problem *whole,
                          const struct variant_choice *choice, neap_error *error) {
  neap_status status = copy_runtime(subset->problem, whole, error);
  for (size_t c = 0; c < choice->change_count && status == NEAP_OK; c++) {
    const neap_change *change = &choice->changes[c];
    if (change->kind == NEAP_CHANGE_OVERLAP) status = add_overlap(subset, change, error);
    if (change->kind == NEAP_CHANGE_CAPACITY) status = enlarge_pool(subset, change, error);
  }
  return status;
}

static bool reserve_ranges(struct edit *edit, const struct neap_problem *whole) {
  for (size_t c = 0; c < edit->count; c++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    size_t index = edit->changes[c].buffer;
    if (index == NEAP_NO_BUFFER || !neap_problem_buffer_at(whole, index, &buffer)) continue;
    edit->ranges[c] = memory_array(buffer.range_count, sizeof(neap_range));
    if (!edit->ranges[c]) return false;
  }
  return true;
}

static neap_status copy_with(struct subset *subset, const struct neap_problem *whole,
                             const struct variant_choice *choice, const size_t *indices,
                             neap_error *error) {
  struct edit edit = {.changes = choice->changes, .count = choice->change_count};
  struct subset_edits edits = {edit_buffer, keep_relation, keep_reserved, &edit};
  struct subset_choice copied = {
      .indices = indices, .count = choice->count, .pool = SUBSET_NONE, .aligns = false};
  neap_status status = reserve_ranges(&edit, whole)
                           ? subset_init_edited(subset, whole, &copied, &edits, error)
                           : error_memory(error);
  for (size_t c = 0; c < edit.count; c++)
    free(edit.ranges[c]);
  return status;
}

neap_status variant_init(struct subset *subset, const struct neap_problem *whole,
                         const struct variant_choice *choice, neap_error *error) {
  struct variant_choice filled = *choice;
  size_t *all = NULL;
  assert(choice->change_count <= NEAP_FIX_CHANGES);
  *subset = (struct subset){0};
  if (!choice->indices) {
    filled.count = whole->count;
    all = memory_array(whole->count, sizeof *all);
    if (!all) return error_memory(error);
    for (size_t i = 0; i < whole->count; i++)
      all[i] = i;
  }
  neap_status status = copy_with(subset, whole, &filled, all ? all : choice->indices, error);
  free(all);
  if (status == NEAP_OK) status = finish(subset, whole, &filled, error);
  if (status != NEAP_OK) subset_clear(subset);
  return status;
}
