/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holds the buffers of a problem.  Values are checked when buffers are added, so the rest of
 * the library relies on them.  A buffer is checked completely before anything changes.  The
 * memory for it is reserved before its numbers are appended, so a failure leaves the problem
 * unchanged.
 *
 * Invariants: ranges of a buffer ascend and do not touch; fixed offsets are multiples of the
 * alignment; and `extent` + `fixed_top` <= NEAP_MAX.  `extent` is the sum of all sizes plus the
 * padding that alignments can force, and `fixed_top` is the highest fixed end, so every buffer
 * can be stacked above the fixed ones without overflow.  What relations add is checked later,
 * by neap_problem_check, because it concerns several buffers.
 */
#include "model/problem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "model/graph.h"

neap_problem *neap_problem_new(void) { return memory_array(1, sizeof(struct neap_problem)); }

void neap_problem_free(neap_problem *problem) {
  if (!problem) return;
  relations_free(problem->relations);
  operators_free(problem->operators);
  operator_table_free(problem->table);
  shapes_clear(&problem->shapes);
  free((size_t *)problem->order.given);
  names_clear(&problem->runtime.names);
  free(problem->runtime.sizes);
  names_clear(&problem->unknown_scratch);
  names_clear(&problem->missing);
  neap_graph_free(problem->graph);
  problem_set_memo(problem, NULL, NULL);
  if (problem->hints)
    for (size_t i = 0; i < problem->count; i++)
      free(problem->hints[i]);
  free(problem->hints);
  free(problem->buffers);
  free(problem->ranges);
  names_clear(&problem->names);
  free(problem);
}

size_t neap_problem_count(const neap_problem *problem) { return problem->count; }

neap_time neap_problem_horizon(const neap_problem *problem) { return problem->horizon; }

/* ---------------------------------------------------------------- checks of a buffer */

static neap_status check_name(const neap_problem *problem, const char *name,
                              neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  if (!name || !name[0]) return error_set(error, NEAP_ERROR_INPUT, "a buffer's name is empty");
  size_t length = strlen(name);
  if (text_utf8_prefix(name, length) != length)
    return error_set(error, NEAP_ERROR_INPUT, "name %s is not valid UTF-8",
                     text_excerpt(excerpt, name, length));
  size_t earlier = names_find(&problem->names, name, length);
  if (earlier != NAMES_NONE)
    return error_set(error, NEAP_ERROR_INPUT,
                     "duplicate name %s, first defined by buffers[%zu]",
                     text_excerpt(excerpt, name, length), earlier);
  return NEAP_OK;
}

static neap_status check_ranges(const neap_range *ranges, size_t count, neap_error *error) {
  if (count == 0)
    return error_set(error, NEAP_ERROR_INPUT,
                     "a buffer is never alive: it has no range of time");
  neap_time last = 0;
  for (size_t i = 0; i < count; i++) {
    neap_range range = ranges[i];
    if (range.start < 0)
      return error_set(error, NEAP_ERROR_INPUT, "expected a start of 0 or more, found %" PRId64,
                       range.start);
    if (range.end <= range.start)
      return error_set(error, NEAP_ERROR_INPUT,
                       "expected an end after the start %" PRId64 ", found %" PRId64,
                       range.start, range.end);
    if (range.start < last)
      return error_set(error, NEAP_ERROR_INPUT,
                       "ranges of time must ascend without overlap: one starts at %" PRId64
                       ", before the end %" PRId64 " of the one before",
                       range.start, last);
    last = range.end;
  }
  return NEAP_OK;
}

neap_status problem_check_place(const struct buffer *buffer, neap_error *error) {
  if (buffer->size < 0)
    return error_set(error, NEAP_ERROR_INPUT, "expected a size of 0 or more, found %" PRId64,
                     buffer->size);
  if (buffer->alignment < 1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected an alignment of 1 or more, found %" PRId64, buffer->alignment);
  if (buffer->fixed_offset == NEAP_UNPLACED) return NEAP_OK;
  if (buffer->fixed_offset < 0)
    return error_set(error, NEAP_ERROR_INPUT, "expected an offset of 0 or more, found %" PRId64,
                     buffer->fixed_offset);
  if (buffer->fixed_offset % buffer->alignment != 0)
    return error_set(error, NEAP_ERROR_INPUT,
                     "fixed offset %" PRId64 " is not a multiple of the alignment %" PRId64,
                     buffer->fixed_offset, buffer->alignment);
  return NEAP_OK;
}

static struct reach reach_of(const neap_problem *problem) {
  return (struct reach){problem->extent, problem->fixed_top};
}

neap_status problem_extend_reach(struct reach *reach, const struct buffer *buffer,
                                 neap_error *error) {
  neap_size padded, end = 0, all;
  bool fits = checked_add(buffer->size, buffer->alignment - 1, &padded) &&
              checked_add(reach->extent, padded, &reach->extent);
  if (fits && buffer->fixed_offset != NEAP_UNPLACED)
    fits = checked_add(buffer->fixed_offset, buffer->size, &end);
  if (end > reach->fixed_top) reach->fixed_top = end;
  if (fits && checked_add(reach->extent, reach->fixed_top, &all)) return NEAP_OK;
  return error_set(
      error, NEAP_ERROR_INPUT,
      "all sizes, with room for alignments and fixed offsets, must add up to less than 2^63 "
      "bytes; this buffer of %" PRId64 " bytes exceeds that",
      buffer->size);
}

/* ---------------------------------------------------------------- adding */

static bool reserve_buffer(neap_problem *problem, size_t range_count) {
  return memory_reserve(&problem->buffers, &problem->capacity, problem->count + 1,
                        sizeof *problem->buffers) &&
         memory_reserve(&problem->ranges, &problem->range_capacity,
                        problem->range_count + range_count, sizeof *problem->ranges);
}

/* Makes room for the hint of the next buffer, unless no buffer has one. */
static bool reserve_hint(neap_problem *problem, const char *hint) {
  if (!hint && !problem->hints) return true;
  bool first = !problem->hints;
  if (!memory_reserve(&problem->hints, &problem->hint_capacity, problem->count + 1,
                      sizeof *problem->hints))
    return false;
  if (first) memset(problem->hints, 0, problem->count * sizeof *problem->hints);
  return true;
}

static void append_ranges(neap_problem *problem, const neap_range *ranges, size_t count) {
  size_t begin = problem->range_count;
  for (size_t i = 0; i < count; i++) {
    neap_range range = ranges[i];
    if (problem->range_count > begin &&
        problem->ranges[problem->range_count - 1].end == range.start)
      problem->ranges[problem->range_count - 1].end = range.end;
    else problem->ranges[problem->range_count++] = range;
  }
  neap_time end = problem->ranges[problem->range_count - 1].end;
  if (end > problem->horizon) problem->horizon = end;
}

/* Appends the numbers of a buffer whose ranges have just been appended. */
static void append_numbers(neap_problem *problem, const struct buffer *buffer,
                           const struct reach *reach) {
  problem->extent = reach->extent;
  problem->fixed_top = reach->fixed_top;
  problem->fixed_count += buffer->fixed_offset != NEAP_UNPLACED;
  problem->buffers[problem->count] = *buffer;
  problem->buffers[problem->count++].ranges_end = problem->range_count;
}

/* False when memory is short. */
static bool add_limits(neap_problem *problem, const neap_buffer *buffer) {
  if (!relations_concern(buffer)) return true;
  if (!problem->relations) problem->relations = relations_new();
  return problem->relations && relations_add_buffer(problem->relations, problem->count, buffer);
}

/* Adds the name and the optional properties; false, with nothing added, when memory is short. */
static bool add_extras(neap_problem *problem, const neap_buffer *buffer,
                       const struct tensor_shape *shape) {
  char *hint = NULL;
  if (!reserve_hint(problem, buffer->hint)) return false;
  if (buffer->hint && !(hint = memory_text(buffer->hint, strlen(buffer->hint)))) return false;
  if (!shapes_add(&problem->shapes, problem->count, shape) || !add_limits(problem, buffer) ||
      !names_add(&problem->names, buffer->name, strlen(buffer->name))) {
    shapes_drop(&problem->shapes, problem->count);
    relations_drop_buffer(problem->relations, problem->count);
    free(hint);
    return false;
  }
  if (problem->hints) problem->hints[problem->count] = hint;
  return true;
}

static neap_status add_buffer(neap_problem *problem, const neap_buffer *buffer,
                              neap_error *error) {
  const struct tensor_shape shape = {buffer->shape, buffer->rank, buffer->dtype};
  const struct buffer numbers = {buffer->size, buffer->alignment, buffer->fixed_offset, 0};
  struct reach reach = reach_of(problem);
  neap_status status = check_name(problem, buffer->name, error);
  if (status == NEAP_OK) status = check_ranges(buffer->ranges, buffer->range_count, error);
  if (status == NEAP_OK) status = problem_check_place(&numbers, error);
  if (status == NEAP_OK) status = shapes_check(&shape, error);
  if (status == NEAP_OK) status = relations_check_buffer(problem->relations, buffer, error);
  if (status == NEAP_OK) status = problem_extend_reach(&reach, &numbers, error);
  if (status != NEAP_OK) return status;
  if (!reserve_buffer(problem, buffer->range_count) || !add_extras(problem, buffer, &shape))
    return error_memory(error);
  append_ranges(problem, buffer->ranges, buffer->range_count);
  append_numbers(problem, &numbers, &reach);
  return NEAP_OK;
}

neap_status neap_problem_add(neap_problem *problem, const neap_buffer *buffer,
                             neap_error *error) {
  neap_buffer own = NEAP_BUFFER_INIT;
  neap_status status = SIZED_READ(neap_buffer, own, buffer, error);
  return status == NEAP_OK ? add_buffer(problem, &own, error) : status;
}

neap_status problem_add_numbered(neap_problem *problem, const struct buffer *buffer,
                                 neap_range range, neap_error *error) {
  struct reach reach = reach_of(problem);
  neap_status status = check_ranges(&range, 1, error);
  if (status == NEAP_OK) status = problem_check_place(buffer, error);
  if (status == NEAP_OK) status = problem_extend_reach(&reach, buffer, error);
  if (status != NEAP_OK) return status;
  if (!reserve_buffer(problem, 1) || !reserve_hint(problem, NULL) ||
      !names_add_number(&problem->names))
    return error_memory(error);
  if (problem->hints) problem->hints[problem->count] = NULL;
  append_ranges(problem, &range, 1);
  append_numbers(problem, buffer, &reach);
  return NEAP_OK;
}

neap_status neap_problem_add_simple(neap_problem *problem, const char *name, neap_size size,
                                    neap_time start, neap_time end, neap_error *error) {
  const neap_range range = {start, end};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = name;
  buffer.size = size;
  buffer.ranges = &range;
  buffer.range_count = 1;
  return neap_problem_add(problem, &buffer, error);
}

/* ---------------------------------------------------------------- asking */

bool neap_problem_buffer_at(const neap_problem *problem, size_t index, neap_buffer *buffer) {
  if (index >= problem->count) return false;
  const struct buffer *held = &problem->buffers[index];
  size_t begin = problem_ranges_begin(problem, index);
  neap_buffer own = {
      .struct_size = sizeof(neap_buffer),
      .name = problem_name(problem, index),
      .size = held->size,
      .alignment = held->alignment,
      .fixed_offset = held->fixed_offset,
      .ranges = problem->ranges + begin,
      .range_count = held->ranges_end - begin,
      .hint = problem_hint(problem, index),
  };
  const struct limits *limits = problem_limits(problem, index);
  own.window_low = limits->window_low;
  own.window_high = limits->window_high;
  own.bank = limits->bank;
  own.pool_count = limits->pools_end - limits->pools_begin;
  if (own.pool_count > 0) own.pools = problem->relations->pool_lists + limits->pools_begin;
  own.near_offset = limits->near_offset;
  own.move_cost = limits->move_cost;
  const struct tensor_shape shape = shapes_of(&problem->shapes, index);
  own.shape = shape.dimensions;
  own.rank = shape.rank;
  own.dtype = shape.type;
  return SIZED_FILL(buffer, own);
}

bool neap_problem_find(const neap_problem *problem, const char *name, size_t *index) {
  size_t found = names_find(&problem->names, name, strlen(name));
  if (found == NAMES_NONE) return false;
  *index = found;
  return true;
}

static neap_status set_order(neap_problem *problem, const neap_operator_order *order,
                             neap_error *error) {
  size_t *copy = memory_array(order->count, sizeof *copy);
  if (!copy) return error_memory(error);
  if (order->count > 0) memcpy(copy, order->given, order->count * sizeof *copy);
  free((size_t *)problem->order.given);
  problem->order = *order;
  problem->order.given = copy;
  return NEAP_OK;
}

neap_status neap_problem_set_order(neap_problem *problem, const neap_operator_order *order,
                                   neap_error *error) {
  neap_operator_order own = NEAP_INIT(neap_operator_order);
  neap_status status = SIZED_READ(neap_operator_order, own, order, error);
  return status == NEAP_OK ? set_order(problem, &own, error) : status;
}

const neap_graph *neap_problem_graph(const neap_problem *problem) { return problem->graph; }

void neap_problem_aliased(const neap_problem *problem, neap_aliased *aliased) {
  *aliased = problem->aliased;
}

bool neap_problem_is_unused(const neap_problem *problem, size_t index) {
  return operators_is_unused(problem->operators, problem->count, index);
}

const char *neap_problem_target(const neap_problem *problem) { return problem->target; }

const char *neap_problem_unknown_scratch(const neap_problem *problem, size_t index) {
  const struct names *operators = &problem->unknown_scratch;
  return index < operators->count ? names_text(operators, index) : NULL;
}

neap_status neap_problem_add_missing(neap_problem *problem, const char *part,
                                     neap_error *error) {
  if (!part || !*part)
    return error_set(error, NEAP_ERROR_ARGUMENT, "a part that is missing has no name");
  return names_include(&problem->missing, part, strlen(part)) ? NEAP_OK : error_memory(error);
}

const char *neap_problem_missing(const neap_problem *problem, size_t index) {
  return index < problem->missing.count ? names_text(&problem->missing, index) : NULL;
}

bool neap_problem_order(const neap_problem *problem, neap_operator_order *order) {
  return SIZED_FILL(order, problem->order) && problem->order.given;
}

/* ---------------------------------------------------------------- operators */

neap_status problem_add_operator(neap_problem *problem, const neap_operator_info *info,
                                 enum operator_repeats repeats, neap_error *error) {
  if (!problem->table) problem->table = memory_array(1, sizeof *problem->table);
  if (!problem->table) return error_memory(error);
  neap_status status =
      operator_table_add(problem->table, &problem->names, info, repeats, error);
  neap_time end = (neap_time)problem->table->count;
  if (status == NEAP_OK && problem->horizon < end) problem->horizon = end;
  return status;
}

neap_status neap_problem_add_operator(neap_problem *problem, const neap_operator_info *info,
                                      neap_error *error) {
  neap_operator_info own = NEAP_INIT(neap_operator_info);
  neap_status status = SIZED_READ(neap_operator_info, own, info, error);
  if (status == NEAP_OK) status = operator_table_check(&own, error);
  return status == NEAP_OK
             ? problem_add_operator(problem, &own, OPERATOR_REPEATS_REFUSED, error)
             : status;
}

size_t neap_problem_operator_count(const neap_problem *problem) {
  return problem->table ? problem->table->count : 0;
}

bool neap_problem_operator_at(const neap_problem *problem, size_t index,
                              neap_operator_info *info) {
  return problem->table && operator_table_at(problem->table, index, info);
}

/* ---------------------------------------------------------------- the runtime's tensors */

neap_status neap_problem_add_runtime_tensor(neap_problem *problem, const char *name,
                                            neap_size size, neap_error *error) {
  struct problem_runtime *runtime = &problem->runtime;
  size_t count = runtime->names.count, length = strlen(name);
  char excerpt[TEXT_EXCERPT];
  if (length == 0 || names_find(&runtime->names, name, length) != NAMES_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "runtime tensor %s is %s",
                     text_excerpt(excerpt, name, length),
                     length == 0 ? "without a name" : "listed twice");
  if (size < 0)
    return error_set(error, NEAP_ERROR_INPUT, "runtime tensor %s has a negative size",
                     text_excerpt(excerpt, name, length));
  if (!memory_reserve(&runtime->sizes, &runtime->capacity, count + 1, sizeof *runtime->sizes) ||
      !names_add(&runtime->names, name, length))
    return error_memory(error);
  runtime->sizes[count] = size;
  return NEAP_OK;
}

bool neap_problem_runtime_tensor_at(const neap_problem *problem, size_t index,
                                    neap_runtime_tensor *tensor) {
  const struct problem_runtime *runtime = &problem->runtime;
  if (index >= runtime->names.count) return false;
  const char *name = names_text(&runtime->names, index);
  bool is_buffer = names_find(&problem->names, name, strlen(name)) != NAMES_NONE;
  /* The bytes after the last member are also copied. */
  neap_runtime_tensor own;
  memset(&own, 0, sizeof own);
  own.name = name;
  own.size = runtime->sizes[index];
  own.is_buffer = is_buffer;
  return SIZED_FILL(tensor, own);
}

bool problem_lives_during(const struct neap_problem *problem, size_t index, neap_range when) {
  for (size_t r = problem_ranges_begin(problem, index); r < problem->buffers[index].ranges_end;
       r++)
    if (problem->ranges[r].start < when.end && when.start < problem->ranges[r].end) return true;
  return false;
}

/* ---------------------------------------------------------------- alignment */

void neap_problem_alignment(const neap_problem *problem, neap_size *low, neap_size *high) {
  *low = NEAP_MAX;
  *high = 1;
  for (size_t i = 0; i < problem->count; i++) {
    const struct buffer *buffer = &problem->buffers[i];
    if (buffer->alignment < *low) *low = buffer->alignment;
    if (buffer->alignment > *high) *high = buffer->alignment;
  }
  if (*low > *high) *low = *high;
}
