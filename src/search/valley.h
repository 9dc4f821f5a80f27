/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cell search that looks at one valley at a time: for parts of any size. */
#ifndef SEARCH_VALLEY_H
#define SEARCH_VALLEY_H

#include "core/budget.h"
#include "search/part.h"
#include "search/verdict.h"

struct valley;

/*
 * `part` is simple (part->is_simple) and outlives the search.  NULL when memory is short.  O(n)
 * memory.
 */
struct valley *valley_new(const struct part *part);
void valley_free(struct valley *valley);

/*
 * Begins anew: looks for a layout of at most `capacity` units, and tries rectangles by
 * ascending rank (different for each; it is kept). What earlier failures have taught about
 * sections stays.
 */
void valley_start(struct valley *valley, neap_size capacity, const uint32_t *rank);

/*
 * Searches until there is a verdict or `failures` more nodes have failed.  Each node is a tick.
 */
enum verdict valley_run(struct valley *valley, uint64_t failures, struct budget *budget);

/* After VERDICT_FOUND: the offset of each rectangle, in units. */
const neap_offset *valley_offsets(const struct valley *valley);

#endif
