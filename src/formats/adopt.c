/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/adopt.h"

#include <stdlib.h>

#include "plan/plan.h"

neap_status adopt_plan(neap_problem *problem, neap_offset *offsets, neap_plan **plan,
                       neap_error *error) {
  neap_status status = neap_plan_new(problem, offsets, plan, error);
  free(offsets);
  if (status == NEAP_OK) (*plan)->owned = problem;
  else neap_problem_free(problem);
  return status;
}
