/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds buffers from arrays. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/problem.h"

/* Makes room for all buffers at once; false when memory is short. */
static bool reserve_buffers(neap_problem *problem, size_t count) {
  return memory_reserve(&problem->buffers, &problem->capacity, problem->count + count,
                        sizeof *problem->buffers) &&
         memory_reserve(&problem->ranges, &problem->range_capacity,
                        problem->range_count + count, sizeof *problem->ranges) &&
         names_reserve(&problem->names, problem->names.count + count);
}

neap_status neap_problem_add_arrays(neap_problem *problem, const neap_arrays *arrays,
                                    neap_error *error) {
  if (!reserve_buffers(problem, arrays->count)) return error_memory(error);
  /* Numbers are new unless something else is named like one. */
  bool are_new = !arrays->names && problem->count == 0;
  for (size_t i = 0; i < arrays->count; i++) {
    char number[TEXT_DECIMAL];
    const neap_range range = {arrays->starts[i], arrays->ends[i]};
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name =
        arrays->names ? arrays->names[i] : text_decimal(number, neap_problem_count(problem));
    buffer.size = arrays->sizes[i];
    if (arrays->alignments) buffer.alignment = arrays->alignments[i];
    buffer.ranges = &range;
    buffer.range_count = 1;
    neap_status status = are_new ? problem_add_named(problem, &buffer, error)
                                 : neap_problem_add(problem, &buffer, error);
    if (status == NEAP_OK) continue;
    if (error) error->line = i + 1;
    return status;
  }
  return NEAP_OK;
}
