/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine `exact`: starts from a sorted layout, unless the task provides a layout, and then
 * searches for lower layouts until it has proven that there are none.  It starts without a
 * layout if limits and relations allow no sorted order.  Large problems without constraints are
 * searched first, because most are solved in the time of a sort, and sorted if that fails.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "search/method.h"
#include "search/race.h"
#include "tune/shuffler.h"

struct exact_state {
  const struct task *task;
  struct neap_options sort_options;
  struct task sort_task; /* for the first layout, if the task provides none */
  void *sort;
  neap_offset *first;        /* the sorted layout, until the search begins */
  struct race *race;         /* NULL until the search begins */
  struct shuffler *shuffler; /* created when no search can handle the remaining parts */
  neap_size peak;            /* of the best layout; NEAP_MAX before there is one */
  neap_size proven;          /* a lower bound */
  uint64_t turns;            /* of the search before the sorted layout */
};

static void exact_free(void *state) {
  struct exact_state *exact = state;
  if (!exact) return;
  if (exact->sort) engine_sort.free(exact->sort);
  free(exact->first);
  race_free(exact->race);
  shuffler_free(exact->shuffler);
  free(exact);
}

/* The capacity, if any layout within it is enough; -1: the lowest layout is required. */
static neap_size enough_for(const struct neap_options *options) {
  return options->value[OPTION_UNTIL_FITS] ? options->value[OPTION_CAPACITY] : -1;
}

static neap_status begin_search(struct exact_state *exact, neap_error *error) {
  const struct task *task = exact->task;
  const neap_offset *incumbent = exact->first ? exact->first : task->incumbent;
  struct minimiser_task search = {
      .problem = task->problem,
      .sections = task->sections,
      .incumbent = incumbent,
      .lower_bound = exact->proven,
      .capacity = enough_for(task->options),
      .rules = method_rules_without((uint64_t)task->options->value[OPTION_DISABLE]),
      .seed = (uint64_t)task->options->value[OPTION_SEED],
      .turns = exact->turns,
      .budget = task->budget};
  neap_status status = race_new(&exact->race, &search, options_threads(task->options), error);
  /* Without an incumbent, the first layout is a round, no matter what finds it. */
  if (status == NEAP_OK) exact->peak = incumbent ? race_peak(exact->race) : NEAP_MAX;
  free(exact->first);
  exact->first = NULL;
  return status;
}

static neap_status begin_sort(struct exact_state *exact, neap_error *error) {
  assert(!exact->task->incumbent);
  exact->sort_options = *exact->task->options;
  exact->sort_options.order_given = true;
  exact->sort_task = *exact->task;
  exact->sort_task.options = &exact->sort_options;
  return engine_sort.start(&exact->sort_task, &exact->sort, error);
}

static neap_status exact_start(const struct task *task, void **state, neap_error *error) {
  struct exact_state *exact = memory_array(1, sizeof *exact);
  if (!exact) return error_memory(error);
  exact->task = task;
  exact->proven = task->bound.lower_bound;
  bool sorts = !task->incumbent && !task_skips_sort(task);
  neap_status status = sorts ? begin_sort(exact, error) : begin_search(exact, error);
  if (status == NEAP_OK) *state = exact;
  else exact_free(exact);
  return status;
}

/* Keeps a layout, if there is one, for the next search. */
static neap_status keep_layout(struct exact_state *exact, const neap_offset *offsets,
                               neap_error *error) {
  size_t count = exact->task->problem->count;
  if (!offsets) return NEAP_OK;
  exact->first = memory_array(count, sizeof *exact->first);
  if (!exact->first) return error_memory(error);
  if (count > 0) memcpy(exact->first, offsets, count * sizeof *exact->first);
  return NEAP_OK;
}

/* Makes the first layout and ends the sort: with the search, it would double the memory. */
static neap_status make_first_layout(struct exact_state *exact, struct step *step,
                                     neap_error *error) {
  neap_status status = engine_sort.step(exact->sort, step, error);
  if (status == NEAP_OK) status = keep_layout(exact, engine_sort.best(exact->sort), error);
  if (status != NEAP_OK) return status;
  engine_sort.free(exact->sort);
  exact->sort = NULL;
  step->stop = step->has_round && step->reason == NEAP_STOP_BOUND;
  return NEAP_OK;
}

static neap_stop_reason reason_to_stop(const struct exact_state *exact) {
  neap_size capacity = enough_for(exact->task->options);
  if (exact->peak <= exact->task->bound.bytes) return NEAP_STOP_BOUND;
  if (exact->peak <= race_lower_bound(exact->race)) return NEAP_STOP_PROVEN;
  if (capacity >= 0 && race_lower_bound(exact->race) > capacity) return NEAP_STOP_PROVEN;
  return capacity >= 0 && exact->peak <= capacity ? NEAP_STOP_CAPACITY : NEAP_STOP_COMPLETE;
}

static void end_search(struct exact_state *exact) {
  exact->proven = race_lower_bound(exact->race);
  race_free(exact->race);
  exact->race = NULL;
}

/*
 * Varies the layout as a whole, after the search ended without proof because a part is too
 * large or too high for it.  The search continues if another part has become the highest.
 */
static neap_status shuffle(struct exact_state *exact, neap_error *error) {
  const struct task *task = exact->task;
  neap_status status = NEAP_OK;
  if (!exact->shuffler)
    status = shuffler_new(&exact->shuffler, task->problem,
                          (uint64_t)task->options->value[OPTION_SEED], task->budget, error);
  if (status == NEAP_OK)
    status = shuffler_step(exact->shuffler, race_offsets(exact->race), error);
  if (status == NEAP_OK) race_adopt(exact->race, shuffler_offsets(exact->shuffler));
  task->budget->restarts++;
  return status == NEAP_INFEASIBLE ? NEAP_OK : status;
}

/* Sorts, because the search has found no first layout. */
static neap_status sort_instead(struct exact_state *exact, neap_error *error) {
  exact->turns = 2;  /* the search's, and one that would rank by size */
  end_search(exact); /* the sort needs the memory */
  return begin_sort(exact, error);
}

/* A lower layout counts as a round. */
static void take_peak(struct exact_state *exact, struct step *step) {
  neap_size peak = race_peak(exact->race);
  /* The bound may be higher, because it also counts empty buffers at fixed offsets. */
  assert(peak <= exact->peak);
  step->has_round = step->round.improved = peak < exact->peak;
  step->round.peak = exact->peak = peak;
}

static neap_status exact_step(void *state, struct step *step, neap_error *error) {
  struct exact_state *exact = state;
  if (exact->sort) return make_first_layout(exact, step, error);
  neap_status status = exact->race ? NEAP_OK : begin_search(exact, error);
  if (status == NEAP_OK) status = race_step(exact->race, &step->stop, error);
  if (status != NEAP_OK) return status;
  take_peak(exact, step);
  if (!step->stop) return NEAP_OK;
  step->reason = reason_to_stop(exact);
  if (step->reason != NEAP_STOP_COMPLETE) return NEAP_OK;
  step->stop = false;
  /* The round is reported before the next one begins, because that may exhaust the budget. */
  if (step->has_round) return NEAP_OK;
  if (!race_offsets(exact->race) && task_skips_sort(exact->task))
    return sort_instead(exact, error);
  status = shuffle(exact, error);
  if (status == NEAP_OK && exact->race) take_peak(exact, step);
  return status;
}

static const neap_offset *exact_best(const void *state) {
  const struct exact_state *exact = state;
  return exact->race ? race_offsets(exact->race) : exact->first;
}

static neap_size exact_lower_bound(const void *state) {
  const struct exact_state *exact = state;
  return exact->race ? race_lower_bound(exact->race) : exact->proven;
}

static void exact_adopt(void *state, const neap_offset *offsets) {
  struct exact_state *exact = state;
  if (!exact->race) return;
  race_adopt(exact->race, offsets);
  exact->peak = race_peak(exact->race);
}

const struct engine engine_exact = {
    .info = {.name = "exact",
             .summary = "search cell by cell for the optimum; when stopped early, report a "
                        "proven lower bound"},
    .start = exact_start,
    .step = exact_step,
    .best = exact_best,
    .lower_bound = exact_lower_bound,
    .free = exact_free,
    .adopt = exact_adopt,
};
