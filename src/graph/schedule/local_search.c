/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A local search over orders.  Each step rearranges a window of the order while all other operators
 * stay in place:
 *
 *     [  others  ][   window, with the operator that has the peak   ][  others  ]
 *
 * Length and place of the window are random; short windows are tried more often, because searching
 * them takes less time and succeeds as often.  Either an exact search (schedule/sets) looks for a
 * lower peak, with few visits, or a beam with noise (schedule/beam) does.  A beam also returns
 * other orders of the same peak, which the search accepts, so that it does not stay where it began.
 *
 * The beam does not distinguish peaks up to a floor, which lies anywhere from the lower bound
 * to just below the present peak: with a high floor, the beam prefers states with few bytes
 * alive, whatever their peak so far.
 *
 * After REFINE_PATIENCE steps in vain, a beam may also return an order with a higher peak, from
 * which the search goes on.  If that is in vain, too, the search returns to the best order.
 *
 * A step takes O(operators + dependences) time, plus its search, whose work is limited.
 */
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"
#include "schedule/beam.h"
#include "schedule/sets.h"

struct refiner {
  struct prove_task *task;
  size_t *order; /* the present order; the task has the best one */
  neap_size peak;
  size_t vain; /* steps in sequence that have not lowered the peak */
  struct costs_walk walk;
  neap_size *moments; /* per position: the bytes alive while its operator runs */
  size_t *local, *place;
  struct random random;
};

/* The operators to rearrange, and an order in the segment's numbering, if one was found. */
struct window {
  struct segment segment;
  size_t begin, end; /* positions in the order */
  neap_size peak;
  neap_size most; /* the highest peak to accept */
  size_t *found;
};

/* ---------------------------------------------------------------- windows */

/* Passes operators, from where the walk is, up to position `end`. */
static void pass_to(struct refiner *refiner, size_t end) {
  struct costs_walk *walk = &refiner->walk;
  while (walk->passed < end) {
    size_t at = walk->passed;
    walk->peak = walk->live;
    costs_walk_pass(walk, refiner->order[at]);
    refiner->moments[at] = walk->peak;
  }
}

static size_t highest_moment(const struct refiner *refiner) {
  size_t highest = 0;
  for (size_t at = 1; at < refiner->task->costs->count; at++)
    if (refiner->moments[at] > refiner->moments[highest]) highest = at;
  return highest;
}

/* Chooses a window with the highest moment in it. */
static void choose_window(struct refiner *refiner, struct window *window) {
  size_t count = refiner->task->costs->count, at = highest_moment(refiner);
  uint32_t doublings = 0;
  while (doublings < REFINE_WINDOW_DOUBLINGS && random_below(&refiner->random, 2) == 0)
    doublings++;
  size_t length = (size_t)REFINE_WINDOW_LEAST << doublings;
  size_t before = random_below(&refiner->random, (uint32_t)length);
  window->begin = at > before ? at - before : 0;
  window->end = length < count - window->begin ? window->begin + length : count;
  window->peak = window->most = refiner->moments[at];
  assert(window->begin <= at && at < window->end);
}

static bool cut_window(struct refiner *refiner, struct window *window) {
  struct prove_task *task = refiner->task;
  costs_walk_to(&refiner->walk, refiner->order, window->begin);
  return segment_init(&window->segment, task->costs, refiner->order, window->begin, window->end,
                      refiner->walk.live, refiner->walk.left, refiner->local, refiner->place);
}

/* ---------------------------------------------------------------- searches */

static bool search_exactly(struct refiner *refiner, struct window *window) {
  struct prove_task *task = refiner->task;
  struct sets_result result;
  struct budget part;
  budget_init_within(&part, task->budget, REFINE_VISITS);
  bool has_room = sets_search(&(struct sets_task){.segment = &window->segment,
                                                  .peak = window->peak,
                                                  .floor = task->least,
                                                  .memory = task->memory,
                                                  .patience = DEAD_ENDS_VISITS_FIRST,
                                                  .budget = &part},
                              &result);
  budget_look(&part);
  window->found = result.order;
  return has_room;
}

/* A random part of a number of bytes; small parts are as likely as large ones. */
static neap_size draw_part(struct refiner *refiner, neap_size bytes) {
  return bytes >> random_below(&refiner->random, REFINE_SHIFTS_MOST + 1);
}

static bool search_with_noise(struct refiner *refiner, struct window *window) {
  struct prove_task *task = refiner->task;
  neap_size room = draw_part(refiner, window->peak - task->least);
  struct beam_task beam = {.segment = &window->segment,
                           .limit = window->most < NEAP_MAX ? window->most + 1 : NEAP_MAX,
                           .floor = window->peak - room,
                           .work = REFINE_WORK_OF_BEAM,
                           .budget = task->budget,
                           .noise = draw_part(refiner, window->peak)};
  struct beam_result result;
  beam.width = (size_t)1 << random_below(&refiner->random, REFINE_WIDTH_DOUBLINGS + 1);
  beam.seed = random_below(&refiner->random, INT32_MAX);
  bool has_room = beam_run(&beam, &result);
  budget_spend(task->budget, result.work / REFINE_WORK_OF_TICK + 1);
  window->found = result.order;
  return has_room;
}

/* ---------------------------------------------------------------- steps */

static void copy_order(const struct refiner *refiner, size_t *to, const size_t *from) {
  memcpy(to, from, refiner->task->costs->count * sizeof *to);
}

/* Notes the peak of the present order, which is passed up to `at`. */
static void note_peak(struct refiner *refiner) {
  struct prove_task *task = refiner->task;
  neap_size peak = refiner->moments[highest_moment(refiner)];
  refiner->vain = peak < refiner->peak ? 0 : refiner->vain + 1;
  refiner->peak = peak;
  if (peak >= task->peak) return;
  task->peak = peak;
  copy_order(refiner, task->order, refiner->order);
}

static void start(struct refiner *refiner) {
  copy_order(refiner, refiner->order, refiner->task->order);
  costs_walk_start(&refiner->walk);
  pass_to(refiner, refiner->task->costs->count);
  refiner->peak = refiner->task->peak;
  refiner->vain = 0;
}

static void apply_window(struct refiner *refiner, struct window *window) {
  segment_reorder(refiner->order + window->begin, window->end - window->begin, window->found,
                  refiner->place);
  pass_to(refiner, window->end);
}

/* False if memory is short; the order counts even then. */
static bool take_step(struct refiner *refiner) {
  struct window window = {.found = NULL};
  bool leaves = refiner->vain >= REFINE_PATIENCE;
  if (leaves && refiner->peak > refiner->task->peak) start(refiner);
  choose_window(refiner, &window);
  if (leaves) {
    refiner->vain = 0;
    window.most += draw_part(refiner, window.peak < NEAP_MAX / 2 ? window.peak : 0);
  }
  bool has_room = cut_window(refiner, &window);
  if (has_room)
    has_room = !leaves && random_below(&refiner->random, REFINE_EXACT_EVERY) == 0
                   ? search_exactly(refiner, &window)
                   : search_with_noise(refiner, &window);
  if (has_room && window.found) apply_window(refiner, &window);
  if (has_room) note_peak(refiner);
  free(window.found);
  segment_clear(&window.segment);
  return has_room;
}

static bool init(struct refiner *refiner) {
  const struct costs *costs = refiner->task->costs;
  refiner->order = memory_array(costs->count, sizeof *refiner->order);
  refiner->moments = memory_array(costs->count, sizeof *refiner->moments);
  refiner->local = memory_array(costs->value_count, sizeof *refiner->local);
  refiner->place = memory_array(costs->count, sizeof *refiner->place);
  return costs_walk_init(&refiner->walk, costs) && refiner->order && refiner->moments &&
         refiner->local && refiner->place;
}

neap_status refine_order(struct prove_task *task, uint64_t seed, neap_error *error) {
  struct refiner refiner = {.task = task};
  if (!random_init(&refiner.random, seed)) return error_memory(error);
  bool has_room = init(&refiner);
  if (has_room) start(&refiner);
  while (has_room && task->peak > task->least && budget_look(task->budget))
    has_room = take_step(&refiner);
  costs_walk_clear(&refiner.walk);
  free(refiner.order);
  free(refiner.moments);
  free(refiner.local);
  free(refiner.place);
  random_clear(&refiner.random);
  return has_room ? NEAP_OK : error_memory(error);
}
