/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of bytes as ascending lists of disjoint pieces, with undo. */
#ifndef PLACE_PIECES_H
#define PLACE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bisection.h"
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

enum pieces_result {
  PIECES_SHORT_OF_MEMORY, /* nothing has changed */
  PIECES_ADDED,
  PIECES_THERE /* the set already had all of the bytes */
};

/*
 * Adds bytes to a set and merges them with pieces that they touch.  With a log, records how to
 * undo it.
 */
enum pieces_result pieces_insert(struct pieces *set, struct piece added,
                                 struct pieces_log *log);

/* Undoes the newest changes until `change_count` are left. */
void pieces_undo(struct pieces_log *log, size_t change_count);

/*
 * The first of `count` pieces, from index `from` on, that ends above `offset`; `count` if there
 * is none.
 */
static inline uint32_t pieces_above(const struct piece *items, uint32_t count, uint32_t from,
                                    neap_offset offset) {
  if (from >= count || items[from].high > offset) return from;
  /* It is usually near, so gallop. */
  struct bisection search = bisection_of(from + 1, from + 1);
  for (size_t step = 1; search.high < count && items[search.high].high <= offset; step *= 2) {
    search.low = search.high + 1;
    search.high = count - search.high > step ? search.high + step : count;
  }
  while (bisection_open(&search))
    bisection_step(&search, items[search.middle].high <= offset);
  return (uint32_t)search.low;
}

#endif
