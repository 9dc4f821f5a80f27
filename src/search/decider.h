/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deciding whether a part fits a capacity, restart after restart, by the searches that suit the
 * part.
 */
#ifndef SEARCH_DECIDER_H
#define SEARCH_DECIDER_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct decider;

/*
 * `part` outlives it.  Deciders of different variants go different ways from the beginning.
 * NULL when memory is short.
 */
struct decider *decider_new(const struct part *part, struct rules rules, uint64_t seed,
                            uint64_t variant);
void decider_free(struct decider *decider);

/*
 * Whether there is any search for the part: large ones with alignments, fixed offsets or gaps
 * have none.
 */
bool decider_suits(const struct part *part);

/* The layout to be lowered, by buffer: some restarts try to build what is like it. */
void decider_guide(struct decider *decider, const neap_offset *offsets);

/*
 * One more restart, for a capacity in units.  Restarts for one capacity get longer and longer;
 * another capacity begins with short ones again, but what was learnt about the part stays.
 */
enum verdict decider_restart(struct decider *decider, neap_size capacity,
                             struct budget *budget);

/* After VERDICT_FOUND: the offset of each rectangle of the part, in units. */
const neap_offset *decider_offsets(const struct decider *decider);

#endif
