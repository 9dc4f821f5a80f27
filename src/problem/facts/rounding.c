/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/rounding.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"

/* The least common multiple of all alignments; false if it is too large. */
static bool common_alignment(const struct neap_problem *problem, neap_size *multiple) {
  *multiple = 1;
  for (size_t i = 0; i < problem->count; i++) {
    neap_size alignment = problem->buffers[i].alignment;
    if (!checked_mul(*multiple, alignment / common_divisor(alignment, *multiple), multiple))
      return false;
  }
  return true;
}

/* Rounds the sizes; false if they get too large. */
static bool round_sizes(struct neap_problem *problem, neap_size multiple, bool *changed) {
  problem->extent = 0;
  *changed = false;
  for (size_t i = 0; i < problem->count; i++) {
    struct buffer *buffer = &problem->buffers[i];
    neap_size size = buffer->size, padded;
    if (buffer->fixed_offset == NEAP_UNPLACED &&
        !checked_round_up(buffer->size, multiple, &buffer->size))
      return false;
    *changed |= buffer->size != size;
    if (!checked_add(buffer->size, buffer->alignment - 1, &padded) ||
        !checked_add(problem->extent, padded, &problem->extent))
      return false;
  }
  neap_size all;
  return checked_add(problem->extent, problem->fixed_top, &all);
}

enum rounding_outcome rounding_init(struct rounding *rounding,
                                    const struct neap_problem *original) {
  neap_size multiple;
  bool changed;
  *rounding = (struct rounding){.problem = *original};
  rounding->problem.buffers = NULL;
  if (!common_alignment(original, &multiple)) return ROUNDING_USELESS;
  struct buffer *buffers = memory_array(original->count, sizeof *buffers);
  if (!buffers) return ROUNDING_MEMORY;
  for (size_t i = 0; i < original->count; i++)
    buffers[i] = original->buffers[i];
  rounding->problem.buffers = buffers;
  if (round_sizes(&rounding->problem, multiple, &changed) && changed) return ROUNDING_MADE;
  rounding_clear(rounding);
  return ROUNDING_USELESS;
}

void rounding_clear(struct rounding *rounding) {
  free(rounding->problem.buffers);
  rounding->problem.buffers = NULL;
}
