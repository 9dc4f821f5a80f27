/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reorders operators unless that raises the bound; proves a lower bound for every order. */
#include "schedule/costs.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- finding an order */

/* The bound of the graph's problem, in-place sharing included. */
static neap_status find_bound(const neap_graph *graph, const neap_liveness *options,
                              neap_size *bytes, neap_error *error) {
  neap_problem *problem;
  neap_bound bound;
  neap_status status = neap_graph_problem(graph, options, &problem, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_bound(problem, &bound, error);
  neap_problem_free(problem);
  *bytes = bound.bytes;
  return status;
}

struct orders {
  size_t *best, *other;
  size_t *left; /* for schedule_peak */
};

static neap_status try_depth_first(const struct schedule *schedule, struct orders *orders,
                                   neap_error *error) {
  neap_status status = schedule_depth_first(schedule, orders->other, error);
  if (status != NEAP_OK) return status;
  if (schedule_peak(schedule, orders->other, orders->left) <
      schedule_peak(schedule, orders->best, orders->left))
    memcpy(orders->best, orders->other, schedule->count * sizeof *orders->best);
  return NEAP_OK;
}

/* Raises *least, a lower bound on the peak of every order, as far as the search proves. */
static neap_status find_order(const struct schedule *schedule, neap_schedule how,
                              size_t tensors, struct orders *orders, neap_size *least,
                              neap_error *error) {
  orders->best = memory_array(schedule->count, sizeof *orders->best);
  orders->other = memory_array(schedule->count, sizeof *orders->other);
  orders->left = memory_array(tensors, sizeof *orders->left);
  if (!orders->best || !orders->other || !orders->left) return error_memory(error);
  for (size_t k = 0; k < schedule->count; k++)
    orders->best[k] = k;
  if (how == NEAP_SCHEDULE_DEPTH_FIRST)
    return schedule_depth_first(schedule, orders->best, error);
  neap_status status = try_depth_first(schedule, orders, error);
  if (status != NEAP_OK) return status;
  return schedule_search(schedule, orders->best, tensors, least, error);
}

static void orders_clear(struct orders *orders) {
  free(orders->best);
  free(orders->other);
  free(orders->left);
}

/* ---------------------------------------------------------------- what is proven */

enum life { LIFE_STAYS = 1, LIFE_IS_PLANNED = 2 };

static unsigned char life_of(const struct neap_graph *graph, const neap_liveness *options,
                             size_t tensor) {
  return (unsigned char)((graph_stays(graph, options, tensor) ? LIFE_STAYS : 0) |
                         (graph_is_planned(graph, options, tensor) ? LIFE_IS_PLANNED : 0));
}

neap_size graph_order_bound(const struct neap_graph *graph, const neap_liveness *options) {
  const struct graph_proof *proof = &graph->proof;
  if (!proof->lives || (options->in_place && !proof->in_place)) return 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    if (proof->lives[t] & ~life_of(graph, options, t)) return 0;
  return proof->least;
}

/* Remembers the bound, unless a higher one is known. */
static neap_status set_proof(neap_graph *graph, const neap_liveness *options, neap_size least,
                             neap_error *error) {
  struct graph_proof *proof = &graph->proof;
  if (proof->lives && graph_order_bound(graph, options) >= least) return NEAP_OK;
  unsigned char *lives = memory_array(graph_tensor_count(graph), sizeof *lives);
  if (!lives) return error_memory(error);
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    lives[t] = life_of(graph, options, t);
  free(proof->lives);
  *proof = (struct graph_proof){least, lives, options->in_place};
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the new order */

/* Returns the operators in the order, and sets their original indices; NULL if memory is short. */
static struct graph_operator *permute(const neap_graph *graph, const size_t *order,
                                      size_t *given) {
  struct graph_operator *operators = memory_array(graph->operator_count, sizeof *operators);
  for (size_t k = 0; operators && k < graph->operator_count; k++) {
    operators[k] = graph->operators[order[k]];
    given[k] = graph->given ? graph->given[order[k]] : order[k];
  }
  return operators;
}

static void set_given(neap_graph *graph, size_t *given, neap_size bound) {
  if (!graph->given) graph->given_bound = bound;
  free(graph->given);
  graph->given = given;
}

/* Keeps the order and marks the graph as scheduled. */
static neap_status keep_order(neap_graph *graph, neap_size bound, neap_error *error) {
  if (graph->given) return NEAP_OK;
  size_t *given = memory_array(graph->operator_count, sizeof *given);
  if (!given) return error_memory(error);
  for (size_t k = 0; k < graph->operator_count; k++)
    given[k] = k;
  set_given(graph, given, bound);
  return NEAP_OK;
}

/* Applies the order unless its bound exceeds `bound`, that of the present order. */
static neap_status apply(neap_graph *graph, const size_t *order, const neap_liveness *options,
                         neap_size bound, neap_error *error) {
  struct graph_operator *before = graph->operators;
  size_t *given = memory_array(graph->operator_count, sizeof *given);
  struct graph_operator *after = given ? permute(graph, order, given) : NULL;
  neap_size bytes = bound;
  neap_status status = after ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    graph->operators = after;
    status = find_bound(graph, options, &bytes, error);
  }
  if (status != NEAP_OK || bytes > bound) {
    graph->operators = before;
    free(after);
    free(given);
    return status == NEAP_OK ? keep_order(graph, bound, error) : status;
  }
  set_given(graph, given, bound);
  graph->operator_capacity = graph->operator_count;
  free(before);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the whole */

/* Because of in-place sharing, all tensors may be larger than all buffers of the problem. */
static neap_status check_sizes(const neap_graph *graph, const neap_liveness *options,
                               neap_error *error) {
  neap_size total = 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    if (graph_is_planned(graph, options, t) &&
        !checked_add(total, graph->tensors[t].bytes, &total))
      return error_set(error, NEAP_ERROR_INPUT,
                       "the sizes of the tensors add up to 2^63 bytes or more");
  return NEAP_OK;
}

/* Whether each operator depends on the one before it. */
static bool is_only_order(const struct schedule *schedule) {
  const struct schedule_lists *befores = &schedule->befores;
  for (size_t k = 1; k < schedule->count; k++) {
    bool is_chained = false;
    for (size_t i = schedule_begin(befores, k); i < befores->ends[k]; i++)
      is_chained = is_chained || befores->items[i] == k - 1;
    if (!is_chained) return false;
  }
  return true;
}

/*
 * Finds an order, and in *least a lower bound for every order; *least is the bound of the present
 * order at first.  The search does not model in-place sharing, so its proofs do not count if that is
 * possible.
 */
static neap_status search(neap_graph *graph, neap_schedule how, const neap_liveness *options,
                          struct orders *orders, neap_size *least, neap_error *error) {
  struct schedule costs = {0};
  neap_size bound = *least;
  neap_status status = schedule_init(&costs, graph, options, error);
  if (status == NEAP_OK) status = schedule_bound(&costs, graph, options, false, least, error);
  if (status == NEAP_OK)
    status = find_order(&costs, how, graph_tensor_count(graph), orders, least, error);
  if (status == NEAP_OK && schedule_shares(graph, options))
    status = schedule_bound(&costs, graph, options, true, least, error);
  if (status == NEAP_OK && is_only_order(&costs)) *least = bound;
  schedule_clear(&costs);
  return status;
}

neap_status neap_graph_schedule(neap_graph *graph, neap_schedule schedule,
                                const neap_liveness *options, neap_error *error) {
  static const neap_liveness defaults = {0};
  struct orders orders = {0};
  neap_size bound = 0;
  if (schedule == NEAP_SCHEDULE_KEEP) return NEAP_OK;
  if (schedule != NEAP_SCHEDULE_DEPTH_FIRST && schedule != NEAP_SCHEDULE_MIN_PEAK)
    return error_set(error, NEAP_ERROR_ARGUMENT, "there is no schedule number %d",
                     (int)schedule);
  if (!options) options = &defaults;
  neap_status status = find_bound(graph, options, &bound, error);
  if (status == NEAP_OK) status = check_sizes(graph, options, error);
  neap_size least = bound;
  if (status == NEAP_OK) status = search(graph, schedule, options, &orders, &least, error);
  if (status == NEAP_OK) status = set_proof(graph, options, least, error);
  if (status == NEAP_OK) status = apply(graph, orders.best, options, bound, error);
  orders_clear(&orders);
  return status;
}
