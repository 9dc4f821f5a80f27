/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drop rule drops the buffer from above onto the buffers already placed, as in Tetris, and
 * never fills gaps below them.  It only needs the tops of O(log n) sets.
 */
#include "core/checked.h"
#include "place/state.h"

neap_offset drop_choose(struct placer *placer, size_t buffer) {
  return round_up(view_top(&placer->view), placer->problem->buffers[buffer].alignment);
}
