/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches a part with beams (search/beams/cell_beam), one per call, cycling through several
 * settings.
 */
#ifndef SEARCH_BEAMS_BEAMS_H
#define SEARCH_BEAMS_BEAMS_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct beamer;

/*
 * Sets *beamer, or sets it to NULL if beams do not support the part.  False when memory is
 * short.
 */
bool beamer_new(struct beamer **beamer, const struct part *part, struct rules rules,
                uint64_t seed);
void beamer_free(struct beamer *beamer);

/* Reports that a layout with this peak, in steps, is known. */
void beamer_know(struct beamer *beamer, neap_size peak);

/*
 * Runs one beam, for a capacity or for a goal below it, both in steps.  If alignments differ,
 * the beam looks for any layout lower than the lowest known one.  VERDICT_REFUTED refutes the
 * capacity; it is returned only if a column cannot hold its rectangles.
 */
enum verdict beamer_restart(struct beamer *beamer, neap_size capacity, neap_size goal,
                            struct budget *budget);

/*
 * The lowest layout so far, which may be above the capacity: its peak in steps, NEAP_MAX if
 * there is none, and the offset of each rectangle, in units.
 */
neap_size beamer_peak(const struct beamer *beamer);
const neap_offset *beamer_offsets(const struct beamer *beamer);

#endif
