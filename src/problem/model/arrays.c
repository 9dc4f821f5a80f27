/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds many buffers at once, from arrays of numbers. */
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "model/problem.h"

/* Makes room for all buffers in one block; false when memory is short. */
static bool reserve_buffers(neap_problem *problem, size_t count, bool are_numbered) {
  size_t names = problem->names.count + count;
  return memory_reserve(&problem->buffers, &problem->capacity, problem->count + count,
                        sizeof *problem->buffers) &&
         memory_reserve(&problem->ranges, &problem->range_capacity,
                        problem->range_count + count, sizeof *problem->ranges) &&
         (are_numbered ? names_reserve_numbers(&problem->names, names)
                       : names_reserve(&problem->names, names));
}

static neap_status add_named(neap_problem *problem, const neap_arrays *arrays, size_t index,
                             neap_error *error) {
  char number[TEXT_DECIMAL];
  const neap_range range = {arrays->starts[index], arrays->ends[index]};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  text_decimal(number, neap_problem_count(problem));
  buffer.name = arrays->names ? arrays->names[index] : number;
  buffer.size = arrays->sizes[index];
  if (arrays->alignments) buffer.alignment = arrays->alignments[index];
  buffer.ranges = &range;
  buffer.range_count = 1;
  return neap_problem_add(problem, &buffer, error);
}

static neap_status add_numbered(neap_problem *problem, const neap_arrays *arrays, size_t index,
                                neap_error *error) {
  const struct buffer buffer = {.size = arrays->sizes[index],
                                .alignment = arrays->alignments ? arrays->alignments[index] : 1,
                                .fixed_offset = NEAP_UNPLACED};
  const neap_range range = {arrays->starts[index], arrays->ends[index]};
  return problem_add_numbered(problem, &buffer, range, error);
}

static neap_status add_arrays(neap_problem *problem, const neap_arrays *arrays,
                              neap_error *error) {
  bool are_numbered = !arrays->names && names_are_numbers(&problem->names);
  if (!reserve_buffers(problem, arrays->count, are_numbered)) return error_memory(error);
  for (size_t i = 0; i < arrays->count; i++) {
    neap_status status = are_numbered ? add_numbered(problem, arrays, i, error)
                                      : add_named(problem, arrays, i, error);
    if (status == NEAP_OK) continue;
    if (error) error->line = i + 1;
    return status;
  }
  return NEAP_OK;
}

neap_status neap_problem_add_arrays(neap_problem *problem, const neap_arrays *arrays,
                                    neap_error *error) {
  neap_arrays own = NEAP_INIT(neap_arrays);
  neap_status status = SIZED_READ(neap_arrays, own, arrays, error);
  return status == NEAP_OK ? add_arrays(problem, &own, error) : status;
}
