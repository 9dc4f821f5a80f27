/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine `sort`: places buffers in sorted order, without tuning, and keeps the best layout.
 * One step makes one layout: from the given order, or from an order in a list that works well
 * for networks and traces. A layout takes about O(n log n).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "facts/columns.h"
#include "order/sorter.h"
#include "order/spec.h"
#include "place/placer.h"

struct sort_state {
  const struct task *task;
  struct sections own;             /* unless the task provides them */
  const struct sections *sections; /* of all buffers */
  struct placer *placer;
  gsl_permutation order;
  size_t turn;   /* the number of orders tried */
  size_t rounds; /* orders that led to a layout */
  neap_offset *best;
  neap_size best_peak;
};

static void sort_free(void *state) {
  struct sort_state *sort = state;
  if (!sort) return;
  placer_free(sort->placer);
  sections_clear(&sort->own);
  order_clear(&sort->order);
  free(sort->best);
  free(sort);
}

static neap_status init_parts(struct sort_state *sort, neap_error *error) {
  const struct task *task = sort->task;
  sort->sections = task->sections ? task->sections : &sort->own;
  if (!task->sections) {
    neap_status status = columns_init_within(&sort->own, task->problem, SECTIONS_ALL,
                                             task->budget, error);
    if (status != NEAP_OK) return status;
  }
  sort->best = memory_array(task->problem->count, sizeof *sort->best);
  if (!sort->best || !order_init(&sort->order, task->problem->count))
    return error_memory(error);
  const struct place_rule *rule = place_rule_at((size_t)task->options->value[OPTION_PLACE]);
  return placer_new(&sort->placer, task->problem, sort->sections, rule, task->budget, error);
}

static neap_status sort_start(const struct task *task, void **state, neap_error *error) {
  struct sort_state *sort = memory_array(1, sizeof *sort);
  if (!sort) return error_memory(error);
  sort->task = task;
  sort->best_peak = NEAP_UNPLACED;
  neap_status status = init_parts(sort, error);
  sort->turn = task->incumbent != NULL; /* the first order has been tried */
  if (status == NEAP_OK) *state = sort;
  else sort_free(sort);
  return status;
}

static neap_status lay_out(struct sort_state *sort, neap_error *error) {
  const struct task *task = sort->task;
  struct order_spec spec = task->options->order;
  neap_status status = NEAP_OK;
  if (!task->options->order_given)
    status = order_spec_parse(&spec, order_preset(sort->turn), error);
  if (status == NEAP_OK) status = sorter_sort(task->problem, &spec, &sort->order, error);
  if (status == NEAP_OK) status = placer_reset(sort->placer, error);
  return status == NEAP_OK ? placer_fill(sort->placer, &sort->order, error) : status;
}

static void keep_if_best(struct sort_state *sort, struct step *step) {
  neap_size peak = placer_peak(sort->placer);
  bool improved = sort->best_peak == NEAP_UNPLACED || peak < sort->best_peak;
  if (improved) {
    sort->best_peak = peak;
    memcpy(sort->best, placer_offsets(sort->placer),
           sort->task->problem->count * sizeof *sort->best);
  }
  step->has_round = true;
  step->round.round = ++sort->rounds;
  step->round.peak = peak;
  step->round.improved = improved;
}

/* Whether this was the last order. */
static bool is_last(const struct sort_state *sort) {
  const struct task *task = sort->task;
  return task->options->order_given || !order_preset(sort->turn) ||
         sort->rounds >= (uint64_t)task->options->value[OPTION_MAX_ROUNDS];
}

/* Places one order.  If it leaves no offset for a buffer, there is no round. */
static neap_status sort_step(void *state, struct step *step, neap_error *error) {
  struct sort_state *sort = state;
  neap_status status = lay_out(sort, error);
  if (status != NEAP_OK && status != NEAP_INFEASIBLE) return status;
  sort->turn++;
  if (status == NEAP_OK) keep_if_best(sort, step);
  bool is_optimal = step->has_round && step->round.peak <= sort->task->bound.lower_bound;
  step->reason = is_optimal ? NEAP_STOP_BOUND : NEAP_STOP_ITERATION_CAP;
  step->stop = is_optimal || is_last(sort);
  placer_finish(sort->placer); /* the verifier or another engine needs the memory next */
  return NEAP_OK;
}

static const neap_offset *sort_best(const void *state) {
  const struct sort_state *sort = state;
  return sort->best_peak == NEAP_UNPLACED ? NULL : sort->best;
}

static const neap_offset *sort_layout(const void *state) {
  const struct sort_state *sort = state;
  return placer_offsets(sort->placer);
}

const struct engine engine_sort = {
    .info = {.name = "sort",
             .summary = "place buffers in sorted order, without tuning; try ten orders unless "
                        "an order is given"},
    .start = sort_start,
    .step = sort_step,
    .best = sort_best,
    .free = sort_free,
    .layout = sort_layout,
};
