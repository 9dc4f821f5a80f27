/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *     sort ─► place ─► goals? ─► classify ─► group high ─► tune groups ─┐
 *                ▲                           group medium ─► tune groups │
 *                └────────────── merge: high, medium, low, none ◄────────┘
 *
 * Tuning the groups fills a container: first the high groups, then the medium ones, each around
 * the buffers already placed.  Placement is sequential, so this already is the layout of the
 * merged order for all high and medium buffers.  The round ends by placing the low and none
 * buffers in the same container.  So a round costs about one placement of all buffers, plus the
 * further trials for groups.
 *
 * The peak may rise from one round to the next, because other buffers come first.  Orders are
 * remembered, and a repeated order ends the loop, because most later rounds would
 * repeat earlier ones.
 */
#include "tune/reorderer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/risk.h"
#include "order/sorter.h"
#include "place/placer.h"
#include "tune/rearrange.h"

/* ---------------------------------------------------------------- tuning a group */

/*
 * The group tuner: sorts a group, places it around the buffers already placed, and rearranges
 * it until one of its goals is reached.
 */

/*
 * The loop for one group (doc/tuner.md, R24 to R27): sort, place, check the goals, rearrange,
 * place again, and so on, at most `cap` times. A trial places the members of the group only,
 * since the placer can roll back to where the group began.
 *
 * The relevant peak is that of the whole container, including earlier groups (A11).  If that
 * peak was above the bound before, this group cannot lower it, so its goal is not to raise it
 * (A22).  So a group that does not cause the peak costs only one trial.
 */

struct group_tuner {
  const struct neap_problem *problem;
  struct placer *placer;
  struct budget *budget;
  const uint32_t *rank; /* of each buffer in the sorted order */
  const struct rearranger *rearranger;
  uint64_t cap; /* maximum number of orders to try for a group, >= 1 */
  neap_size bound;
  struct random *random;
  struct history history;
  size_t *sorted, *last, *best, *next; /* each has room for the largest group */
  uint64_t rounds;                     /* orders placed so far, in all groups */
};

/*
 * The caller sets the fields from `problem` to `random`; this function initialises the others.
 * False when memory is short.
 */
static bool group_tuner_init(struct group_tuner *tuner, size_t largest_group) {
  history_init(&tuner->history, 0);
  tuner->rounds = 0;
  tuner->sorted = memory_array(largest_group, sizeof *tuner->sorted);
  tuner->last = memory_array(largest_group, sizeof *tuner->last);
  tuner->best = memory_array(largest_group, sizeof *tuner->best);
  tuner->next = memory_array(largest_group, sizeof *tuner->next);
  return tuner->sorted && tuner->last && tuner->best && tuner->next;
}

static void group_tuner_clear(struct group_tuner *tuner) {
  history_clear(&tuner->history);
  free(tuner->sorted);
  free(tuner->last);
  free(tuner->best);
  free(tuner->next);
}

static void copy_order(size_t *to, const size_t *from, size_t count) {
  memcpy(to, from, count * sizeof *to);
}

static int by_rank(const void *left, const void *right, void *context) {
  const uint32_t *rank = context;
  uint32_t a = rank[*(const size_t *)left], b = rank[*(const size_t *)right];
  return a < b ? -1 : a > b;
}

static neap_status place_in_order(struct group_tuner *tuner, const size_t *order, size_t count,
                                  neap_error *error) {
  for (size_t i = 0; i < count; i++) {
    neap_status status = placer_put(tuner->placer, order[i], error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/* The state of tuning one group. */
struct run {
  struct trial trial;
  struct goals goals;
  struct placer_mark mark;
  neap_size floor; /* the peak before the group, which the group cannot lower */
  neap_size best_peak; /* NEAP_UNPLACED before the first order; a peak may be NEAP_MAX */
  bool last_is_best;
};

/* Places the order in `last` and checks the goals. */
static neap_status try_last_order(struct group_tuner *tuner, struct run *run, bool *stop,
                                  neap_error *error) {
  placer_rollback(tuner->placer, run->mark);
  neap_status status = place_in_order(tuner, tuner->last, run->trial.count, error);
  if (status != NEAP_OK) return status;
  tuner->rounds++;
  neap_size peak = placer_peak(tuner->placer);
  assert(peak >= run->floor);
  run->last_is_best = run->best_peak == NEAP_UNPLACED || peak < run->best_peak;
  if (run->last_is_best) {
    run->best_peak = peak;
    copy_order(tuner->best, tuner->last, run->trial.count);
  }
  neap_stop_reason reason;
  return goals_check(&run->goals, run->trial.tried, tuner->last, peak, stop, &reason, error);
}

/*
 * Finds an untried order and stores it in `last`; false if the group has converged or tried its
 * maximum number of orders.
 */
static bool find_untried_order(struct group_tuner *tuner, struct run *run) {
  struct trial *trial = &run->trial;
  bool found = trial->repeated = false;
  /* Each proposal costs a tick, because many proposals may repeat before one is new. */
  while (!found && trial->tried < trial->cap && budget_tick(tuner->budget)) {
    if (!tuner->rearranger->propose(trial, tuner->next)) return false;
    trial->repeated = history_has(&tuner->history, tuner->next);
    trial->tried++;
    assert(trial->tried <= trial->cap);
    found = !trial->repeated;
    if (!found && !tuner->rearranger->goes_on) return false;
  }
  if (found) copy_order(tuner->last, tuner->next, trial->count);
  return found;
}

static neap_status tune_group(struct group_tuner *tuner, struct run *run, neap_error *error) {
  bool stop = false, found = true;
  neap_status status = try_last_order(tuner, run, &stop, error);
  while (status == NEAP_OK && !stop && found) {
    found = find_untried_order(tuner, run);
    if (found) status = try_last_order(tuner, run, &stop, error);
  }
  if (status != NEAP_OK || run->last_is_best) return status;
  placer_rollback(tuner->placer, run->mark);
  return place_in_order(tuner, tuner->best, run->trial.count, error);
}

/*
 * Tunes a group: reorders `members` to the best order found and leaves them placed in that
 * order.  NEAP_NO_PLAN if the budget is spent; the group is then placed only partly or not at
 * all.
 */
static neap_status group_tuner_run(struct group_tuner *tuner, size_t *members, size_t count,
                                   neap_error *error) {
  assert(count >= 1);
  qsort_r(members, count, sizeof *members, by_rank, (void *)(uintptr_t)tuner->rank);
  copy_order(tuner->sorted, members, count);
  copy_order(tuner->last, members, count);
  history_restart(&tuner->history, count);
  neap_size floor = placer_peak(tuner->placer);
  neap_size target = floor > tuner->bound ? floor : tuner->bound;
  struct run run = {
      .trial = {.problem = tuner->problem,
                .offsets = placer_offsets(tuner->placer),
                .bound = tuner->bound,
                .count = count,
                .sorted = tuner->sorted,
                .last = tuner->last,
                .best = tuner->best,
                .tried = 1,
                .cap = tuner->cap,
                .random = tuner->random},
      .goals = {target, tuner->cap, &tuner->history},
      .mark = placer_mark(tuner->placer),
      .floor = floor,
      .best_peak = NEAP_UNPLACED,
  };
  neap_status status = tune_group(tuner, &run, error);
  placer_forget(tuner->placer);
  assert(status != NEAP_OK || placer_peak(tuner->placer) == run.best_peak);
  if (status == NEAP_OK) copy_order(members, tuner->best, count);
  return status;
}

/* ---------------------------------------------------------------- merging */

/* A counting sort by risk (doc/tuner.md, R28). */
void merge_by_risk(const gsl_permutation *order, const unsigned char *risks,
                   const size_t counts[NEAP_RISK_COUNT], gsl_permutation *merged) {
  assert(merged->size == order->size && merged->data != order->data);
  size_t next[NEAP_RISK_COUNT], begin = 0;
  for (size_t risk = NEAP_RISK_COUNT; risk-- > 0; begin += counts[risk])
    next[risk] = begin;
  assert(begin == order->size);
  for (size_t rank = 0; rank < order->size; rank++) {
    size_t buffer = order->data[rank];
    assert(risks[buffer] < NEAP_RISK_COUNT);
    merged->data[next[risks[buffer]]++] = buffer;
  }
}

/* ---------------------------------------------------------------- the reorderer */

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
 * Tunes the groups of one class, whose buffers are in `merged` from `begin` on, and writes the
 * new order there.
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
