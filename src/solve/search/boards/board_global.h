/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The global board propagates to all columns.  It takes parts of hundreds of rectangles and
 * supports all constraints.
 */
#ifndef SEARCH_BOARDS_BOARD_GLOBAL_H
#define SEARCH_BOARDS_BOARD_GLOBAL_H

#include "search/boards/board.h"
#include "search/boards/global_state.h"
#include "search/rules.h"

/* Whether a part is small enough: memory grows with the pairs of rectangles that overlap. */
bool board_global_fits(const struct part *part);

/* Whether it is worth its costs per node, or the only board that supports the part. */
bool board_global_pays(const struct part *part);

/* `part` fits and must outlive the board.  NULL when memory is short. */
struct board *board_global_new(const struct part *part, struct rules rules);

/* ---------------------------------------------------------------- global snapshot */

/* Snapshots of the state of the global board. */

/* In bytes; the same for all states of a part. */
size_t global_snapshot_size(const struct global_state *state);

void global_snapshot_save(const struct global_state *state, void *snapshot);

/* Restores a saved state.  Marks taken before the load become invalid. */
void global_snapshot_load(struct global_state *state, const void *snapshot);

#endif
