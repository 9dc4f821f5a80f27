/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowers the cost of a sound layout within a capacity, by simulated annealing with ejections. */
#ifndef SOFT_ANNEAL_H
#define SOFT_ANNEAL_H

#include "core/budget.h"
#include "soft/net.h"

struct anneal;

/*
 * `weights` has what each term of the net counts (>= 0), and `positions` a sound layout within the
 * net's limits; both are copied.  `net` must outlive it and keep its limits.  NULL when memory is
 * short.
 */
struct anneal *anneal_new(const struct net *net, const neap_size *weights,
                          const int64_t *positions, uint64_t seed);
void anneal_free(struct anneal *anneal);

/* Cools down once more, slower every time.  False at the end of the budget. */
bool anneal_cool(struct anneal *anneal, struct budget *budget);

/* Takes over a sound layout that is no heavier than the best one. */
void anneal_restart(struct anneal *anneal, const int64_t *positions);

/* How many times it has cooled down. */
uint64_t anneal_cycles(const struct anneal *anneal);

/* The best layout so far and the sum of the weights that it pays. */
const int64_t *anneal_positions(const struct anneal *anneal);
neap_size anneal_weight(const struct anneal *anneal);

#endif
