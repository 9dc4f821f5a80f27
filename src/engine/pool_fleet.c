/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans all pools: in turns, where the run with the least work is next, or in threads, where
 * each thread takes one run after another.  Runs share no data.  Only the caller's thread uses
 * the budget: it wakes up every FLEET_WAIT_NANOSECONDS, charges the ticks of all runs, and
 * stops the threads when the budget ends.
 */
#include "engine/pool_fleet.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/thread.h"

bool pool_fleet_is_over(const struct pool_fleet *fleet) {
  for (size_t p = 0; p < fleet->count; p++)
    if (fleet->runs[p].phase != POOL_OVER) return false;
  return true;
}

/* ---------------------------------------------------------------- in turns */

bool pool_fleet_go_on(void *user, uint64_t ticks) {
  struct pool_fleet *fleet = user;
  budget_spend(fleet->budget, ticks);
  return budget_look(fleet->budget);
}

static bool comes_first(const struct pool_run *run, const struct pool_run *other) {
  if (run->has_layout != other->has_layout) return !run->has_layout;
  return run->ticks < other->ticks;
}

static neap_status step_one(struct pool_fleet *fleet, neap_error *error) {
  struct pool_run *next = NULL;
  for (size_t p = 0; p < fleet->count; p++) {
    struct pool_run *run = &fleet->runs[p];
    if (run->phase != POOL_OVER && (!next || comes_first(run, next))) next = run;
  }
  return next ? pool_run_step(next, error) : NEAP_OK;
}

/* ---------------------------------------------------------------- in threads */

/* The data that the threads share. */
struct crew {
  struct pool_fleet *fleet;
  pthread_mutex_t mutex; /* protects all members except `ticks` and `is_stopped` */
  pthread_cond_t ended;
  size_t next; /* the first run that no thread has taken */
  size_t working;
  neap_status status;
  neap_error error;
  atomic_uint_fast64_t ticks; /* the ticks of all runs */
  atomic_bool is_stopped;
};

/* Called in the threads, which must not use the budget: only the caller's thread does. */
static bool crew_goes_on(void *user, uint64_t ticks) {
  struct crew *crew = user;
  atomic_fetch_add(&crew->ticks, ticks);
  return !atomic_load(&crew->is_stopped);
}

/* The next run that is not over, or NULL. */
static struct pool_run *take_run(struct crew *crew) {
  struct pool_run *run = NULL;
  pthread_mutex_lock(&crew->mutex);
  while (!run && crew->next < crew->fleet->count) {
    run = &crew->fleet->runs[crew->next++];
    if (run->phase == POOL_OVER) run = NULL;
  }
  pthread_mutex_unlock(&crew->mutex);
  return run;
}

static void *work(void *user) {
  struct crew *crew = user;
  neap_status status = NEAP_OK;
  neap_error error = {0};
  for (struct pool_run *run = take_run(crew); run && status == NEAP_OK;
       run = status == NEAP_OK ? take_run(crew) : NULL)
    while (status == NEAP_OK && run->phase != POOL_OVER && !atomic_load(&crew->is_stopped))
      status = pool_run_step(run, &error);
  pthread_mutex_lock(&crew->mutex);
  if (status != NEAP_OK && crew->status == NEAP_OK) {
    crew->status = status;
    crew->error = error;
    atomic_store(&crew->is_stopped, true);
  }
  crew->working--;
  pthread_cond_signal(&crew->ended);
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

/* Waits for the threads, and stops them when the budget ends. */
static void watch(struct crew *crew) {
  uint64_t counted = 0;
  pthread_mutex_lock(&crew->mutex);
  while (crew->working > 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += FLEET_WAIT_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&crew->ended, &crew->mutex, &until);
    uint64_t ticks = atomic_load(&crew->ticks);
    budget_spend(crew->fleet->budget, ticks - counted);
    counted = ticks;
    if (!budget_look(crew->fleet->budget)) atomic_store(&crew->is_stopped, true);
  }
  pthread_mutex_unlock(&crew->mutex);
}

static void set_go_on(struct pool_fleet *fleet, bool (*go_on)(void *, uint64_t), void *user) {
  for (size_t p = 0; p < fleet->count; p++) {
    fleet->runs[p].task.go_on = go_on;
    fleet->runs[p].task.user = user;
  }
}

/* Starts as many threads as possible; false if none started. */
static bool start_threads(struct crew *crew, pthread_t *threads, size_t *started) {
  size_t wanted =
      crew->fleet->threads < crew->fleet->count ? crew->fleet->threads : crew->fleet->count;
  pthread_mutex_lock(&crew->mutex);
  for (*started = 0; *started < wanted; ++*started) {
    if (!thread_start(&threads[*started], work, crew)) break;
    crew->working++;
  }
  pthread_mutex_unlock(&crew->mutex);
  return *started > 0;
}

static neap_status step_all(struct pool_fleet *fleet, neap_error *error) {
  struct crew crew = {.fleet = fleet};
  size_t started = 0;
  pthread_t *threads = memory_array(fleet->threads, sizeof *threads);
  if (!threads) return error_memory(error);
  pthread_mutex_init(&crew.mutex, NULL);
  pthread_cond_init(&crew.ended, NULL);
  atomic_init(&crew.ticks, 0);
  atomic_init(&crew.is_stopped, false);
  set_go_on(fleet, crew_goes_on, &crew);
  bool ready = start_threads(&crew, threads, &started);
  if (ready) watch(&crew);
  for (size_t t = 0; t < started; t++)
    pthread_join(threads[t], NULL);
  set_go_on(fleet, pool_fleet_go_on, fleet);
  pthread_cond_destroy(&crew.ended);
  pthread_mutex_destroy(&crew.mutex);
  free(threads);
  if (!ready) return error_memory(error);
  return crew.status == NEAP_OK ? NEAP_OK : error_copy(error, &crew.error);
}

neap_status pool_fleet_step(struct pool_fleet *fleet, neap_error *error) {
  return fleet->threads > 1 ? step_all(fleet, error) : step_one(fleet, error);
}
