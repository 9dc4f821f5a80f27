/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of the groups that were taken out of a layout and packed again. */
#ifndef MODEL_MOVES_H
#define MODEL_MOVES_H

#include "neap/planner.h"

/* A growing list.  Begin with a zeroed struct. */
struct moves {
  neap_move *items; /* each owns its arrays */
  size_t count, capacity;
  size_t most;         /* the limit on moves */
  size_t room, stored; /* the limit on stored members, and their number */
};

/*
 * Empties the list.  It keeps the first `most` moves.  Beyond `room` members in total, it keeps
 * moves without their members and offsets; moves that lowered nothing get at most half of the
 * room.
 */
void moves_begin(struct moves *moves, size_t most, size_t room);

/* Adds a copy of a move.  False if memory runs out. */
bool moves_add(struct moves *moves, const neap_move *move);

void moves_clear(struct moves *moves);

/*
 * Copies a list into one block of memory, which free() releases; *to is NULL if the list is empty.
 * False if memory runs out.
 */
bool moves_copy(const neap_move *list, size_t count, neap_move **to);

#endif
