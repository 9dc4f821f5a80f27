/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tuning loop of the source text (doc/tuner.md, R22 to R30): sorts and places all buffers,
 * then repeatedly changes the order of groups at risk and places all buffers again.
 */
#ifndef TUNE_REORDERER_H
#define TUNE_REORDERER_H

#include <stdint.h>

#include "core/hash_set.h"
#include "neap/neap.h"
#include "neap/planner.h"
#include "order/spec.h"
#include "place/placer.h"
#include "tune/group.h"
#include "tune/rearrange.h"

struct reorderer_task {
  const struct neap_problem *problem;
  const struct sections *sections; /* SECTIONS_ALL */
  const struct place_rule *rule;
  const struct rearranger *rearranger;
  struct grouping grouping;
  uint64_t max_rounds;       /* >= 1; 1: only the sorted layout */
  uint64_t max_group_rounds; /* >= 1 */
  neap_size bound;           /* the peak cannot, or need not, be below this */
  struct random *random;
  struct budget *budget;
};

struct reorderer;

/* The task's pointers must stay valid as long as the reorderer. */
neap_status reorderer_new(struct reorderer **reorderer, const struct reorderer_task *task,
                          neap_error *error);
void reorderer_free(struct reorderer *reorderer);

/* Restarts with a sorted order.  The next step places all buffers in it. */
neap_status reorderer_start(struct reorderer *reorderer, const struct order_spec *spec,
                            neap_error *error);

/*
 * Does the next round since the start, and sets risk, groups and group_rounds of `round`.  Sets
 * *stop if it was the last, and *reason to NEAP_STOP_BOUND, _FIXED_POINT or _ITERATION_CAP.
 * NEAP_NO_PLAN if the budget is spent during the round, which then does not count.
 */
neap_status reorderer_step(struct reorderer *reorderer, neap_round *round, bool *stop,
                           neap_stop_reason *reason, neap_error *error);

/* The offsets of the last round; valid until the next. */
const neap_offset *reorderer_layout(const struct reorderer *reorderer);

/*
 * Places all buffers in the order of their offsets in a layout.  With the lowest rule, no
 * buffer is placed higher than in the layout.  reorderer_layout has the result; the next call
 * must be reorderer_start.
 */
neap_status reorderer_settle(struct reorderer *reorderer, const neap_offset *layout,
                             neap_error *error);

/*
 * The merger: writes the buffers of `order` to `merged`, another permutation of the same size, by
 * descending risk.  Stable.  O(n).
 */
void merge_by_risk(const gsl_permutation *order, const unsigned char *risks,
                   const size_t counts[NEAP_RISK_COUNT], gsl_permutation *merged);

/* ---------------------------------------------------------------- goals */

/*
 * When tuning ends: the bound is reached, an order repeats, or the maximum number of rounds is
 * done.
 */

/*
 * All orders so far, looked up by hash and then compared in full. Used for orders of all
 * buffers and for orders of one group.
 */
struct history {
  size_t length;    /* the length of each order */
  uint32_t *orders; /* one order after another */
  size_t capacity;
  struct hash_set found;
};

/*
 * history_init initialises and history_clear releases; history_restart forgets the orders but
 * keeps the memory.
 */
void history_init(struct history *history, size_t length);
void history_clear(struct history *history);
void history_restart(struct history *history, size_t length);

bool history_has(const struct history *history, const size_t *order);

/* Adds an order, even if it is already there; false when memory is short. */
bool history_add(struct history *history, const size_t *order);

struct goals {
  neap_size bound;
  uint64_t cap;            /* maximum number of rounds, >= 1 */
  struct history *history; /* the orders of all earlier rounds */
};

/*
 * Decides whether round `round` (from 1), whose order gave `peak`, is the last, and why.
 * Checks first the bound, then a repeated order, then the maximum number of rounds. Adds the
 * order to the history.
 */
neap_status goals_check(struct goals *goals, uint64_t round, const size_t *order,
                        neap_size peak, bool *stop, neap_stop_reason *reason,
                        neap_error *error);

#endif
