/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tight rule considers the placed buffers that no other buffer, placed since, overlaps in
 * time, and that this buffer does overlap.  It starts where one of them ends, at the lowest
 * such offset that is free.  If there is none, it uses the lowest rule.
 *
 * Buffers with fixed offsets are placed before the order begins and do not count.  The cost is
 * a sort of the buffers met and one upward search of the view.
 */
#include "core/checked.h"
#include "core/sort.h"
#include "place/state.h"

neap_offset tight_choose(struct placer *placer, size_t buffer) {
  const struct buffer *placed = &placer->problem->buffers[buffer];
  sort_numbers(placer->ends, placer->waiting.met_count);
  neap_offset free = 0; /* the buffer fits nowhere below this */
  for (size_t i = 0; i < placer->waiting.met_count; i++) {
    neap_offset wanted = round_up(placer->ends[i], placed->alignment);
    if (wanted < free) continue;
    free = view_lowest(&placer->view, wanted, placed->size, placed->alignment);
    if (free == wanted) return wanted;
  }
  view_rewind(&placer->view);
  return view_lowest(&placer->view, 0, placed->size, placed->alignment);
}
