/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run time of a search with restarts varies widely by chance, so several runners with
 * different seeds search at once, and the first to finish ends the race (algorithm portfolios,
 * Gomes and Selman 2001).  The first runner follows the course that it would take alone, so
 * more threads never delay a result.  After each restart, a runner publishes any improvement.
 * It imports bounds but not layouts, which would pull it off its own course.  The race ends
 * when the best layout meets the best lower bound, whichever runners found them.  It also ends
 * when a runner fails, for instance for lack of memory; a failed restart proves nothing.
 */
#include "search/race.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/thread.h"

struct runner {
  struct race *race;
  struct minimiser *minimiser;
  struct budget budget; /* without limits; the race cancels it */
  pthread_t thread;
  bool is_running;          /* the thread must be joined */
  uint64_t ticks, restarts; /* as last written to the scoreboard */
  neap_error error;         /* of the step that failed */
};

struct race {
  struct minimiser_task task;
  struct minimiser *alone; /* the only minimiser if there are no threads; otherwise NULL */
  struct runner *runners;
  size_t count;
  neap_offset *offsets; /* the layout that the caller sees between steps */
  neap_size peak, lower_bound;
  uint64_t counted_ticks, counted_restarts; /* the runners' work already added to the budget */

  pthread_mutex_t mutex; /* protects the scoreboard, which follows */
  pthread_cond_t news;
  bool has_news, is_done;
  const struct runner *failed; /* the first runner that has failed, or NULL */
  neap_offset *score;          /* the best layout */
  neap_size score_peak, score_lower_bound;
};

/* ---------------------------------------------------------------- the runners */

/* Whether the best layout is as low as it can be or has to be. */
static bool is_low_enough(const struct race *race) {
  return race->score_peak <= race->score_lower_bound || race->score_peak <= race->task.capacity;
}

/* Publishes improvements on the scoreboard, and imports a higher lower bound from it. */
static void exchange_results(struct race *race, struct runner *runner) {
  struct minimiser *minimiser = runner->minimiser;
  neap_size peak = minimiser_peak(minimiser), lower = minimiser_lower_bound(minimiser);
  if (peak < race->score_peak) {
    memcpy(race->score, minimiser_offsets(minimiser),
           race->task.problem->count * sizeof *race->score);
    race->score_peak = peak;
    race->has_news = true;
  }
  if (lower > race->score_lower_bound) {
    race->score_lower_bound = lower;
    race->has_news = true;
  } else {
    minimiser_raise(minimiser, race->score_lower_bound);
  }
  assert(runner->ticks <= runner->budget.ticks);
  runner->ticks = runner->budget.ticks;
  runner->restarts = runner->budget.restarts;
}

/* Reports a step to the scoreboard, whose mutex is held; true when the runner should stop. */
static bool report_step(struct runner *runner, neap_status status, bool done) {
  struct race *race = runner->race;
  if (status == NEAP_OK) {
    exchange_results(race, runner);
    race->is_done = race->is_done || done || is_low_enough(race);
  } else if (status != NEAP_NO_PLAN && !race->failed) {
    race->failed = runner;
  }
  bool is_over = race->is_done || race->failed;
  if (race->has_news || is_over) pthread_cond_signal(&race->news);
  return is_over || status != NEAP_OK;
}

static void *run_steps(void *user) {
  struct runner *runner = user;
  bool stop = false;
  while (!stop) {
    bool done = false;
    neap_status status = minimiser_step(runner->minimiser, &done, &runner->error);
    pthread_mutex_lock(&runner->race->mutex);
    stop = report_step(runner, status, done);
    pthread_mutex_unlock(&runner->race->mutex);
  }
  return NULL;
}

/* ---------------------------------------------------------------- starting and ending */

static neap_status start_runner(struct race *race, size_t index, neap_error *error) {
  assert(index < race->count);
  struct runner *runner = &race->runners[index];
  struct minimiser_task task = race->task;
  runner->race = race;
  budget_init(&runner->budget, 0, 0);
  task.budget = &runner->budget;
  task.variant = index;
  neap_status status = minimiser_new(&runner->minimiser, &task, error);
  if (status != NEAP_OK) return status;
  if (index == 0) race->peak = race->score_peak = minimiser_peak(runner->minimiser);
  if (!thread_start(&runner->thread, run_steps, runner)) return error_memory(error);
  runner->is_running = true;
  return NEAP_OK;
}

static neap_status start_runners(struct race *race, size_t threads, neap_error *error) {
  const struct minimiser_task *task = &race->task;
  if (threads <= 1) return minimiser_new(&race->alone, task, error);
  size_t count = task->problem->count;
  race->runners = memory_array(threads, sizeof *race->runners);
  race->offsets = memory_array(count, sizeof *race->offsets);
  race->score = memory_array(count, sizeof *race->score);
  if (!race->runners || !race->offsets || !race->score) return error_memory(error);
  if (task->incumbent) {
    memcpy(race->offsets, task->incumbent, count * sizeof *race->offsets);
    memcpy(race->score, task->incumbent, count * sizeof *race->score);
  }
  race->count = threads;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < threads && status == NEAP_OK; i++)
    status = start_runner(race, i, error);
  return status;
}

neap_status race_new(struct race **race, const struct minimiser_task *task, size_t threads,
                     neap_error *error) {
  struct race *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->task = *task;
  made->lower_bound = made->score_lower_bound = task->lower_bound;
  pthread_mutex_init(&made->mutex, NULL);
  pthread_cond_init(&made->news, NULL);
  neap_status status = start_runners(made, threads, error);
  if (status == NEAP_OK) *race = made;
  else race_free(made);
  return status;
}

void race_free(struct race *race) {
  if (!race) return;
  for (size_t i = 0; i < race->count; i++)
    if (race->runners[i].is_running) budget_cancel(&race->runners[i].budget);
  for (size_t i = 0; i < race->count; i++) {
    if (race->runners[i].is_running) pthread_join(race->runners[i].thread, NULL);
    minimiser_free(race->runners[i].minimiser);
  }
  minimiser_free(race->alone);
  pthread_cond_destroy(&race->news);
  pthread_mutex_destroy(&race->mutex);
  free(race->runners);
  free(race->offsets);
  free(race->score);
  free(race);
}

/* ---------------------------------------------------------------- watching */

static void wait_for_news(struct race *race) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += RACE_WAIT_NANOSECONDS;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  while (!race->has_news && !race->is_done && !race->failed)
    if (pthread_cond_timedwait(&race->news, &race->mutex, &until) != 0) return;
}

/* Copies the scoreboard, whose mutex is held, for the caller. */
static void read_score(struct race *race) {
  struct budget *budget = race->task.budget;
  race->has_news = false;
  assert(race->score_peak <= race->peak && race->score_lower_bound >= race->lower_bound);
  if (race->score_peak < race->peak)
    memcpy(race->offsets, race->score, race->task.problem->count * sizeof *race->offsets);
  race->peak = race->score_peak;
  race->lower_bound = race->score_lower_bound;
  uint64_t ticks = 0, restarts = 0;
  for (size_t i = 0; i < race->count; i++) {
    ticks += race->runners[i].ticks;
    restarts += race->runners[i].restarts;
  }
  budget->ticks += ticks - race->counted_ticks;
  budget->restarts += restarts - race->counted_restarts;
  race->counted_ticks = ticks;
  race->counted_restarts = restarts;
}

neap_status race_step(struct race *race, bool *done, neap_error *error) {
  if (race->alone) return minimiser_step(race->alone, done, error);
  pthread_mutex_lock(&race->mutex);
  wait_for_news(race);
  read_score(race);
  *done = race->is_done;
  neap_status status = race->failed ? error_copy(error, &race->failed->error) : NEAP_OK;
  pthread_mutex_unlock(&race->mutex);
  if (status == NEAP_OK && !*done && !budget_look(race->task.budget)) return NEAP_NO_PLAN;
  return status;
}

/* The layout ends the race if it is low enough; runners keep to their courses. */
static void adopt_score(struct race *race, const neap_offset *offsets) {
  neap_size peak = problem_peak(race->task.problem, offsets);
  pthread_mutex_lock(&race->mutex);
  if (peak < race->score_peak) {
    memcpy(race->score, offsets, race->task.problem->count * sizeof *race->score);
    race->score_peak = peak;
  }
  read_score(race);
  pthread_mutex_unlock(&race->mutex);
}

void race_adopt(struct race *race, const neap_offset *offsets) {
  if (race->alone) minimiser_adopt(race->alone, offsets);
  else adopt_score(race, offsets);
}

const neap_offset *race_offsets(const struct race *race) {
  if (race->alone) return minimiser_offsets(race->alone);
  return race->peak == NEAP_MAX ? NULL : race->offsets;
}

neap_size race_peak(const struct race *race) {
  if (race->alone) return minimiser_peak(race->alone);
  return race->peak;
}

neap_size race_lower_bound(const struct race *race) {
  return race->alone ? minimiser_lower_bound(race->alone) : race->lower_bound;
}
