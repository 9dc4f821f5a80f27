/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *     sort ─► place ─► goals? ─► classify ─► group high ─► tune groups ─┐
 *                ▲                           group medium ─► tune groups │
 *                └────────────── merge: high, medium, low, none ◄────────┘
 *
 * Tuning the groups fills a container: first the high groups, then the medium ones, each around
 * those already placed. Since placement is sequential, this is already the layout of the merged
 * order as far as high and medium go. So the round ends by placing low and none in the same
 * container, and a round costs about one placement of all buffers plus the further trials for
 * groups.
 *
 * The peak may rise from one round to the next, because other buffers come first. Orders are
 * remembered. One that repeats ends the loop, because later rounds would mostly repeat as well.
 */
#include "tune/reorderer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/risk.h"
#include "order/sorter.h"
#include "tune/goals.h"
#include "tune/group_tuner.h"
#include "tune/merge.h"

struct reorderer {
  struct reorderer_task task;
  struct placer *placer;
  struct history history;
  struct group_tuner group_tuner;
  struct groups groups;
  gsl_permutation order, merged;
  uint32_t *rank;       /* of each buffer in the sorted order */
  unsigned char *risks; /* of each buffer in the last layout */
  size_t counts[NEAP_RISK_COUNT];
  uint64_t round; /* since the start */
};

/* ---------------------------------------------------------------- making */

static bool init_orders(struct reorderer *reorderer) {
  size_t count = reorderer->task.problem->count;
  history_init(&reorderer->history, count);
  reorderer->rank = memory_array(count, sizeof *reorderer->rank);
  reorderer->risks = memory_array(count, 1);
  return reorderer->rank && reorderer->risks && order_init(&reorderer->order, count) &&
         order_init(&reorderer->merged, count);
}

static bool init_group_tuner(struct reorderer *reorderer) {
  const struct reorderer_task *task = &reorderer->task;
  size_t largest = task->grouping.max_size;
  if (largest > task->problem->count) largest = task->problem->count;
  reorderer->group_tuner = (struct group_tuner){.problem = task->problem,
                                                .placer = reorderer->placer,
                                                .budget = task->budget,
                                                .rank = reorderer->rank,
                                                .rearranger = task->rearranger,
                                                .cap = task->max_group_rounds,
                                                .bound = task->bound,
                                                .random = task->random};
  return group_tuner_init(&reorderer->group_tuner, largest);
}

static neap_status init_parts(struct reorderer *reorderer, neap_error *error) {
  const struct reorderer_task *task = &reorderer->task;
  neap_status status = placer_new(&reorderer->placer, task->problem, task->sections, task->rule,
                                  task->budget, error);
  if (status != NEAP_OK) return status;
  return init_orders(reorderer) && init_group_tuner(reorderer) ? NEAP_OK : error_memory(error);
}

neap_status reorderer_new(struct reorderer **reorderer, const struct reorderer_task *task,
                          neap_error *error) {
  struct reorderer *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->task = *task;
  neap_status status = init_parts(made, error);
  if (status == NEAP_OK) *reorderer = made;
  else reorderer_free(made);
  return status;
}

void reorderer_free(struct reorderer *reorderer) {
  if (!reorderer) return;
  group_tuner_clear(&reorderer->group_tuner);
  groups_clear(&reorderer->groups);
  history_clear(&reorderer->history);
  placer_free(reorderer->placer);
  order_clear(&reorderer->order);
  order_clear(&reorderer->merged);
  free(reorderer->rank);
  free(reorderer->risks);
  free(reorderer);
}

neap_status reorderer_start(struct reorderer *reorderer, const struct order_spec *spec,
                            neap_error *error) {
  size_t count = reorderer->task.problem->count;
  neap_status status = sorter_sort(reorderer->task.problem, spec, &reorderer->order, error);
  if (status == NEAP_OK) status = placer_reset(reorderer->placer, error);
  if (status != NEAP_OK) return status;
  for (size_t rank = 0; rank < count; rank++)
    reorderer->rank[reorderer->order.data[rank]] = (uint32_t)rank;
  history_restart(&reorderer->history, count);
  reorderer->round = 0;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- one round */

/*
 * Tunes the groups of one class, whose buffers are in `merged` from `begin` on, and writes
 * their new order there.
 */
static neap_status tune_class(struct reorderer *reorderer, neap_risk risk, size_t begin,
                              size_t *group_count, neap_error *error) {
  struct groups *groups = &reorderer->groups;
  size_t *class = reorderer->merged.data + begin;
  size_t count = reorderer->counts[risk];
  neap_status status = groups_make(groups, reorderer->task.problem, &reorderer->task.grouping,
                                   class, count, error);
  size_t at = 0;
  for (size_t g = 0; status == NEAP_OK && g < groups->count; g++) {
    size_t end = groups->ends[g];
    status = group_tuner_run(&reorderer->group_tuner, groups->members + at, end - at, error);
    at = end;
  }
  if (status != NEAP_OK) return status;
  assert(at == count);
  *group_count = groups->count;
  if (count > 0) memcpy(class, groups->members, count * sizeof *class);
  return NEAP_OK;
}

/* Finds the next order and places all buffers in it. */
static neap_status suppress_peak(struct reorderer *reorderer, neap_round *round,
                                 neap_error *error) {
  merge_by_risk(&reorderer->order, reorderer->risks, reorderer->counts, &reorderer->merged);
  neap_status status = placer_reset(reorderer->placer, error);
  uint64_t before = reorderer->group_tuner.rounds;
  if (status == NEAP_OK)
    status = tune_class(reorderer, NEAP_RISK_HIGH, 0, &round->high_groups, error);
  if (status == NEAP_OK)
    status = tune_class(reorderer, NEAP_RISK_MEDIUM, reorderer->counts[NEAP_RISK_HIGH],
                        &round->medium_groups, error);
  if (status == NEAP_OK) status = placer_fill(reorderer->placer, &reorderer->merged, error);
  if (status != NEAP_OK) return status;
  assert(reorderer->group_tuner.rounds >= before);
  round->group_rounds = reorderer->group_tuner.rounds - before;
  gsl_permutation old = reorderer->order;
  reorderer->order = reorderer->merged;
  reorderer->merged = old;
  return NEAP_OK;
}

neap_status reorderer_step(struct reorderer *reorderer, neap_round *round, bool *stop,
                           neap_stop_reason *reason, neap_error *error) {
  const struct reorderer_task *task = &reorderer->task;
  neap_status status = reorderer->round > 0
                           ? suppress_peak(reorderer, round, error)
                           : placer_fill(reorderer->placer, &reorderer->order, error);
  if (status != NEAP_OK) return status;
  assert(reorderer->round < task->max_rounds);
  reorderer->round++;
  status = risk_classify(task->problem, task->sections, placer_offsets(reorderer->placer),
                         task->bound, reorderer->risks, reorderer->counts, error);
  if (status != NEAP_OK) return status;
  memcpy(round->risk, reorderer->counts, sizeof round->risk);
  struct goals goals = {task->bound, task->max_rounds, &reorderer->history};
  return goals_check(&goals, reorderer->round, reorderer->order.data,
                     placer_peak(reorderer->placer), stop, reason, error);
}

const neap_offset *reorderer_layout(const struct reorderer *reorderer) {
  return placer_offsets(reorderer->placer);
}

neap_status reorderer_settle(struct reorderer *reorderer, const neap_offset *layout,
                             neap_error *error) {
  sorter_sort_by_offset(layout, &reorderer->merged);
  neap_status status = placer_reset(reorderer->placer, error);
  return status == NEAP_OK ? placer_fill(reorderer->placer, &reorderer->merged, error) : status;
}
