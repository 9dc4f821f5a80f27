/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches a part by beams, one after another, each in another manner. */
#ifndef SEARCH_BEAMER_H
#define SEARCH_BEAMER_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct beamer;

/* Sets *beamer to NULL if beams cannot take the part.  False when memory is short. */
bool beamer_new(struct beamer **beamer, const struct part *part, struct rules rules,
                uint64_t seed);
void beamer_free(struct beamer *beamer);

/*
 * Runs one beam, for a capacity or for a goal below it, both in steps.  VERDICT_REFUTED refutes the
 * capacity, and comes only if its columns cannot hold their rectangles.
 */
enum verdict beamer_restart(struct beamer *beamer, neap_size capacity, neap_size goal,
                            struct budget *budget);

/* After VERDICT_FOUND: the offset of each rectangle, in units. */
const neap_offset *beamer_offsets(const struct beamer *beamer);

#endif
