/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This method decides, pair by pair, which rectangle lies below.  It lowers the peak of a part,
 * proves lower bounds, and can record its proofs.  Its state is a struct orienter.
 */
#ifndef SEARCH_DISJUNCTIVE_DISJUNCTIVE_H
#define SEARCH_DISJUNCTIVE_DISJUNCTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/max_tree.h"
#include "search/method.h"

struct orienter;

/*
 * An orienter that searches only for layouts below a peak, with the steps of method_disjunctive,
 * and records all clauses in the order in which they are learnt.  Propagation alone derives each
 * clause from those before it, and, once the capacity is refuted, a contradiction from all of
 * them.  It ignores separated banks: its layouts may not keep them.  *state, which is NULL before,
 * stays so if statements cannot express the part.  False when memory is short; release it with
 * method_disjunctive.free in any case.
 */
bool orienter_new(const struct part *part, neap_size peak, void **state);

/*
 * The recorded clauses, one after another.  Each is a count, followed by that many pairs of
 * rectangles; in at least one of these, the first lies below the second.  Sets *count to the
 * number of words.
 */
const uint32_t *orienter_clauses(const struct orienter *orienter, size_t *count);

/* ---------------------------------------------------------------- activity */

/*
 * How often pairs took part in late conflicts: the search decides the most active one first
 * (Moskewicz et al. 2001).  Pairs that may be undecided are offered, so that the most active
 * one is found without visiting all others.
 */

#define ACTIVITY_NONE SIZE_MAX

struct activity {
  double *of;             /* per pair, >= 0; set it before the pair is offered */
  struct max_tree offers; /* of the pairs offered, as keys */
  double bump;            /* the activity that a conflict adds now */
};

/* Makes `pairs` pairs with activity 0, none of them offered; false if memory runs out. */
bool activity_init(struct activity *activity, size_t pairs);
void activity_clear(struct activity *activity);

/* Offers a pair, unless it is offered already. */
void activity_offer(struct activity *activity, size_t pair);
void activity_withdraw(struct activity *activity, size_t pair);

/* The offered pair with the highest activity, the first of equals; ACTIVITY_NONE: none. */
size_t activity_highest(const struct activity *activity);

/* Adds a conflict to a pair, offered or not. */
void activity_raise(struct activity *activity, size_t pair);

/* Makes all conflicts so far count for less, by the factor ORIENTER_FADING. */
void activity_fade(struct activity *activity);

#endif
