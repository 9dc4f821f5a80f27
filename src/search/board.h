/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A board holds a partial layout of a part: some of its rectangles are placed, the others are
 * left.  The driver (search/driver) and beams (search/cell_beam) walk the tree of what can follow; a
 * board decides which cell comes next, lists what could begin there, and draws conclusions.
 *
 * Everything is expressed in columns, sets of rectangles of which no two may collide
 * (search/part); what makes rectangles collide is no concern of the driver.
 */
#ifndef SEARCH_BOARD_H
#define SEARCH_BOARD_H

#include "core/wide.h"
#include "search/part.h"
#include "search/verdict.h"

#define BOARD_NONE UINT32_MAX

/*
 * What a node of the tree decides: the byte right above the floor of a column.  Either one of the
 * rectangles left begins there, or it stays empty.
 */
struct cell {
  neap_offset floor;
  struct span valley;    /* the columns around it with the same floor */
  struct span component; /* the columns that what is decided here can have an effect on */
  uint32_t column;       /* BOARD_NONE: all rectangles are placed */
  uint32_t next, end;    /* the board's record of the children not yet tried */
};

/* What an undo goes back to; only the board knows what it means, except for the key. */
struct board_mark {
  size_t changes, others;
  wide_half key; /* of all rectangles left, where the board has keys */
};

/* Which cell is decided next. */
enum board_choice {
  BOARD_WEIGHTED, /* of the fewest children, where columns that have failed count for more */
  BOARD_FEWEST,   /* of the fewest children; of these, of the least slack */
  BOARD_LOWEST    /* as BOARD_FEWEST, but only in the lowest valleys */
};

/* How a board chooses and measures. */
struct board_manner {
  enum board_choice choice;
  /* Added to slack in measures, as a share of the capacity; a small one gives tight columns more weight. */
  double leeway;
  /* So much of the capacity, in units, should stay free: a partial layout that needs it wastes more. */
  neap_size spare;
};

/* How far a partial layout has come, to compare it with others. */
struct board_measure {
  double filled; /* the share of all columns up to the capacity that is below floors: 0 .. 1 */
  /*
   * The sum, over columns with rectangles left, of log(slack at first / slack now), with leeway, and of
   * the price of what reaches into the spare bytes.
   */
  double waste;
};

struct board {
  const struct board_kind *kind;
  const struct part *part;
  const neap_offset *offsets; /* of the rectangles placed, in units */
};

struct board_kind {
  const char *name;
  void (*free)(struct board *board);

  /*
   * Unplaces all rectangles.  From now on a layout of at most `capacity` steps is wanted, and
   * rectangles are tried by ascending rank, which is different for each; `rank` must remain
   * valid.  SEARCH_REFUTED when some column cannot hold its rectangles.
   */
  enum search_status (*reset)(struct board *board, neap_size capacity, const uint32_t *rank);

  /*
   * Chooses the next cell to decide, among the columns of `focus` as long as something is left
   * there.  May first draw conclusions, which an undo of the last child takes back.
   */
  enum search_status (*choose)(struct board *board, struct span focus, struct cell *cell);

  /* Prepares the list of a cell's children; false when memory is short. */
  bool (*list)(struct board *board, struct cell *cell);

  /* The next rectangle that could begin in the cell, by rank, or BOARD_NONE. */
  uint32_t (*next)(struct board *board, struct cell *cell);

  /*
   * Places a rectangle in the cell, or leaves the cell empty, and draws conclusions.  Whatever
   * the status, undo takes it back.
   */
  enum search_status (*place)(struct board *board, const struct cell *cell, uint32_t item);
  enum search_status (*leave_empty)(struct board *board, const struct cell *cell);

  struct board_mark (*mark)(const struct board *board);

  /* Goes back to a mark; `item` has been placed since, and nothing else, or BOARD_NONE. */
  void (*undo)(struct board *board, struct board_mark mark, uint32_t item);

  /* ---------------- What only some boards can do: NULL elsewhere. */

  /*
   * From now on rectangles are tried by another rank, which must remain valid.  A cell chosen before
   * lists its children anew.
   */
  void (*rerank)(struct board *board, const uint32_t *rank);
  void (*relist)(const struct board *board, struct cell *cell);

  /* Measures what is placed.  O(columns). */
  struct board_measure (*measure)(const struct board *board);

  /*
   * Saves the board to a snapshot, and makes it what it was then.  Before an undo, the board must have
   * been marked since.
   */
  size_t (*snapshot_size)(const struct board *board); /* in bytes */
  void (*save)(const struct board *board, void *snapshot);
  void (*load)(struct board *board, const void *snapshot);

  /* Sets how the board chooses and measures; at first it chooses by BOARD_WEIGHTED. */
  void (*set_manner)(struct board *board, struct board_manner manner);

  /* Makes all columns equally important again. */
  void (*forget)(struct board *board);

  /* Whether a rectangle, just placed, was the last one left in all its columns. */
  bool (*was_alone)(const struct board *board, uint32_t item);

  /* Draws conclusions from the failure of a child that placed a rectangle in the cell. */
  enum search_status (*learn)(struct board *board, const struct cell *cell, uint32_t failed);

  /*
   * The key of what is left in a component and where it can still go: equal for equal states, and
   * otherwise different but for a chance of less than 2^-64.
   */
  wide_half (*key_of)(const struct board *board, struct span component);

  /* ---------------- For checks, which are slow. */

  /* The first invariant that does not hold, as text; NULL when all do. */
  const char *(*broken)(const struct board *board);

  /* A hash of everything that undo must restore. */
  uint64_t (*digest)(const struct board *board);
};

/* Adds a value to a digest. */
static inline uint64_t board_digest(uint64_t digest, uint64_t value) {
  digest = (digest ^ value) * UINT64_C(0xff51afd7ed558ccd); /* as in MurmurHash3 (Appleby) */
  return digest ^ digest >> 33;
}

#endif
