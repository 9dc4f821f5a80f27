/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best-fit rule chooses the smallest gap between taken bytes that can hold the buffer, the
 * lowest of equal gaps; if there is none, the top.  It visits every gap that is large enough,
 * from the bottom up, until one fits exactly.
 *
 *     taken   ███    ██████  ████
 *     gaps       ░░░░      ░░    ...    a buffer of two goes into the second gap
 */
#include <assert.h>

#include "core/checked.h"
#include "place/state.h"

/*
 * The start of the gap in which the view has found `start`: lower than `start` if `start` was
 * rounded up.
 */
static neap_offset gap_begin(const struct placer *placer, neap_offset start,
                             neap_size alignment) {
  return alignment == 1 ? start : view_free_from(&placer->view);
}

neap_offset best_fit_choose(struct placer *placer, size_t buffer) {
  const struct buffer *placed = &placer->problem->buffers[buffer];
  neap_offset best = NEAP_UNPLACED;
  neap_size smallest = NEAP_MAX;
  for (neap_offset from = 0, end;; from = end) {
    neap_offset start = view_lowest(&placer->view, from, placed->size, placed->alignment);
    end = view_free_until(&placer->view);
    if (end == NEAP_MAX) return best == NEAP_UNPLACED ? start : best;
    assert(from <= start && end - start >= placed->size);
    if (end - start >= smallest) continue;
    neap_size gap = end - gap_begin(placer, start, placed->alignment);
    if (gap < smallest) {
      smallest = gap;
      best = start;
    }
    if (gap == placed->size) return best;
  }
}
