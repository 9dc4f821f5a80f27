/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "files/json/json.h"
#include "files/json/operators.h"
#include "model/graph.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- members of objects */

static void append_key(struct row *row, const char *key) {
  if (row->length > 0 && row->text[row->length - 1] != '{') row_string(row, ", ");
  row_char(row, '"');
  row_string(row, key);
  row_string(row, "\": ");
}

static void append_string(struct row *row, const char *key, const char *string) {
  append_key(row, key);
  if (string) row_json(row, string);
  else row_string(row, "null");
}

static void append_flag(struct row *row, const char *key, bool flag) {
  append_key(row, key);
  row_string(row, flag ? "true" : "false");
}

static void append_count(struct row *row, const char *key, uint64_t count) {
  append_key(row, key);
  row_number(row, count <= INT64_MAX ? (int64_t)count : INT64_MAX);
}

static void append_bytes(struct row *row, const char *key, neap_size bytes) {
  append_key(row, key);
  row_number(row, bytes);
}

static void append_offset(struct row *row, const char *key, neap_offset offset) {
  append_key(row, key);
  if (offset == NEAP_UNPLACED) row_string(row, "null");
  else row_number(row, offset);
}

/*
 * Rounded to six places without trailing zeros; null if it is not a finite number.  It is
 * printed as integers, so the locale does not matter.
 */
static void append_fraction(struct row *row, const char *key, double number) {
  const int64_t million = 1000000;
  append_key(row, key);
  if (!isfinite(number) || fabs(number) >= 9e12) {
    row_string(row, "null");
    return;
  }
  int64_t millionths = llround(number * 1e6);
  if (millionths < 0) row_char(row, '-');
  millionths = millionths < 0 ? -millionths : millionths;
  row_number(row, millionths / million);
  row_char(row, '.');
  int64_t rest = millionths % million, place = million / 10;
  do
    row_char(row, (char)('0' + rest / place % 10));
  while (rest % place != 0 && (place /= 10) > 0);
}

/*
 * A file name may not be valid UTF-8, which JSON requires: each invalid byte becomes U+FFFD.
 */
static void append_name(struct row *row, const char *key, const char *name) {
  struct row text = {0};
  for (size_t length = strlen(name); length > 0;) {
    size_t good = text_utf8_prefix(name, length);
    row_append(&text, name, good);
    if (good < length) row_string(&text, "\xef\xbf\xbd");
    size_t taken = good < length ? good + 1 : good;
    name += taken;
    length -= taken;
  }
  row_char(&text, '\0');
  row->failed = row->failed || text.failed;
  if (!row->failed) append_string(row, key, text.text);
  row_clear(&text);
}

/* ---------------------------------------------------------------- reports */

/* Appends the pools.  Free bytes lie above the peak; their number is unknown without a capacity. */
static void append_pools(struct row *row, const struct neap_plan *plan) {
  neap_pool_report report = NEAP_INIT(neap_pool_report);
  if (!neap_plan_pool_at(plan, 0, &report)) return;
  append_key(row, "pools");
  for (size_t i = 0; neap_plan_pool_at(plan, i, &report); i++) {
    neap_pool pool = NEAP_POOL_INIT;
    neap_problem_pool_at(plan->problem, i, &pool);
    row_string(row, i > 0 ? ", {" : "[{");
    append_string(row, "name", pool.name);
    append_count(row, "buffers", report.buffers);
    append_bytes(row, "peak", report.peak);
    append_bytes(row, "bound", report.bound);
    append_bytes(row, "lower_bound", report.lower_bound);
    if (pool.capacity >= 0) {
      append_bytes(row, "capacity", pool.capacity);
      append_bytes(row, "free", pool.capacity - report.peak);
    }
    row_char(row, '}');
  }
  row_char(row, ']');
}

static void append_overlaps(struct row *row, const struct neap_plan *plan) {
  neap_overlap overlap = NEAP_INIT(neap_overlap);
  append_key(row, "overlapped");
  row_char(row, '[');
  for (size_t i = 0; neap_plan_overlap_at(plan, i, &overlap); i++) {
    row_string(row, i > 0 ? ", {" : "{");
    append_string(row, "first", problem_name(plan->problem, overlap.first));
    append_string(row, "second", problem_name(plan->problem, overlap.second));
    append_bytes(row, "bytes", overlap.high - overlap.low);
    row_char(row, '}');
  }
  row_char(row, ']');
}

static void append_relations(struct row *row, const struct neap_plan *plan,
                             const neap_report *report, bool lists) {
  const struct relations *relations = plan->problem->relations;
  if (!relations) return;
  if (problem_has(plan->problem, RELATION_GAP)) {
    append_bytes(row, "overlapped_bytes", report->costs.overlapped_bytes);
    if (lists) append_overlaps(row, plan);
  }
  if (problem_has(plan->problem, RELATION_PRICED)) {
    append_bytes(row, "reuse_cost", report->costs.reuse);
    append_bytes(row, "reuse_cost_lower_bound", report->costs.reuse_lower_bound);
  }
  if (relations->pool_names.count > 0) {
    append_bytes(row, "spilled_bytes", report->costs.spilled_bytes);
    append_bytes(row, "spilled_lower_bound", report->costs.spilled_lower_bound);
  }
  if (relations->near_count > 0) {
    append_bytes(row, "moved_bytes", report->costs.moved_bytes);
    append_bytes(row, "moved_lower_bound", report->costs.moved_lower_bound);
  }
  append_pools(row, plan);
}

static void append_arena_members(struct row *row, const neap_problem *problem,
                                 const neap_arena *arena) {
  row_char(row, '{');
  append_bytes(row, "head", arena->head);
  append_bytes(row, "tail", arena->tail);
  append_bytes(row, "used", arena->used);
  append_bytes(row, "preparing", arena->preparing);
  append_bytes(row, "smallest", arena->smallest);
  append_key(row, "parts");
  row_char(row, '{');
  for (int part = 0; part < NEAP_ARENA_PARTS; part++)
    append_bytes(row, neap_arena_part_name((neap_arena_part)part), arena->parts[part]);
  row_char(row, '}');
  append_count(row, "pointer", arena->pointer);
  append_string(row, "kernels", arena->kernels);
  append_string(row, "version", arena->version);
  append_flag(row, "overlap", arena->has_overlap);
  append_flag(row, "is_as_written", arena->is_as_written);
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  append_flag(row, "is_lower_bound", neap_problem_arena_unknown_at(problem, 0, &note));
  row_char(row, '}');
}

/* The arena that the runtime needs with this plan. */
static void append_arena(struct row *row, const struct neap_plan *plan) {
  neap_arena arena = NEAP_INIT(neap_arena);
  if (!neap_problem_arena(plan->problem, plan->report.peak, &arena)) return;
  append_key(row, "arena");
  append_arena_members(row, plan->problem, &arena);
}

char *neap_arena_to_json(const neap_problem *problem, const neap_arena *arena) {
  struct row row = {0};
  append_arena_members(&row, problem, arena);
  row_char(&row, '\0');
  if (!row.failed) return row.text;
  row_clear(&row);
  return NULL;
}

static void append_times(struct row *row, const neap_operator_order *order) {
  if (order->time_once == 0) return;
  append_count(row, "time", (uint64_t)order->time);
  append_count(row, "time_once", (uint64_t)order->time_once);
  append_count(row, "least_time", (uint64_t)order->least_time);
  append_string(row, "time_unit", neap_time_unit_name(order->time_unit));
}

/* Appends the members that are null without a plan; stop_reason may tell why there is none. */
static void append_result(struct row *row, const neap_summary *summary) {
  const neap_report *report = &summary->report;
  const char *status = summary->status, *reason = summary->stop_reason;
  if (summary->plan) {
    status = neap_outcome_name(report->outcome);
    reason = neap_stop_reason_name(report->run.stop_reason);
  }
  append_offset(row, "peak", report->peak);
  append_fraction(row, "gap_percent", report->gap_percent);
  append_string(row, "status", status);
  append_string(row, "stop_reason", reason);
  append_string(row, "engine", report->run.engine);
  append_count(row, "rounds", report->run.rounds);
  if (summary->input) append_fraction(row, "seconds", report->run.seconds);
  append_offset(row, "seed", summary->plan ? (int64_t)report->run.seed : NEAP_UNPLACED);
}

/* Appends the members of plans and summaries; plans omit times: same plan, same bytes. */
static void append_report(struct row *row, const neap_summary *summary) {
  const neap_report *report = &summary->report;
  neap_size low, high;
  neap_problem_alignment(summary->problem, &low, &high);
  append_bytes(row, "bound", report->bound);
  append_bytes(row, "lower_bound", report->lower_bound);
  append_result(row, summary);
  append_bytes(row, "alignment_low", low);
  append_bytes(row, "alignment_high", high);
  if (report->capacity >= 0) append_bytes(row, "capacity", report->capacity);
  if (report->order.is_scheduled) {
    append_string(row, "order_status", neap_outcome_name(report->order.outcome));
    append_bytes(row, "order_lower_bound", report->order.lower_bound);
    append_bytes(row, "given_bound", report->order.given_bound);
    append_bytes(row, "order_saved_bytes", report->order.saved_bytes);
    append_bytes(row, "layout_saved_bytes", report->layout_saved_bytes);
  }
  if (report->objects.count > 0) {
    append_count(row, "objects", report->objects.count);
    append_bytes(row, "object_bound", report->objects.bound);
  }
  if (!summary->plan) return;
  append_relations(row, summary->plan, report, !summary->input);
  append_arena(row, summary->plan);
}

/* Completes a summary that has a plan with the plan's problem and report. */
static neap_summary complete(neap_summary summary) {
  if (!summary.plan) return summary;
  summary.problem = summary.plan->problem;
  summary.report = (neap_report)NEAP_INIT(neap_report);
  neap_plan_report(summary.plan, &summary.report);
  return summary;
}

void report_append(struct row *row, const struct neap_plan *plan) {
  const neap_summary summary = complete((neap_summary){.plan = plan});
  append_report(row, &summary);
}

void report_append_round(struct row *row, const neap_round *round) {
  row_char(row, '{');
  append_count(row, "round", round->round);
  append_bytes(row, "peak", round->peak);
  append_count(row, "excess_area", (uint64_t)round->excess_area);
  append_count(row, "excess_count", round->excess_count);
  append_count(row, "high", round->risk[NEAP_RISK_HIGH]);
  append_count(row, "medium", round->risk[NEAP_RISK_MEDIUM]);
  append_count(row, "low", round->risk[NEAP_RISK_LOW]);
  append_count(row, "none", round->risk[NEAP_RISK_NONE]);
  append_count(row, "high_groups", round->high_groups);
  append_count(row, "medium_groups", round->medium_groups);
  append_count(row, "group_rounds", round->group_rounds);
  append_flag(row, "improved", round->improved);
  row_char(row, '}');
}

/* Appends whether unknown scratch buffers add to the head, and whose buffers those are. */
static void append_unknown_scratch(struct row *row, const neap_problem *problem) {
  const bool has_any = problem->unknown_scratch.count > 0;
  append_flag(row, "head_is_lower_bound", has_any);
  if (!has_any) return;
  append_key(row, "unknown_scratch");
  json_texts_append(&problem->unknown_scratch, row);
}

/* The operators that the runtime cannot run, and why. */
static void append_refused(struct row *row, const neap_problem *problem) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  size_t i = 0;
  for (; neap_problem_arena_refused_at(problem, i, &note); i++) {
    if (i == 0) append_key(row, "refused");
    row_string(row, i > 0 ? ", " : "[");
    row_json(row, note.text);
  }
  if (i > 0) row_char(row, ']');
}

/* Lists the tensors that nothing uses. */
static void append_unused(struct row *row, const neap_problem *problem) {
  size_t count = 0;
  for (size_t i = 0; i < problem->count; i++) {
    if (!operators_is_unused(problem->operators, problem->count, i)) continue;
    if (count++ == 0) append_key(row, "unused");
    row_string(row, count > 1 ? ", {\"name\": " : "[{\"name\": ");
    row_json(row, problem_name(problem, i));
    append_bytes(row, "size", problem->buffers[i].size);
    row_char(row, '}');
  }
  if (count > 0) row_char(row, ']');
}

static void append_target(struct row *row, const neap_summary *summary) {
  const struct neap_problem *problem = summary->problem;
  if (!problem->target) return;
  append_string(row, "target", problem->target);
  append_offset(row, "head", summary->report.peak);
  append_unknown_scratch(row, problem);
  append_refused(row, problem);
  append_unused(row, problem);
  append_flag(row, "runtimes_own", summary->report.is_runtimes_own);
}

/* Appends the properties of the problem that do not depend on its plan. */
static void append_problem(struct row *row, const neap_summary *summary) {
  const struct neap_problem *problem = summary->problem;
  if (summary->report.order.is_scheduled && problem->graph &&
      graph_kept_count(problem->graph) > 0)
    append_count(row, "order_kept", graph_kept_count(problem->graph));
  append_times(row, &problem->order);
  if (problem->aliased.bytes > 0) {
    append_key(row, "aliased");
    row_char(row, '{');
    append_count(row, "operators", problem->aliased.operators);
    append_bytes(row, "bytes", problem->aliased.bytes);
    row_char(row, '}');
  }
  if (json_runtime_has_any(problem)) {
    append_key(row, "runtime");
    json_runtime_append(problem, row);
  }
}

static void append_rounds(struct row *row, const struct neap_plan *plan) {
  append_key(row, "round_list");
  row_char(row, '[');
  for (size_t i = 0; i < plan->round_count; i++) {
    if (i > 0) row_string(row, ", ");
    report_append_round(row, &plan->rounds[i]);
  }
  row_char(row, ']');
}

neap_status neap_summary_write(const neap_summary *given, FILE *stream, neap_error *error) {
  const neap_summary summary = complete(*given);
  const neap_report *report = &summary.report;
  struct row row = {0};
  row_char(&row, '{');
  append_name(&row, "input", summary.input);
  append_count(&row, "buffers", summary.problem->count);
  append_report(&row, &summary);
  if (summary.problem->missing.count > 0) {
    append_key(&row, "missing");
    json_texts_append(&summary.problem->missing, &row);
  }
  if (report->uncertified) append_string(&row, "no_certificate", report->uncertified);
  append_target(&row, &summary);
  append_problem(&row, &summary);
  if (summary.plan && report->free_peak < report->peak)
    append_bytes(&row, "free_peak", report->free_peak);
  if (summary.plan && summary.has_rounds) append_rounds(&row, summary.plan);
  if (summary.split) {
    append_key(&row, "split");
    row_string(&row, summary.split);
  }
  row_string(&row, "}\n");
  neap_status status = row_write(&row, stream, error);
  row_clear(&row);
  return status;
}

/* ---------------------------------------------------------------- reading */

static neap_status read_stop_reason(const struct json_at *at, neap_stop_reason *reason,
                                    neap_error *error) {
  const char *name;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  for (int i = NEAP_STOP_BOUND; i <= NEAP_STOP_INCOMPLETE; i++)
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

neap_status report_read(const struct json_at *report, neap_history *history,
                        neap_error *error) {
  if (!report->value) return NEAP_OK;
  neap_status status = json_read_object(report, NULL, error);
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
