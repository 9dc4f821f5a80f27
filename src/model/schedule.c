/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Putting a graph's operators into another order, if its bound is then no higher. */
#include "model/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

/* The bound as liveness has it, with all that is shared in place. */
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

static neap_status find_order(const struct schedule *schedule, neap_schedule how,
                              size_t tensors, struct orders *orders, neap_error *error) {
  orders->best = memory_array(schedule->count, sizeof *orders->best);
  orders->other = memory_array(schedule->count, sizeof *orders->other);
  orders->left = memory_array(tensors, sizeof *orders->left);
  if (!orders->best || !orders->other || !orders->left) return error_memory(error);
  for (size_t k = 0; k < schedule->count; k++)
    orders->best[k] = k;
  if (how == NEAP_SCHEDULE_DEPTH_FIRST)
    return schedule_depth_first(schedule, orders->best, error);
  neap_status status = try_depth_first(schedule, orders, error);
  return status == NEAP_OK ? schedule_search(schedule, orders->best, tensors, error) : status;
}

static void orders_clear(struct orders *orders) {
  free(orders->best);
  free(orders->other);
  free(orders->left);
}

/* Takes the operators into the order, and tells where they were; NULL when memory is short. */
static struct graph_operator *permute(const neap_graph *graph, const size_t *order,
                                      size_t *given) {
  struct graph_operator *operators = memory_array(graph->operator_count, sizeof *operators);
  for (size_t k = 0; operators && k < graph->operator_count; k++) {
    operators[k] = graph->operators[order[k]];
    given[k] = graph->given ? graph->given[order[k]] : order[k];
  }
  return operators;
}

/* The graph is as before unless the new order holds. */
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
    return status;
  }
  if (!graph->given) graph->given_bound = bound;
  free(graph->given);
  graph->given = given;
  graph->operator_capacity = graph->operator_count;
  free(before);
  return NEAP_OK;
}

neap_status neap_graph_schedule(neap_graph *graph, neap_schedule schedule,
                                const neap_liveness *options, neap_error *error) {
  static const neap_liveness defaults = {0};
  struct schedule costs = {0};
  struct orders orders = {0};
  neap_size bound;
  if (schedule == NEAP_SCHEDULE_KEEP) return NEAP_OK;
  if (schedule != NEAP_SCHEDULE_DEPTH_FIRST && schedule != NEAP_SCHEDULE_MIN_PEAK)
    return error_set(error, NEAP_ERROR_ARGUMENT, "expected a schedule, found number %d",
                     (int)schedule);
  if (!options) options = &defaults;
  neap_status status = find_bound(graph, options, &bound, error);
  if (status == NEAP_OK) status = schedule_init(&costs, graph, options, error);
  if (status == NEAP_OK)
    status = find_order(&costs, schedule, graph_tensor_count(graph), &orders, error);
  if (status == NEAP_OK) status = apply(graph, orders.best, options, bound, error);
  schedule_clear(&costs);
  orders_clear(&orders);
  return status;
}
