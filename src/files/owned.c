/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/owned.h"

#include <stdlib.h>

#include "files/kernels.h"
#include "files/target.h"
#include "model/graph.h"
#include "model/problem.h"
#include "plan/plan.h"

neap_status adopt_plan(neap_problem *problem, neap_offset *offsets, neap_plan **plan,
                       neap_error *error) {
  neap_status status = neap_plan_new(problem, offsets, plan, error);
  free(offsets);
  if (status == NEAP_OK) (*plan)->owned = problem;
  else neap_problem_free(problem);
  return status;
}

neap_status adopt_prepare(neap_graph *graph, const neap_reading *reading,
                          neap_liveness *liveness, neap_error *error) {
  *liveness = reading->graph.liveness;
  if (liveness->aliases && reading->graph.alignment > 0)
    graph_raise_alignment(graph, reading->graph.alignment);
  neap_status status = kernels_apply(graph, reading, error);
  return status == NEAP_OK ? target_apply_graph(graph, reading, liveness, error) : status;
}

neap_status adopt_prepared(neap_graph *graph, const neap_liveness *liveness,
                           const neap_reading *reading, neap_problem **problem,
                           neap_error *error) {
  neap_status status = neap_graph_to_problem(graph, liveness, problem, error);
  if (status != NEAP_OK) {
    neap_graph_free(graph);
    return status;
  }
  (*problem)->graph = graph;
  (*problem)->liveness = *liveness;
  (*problem)->liveness.keep = NULL;
  (*problem)->liveness.keep_count = 0;
  (*problem)->has_kept_names = liveness->keep_count > 0;
  target_note(*problem, reading);
  return NEAP_OK;
}

neap_status adopt_graph(neap_graph *graph, const neap_reading *reading, neap_problem **problem,
                        neap_error *error) {
  neap_liveness liveness;
  neap_status status = adopt_prepare(graph, reading, &liveness, error);
  if (status == NEAP_OK) return adopt_prepared(graph, &liveness, reading, problem, error);
  neap_graph_free(graph);
  return status;
}
