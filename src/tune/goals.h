/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When tuning ends: the bound is kept, an order has been there before, or the cap on rounds is
 * met.
 */
#ifndef TUNE_GOALS_H
#define TUNE_GOALS_H

#include <stdint.h>

#include "neap/neap.h"

/*
 * All orders seen, found by hash and compared in full.  Used for the whole list and for the
 * list of one group.
 */
struct history {
  size_t length;    /* elements of each order */
  uint32_t *orders; /* order after order */
  uint64_t *hashes;
  size_t count, capacity, hash_capacity;
};

/*
 * Begin with history_init; history_clear releases; history_restart forgets the orders and keeps
 * the memory.
 */
void history_init(struct history *history, size_t length);
void history_clear(struct history *history);
void history_restart(struct history *history, size_t length);

bool history_has(const struct history *history, const size_t *order);

/* Adds an order, whether or not it is there already; false when memory is short. */
bool history_add(struct history *history, const size_t *order);

struct goals {
  neap_size bound;
  uint64_t cap;            /* rounds at most, >= 1 */
  struct history *history; /* of the orders of all earlier rounds */
};

/*
 * Whether round `round` (from 1), whose order gave `peak`, is the last, and why.  Where several
 * goals hold the bound is reported before the fixed point, and that before the cap.  Adds the
 * order to the history.
 */
neap_status goals_check(struct goals *goals, uint64_t round, const size_t *order,
                        neap_size peak, bool *stop, neap_stop_reason *reason,
                        neap_error *error);

#endif
