/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/adopt.h"
#include "formats/json/address.h"
#include "formats/json/blocks.h"
#include "formats/json/live.h"
#include "formats/json/moves.h"
#include "formats/json/operators.h"
#include "formats/json/problem.h"
#include "formats/json/report.h"

/* ---------------------------------------------------------------- reading */

static neap_status read_stop_reason(const struct json_at *at, neap_stop_reason *reason,
                                    neap_error *error) {
  const char *name;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  for (int i = NEAP_STOP_BOUND; i <= NEAP_STOP_RUNTIME; i++)
    if (strcmp(neap_stop_reason_name((neap_stop_reason)i), name) == 0) {
      *reason = (neap_stop_reason)i;
      return NEAP_OK;
    }
  char excerpt[TEXT_EXCERPT];
  return json_blame(at, error, "expected the name of a stop reason, such as bound, found %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

static neap_status read_engine(const struct json_at *at, const char **engine,
                               neap_error *error) {
  neap_status status = json_read_string(at, engine, error);
  size_t room = sizeof((struct neap_plan *)NULL)->engine - 1;
  if (status != NEAP_OK || strlen(*engine) <= room) return status;
  return json_blame(at, error, "expected a name of at most %zu bytes, found one of %zu", room,
                    strlen(*engine));
}

static neap_status read_count(const struct json_at *at, uint64_t *count, neap_error *error) {
  int64_t number = 0;
  neap_status status = json_read_number(at, 0, &number, error);
  *count = (uint64_t)number;
  return status;
}

/* Checks the keys of the objects in a list of the report. */
static neap_status check_list(const struct json_at *report, const char *key,
                              const char *const *keys, neap_error *error) {
  struct json_at list = json_member(report, key);
  size_t count = 0;
  if (!list.value) return NEAP_OK;
  neap_status status = json_read_array(&list, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at item = json_element(&list, i);
    status = json_read_object(&item, keys, error);
  }
  return status;
}

/* What a plan uses of its pools, and what overlaps, follows from the buffers. */
static neap_status check_lists(const struct json_at *report, neap_error *error) {
  static const char *const pool_keys[] = {JSON_REPORT_POOL_KEYS, NULL};
  static const char *const overlap_keys[] = {JSON_REPORT_OVERLAP_KEYS, NULL};
  neap_status status = check_list(report, "pools", pool_keys, error);
  return status == NEAP_OK ? check_list(report, "overlapped", overlap_keys, error) : status;
}

/* Reads the lower bounds of all terms of the objective. */
static neap_status read_bounds(const struct json_at *report, neap_history *history,
                               neap_error *error) {
  const struct {
    const char *key;
    neap_size *to;
  } bounds[] = {{"lower_bound", &history->lower_bound},
                {"reuse_cost_lower_bound", &history->reuse_cost_lower_bound},
                {"spilled_lower_bound", &history->spilled_lower_bound},
                {"moved_lower_bound", &history->moved_lower_bound}};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0] && status == NEAP_OK; i++) {
    struct json_at at = json_member(report, bounds[i].key);
    if (at.value) status = json_read_number(&at, 0, bounds[i].to, error);
  }
  return status;
}

/* A bound above what the plan has belongs to other offsets. */
static void drop_bounds(const neap_plan *plan, neap_history *history) {
  const neap_report *report = &plan->report;
  if (history->lower_bound > report->peak) history->lower_bound = 0;
  if (history->reuse_cost_lower_bound > report->reuse_cost) history->reuse_cost_lower_bound = 0;
  if (history->spilled_lower_bound > report->spilled_bytes) history->spilled_lower_bound = 0;
  if (history->moved_lower_bound > report->moved_bytes) history->moved_lower_bound = 0;
}

/* Reads what cannot be computed from the offsets into *history. */
static neap_status read_report(const struct json_at *report, neap_history *history,
                               neap_error *error) {
  static const char *const keys[] = {"bound",
                                     "lower_bound",
                                     "peak",
                                     "gap_percent",
                                     "status",
                                     "stop_reason",
                                     "engine",
                                     "rounds",
                                     "seed",
                                     "objects",
                                     "object_bound",
                                     "order_status",
                                     "given_bound",
                                     "order_lower_bound",
                                     "order_saved_bytes",
                                     "layout_saved_bytes",
                                     "alignment_low",
                                     "alignment_high",
                                     "capacity",
                                     JSON_REPORT_RELATION_KEYS,
                                     NULL};
  if (!report->value) return NEAP_OK;
  neap_status status = json_read_object(report, keys, error);
  if (status == NEAP_OK) status = check_lists(report, error);
  struct json_at stop_reason = json_member(report, "stop_reason");
  struct json_at engine = json_member(report, "engine");
  struct json_at rounds = json_member(report, "rounds");
  struct json_at seed = json_member(report, "seed");
  if (status == NEAP_OK) status = read_bounds(report, history, error);
  if (status == NEAP_OK && stop_reason.value)
    status = read_stop_reason(&stop_reason, &history->stop_reason, error);
  if (status == NEAP_OK && engine.value) status = read_engine(&engine, &history->engine, error);
  if (status == NEAP_OK && rounds.value) status = read_count(&rounds, &history->rounds, error);
  if (status == NEAP_OK && seed.value) status = read_count(&seed, &history->seed, error);
  return status;
}

/* The layout of a round, into an array that belongs to the round. */
static neap_status read_layout(const struct json_at *at, const struct neap_problem *problem,
                               neap_round *round, neap_error *error) {
  size_t count;
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_array(at, &count, error);
  if (status != NEAP_OK) return status;
  if (count != problem->count)
    return json_blame(at, error, "expected one offset for each of %zu buffers, found %zu",
                      problem->count, count);
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  if (!offsets) return error_memory(error);
  round->offsets = offsets;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at offset = json_element(at, i);
    status = json_moves_read_offset(&offset, NEAP_UNPLACED, problem->buffers[i].size,
                                    &offsets[i], error);
  }
  return status;
}

static neap_status read_round(const struct json_at *at, const struct neap_problem *problem,
                              neap_round *round, neap_error *error) {
  static const char *const keys[] = {
      "round",        "peak",     "excess_area", "excess_count", "high",
      "medium",       "low",      "none",        "high_groups",  "medium_groups",
      "group_rounds", "improved", "offsets",     "moves",        NULL};
  uint64_t high_groups = 0, medium_groups = 0, peak = 0, area = 0, above = 0;
  uint64_t risk[NEAP_RISK_COUNT] = {0};
  const struct {
    const char *key;
    uint64_t *to;
  } counts[] = {{"round", &round->round},
                {"peak", &peak},
                {"excess_area", &area},
                {"excess_count", &above},
                {"high", &risk[NEAP_RISK_HIGH]},
                {"medium", &risk[NEAP_RISK_MEDIUM]},
                {"low", &risk[NEAP_RISK_LOW]},
                {"none", &risk[NEAP_RISK_NONE]},
                {"high_groups", &high_groups},
                {"medium_groups", &medium_groups},
                {"group_rounds", &round->group_rounds}};
  neap_status status = json_read_object(at, keys, error);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0] && status == NEAP_OK; i++) {
    struct json_at member = json_member(at, counts[i].key);
    status = read_count(&member, counts[i].to, error);
  }
  if (status != NEAP_OK) return status;
  round->peak = (neap_size)peak;
  round->excess_area = (int64_t)area;
  round->excess_count = (size_t)above;
  for (size_t i = 0; i < NEAP_RISK_COUNT; i++)
    round->risk[i] = (size_t)risk[i];
  round->high_groups = (size_t)high_groups;
  round->medium_groups = (size_t)medium_groups;
  struct json_at improved = json_member(at, "improved");
  status = json_read_boolean(&improved, &round->improved, error);
  struct json_at layout = json_member(at, "offsets"), moves = json_member(at, "moves");
  if (status == NEAP_OK) status = read_layout(&layout, problem, round, error);
  return status == NEAP_OK ? json_moves_read(&moves, problem, round, error) : status;
}

static void free_rounds(neap_round *rounds, size_t count) {
  for (size_t i = 0; rounds && i < count; i++) {
    free((neap_offset *)rounds[i].offsets);
    free((neap_move *)rounds[i].moves);
  }
  free(rounds);
}

static neap_status read_rounds(const struct json_at *at, const struct neap_problem *problem,
                               neap_round **rounds, size_t *count, neap_error *error) {
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_array(at, count, error);
  if (status != NEAP_OK) return status;
  *rounds = memory_array(*count, sizeof **rounds);
  if (!*rounds) return error_memory(error);
  for (size_t i = 0; i < *count && status == NEAP_OK; i++) {
    struct json_at round = json_element(at, i);
    (*rounds)[i].struct_size = sizeof **rounds;
    status = read_round(&round, problem, &(*rounds)[i], error);
  }
  return status;
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
  neap_status status = read_report(&report, &history, error);
  drop_bounds(plan, &history);
  if (status == NEAP_OK)
    status = read_rounds(&list, plan->problem, &rounds, &history.round_count, error);
  history.round_list = rounds;
  if (status == NEAP_OK) status = neap_plan_set_history(plan, &history, error);
  if (status == NEAP_OK) status = read_capacity(&report, plan, error);
  free_rounds(rounds, history.round_count);
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

neap_status json_plan_read(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error) {
  (void)reading;
  struct json_document document;
  bool is_plan;
  neap_status status = json_problem_open(&document, text, size, &is_plan, error);
  if (status != NEAP_OK) return status;
  status =
      is_plan ? read_document(&document, plan, error)
              : error_set(
                    error, NEAP_ERROR_INPUT,
                    "format: expected 'neap-plan', found 'neap-problem', which has no offsets");
  json_document_close(&document);
  return status;
}

/* ---------------------------------------------------------------- writing */

static void append_address(const char *key, uint64_t address, struct row *row) {
  row_string(row, key);
  json_address_append(address, row);
}

/* Without what follows from the rest, if `briefly`. */
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

void json_plan_append_object_sizes(const struct neap_plan *plan, struct row *row) {
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
  json_plan_append_object_sizes(plan, row);
  row_string(row, "  \"report\": {");
  report_append(row, plan, false);
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

static neap_status write_blocks(const struct neap_plan *plan, struct row *row, FILE *stream,
                                neap_error *error) {
  struct json_packer packer = {.stream = stream};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < plan->problem->count && status == NEAP_OK; i++) {
    append_buffer(plan, i, true, row);
    status = json_packer_add(&packer, row, error);
    row->length = 0;
  }
  if (status == NEAP_OK) status = json_packer_end(&packer, error);
  json_packer_clear(&packer);
  row_string(row, "\n  ]");
  return status == NEAP_OK ? row_write(row, stream, error) : status;
}

/* Before the brace that ends the round. */
static void append_layout(const struct neap_plan *plan, const neap_round *round,
                          struct row *row) {
  if (!round->offsets || row->failed) return;
  row->length--;
  row_string(row, ", \"offsets\": [");
  for (size_t i = 0; i < plan->problem->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_number(row, round->offsets[i]);
  }
  row_char(row, ']');
  json_moves_append(round, row);
  row_char(row, '}');
}

static neap_status write_rounds(const struct neap_plan *plan, struct row *row, FILE *stream,
                                neap_error *error) {
  if (plan->round_count == 0) return NEAP_OK;
  row_string(row, ",\n  \"rounds\": [");
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < plan->round_count && status == NEAP_OK; i++) {
    row_string(row, i > 0 ? ",\n    " : "\n    ");
    report_append_round(row, &plan->rounds[i]);
    append_layout(plan, &plan->rounds[i], row);
    status = row_write(row, stream, error);
  }
  row_string(row, "\n  ]");
  return status == NEAP_OK ? row_write(row, stream, error) : status;
}

static neap_status write_plan(const struct neap_plan *plan, bool in_blocks, FILE *stream,
                              neap_error *error) {
  neap_status status = json_problem_check_texts(plan->problem, error);
  if (status != NEAP_OK) return status;
  struct row row = {0};
  status = write_head(plan, in_blocks ? "blocks" : "buffers", &row, stream, error);
  if (status == NEAP_OK)
    status = in_blocks ? write_blocks(plan, &row, stream, error)
                       : write_buffers(plan, &row, stream, error);
  if (status == NEAP_OK) status = json_operators_write(plan->problem, &row, stream, error);
  if (status == NEAP_OK) status = json_live_append(plan, &row, error);
  if (status == NEAP_OK) status = write_rounds(plan, &row, stream, error);
  row_string(&row, "\n}\n");
  if (status == NEAP_OK) status = row_write(&row, stream, error);
  row_clear(&row);
  return status;
}

neap_status json_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  return write_plan(plan, false, stream, error);
}

neap_status json_plan_write_blocks(const struct neap_plan *plan, FILE *stream,
                                   neap_error *error) {
  return write_plan(plan, true, stream, error);
}
