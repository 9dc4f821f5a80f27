/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relations, limits of buffers, pools, reserved bytes and the objective are in one struct that a
 * problem allocates when the first is added.  The limits of a buffer are checked and added here,
 * with the buffer; model/constraints adds the rest.
 */
#include "model/relations.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

const neap_term relations_usual_objective[NEAP_TERM_COUNT] = {NEAP_TERM_SPILL, NEAP_TERM_PEAK,
                                                              NEAP_TERM_REUSE, NEAP_TERM_MOVED};

struct relations *relations_new(void) {
  struct relations *relations = memory_array(1, sizeof *relations);
  if (relations)
    memcpy(relations->objective, relations_usual_objective, sizeof relations_usual_objective);
  return relations;
}

void relations_free(struct relations *relations) {
  if (!relations) return;
  for (size_t i = 0; i < relations->count; i++)
    free((char *)relations->items[i].reason);
  for (size_t i = 0; i < relations->group_count; i++)
    free((char *)relations->groups[i].relation.reason);
  free(relations->items);
  free(relations->groups);
  free(relations->members);
  free(relations->limits);
  free(relations->pool_lists);
  free(relations->pools);
  names_clear(&relations->pool_names);
  free(relations->reserved);
  free(relations);
}

/* ---------------------------------------------------------------- limits of a buffer */

/* A window_high of 0 also means "anywhere", because no buffer fits below 0. */
static bool has_window(const neap_buffer *buffer) {
  return buffer->window_low > 0 || (buffer->window_high > 0 && buffer->window_high < NEAP_MAX);
}

static neap_size move_cost_of(const neap_buffer *buffer) {
  return buffer->move_cost < 0 ? buffer->size : buffer->move_cost;
}

/* An earlier offset matters only if a move costs something. */
static bool is_near(const neap_buffer *buffer) {
  return buffer->near_offset != NEAP_UNPLACED && move_cost_of(buffer) > 0;
}

bool relations_concern(const neap_buffer *buffer) {
  return has_window(buffer) || buffer->bank > 0 || buffer->pools || is_near(buffer);
}

static neap_status check_window(const neap_buffer *buffer, neap_error *error) {
  neap_offset high = buffer->window_high == 0 ? NEAP_MAX : buffer->window_high;
  if (!has_window(buffer) && buffer->window_low == 0) return NEAP_OK;
  if (buffer->window_low < 0 || high < buffer->window_low)
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected a window that begins at 0 or more and does not end before that, "
                     "found [%" PRId64 ", %" PRId64 ")",
                     buffer->window_low, buffer->window_high);
  if (high - buffer->window_low < buffer->size)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the window [%" PRId64 ", %" PRId64
                     ") is smaller than the buffer's %" PRId64 " bytes",
                     buffer->window_low, high, buffer->size);
  neap_offset fixed = buffer->fixed_offset;
  if (fixed != NEAP_UNPLACED && (fixed < buffer->window_low || fixed > high - buffer->size))
    return error_set(error, NEAP_ERROR_INPUT,
                     "fixed offset %" PRId64 " is outside the window [%" PRId64 ", %" PRId64 ")",
                     fixed, buffer->window_low, high);
  return NEAP_OK;
}

static neap_status check_bank(const neap_buffer *buffer, neap_error *error) {
  if (buffer->bank < 0)
    return error_set(error, NEAP_ERROR_INPUT, "expected a bank of 0 or more bytes, found %" PRId64,
                     buffer->bank);
  if (buffer->bank == 0) return NEAP_OK;
  if (buffer->size > buffer->bank)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the buffer's %" PRId64 " bytes do not fit into a bank of %" PRId64,
                     buffer->size, buffer->bank);
  neap_offset fixed = buffer->fixed_offset;
  if (fixed != NEAP_UNPLACED && fixed % buffer->bank > buffer->bank - buffer->size)
    return error_set(error, NEAP_ERROR_INPUT,
                     "at fixed offset %" PRId64 " the buffer crosses banks of %" PRId64 " bytes",
                     fixed, buffer->bank);
  return NEAP_OK;
}

static neap_status check_pools(const struct relations *relations, const neap_buffer *buffer,
                               neap_error *error) {
  size_t known = relations ? relations->pool_names.count : 0;
  if (buffer->pools && buffer->pool_count == 0)
    return error_set(error, NEAP_ERROR_INPUT, "a list of pools is empty");
  for (size_t i = 0; buffer->pools && i < buffer->pool_count; i++) {
    if (buffer->pools[i] >= known)
      return error_set(error, NEAP_ERROR_INPUT, "pool number %zu does not exist",
                       buffer->pools[i]);
    for (size_t j = 0; j < i; j++)
      if (buffer->pools[j] == buffer->pools[i])
        return error_set(error, NEAP_ERROR_INPUT, "pool number %zu is listed twice",
                         buffer->pools[i]);
  }
  return NEAP_OK;
}

neap_status relations_check_buffer(const struct relations *relations, const neap_buffer *buffer,
                                   neap_error *error) {
  neap_status status = check_window(buffer, error);
  if (status == NEAP_OK) status = check_bank(buffer, error);
  if (status == NEAP_OK) status = check_pools(relations, buffer, error);
  if (status == NEAP_OK && (buffer->near_offset < NEAP_UNPLACED || buffer->move_cost < -1))
    return error_set(error, NEAP_ERROR_INPUT,
                     "an earlier offset and the cost of a move must be 0 or more");
  return status;
}

static bool copy_pools(struct relations *relations, const neap_buffer *buffer,
                       struct limits *limits) {
  limits->pools_begin = limits->pools_end = relations->pool_list_count;
  if (!buffer->pools) return true;
  if (!memory_reserve(&relations->pool_lists, &relations->pool_list_capacity,
                      relations->pool_list_count + buffer->pool_count,
                      sizeof *relations->pool_lists))
    return false;
  memcpy(relations->pool_lists + relations->pool_list_count, buffer->pools,
         buffer->pool_count * sizeof *buffer->pools);
  relations->pool_list_count = limits->pools_end += buffer->pool_count;
  return true;
}

bool relations_add_buffer(struct relations *relations, size_t index, const neap_buffer *buffer) {
  assert(index >= relations->limit_count);
  if (!relations_concern(buffer)) return true;
  struct limits limits = limits_none;
  if (!memory_reserve(&relations->limits, &relations->limit_capacity, index + 1,
                      sizeof *relations->limits) ||
      !copy_pools(relations, buffer, &limits))
    return false;
  while (relations->limit_count < index)
    relations->limits[relations->limit_count++] = limits_none;
  if (has_window(buffer)) {
    limits.window_low = buffer->window_low;
    limits.window_high = buffer->window_high == 0 ? NEAP_MAX : buffer->window_high;
    relations->window_count++;
  }
  limits.bank = buffer->bank;
  relations->bank_count += buffer->bank > 0;
  if (is_near(buffer)) {
    limits.near_offset = buffer->near_offset;
    limits.move_cost = move_cost_of(buffer);
    relations->near_count++;
  }
  relations->limits[relations->limit_count++] = limits;
  return true;
}

void relations_drop_buffer(struct relations *relations, size_t index) {
  if (!relations || relations->limit_count <= index) return;
  const struct limits *limits = &relations->limits[--relations->limit_count];
  relations->pool_list_count = limits->pools_begin;
  relations->window_count -= limits->window_low > 0 || limits->window_high < NEAP_MAX;
  relations->bank_count -= limits->bank > 0;
  relations->near_count -= limits->near_offset != NEAP_UNPLACED;
}
