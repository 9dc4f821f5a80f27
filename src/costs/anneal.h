/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowers the cost of a sound layout within a capacity, by simulated annealing with ejections. */
#ifndef COSTS_ANNEAL_H
#define COSTS_ANNEAL_H

#include "core/budget.h"
#include "costs/net.h"

struct anneal;

/*
 * `weights` holds the weight of each term of the net (>= 0), and `positions` a sound layout
 * within the net's limits; both are copied.  `net` must outlive the annealer and keep its
 * limits.  NULL when memory is short.
 */
struct anneal *anneal_new(const struct net *net, const neap_size *weights,
                          const int64_t *positions, uint64_t seed);
void anneal_free(struct anneal *anneal);

/*
 * Runs one cycle of cooling; each takes longer than the previous one.  False when the budget
 * ends.
 */
bool anneal_cool(struct anneal *anneal, struct budget *budget);

/* Continues from a sound layout that is no heavier than the best one. */
void anneal_restart(struct anneal *anneal, const int64_t *positions);

/* The number of cycles begun. */
uint64_t anneal_cycles(const struct anneal *anneal);

/* The best layout so far. */
const int64_t *anneal_positions(const struct anneal *anneal);

#endif
