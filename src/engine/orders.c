/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries other orders of the operators for the sake of the layout.
 *
 * An order determines the bound, but not whether a layout reaches it: of two orders of one bound,
 * one may have such a layout, and the other none that a search finds soon.  If a short search
 * misses the bound of the given order, random variations of that order are searched as shortly,
 * and the order with the lowest layout is kept.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/planner.h"
#include "model/graph.h"
#include "model/problem.h"
#include "schedule/schedule.h"

/* Orders to try, and operators in all of them together; at least one order is tried. */
#define ORDERS_MOST 16
#define OPERATORS_MOST 20000
#define TICKS_OF_LAYOUT "20000"

struct orders {
  const neap_liveness *liveness;
  const neap_scheduling *scheduling;
  neap_options *options; /* of each search */
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
      .lower_bound = graph_order_bound(graph, orders->liveness),
      .ticks = orders->budget.ticks,
      .seconds = graph->order_seconds + budget_seconds(&orders->budget),
      .peak = orders->peak};
  if (!orders->scheduling->progress(&progress, orders->scheduling->user))
    budget_cancel(&orders->budget);
}

/* The bound of the graph's problem, and the peak of a short search; NEAP_MAX if it has no plan. */
static neap_status find_peak(struct orders *orders, const neap_graph *graph, neap_size *peak,
                             neap_size *bound, neap_error *error) {
  const struct packing packing = {orders->options, &orders->budget};
  neap_problem *problem;
  neap_bound bounds = NEAP_INIT(neap_bound);
  *peak = NEAP_MAX;
  neap_status status = neap_graph_to_problem(graph, orders->liveness, &problem, error);
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

/* Keeps a variation of the best order instead of it, if that has a lower layout. */
static neap_status try_variation(struct orders *orders, uint64_t seed, neap_error *error) {
  neap_size peak = NEAP_MAX, bound;
  neap_graph *other = neap_graph_copy(orders->best);
  if (!other) return error_memory(error);
  neap_status status = graph_vary(other, orders->liveness, seed, error);
  if (status == NEAP_OK) status = find_peak(orders, other, &peak, &bound, error);
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

static size_t orders_most(const neap_graph *graph) {
  size_t most = graph->operator_count > 0 ? OPERATORS_MOST / graph->operator_count : 1;
  return most < 1 ? 1 : most > ORDERS_MOST ? ORDERS_MOST : most;
}

static neap_status try_orders(struct orders *orders, neap_error *error) {
  neap_size peak;
  size_t most = orders_most(orders->best);
  neap_status status = find_peak(orders, orders->best, &peak, &orders->bound, error);
  if (status != NEAP_OK || peak == NEAP_MAX) return status;
  orders->peak = peak;
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

neap_status neap_graph_try_orders(neap_graph *graph, const neap_scheduling *scheduling,
                                  const neap_liveness *options, neap_error *error) {
  static const neap_liveness defaults = {0};
  struct orders orders = {.liveness = options ? options : &defaults,
                          .scheduling = scheduling,
                          .best = graph,
                          .peak = NEAP_UNPLACED};
  if (!begin(&orders)) return NEAP_OK;
  orders.options = neap_options_new();
  neap_status status =
      orders.options ? neap_options_set(orders.options, "max-ticks", TICKS_OF_LAYOUT, error)
                     : error_memory(error);
  if (status == NEAP_OK) status = try_orders(&orders, error);
  neap_options_free(orders.options);
  graph->order_ticks += orders.budget.ticks;
  graph->order_seconds += budget_seconds(&orders.budget);
  return status;
}
