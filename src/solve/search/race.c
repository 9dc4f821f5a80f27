/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run time of a search with restarts varies widely by chance, so several searches with
 * different seeds run at once, and the first to finish ends the race (algorithm portfolios,
 * Gomes and Selman 2001).  The first search runs in the caller's thread and follows the course
 * that it would take alone, and only its work counts, so more threads never delay a result:
 *
 *     caller   ── first ──┬── first ── tune ── first ── first ──┬──►
 *     threads             ├── helper ───────────────────────────┤
 *                         └── helper ───────────────────────────┘
 *                   head start                            one is done
 *
 * Helpers join once the first search has worked for a while, because most problems are solved
 * before.  They have the lowest priority, so they take only what other work leaves idle.  After
 * each restart, a search publishes any improvement.  It imports bounds but not layouts, which
 * would pull it off its own course.  The race ends when the best layout meets the best lower
 * bound, whichever searches found them.  A helper that fails, for instance for lack of memory,
 * leaves the race.
 */
#include "search/race.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/thread.h"

struct helper {
  struct race *race;
  struct minimiser_task task;
  struct budget budget; /* without limits; the race cancels it */
  pthread_t thread;
};

struct race {
  struct minimiser_task task;
  struct minimiser *first;
  struct budget budget;   /* of the first search, if it may get helpers */
  uint64_t restarts;      /* of the first search, already added to the task's budget */
  struct helper *helpers; /* NULL before they join */
  size_t wanted, running; /* helpers */
  neap_offset *start; /* the layout that helpers start from, like the first search; or NULL */
  neap_offset *offsets;   /* the layout that the caller sees between steps */
  neap_size peak, lower_bound;

  pthread_mutex_t mutex; /* protects the scoreboard, which follows */
  bool is_over;
  neap_offset *score; /* the best layout */
  neap_size score_peak, score_lower_bound;
};

/* ---------------------------------------------------------------- the scoreboard */

/* Whether the best layout is as low as it can be or has to be, or no layout is low enough. */
static bool is_decided(const struct race *race) {
  neap_size capacity = race->task.capacity;
  return race->score_peak <= race->score_lower_bound || race->score_peak <= capacity ||
         (capacity >= 0 && race->score_lower_bound > capacity);
}

/*
 * Publishes the improvements of a search, and imports a higher lower bound.  Ends the race if it
 * is decided.  The mutex is held.
 */
static void exchange(struct race *race, struct minimiser *minimiser) {
  neap_size peak = minimiser_peak(minimiser), lower = minimiser_lower_bound(minimiser);
  if (peak < race->score_peak) {
    memcpy(race->score, minimiser_offsets(minimiser),
           race->task.problem->count * sizeof *race->score);
    race->score_peak = peak;
  }
  if (lower > race->score_lower_bound) race->score_lower_bound = lower;
  else minimiser_raise(minimiser, race->score_lower_bound);
  race->is_over = race->is_over || is_decided(race);
  if (race->is_over) budget_cancel(&race->budget);
}

/* Exchanges the results of the first search, and copies the scoreboard for the caller. */
static bool share(struct race *race) {
  pthread_mutex_lock(&race->mutex);
  exchange(race, race->first);
  assert(race->score_peak <= race->peak && race->score_lower_bound >= race->lower_bound);
  if (race->score_peak < race->peak)
    memcpy(race->offsets, race->score, race->task.problem->count * sizeof *race->offsets);
  race->peak = race->score_peak;
  race->lower_bound = race->score_lower_bound;
  bool is_over = race->is_over;
  pthread_mutex_unlock(&race->mutex);
  return is_over;
}

/* ---------------------------------------------------------------- helpers */

static bool helper_step(struct helper *helper, struct minimiser *minimiser) {
  bool done = false;
  neap_error error;
  if (minimiser_step(minimiser, &done, &error) != NEAP_OK) return false;
  pthread_mutex_lock(&helper->race->mutex);
  exchange(helper->race, minimiser);
  done = done || helper->race->is_over;
  pthread_mutex_unlock(&helper->race->mutex);
  return !done;
}

static void *help(void *user) {
  struct helper *helper = user;
  struct minimiser *minimiser = NULL;
  neap_error error;
#ifdef __linux__ /* which has priorities for threads */
  setpriority(PRIO_PROCESS, 0, 19);
#endif
  if (minimiser_new(&minimiser, &helper->task, &error) != NEAP_OK) return NULL;
  while (helper_step(helper, minimiser)) {
  }
  minimiser_free(minimiser);
  return NULL;
}

/* After the head start.  Without memory or threads, there are fewer helpers. */
static void start_helpers(struct race *race) {
  uint64_t ticks = RACE_HEAD_START + RACE_HEAD_START_PER_BUFFER * race->task.problem->count;
  if (race->wanted == 0 || race->helpers || race->budget.ticks < ticks) return;
  race->helpers = memory_array(race->wanted, sizeof *race->helpers);
  bool starts = race->helpers;
  while (starts && race->running < race->wanted) {
    struct helper *helper = &race->helpers[race->running];
    *helper = (struct helper){.race = race, .task = race->task};
    helper->task.variant = race->running + 1;
    helper->task.incumbent = race->start;
    helper->task.budget = &helper->budget;
    budget_init(&helper->budget, 0, 0);
    starts = thread_start(&helper->thread, help, helper);
    if (starts) race->running++;
  }
}

static void end_helpers(struct race *race) {
  for (size_t i = 0; i < race->running; i++)
    budget_cancel(&race->helpers[i].budget);
  for (size_t i = 0; i < race->running; i++)
    pthread_join(race->helpers[i].thread, NULL);
  free(race->helpers);
  race->helpers = NULL;
  race->running = race->wanted = 0;
}

/* ---------------------------------------------------------------- starting and ending */

/* A copy of the layout that the race starts from, or room for one; NULL when memory is short. */
static neap_offset *copy_start(const struct race *race) {
  const struct minimiser_task *task = &race->task;
  neap_offset *copy = memory_array(task->problem->count, sizeof *copy);
  if (copy && task->incumbent)
    memcpy(copy, task->incumbent, task->problem->count * sizeof *copy);
  return copy;
}

/* Prepares for helpers. */
static neap_status make_board(struct race *race, size_t threads, neap_error *error) {
  race->wanted = threads - 1;
  race->offsets = copy_start(race);
  race->score = copy_start(race);
  if (race->task.incumbent) race->start = copy_start(race);
  budget_init_within(&race->budget, race->task.budget, 0);
  bool is_short = !race->offsets || !race->score || (race->task.incumbent && !race->start);
  return is_short ? error_memory(error) : NEAP_OK;
}

neap_status race_new(struct race **race, const struct minimiser_task *task, size_t threads,
                     neap_error *error) {
  struct race *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  struct minimiser_task first = *task;
  made->task = *task;
  made->lower_bound = made->score_lower_bound = task->lower_bound;
  pthread_mutex_init(&made->mutex, NULL);
  neap_status status = threads > 1 ? make_board(made, threads, error) : NEAP_OK;
  if (threads > 1) first.budget = &made->budget;
  if (status == NEAP_OK) status = minimiser_new(&made->first, &first, error);
  if (status == NEAP_OK) made->peak = made->score_peak = minimiser_peak(made->first);
  if (status == NEAP_OK) *race = made;
  else race_free(made);
  return status;
}

void race_free(struct race *race) {
  if (!race) return;
  end_helpers(race);
  minimiser_free(race->first);
  pthread_mutex_destroy(&race->mutex);
  free(race->start);
  free(race->offsets);
  free(race->score);
  free(race);
}

/* ---------------------------------------------------------------- stepping */

/* One restart of the first search, whose work is added to the task's budget. */
static neap_status step_first(struct race *race, bool *done, neap_error *error) {
  neap_status status = minimiser_step(race->first, done, error);
  budget_look(&race->budget);
  race->task.budget->restarts += race->budget.restarts - race->restarts;
  race->restarts = race->budget.restarts;
  return status;
}

neap_status race_step(struct race *race, bool *done, neap_error *error) {
  if (!race->score) return minimiser_step(race->first, done, error);
  neap_status status = step_first(race, done, error);
  if (status != NEAP_OK && status != NEAP_NO_PLAN) return status;
  if (share(race)) {
    *done = true;
    return NEAP_OK;
  }
  if (*done) { /* no search can go on, so the caller varies the layout */
    end_helpers(race);
    if (race->peak != NEAP_MAX) minimiser_adopt(race->first, race->offsets);
  }
  if (status == NEAP_OK) start_helpers(race);
  return status;
}

void race_adopt(struct race *race, const neap_offset *offsets) {
  minimiser_adopt(race->first, offsets);
  if (race->score) share(race);
}

const neap_offset *race_offsets(const struct race *race) {
  if (!race->score) return minimiser_offsets(race->first);
  return race->peak == NEAP_MAX ? NULL : race->offsets;
}

neap_size race_peak(const struct race *race) {
  return race->score ? race->peak : minimiser_peak(race->first);
}

neap_size race_lower_bound(const struct race *race) {
  return race->score ? race->lower_bound : minimiser_lower_bound(race->first);
}
