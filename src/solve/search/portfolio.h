/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides whether a part fits a capacity, turn by turn, with all methods (search/method) that
 * support it.
 */
#ifndef SEARCH_PORTFOLIO_H
#define SEARCH_PORTFOLIO_H

#include "search/method.h"

struct portfolio;

/* Whether some method supports the part.  None supports a large part that is not simple. */
bool portfolio_suits(const struct part *part);

/* NULL when memory is short. */
struct portfolio *portfolio_new(struct method_task task);
void portfolio_free(struct portfolio *portfolio);

/* Sets the layout to lower, by buffer.  Some methods start from it. */
void portfolio_guide(struct portfolio *portfolio, const neap_offset *offsets);

/*
 * Sets the capacity wanted in the end, in steps.  Some methods also try the goal during turns
 * for a larger capacity, but never refute it then.
 */
void portfolio_aim(struct portfolio *portfolio, neap_size goal);

/*
 * Gives one method a turn, for a capacity in steps.  Turns for the same capacity get longer and
 * longer; a new capacity begins with short ones again, but methods keep what they learnt about
 * the part.  After VERDICT_MEMORY the next call starts over.
 */
enum verdict portfolio_step(struct portfolio *portfolio, neap_size capacity,
                            struct budget *budget);

/* A proven lower bound of the part, in steps.  Refuted capacities may imply a higher one. */
neap_size portfolio_proven(const struct portfolio *portfolio);

/*
 * Whether some method has found a layout with a lower peak than `peak`, in steps, even if the
 * capacity is still open.
 */
bool portfolio_improved(struct portfolio *portfolio, neap_size peak);

/* After VERDICT_FOUND or an improvement: the offset of each rectangle of the part, in units. */
const neap_offset *portfolio_offsets(const struct portfolio *portfolio);

/* ---------------------------------------------------------------- sharing the work */

/* The available methods and their work so far, by index of the method. */
struct ledger {
  bool is_there[METHODS_MOST];
  uint64_t work[METHODS_MOST]; /* in ticks */
  size_t leader;               /* the local search with the lowest layout, or METHODS_MOST */
  size_t count;                /* of the part's rectangles */
  bool is_tied, is_fixed, is_aligned; /* the part */
};

/* Initially no method is there. */
struct ledger ledger_for(const struct part *part);

/* Whether a method is there and has not used up its share at a turn for a capacity. */
bool ledger_is_due(const struct ledger *ledger, size_t method, uint64_t turn);

#endif
