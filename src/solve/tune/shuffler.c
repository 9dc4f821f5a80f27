/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First, the buffers are placed in the orders that the engine `sort` tries.  Then the best
 * layout is varied.  Placing the buffers of a layout from the lowest to the highest reproduces
 * the layout, if no buffer in it can move down.  With a little noise in this order, some
 * buffers exchange places, and occasionally the peak falls.  The best amount of noise depends
 * on the problem, so its logarithm is drawn at random.
 */
#include "tune/shuffler.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"
#include "facts/columns.h"
#include "order/sorter.h"
#include "order/spec.h"
#include "place/placer.h"

struct shuffler {
  const struct neap_problem *problem;
  struct budget *budget;
  struct sections sections;
  struct placer *placer;
  gsl_permutation order;
  double *heights; /* scratch: offsets with noise */
  size_t presets;  /* the number of sorted orders tried */
  struct random random;
};

void shuffler_free(struct shuffler *shuffler) {
  if (!shuffler) return;
  placer_free(shuffler->placer);
  sections_clear(&shuffler->sections);
  order_clear(&shuffler->order);
  random_clear(&shuffler->random);
  free(shuffler->heights);
  free(shuffler);
}

static neap_status init(struct shuffler *shuffler, uint64_t seed, neap_error *error) {
  const struct neap_problem *problem = shuffler->problem;
  shuffler->heights = memory_array(problem->count, sizeof *shuffler->heights);
  if (!shuffler->heights || !order_init(&shuffler->order, problem->count) ||
      !random_init(&shuffler->random, seed))
    return error_memory(error);
  neap_status status = columns_init(&shuffler->sections, problem, SECTIONS_ALL, error);
  if (status != NEAP_OK) return status;
  return placer_new(&shuffler->placer, problem, &shuffler->sections, place_rule_at(0),
                    shuffler->budget, error);
}

neap_status shuffler_new(struct shuffler **shuffler, const struct neap_problem *problem,
                         uint64_t seed, struct budget *budget, neap_error *error) {
  struct shuffler *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->problem = problem;
  made->budget = budget;
  neap_status status = init(made, seed, error);
  if (status == NEAP_OK) *shuffler = made;
  else shuffler_free(made);
  return status;
}

static int by_height(const void *left, const void *right, void *context) {
  const double *heights = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (heights[a] != heights[b]) return heights[a] < heights[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void draw_order(struct shuffler *shuffler, const neap_offset *near) {
  size_t count = shuffler->problem->count;
  double highest = 1;
  for (size_t i = 0; near && i < count; i++)
    if ((double)near[i] > highest) highest = (double)near[i];
  double share = random_share(&shuffler->random);
  double noise = highest * exp2(SHUFFLER_LEAST_NOISE +
                                share * (SHUFFLER_MOST_NOISE - SHUFFLER_LEAST_NOISE));
  for (size_t i = 0; i < count; i++) {
    shuffler->heights[i] =
        (near ? (double)near[i] : 0) + noise * random_share(&shuffler->random);
    shuffler->order.data[i] = i;
  }
  qsort_r(shuffler->order.data, count, sizeof *shuffler->order.data, by_height,
          shuffler->heights);
}

static neap_status sort_next(struct shuffler *shuffler, neap_error *error) {
  struct order_spec spec;
  neap_status status = order_spec_parse(&spec, order_preset(shuffler->presets++), error);
  return status == NEAP_OK ? sorter_sort(shuffler->problem, &spec, &shuffler->order, error)
                           : status;
}

neap_status shuffler_step(struct shuffler *shuffler, const neap_offset *near,
                          neap_error *error) {
  /* If all buffers are fixed, placing them takes no ticks, so each step takes one. */
  if (!budget_tick(shuffler->budget)) return NEAP_NO_PLAN;
  neap_status status = NEAP_OK;
  if (order_preset(shuffler->presets)) status = sort_next(shuffler, error);
  else draw_order(shuffler, near);
  if (status == NEAP_OK) status = placer_reset(shuffler->placer, error);
  return status == NEAP_OK ? placer_fill(shuffler->placer, &shuffler->order, error) : status;
}

const neap_offset *shuffler_offsets(const struct shuffler *shuffler) {
  return placer_offsets(shuffler->placer);
}
