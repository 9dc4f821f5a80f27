/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the global cell search, and what follows from it at once. */
#ifndef SEARCH_CELLS_STATE_H
#define SEARCH_CELLS_STATE_H

#include "core/wide.h"
#include "search/part.h"

#define CELLS_NONE UINT32_MAX

/* One of a rectangle's or a section's values before it changed. */
struct cells_change {
  neap_offset value;
  uint32_t at;
  uint32_t count; /* of a section */
  bool is_section;
};

/* A section, and the rectangles not yet placed that live in it. */
struct cell_section {
  uint32_t *members;
  uint32_t member_count;
  uint32_t lowest_count; /* members whose low is the floor */
  neap_offset floor;     /* the smallest low of a member; NEAP_MAX when there is none */
  neap_size rest;        /* sum of the members' sizes */
  uint32_t crossing;     /* members and gaps of members that go on into the next section */
  wide_half key;         /* of the states of the members whose hull begins here */
};

struct cells_state {
  const struct part *part;
  neap_size capacity;
  struct cell_section *sections;
  neap_offset
      *low; /* per rectangle: the lowest offset that it can still get; its offset once placed */
  bool *placed;
  uint32_t left;    /* rectangles not placed */
  uint32_t **seats; /* per rectangle and section of its spans: its place among the members */
  uint32_t **neighbours; /* per rectangle: those that overlap it in time */
  uint32_t *neighbour_counts;
  struct span *hulls;
  uint32_t *memory_block; /* what members, seats and neighbours point into */
  struct cells_change *changes;
  size_t change_count, change_capacity;
  uint32_t *dirty; /* sections to look over */
  uint32_t dirty_count;
  uint32_t failed; /* the section that refuted last, or CELLS_NONE */
  bool out_of_memory;
};

/* Whether the pairs of overlapping rectangles are few enough to be listed. */
bool cells_state_fits(const struct part *part);

bool cells_state_init(struct cells_state *state, const struct part *part);
void cells_state_clear(struct cells_state *state);

/* Nothing placed.  False when that is refuted already. */
bool cells_state_reset(struct cells_state *state, neap_size capacity);

/*
 * Places a rectangle at its low, or raises the floor of a section for all that live there, and
 * draws the conclusions; false when some section has no slack left.  Either way
 * cells_state_undo takes it back.
 */
bool cells_state_place(struct cells_state *state, uint32_t item);
bool cells_state_raise(struct cells_state *state, uint32_t section, neap_offset height);

/*
 * Takes back raises until `change_count` changes are left, then unplaces `item` (CELLS_NONE:
 * nothing), the last one placed.
 */
void cells_state_undo(struct cells_state *state, size_t change_count, uint32_t item);

/*
 * Above the floor of `section`, the next height at which anything that lives there could begin,
 * given that nothing begins at the floor; NEAP_MAX when there is none.
 */
neap_offset cells_state_next_height(const struct cells_state *state, uint32_t section);

static inline neap_size cells_state_slack(const struct cells_state *state, uint32_t section) {
  const struct cell_section *here = &state->sections[section];
  return state->capacity - here->floor - here->rest;
}

#endif
