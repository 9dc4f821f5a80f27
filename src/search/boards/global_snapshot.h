/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of the state of the global board. */
#ifndef SEARCH_BOARDS_GLOBAL_SNAPSHOT_H
#define SEARCH_BOARDS_GLOBAL_SNAPSHOT_H

#include "search/boards/global_state.h"

/* In bytes; the same for all states of a part. */
size_t global_snapshot_size(const struct global_state *state);

void global_snapshot_save(const struct global_state *state, void *snapshot);

/* Restores a saved state.  Marks taken before the load become invalid. */
void global_snapshot_load(struct global_state *state, const void *snapshot);

#endif
