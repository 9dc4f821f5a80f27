/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans four arrays in one call, without objects to create or free. */
#include <string.h>

#include "neap/neap.h"

static neap_status pack_problem(const neap_problem *problem, neap_offset *offset,
                                neap_size *peak) {
  neap_plan *plan;
  neap_report report;
  size_t count = neap_problem_count(problem);
  neap_status status = neap_solve(problem, NULL, &plan, NULL);
  if (status != NEAP_OK) return status;
  if (count > 0) memcpy(offset, neap_plan_offsets(plan), count * sizeof *offset);
  neap_plan_report(plan, &report);
  if (peak) *peak = report.peak;
  neap_plan_free(plan);
  return NEAP_OK;
}

neap_status neap_pack(size_t n, const neap_time *start, const neap_time *end,
                      const neap_size *size, const neap_size *align, neap_offset *offset,
                      neap_size *peak) {
  const neap_arrays arrays = {n, start, end, size, align, NULL};
  neap_problem *problem = neap_problem_new();
  if (!problem) return NEAP_ERROR_MEMORY;
  neap_status status = neap_problem_add_arrays(problem, &arrays, NULL);
  if (status == NEAP_OK) status = pack_problem(problem, offset, peak);
  neap_problem_free(problem);
  return status;
}
