/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of the state of the global board. */
#ifndef SEARCH_GLOBAL_SNAPSHOT_H
#define SEARCH_GLOBAL_SNAPSHOT_H

#include "search/global_state.h"

/* In bytes; the same for all states of a part. */
size_t global_snapshot_size(const struct global_state *state);

void global_snapshot_save(const struct global_state *state, void *snapshot);

/* Makes the state what it was when it was saved.  What was marked before cannot be undone any more. */
void global_snapshot_load(struct global_state *state, const void *snapshot);

#endif
