/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides whether a part fits a capacity, restart by restart, with all searches that support
 * it.
 */
#ifndef SEARCH_PORTFOLIO_H
#define SEARCH_PORTFOLIO_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct decider;

/*
 * `part` must outlive the decider.  Deciders of different variants search in different orders
 * from the start.  NULL when memory is short.
 */
struct decider *decider_new(const struct part *part, struct rules rules, uint64_t seed,
                            uint64_t variant);
void decider_free(struct decider *decider);

/* Whether some search supports the part.  None supports a large part that is not simple. */
bool decider_suits(const struct part *part);

/* Sets the layout to lower, by buffer.  Some restarts try rectangles in its order. */
void decider_guide(struct decider *decider, const neap_offset *offsets);

/*
 * Sets the capacity wanted in the end, in steps.  Some restarts for a larger capacity also try
 * the goal, but never refute it.
 */
void decider_aim(struct decider *decider, neap_size goal);

/*
 * Restarts the search once, for a capacity in steps.  Restarts for the same capacity get longer
 * and longer; a new capacity begins with short ones again, but keeps what was learnt about the
 * part.  After VERDICT_MEMORY the next call starts over.
 */
enum verdict decider_restart(struct decider *decider, neap_size capacity,
                             struct budget *budget);

/* A proven lower bound of the part, in steps.  Refuted capacities may imply a higher one. */
neap_size decider_proven(const struct decider *decider);

/*
 * Whether some method has found a layout with a lower peak than `peak`, in steps, even if the
 * capacity is still open.
 */
bool decider_improved(struct decider *decider, neap_size peak);

/* After VERDICT_FOUND or an improvement: the offset of each rectangle of the part, in units. */
const neap_offset *decider_offsets(const struct decider *decider);

#endif
