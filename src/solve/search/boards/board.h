/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A board holds a partial layout of a part: some rectangles are placed, the others are left.
 * The driver (search/boards/driver) and beams (search/beams/cell_beam) walk the search tree; the
 * board chooses the next cell to decide, lists the rectangles that could begin there, and
 * propagates each decision.
 *
 * The interface speaks of columns only, sets of rectangles of which no two may collide
 * (search/part), so the driver need not know why rectangles collide.
 */
#ifndef SEARCH_BOARDS_BOARD_H
#define SEARCH_BOARDS_BOARD_H

#include "core/uint256.h"
#include "search/part.h"
#include "search/verdict.h"

#define BOARD_NONE UINT32_MAX

/*
 * What a node of the tree decides: the byte right above the floor of a column.  Either a
 * rectangle that is left begins there, or the byte stays empty.
 */
struct cell {
  neap_offset floor;
  struct span valley;    /* the run of columns around it with the same floor */
  struct span component; /* the columns that this decision can affect */
  uint32_t column;       /* BOARD_NONE if all rectangles are placed */
  uint32_t next, end;    /* the board's record of the children not yet tried */
};

/* A state to undo to.  Opaque to others, except for the key. */
struct board_mark {
  size_t changes, others;
  wide_half key; /* of all rectangles left, if the board has keys */
};

/* Which cell is decided next. */
enum board_choice {
  BOARD_WEIGHTED, /* fewest children, divided by the weight of the column's failures */
  BOARD_FEWEST,   /* fewest children; ties by least slack */
  BOARD_LOWEST    /* like BOARD_FEWEST, but only in the lowest valleys */
};

/* How a board chooses and measures. */
struct board_manner {
  enum board_choice choice;
  /*
   * Added to each slack when measuring, as a share of the capacity.  A small value gives tight
   * columns more weight.
   */
  double leeway;
  /* Units at the top of the capacity that should stay free; using them counts as waste. */
  neap_size spare;
};

/* Measures of a partial layout, for comparing it with others. */
struct board_measure {
  double filled; /* the share of the area below the capacity that lies below floors: 0 .. 1 */
  /*
   * The sum of log(initial slack / present slack), with leeway, over the columns with
   * rectangles left, plus the price of the spare units in use.
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
   * Unplaces all rectangles.  The search is then for a layout of at most `capacity` steps and
   * tries rectangles by ascending rank.  Ranks are distinct, and `rank` must remain valid.
   * SEARCH_REFUTED if some column cannot hold its rectangles.
   */
  enum search_status (*reset)(struct board *board, neap_size capacity, const uint32_t *rank);

  /*
   * Chooses the next cell to decide, within the columns of `focus` as long as rectangles are
   * left there.  May first propagate; undoing the last child also undoes this propagation.
   */
  enum search_status (*choose)(struct board *board, struct span focus, struct cell *cell);

  /* Prepares the list of the cell's children; false if memory is short. */
  bool (*list)(struct board *board, struct cell *cell);

  /* The next rectangle that could begin in the cell, by rank, or BOARD_NONE. */
  uint32_t (*next)(struct board *board, struct cell *cell);

  /*
   * Places a rectangle in the cell, or leaves the cell empty, and propagates.  Must be undone
   * whatever the status is.
   */
  enum search_status (*place)(struct board *board, const struct cell *cell, uint32_t item);
  enum search_status (*leave_empty)(struct board *board, const struct cell *cell);

  struct board_mark (*mark)(const struct board *board);

  /* Restores a mark.  `item` is the only rectangle placed since, or BOARD_NONE. */
  void (*undo)(struct board *board, struct board_mark mark, uint32_t item);

  /* ---------------- Optional: NULL if the board does not support it. */

  /*
   * Switches to other ranks, which must remain valid.  `relist` makes an open cell list its
   * children again.
   */
  void (*rerank)(struct board *board, const uint32_t *rank);
  void (*relist)(const struct board *board, struct cell *cell);

  /* Measures the partial layout.  O(columns). */
  struct board_measure (*measure)(const struct board *board);

  /*
   * Saves the board to a snapshot, and restores it.  After a load, only marks taken since then
   * can be undone.
   */
  size_t (*snapshot_size)(const struct board *board); /* in bytes */
  void (*save)(const struct board *board, void *snapshot);
  void (*load)(struct board *board, const void *snapshot);

  /* Sets how the board chooses and measures; at first it chooses by BOARD_WEIGHTED. */
  void (*set_manner)(struct board *board, struct board_manner manner);

  /* Makes all columns equally important again. */
  void (*forget)(struct board *board);

  /*
   * The key of a component's state: its rectangles left and their lowest offsets.  Equal states
   * have equal keys; different states have different keys except with probability below 2^-64.
   */
  wide_half (*key_of)(const struct board *board, struct span component);

  /* ---------------- For checks; slow. */

  /* The first violated invariant, as text; NULL if there is none. */
  const char *(*broken)(const struct board *board);

  /* A hash of everything that undo must restore. */
  uint64_t (*digest)(const struct board *board);
};

#endif
