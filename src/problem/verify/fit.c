/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Raises the alignments and sizes of a problem to those that a target needs; refuses, with nothing
 * changed, if fixed offsets or relations rule them out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/problem.h"
#include "verify/contradictions.h"

/* The least common multiple; false if it exceeds NEAP_MAX. */
static bool common_multiple(neap_size a, neap_size b, neap_size *multiple) {
  return checked_mul(a / common_divisor(a, b), b, multiple);
}

/*
 * Fills *buffer with the buffer as it will be: with this alignment, and its size a multiple of
 * `unit`.
 */
static neap_status fit_buffer(const neap_problem *problem, size_t index, neap_size alignment,
                              neap_size unit, struct buffer *buffer, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  *buffer = problem->buffers[index];
  neap_size own = buffer->alignment;
  const char *name = problem_excerpt(problem, index, excerpt);
  if (!common_multiple(own, alignment, &buffer->alignment))
    return error_set(error, NEAP_ERROR_INPUT,
                     "%s: no alignment below 2^63 is a multiple of both %" PRId64
                     " and %" PRId64,
                     name, own, alignment);
  if (!checked_round_up(buffer->size, unit, &buffer->size))
    return error_set(error, NEAP_ERROR_INPUT,
                     "%s: no size below 2^63 is %" PRId64
                     " rounded up to a multiple of %" PRId64,
                     name, buffer->size, unit);
  return problem_check_place(buffer, error);
}

/* Raises alignments and sizes; the results are known to fit. */
static void raise_buffers(neap_problem *problem, neap_size alignment, neap_size unit) {
  for (size_t i = 0; i < problem->count; i++) {
    common_multiple(problem->buffers[i].alignment, alignment, &problem->buffers[i].alignment);
    problem->buffers[i].size = round_up(problem->buffers[i].size, unit);
  }
}

/*
 * Checks that larger alignments and sizes still suit windows, banks and colocations.  A problem
 * that was already contradictory is also reported here.
 */
static neap_status check_raised(neap_problem *problem, neap_size alignment, neap_size unit,
                                neap_error *error) {
  struct buffer *given = problem->buffers;
  if (!problem->relations || (alignment == 1 && unit == 1)) return NEAP_OK;
  problem->buffers = memory_array(problem->count, sizeof *given);
  neap_status status = problem->buffers ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    if (problem->count > 0) memcpy(problem->buffers, given, problem->count * sizeof *given);
    raise_buffers(problem, alignment, unit);
    status = contradictions_check(problem, error);
  }
  free(problem->buffers);
  problem->buffers = given;
  return status;
}

neap_status neap_problem_align(neap_problem *problem, neap_size alignment, neap_size unit,
                               neap_error *error) {
  struct reach reach = {0, 0};
  struct buffer buffer;
  neap_status status = NEAP_OK;
  if (alignment < 1 || unit < 1)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected an alignment and a unit from 1, found %" PRId64 " and %" PRId64,
                     alignment, unit);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++) {
    status = fit_buffer(problem, i, alignment, unit, &buffer, error);
    if (status == NEAP_OK) status = problem_extend_reach(&reach, &buffer, error);
  }
  if (status == NEAP_OK) status = check_raised(problem, alignment, unit, error);
  if (status != NEAP_OK) return status;
  raise_buffers(problem, alignment, unit);
  problem->extent = reach.extent;
  problem->fixed_top = reach.fixed_top;
  return NEAP_OK;
}
