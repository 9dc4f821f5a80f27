/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ways that move buffers with too high ends forward in the order, so that they are placed
 * lower: all buffers that end above the bound (`offenders`), or only the highest buffer
 * (`top`).  O(members) per order.  Both repeat an order soon, which ends the group's rounds.
 */
#include <assert.h>

#include "tune/rearrange.h"

static neap_offset end_of(const struct trial *trial, size_t buffer) {
  assert(trial->offsets[buffer] != NEAP_UNPLACED);
  return trial->offsets[buffer] + trial->problem->buffers[buffer].size;
}

enum proposal offenders_propose(const struct trial *trial, size_t *next) {
  size_t used = 0;
  for (size_t i = 0; i < trial->count; i++)
    if (end_of(trial, trial->last[i]) > trial->bound) next[used++] = trial->last[i];
  for (size_t i = 0; i < trial->count; i++)
    if (end_of(trial, trial->last[i]) <= trial->bound) next[used++] = trial->last[i];
  assert(used == trial->count);
  return PROPOSAL_MADE;
}

enum proposal top_propose(const struct trial *trial, size_t *next) {
  size_t top = 0;
  for (size_t i = 1; i < trial->count; i++)
    if (end_of(trial, trial->last[i]) > end_of(trial, trial->last[top])) top = i;
  next[0] = trial->last[top];
  for (size_t i = 0, used = 1; i < trial->count; i++)
    if (i != top) next[used++] = trial->last[i];
  return PROPOSAL_MADE;
}
