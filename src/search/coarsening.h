/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Refutes capacities of a part with relaxed ("weaker") parts: fewer columns, sizes rounded
 * down.
 */
#ifndef SEARCH_COARSENING_H
#define SEARCH_COARSENING_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct coarsener;

/*
 * Sets *coarsener to NULL if no weaker part can help.  False when memory is short.  The part
 * must outlive it.
 */
bool coarsener_new(struct coarsener **coarsener, const struct part *part, struct rules rules,
                   uint64_t seed);
void coarsener_free(struct coarsener *coarsener);

/*
 * Restarts the search of a weaker part once.  VERDICT_REFUTED if it is proven that the part has
 * no layout within a capacity in units, otherwise VERDICT_OPEN, VERDICT_STOPPED or
 * VERDICT_MEMORY.
 */
enum verdict coarsener_restart(struct coarsener *coarsener, neap_size capacity,
                               struct budget *budget);

/* No layout of the part is lower than this, in units. */
neap_size coarsener_proven(const struct coarsener *coarsener);

/* Whether all weaker parts have layouts at the proven bound, so that they cannot raise it. */
bool coarsener_is_done(const struct coarsener *coarsener);

#endif
