/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: offsets for a problem, and what is known about them. */
#include "plan/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "facts/columns.h"
#include "facts/risk.h"
#include "model/moves.h"

/* A plan whose peak is below the lower bound is unsound, and has no gap. */
static double gap_percent(neap_size peak, neap_size lower_bound) {
  if (lower_bound == 0 || peak <= lower_bound) return 0;
  return 100.0 * (double)(peak - lower_bound) / (double)lower_bound;
}

/* Terms that a problem does not have are 0, and so are their bounds. */
static void set_outcome(neap_plan *plan) {
  neap_report *report = &plan->report;
  neap_size saved = plan->total - report->peak; /* below 0 where alignments need more */
  report->layout_saved_bytes =
      saved > report->order.saved_bytes ? saved - report->order.saved_bytes : 0;
  report->gap_percent = gap_percent(report->peak, report->lower_bound);
  bool is_proven = report->peak <= report->lower_bound && !plan->is_open &&
                   plan->problem->missing.count == 0 &&
                   report->costs.spilled_bytes <= report->costs.spilled_lower_bound &&
                   report->costs.reuse <= report->costs.reuse_lower_bound &&
                   report->costs.moved_bytes <= report->costs.moved_lower_bound;
  report->outcome = is_proven ? NEAP_OPTIMAL : NEAP_FEASIBLE;
}

/* Ignores a lower bound above the bound, because that was proven for other buffers. */
static void set_order(neap_report *report, const neap_operator_order *order) {
  report->order.is_scheduled = order->given != NULL;
  report->order.given_bound = report->order.is_scheduled ? order->given_bound : report->bound;
  report->order.outcome = NEAP_FEASIBLE;
  if (report->order.given_bound > report->bound)
    report->order.saved_bytes = report->order.given_bound - report->bound;
  if (!report->order.is_scheduled || order->lower_bound > report->bound) return;
  report->order.lower_bound = order->lower_bound;
  if (order->lower_bound == report->bound) report->order.outcome = NEAP_OPTIMAL;
}

void plan_set_peak(neap_plan *plan, neap_size peak) {
  plan->report.peak = plan->report.free_peak = peak;
  set_outcome(plan);
}

/* ---------------------------------------------------------------- making */

static neap_status check_offset(const struct neap_problem *problem, size_t index,
                                neap_offset offset, neap_size *peak, neap_error *error) {
  neap_offset end;
  char excerpt[TEXT_EXCERPT];
  if (offset < 0)
    return error_set(error, NEAP_ERROR_ARGUMENT, "%s has no offset",
                     problem_excerpt(problem, index, excerpt));
  if (!checked_add(offset, problem->buffers[index].size, &end))
    return error_set(error, NEAP_ERROR_ARGUMENT, "%s at offset %" PRId64 " ends above 2^63 - 1",
                     problem_excerpt(problem, index, excerpt), offset);
  if (end > *peak) *peak = end;
  return NEAP_OK;
}

/* Computes what follows from the problem and the offsets. */
static neap_status assess_plan(neap_plan *plan, neap_error *error) {
  const struct neap_problem *problem = plan->problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_bound(problem, &bound, error);
  if (status != NEAP_OK) return status;
  struct sections sections;
  status = columns_init(&sections, problem, SECTIONS_ALL, error);
  if (status != NEAP_OK) return status;
  size_t counts[NEAP_RISK_COUNT];
  status = risk_classify(problem, &sections, plan->offsets, bound.lower_bound, plan->risks,
                         counts, error);
  sections_clear(&sections);
  for (size_t i = 0; i < problem->count; i++)
    plan->total += problem->buffers[i].size; /* NEAP_MAX at most */
  plan->report.buffers = problem->count;
  plan->report.bound = bound.bytes;
  plan->report.lower_bound = bound.lower_bound;
  set_order(&plan->report, &problem->order);
  plan->report.run.stop_reason = NEAP_STOP_COMPLETE;
  assert(bound.bytes <= bound.lower_bound);
  if (status == NEAP_OK) status = plan_assess_terms(plan, error);
  set_outcome(plan);
  return status;
}

neap_status plan_outline(const neap_problem *problem, const neap_offset *offsets,
                         neap_plan **plan, neap_error *error) {
  neap_size peak = 0;
  for (size_t i = 0; i < problem->count; i++) {
    neap_status status = check_offset(problem, i, offsets[i], &peak, error);
    if (status != NEAP_OK) return status;
  }
  neap_plan *made = memory_array(1, sizeof *made);
  neap_offset *copy = memory_array(problem->count, sizeof *copy);
  if (!made || !copy) {
    free(made);
    free(copy);
    return error_memory(error);
  }
  if (problem->count > 0) memcpy(copy, offsets, problem->count * sizeof *offsets);
  made->problem = problem;
  made->offsets = copy;
  made->report.peak = made->report.free_peak = peak;
  made->report.run.engine = made->engine;
  made->report.capacity = -1;
  *plan = made;
  return NEAP_OK;
}

neap_status neap_plan_new(const neap_problem *problem, const neap_offset *offsets,
                          neap_plan **plan, neap_error *error) {
  neap_plan *made;
  neap_status status = plan_outline(problem, offsets, &made, error);
  if (status != NEAP_OK) return status;
  made->risks = memory_array(problem->count, 1);
  status = made->risks ? assess_plan(made, error) : error_memory(error);
  if (status == NEAP_OK) *plan = made;
  else neap_plan_free(made);
  return status;
}

static void free_rounds(neap_round *rounds, size_t count) {
  for (size_t i = 0; i < count; i++)
    free((neap_move *)rounds[i].moves);
  free(rounds);
}

void neap_plan_set_uncertified(neap_plan *plan, const char *why) {
  snprintf(plan->uncertified, sizeof plan->uncertified, "%s", why);
  plan->report.uncertified = plan->uncertified;
}

void neap_plan_free(neap_plan *plan) {
  if (!plan) return;
  neap_problem_free(plan->owned);
  free(plan->offsets);
  free(plan->risks);
  free_rounds(plan->rounds, plan->round_count);
  free(plan->layouts);
  free(plan->moments);
  free(plan->overlaps);
  free(plan->pools);
  free(plan->pool_reports);
  free(plan->objects);
  free(plan->object_sizes);
  free(plan);
}

/* Copies the layouts of `rounds`, and makes these point to the copies. */
static bool copy_layouts(neap_plan *plan, neap_round *rounds, size_t round_count) {
  size_t count = plan->problem->count, kept = 0, size;
  for (size_t i = 0; i < round_count; i++)
    if (rounds[i].offsets) kept++;
  if (__builtin_mul_overflow(kept, count, &size)) return false;
  neap_offset *to = memory_array(size, sizeof *to);
  if (!to) return false;
  free(plan->layouts);
  plan->layouts = to;
  for (size_t i = 0; i < round_count; i++) {
    if (!rounds[i].offsets) continue;
    if (count > 0) memcpy(to, rounds[i].offsets, count * sizeof *to);
    rounds[i].offsets = to;
    to += count;
  }
  assert(to == plan->layouts + size);
  return true;
}

/* An item of a list of structs, which all have the size of the first. */
static const void *item_of(const void *list, size_t size, size_t index) {
  return (const char *)list + index * size;
}

static neap_status copy_round(neap_round *round, const neap_round *from, neap_error *error) {
  neap_move *moves = NULL;
  *round = (neap_round)NEAP_INIT(neap_round);
  neap_status status = SIZED_READ(neap_round, *round, from, error);
  if (status == NEAP_OK && !moves_copy(round->moves, round->move_count, &moves))
    status = error_memory(error);
  round->moves = moves;
  return status;
}

static neap_status copy_rounds(neap_plan *plan, const neap_round *list, size_t count,
                               neap_error *error) {
  neap_round *rounds = memory_array(count, sizeof *rounds);
  if (!rounds) return error_memory(error);
  size_t copied = 0;
  neap_status status = NEAP_OK;
  for (; copied < count && status == NEAP_OK; copied++)
    status = copy_round(&rounds[copied], item_of(list, list->struct_size, copied), error);
  if (status == NEAP_OK && !copy_layouts(plan, rounds, count)) status = error_memory(error);
  if (status != NEAP_OK) {
    free_rounds(rounds, copied);
    return status;
  }
  free_rounds(plan->rounds, plan->round_count);
  plan->rounds = rounds;
  plan->round_count = count;
  return NEAP_OK;
}

static neap_status copy_moments(neap_plan *plan, const neap_moment *list, size_t count,
                                neap_error *error) {
  neap_moment *moments = memory_array(count, sizeof *moments);
  if (!moments) return error_memory(error);
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    moments[i] = (neap_moment)NEAP_INIT(neap_moment);
    status = SIZED_READ(neap_moment, moments[i], item_of(list, list->struct_size, i), error);
  }
  if (status != NEAP_OK) {
    free(moments);
    return status;
  }
  free(plan->moments);
  plan->moments = moments;
  plan->moment_count = count;
  return NEAP_OK;
}

static void raise_to(neap_size *lower_bound, neap_size proven) {
  if (proven > *lower_bound) *lower_bound = proven;
}

static neap_status set_history(neap_plan *plan, const neap_history *history,
                               neap_error *error) {
  neap_status status = copy_rounds(plan, history->round_list, history->round_count, error);
  if (status == NEAP_OK)
    status = copy_moments(plan, history->moments, history->moment_count, error);
  if (status != NEAP_OK) return status;
  snprintf(plan->engine, sizeof plan->engine, "%s", history->engine);
  neap_report *report = &plan->report;
  raise_to(&report->lower_bound, history->lower_bound);
  raise_to(&report->costs.reuse_lower_bound, history->reuse_cost_lower_bound);
  raise_to(&report->costs.spilled_lower_bound, history->spilled_lower_bound);
  raise_to(&report->costs.moved_lower_bound, history->moved_lower_bound);
  report->run.stop_reason = history->stop_reason;
  report->run.rounds = history->rounds;
  report->run.seed = history->seed;
  report->run.seconds = history->seconds;
  set_outcome(plan);
  return NEAP_OK;
}

neap_status neap_plan_set_history(neap_plan *plan, const neap_history *history,
                                  neap_error *error) {
  neap_history own = NEAP_INIT(neap_history);
  neap_status status = SIZED_READ(neap_history, own, history, error);
  return status == NEAP_OK ? set_history(plan, &own, error) : status;
}

/* ---------------------------------------------------------------- asking */

const neap_problem *neap_plan_problem(const neap_plan *plan) { return plan->problem; }

neap_offset neap_plan_offset(const neap_plan *plan, size_t index) {
  assert(index < plan->problem->count);
  return plan->offsets[index];
}

const neap_offset *neap_plan_offsets(const neap_plan *plan) { return plan->offsets; }

neap_risk neap_plan_risk(const neap_plan *plan, size_t index) {
  assert(index < plan->problem->count);
  return (neap_risk)plan->risks[index];
}

void neap_plan_report(const neap_plan *plan, neap_report *report) {
  SIZED_FILL(report, plan->report);
}

bool neap_plan_round_at(const neap_plan *plan, size_t index, neap_round *round) {
  if (index >= plan->round_count) return false;
  return SIZED_FILL(round, plan->rounds[index]);
}

bool neap_plan_moment_at(const neap_plan *plan, size_t index, neap_moment *moment) {
  if (index >= plan->moment_count) return false;
  return SIZED_FILL(moment, plan->moments[index]);
}

bool neap_plan_overlap_at(const neap_plan *plan, size_t index, neap_overlap *overlap) {
  if (index >= plan->overlap_count) return false;
  return SIZED_FILL(overlap, plan->overlaps[index]);
}

neap_status neap_plan_set_base(neap_plan *plan, uint64_t base, neap_error *error) {
  if (base > UINT64_MAX - (uint64_t)plan->report.peak)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "with base address 0x%" PRIx64 ", the %" PRId64
                     " bytes of the plan end above 2^64 - 1",
                     base, plan->report.peak);
  plan->has_base = true;
  plan->base = base;
  return NEAP_OK;
}

neap_status neap_plan_set_capacity(neap_plan *plan, neap_size capacity, neap_error *error) {
  if (capacity < -1)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected a capacity of 0 bytes or more, or -1 for none, found %" PRId64,
                     capacity);
  plan->report.capacity = capacity;
  return NEAP_OK;
}
