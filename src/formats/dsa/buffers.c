/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads pools and buffers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "formats/dsa/reader.h"
#include "formats/row.h"

/* ---------------------------------------------------------------- ids and names */

static neap_status add_id(struct ids *ids, const struct json_at *object, neap_error *error) {
  struct json_at at = json_member(object, "id");
  uint32_t id;
  neap_status status = reader_id(&at, &id, error);
  if (status != NEAP_OK) return status;
  return ids_add(ids, id) ? NEAP_OK : error_memory(error);
}

static neap_status sort_ids(struct ids *ids, const struct json_at *objects, neap_error *error) {
  size_t twice;
  if (ids_sort(ids, &twice)) return NEAP_OK;
  struct json_at object = json_element(objects, twice), at = json_member(&object, "id");
  return json_blame(&at, error, "the id occurs twice");
}

/*
 * In neap, names are unique and not empty.  dsa-solver permits pools with the same name, and empty
 * names: then "#" and the id follow.  The text is NUL-terminated; row->failed if memory is short.
 */
static void append_name(struct row *row, const char *name, bool is_taken, int64_t id) {
  row_string(row, name);
  if (is_taken || !name[0]) {
    row_char(row, '#');
    row_number(row, id);
  }
  row_char(row, '\0');
}

/* ---------------------------------------------------------------- pools */

static neap_status read_reserved(struct reader *reader, const struct json_at *pool,
                                 size_t index, neap_error *error) {
  static const char *const keys[] = {"begin", "end", NULL};
  struct json_at ranges;
  size_t count;
  neap_status status = reader_array(pool, "reserved_ranges", &ranges, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    neap_reserved reserved = {.struct_size = sizeof(neap_reserved),
                              .pool = reader->has_pools ? index : 0,
                              .when = {0, NEAP_MAX}};
    struct json_at range = json_element(&ranges, i);
    status = json_read_object(&range, keys, error);
    if (status == NEAP_OK) status = reader_number(&range, "begin", 0, &reserved.low, error);
    if (status == NEAP_OK)
      status =
          reader_number(&range, "end", reserved.low < NEAP_MAX ? reserved.low + 1 : NEAP_MAX,
                        &reserved.high, error);
    if (status == NEAP_OK) status = neap_problem_reserve(reader->problem, &reserved, error);
  }
  return status;
}

/* Bank geometry has no effect in version 1 of the schema. */
static neap_status read_geometry(const struct json_at *pool, neap_error *error) {
  static const char *const keys[] = {"bank_size", "num_banks", NULL};
  struct json_at geometry = json_member(pool, "bank_geometry");
  int64_t number;
  if (!geometry.value) return NEAP_OK;
  neap_status status = json_read_object(&geometry, keys, error);
  for (size_t i = 0; keys[i] && status == NEAP_OK; i++)
    status = reader_number(&geometry, keys[i], 1, &number, error);
  return status;
}

static neap_status add_pool(struct reader *reader, const char *name, neap_size capacity,
                            int64_t id, neap_error *error) {
  neap_pool pool = NEAP_POOL_INIT;
  struct row row = {0};
  size_t other;
  append_name(&row, name, neap_problem_find_pool(reader->problem, name, &other), id);
  pool.name = row.text;
  pool.capacity = capacity;
  neap_status status =
      row.failed ? error_memory(error) : neap_problem_add_pool(reader->problem, &pool, error);
  row_clear(&row);
  return status;
}

/* A single pool without a capacity is what neap plans anyway. */
static bool is_plain(const struct json_at *pools, size_t count) {
  struct json_at pool = json_element(pools, 0);
  return count == 1 && json_is_null(json_object_get(pool.value, "capacity"));
}

static neap_status read_pool(struct reader *reader, const struct json_at *at, size_t index,
                             neap_error *error) {
  static const char *const keys[] = {
      "id", "name", "capacity", "reserved_ranges", "bank_geometry", NULL};
  struct json_at capacity = json_member(at, "capacity");
  int64_t bytes = -1;
  const char *name;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = add_id(&reader->pools, at, error);
  if (status == NEAP_OK) status = reader_string(at, "name", &name, error);
  if (status == NEAP_OK && !json_is_null(capacity.value))
    status = reader_number(at, "capacity", 0, &bytes, error);
  if (status == NEAP_OK && reader->has_pools)
    status = reader_within(
        at, add_pool(reader, name, bytes, reader->pools.items[index].number, error), error);
  if (status == NEAP_OK) status = read_geometry(at, error);
  return status == NEAP_OK ? read_reserved(reader, at, index, error) : status;
}

neap_status reader_pools(struct reader *reader, const struct json_at *problem,
                         neap_error *error) {
  struct json_at pools;
  size_t count;
  neap_status status = reader_array(problem, "pools", &pools, &count, error);
  if (status == NEAP_OK && count == 0)
    status = json_blame(&pools, error, "expected at least one pool, found none");
  if (status != NEAP_OK) return status;
  reader->has_pools = !is_plain(&pools, count);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at pool = json_element(&pools, i);
    status = read_pool(reader, &pool, i, error);
  }
  return status == NEAP_OK ? sort_ids(&reader->pools, &pools, error) : status;
}

/* ---------------------------------------------------------------- drafts of buffers */

static neap_status read_span(struct reader *reader, const struct json_at *at,
                             neap_error *error) {
  static const char *const keys[] = {"lower", "upper", NULL};
  struct span span;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = reader_number(at, "lower", INT64_MIN, &span.lower, error);
  if (status == NEAP_OK) status = reader_number(at, "upper", INT64_MIN, &span.upper, error);
  if (status == NEAP_OK && span.lower >= span.upper)
    status =
        json_blame(at, error, "expected `lower` below `upper`, found %" PRId64 " and %" PRId64,
                   span.lower, span.upper);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&reader->spans, &reader->span_capacity, reader->span_count + 1,
                      sizeof *reader->spans))
    return error_memory(error);
  reader->spans[reader->span_count++] = span;
  return NEAP_OK;
}

static neap_status read_spans(struct reader *reader, const struct json_at *buffer,
                              neap_error *error) {
  struct json_at spans;
  size_t count;
  neap_status status = reader_array(buffer, "live_intervals", &spans, &count, error);
  if (status == NEAP_OK && count == 0)
    status = json_blame(&spans, error, "expected an interval, found none");
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at span = json_element(&spans, i);
    status = read_span(reader, &span, error);
  }
  return status;
}

static neap_status read_draft(struct reader *reader, const struct json_at *at, size_t index,
                              neap_error *error) {
  static const char *const keys[] = {
      "id", "name", "size", "alignment", "live_intervals", "allowed_pools", NULL};
  struct draft draft = {.class = index, .pinned_offset = NEAP_UNPLACED};
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = add_id(&reader->buffers, at, error);
  if (status == NEAP_OK) status = reader_number(at, "size", 1, &draft.size, error);
  if (status == NEAP_OK) status = read_spans(reader, at, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&reader->drafts, &reader->draft_capacity, index + 1,
                      sizeof *reader->drafts))
    return error_memory(error);
  draft.ranges_end = reader->span_count;
  draft.extent = draft.size;
  reader->drafts[index] = draft;
  return NEAP_OK;
}

neap_status reader_drafts(struct reader *reader, const struct json_at *problem,
                          neap_error *error) {
  struct json_at buffers;
  size_t count;
  neap_status status = reader_array(problem, "buffers", &buffers, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at buffer = json_element(&buffers, i);
    status = read_draft(reader, &buffer, i, error);
  }
  return status == NEAP_OK ? sort_ids(&reader->buffers, &buffers, error) : status;
}

/* ---------------------------------------------------------------- buffers */

/* What all buffers share, and room for one. */
struct adder {
  struct reader *reader;
  int64_t shift;  /* of all times, so that none is negative */
  neap_time last; /* when everything is over */
  neap_range *ranges;
  size_t range_capacity;
  size_t *pools;
  struct row name;
};

/* Finds how far times are shifted, and when the last one is. */
static neap_status shift_times(struct adder *adder, neap_error *error) {
  const struct reader *reader = adder->reader;
  int64_t first = 0, last = INT64_MIN;
  for (size_t i = 0; i < reader->span_count; i++) {
    if (reader->spans[i].lower < first) first = reader->spans[i].lower;
    if (reader->spans[i].upper > last) last = reader->spans[i].upper;
  }
  if (reader->span_count == 0) return NEAP_OK;
  if (first > INT64_MIN && checked_add(last, -first, &adder->last)) {
    adder->shift = -first;
    return NEAP_OK;
  }
  return error_set(error, NEAP_ERROR_INPUT,
                   "expected times that span less than 2^63, found %" PRId64 " to %" PRId64,
                   first, last);
}

static int by_start(const void *left, const void *right) {
  const neap_range *a = left, *b = right;
  return (a->start > b->start) - (a->start < b->start);
}

/* Sorts the ranges and merges those that overlap; returns their number. */
static size_t merge_ranges(neap_range *ranges, size_t count) {
  size_t kept = 0;
  qsort(ranges, count, sizeof *ranges, by_start);
  for (size_t i = 1; i < count; i++) {
    if (ranges[i].start > ranges[kept].end) ranges[++kept] = ranges[i];
    else if (ranges[i].end > ranges[kept].end) ranges[kept].end = ranges[i].end;
  }
  return kept + 1;
}

static bool take_ranges(struct adder *adder, size_t index, neap_buffer *buffer) {
  const struct reader *reader = adder->reader;
  size_t begin = index == 0 ? 0 : reader->drafts[index - 1].ranges_end;
  size_t count = reader->drafts[index].ranges_end - begin;
  if (!memory_reserve(&adder->ranges, &adder->range_capacity, count, sizeof *adder->ranges))
    return false;
  for (size_t i = 0; i < count; i++)
    adder->ranges[i] = (neap_range){reader->spans[begin + i].lower + adder->shift,
                                    reader->spans[begin + i].upper + adder->shift};
  if (reader->drafts[index].is_exclusive) {
    adder->ranges[0] = (neap_range){0, adder->last};
    count = 1;
  }
  buffer->ranges = adder->ranges;
  buffer->range_count = merge_ranges(adder->ranges, count);
  return true;
}

/* Reads the list of pools; it is left out if it says nothing. */
static neap_status take_pools(struct adder *adder, const struct json_at *at,
                              const struct draft *draft, neap_buffer *buffer,
                              neap_error *error) {
  struct reader *reader = adder->reader;
  struct json_at pools;
  size_t count, known = reader->pools.count;
  bool is_pinned = draft->pinned_offset != NEAP_UNPLACED, is_allowed = false;
  neap_status status = reader_array(at, "allowed_pools", &pools, &count, error);
  if (status == NEAP_OK && (count == 0 || count > known))
    status = json_blame(&pools, error, "expected 1 to %zu pools, found %zu", known, count);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at pool = json_element(&pools, i);
    status = reader_find(reader, &reader->pools, &pool, &adder->pools[i], error);
    is_allowed = is_allowed || adder->pools[i] == draft->pinned_pool;
  }
  if (status != NEAP_OK) return status;
  if (is_pinned && !is_allowed)
    return json_blame(&pools, error, "the buffer is pinned to a pool that is not in the list");
  if (is_pinned) {
    adder->pools[0] = draft->pinned_pool;
    count = 1;
  }
  if (known == 1) return NEAP_OK;
  buffer->pools = adder->pools;
  buffer->pool_count = count;
  return NEAP_OK;
}

static neap_status take_name(struct adder *adder, const struct json_at *at, neap_buffer *buffer,
                             neap_error *error) {
  struct reader *reader = adder->reader;
  const char *name;
  size_t other;
  neap_status status = reader_string(at, "name", &name, error);
  if (status != NEAP_OK) return status;
  int64_t id = json_integer_value(json_object_get(at->value, "id"));
  adder->name.length = 0;
  append_name(&adder->name, name, neap_problem_find(reader->problem, name, &other), id);
  buffer->name = adder->name.text;
  return adder->name.failed ? error_memory(error) : NEAP_OK;
}

static neap_status add_buffer(struct adder *adder, const struct json_at *at, size_t index,
                              neap_error *error) {
  struct reader *reader = adder->reader;
  const struct draft *draft = &reader->drafts[index];
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.size = reader->drafts[reader_class(reader, index)].extent;
  if (!reader->reading->replan) buffer.fixed_offset = draft->pinned_offset;
  neap_status status = reader_number(at, "alignment", 1, &buffer.alignment, error);
  if (status == NEAP_OK) status = take_name(adder, at, &buffer, error);
  if (status == NEAP_OK) status = take_pools(adder, at, draft, &buffer, error);
  if (status == NEAP_OK && !take_ranges(adder, index, &buffer)) status = error_memory(error);
  if (status != NEAP_OK) return status;
  return reader_within(at, neap_problem_add(reader->problem, &buffer, error), error);
}

neap_status reader_buffers(struct reader *reader, const struct json_at *problem,
                           neap_error *error) {
  struct json_at buffers = json_member(problem, "buffers");
  struct adder adder = {.reader = reader,
                        .pools = memory_array(reader->pools.count, sizeof *adder.pools)};
  neap_status status = adder.pools ? shift_times(&adder, error) : error_memory(error);
  status = reader_within(&buffers, status, error);
  for (size_t i = 0; i < reader->buffers.count && status == NEAP_OK; i++) {
    struct json_at buffer = json_element(&buffers, i);
    status = add_buffer(&adder, &buffer, i, error);
  }
  free(adder.pools);
  free(adder.ranges);
  row_clear(&adder.name);
  return status;
}
