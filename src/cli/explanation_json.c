/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explanation_json.h"

#include "cli/change_text.h"

/* NULL where a number is not known. */
static json_t *known(neap_size number) {
  return number >= 0 ? json_integer((json_int_t)number) : json_null();
}

static json_t *buffer_object(const neap_problem *problem, size_t index) {
  neap_buffer buffer;
  neap_problem_buffer_at(problem, index, &buffer);
  return json_pack("{ss sI sI sI sI}", "name", buffer.name, "size", (json_int_t)buffer.size,
                   "start", (json_int_t)buffer.ranges[0].start, "end",
                   (json_int_t)buffer.ranges[buffer.range_count - 1].end, "alignment",
                   (json_int_t)buffer.alignment);
}

typedef bool list_function(const neap_explanation *explanation, size_t index, size_t *buffer);

static json_t *buffer_list(const struct explained *explained, list_function *at) {
  json_t *list = json_array();
  size_t buffer;
  for (size_t i = 0; list && at(explained->explanation, i, &buffer); i++)
    list = summary_append(list, buffer_object(explained->problem, buffer));
  return list;
}

static const char *name_of(const neap_problem *problem, size_t index) {
  neap_buffer buffer;
  bool is_one = index != NEAP_NO_BUFFER && neap_problem_buffer_at(problem, index, &buffer);
  return is_one ? buffer.name : NULL;
}

static json_t *change_object(const neap_problem *problem, const neap_change *change) {
  bool is_time = change->kind == NEAP_CHANGE_END || change->kind == NEAP_CHANGE_START;
  neap_pool pool = {.name = NULL};
  if (change->kind == NEAP_CHANGE_CAPACITY) neap_problem_pool_at(problem, change->index, &pool);
  return json_pack("{ss ss* ss* ss* so so so}", "kind", neap_change_kind_name(change->kind),
                   "buffer", name_of(problem, change->buffer), "other",
                   name_of(problem, change->other), "pool", pool.name, "bytes",
                   is_time ? json_null() : known(change->bytes), "time",
                   is_time ? known(change->time) : json_null(), "was",
                   is_time ? known(change->was) : json_null());
}

static json_t *fix_object(const neap_problem *problem, const neap_fix *fix) {
  char text[CHANGE_TEXT_SIZE];
  json_t *changes = json_array();
  for (size_t c = 0; changes && c < fix->change_count; c++)
    changes = summary_append(changes, change_object(problem, &fix->changes[c]));
  return json_pack("{so sI ss sb sI so}", "text",
                   summary_text(change_text_fix(text, problem, fix)), "cost",
                   (json_int_t)fix->cost, "cost_unit", fix->is_area ? "byte_steps" : "bytes",
                   "needs_kernels", (int)change_needs_kernels(fix), "peak",
                   (json_int_t)fix->peak, "changes", changes);
}

static json_t *fix_list(const struct explained *explained) {
  json_t *list = json_array();
  neap_fix fix;
  for (size_t i = 0; list && neap_explanation_fix_at(explained->explanation, i, &fix); i++)
    list = summary_append(list, fix_object(explained->problem, &fix));
  return list;
}

static json_t *excess_of(const neap_explanation_report *report) {
  bool is_known = report->available >= 0 && report->required >= 0;
  return is_known ? json_integer((json_int_t)(report->required - report->available))
                  : json_null();
}

/* Null if nothing is alive. */
static json_t *moment_object(const struct explained *explained,
                             const neap_explanation_report *report) {
  if (report->when.start >= report->when.end) return json_null();
  const char *operator= neap_problem_operator_at(explained->problem, report->when.start);
  return json_pack("{sI sI ss*}", "start", (json_int_t)report->when.start, "end",
                   (json_int_t)report->when.end, "operator", *operator ? operator : NULL);
}

static json_t *lever_list(const struct levers *levers) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < levers->count; i++) {
    const struct lever *lever = &levers->items[i];
    neap_fix fix;
    json_t *with = lever_fix(lever, &fix) ? fix_object(lever->problem, &fix) : json_null();
    list = summary_append(list, json_pack("{ss sb sI sI so}", "options", lever->options,
                                          "needs_kernels", (int)lever->needs_kernels, "bound",
                                          (json_int_t)lever->bound, "peak",
                                          (json_int_t)lever->peak, "fix", with));
  }
  return list;
}

json_t *explanation_json(const struct explained *explained) {
  neap_explanation_report report;
  neap_explanation_get_report(explained->explanation, &report);
  return json_pack(
      "{so sI ss ss so so so sI so so so sI so sI so sb sb so so so}", "input",
      summary_text(explained->input), "buffers",
      (json_int_t)neap_problem_count(explained->problem), "verdict",
      neap_verdict_name(report.verdict), "reason", neap_reason_name(report.reason), "available",
      known(report.available), "required", known(report.required), "excess", excess_of(&report),
      "bound", (json_int_t)report.bound, "peak", known(report.peak), "refused",
      known(report.refused), "moment", moment_object(explained, &report), "alive_count",
      (json_int_t)report.alive_count, "alive",
      buffer_list(explained, neap_explanation_alive_at), "core_count",
      (json_int_t)report.core_count, "core", buffer_list(explained, neap_explanation_core_at),
      "minimal", (int)report.is_minimal, "complete", (int)report.is_complete, "options",
      lever_list(&explained->levers), "fixes", fix_list(explained), "seconds",
      summary_real(report.seconds));
}
