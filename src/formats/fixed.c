/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/fixed.h"

#include <stdlib.h>

#include "core/error.h"

neap_status fixed_collision(const struct neap_problem *problem, neap_collision *collision,
                            bool *found, neap_error *error) {
  *found = false;
  if (problem->fixed_count < 2) return NEAP_OK;
  neap_offset *offsets = problem_fixed_offsets(problem);
  if (!offsets) return error_memory(error);
  neap_status status = collide_first(problem, offsets, collision, found, error);
  free(offsets);
  return status;
}
