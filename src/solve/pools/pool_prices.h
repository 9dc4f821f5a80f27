/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on the cost of any assignment, and the increase of this bound for each choice:
 * Lagrangian relaxation of the pools' rooms.
 */
#ifndef POOLS_POOL_PRICES_H
#define POOLS_POOL_PRICES_H

#include "core/budget.h"
#include "pools/pool_columns.h"

__extension__ typedef __int128 price_sum;

/* The unit of prices is 1 / PRICE_SCALE of a unit of cost per byte. */
#define PRICE_SCALE 65536

struct pool_prices {
  const struct units *units;
  const struct pool_columns *columns;
  int64_t *prices; /* per pool and column; those of unlimited pools stay 0 */
  /* All sums are scaled. */
  price_sum *costs;  /* per choice: its cost plus the price of its bytes */
  price_sum *least;  /* per unit: the least of its costs; 0 without a choice */
  price_sum bound;   /* a lower bound on all assignments */
  bool *is_excluded; /* per choice */
  /* Scratch arrays. */
  int64_t *running; /* per pool, column and one more: the sum of prices in earlier columns */
  double *exact, *gradient, *direction;
  int64_t *best;
};

bool pool_prices_init(struct pool_prices *prices, const struct units *units,
                      const struct pool_columns *columns);
void pool_prices_clear(struct pool_prices *prices);

/*
 * Changes the prices by some subgradient steps, to raise the bound; `cost` is the cost of a
 * known assignment, or a guess.  Ends early if the budget ends, but spends none of it.
 */
void pool_prices_improve(struct pool_prices *prices, size_t steps, neap_size cost,
                         struct budget *budget);

/*
 * Excludes the choices that no assignment cheaper than `cost` contains.  False if a unit has no
 * choice left, so that no cheaper assignment exists.
 */
bool pool_prices_exclude(struct pool_prices *prices, neap_size cost);

/* The bound as a cost, at least 0. */
neap_size pool_prices_bound(price_sum bound);

#endif
