/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cell search that looks at all sections: for parts of hundreds of rectangles, with every
 * constraint.
 */
#ifndef SEARCH_CELLS_H
#define SEARCH_CELLS_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct cells;

/* Whether a part is small enough: memory grows with the pairs that overlap. */
bool cells_fits(const struct part *part);

/* `part` fits and outlives the search.  NULL when memory is short. */
struct cells *cells_new(const struct part *part, struct rules rules);
void cells_free(struct cells *cells);

/* Weighs all sections alike again, as at first. */
void cells_forget(struct cells *cells);

/* As valley_start; what has been refuted stays so as long as the capacity is the same. */
void cells_start(struct cells *cells, neap_size capacity, const uint32_t *rank);

/* As valley_run. */
enum verdict cells_run(struct cells *cells, uint64_t failures, struct budget *budget);

const neap_offset *cells_offsets(const struct cells *cells);

#endif
