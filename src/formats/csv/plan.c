/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/csv/plan.h"

#include <stdio.h>

#include "formats/adopt.h"
#include "formats/csv/problem.h"

neap_status csv_plan_read(char *text, size_t size, const neap_reading *reading,
                          neap_plan **plan, neap_error *error) {
  neap_problem *problem;
  neap_offset *offsets;
  neap_status status = csv_problem_read_placed(text, size, reading, &problem, &offsets, error);
  return status == NEAP_OK ? adopt_plan(problem, offsets, plan, error) : status;
}

neap_status csv_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  return csv_problem_write_placed(plan->problem, plan->offsets, plan->objects, stream, error);
}
