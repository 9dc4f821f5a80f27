/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans four arrays in one call, without objects to create or free. */
#include "engine/planner.h"

neap_status neap_pack(size_t n, const neap_time *start, const neap_time *end,
                      const neap_size *size, const neap_size *align, neap_offset *offset,
                      neap_size *peak) {
  const neap_arrays arrays = {sizeof(neap_arrays), n, start, end, size, align, NULL};
  neap_problem *problem = neap_problem_new();
  if (!problem) return NEAP_ERROR_MEMORY;
  neap_status status = neap_problem_add_arrays(problem, &arrays, NULL);
  if (status == NEAP_OK)
    status = planner_pack(problem, &(struct packing){0}, offset, peak, NULL);
  neap_problem_free(problem);
  return status;
}
