/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries other orders of the operators to find a lower layout, and lays out the graphs that
 * recomputation finds.
 *
 * An order determines the bound, but not whether a layout reaches it: of two orders with the
 * same bound, one may have such a layout, and the other none that a search finds soon.  If a
 * short search misses the bound of the given order, equally short searches try random
 * variations of that order, and the order with the lowest layout is kept.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/planner.h"
#include "model/graph.h"
#include "model/problem.h"
#include "recompute/recompute.h"
#include "schedule/schedule.h"

/*
 * The most orders to try, and the most operators in all of them together; at least one is tried.
 * With a limit on ticks or time, both are LIMITED_FACTOR times as many, unless the peak exceeds the
 * bound by at most 1 / SMALL_PART of it, for which only alignments can be the reason.
 */
#define ORDERS_MOST 16
#define OPERATORS_MOST 20000
#define LIMITED_FACTOR 8
#define SMALL_PART 65536
#define TICKS_OF_LAYOUT "20000"

struct layouts {
  const neap_liveness *liveness;
  neap_options *options; /* of each search */
};

struct orders {
  struct layouts layouts;
  const neap_scheduling *scheduling;
  struct budget budget;  /* of all searches */
  struct neap_graph *best;
  neap_size peak; /* of the best order; NEAP_UNPLACED: no layout is known */
  neap_size bound;
};

static void watch(void *user) {
  struct orders *orders = user;
  const struct neap_graph *graph = orders->best;
  const neap_order_progress progress = {
      .bound = orders->bound,
      .lower_bound = graph_order_bound(graph, orders->layouts.liveness),
      .ticks = orders->budget.ticks,
      .seconds = graph->order_seconds + budget_seconds(&orders->budget),
      .peak = orders->peak};
  if (!orders->scheduling->progress(&progress, orders->scheduling->user))
    budget_cancel(&orders->budget);
}

/*
 * Finds the bound of the graph's problem, and the peak of a short search; NEAP_MAX without a plan.
 */
static neap_status find_peak(const struct layouts *layouts, const neap_graph *graph,
                             struct budget *budget, neap_size *peak, neap_size *bound,
                             neap_error *error) {
  const struct packing packing = {layouts->options, budget};
  neap_problem *problem;
  neap_bound bounds = NEAP_INIT(neap_bound);
  *peak = NEAP_MAX;
  neap_status status = neap_graph_to_problem(graph, layouts->liveness, &problem, error);
  if (status != NEAP_OK) return status;
  neap_offset *offsets = memory_array(problem->count, sizeof *offsets);
  status = offsets ? neap_problem_bound(problem, &bounds, error) : error_memory(error);
  if (status == NEAP_OK) {
    *bound = bounds.bytes;
    status = planner_pack(problem, &packing, offsets, peak, error);
    /* Other errors are reported when the problem is planned. */
    if (status != NEAP_ERROR_MEMORY) status = NEAP_OK;
  }
  free(offsets);
  neap_problem_free(problem);
  return status;
}

/* Replaces the best order by a variation of it, if the variation has a lower layout. */
static neap_status try_variation(struct orders *orders, uint64_t seed, neap_error *error) {
  neap_size peak = NEAP_MAX, bound;
  neap_graph *other = neap_graph_copy(orders->best);
  if (!other) return error_memory(error);
  neap_status status = graph_vary(other, orders->layouts.liveness, seed, error);
  if (status == NEAP_OK)
    status = find_peak(&orders->layouts, other, &orders->budget, &peak, &bound, error);
  if (status == NEAP_OK && peak < orders->peak) {
    struct neap_graph worse = *orders->best;
    assert(bound <= orders->bound);
    *orders->best = *other;
    *other = worse;
    orders->peak = peak;
  }
  neap_graph_free(other);
  return status;
}

static size_t orders_most(const struct orders *orders) {
  const neap_scheduling *scheduling = orders->scheduling;
  size_t count = orders->best->operator_count;
  bool has_limit = scheduling->max_ticks > 0 || scheduling->time_limit > 0;
  bool is_far = orders->peak - orders->bound > orders->bound / SMALL_PART;
  size_t factor = has_limit && is_far ? LIMITED_FACTOR : 1;
  size_t most = count > 0 ? factor * OPERATORS_MOST / count : 1;
  return most < 1 ? 1 : most > factor * ORDERS_MOST ? factor * ORDERS_MOST : most;
}

static neap_status try_orders(struct orders *orders, neap_error *error) {
  neap_size peak;
  neap_status status =
      find_peak(&orders->layouts, orders->best, &orders->budget, &peak, &orders->bound, error);
  if (status != NEAP_OK || peak == NEAP_MAX) return status;
  orders->peak = peak;
  size_t most = orders_most(orders);
  for (uint64_t seed = 1; seed <= most && status == NEAP_OK && orders->peak > orders->bound &&
                          budget_look(&orders->budget);
       seed++)
    status = try_variation(orders, seed, error);
  return status;
}

/* Begins the search; false if the search for the order has used up the time. */
static bool begin(struct orders *orders) {
  const neap_scheduling *scheduling = orders->scheduling;
  double seconds = scheduling->time_limit - orders->best->order_seconds;
  uint64_t ticks = scheduling->max_ticks;
  budget_init(&orders->budget, ticks > 1 ? ticks / 2 : ticks,
              scheduling->time_limit > 0 ? seconds : 0);
  if (scheduling->progress) orders->budget.watch = watch;
  orders->budget.user = orders;
  return scheduling->time_limit <= 0 || seconds > 0;
}

/* Clear even on failure. */
static neap_status layouts_init(struct layouts *layouts, const neap_liveness *liveness,
                                neap_error *error) {
  static const neap_liveness defaults = {0};
  layouts->liveness = liveness ? liveness : &defaults;
  layouts->options = neap_options_new();
  return layouts->options
             ? neap_options_set(layouts->options, "max-ticks", TICKS_OF_LAYOUT, error)
             : error_memory(error);
}

static void layouts_clear(struct layouts *layouts) { neap_options_free(layouts->options); }

neap_status neap_graph_try_orders(neap_graph *graph, const neap_scheduling *scheduling,
                                  const neap_liveness *options, neap_error *error) {
  struct orders orders = {.scheduling = scheduling, .best = graph, .peak = NEAP_UNPLACED};
  neap_status status = layouts_init(&orders.layouts, options, error);
  bool has_time = begin(&orders);
  if (status == NEAP_OK && has_time) status = try_orders(&orders, error);
  layouts_clear(&orders.layouts);
  graph->order_ticks += orders.budget.ticks;
  graph->order_seconds += budget_seconds(&orders.budget);
  return status;
}

/* ---------------------------------------------------------------- recomputation */

static neap_status plan(void *state, const neap_graph *graph, struct budget *budget,
                        neap_size *peak, neap_error *error) {
  neap_size bound;
  return find_peak(state, graph, budget, peak, &bound, error);
}

neap_status neap_graph_recompute(neap_graph *graph, const neap_scheduling *scheduling,
                                 const neap_liveness *options, neap_error *error) {
  struct layouts layouts;
  neap_status status = layouts_init(&layouts, options, error);
  if (status == NEAP_OK)
    status = recompute_graph(graph, scheduling, layouts.liveness,
                             &(struct recompute_layouts){plan, &layouts}, error);
  layouts_clear(&layouts);
  return status;
}
