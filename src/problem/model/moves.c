/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each stored move owns one block with its offsets and members; offsets come first, for their
 * alignment.  A copy of a list is a single block.  When the room for members is used up, moves
 * are kept without members and offsets.
 */
#include "model/moves.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* The free space for the arrays of the next moves. */
struct store {
  neap_offset *offsets;
  uint32_t *members;
};

/* Replaces the arrays of a move by copies in the store. */
static void store_arrays(struct store *store, neap_move *move) {
  size_t count = move->member_count;
  assert(move->members || !move->offsets);
  if (move->offsets) {
    if (count > 0) memcpy(store->offsets, move->offsets, count * sizeof *move->offsets);
    move->offsets = store->offsets;
    store->offsets += count;
  }
  if (move->members) {
    if (count > 0) memcpy(store->members, move->members, count * sizeof *move->members);
    move->members = store->members;
    store->members += count;
  }
}

/* Adds the bytes of the arrays of a list to *bytes; false if there are too many. */
static bool add_sizes(const neap_move *list, size_t count, size_t *offsets, size_t *bytes) {
  for (size_t i = 0; i < count; i++) {
    size_t own, each = (list[i].members ? sizeof *list->members : 0) +
                       (list[i].offsets ? sizeof *list->offsets : 0);
    if (__builtin_mul_overflow(list[i].member_count, each, &own) ||
        __builtin_add_overflow(*bytes, own, bytes))
      return false;
    if (list[i].offsets) *offsets += list[i].member_count;
  }
  return true;
}

/* The block holds the moves, then all offsets, then all members. */
bool moves_copy(const neap_move *list, size_t count, neap_move **to) {
  size_t offsets = 0, bytes;
  *to = NULL;
  if (count == 0) return true;
  if (__builtin_mul_overflow(count, sizeof *list, &bytes) ||
      !add_sizes(list, count, &offsets, &bytes))
    return false;
  neap_move *made = memory_array(bytes, 1);
  if (!made) return false;
  neap_offset *first = (neap_offset *)(made + count);
  struct store store = {first, (uint32_t *)(first + offsets)};
  memcpy(made, list, count * sizeof *made);
  for (size_t i = 0; i < count; i++)
    store_arrays(&store, &made[i]);
  *to = made;
  return true;
}

static void release(const neap_move *move) {
  if (move->offsets) free((neap_offset *)move->offsets); /* in one block with the members */
  else free((uint32_t *)move->members);
}

void moves_begin(struct moves *moves, size_t most, size_t room) {
  for (size_t i = 0; i < moves->count; i++)
    release(&moves->items[i]);
  moves->count = moves->stored = 0;
  moves->most = most;
  moves->room = room;
}

void moves_clear(struct moves *moves) {
  moves_begin(moves, 0, 0);
  free(moves->items);
  *moves = (struct moves){0};
}

static bool has_room(const struct moves *moves, const neap_move *move) {
  size_t room = move->outcome == NEAP_MOVE_LOWERED ? moves->room : moves->room / 2;
  return moves->stored <= room && move->member_count <= room - moves->stored;
}

bool moves_add(struct moves *moves, const neap_move *move) {
  neap_move made = *move;
  size_t offsets = 0, bytes = 0;
  if (moves->count >= moves->most) return true;
  if (!has_room(moves, move)) made.members = NULL;
  if (!made.members) made.offsets = NULL;
  if (!memory_reserve(&moves->items, &moves->capacity, moves->count + 1, sizeof made) ||
      !add_sizes(&made, 1, &offsets, &bytes))
    return false;
  if (made.members) {
    void *block = memory_array(bytes, 1);
    if (!block) return false;
    struct store store = {block, (uint32_t *)((neap_offset *)block + offsets)};
    store_arrays(&store, &made);
    moves->stored += made.member_count;
  }
  moves->items[moves->count++] = made;
  return true;
}
