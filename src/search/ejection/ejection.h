/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowers layouts of a part step by step, by ejection (search/ejection/ejector). */
#ifndef SEARCH_EJECTION_EJECTION_H
#define SEARCH_EJECTION_EJECTION_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct descent;

/*
 * Sets *descent, or sets it to NULL if ejection does not support the part or would not help:
 * without fixed rectangles and alignments, other searches do better.  The part must outlive it.
 * False when memory is short.
 */
bool descent_new(struct descent **descent, const struct part *part, struct rules rules,
                 uint64_t seed);
void descent_free(struct descent *descent);

/*
 * Offers a layout, in units.  The descent continues from it once it is stuck with a higher one
 * of its own; in large parts at once.  If sizes were rounded up, the layout may be unsound.
 */
void descent_guide(struct descent *descent, const neap_offset *offsets);

/*
 * Searches for a while.  VERDICT_FOUND if there is a layout within the capacity.  Never aims
 * below the goal.  Both are in steps.
 */
enum verdict descent_restart(struct descent *descent, neap_size capacity, neap_size goal,
                             struct budget *budget);

/*
 * The lowest layout so far, whatever the capacity: its peak in steps, and the offset of each
 * rectangle.
 */
neap_size descent_peak(const struct descent *descent);
const neap_offset *descent_offsets(const struct descent *descent);

#endif
