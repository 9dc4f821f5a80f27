/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best-fit rule: the smallest gap between taken bytes that can hold the buffer, the lowest
 * of equal ones; without one, above everything.  It looks at every gap that is large enough, from
 * the bottom up, until one fits exactly.
 *
 *     taken   ███    ██████  ████
 *     gaps       ░░░░      ░░    ...    a buffer of two goes into the second gap
 */
#include <assert.h>

#include "core/checked.h"
#include "place/state.h"

neap_offset best_fit_choose(struct placer *placer, size_t buffer) {
  const struct buffer *placed = &placer->problem->buffers[buffer];
  neap_offset best = NEAP_UNPLACED;
  neap_size smallest = NEAP_MAX;
  for (neap_offset from = 0;;) {
    neap_offset start = view_lowest(&placer->view, from, placed->size, placed->alignment);
    neap_offset end = view_free_until(&placer->view, start);
    if (end == NEAP_MAX) return best == NEAP_UNPLACED ? start : best;
    neap_size gap = end - view_free_from(&placer->view);
    assert(from <= start && gap >= placed->size);
    if (gap < smallest) {
      smallest = gap;
      best = start;
    }
    if (gap == placed->size) return best;
    from = end;
  }
}
