/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on the cost of any assignment, and how much each choice adds to it: Lagrangian
 * relaxation of the rooms of the pools.
 */
#ifndef ENGINE_POOL_PRICES_H
#define ENGINE_POOL_PRICES_H

#include "engine/pool_columns.h"

__extension__ typedef __int128 price_sum;

/* Prices are in this fraction of the cost of a byte. */
#define PRICE_SCALE 65536

struct pool_prices {
  const struct units *units;
  const struct pool_columns *columns;
  int64_t *prices; /* per pool and column; those of unlimited pools stay 0 */
  /* All sums are scaled. */
  price_sum *costs;  /* per choice: its cost plus the price of what it takes up */
  price_sum *least;  /* per unit: the least of its costs; 0 without a choice */
  price_sum bound;   /* of all assignments */
  bool *is_excluded; /* per choice */
  /* Room for the work. */
  int64_t *running; /* per column and one: the sum of the prices of a pool before it */
  double *exact, *gradient, *direction;
  int64_t *best;
};

bool pool_prices_init(struct pool_prices *prices, const struct units *units,
                      const struct pool_columns *columns);
void pool_prices_clear(struct pool_prices *prices);

/*
 * Changes the prices to raise the bound, by some steps of a subgradient; `cost` is that of an
 * assignment known or guessed.
 */
void pool_prices_improve(struct pool_prices *prices, size_t steps, neap_size cost);

/*
 * Excludes the choices that no assignment cheaper than `cost` contains.  False if a unit has none
 * left: there is no such assignment.
 */
bool pool_prices_exclude(struct pool_prices *prices, neap_size cost);

/* The bound as a cost, at least 0. */
neap_size pool_prices_bound(price_sum bound);

#endif
