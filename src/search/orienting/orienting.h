/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lowers the peak of a part and proves lower bounds by deciding, pair by pair, which rectangle
 * lies below.
 */
#ifndef SEARCH_ORIENTING_ORIENTING_H
#define SEARCH_ORIENTING_ORIENTING_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct orienter;

/* Sets *orienter, or sets it to NULL if the part does not suit.  False when memory is short. */
bool orienter_new(struct orienter **orienter, const struct part *part, struct rules rules);
void orienter_free(struct orienter *orienter);

/*
 * Searches only for layouts below a peak, in steps, and records all clauses in the order in
 * which they are learnt.  Propagation alone derives each clause from the clauses before it,
 * and, once the capacity is refuted, a contradiction from all of them.  Call before the first
 * restart.
 */
void orienter_record(struct orienter *orienter, neap_size peak);

/*
 * The recorded clauses, one after another.  Each is a count, followed by that many pairs of
 * rectangles; in at least one of these, the first lies below the second.  Sets *count to the
 * number of words.
 */
const uint32_t *orienter_clauses(const struct orienter *orienter, size_t *count);

/* The layout to lower, in units. */
void orienter_guide(struct orienter *orienter, const neap_offset *offsets);

/*
 * Restarts the search for a layout lower than any known.  VERDICT_FOUND if a layout found so
 * far is within a capacity, in steps; VERDICT_REFUTED if it is proven that no layout is.
 */
enum verdict orienter_restart(struct orienter *orienter, neap_size capacity,
                              struct budget *budget);

/* The peak of the lowest layout found, in steps, or NEAP_MAX; and its offsets, in units. */
neap_size orienter_peak(const struct orienter *orienter);
const neap_offset *orienter_offsets(const struct orienter *orienter);

/* A proven lower bound, in steps. */
neap_size orienter_proven(const struct orienter *orienter);

#endif
