/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the global cell search, and what follows from it at once. */
#ifndef SEARCH_CELLS_STATE_H
#define SEARCH_CELLS_STATE_H

#include "core/wide.h"
#include "search/part.h"
#include "search/rectangle_sets.h"

#define CELLS_NONE UINT32_MAX

/* One of a rectangle's or a section's values before it changed. */
struct cells_change {
  neap_offset value;
  uint32_t at;
  uint32_t count; /* of a section; CELLS_NONE marks a rectangle */
};

/* What cells_state_undo goes back to. */
struct cells_mark {
  size_t change_count;
  wide_half key;
};

struct cells_state {
  const struct part *part;
  neap_size capacity;

  /* Per section, of the rectangles not yet placed that live there: */
  neap_offset *floor;     /* the smallest low; NEAP_MAX when there is none */
  uint32_t *lowest_count; /* how many have it */
  neap_size *rest;        /* sum of their sizes */
  uint32_t *crossing;     /* how many, or their gaps, go on into the next section */

  /* Per rectangle: */
  neap_offset *low; /* the lowest offset that it can still get; its offset once placed */
  struct span *hulls;
  wide_half *multipliers; /* for the key */

  uint64_t *left; /* the set of those not placed */
  uint32_t left_count;
  struct rectangle_sets live;     /* per section */
  struct rectangle_sets overlaps; /* per rectangle: those that it overlaps in time */
  uint32_t
      *starters; /* per section and one more: the first rectangle whose hull begins there */

  /*
   * Of what is left and its lows: the same for equal states, and for different ones only by a
   * chance of less than 2^-64.
   */
  wide_half key;

  struct cells_change *changes;
  size_t change_count, change_capacity;
  uint32_t *dirty; /* sections to look over */
  uint32_t dirty_count;
  int32_t *steps;  /* per section and one more: room for sums, all 0 between calls */
  uint64_t *seen;  /* room for a set */
  uint32_t failed; /* the section that refuted last, or CELLS_NONE */
  bool out_of_memory;
};

/* Whether a part's sets fit into a reasonable amount of memory. */
bool cells_state_fits(const struct part *part);

bool cells_state_init(struct cells_state *state, const struct part *part);
void cells_state_clear(struct cells_state *state);

/* Nothing placed.  False when that is refuted already. */
bool cells_state_reset(struct cells_state *state, neap_size capacity);

/*
 * Places a rectangle at its low, or raises the floor of a section for all that live there, or
 * one rectangle's low, and draws the conclusions; false when some section has no slack left.
 * Either way cells_state_undo takes it back.
 */
bool cells_state_place(struct cells_state *state, uint32_t item);
bool cells_state_raise(struct cells_state *state, uint32_t section, neap_offset height);
bool cells_state_lift(struct cells_state *state, uint32_t item, neap_offset height);

static inline struct cells_mark cells_state_mark(const struct cells_state *state) {
  return (struct cells_mark){state->change_count, state->key};
}

/* Takes back raises made since the mark, then unplaces `item` (CELLS_NONE: nothing), the last one
 * placed. */
void cells_state_undo(struct cells_state *state, struct cells_mark mark, uint32_t item);

/*
 * Above the floor of `section`, the next height at which anything that lives there could begin,
 * given that nothing begins at the floor; NEAP_MAX when there is none.
 */
neap_offset cells_state_next_height(struct cells_state *state, uint32_t section);

/* The key of the rectangles whose hulls begin in a range of sections alone. */
wide_half cells_state_key_of(const struct cells_state *state, struct span range);

static inline neap_size cells_state_slack(const struct cells_state *state, uint32_t section) {
  return state->capacity - state->floor[section] - state->rest[section];
}

static inline bool cells_state_is_left(const struct cells_state *state, uint32_t item) {
  return state->left[item >> 6] >> (item & 63) & 1;
}

#endif
