/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proves a lower bound on the time of the repeated runs.
 *
 * Consider the moment at which operator k runs for the first time.  Some operators have run,
 * each after all its dependences, and some run later, for the first time or again.  Each value
 * that a later run reads must be alive at the moment, or its producer must also run later.  So
 * each sequence of runs chooses, for the moment,
 *
 *     new(i)     operator i has not run yet; then no operator that depends on i has
 *     later(i)   operator i runs later; if it is not new, it then runs again, which takes its time
 *     needed(v)  a later run reads value v; unless its maker runs later, v is alive at the moment
 *
 * and a minimum cut finds the choice that is cheapest if each byte alive costs a price (a
 * Lagrangian relaxation of the capacity).  Every choice that fits pays at most the price of the
 * bytes that k leaves free.  What remains of the cut is time for repeated runs, in every
 * sequence that fits.  The bound is concave in the price, so bisection finds the best price.
 *
 *     all -- new(i) --all--> later(i) --all--> needed(v) --price * size--> later(maker of v)
 *            later(i) --time--> new(i)
 *
 * Each node on the side of `all` is true; "all" edges cannot be cut.  Prices are multiples of
 * 2^-20 of one unit of time, rounded so that bounds hold.
 */
#include "recompute/recompute.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"
#include "core/uint256.h"
#include "schedule/before_after.h"
#include "schedule/min_cut.h"

enum { ALL, NOTHING, ENDS }; /* nodes; those of operators and of values follow */

#define SCALE_BITS 20
#define TIME_BITS 40 /* bits of the time without repetition, in the network's unit */

struct least {
  const struct runs_model *model;
  neap_size capacity;
  struct sides sides; /* relative to the current operator */
  struct share_uses uses;
  size_t *news, *laters; /* per operator: nodes */
  size_t *needed,
      *targets;  /* per value: the two nodes of the edge with its price; equal: no such edge */
  bool *is_used; /* per value: the current operator reads or makes it */
  struct cut cut;
  struct budget *budget;
  int64_t unit;        /* of time, in the network */
  int64_t price;       /* of a byte, in parts of the network's unit */
  int64_t most_weight; /* the limit for one value, so that the sum stays within NEAP_MAX */
};

/* ---------------------------------------------------------------- the largest operator */

static bool may_end(const void *state, size_t operator, size_t input) {
  const struct costs *costs = state;
  (void)operator;
  return !(costs->lives[input] & COSTS_STAYS);
}

/*
 * The bytes that operator k needs while it runs; an input that does not stay may end, because
 * it can be made again.
 */
static neap_size bytes_of(const struct costs *costs, struct share_uses uses, size_t k) {
  neap_size bytes = costs->made[k];
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    bytes += costs->sizes[costs->inputs.items[i]];
  return bytes - shares_most_saved(&costs->shares, k, uses, may_end, costs);
}

static neap_size largest(const struct runs_model *model, struct share_uses uses) {
  neap_size most = model->costs.at_start;
  for (size_t k = 0; k < model->costs.count; k++)
    most = larger_of(most, bytes_of(&model->costs, uses, k));
  return most;
}

/* ---------------------------------------------------------------- the network */

/* Returns the number of nodes up to that of the last operator. */
static size_t number_operators(struct least *least) {
  size_t node = ENDS;
  for (size_t i = 0; i < least->model->costs.count; i++) {
    unsigned char side = least->sides.of[i];
    bool is_before = side == SIDE_BEFORE || side == SIDE_SELF;
    least->news[i] = side == SIDE_AFTER ? ALL : is_before ? NOTHING : node++;
    least->laters[i] =
        side != SIDE_AFTER && least->model->may_repeat[i] ? node++ : least->news[i];
  }
  return node;
}

static bool join(struct least *least, size_t from, size_t to, neap_size weight) {
  return from == to || weight == 0 || from == NOTHING || to == ALL ||
         cut_join(&least->cut, from, to, weight);
}

static bool join_operator(struct least *least, size_t i) {
  const struct costs_lists *afters = &least->model->costs.afters;
  if (!join(least, least->news[i], least->laters[i], NEAP_MAX) ||
      !join(least, least->laters[i], least->news[i], least->model->durations[i] * least->unit))
    return false;
  for (size_t a = costs_begin(afters, i); a < afters->ends[i]; a++)
    if (least->news[i] != ALL &&
        !join(least, least->news[i], least->news[afters->items[a]], NEAP_MAX))
      return false;
  return true;
}

static int64_t weight_of(const struct least *least, neap_size size) {
  wide_half weight = (wide_half)least->price * (wide_half)size >> SCALE_BITS;
  return weight < (wide_half)least->most_weight ? (int64_t)weight : least->most_weight;
}

/* Joins a value to its readers and to its maker; a value that stays is always needed. */
static bool join_value(struct least *least, size_t v, size_t node) {
  const struct costs *costs = &least->model->costs;
  const struct costs_lists *readers = &costs->readers;
  size_t maker = costs->maker[v];
  bool exists = maker != COSTS_NONE || costs->lives[v] & COSTS_STARTS;
  least->needed[v] = least->targets[v] = NOTHING;
  if (!exists || least->is_used[v] || costs->sizes[v] == 0) return true;
  least->needed[v] = costs->lives[v] & COSTS_STAYS ? ALL : node;
  least->targets[v] = maker == COSTS_NONE ? NOTHING : least->laters[maker];
  for (size_t r = costs_begin(readers, v); r < readers->ends[v]; r++)
    if (!join(least, least->laters[readers->items[r]], least->needed[v], NEAP_MAX))
      return false;
  return join(least, least->needed[v], least->targets[v], weight_of(least, costs->sizes[v]));
}

static bool build(struct least *least) {
  const struct costs *costs = &least->model->costs;
  size_t node = number_operators(least);
  if (!cut_begin(&least->cut, node + costs->value_count)) return false;
  for (size_t i = 0; i < costs->count; i++)
    if (!join_operator(least, i)) return false;
  for (size_t v = 0; v < costs->value_count; v++)
    if (!join_value(least, v, node + v)) return false;
  return true;
}

static bool is_true(const struct least *least, size_t node) {
  return node != NOTHING && (node == ALL || cut_is_before(&least->cut, node));
}

/* The bytes alive at the moment in the cheapest choice, without those that the operator needs. */
static neap_size bytes_held(const struct least *least) {
  neap_size bytes = 0;
  for (size_t v = 0; v < least->model->costs.value_count; v++)
    if (is_true(least, least->needed[v]) && !is_true(least, least->targets[v]))
      bytes += least->model->costs.sizes[v];
  return bytes;
}

/* ---------------------------------------------------------------- the bound of one moment */

/* The cut less the price of the free bytes, as a time, rounded so that the bound holds. */
static int64_t time_beyond(const struct least *least, neap_size cut, neap_size free_bytes) {
  wide_half scaled = (wide_half)least->price * (wide_half)free_bytes;
  wide_half paid = (scaled >> SCALE_BITS) + 1;
  if (paid >= (wide_half)cut) return 0;
  return (cut - (int64_t)paid + least->unit - 1) / least->unit;
}

/* Raises *extra to the bound that the moment of operator k proves; false if memory is short. */
static bool look_at(struct least *least, size_t k, int64_t *extra) {
  const struct costs *costs = &least->model->costs;
  neap_size free_bytes = least->capacity - bytes_of(costs, least->uses, k);
  int low = 0, high = 2 * TIME_BITS - SCALE_BITS;
  assert(free_bytes >= 0);
  sides_find(&least->sides, k);
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    least->is_used[costs->inputs.items[i]] = true;
  for (size_t i = costs_begin(&least->model->made, k); i < least->model->made.ends[k]; i++)
    least->is_used[least->model->made.items[i]] = true;
  bool has_room = true;
  while (low < high && has_room && budget_look(least->budget)) {
    int middle = (low + high) / 2;
    least->price = (int64_t)1 << middle;
    has_room = build(least);
    if (!has_room) break;
    neap_size cut = cut_least(&least->cut, ALL, NOTHING, least->budget);
    if (least->budget->end != BUDGET_LEFT) break; /* the flow is a bound, but shows no sides */
    int64_t beyond = time_beyond(least, cut, free_bytes);
    if (beyond > *extra) *extra = beyond;
    if (bytes_held(least) > free_bytes) low = middle + 1;
    else high = middle;
  }
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    least->is_used[costs->inputs.items[i]] = false;
  for (size_t i = costs_begin(&least->model->made, k); i < least->model->made.ends[k]; i++)
    least->is_used[least->model->made.items[i]] = false;
  return has_room;
}

/* ---------------------------------------------------------------- the whole */

static bool init(struct least *least) {
  const struct costs *costs = &least->model->costs;
  least->sides = sides_of(costs);
  least->news = memory_array(costs->count, sizeof *least->news);
  least->laters = memory_array(costs->count, sizeof *least->laters);
  least->needed = memory_array(costs->value_count, sizeof *least->needed);
  least->targets = memory_array(costs->value_count, sizeof *least->targets);
  least->is_used = memory_array(costs->value_count, sizeof *least->is_used);
  bool has_room = sides_init(&least->sides);
  has_room = share_uses_init(&least->uses, costs->value_count, costs->output_count) && has_room;
  return has_room && least->news && least->laters && least->needed && least->targets &&
         least->is_used;
}

static void clear(struct least *least) {
  sides_clear(&least->sides);
  share_uses_clear(&least->uses);
  free(least->news);
  free(least->laters);
  free(least->needed);
  free(least->targets);
  free(least->is_used);
  cut_clear(&least->cut);
}

/* Sorts the positions of `runs` by the bytes alive, descending. */
static struct sort_pair *sort_moments(const struct runs *runs,
                                      const struct runs_profile *profile) {
  struct sort_pair *moments = memory_array(runs->count, sizeof *moments);
  for (size_t at = 0; moments && at < runs->count; at++)
    moments[at] = (struct sort_pair){~sort_key(profile->live[at]), at};
  if (moments && sort_pairs(moments, runs->count)) return moments;
  free(moments);
  return NULL;
}

static bool look_at_all(struct least *least, const struct least_task *task, int64_t *extra) {
  const struct runs *runs = task->runs;
  struct sort_pair *moments = sort_moments(runs, task->profile);
  bool has_room = moments != NULL;
  for (size_t i = 0;
       has_room && i < runs->count && *extra <= task->enough && budget_look(least->budget);
       i++) {
    size_t k = runs->items[moments[i].item];
    if (task->profile->firsts[k] == moments[i].item) has_room = look_at(least, k, extra);
  }
  free(moments);
  return has_room;
}

neap_status least_peak(const struct runs_model *model, neap_size *peak, neap_error *error) {
  const struct costs *costs = &model->costs;
  struct share_uses uses;
  bool has_room = share_uses_init(&uses, costs->value_count, costs->output_count);
  if (has_room) *peak = largest(model, uses);
  share_uses_clear(&uses);
  return has_room ? NEAP_OK : error_memory(error);
}

neap_status least_extra(const struct least_task *task, struct budget *budget, int64_t *extra,
                        neap_error *error) {
  const struct runs_model *model = task->model;
  struct least least = {
      .model = model, .capacity = task->capacity, .budget = budget, .unit = 1};
  while (least.unit * larger_of(model->once, 1) < (int64_t)1 << TIME_BITS)
    least.unit *= 2;
  least.most_weight = smaller_of(least.unit * larger_of(model->once, 1) + 1,
                                 NEAP_MAX / 4 / ((int64_t)model->costs.value_count + 1));
  bool has_room = init(&least);
  if (has_room && largest(model, least.uses) > task->capacity) *extra = LEAST_NEVER;
  else if (has_room) has_room = look_at_all(&least, task, extra);
  clear(&least);
  return has_room ? NEAP_OK : error_memory(error);
}
