/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares graphs that were read, and reads problems with their operators in another order. */
#include "core/error.h"
#include "files/owned.h"
#include "files/reading.h"
#include "io/format.h"
#include "io/read.h"
#include "model/problem.h"

neap_status neap_graph_prepare(neap_graph *graph, const neap_reading *reading,
                               neap_liveness *liveness, neap_error *error) {
  neap_reading own;
  neap_status status = reading_take(reading, &own, error);
  return status == NEAP_OK ? adopt_prepare(graph, &own, liveness, error) : status;
}

/* Builds a problem from its reordered graph; takes ownership of the given problem. */
static neap_status reorder(neap_problem *given, const neap_reading *reading,
                           const neap_scheduling *scheduling, neap_problem **problem,
                           neap_error *error) {
  neap_graph *graph = given->graph;
  neap_liveness liveness = given->liveness;
  liveness.keep = reading->graph.liveness.keep;
  liveness.keep_count = reading->graph.liveness.keep_count;
  given->graph = NULL;
  neap_problem_free(given);
  neap_status status = scheduling->recompute
                           ? neap_graph_recompute(graph, scheduling, &liveness, error)
                           : neap_graph_reorder(graph, scheduling, &liveness, error);
  if (status == NEAP_OK && scheduling->schedule == NEAP_SCHEDULE_OPTIMAL)
    status = neap_graph_try_orders(graph, scheduling, &liveness, error);
  if (status == NEAP_OK) return adopt_prepared(graph, &liveness, reading, problem, error);
  neap_graph_free(graph);
  return status;
}

neap_status neap_problem_prepare(const char *path, const neap_reading *reading,
                                 const neap_scheduling *scheduling, neap_problem **problem,
                                 neap_error *error) {
  neap_reading own;
  const char *orders = !scheduling             ? NULL
                       : scheduling->recompute ? "neap_scheduling.recompute"
                       : scheduling->schedule != NEAP_SCHEDULE_KEEP ? "neap_scheduling.schedule"
                                                                    : NULL;
  neap_problem *given;
  neap_status status = reading_take(reading, &own, error);
  if (status == NEAP_OK) status = read_problem_with(path, &own, orders, &given, error);
  if (status != NEAP_OK || !orders) {
    if (status == NEAP_OK) *problem = given;
    return status;
  }
  status = reorder(given, &own, scheduling, problem, error);
  return error_in_file(error, status, format_is_standard(path) ? "standard input" : path);
}
