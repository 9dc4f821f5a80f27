/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When tuning ends: the bound is reached, an order repeats, or the maximum number of rounds is
 * done.
 */
#ifndef TUNE_GOALS_H
#define TUNE_GOALS_H

#include <stdint.h>

#include "neap/neap.h"

/*
 * All orders so far, looked up by hash and then compared in full. Used for orders of all
 * buffers and for orders of one group.
 */
struct history {
  size_t length;    /* the length of each order */
  uint32_t *orders; /* one order after another */
  uint64_t *hashes;
  size_t count, capacity, hash_capacity;
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
 * Decides whether round `round` (from 1), whose order gave `peak`, is the last, and why: first
 * the bound, then a repeated order, then the maximum number of rounds. Adds the order to the
 * history.
 */
neap_status goals_check(struct goals *goals, uint64_t round, const size_t *order,
                        neap_size peak, bool *stop, neap_stop_reason *reason,
                        neap_error *error);

#endif
