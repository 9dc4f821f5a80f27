/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best-fit rule: the smallest gap between taken bytes that can hold the buffer, the lowest
 * of equal ones; without one, above everything.  It looks at every gap, from the bottom up.
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
    neap_offset hole = view_lowest(&placer->view, from, 1, 1);
    neap_offset end = view_free_until(&placer->view, hole);
    assert(from <= hole && hole < end);
    neap_offset start = round_up(hole, placed->alignment);
    if (end == NEAP_MAX) return best == NEAP_UNPLACED ? start : best;
    if (start <= end && end - start >= placed->size && end - hole < smallest) {
      smallest = end - hole;
      best = start;
    }
    from = end;
  }
}
