/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses problems, and graphs with pinned tensors, whose constraints contradict each other. */
#include "core/error.h"
#include "core/sized.h"
#include "model/graph.h"
#include "model/problem.h"
#include "verify/collide.h"
#include "verify/contradictions.h"

neap_status neap_problem_check(const neap_problem *problem, neap_error *error) {
  neap_collision collision;
  bool found;
  if (problem->relations) return contradictions_check(problem, error);
  neap_status status = collide_fixed(problem, &collision, &found, error);
  if (status != NEAP_OK || !found) return status;
  char text[COLLIDE_TEXT];
  return error_set(error, NEAP_ERROR_INPUT, "fixed offsets collide: %s",
                   collide_text(problem, &collision, text));
}

neap_status neap_graph_to_problem(const neap_graph *graph, const neap_liveness *options,
                                  neap_problem **problem, neap_error *error) {
  neap_problem *made;
  neap_status status =
      options ? SIZED_CHECK_RESERVED(options->reserved, "neap_liveness", error) : NEAP_OK;
  if (status == NEAP_OK) status = graph_build_problem(graph, options, &made, error);
  if (status != NEAP_OK) return status;
  if (graph->pins) status = neap_problem_check(made, error);
  if (status == NEAP_OK) *problem = made;
  else neap_problem_free(made);
  return status;
}
