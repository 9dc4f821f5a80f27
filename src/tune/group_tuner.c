/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop for one group (doc/tuner.md, R24 to R27): sort, place, check the goals, rearrange,
 * place again, and so on, at most `cap` times. A trial places the members of the group only,
 * since the placer can roll back to where the group began.
 *
 * The peak to watch is that of the whole container, including earlier groups (A11). If it was
 * above the bound before, this group cannot lower it, so its goal is not to raise it (A22). So
 * groups that are not the cause cost one trial each.
 */
#include "tune/group_tuner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

bool group_tuner_init(struct group_tuner *tuner, size_t largest_group) {
  history_init(&tuner->history, 0);
  tuner->rounds = 0;
  tuner->sorted = memory_array(largest_group, sizeof *tuner->sorted);
  tuner->last = memory_array(largest_group, sizeof *tuner->last);
  tuner->best = memory_array(largest_group, sizeof *tuner->best);
  tuner->next = memory_array(largest_group, sizeof *tuner->next);
  return tuner->sorted && tuner->last && tuner->best && tuner->next;
}

void group_tuner_clear(struct group_tuner *tuner) {
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
  neap_size floor; /* the peak before the group; it cannot fall */
  neap_size best_peak;
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
  run->last_is_best = peak < run->best_peak;
  if (run->last_is_best) {
    run->best_peak = peak;
    copy_order(tuner->best, tuner->last, run->trial.count);
  }
  neap_stop_reason reason;
  return goals_check(&run->goals, run->trial.tried, tuner->last, peak, stop, &reason, error);
}

/*
 * Finds an order that has not been tried and stores it in `last`; false if the group has
 * reached a fixed point or its maximum number of orders.
 */
static neap_status find_untried_order(struct group_tuner *tuner, struct run *run, bool *found,
                                      neap_error *error) {
  struct trial *trial = &run->trial;
  trial->repeated = *found = false;
  /* Proposals count as work, because many may repeat before one is new. */
  while (!*found && trial->tried < trial->cap && budget_tick(tuner->budget)) {
    enum proposal proposal = tuner->rearranger->propose(trial, tuner->next);
    if (proposal == PROPOSAL_MEMORY) return error_memory(error);
    if (proposal == PROPOSAL_NONE) return NEAP_OK;
    trial->repeated = history_has(&tuner->history, tuner->next);
    trial->tried++;
    assert(trial->tried <= trial->cap);
    *found = !trial->repeated;
    if (!*found && !tuner->rearranger->goes_on) return NEAP_OK;
  }
  if (*found) copy_order(tuner->last, tuner->next, trial->count);
  return NEAP_OK;
}

static neap_status tune_group(struct group_tuner *tuner, struct run *run, neap_error *error) {
  bool stop = false, found = true;
  neap_status status = try_last_order(tuner, run, &stop, error);
  while (status == NEAP_OK && !stop && found) {
    status = find_untried_order(tuner, run, &found, error);
    if (status == NEAP_OK && found) status = try_last_order(tuner, run, &stop, error);
  }
  if (status != NEAP_OK || run->last_is_best) return status;
  placer_rollback(tuner->placer, run->mark);
  return place_in_order(tuner, tuner->best, run->trial.count, error);
}

neap_status group_tuner_run(struct group_tuner *tuner, size_t *members, size_t count,
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
                .random = tuner->random,
                .budget = tuner->budget},
      .goals = {target, tuner->cap, &tuner->history},
      .mark = placer_mark(tuner->placer),
      .floor = floor,
      .best_peak = NEAP_MAX,
  };
  neap_status status = tune_group(tuner, &run, error);
  placer_forget(tuner->placer);
  assert(status != NEAP_OK || placer_peak(tuner->placer) == run.best_peak);
  if (status == NEAP_OK) copy_order(members, tuner->best, count);
  return status;
}
