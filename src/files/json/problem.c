/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/json/columns.h"
#include "files/json/graph.h"
#include "files/json/json.h"
#include "files/json/operators.h"
#include "files/owned.h"
#include "model/groups.h"
#include "verify/collide.h"

/* ---------------------------------------------------------------- the whole */

static neap_status check_root(const struct json_at *root, bool *is_plan, neap_error *error) {
  static const char *const problem_keys[] = {
      "format",   "version", "horizon", "buffers",           "operators",
      "schedule", "runtime", "missing", JSON_RELATIONS_KEYS, JSON_RELATIONS_CONFLICT_KEYS,
      NULL};
  static const char *const plan_keys[] = {
      "format", "version",  "horizon",           "base",
      "report", "buffers",  "columns",           "operators",
      "rounds", "schedule", "object_sizes",      "runtime",
      "live",   "missing",  JSON_RELATIONS_KEYS, NULL};
  struct json_at at = json_member(root, "format");
  const char *format;
  int64_t version;
  neap_status status = json_read_string(&at, &format, error);
  if (status != NEAP_OK) return status;
  *is_plan = strcmp(format, "neap-plan") == 0;
  if (!*is_plan && strcmp(format, "neap-problem") != 0) {
    char excerpt[TEXT_EXCERPT];
    status =
        json_blame(&at, error, "expected 'neap-problem', 'neap-plan' or 'neap-graph', found %s",
                   text_excerpt(excerpt, format, strlen(format)));
    json_document_show_example(&at, error);
    return status;
  }
  at = json_member(root, "version");
  status = json_read_number(&at, 0, &version, error);
  if (status != NEAP_OK) return status;
  if (version != 1) return json_blame(&at, error, "expected 1, found %" PRId64, version);
  return json_read_object(root, *is_plan ? plan_keys : problem_keys, error);
}

neap_status json_problem_open(struct json_document *document, const char *text, size_t size,
                              size_t stored, bool *is_plan, neap_error *error) {
  neap_status status = json_document_open(document, text, size, stored, "buffers", error);
  if (status != NEAP_OK) return status;
  struct json_at root = json_document_root(document);
  status = check_root(&root, is_plan, error);
  if (status != NEAP_OK) json_document_close(document);
  return status;
}

/* ---------------------------------------------------------------- buffers */

struct reader {
  bool is_plan, fixed;
  neap_problem *problem;
  bool keeps_offsets; /* of a plan */
  neap_offset *offsets;
  size_t *objects; /* of as many buffers as have one */
  size_t *pools;   /* the same */
  size_t offset_capacity, object_capacity, object_count, pool_capacity, pool_count;
  bool has_conflicts; /* instead of lifetimes */
  struct json_pool_list pool_list;
  neap_range *ranges; /* of the current buffer */
  size_t range_capacity;
  struct json_dimensions dimensions; /* of the current buffer */
};

static neap_status read_range(const struct json_at *at, neap_range *range, neap_error *error) {
  size_t count;
  neap_status status = json_read_array(at, &count, error);
  if (status != NEAP_OK) return status;
  if (count != 2)
    return json_blame(at, error, "expected a pair [start, end], found an array of %zu", count);
  struct json_at start = json_element(at, 0), end = json_element(at, 1);
  status = json_read_number(&start, 0, &range->start, error);
  if (status == NEAP_OK) status = json_read_number(&end, 0, &range->end, error);
  return status;
}

/* Gives the buffer a moment of its own, because conflicts, not lifetimes, keep buffers apart. */
static neap_status make_lifetime(struct reader *reader, const struct json_at *lifetimes,
                                 neap_buffer *buffer, neap_error *error) {
  neap_time start = (neap_time)reader->problem->count;
  if (lifetimes->value)
    return json_blame(lifetimes, error,
                      "buffers have no lifetimes in a problem with conflicts");
  if (!memory_reserve(&reader->ranges, &reader->range_capacity, 1, sizeof *reader->ranges))
    return error_memory(error);
  reader->ranges[0] = (neap_range){start, start + 1};
  buffer->ranges = reader->ranges;
  buffer->range_count = 1;
  return NEAP_OK;
}

static neap_status read_lifetimes(struct reader *reader, const struct json_at *at,
                                  neap_buffer *buffer, neap_error *error) {
  struct json_at lifetimes = json_member(at, "lifetimes");
  if (reader->has_conflicts) return make_lifetime(reader, &lifetimes, buffer, error);
  neap_status status = json_read_array(&lifetimes, &buffer->range_count, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&reader->ranges, &reader->range_capacity, buffer->range_count,
                      sizeof *reader->ranges))
    return error_memory(error);
  for (size_t i = 0; i < buffer->range_count && status == NEAP_OK; i++) {
    struct json_at range = json_element(&lifetimes, i);
    status = read_range(&range, &reader->ranges[i], error);
  }
  buffer->ranges = reader->ranges;
  return status;
}

/* Reads a number that may be missing. */
static neap_status read_optional(const struct json_at *at, const char *key, int64_t low,
                                 int64_t *number, neap_error *error) {
  struct json_at member = json_member(at, key);
  return member.value ? json_read_number(&member, low, number, error) : NEAP_OK;
}

static neap_status read_text(const struct json_at *at, const char *key, const char **text,
                             neap_error *error) {
  struct json_at member = json_member(at, key);
  return json_read_string(&member, text, error);
}

/* Reads the object of a buffer in a plan of shared objects. */
static neap_status read_object(struct reader *reader, const struct json_at *at,
                               neap_error *error) {
  struct json_at member = json_member(at, "object");
  int64_t object = 0;
  if (!member.value) return NEAP_OK;
  neap_status status = json_read_number(&member, 0, &object, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&reader->objects, &reader->object_capacity, reader->object_count + 1,
                      sizeof *reader->objects))
    return error_memory(error);
  reader->objects[reader->object_count++] = (size_t)object;
  return NEAP_OK;
}

/* Reads the pool of a buffer in a plan: either every buffer has a pool, or none has. */
static neap_status read_placed_pool(struct reader *reader, const struct json_at *at,
                                    neap_error *error) {
  struct json_at member = json_member(at, "pool");
  if (!member.value && reader->pool_count == 0) return NEAP_OK;
  if (reader->pool_count != reader->problem->count)
    return json_blame(&member, error, "the buffers before this one have no pool");
  if (!memory_reserve(&reader->pools, &reader->pool_capacity, reader->pool_count + 1,
                      sizeof *reader->pools))
    return error_memory(error);
  return json_relations_read_pool(&member, reader->problem,
                                  &reader->pools[reader->pool_count++], error);
}

/*
 * Reads the keys of a plan.  Only the offset, the object and the pool are used: the others follow
 * from these, and are only checked for their type.
 */
static neap_status read_placement(struct reader *reader, const struct json_at *at,
                                  neap_size size, neap_error *error) {
  static const char *const strings[] = {"risk", "start_address", "end_address"};
  neap_offset offset, end;
  struct json_at member = json_member(at, "offset");
  neap_status status = json_read_number(&member, 0, &offset, error);
  if (status == NEAP_OK && !checked_add(offset, size, &end))
    status = json_blame(&member, error,
                        "offset %" PRId64 " and size %" PRId64 " add up to more than 2^63 - 1",
                        offset, size);
  if (status == NEAP_OK) status = read_optional(at, "end_offset", 0, &end, error);
  for (size_t i = 0; i < sizeof strings / sizeof strings[0] && status == NEAP_OK; i++) {
    const char *text;
    if (json_member(at, strings[i]).value) status = read_text(at, strings[i], &text, error);
  }
  if (status != NEAP_OK || !reader->keeps_offsets) return status;
  size_t index = reader->problem->count;
  if (!memory_reserve(&reader->offsets, &reader->offset_capacity, index + 1, sizeof offset))
    return error_memory(error);
  reader->offsets[index] = offset;
  status = read_placed_pool(reader, at, error);
  return status == NEAP_OK ? read_object(reader, at, error) : status;
}

static neap_status read_shape(struct reader *reader, const struct json_at *at,
                              neap_buffer *buffer, neap_error *error) {
  struct tensor_shape shape;
  neap_status status = json_shape_read(at, &reader->dimensions, &shape, error);
  buffer->shape = shape.dimensions;
  buffer->rank = shape.rank;
  buffer->dtype = shape.type;
  return status;
}

static neap_status read_buffer(struct reader *reader, const struct json_at *at,
                               neap_error *error) {
  static const char *const keys[] = {"name",
                                     "size",
                                     "lifetimes",
                                     "alignment",
                                     "fixed_offset",
                                     "hint",
                                     JSON_SHAPE_KEYS,
                                     JSON_RELATIONS_BUFFER_KEYS,
                                     NULL};
  static const char *const plan_keys[] = {
      "name", "size",          "lifetimes",   "alignment", "fixed_offset",
      "hint", JSON_SHAPE_KEYS, "offset",      "pool",      "end_offset",
      "risk", "start_address", "end_address", "object",    JSON_RELATIONS_BUFFER_KEYS,
      NULL};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  struct json_at size = json_member(at, "size");
  neap_status status = json_read_object(at, reader->is_plan ? plan_keys : keys, error);
  if (status == NEAP_OK) status = read_text(at, "name", &buffer.name, error);
  if (status == NEAP_OK) status = json_read_number(&size, 0, &buffer.size, error);
  if (status == NEAP_OK) status = read_lifetimes(reader, at, &buffer, error);
  if (status == NEAP_OK) status = read_optional(at, "alignment", 1, &buffer.alignment, error);
  if (status == NEAP_OK)
    status = read_optional(at, "fixed_offset", 0, &buffer.fixed_offset, error);
  if (status == NEAP_OK && json_member(at, "hint").value)
    status = read_text(at, "hint", &buffer.hint, error);
  if (status == NEAP_OK) status = read_shape(reader, at, &buffer, error);
  if (status == NEAP_OK)
    status =
        json_relations_read_buffer(at, reader->problem, &reader->pool_list, &buffer, error);
  if (status == NEAP_OK && reader->is_plan)
    status = read_placement(reader, at, buffer.size, error);
  if (status != NEAP_OK) return status;
  if (!reader->fixed) buffer.fixed_offset = NEAP_UNPLACED;
  if (buffer.hint && !buffer.hint[0]) buffer.hint = NULL;
  status = neap_problem_add(reader->problem, &buffer, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

/* Reads up to the later buffer again to report its line. */
static neap_status refuse_collision(const struct json_document *document,
                                    const struct json_at *buffers, const neap_problem *problem,
                                    neap_error *error) {
  neap_collision collision;
  bool found;
  neap_status status = collide_fixed(problem, &collision, &found, error);
  if (status != NEAP_OK || !found) return status;
  struct json_rows rows = {.cursor = {.document = document, .list = &document->list}};
  for (size_t i = 0; i <= collision.second && status == NEAP_OK; i++)
    status = json_rows_next(&rows, error);
  if (status == NEAP_OK) {
    char text[COLLIDE_TEXT];
    struct json_at buffer = {
        .value = rows.element, .parent = buffers, .index = collision.second};
    struct json_at member = json_member(&buffer, "fixed_offset");
    status =
        json_blame(&member, error, "fixed offsets collide: %s (the former is buffers[%zu])",
                   collide_text(problem, &collision, text), collision.first);
  }
  json_cursor_place(&rows.cursor, status, error);
  json_rows_clear(&rows);
  return status;
}

static neap_status read_horizon(const struct json_at *root, neap_problem *problem,
                                neap_error *error) {
  int64_t horizon = problem->horizon;
  neap_status status = read_optional(root, "horizon", 0, &horizon, error);
  if (status != NEAP_OK) return status;
  if (horizon < problem->horizon) {
    struct json_at at = json_member(root, "horizon");
    return json_blame(
        &at, error, "expected at least the end of the last buffer, %" PRId64 ", found %" PRId64,
        problem->horizon, horizon);
  }
  problem->horizon = horizon;
  return NEAP_OK;
}

static neap_status read_elements(struct reader *reader, struct json_rows *rows,
                                 const struct json_at *buffers, neap_error *error) {
  for (size_t i = 0;; i++) {
    neap_status status = json_rows_next(rows, error);
    if (status != NEAP_OK || !rows->element) return status;
    struct json_at buffer = {.value = rows->element, .parent = buffers, .index = i};
    status = json_cursor_place(&rows->cursor, read_buffer(reader, &buffer, error), error);
    if (status != NEAP_OK) return status;
  }
}

/* The list of buffers, which is in one of two forms. */
static neap_status read_list(const struct json_document *document,
                             const struct json_at *buffers, size_t *count, neap_error *error) {
  if (!document->in_columns) return json_read_array(buffers, count, error);
  if (buffers->value) return json_blame(buffers, error, "there are `columns` already");
  return NEAP_OK;
}

static neap_status read_all(struct reader *reader, const struct json_document *document,
                            neap_error *error) {
  struct json_at root = json_document_root(document), buffers = json_member(&root, "buffers");
  struct json_rows rows = {.cursor = {.document = document, .list = &document->list}};
  size_t count; /* 0: the elements are not in the root */
  neap_status status = read_list(document, &buffers, &count, error);
  if (status == NEAP_OK) status = json_relations_read_pools(&root, reader->problem, error);
  reader->has_conflicts = json_relations_replace_lifetimes(&root);
  if (status == NEAP_OK) status = read_elements(reader, &rows, &buffers, error);
  json_rows_clear(&rows);
  if (status == NEAP_OK) status = read_horizon(&root, reader->problem, error);
  if (status == NEAP_OK) status = json_operators_read(document, reader->problem, error);
  if (status == NEAP_OK) status = json_schedule_read(&root, reader->problem, error);
  if (status == NEAP_OK) status = json_runtime_read(&root, reader->problem, error);
  if (status == NEAP_OK) status = json_missing_read(&root, &reader->problem->missing, error);
  if (status == NEAP_OK) status = json_relations_read(&root, reader->problem, error);
  if (status == NEAP_OK) status = refuse_collision(document, &buffers, reader->problem, error);
  if (status == NEAP_OK && reader->problem->relations)
    status = json_relations_place(&root, reader->problem,
                                  neap_problem_check(reader->problem, error), error);
  if (status != NEAP_OK || !reader->keeps_offsets || reader->offsets) return status;
  reader->offsets = memory_array(0, sizeof *reader->offsets); /* not NULL for an empty plan */
  return reader->offsets ? NEAP_OK : error_memory(error);
}

/* Objects count only if every buffer has one. */
static void take_placements(struct reader *reader, struct json_placements *placements) {
  bool all = reader->object_count == reader->problem->count;
  placements->offsets = reader->offsets;
  placements->pools = reader->pools;
  placements->objects = all ? reader->objects : NULL;
  if (!all) free(reader->objects);
}

neap_status json_problem_read_buffers(const struct json_document *document, bool is_plan,
                                      bool fixed, neap_problem **problem,
                                      struct json_placements *placements, neap_error *error) {
  struct reader reader = {.is_plan = is_plan,
                          .fixed = fixed,
                          .problem = neap_problem_new(),
                          .keeps_offsets = placements != NULL};
  if (!reader.problem) return error_memory(error);
  neap_status status = read_all(&reader, document, error);
  free(reader.ranges);
  free(reader.dimensions.items);
  free(reader.pool_list.pools);
  if (status != NEAP_OK) {
    neap_problem_free(reader.problem);
    free(reader.offsets);
    free(reader.objects);
    free(reader.pools);
    return status;
  }
  *problem = reader.problem;
  if (placements) take_placements(&reader, placements);
  return NEAP_OK;
}

static neap_status read_graph(const struct json_document *document, const neap_reading *reading,
                              neap_problem **problem, neap_error *error) {
  neap_graph *graph;
  neap_status status = json_graph_from(document, &graph, error);
  return status == NEAP_OK ? adopt_graph(graph, reading, problem, error) : status;
}

neap_status json_problem_unpacked(const char *text, size_t size, size_t stored,
                                  const neap_reading *reading, neap_problem **problem,
                                  neap_error *error) {
  struct json_document document;
  bool is_plan;
  neap_status status = json_document_open(&document, text, size, stored, "buffers", error);
  if (status != NEAP_OK) return status;
  struct json_at root = json_document_root(&document);
  if (json_graph_is(document.root)) {
    status = read_graph(&document, reading, problem, error);
  } else {
    status = check_root(&root, &is_plan, error);
    if (status == NEAP_OK)
      status =
          json_problem_read_buffers(&document, is_plan, !reading->replan, problem, NULL, error);
  }
  json_document_close(&document);
  return status;
}

neap_status json_problem_read(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error) {
  return json_problem_unpacked(text, size, size, reading, problem, error);
}

/* ---------------------------------------------------------------- writing */

static neap_status check_reason(const struct neap_problem *problem,
                                const neap_relation *relation, neap_error *error) {
  const char *reason = relation->reason;
  char excerpt[TEXT_EXCERPT];
  if (!reason || text_utf8_prefix(reason, strlen(reason)) == strlen(reason)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_FORMAT,
                   "JSON cannot hold the reason of a %s of buffer %s: it is not valid UTF-8",
                   neap_relation_kind_name(relation->kind),
                   problem_excerpt(problem, relation->first, excerpt));
}

static neap_status check_reasons(const struct neap_problem *problem, neap_error *error) {
  const struct relations *relations = problem->relations;
  const struct relation_group *group = NULL;
  neap_status status = NEAP_OK;
  for (size_t i = 0; relations && i < relations->count && status == NEAP_OK; i++)
    status = check_reason(problem, &relations->items[i], error);
  while (status == NEAP_OK && (group = problem_next_group(problem, RELATION_ANY, group)))
    status = check_reason(problem, &group->relation, error);
  return status;
}

neap_status json_problem_check_texts(const struct neap_problem *problem, neap_error *error) {
  for (size_t i = 0; i < problem->count && problem->hints; i++) {
    const char *hint = problem_hint(problem, i), *name = problem_name(problem, i);
    if (!hint || text_utf8_prefix(hint, strlen(hint)) == strlen(hint)) continue;
    char excerpt[TEXT_EXCERPT];
    return error_set(error, NEAP_ERROR_FORMAT,
                     "JSON cannot hold the hint of buffer %s: it is not valid UTF-8",
                     text_excerpt(excerpt, name, strlen(name)));
  }
  neap_status status = json_operators_check_texts(problem, error);
  return status == NEAP_OK ? check_reasons(problem, error) : status;
}

/* The end of the last buffer. */
static neap_time last_end(const struct neap_problem *problem) {
  neap_time last = 0;
  for (size_t i = 0; i < problem->count; i++) {
    neap_time end = problem_hull(problem, i).end;
    if (end > last) last = end;
  }
  return last;
}

/* A reader of the file knows neither the runtime nor its requests outside the problem. */
static void append_missing(const struct neap_problem *problem, struct row *row) {
  const struct names *scratch = &problem->unknown_scratch;
  const size_t parts = problem->missing.count, unknown = problem->target ? scratch->count : 0;
  for (size_t i = 0; i < parts + unknown; i++) {
    char text[512];
    row_string(row, i > 0 ? ", " : "  \"missing\": [");
    if (i >= parts)
      snprintf(text, sizeof text, "scratch buffers of operator %s",
               names_text(scratch, i - parts));
    row_json(row, i < parts ? names_text(&problem->missing, i) : text);
  }
  if (parts + unknown > 0) row_string(row, "],\n");
}

void json_problem_append_head(const struct neap_problem *problem, const char *format,
                              struct row *row) {
  row_string(row, "{\n  \"format\": ");
  row_json(row, format);
  row_string(row, ",\n  \"version\": 1,\n");
  if (problem->horizon > last_end(problem)) {
    row_string(row, "  \"horizon\": ");
    row_number(row, problem->horizon);
    row_string(row, ",\n");
  }
  json_relations_append(problem, row);
  json_schedule_append(problem, row);
  append_missing(problem, row);
  if (!json_runtime_has_any(problem)) return;
  row_string(row, "  \"runtime\": ");
  json_runtime_append(problem, row);
  row_string(row, ",\n");
}

static void append_lifetimes(const struct neap_problem *problem, size_t index,
                             struct row *row) {
  size_t begin = problem_ranges_begin(problem, index);
  row_string(row, ", \"lifetimes\": [");
  for (size_t i = begin; i < problem->buffers[index].ranges_end; i++) {
    row_string(row, i > begin ? ", [" : "[");
    row_number(row, problem->ranges[i].start);
    row_string(row, ", ");
    row_number(row, problem->ranges[i].end);
    row_char(row, ']');
  }
  row_char(row, ']');
}

void json_problem_append_buffer(const struct neap_problem *problem, size_t index,
                                struct row *row) {
  const struct buffer *buffer = &problem->buffers[index];
  const char *hint = problem_hint(problem, index);
  row_string(row, "\"name\": ");
  row_json(row, problem_name(problem, index));
  row_string(row, ", \"size\": ");
  row_number(row, buffer->size);
  append_lifetimes(problem, index, row);
  if (buffer->alignment != 1) {
    row_string(row, ", \"alignment\": ");
    row_number(row, buffer->alignment);
  }
  if (buffer->fixed_offset != NEAP_UNPLACED) {
    row_string(row, ", \"fixed_offset\": ");
    row_number(row, buffer->fixed_offset);
  }
  json_relations_append_buffer(problem, index, row);
  if (hint && hint[0]) {
    row_string(row, ", \"hint\": ");
    row_json(row, hint);
  }
  json_shape_append(&problem->shapes, index, row);
}

static neap_status write_all(const struct neap_problem *problem, struct row *row, FILE *stream,
                             neap_error *error) {
  json_problem_append_head(problem, "neap-problem", row);
  row_string(row, "  \"buffers\": [");
  neap_status status = row_write(row, stream, error);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++) {
    row_string(row, i > 0 ? ",\n    {" : "\n    {");
    json_problem_append_buffer(problem, i, row);
    row_char(row, '}');
    status = row_write(row, stream, error);
  }
  row_string(row, problem->count > 0 ? "\n  ]" : "]");
  if (status == NEAP_OK) status = json_operators_write(problem, row, stream, error);
  if (status != NEAP_OK) return status;
  row_string(row, "\n}\n");
  return row_write(row, stream, error);
}

neap_status json_problem_write(const struct neap_problem *problem, FILE *stream,
                               neap_error *error) {
  neap_status status = json_problem_check_texts(problem, error);
  if (status != NEAP_OK) return status;
  struct row row = {0};
  status = write_all(problem, &row, stream, error);
  row_clear(&row);
  return status;
}
