/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes models fit an arena that their interpreters share: tails add up, and heads overlap.  Each
 * model first gets its best layout without changes.  While the models together exceed the arena,
 * each one with too high a head is fitted into the space that the other tails leave.  This may
 * lengthen its own tail, so it is repeated.  The combination with the smallest arena wins: for each
 * possible height of the heads, every model takes its shortest tail.
 */
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "models/needs.h"
#include "models/open.h"

#define ROUNDS 4
#define FOUND_MOST (2 * ROUNDS + 1) /* for a model */

/* The fits found for a model. */
struct candidates {
  neap_fit *fits[FOUND_MOST];
  neap_model_need needs[FOUND_MOST];
  size_t count, chosen;
};

struct shared {
  const neap_model *const *models;
  size_t count;
  neap_model_limits limits;
  struct candidates *found;
  const neap_plan **plans; /* of the chosen fits */
};

static neap_model_need need_of(const neap_fit *fit) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  neap_fit_get_report(fit, &report);
  neap_fit_step_at(fit, report.best, &step);
  return step.need;
}

static neap_status add_fit(struct shared *shared, size_t index, neap_size capacity,
                           neap_error *error) {
  struct candidates *found = &shared->found[index];
  neap_model_limits limits = shared->limits;
  limits.capacity = larger_of(capacity, 1);
  neap_status status =
      neap_model_fit(shared->models[index], &limits, &found->fits[found->count], error);
  if (status != NEAP_OK) return status;
  found->needs[found->count] = need_of(found->fits[found->count]);
  found->count++;
  return NEAP_OK;
}

/*
 * The candidate with the shortest tail whose head has at most `height` bytes; found->count: none.
 */
static size_t shortest_below(const struct candidates *found, neap_size height) {
  size_t best = found->count;
  for (size_t i = 0; i < found->count; i++)
    if (found->needs[i].peak <= height &&
        (best == found->count || found->needs[i].tail < found->needs[best].tail))
      best = i;
  return best;
}

/* The arena if no head exceeds a height; NEAP_MAX if that is impossible. */
static neap_size sum_below(const struct shared *shared, neap_size height) {
  neap_size sum = height;
  for (size_t i = 0; i < shared->count; i++) {
    const struct candidates *found = &shared->found[i];
    const size_t k = shortest_below(found, height);
    if (k == found->count || !checked_add(sum, found->needs[k].tail, &sum)) return NEAP_MAX;
  }
  return sum;
}

/* Chooses the combination with the smallest arena. */
static void choose(struct shared *shared) {
  neap_size height = NEAP_MAX, least = NEAP_MAX;
  for (size_t i = 0; i < shared->count; i++)
    for (size_t k = 0; k < shared->found[i].count; k++) {
      const neap_size peak = shared->found[i].needs[k].peak, sum = sum_below(shared, peak);
      if (sum < least) {
        least = sum;
        height = peak;
      }
    }
  for (size_t i = 0; i < shared->count; i++) {
    struct candidates *found = &shared->found[i];
    found->chosen = shortest_below(found, height);
    shared->plans[i] = neap_fit_plan(found->fits[found->chosen]);
  }
}

/* Adds a fit for the capacity and the cheapest one that needs less: its tail may be shorter. */
static neap_status add_lower(struct shared *shared, size_t index, neap_size less,
                             neap_size capacity, neap_error *error) {
  neap_status status = less > capacity ? add_fit(shared, index, less, error) : NEAP_OK;
  return status == NEAP_OK ? add_fit(shared, index, capacity, error) : status;
}

/* Fits each model whose head is too high for the tails; *is_done: there was none. */
static neap_status lower_all(struct shared *shared, bool *is_done, neap_error *error) {
  neap_arena arena = NEAP_INIT(neap_arena);
  neap_status status = NEAP_OK;
  if (!neap_plans_arena(shared->plans, shared->count, &arena))
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "only models for TensorFlow Lite Micro share an arena, with the same "
                     "kernels and pointers");
  *is_done = true;
  if (arena.smallest <= shared->limits.capacity) return NEAP_OK;
  for (size_t i = 0; i < shared->count && status == NEAP_OK; i++) {
    const neap_model_need *need = &shared->found[i].needs[shared->found[i].chosen];
    /* With the others' tails beside it, its own is part of all tails. */
    const neap_size capacity = need->tail + shared->limits.capacity - arena.tail;
    if (need->arena <= capacity) continue;
    *is_done = false;
    status = add_lower(shared, i, need->arena - NEAP_ARENA_STEP, capacity, error);
  }
  return status;
}

static neap_status fit_all(struct shared *shared, neap_error *error) {
  neap_status status = NEAP_OK;
  bool is_done = false;
  for (size_t i = 0; i < shared->count && status == NEAP_OK; i++)
    status = add_fit(shared, i, NEAP_MAX, error);
  if (status == NEAP_OK) choose(shared);
  for (size_t round = 0; round < ROUNDS && !is_done && status == NEAP_OK; round++) {
    status = lower_all(shared, &is_done, error);
    if (status == NEAP_OK) choose(shared);
  }
  return status;
}

/* Hands over the chosen fits, or none after a failure, and frees the others. */
static void hand_over(struct shared *shared, neap_status status, neap_fit **fits) {
  for (size_t i = 0; i < shared->count; i++) {
    struct candidates *found = &shared->found[i];
    fits[i] = status == NEAP_OK ? found->fits[found->chosen] : NULL;
    for (size_t k = 0; k < found->count; k++)
      if (found->fits[k] != fits[i]) neap_fit_free(found->fits[k]);
  }
}

static neap_status read_limits(struct shared *shared, const neap_model_limits *limits,
                               neap_error *error) {
  shared->limits = (neap_model_limits)NEAP_INIT(neap_model_limits);
  neap_status status =
      limits ? SIZED_READ(neap_model_limits, shared->limits, limits, error) : NEAP_OK;
  if (status != NEAP_OK) return status;
  if (shared->count == 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected models that share an arena, found none");
  if (shared->limits.second_capacity > 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "models share one arena; neap_model_limits.second_capacity is for one "
                     "model");
  return NEAP_OK;
}

neap_status neap_models_fit(const neap_model *const *models, size_t count,
                            const neap_model_limits *limits, neap_fit **fits,
                            neap_error *error) {
  struct shared shared = {.models = models, .count = count};
  neap_status status = read_limits(&shared, limits, error);
  if (status != NEAP_OK) return status;
  shared.found = memory_array(count, sizeof *shared.found);
  shared.plans = memory_array(count, sizeof *shared.plans);
  status = shared.found && shared.plans ? fit_all(&shared, error) : error_memory(error);
  if (shared.found) hand_over(&shared, status, fits);
  free(shared.found);
  free(shared.plans);
  return status;
}
