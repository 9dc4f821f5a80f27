/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/suit.h"

#include <assert.h>

#include "core/error.h"

/* Orders to try, and operators in all of them together; at least one order is tried. */
#define ORDERS_MOST 16
#define OPERATORS_MOST 20000
#define TICKS_OF_LAYOUT "20000"

/* The peak that a short search reaches, and the bound; NEAP_MAX if it finds no plan. */
static neap_status find_peak(const neap_problem *problem, const neap_options *options,
                             neap_size *peak, neap_size *bound, neap_error *error) {
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_bound bounds = NEAP_INIT(neap_bound);
  *peak = NEAP_MAX;
  neap_status status = neap_problem_bound(problem, &bounds, error);
  if (status != NEAP_OK) return status;
  *bound = bounds.bytes;
  status = neap_solve(problem, options, &plan, error);
  /* Other errors are reported when the problem is planned. */
  if (status != NEAP_OK) return status == NEAP_ERROR_MEMORY ? status : NEAP_OK;
  neap_plan_report(plan, &report);
  *peak = report.peak;
  neap_plan_free(plan);
  return NEAP_OK;
}

/* A graph and its problem, which are replaced together. */
struct pair {
  neap_graph *graph;
  neap_problem *problem;
};

static void pair_clear(struct pair *pair) {
  neap_graph_free(pair->graph);
  neap_problem_free(pair->problem);
  *pair = (struct pair){NULL, NULL};
}

static neap_status make_variation(const neap_graph *graph, const neap_liveness *liveness,
                                  uint64_t seed, struct pair *made, neap_error *error) {
  *made = (struct pair){neap_graph_copy(graph), NULL};
  if (!made->graph) return error_memory(error);
  neap_status status = neap_graph_vary(made->graph, liveness, seed, error);
  return status == NEAP_OK ? neap_graph_to_problem(made->graph, liveness, &made->problem, error)
                           : status;
}

static size_t orders_most(const neap_graph *graph) {
  size_t count = neap_graph_operator_count(graph);
  size_t most = count > 0 ? OPERATORS_MOST / count : 1;
  return most < 1 ? 1 : most > ORDERS_MOST ? ORDERS_MOST : most;
}

static neap_status try_orders(struct pair *best, const neap_liveness *liveness,
                              const neap_options *options, neap_error *error) {
  neap_size peak, bound;
  neap_status status = find_peak(best->problem, options, &peak, &bound, error);
  if (peak == NEAP_MAX) return status;
  size_t most = orders_most(best->graph);
  for (uint64_t seed = 1; seed <= most && status == NEAP_OK && peak > bound; seed++) {
    struct pair other;
    neap_size other_peak = NEAP_MAX, other_bound;
    status = make_variation(best->graph, liveness, seed, &other, error);
    if (status == NEAP_OK)
      status = find_peak(other.problem, options, &other_peak, &other_bound, error);
    if (status == NEAP_OK && other_peak < peak) {
      struct pair worse = *best;
      assert(other_bound <= bound);
      *best = other;
      other = worse;
      peak = other_peak;
    }
    pair_clear(&other);
  }
  return status;
}

neap_status suit_layout(neap_graph **graph, const neap_liveness *liveness,
                        neap_problem **problem, neap_error *error) {
  struct pair best = {*graph, *problem};
  neap_options *options = neap_options_new();
  neap_status status = options ? neap_options_set(options, "max-ticks", TICKS_OF_LAYOUT, error)
                               : error_memory(error);
  if (status == NEAP_OK) status = try_orders(&best, liveness, options, error);
  neap_options_free(options);
  *graph = best.graph;
  *problem = best.problem;
  if (status != NEAP_OK) neap_problem_free(*problem);
  return status;
}
