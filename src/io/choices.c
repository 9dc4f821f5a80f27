/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the values that members of a reading can have. */
#include "core/sized.h"
#include "formats/profiles.h"
#include "formats/target.h"
#include "neap/neap-io.h"

bool neap_profile_at(size_t index, neap_profile_info *info) {
  const struct profile *profile = profiles_at(index);
  if (!profile) return false;
  const neap_profile_info own = {sizeof(neap_profile_info), profile->name, profile->summary};
  return SIZED_FILL(info, own);
}

bool neap_target_at(size_t index, neap_target_info *info) {
  const struct target *target = target_at(index);
  if (!target) return false;
  const neap_target_info own = {sizeof(neap_target_info), target->name, target->summary,
                                target->alignment,        target->unit, target->scratch_suffix};
  return SIZED_FILL(info, own);
}
