/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lowest rule: the lowest offset that fits, including in gaps below other buffers.  This is
 * first fit, the rule of most memory planners.
 */
#include "place/state.h"

neap_offset lowest_choose(struct placer *placer, size_t buffer) {
  const struct buffer *placed = &placer->problem->buffers[buffer];
  return view_lowest(&placer->view, 0, placed->size, placed->alignment);
}
