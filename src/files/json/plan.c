/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/json/columns.h"
#include "files/json/operators.h"
#include "files/json/problem.h"
#include "files/json/report.h"
#include "files/owned.h"

/* ---------------------------------------------------------------- reading */

/* A bound above what the plan has belongs to other offsets. */
static void drop_bounds(const neap_plan *plan, neap_history *history) {
  const neap_report *report = &plan->report;
  if (history->lower_bound > report->peak) history->lower_bound = 0;
  if (history->reuse_cost_lower_bound > report->costs.reuse)
    history->reuse_cost_lower_bound = 0;
  if (history->spilled_lower_bound > report->costs.spilled_bytes)
    history->spilled_lower_bound = 0;
  if (history->moved_lower_bound > report->costs.moved_bytes) history->moved_lower_bound = 0;
}

static neap_status read_capacity(const struct json_at *report, neap_plan *plan,
                                 neap_error *error) {
  struct json_at at = json_member(report, "capacity");
  int64_t capacity = -1;
  if (!report->value || !at.value) return NEAP_OK;
  neap_status status = json_read_number(&at, 0, &capacity, error);
  return status == NEAP_OK ? neap_plan_set_capacity(plan, capacity, error) : status;
}

/* Stores how the plan was made. */
static neap_status read_history(const struct json_at *root, neap_plan *plan,
                                neap_error *error) {
  struct json_at report = json_member(root, "report"), list = json_member(root, "rounds");
  neap_history history = {
      .struct_size = sizeof(neap_history), .engine = "", .stop_reason = NEAP_STOP_COMPLETE};
  neap_round *rounds = NULL;
  neap_status status = report_read(&report, &history, error);
  drop_bounds(plan, &history);
  if (status == NEAP_OK)
    status = json_rounds_read(&list, plan->problem, &rounds, &history.round_count, error);
  history.round_list = rounds;
  if (status == NEAP_OK) status = neap_plan_set_history(plan, &history, error);
  if (status == NEAP_OK) status = read_capacity(&report, plan, error);
  json_rounds_free(rounds, history.round_count);
  return status;
}

static neap_status read_base(const struct json_at *root, neap_plan *plan, neap_error *error) {
  struct json_at at = json_member(root, "base");
  uint64_t base;
  if (!at.value) return NEAP_OK;
  neap_status status = json_address_read(&at, &base, error);
  if (status != NEAP_OK) return status;
  status = neap_plan_set_base(plan, base, error);
  return status == NEAP_ERROR_ARGUMENT ? json_place(&at, NEAP_ERROR_INPUT, error) : status;
}

/* Objects and their sizes go together; without sizes there are none. */
static neap_status read_objects(const struct json_at *root, const size_t *objects,
                                neap_plan *plan, neap_error *error) {
  struct json_at list = json_member(root, "object_sizes");
  size_t count;
  if (!list.value || !objects) return NEAP_OK;
  neap_status status = json_read_array(&list, &count, error);
  if (status != NEAP_OK) return status;
  neap_size *sizes = memory_array(count, sizeof *sizes);
  if (!sizes) return error_memory(error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at size = json_element(&list, i);
    status = json_read_number(&size, 0, &sizes[i], error);
  }
  if (status == NEAP_OK) status = neap_plan_set_objects(plan, objects, sizes, count, error);
  free(sizes);
  return status == NEAP_ERROR_ARGUMENT ? json_place(&list, NEAP_ERROR_INPUT, error) : status;
}

static neap_status read_document(const struct json_document *document, neap_plan **plan,
                                 neap_error *error) {
  struct json_at root = json_document_root(document);
  neap_problem *problem;
  struct json_placements placements;
  neap_plan *made;
  neap_status status =
      json_problem_read_buffers(document, true, true, &problem, &placements, error);
  if (status != NEAP_OK) return status;
  status = adopt_plan(problem, placements.offsets, &made, error);
  if (status == NEAP_OK) {
    status = read_objects(&root, placements.objects, made, error);
    if (status == NEAP_OK && placements.pools)
      status = neap_plan_set_pools(made, placements.pools, error);
    if (status == NEAP_OK) status = read_history(&root, made, error);
    if (status == NEAP_OK) status = read_base(&root, made, error);
    if (status == NEAP_OK) *plan = made;
    else neap_plan_free(made);
  }
  free(placements.objects);
  free(placements.pools);
  return status;
}

neap_status json_plan_unpacked(const char *text, size_t size, size_t stored, neap_plan **plan,
                               neap_error *error) {
  struct json_document document;
  bool is_plan;
  neap_status status = json_problem_open(&document, text, size, stored, &is_plan, error);
  if (status != NEAP_OK) return status;
  status =
      is_plan ? read_document(&document, plan, error)
              : error_set(
                    error, NEAP_ERROR_INPUT,
                    "format: expected 'neap-plan', found 'neap-problem', which has no offsets");
  json_document_close(&document);
  return status;
}

neap_status json_plan_read(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error) {
  (void)reading;
  return json_plan_unpacked(text, size, size, plan, error);
}

/* ---------------------------------------------------------------- writing */

static void append_address(const char *key, uint64_t address, struct row *row) {
  row_string(row, key);
  json_address_append(address, row);
}

/* If `briefly`, omits keys that follow from others. */
static void append_buffer(const struct neap_plan *plan, size_t index, bool briefly,
                          struct row *row) {
  json_problem_append_buffer(plan->problem, index, row);
  row_string(row, ", \"offset\": ");
  row_number(row, plan->offsets[index]);
  if (!briefly) {
    row_string(row, ", \"end_offset\": ");
    row_number(row, plan_end(plan, index));
  }
  if (plan->objects) {
    row_string(row, ", \"object\": ");
    row_number(row, (int64_t)plan->objects[index]);
  }
  neap_pool pool = NEAP_INIT(neap_pool);
  if (plan->pools && neap_problem_pool_at(plan->problem, plan->pools[index], &pool)) {
    row_string(row, ", \"pool\": ");
    row_json(row, pool.name);
  }
  row_string(row, ", \"risk\": ");
  row_json(row, neap_risk_name((neap_risk)plan->risks[index]));
  if (!plan->has_base || briefly) return;
  append_address(", \"start_address\": ", plan->base + (uint64_t)plan->offsets[index], row);
  append_address(", \"end_address\": ", plan->base + (uint64_t)plan_end(plan, index), row);
}

static void append_object_sizes(const struct neap_plan *plan, struct row *row) {
  if (!plan->objects) return;
  row_string(row, "  \"object_sizes\": [");
  for (size_t o = 0; o < plan->object_count; o++) {
    if (o > 0) row_string(row, ", ");
    row_number(row, plan->object_sizes[o]);
  }
  row_string(row, "],\n");
}

static neap_status write_head(const struct neap_plan *plan, const char *list, struct row *row,
                              FILE *stream, neap_error *error) {
  json_problem_append_head(plan->problem, "neap-plan", row);
  if (plan->has_base) {
    append_address("  \"base\": ", plan->base, row);
    row_string(row, ",\n");
  }
  append_object_sizes(plan, row);
  row_string(row, "  \"report\": {");
  report_append(row, plan);
  row_string(row, "},\n  \"");
  row_string(row, list);
  row_string(row, "\": [");
  return row_write(row, stream, error);
}

static neap_status write_buffers(const struct neap_plan *plan, struct row *row, FILE *stream,
                                 neap_error *error) {
  neap_status status = NEAP_OK;
  size_t count = plan->problem->count;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    row_string(row, i > 0 ? ",\n    {" : "\n    {");
    append_buffer(plan, i, false, row);
    row_char(row, '}');
    status = row_write(row, stream, error);
  }
  row_string(row, count > 0 ? "\n  ]" : "]");
  return status == NEAP_OK ? row_write(row, stream, error) : status;
}

static neap_status write_columns(const struct neap_plan *plan, struct row *row, FILE *stream,
                                 neap_error *error) {
  struct json_columns columns = {.stream = stream};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < plan->problem->count && status == NEAP_OK; i++) {
    append_buffer(plan, i, true, row);
    status = json_columns_add(&columns, row, error);
    row->length = 0;
  }
  if (status == NEAP_OK) status = json_columns_end(&columns, error);
  json_columns_clear(&columns);
  row_string(row, "\n  ]");
  return status == NEAP_OK ? row_write(row, stream, error) : status;
}

static void append_curve(const struct live *live, struct row *row) {
  row_string(row, "{\"times\": [");
  for (size_t i = 0; i < live->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_number(row, live->steps[i].time);
  }
  row_string(row, "], \"bytes\": [");
  for (size_t i = 0; i < live->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_number(row, live->steps[i].bytes);
  }
  row_string(row, "]}");
}

/*
 * Appends the live-size curve as "live", for programs that draw it: only where relations let
 * buffers share bytes, because otherwise it is the sum of the sizes alive.
 */
static neap_status append_live(const struct neap_plan *plan, struct row *row,
                               neap_error *error) {
  if (!problem_has(plan->problem, RELATION_SHARES)) return NEAP_OK;
  size_t count = plan->pools ? problem_pool_count(plan->problem) : 1;
  neap_status status = NEAP_OK;
  row_string(row, ",\n  \"live\": [");
  for (size_t pool = 0; pool < count && status == NEAP_OK; pool++) {
    struct live live;
    status = plan_live_init(&live, plan, pool, error);
    if (status != NEAP_OK) break;
    row_string(row, pool > 0 ? ",\n    " : "\n    ");
    append_curve(&live, row);
    live_clear(&live);
  }
  row_string(row, "\n  ]");
  return status;
}

static neap_status write_plan(const struct neap_plan *plan, bool in_columns, FILE *stream,
                              neap_error *error) {
  neap_status status = json_problem_check_texts(plan->problem, error);
  if (status != NEAP_OK) return status;
  struct row row = {0};
  status = write_head(plan, in_columns ? "columns" : "buffers", &row, stream, error);
  if (status == NEAP_OK)
    status = in_columns ? write_columns(plan, &row, stream, error)
                        : write_buffers(plan, &row, stream, error);
  if (status == NEAP_OK) status = json_operators_write(plan->problem, &row, stream, error);
  if (status == NEAP_OK) status = append_live(plan, &row, error);
  if (status == NEAP_OK) status = json_rounds_write(plan, &row, stream, error);
  row_string(&row, "\n}\n");
  if (status == NEAP_OK) status = row_write(&row, stream, error);
  row_clear(&row);
  return status;
}

neap_status json_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  return write_plan(plan, false, stream, error);
}

neap_status json_plan_write_columns(const struct neap_plan *plan, FILE *stream,
                                    neap_error *error) {
  return write_plan(plan, true, stream, error);
}

/* ---------------------------------------------------------------- layouts */

/* Appends a number for each buffer, if there are any. */
#define APPEND_NUMBERS(row, key, numbers, count) \
  do {                                           \
    if (!(numbers)) break;                       \
    row_string(row, ",\n  \"" key "\": [");      \
    for (size_t i = 0; i < (count); i++) {       \
      if (i > 0) row_string(row, ", ");          \
      row_number(row, (int64_t)(numbers)[i]);    \
    }                                            \
    row_char(row, ']');                          \
  } while (0)

neap_status json_layout_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  struct row row = {0};
  size_t count = plan->problem->count;
  row_string(&row, "{\n  \"format\": \"neap-layout\",\n  \"version\": 1,\n");
  append_object_sizes(plan, &row);
  row_string(&row, "  \"report\": {");
  report_append(&row, plan);
  row_char(&row, '}');
  APPEND_NUMBERS(&row, "offsets", plan->offsets, count);
  APPEND_NUMBERS(&row, "risks", plan->risks, count);
  APPEND_NUMBERS(&row, "objects", plan->objects, count);
  APPEND_NUMBERS(&row, "pools", plan->pools, count);
  neap_status status = append_live(plan, &row, error);
  row_string(&row, "\n}\n");
  if (status == NEAP_OK) status = row_write(&row, stream, error);
  row_clear(&row);
  return status;
}
