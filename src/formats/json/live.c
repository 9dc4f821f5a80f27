/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/live.h"

static bool may_share(const struct neap_problem *problem) {
  return problem_has(problem, NEAP_OVERLAP) || problem_has(problem, NEAP_EXCLUSION) ||
         problem_has(problem, NEAP_COLOCATION);
}

static void append_curve(const struct live *live, struct row *row) {
  row_string(row, "{\"times\": [");
  for (size_t i = 0; i < live->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_number(row, live->steps[i].time);
  }
  row_string(row, "], \"bytes\": [");
  for (size_t i = 0; i < live->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_number(row, live->steps[i].bytes);
  }
  row_string(row, "]}");
}

neap_status json_live_append(const struct neap_plan *plan, struct row *row, neap_error *error) {
  if (!may_share(plan->problem)) return NEAP_OK;
  size_t count = plan->pools ? problem_pool_count(plan->problem) : 1;
  neap_status status = NEAP_OK;
  row_string(row, ",\n  \"live\": [");
  for (size_t pool = 0; pool < count && status == NEAP_OK; pool++) {
    struct live live;
    status = plan_live_init(&live, plan, pool, error);
    if (status != NEAP_OK) break;
    row_string(row, pool > 0 ? ",\n    " : "\n    ");
    append_curve(&live, row);
    live_clear(&live);
  }
  row_string(row, "\n  ]");
  return status;
}
