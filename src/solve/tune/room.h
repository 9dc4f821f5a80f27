/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for a layout of a few buffers in the room left by all others. */
#ifndef TUNE_ROOM_H
#define TUNE_ROOM_H

#include "core/budget.h"
#include "core/max_tree.h"
#include "facts/domain.h"
#include "facts/sections.h"
#include "search/verdict.h"

/* ---------------------------------------------------------------- neighbours */

/* Finds the buffers that are alive at some time of a span. */

/* The spans of all buffers, by first section. */
struct neighbours {
  size_t count;
  uint32_t *buffer; /* of each span */
  uint32_t *first;
  struct max_tree ends;
};

/* A growing list of buffers. */
struct buffer_list {
  uint32_t *items;
  size_t count, capacity;
};

/* O(n log n) time, O(n) memory.  False when memory is short. */
bool neighbours_init(struct neighbours *neighbours, const struct sections *sections,
                     size_t buffer_count);
void neighbours_clear(struct neighbours *neighbours);

/*
 * Appends the buffers that have a span in common with `window`, once per such span, ordered by
 * the first sections of the spans.  Stops once the list has more than `most` entries.  O(log n)
 * per buffer found.  False when memory is short.
 */
bool neighbours_find(const struct neighbours *neighbours, struct span window, size_t most,
                     struct buffer_list *found);

/* ---------------------------------------------------------------- movable */

/*
 * Finds the buffers that the tuner may take out of a layout, and the bytes that are reserved
 * during their lifetimes.  Buffers with a window or a bank, colocated buffers, and buffers that
 * must not share a bank with another one keep their offsets, so that moving other buffers
 * cannot violate these constraints.
 */

struct movable {
  const struct neap_problem *problem;
  bool *stays; /* per buffer; NULL: only buffers without bytes or with fixed offsets stay */
  struct domains domains; /* they know the reserved bytes */
};

/* False when memory is short. */
bool movable_init(struct movable *movable, const struct neap_problem *problem);
void movable_clear(struct movable *movable);

static inline bool movable_has(const struct movable *movable, size_t buffer) {
  return problem_can_move(movable->problem, buffer) &&
         !(movable->stays && movable->stays[buffer]);
}

/* ---------------------------------------------------------------- room */

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
