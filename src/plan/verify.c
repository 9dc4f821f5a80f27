/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier.  It sees a problem and offsets, trusts nothing that an engine or a plan's
 * report says, and shares no code with any engine.
 */
#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "model/collide.h"
#include "plan/plan.h"

static neap_status verify_buffer(const neap_plan *plan, size_t index, neap_size capacity,
                                 neap_error *error) {
  const struct buffer *buffer = &plan->problem->buffers[index];
  const char *name = problem_name(plan->problem, index);
  neap_offset offset = plan->offsets[index], end;
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  if (offset < 0 || __builtin_add_overflow(offset, buffer->size, &end))
    return error_set(error, NEAP_ERROR_UNSOUND, "%s has no place in the arena: offset %" PRId64,
                     excerpt, offset);
  if (offset % buffer->alignment != 0)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s lies at offset %" PRId64
                     ", which is not a multiple of its alignment %" PRId64,
                     excerpt, offset, buffer->alignment);
  if (buffer->fixed_offset != NEAP_UNPLACED && offset != buffer->fixed_offset)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s lies at offset %" PRId64 ", but is fixed to %" PRId64, excerpt, offset,
                     buffer->fixed_offset);
  if (capacity >= 0 && end > capacity)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s ends at %" PRId64 ", above the capacity of %" PRId64 " bytes", excerpt,
                     end, capacity);
  if (end > plan->report.peak)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s ends at %" PRId64 ", above the peak %" PRId64, excerpt, end,
                     plan->report.peak);
  return NEAP_OK;
}

neap_status neap_plan_verify(const neap_plan *plan, neap_size capacity, neap_error *error) {
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_status status = verify_buffer(plan, i, capacity, error);
    if (status != NEAP_OK) return status;
  }
  neap_collision collision;
  bool found = false;
  neap_status status = collide_first(plan->problem, plan->offsets, &collision, &found, error);
  if (status != NEAP_OK || !found) return status;
  char text[COLLIDE_TEXT];
  return error_set(error, NEAP_ERROR_UNSOUND, "%s",
                   collide_text(plan->problem, &collision, text));
}

neap_status neap_plan_collisions(const neap_plan *plan, size_t limit,
                                 neap_collision **collisions, size_t *count,
                                 neap_error *error) {
  return collide_all(plan->problem, plan->offsets, limit, collisions, count, error);
}
