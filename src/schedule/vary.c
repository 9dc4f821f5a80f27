/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A random walk over orders: an operator moves to any place between the last one that it depends on
 * and the first one that depends on it, and back if the peak is then higher.  Each step takes the
 * time of a walk through the order, and there are a few for every operator as long as all of them
 * stay within WORK_MAX.
 */
#include "schedule/vary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#define STEPS_PER_OPERATOR 4
#define STEPS_LEAST 4
#define WORK_MAX 20000000

struct varied {
  const struct costs *costs;
  size_t *order;
  size_t *place; /* per operator */
  struct costs_walk walk;
  struct random random;
};

/* Moves the operator at position `from` to position `to`. */
static void move_operator(struct varied *varied, size_t from, size_t to) {
  size_t *order = varied->order, k = order[from];
  if (from < to) memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = k;
  size_t low = from < to ? from : to, high = from < to ? to : from;
  for (size_t at = low; at <= high; at++)
    varied->place[order[at]] = at;
}

/* The first and the last place that an operator can take. */
static void find_range(const struct varied *varied, size_t k, size_t *low, size_t *high) {
  const struct costs_lists *befores = &varied->costs->befores, *afters = &varied->costs->afters;
  *low = 0;
  *high = varied->costs->count - 1;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++)
    if (varied->place[befores->items[i]] + 1 > *low)
      *low = varied->place[befores->items[i]] + 1;
  for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++)
    if (varied->place[afters->items[i]] - 1 < *high)
      *high = varied->place[afters->items[i]] - 1;
}

static void take_step(struct varied *varied, neap_size peak) {
  size_t from = random_below(&varied->random, (uint32_t)varied->costs->count), low, high;
  find_range(varied, varied->order[from], &low, &high);
  size_t to = low + random_below(&varied->random, (uint32_t)(high - low + 1));
  if (to == from) return;
  move_operator(varied, from, to);
  if (costs_walk_peak(&varied->walk, varied->order) > peak) move_operator(varied, to, from);
}

static void take_steps(struct varied *varied) {
  size_t count = varied->costs->count, links = varied->costs->edge_count;
  size_t steps = WORK_MAX / (count + links);
  if (steps > STEPS_PER_OPERATOR * count) steps = STEPS_PER_OPERATOR * count;
  if (steps < STEPS_LEAST) steps = STEPS_LEAST;
  neap_size peak = costs_walk_peak(&varied->walk, varied->order);
  for (size_t at = 0; at < count; at++)
    varied->place[varied->order[at]] = at;
  while (steps-- > 0)
    take_step(varied, peak);
}

neap_status vary_order(const struct costs *costs, size_t *order, uint64_t seed,
                       neap_error *error) {
  struct varied varied = {.costs = costs, .order = order};
  if (costs->count < 2 || costs->count > INT32_MAX) return NEAP_OK;
  if (!random_init(&varied.random, seed)) return error_memory(error);
  varied.place = memory_array(costs->count, sizeof *varied.place);
  bool has_room = costs_walk_init(&varied.walk, costs) && varied.place;
  if (has_room) take_steps(&varied);
  costs_walk_clear(&varied.walk);
  free(varied.place);
  random_clear(&varied.random);
  return has_room ? NEAP_OK : error_memory(error);
}
