/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A certificate states a problem, a plan of some peak or none, and a reason why no layout is lower.
 * doc/certificate.md describes the text, which is all that a certificate is.  Reasons are tried from
 * the shortest to the longest.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certify/certificate.h"
#include "certify/column.h"
#include "certify/layout.h"
#include "certify/load.h"
#include "certify/order.h"
#include "core/error.h"
#include "core/memory.h"
#include "plan/plan.h"

#define STATES_DEFAULT 100000

/* ---------------------------------------------------------------- the problem */

static void print_buffer(struct lines *lines, const struct certify_task *task, size_t index) {
  const struct neap_problem *problem = task->problem;
  const struct buffer *buffer = &problem->buffers[index];
  const struct limits *limits = problem_limits(problem, index);
  lines_word(lines, "buffer");
  lines_string(lines, problem_name(problem, index));
  lines_number(lines, buffer->size);
  lines_number(lines, buffer->alignment);
  lines_optional(lines, buffer->fixed_offset, NEAP_UNPLACED);
  lines_number(lines, limits->window_low);
  lines_optional(lines, limits->window_high, NEAP_MAX);
  lines_optional(lines, limits->bank, 0);
  lines_optional(lines, task->offsets ? task->offsets[index] : NEAP_UNPLACED, NEAP_UNPLACED);
  for (size_t r = problem_ranges_begin(problem, index); r < buffer->ranges_end; r++) {
    lines_number(lines, problem->ranges[r].start);
    lines_number(lines, problem->ranges[r].end);
  }
  lines_end(lines);
}

static int by_reserved(const void *left, const void *right) {
  const neap_reserved *a = left, *b = right;
  const int64_t first[] = {a->low, a->high, a->when.start, a->when.end};
  const int64_t second[] = {b->low, b->high, b->when.start, b->when.end};
  for (size_t i = 0; i < 4; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  return 0;
}

/* Sorted, and each once. */
static bool print_reserved(struct lines *lines, const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  size_t count = relations->reserved_count;
  neap_reserved *sorted = memory_array(count, sizeof *sorted);
  if (!sorted) return false;
  for (size_t i = 0; i < count; i++)
    sorted[i] = relations->reserved[i];
  if (count > 0) qsort(sorted, count, sizeof *sorted, by_reserved);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && by_reserved(&sorted[i - 1], &sorted[i]) == 0) continue;
    lines_word(lines, "reserved");
    lines_number(lines, sorted[i].low);
    lines_optional(lines, sorted[i].high, NEAP_MAX);
    lines_number(lines, sorted[i].when.start);
    lines_optional(lines, sorted[i].when.end, NEAP_MAX);
    lines_end(lines);
  }
  free(sorted);
  return true;
}

static int by_relation(const void *left, const void *right) {
  const neap_relation *a = left, *b = right;
  const int64_t first[] = {a->kind, (int64_t)a->first, (int64_t)a->second, a->bytes};
  const int64_t second[] = {b->kind, (int64_t)b->first, (int64_t)b->second, b->bytes};
  for (size_t i = 0; i < 4; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  return 0;
}

/* The same relation with its buffers in ascending order, if it has no direction. */
static neap_relation sort_relation(neap_relation relation) {
  if (relation.first < relation.second || relation.kind == NEAP_OVERLAP) return relation;
  size_t first = relation.first;
  relation.first = relation.second;
  relation.second = first;
  if (relation.kind == NEAP_COLOCATION) relation.bytes = -relation.bytes;
  return relation;
}

/* Sorted, and each once; penalties are no concern of the peak. */
static bool print_relations(struct lines *lines, const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  neap_relation *sorted = memory_array(relations->count, sizeof *sorted);
  size_t count = 0;
  if (!sorted) return false;
  for (size_t r = 0; r < relations->count; r++)
    if (relations->items[r].kind != NEAP_REUSE_PENALTY)
      sorted[count++] = sort_relation(relations->items[r]);
  if (count > 0) qsort(sorted, count, sizeof *sorted, by_relation);
  for (size_t r = 0; r < count; r++) {
    if (r > 0 && by_relation(&sorted[r - 1], &sorted[r]) == 0) continue;
    lines_word(lines, neap_relation_kind_name(sorted[r].kind));
    lines_number(lines, (int64_t)sorted[r].first);
    lines_number(lines, (int64_t)sorted[r].second);
    lines_number(lines, sorted[r].bytes);
    lines_end(lines);
  }
  free(sorted);
  return true;
}

static neap_status print_problem(struct lines *lines, const struct certify_task *task,
                                 neap_error *error) {
  for (size_t i = 0; i < task->problem->count; i++)
    print_buffer(lines, task, i);
  if (!task->problem->relations) return NEAP_OK;
  bool done = print_reserved(lines, task->problem) && print_relations(lines, task->problem);
  return done ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- the whole text */

static neap_status print_certificate(struct lines *lines, const struct certify_task *task,
                                     neap_error *error) {
  lines_word(lines, "neap-certificate 1");
  lines_end(lines);
  lines_word(lines, task->offsets ? "peak" : "least");
  lines_optional(lines, task->least, ITEMS_NOWHERE);
  if (task->order > 0) {
    lines_word(lines, "order");
    lines_number(lines, task->order);
    lines_sum(lines, task->graph_sum);
  }
  lines_end(lines);
  neap_status status = print_problem(lines, task, error);
  if (status != NEAP_OK) return status;
  lines_append(lines, task->proof);
  uint32_t sum = lines_checksum(lines);
  lines_word(lines, "end");
  lines_number(lines, (int64_t)lines->count);
  lines_sum(lines, sum);
  lines_end(lines);
  return lines->failed || task->proof->failed ? error_memory(error) : NEAP_OK;
}

/* ---------------------------------------------------------------- reasons */

static neap_status try_load(struct certify_task *task, neap_error *error) {
  neap_time moment;
  neap_status status = load_find(task->problem, task->target, &moment, &task->least, error);
  if (status != NEAP_OK || task->least == 0) return status;
  lines_word(task->proof, "load");
  lines_number(task->proof, moment);
  for (size_t i = 0; i < task->problem->count; i++)
    if (load_has(task->problem, i, moment)) lines_number(task->proof, (int64_t)i);
  lines_end(task->proof);
  return NEAP_OK;
}

static neap_status try_columns(struct certify_task *task, neap_certificate_info *info,
                               neap_error *error) {
  struct items items = {0};
  if (!items_suit(task->problem)) return NEAP_OK;
  neap_status status = items_init(&items, task->problem, error);
  info->kind = NEAP_CERTIFICATE_COLUMN;
  if (status == NEAP_OK) status = column_prove(task, &items, error);
  if (status == NEAP_OK && task->least == 0) {
    info->kind = NEAP_CERTIFICATE_LAYOUT;
    status = layout_prove(task, &items, task->max_states, error);
  }
  items_clear(&items);
  return status;
}

/* Each reason sets task->least if it proves the target. */
static neap_status find_reason(struct certify_task *task, neap_certificate_info *info,
                               neap_error *error) {
  info->kind = NEAP_CERTIFICATE_LOAD;
  if (task->target == 0) return NEAP_OK; /* no peak is below 0 */
  neap_status status = task->target < ITEMS_NOWHERE ? try_load(task, error) : NEAP_OK;
  if (status == NEAP_OK && task->least == 0) status = try_columns(task, info, error);
  if (status != NEAP_OK || task->least > 0) return status;
  if (task->target == ITEMS_NOWHERE)
    return error_set(error, NEAP_NO_PLAN,
                     "no certificate: no proof was found that there is no "
                     "plan");
  return error_set(error, NEAP_NO_PLAN,
                   "no certificate: no proof was found that no plan has a peak below %" PRId64,
                   task->target);
}

static neap_status check_problem(const struct neap_problem *problem, const neap_plan *plan,
                                 neap_error *error) {
  if (problem_pool_count(problem) > 0)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "certificates cover one arena, and this problem has pools");
  if (plan && plan->object_count > 0)
    return error_set(
        error, NEAP_ERROR_FORMAT,
        "certificates cover buffers with offsets, and this plan has shared objects");
  return NEAP_OK;
}

static neap_status certify(struct certify_task *task, neap_certificate *certificate,
                           neap_error *error) {
  struct lines proof = {0};
  task->proof = &proof;
  neap_status status = find_reason(task, &certificate->info, error);
  if (status == NEAP_OK && task->offsets) status = order_prove(task, error);
  if (status == NEAP_OK) status = print_certificate(&certificate->lines, task, error);
  certificate->info.least = task->least;
  certificate->info.order_bound = task->order;
  certificate->info.lines = certificate->lines.count;
  certificate->info.bytes = certificate->lines.length;
  lines_clear(&proof);
  return status;
}

/* The lowest peak that is still possible. */
static neap_size target_of(const struct neap_problem *problem, const neap_plan *plan,
                           const neap_certifying *how) {
  if (plan) return problem_peak(problem, plan->offsets);
  return how->capacity < 0 || how->capacity >= ITEMS_NOWHERE ? ITEMS_NOWHERE
                                                             : how->capacity + 1;
}

struct watcher {
  const neap_certifying *how;
  struct budget *budget;
};

static void watch(void *user) {
  const struct watcher *watcher = user;
  if (!watcher->how->keep_on(watcher->how->user)) budget_cancel(watcher->budget);
}

neap_status neap_certify(const neap_problem *problem, const neap_plan *plan,
                         const neap_certifying *how, neap_certificate **certificate,
                         neap_error *error) {
  struct budget budget;
  struct certify_task task = {.problem = problem, .budget = &budget};
  neap_status status = check_problem(problem, plan, error);
  if (status == NEAP_OK && plan) status = neap_plan_verify(plan, -1, error);
  if (status != NEAP_OK) return status;
  if (plan) task.offsets = plan->offsets;
  task.target = target_of(problem, plan, how);
  task.max_states = how && how->max_states > 0 ? how->max_states : STATES_DEFAULT;
  budget_init(&budget, 0, how ? how->time_limit : 0);
  struct watcher watcher = {how, &budget};
  if (how && how->keep_on) {
    budget.watch = watch;
    budget.user = &watcher;
  }
  neap_certificate *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  status = certify(&task, made, error);
  if (status == NEAP_OK) *certificate = made;
  else neap_certificate_free(made);
  return status;
}

/* ---------------------------------------------------------------- reading it */

void neap_certificate_free(neap_certificate *certificate) {
  if (!certificate) return;
  lines_clear(&certificate->lines);
  free(certificate);
}

const char *neap_certificate_text(const neap_certificate *certificate) {
  return certificate->lines.text;
}

void neap_certificate_describe(const neap_certificate *certificate,
                               neap_certificate_info *info) {
  *info = certificate->info;
}

const char *neap_certificate_kind_name(neap_certificate_kind kind) {
  static const char *const names[] = {[NEAP_CERTIFICATE_LOAD] = "load",
                                      [NEAP_CERTIFICATE_COLUMN] = "column",
                                      [NEAP_CERTIFICATE_LAYOUT] = "layout"};
  bool is_known = (size_t)kind < sizeof names / sizeof *names;
  return is_known ? names[kind] : "";
}
