/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of bytes as sorted lists of disjoint pieces, with undo. */
#ifndef PLACE_PIECES_H
#define PLACE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neap/neap.h"

/* Taken bytes: [low, high).  Neighbouring pieces of a set never touch. */
struct piece {
  neap_offset low, high;
};

/* Most sets have at most one piece, so one is stored in place. */
struct pieces {
  struct piece *items; /* NULL: the one in `only` */
  uint32_t count, capacity;
  struct piece only;
};

static inline const struct piece *pieces_items(const struct pieces *set) {
  return set->items ? set->items : &set->only;
}

/* The changes by insertions, newest last, so that they can be undone in reverse. */
struct pieces_log {
  struct pieces_change *changes;
  size_t change_count, change_capacity;
  struct piece *replaced; /* the replaced pieces, one change after another */
  size_t replaced_count, replaced_capacity;
};

void pieces_clear(struct pieces *set);
void pieces_log_clear(struct pieces_log *log);

/*
 * Adds bytes to a set and merges them with pieces that they touch. With a log, records how to
 * undo it. False when memory is short; then nothing has changed.
 */
bool pieces_insert(struct pieces *set, struct piece added, struct pieces_log *log);

/* Undoes the newest changes until `change_count` are left. */
void pieces_undo(struct pieces_log *log, size_t change_count);

/*
 * The first of `count` pieces, from index `from` on, that ends above `offset`; `count` if there
 * is none.
 */
static inline uint32_t pieces_above(const struct piece *items, uint32_t count, uint32_t from,
                                    neap_offset offset) {
  uint32_t step = 1, low = from, high = from;
  /* Gallop, since the piece is usually near. */
  while (high < count && items[high].high <= offset) {
    low = high + 1;
    high = count - high > step ? high + step : count;
    step *= 2;
  }
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (items[middle].high <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

#endif
