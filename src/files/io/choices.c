/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the values that the members of neap_reading can have. */
#include <limits.h>
#include <string.h>

#include "core/sized.h"
#include "files/kernels.h"
#include "files/target.h"
#include "neap/neap-io.h"

bool neap_kernels_at(size_t index, neap_kernels_info *info) {
  const neap_kernels kernels = (neap_kernels)(index + 1);
  const struct kernels *row = index < INT_MAX ? kernels_at(kernels) : NULL;
  if (!row) return false;
  neap_kernels_info own;
  memset(&own, 0, sizeof own); /* also between members */
  own.struct_size = sizeof own;
  own.kernels = kernels;
  own.name = row->name;
  own.summary = row->summary;
  return SIZED_FILL(info, own);
}

bool neap_target_at(size_t index, neap_target_info *info) {
  const struct target *target = target_at(index);
  if (!target) return false;
  const neap_target_info own = {sizeof(neap_target_info), target->name, target->summary,
                                target->alignment,        target->unit, target->scratch_suffix};
  return SIZED_FILL(info, own);
}
