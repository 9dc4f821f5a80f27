/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After a plan has placed most buffers, the runtime places the remaining buffers itself: in a
 * fixed order, each at the lowest offset that is free throughout its lifetime.  If the layout
 * ignores this, two of these buffers that are alive together may take each other's place and
 * end higher than planned.
 *
 * Let g be the offsets that the runtime chooses if there are no other buffers.  If a plan keeps
 * these places free, the runtime still chooses g: other buffers only occupy further bytes, and
 * lower offsets were not free even without them.  So the runtime reproduces any layout in which
 * g is fixed.
 *
 *     bytes
 *       ^  +---------+
 *       |  |  plan   |---+        g are the offsets of A, B and C without the rest;
 *       |  +-----+---+-+ |        the plan fills what they leave.
 *       |  |plan | C |   |
 *       |  +--+--+---+---+
 *       |  |  |    B     |
 *       |  +--+------+---+
 *       |  |    A    |
 *       +--+---------+---> time
 *
 * Fixing g restricts the layout.  So a second search fixes the offsets that the runtime chose
 * around an earlier layout.  In the new layout the runtime may choose other offsets, so its
 * buffers are placed again to find out.  Finally, a hill climb through orders: the planned
 * buffers are placed as low as possible, one after another, and then those of the runtime.  A
 * move shifts one buffer to another place in the order, and is undone if the peak rises.  The
 * climb ignores relations, so problems in which relations bind only get the searches.
 */
#include "engine/planner.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"
#include "model/groups.h"
#include "neap/neap.h"
#include "runtimes/online.h"

struct surround {
  const struct neap_problem *problem;
  struct neap_options options; /* for a search */
  struct budget *budget;
  surround_pack *pack;
  neap_size goal, peak; /* of the best layout */
  neap_offset *best;
  bool *is_online; /* per buffer */
};

static void find_online(struct surround *state) {
  const struct names *names = &state->problem->runtime.names;
  for (size_t r = 0; r < names->count; r++) {
    const char *name = names_text(names, r);
    size_t buffer = names_find(&state->problem->names, name, strlen(name));
    if (buffer != NAMES_NONE && state->problem->buffers[buffer].fixed_offset == NEAP_UNPLACED)
      state->is_online[buffer] = true;
  }
}

/* Copies all relations.  No relation that binds concerns the runtime's buffers. */
static neap_status copy_relations(const struct surround *state, neap_problem *made,
                                  neap_error *error) {
  const neap_relation *relation = NULL;
  neap_status status = NEAP_OK;
  while (status == NEAP_OK &&
         (relation = problem_next_relation(state->problem, RELATION_ANY, relation)))
    status = neap_problem_relate(made, relation, error);
  if (status != NEAP_OK) return status;
  return problem_copy_groups(made, state->problem, RELATION_ANY, NULL, error);
}

/*
 * Makes a problem in which the runtime's buffers are fixed at `offsets`; without `offsets`, a
 * problem of these buffers alone.
 */
static neap_status make_problem(const struct surround *state, const neap_offset *offsets,
                                neap_problem **made, neap_error *error) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  *made = neap_problem_new();
  neap_status status = *made ? NEAP_OK : error_memory(error);
  for (size_t i = 0; status == NEAP_OK && neap_problem_buffer_at(state->problem, i, &buffer);
       i++) {
    if (!offsets && !state->is_online[i]) continue;
    if (offsets && state->is_online[i]) buffer.fixed_offset = offsets[i];
    status = neap_problem_add(*made, &buffer, error);
  }
  return status == NEAP_OK && offsets ? copy_relations(state, *made, error) : status;
}

/* Finds the offsets that the runtime chooses without other buffers. */
static neap_status place_alone(const struct surround *state, neap_offset *offsets,
                               neap_error *error) {
  neap_problem *problem;
  neap_status status = make_problem(state, NULL, &problem, error);
  neap_offset *alone = status == NEAP_OK ? memory_array(problem->count, sizeof *alone) : NULL;
  if (status == NEAP_OK && !alone) status = error_memory(error);
  for (size_t i = 0; status == NEAP_OK && i < problem->count; i++)
    alone[i] = NEAP_UNPLACED;
  if (status == NEAP_OK) status = online_place(problem, alone, error);
  for (size_t i = 0, a = 0; status == NEAP_OK && i < state->problem->count; i++)
    if (state->is_online[i]) offsets[i] = alone[a++];
  free(alone);
  neap_problem_free(problem);
  return status;
}

static bool has_work(const struct surround *state) {
  return state->peak > state->goal && budget_look(state->budget);
}

/* Plans the other buffers around the fixed ones; *found is set if there is a plan. */
static neap_status plan_others(const struct surround *state, neap_offset *offsets, bool *found,
                               neap_error *error) {
  neap_problem *problem;
  neap_status status = make_problem(state, offsets, &problem, error);
  if (status == NEAP_OK)
    status = state->pack(problem, &state->options, state->budget, offsets, error);
  *found = status == NEAP_OK;
  neap_problem_free(problem);
  return status == NEAP_NO_PLAN || status == NEAP_INFEASIBLE || status == NEAP_ERROR_INPUT
             ? NEAP_OK
             : status;
}

/* Keeps a layout that is lower than the best one. */
static void keep(struct surround *state, const neap_offset *offsets, neap_size peak) {
  if (peak >= state->peak) return;
  state->peak = peak;
  memcpy(state->best, offsets, state->problem->count * sizeof *offsets);
}

static int by_offset(const void *left, const void *right, void *offsets) {
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const neap_offset *of = offsets;
  if (of[a] != of[b]) return of[a] < of[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/*
 * Searches with the runtime's buffers fixed at `offsets`, which then receive the layout that
 * was found.
 */
static neap_status search(struct surround *state, neap_offset *offsets, bool *found,
                          neap_error *error) {
  size_t count;
  neap_status status = plan_others(state, offsets, found, error);
  if (status == NEAP_OK && *found)
    status = online_settle(state->problem, offsets, &count, error);
  if (status != NEAP_OK || !*found) return status;
  keep(state, offsets, problem_peak(state->problem, offsets));
  return NEAP_OK;
}

/* Starts from the runtime's offsets in the given layout, or from those without other buffers. */
static neap_status search_from(struct surround *state, bool is_given, neap_offset *offsets,
                               neap_error *error) {
  bool found = true;
  neap_status status = NEAP_OK;
  if (!is_given) status = place_alone(state, offsets, error);
  for (int s = 0; s < SURROUND_SEARCHES_MOST && found && status == NEAP_OK && has_work(state);
       s++)
    status = search(state, offsets, &found, error);
  return status;
}

/* ---------------------------------------------------------------- the climb */

/*
 * Lists the buffers that the plan places, by ascending offset in the best layout; returns their
 * number.
 */
static size_t list_others(const struct surround *state, size_t *order) {
  size_t count = 0;
  for (size_t i = 0; i < state->problem->count; i++)
    if (!state->is_online[i] && state->problem->buffers[i].fixed_offset == NEAP_UNPLACED)
      order[count++] = i;
  if (count > 0) qsort_r(order, count, sizeof *order, by_offset, state->best);
  return count;
}

/* Moves an element of a list to another position. */
static void move(size_t *list, size_t from, size_t to) {
  size_t moved = list[from];
  if (from < to) memmove(list + from, list + from + 1, (to - from) * sizeof *list);
  else memmove(list + to + 1, list + to, (from - to) * sizeof *list);
  list[to] = moved;
}

static neap_status place_in_order(const struct surround *state, const size_t *order,
                                  size_t count, neap_offset *offsets, neap_error *error) {
  for (size_t i = 0; i < state->problem->count; i++)
    offsets[i] = state->problem->buffers[i].fixed_offset;
  return online_place_after(state->problem, order, count, offsets, error);
}

static neap_status climb(struct surround *state, size_t *order, neap_offset *offsets,
                         neap_error *error) {
  size_t count = list_others(state, order), total = state->problem->count;
  struct random random;
  neap_size present = NEAP_MAX;
  neap_status status = NEAP_OK;
  if (!random_init(&random, (uint64_t)state->options.value[OPTION_SEED]))
    return error_memory(error);
  for (size_t m = 0; count > 1 && m < SURROUND_MOVES_MOST && m < SURROUND_PLACED_MOST / total &&
                     status == NEAP_OK && has_work(state);
       m++) {
    size_t from = random_below(&random, (uint32_t)count);
    size_t to = random_below(&random, (uint32_t)count);
    if (m > 0) move(order, from, to);
    status = place_in_order(state, order, count, offsets, error);
    neap_size peak = status == NEAP_OK ? problem_peak(state->problem, offsets) : NEAP_MAX;
    if (peak > present) move(order, to, from);
    else present = peak;
    keep(state, offsets, peak);
    budget_spend(state->budget, total);
  }
  random_clear(&random);
  return status;
}

/* ---------------------------------------------------------------- the whole */

static neap_status improve(struct surround *state, neap_offset *tried, size_t *order,
                           neap_error *error) {
  neap_status status = NEAP_OK;
  if (!tried || !order || !state->is_online) return error_memory(error);
  find_online(state);
  for (int way = 0; way < 2 && status == NEAP_OK; way++) {
    memcpy(tried, state->best, state->problem->count * sizeof *tried);
    status = search_from(state, way > 0, tried, error);
  }
  if (status != NEAP_OK || problem_has(state->problem, RELATION_BINDS)) return status;
  return climb(state, order, tried, error);
}

neap_status surround(const struct surrounding *surrounding, neap_offset *offsets,
                     neap_error *error) {
  size_t count = surrounding->problem->count, online_count;
  neap_status status = online_settle(surrounding->problem, offsets, &online_count, error);
  if (status != NEAP_OK || online_count == 0) return status;
  struct surround state = {.problem = surrounding->problem,
                           .options = *surrounding->options,
                           .budget = surrounding->budget,
                           .pack = surrounding->pack,
                           .goal = surrounding->goal,
                           .peak = problem_peak(surrounding->problem, offsets),
                           .best = offsets};
  if (!has_work(&state)) return NEAP_OK;
  state.options.value[OPTION_MAX_TICKS] = SURROUND_TICKS_MOST;
  state.options.value[OPTION_CAPACITY] = -1;
  state.options.value[OPTION_UNTIL_FITS] = 0;
  state.options.value[OPTION_THREADS] = 1;
  neap_offset *tried = memory_array(count, sizeof *tried);
  size_t *order = memory_array(count, sizeof *order);
  state.is_online = memory_array(count, sizeof *state.is_online);
  status = improve(&state, tried, order, error);
  free(order);
  free(tried);
  free(state.is_online);
  return status;
}
