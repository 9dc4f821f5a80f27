/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places buffers one after another in a container; placed buffers do not move. */
#ifndef PLACE_PLACER_H
#define PLACE_PLACER_H

#include <gsl/gsl_permutation.h>

#include "core/budget.h"
#include "facts/sections.h"
#include "place/rule.h"

struct placer;

/*
 * A placer keeps all hard relations of a problem, and makes no use of overlap allowances.
 * Colocated buffers are placed together, with the first of them.  With windows, banks and
 * reserved bytes, a buffer may have no offset left.  Then the layout has failed, and can only
 * be reset or rolled back.
 */

/*
 * Creates a container that is empty except for the buffers with fixed offsets, which are placed
 * first. `problem` (checked: fixed offsets do not collide), `sections` (SECTIONS_ALL) and
 * `budget` must outlive the placer.
 */
neap_status placer_new(struct placer **placer, const struct neap_problem *problem,
                       const struct sections *sections, const struct place_rule *rule,
                       struct budget *budget, neap_error *error);
void placer_free(struct placer *placer);

/* Frees the memory needed for placing, until the placer is reset. */
void placer_finish(struct placer *placer);

/* Removes all buffers except the fixed ones, and those that go first (placer_fill). */
neap_status placer_reset(struct placer *placer, neap_error *error);

/*
 * Places a buffer by the rule, unless it is placed already.  One tick.  NEAP_NO_PLAN if the
 * budget is spent; the buffer is then not placed.  NEAP_INFEASIBLE, without a message, if there
 * is no offset left for it.
 */
neap_status placer_put(struct placer *placer, size_t buffer, neap_error *error);

/*
 * Places all buffers of an order, one after another.  If a buffer has no offset left, starts
 * over with this buffer first; it then goes first in all layouts of this placer.
 * NEAP_INFEASIBLE, without a message, if a few such attempts have failed.
 */
neap_status placer_fill(struct placer *placer, const gsl_permutation *order, neap_error *error);

/* The offsets of all buffers, NEAP_UNPLACED if not placed. */
const neap_offset *placer_offsets(const struct placer *placer);

/* The highest end so far. */
neap_size placer_peak(const struct placer *placer);

/*
 * After a mark, placements can be undone: rollback returns to the state at the mark, in time
 * proportional to the work since.  Marks nest. placer_forget stops logging and keeps all
 * placements.
 */
struct placer_mark {
  size_t put, log, rule;
};
struct placer_mark placer_mark(struct placer *placer);
void placer_rollback(struct placer *placer, struct placer_mark mark);
void placer_forget(struct placer *placer);

#endif
