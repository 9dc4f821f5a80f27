/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A certificate is a text that states a problem, its plan if there is one, and a reason why no
 * layout is lower.  doc/certificate.md describes the text.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certify/certificate.h"
#include "certify/order.h"
#include "certify/reasons.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "plan/plan.h"

#define STATES_DEFAULT 100000

/* ---------------------------------------------------------------- the whole text */

static void print_claim(struct lines *lines, const struct certify_task *task) {
  bool has_pools = problem_pool_count(task->problem) > 0;
  if (task->plan && terms_concern(task->problem)) {
    lines_word(lines, "best");
    terms_print(lines, task);
  } else {
    lines_word(lines, task->plan ? "peak" : has_pools ? "over" : "least");
    if (has_pools) lines_number(lines, (int64_t)task->pool);
    lines_optional(lines, task->least, CERTIFY_NEVER);
  }
  if (task->order > 0) {
    lines_word(lines, "order");
    lines_number(lines, task->order);
    lines_sum(lines, task->graph_sum);
  }
  lines_end(lines);
}

static neap_status print_certificate(struct lines *lines, const struct certify_task *task,
                                     neap_error *error) {
  lines_word(lines, "neap-certificate 1");
  lines_end(lines);
  print_claim(lines, task);
  if (!statement_print(lines, task)) return error_memory(error);
  lines_append(lines, task->proof);
  uint32_t sum = lines_checksum(lines);
  lines_word(lines, "end");
  lines_number(lines, (int64_t)lines->count);
  lines_sum(lines, sum);
  lines_end(lines);
  return lines->failed || task->proof->failed ? error_memory(error) : NEAP_OK;
}

/* ---------------------------------------------------------------- the whole */

/* Why there is no proof: what the reasons ignore, or which limit ended the search. */
static const char *lack_of(const struct certify_task *task) {
  if (task->lack) return task->lack;
  if (task->is_large)
    return "for sizes this large, only what is alive at one moment can be a proof";
  if (task->budget->end == BUDGET_TIME) return "the time limit ended the search for one";
  if (problem_has(task->problem, RELATION_BANKS))
    return "proofs do not regard all that separated banks can do to raise a peak";
  return "the search for one is limited";
}

static neap_status refuse(const struct certify_task *task, neap_error *error) {
  const char *why = lack_of(task);
  if (task->missing)
    return error_set(error, NEAP_NO_PLAN, "no proof was found that %s: %s", task->missing, why);
  if (task->target == CERTIFY_NEVER)
    return error_set(error, NEAP_NO_PLAN, "no proof was found that there is no plan: %s", why);
  return error_set(error, NEAP_NO_PLAN,
                   "no proof was found that no plan has a peak below %" PRId64 ": %s",
                   task->target, why);
}

/* Each proof sets task->least if it is found. */
static neap_status prove(struct certify_task *task, neap_error *error) {
  neap_status status;
  bool is_proven = task->plan && task->plan->report.peak == 0; /* a peak of 0 needs no proof */
  if (task->plan && terms_concern(task->problem)) status = terms_prove(task, error);
  else if (problem_pool_count(task->problem) > 0) status = terms_refute_pools(task, error);
  else status = reason_find(task, error);
  if (status != NEAP_OK) return status;
  if (task->missing || (task->least == 0 && !is_proven)) return refuse(task, error);
  return task->plan ? order_prove(task, error) : NEAP_OK;
}

static neap_status check_plan(const neap_plan *plan, neap_error *error) {
  if (plan && plan->object_count > 0)
    return error_set(
        error, NEAP_ERROR_FORMAT,
        "certificates cover buffers with offsets, and this plan has shared objects");
  return plan ? neap_plan_verify(plan, -1, error) : NEAP_OK;
}

static neap_status certify(struct certify_task *task, neap_certificate *certificate,
                           neap_error *error) {
  struct lines proof = {0};
  task->proof = &proof;
  neap_status status = prove(task, error);
  if (status == NEAP_OK) status = print_certificate(&certificate->lines, task, error);
  certificate->info.kind = task->kind;
  certificate->info.least = task->least;
  certificate->info.order_bound = task->order;
  certificate->info.lines = certificate->lines.count;
  certificate->info.bytes = certificate->lines.length;
  lines_clear(&proof);
  return status;
}

/* The bound to prove: the plan's peak, or one more than the capacity. */
static neap_size target_of(const neap_plan *plan, const neap_certifying *how) {
  if (plan) return plan->report.peak;
  return how->capacity < 0 || how->capacity == NEAP_MAX ? CERTIFY_NEVER : how->capacity + 1;
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
  struct certify_task task = {.problem = problem, .plan = plan, .budget = &budget};
  neap_certifying own = NEAP_INIT(neap_certifying);
  neap_status status = how ? SIZED_READ(neap_certifying, own, how, error) : NEAP_OK;
  if (status == NEAP_OK) status = check_plan(plan, error);
  if (status != NEAP_OK) return status;
  task.target = target_of(plan, &own);
  task.max_states = own.max_states > 0 ? own.max_states : STATES_DEFAULT;
  budget_init(&budget, 0, own.time_limit);
  struct watcher watcher = {&own, &budget};
  if (own.keep_on) {
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
  SIZED_FILL(info, certificate->info);
}

const char *neap_certificate_kind_name(neap_certificate_kind kind) {
  static const char *const names[] = {[NEAP_CERTIFICATE_LOAD] = "load",
                                      [NEAP_CERTIFICATE_COLUMN] = "column",
                                      [NEAP_CERTIFICATE_LAYOUT] = "layout",
                                      [NEAP_CERTIFICATE_PAIRS] = "pairs",
                                      [NEAP_CERTIFICATE_BANKS] = "banks"};
  bool is_known = (size_t)kind < sizeof names / sizeof *names;
  return is_known ? names[kind] : "";
}
