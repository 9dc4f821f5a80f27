/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tight rule. Consider the placed buffers for which this one is the next in the order to
 * overlap them in time: start where one of them ends, at the lowest such offset that is free.
 * Without one, use the lowest rule.
 *
 * Buffers with fixed offsets are placed before the order begins and do not count.  Costs a sort
 * of the buffers met and one upward search of the view.
 */
#include <stdlib.h>

#include "core/checked.h"
#include "place/state.h"

static neap_offset end_of(const struct placer *placer, size_t buffer) {
  return placer->offsets[buffer] + placer->problem->buffers[buffer].size;
}

static int by_end(const void *left, const void *right, void *placer) {
  neap_offset a = end_of(placer, *(const size_t *)left),
              b = end_of(placer, *(const size_t *)right);
  return a < b ? -1 : a > b;
}

neap_offset tight_choose(struct placer *placer, size_t buffer) {
  const struct buffer *placed = &placer->problem->buffers[buffer];
  size_t *met = placer->waiting.met;
  if (placer->waiting.met_count > 0)
    qsort_r(met, placer->waiting.met_count, sizeof *met, by_end, placer);
  neap_offset free = 0; /* nothing below this fits */
  for (size_t i = 0; i < placer->waiting.met_count; i++) {
    neap_offset wanted = round_up(end_of(placer, met[i]), placed->alignment);
    if (wanted < free) continue;
    free = view_lowest(&placer->view, wanted, placed->size, placed->alignment);
    if (free == wanted) return wanted;
  }
  view_rewind(&placer->view);
  return view_lowest(&placer->view, 0, placed->size, placed->alignment);
}
