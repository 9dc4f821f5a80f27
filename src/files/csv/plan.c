/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/csv/problem.h"
#include "files/owned.h"

neap_status csv_plan_read(char *text, size_t size, const neap_reading *reading,
                          neap_plan **plan, neap_error *error) {
  neap_problem *problem;
  struct csv_placements placements;
  neap_plan *made = NULL;
  neap_status status =
      csv_problem_read_placed(text, size, reading, &problem, &placements, error);
  if (status != NEAP_OK) return status;
  status = adopt_plan(problem, placements.offsets, &made, error);
  if (status == NEAP_OK && placements.pools)
    status = neap_plan_set_pools(made, placements.pools, error);
  free(placements.pools);
  if (status == NEAP_OK) *plan = made;
  else neap_plan_free(made);
  return status;
}

neap_status csv_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  const struct csv_placements placements = {plan->offsets, plan->objects, plan->pools};
  return csv_problem_write_placed(plan->problem, &placements, stream, error);
}
