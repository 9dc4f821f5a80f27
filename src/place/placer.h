/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placing buffers one after the other into a container; what is placed does not move. */
#ifndef PLACE_PLACER_H
#define PLACE_PLACER_H

#include <gsl/gsl_permutation.h>

#include "core/budget.h"
#include "model/sections.h"
#include "place/rule.h"

struct placer;

/*
 * An empty container, but for the buffers with fixed offsets, which are placed first of all.
 * `problem` (checked: fixed offsets do not collide), `sections` (SECTIONS_ALL) and `budget`
 * must outlive it.
 */
neap_status placer_new(struct placer **placer, const struct neap_problem *problem,
                       const struct sections *sections, const struct place_rule *rule,
                       struct budget *budget, neap_error *error);
void placer_free(struct placer *placer);

/* Takes out everything but the fixed buffers. */
neap_status placer_reset(struct placer *placer, neap_error *error);

/*
 * Places a buffer by the rule, unless it is placed already.  One tick.  NEAP_NO_PLAN when the
 * budget is spent: the buffer is not placed then.
 */
neap_status placer_put(struct placer *placer, size_t buffer, neap_error *error);

/* Puts all buffers of an order, one after the other. */
neap_status placer_fill(struct placer *placer, const gsl_permutation *order, neap_error *error);

/* Offsets of all buffers, NEAP_UNPLACED where not placed. */
const neap_offset *placer_offsets(const struct placer *placer);

/* The highest end so far. */
neap_size placer_peak(const struct placer *placer);

/*
 * From a mark on, what is put can be taken out again: rollback returns to the state at the
 * mark, in time proportional to what has been done since.  Marks nest.  placer_forget ends
 * marking, with everything kept.
 */
struct placer_mark {
  size_t put, log, rule;
};
struct placer_mark placer_mark(struct placer *placer);
void placer_rollback(struct placer *placer, struct placer_mark mark);
void placer_forget(struct placer *placer);

#endif
