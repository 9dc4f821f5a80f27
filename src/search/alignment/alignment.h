/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds layouts of a part whose alignments differ, starting from layouts that ignore
 * alignments.
 */
#ifndef SEARCH_ALIGNMENT_ALIGNMENT_H
#define SEARCH_ALIGNMENT_ALIGNMENT_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct aligner;

/*
 * Sets *aligner, or sets it to NULL if it cannot help the part.  The part must outlive it.
 * False when memory is short.
 */
bool aligner_new(struct aligner **aligner, const struct part *part, struct rules rules,
                 uint64_t seed, uint64_t variant);
void aligner_free(struct aligner *aligner);

/* Continues from the order of a layout, in units, unless the current order is better. */
void aligner_guide(struct aligner *aligner, const neap_offset *offsets);

/*
 * Searches for a layout within a capacity, in steps.  Repeated calls search a little longer
 * each time.
 */
enum verdict aligner_restart(struct aligner *aligner, neap_size capacity,
                             struct budget *budget);

/*
 * The lowest layout so far, whatever the capacity: its peak in steps, and the offset of each
 * rectangle.
 */
neap_size aligner_peak(const struct aligner *aligner);
const neap_offset *aligner_offsets(const struct aligner *aligner);

#endif
