/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What TensorFlow Lite's arena and its planner do between runs and when sizes change during a run
 * (doc/tflite-arena.md, 3.5 and 3.6). The engines run a model once, with fixed sizes, so only the
 * vectors need this.
 */
#ifndef UNIT_ARENA_STEPS_H
#define UNIT_ARENA_STEPS_H

#include "runtimes/tflite_arena.h"

/* Releases the buffer, but keeps the plan. */
void arena_release_buffer(struct arena *arena);

/* Deactivates the records that begin after a node. */
void arena_purge_after(struct arena *arena, int64_t node);

/* Activates those of `count` records that are alive during a node. */
neap_status arena_restore(struct arena *arena, const struct arena_record *records, size_t count,
                          int64_t node, neap_error *error);

/* Undoes the allocations of later nodes, whose tensors have changed their sizes. */
neap_status arena_planner_reset_after(struct arena_planner *planner, size_t node,
                                      neap_error *error);

/* Gives back the buffer of normal tensors, and gets it again. */
void arena_planner_release(struct arena_planner *planner);
void arena_planner_acquire(struct arena_planner *planner);

#endif
