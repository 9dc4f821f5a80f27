/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds buffers from arrays. */
#include <stdio.h>

#include "model/problem.h"

/* The size of any index as text. */
#define INDEX_TEXT 24

neap_status neap_problem_add_arrays(neap_problem *problem, const neap_arrays *arrays,
                                    neap_error *error) {
  for (size_t i = 0; i < arrays->count; i++) {
    char number[INDEX_TEXT];
    const neap_range range = {arrays->starts[i], arrays->ends[i]};
    neap_buffer buffer = NEAP_BUFFER_INIT;
    snprintf(number, sizeof number, "%zu", neap_problem_count(problem));
    buffer.name = arrays->names ? arrays->names[i] : number;
    buffer.size = arrays->sizes[i];
    if (arrays->alignments) buffer.alignment = arrays->alignments[i];
    buffer.ranges = &range;
    buffer.range_count = 1;
    neap_status status = neap_problem_add(problem, &buffer, error);
    if (status == NEAP_OK) continue;
    if (error) error->line = i + 1;
    return status;
  }
  return NEAP_OK;
}
