/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for a layout of a few buffers in the room left by all others. */
#ifndef TUNE_ROOM_H
#define TUNE_ROOM_H

#include "core/budget.h"
#include "search/verdict.h"
#include "tune/movable.h"
#include "tune/neighbours.h"

/* A layout, with the sections and neighbours of its buffers. */
struct room_layout {
  const struct neap_problem *problem;
  const struct sections *sections;
  const struct neighbours *neighbours;
  const struct movable *movable;
  const neap_offset *offsets;
};

struct room_task {
  const uint32_t *members; /* buffers that can move (tune/movable), ascending */
  size_t count;            /* >= 1 */
  neap_size target;        /* no member may end above this */
  uint64_t restarts;       /* of the search, >= 1 */
  uint64_t disabled;       /* see method_rules_without */
  uint64_t seed;
};

/*
 * Takes the members out of a sound layout and looks for offsets for them, while all other
 * buffers keep theirs.  After VERDICT_FOUND, `found` has the offset of each member.
 * VERDICT_REFUTED: there are none, which is proven unless some bytes are reserved only at
 * certain times.  VERDICT_OPEN is also the answer if the room is too complex to search.
 */
enum verdict room_search(const struct room_layout *layout, const struct room_task *task,
                         struct budget *budget, neap_offset *found);

#endif
