/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The local board works on one valley at a time.  It takes simple parts of any size. */
#ifndef SEARCH_BOARDS_BOARD_LOCAL_H
#define SEARCH_BOARDS_BOARD_LOCAL_H

#include "search/boards/board.h"

/*
 * `part` is simple (part->is_simple) and must outlive the board.  NULL when memory is short.  O(n)
 * memory.
 */
struct board *board_local_new(const struct part *part);

#endif
