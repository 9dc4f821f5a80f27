/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree search: walks the tree of partial layouts of a board and backtracks. */
#ifndef SEARCH_BOARDS_DRIVER_H
#define SEARCH_BOARDS_DRIVER_H

#include "core/budget.h"
#include "search/boards/board.h"
#include "search/rules.h"

struct driver;

/* Takes ownership of `board`, also on failure.  NULL if memory is short or `board` is NULL. */
struct driver *driver_new(struct board *board, struct rules rules);
void driver_free(struct driver *driver);

/* Makes all columns equally important again, as at first. */
void driver_forget(struct driver *driver);

/*
 * Restarts the search for a layout of at most `capacity` steps; rectangles are tried by
 * ascending rank.  Ranks are distinct, and `rank` must remain valid.  Weights and refuted
 * states are kept.
 */
void driver_start(struct driver *driver, neap_size capacity, const uint32_t *rank);

/* How many cells are decided on the path to the current node. */
size_t driver_depth(const struct driver *driver);

/* Goes back to where `depth` (>= 1) cells were decided.  The search remains complete. */
void driver_retreat(struct driver *driver, size_t depth);

/*
 * Switches to other ranks; `rank` must remain valid.  Children that have failed on the present
 * path are tried again.  Only for boards that support it.
 */
void driver_rerank(struct driver *driver, const uint32_t *rank);

/*
 * Searches until there is a verdict or `failures` more nodes have failed.  Each node visited is a
 * tick.  After VERDICT_MEMORY the search must be restarted.
 */
enum verdict driver_run(struct driver *driver, uint64_t failures, struct budget *budget);

/* After VERDICT_FOUND: the offset of each rectangle, in units. */
const neap_offset *driver_offsets(const struct driver *driver);

#endif
