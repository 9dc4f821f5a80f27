/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Let every column of a limited pool sell its bytes at a price.  Each unit then takes its
 * cheapest choice, counting the price of the bytes that it takes up, independently of other
 * units.  An assignment that fits never uses more than the room of a column, so its cost is at
 * least
 *
 *     sum over units of the least cost  -  sum over columns of price * room,
 *
 * for any prices >= 0.  The best prices give the bound of the linear relaxation (Geoffrion
 * 1974).  They are found by subgradients: a column with too much demand raises its price, and a
 * column with room to spare lowers it (Held, Wolfe and Crowder 1974; the step is Polyak's, the
 * direction keeps some of the last one, after Camerini, Fratta and Maffioli 1975).
 *
 * Steps are computed in floating point; the prices are rounded to integers, for which the bound
 * is computed exactly.
 */
#include "pools/pool_prices.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"

/*
 * The limit on the sum of the prices of all columns of a pool.  The rounded sizes of all units
 * sum to less than 2^64, so no sum of payments exceeds 2^115.
 */
#define PRICES_MOST ((double)(INT64_C(1) << 50))

bool pool_prices_init(struct pool_prices *prices, const struct units *units,
                      const struct pool_columns *columns) {
  size_t choices = units->count > 0 ? units->choices_end[units->count - 1] : 0;
  size_t cells;
  *prices = (struct pool_prices){.units = units, .columns = columns};
  if (__builtin_mul_overflow(columns->pool_count, columns->count, &cells) ||
      cells > SIZE_MAX - columns->pool_count)
    return false;
  prices->prices = memory_array(cells, sizeof *prices->prices);
  prices->best = memory_array(cells, sizeof *prices->best);
  prices->exact = memory_array(cells, sizeof *prices->exact);
  prices->gradient = memory_array(cells, sizeof *prices->gradient);
  prices->direction = memory_array(cells, sizeof *prices->direction);
  prices->costs = memory_array(choices, sizeof *prices->costs);
  prices->is_excluded = memory_array(choices, sizeof *prices->is_excluded);
  prices->least = memory_array(units->count, sizeof *prices->least);
  prices->running = memory_array(cells + columns->pool_count, sizeof *prices->running);
  return prices->prices && prices->best && prices->exact && prices->gradient &&
         prices->direction && prices->costs && prices->is_excluded && prices->least &&
         prices->running;
}

void pool_prices_clear(struct pool_prices *prices) {
  free(prices->prices);
  free(prices->best);
  free(prices->exact);
  free(prices->gradient);
  free(prices->direction);
  free(prices->costs);
  free(prices->is_excluded);
  free(prices->least);
  free(prices->running);
  *prices = (struct pool_prices){0};
}

/* ---------------------------------------------------------------- the bound of given prices */

static neap_size bytes_in(const struct pool_columns *columns, const struct unit_span *span,
                          size_t pool) {
  return round_up(span->bytes, columns->steps[pool]);
}

/* Adds the payments for all choices, whose pools' running sums of prices are ready. */
static void add_payments(struct pool_prices *prices) {
  const struct units *units = prices->units;
  const struct pool_columns *columns = prices->columns;
  for (size_t u = 0; u < units->count; u++)
    for (size_t c = units_choices_begin(units, u); c < units->choices_end[u]; c++) {
      size_t pool = units->choices[c].pool;
      if (columns->rooms[pool] < 0) continue;
      const int64_t *running = prices->running + pool * (columns->count + 1);
      for (size_t s = pool_columns_begin(columns, u); s < columns->spans_end[u]; s++) {
        struct span span = columns->spans[s].columns;
        prices->costs[c] += (price_sum)bytes_in(columns, &columns->spans[s], pool) *
                            (running[span.end] - running[span.first]);
      }
    }
}

static void add_room(struct pool_prices *prices, size_t pool) {
  const struct pool_columns *columns = prices->columns;
  const int64_t *row = prices->prices + pool * columns->count;
  int64_t *running = prices->running + pool * (columns->count + 1);
  for (size_t s = 0; s < columns->count; s++)
    running[s + 1] = running[s] + row[s];
  prices->bound -= (price_sum)columns->rooms[pool] * running[columns->count];
}

static void find_least(struct pool_prices *prices) {
  const struct units *units = prices->units;
  for (size_t u = 0; u < units->count; u++) {
    bool found = false;
    prices->least[u] = 0;
    for (size_t c = units_choices_begin(units, u); c < units->choices_end[u]; c++) {
      if (prices->is_excluded[c] || (found && prices->costs[c] >= prices->least[u])) continue;
      prices->least[u] = prices->costs[c];
      found = true;
    }
    prices->bound += prices->least[u];
  }
}

static void evaluate(struct pool_prices *prices) {
  const struct units *units = prices->units;
  size_t choices = units->count > 0 ? units->choices_end[units->count - 1] : 0;
  prices->bound = 0;
  for (size_t c = 0; c < choices; c++)
    prices->costs[c] = (price_sum)units->choices[c].cost * PRICE_SCALE;
  for (size_t p = 0; p < prices->columns->pool_count; p++)
    if (prices->columns->rooms[p] >= 0) add_room(prices, p);
  add_payments(prices);
  find_least(prices);
}

neap_size pool_prices_bound(price_sum bound) {
  if (bound <= 0) return 0;
  price_sum whole = (bound + PRICE_SCALE - 1) / PRICE_SCALE;
  return whole < NEAP_MAX ? (neap_size)whole : NEAP_MAX;
}

/* ---------------------------------------------------------------- better prices */

/* The cheapest choice of a unit that is not excluded; SIZE_MAX if there is none. */
static size_t cheapest(const struct pool_prices *prices, size_t unit) {
  const struct units *units = prices->units;
  for (size_t c = units_choices_begin(units, unit); c < units->choices_end[unit]; c++)
    if (!prices->is_excluded[c] && prices->costs[c] == prices->least[unit]) return c;
  return SIZE_MAX;
}

/*
 * Computes, for each column, by how much the demand exceeds the room; returns the sum of
 * squares.
 */
static double find_gradient(struct pool_prices *prices) {
  const struct units *units = prices->units;
  const struct pool_columns *columns = prices->columns;
  size_t count = columns->count;
  memset(prices->gradient, 0, columns->pool_count * count * sizeof *prices->gradient);
  for (size_t u = 0; u < units->count; u++) {
    size_t c = cheapest(prices, u);
    if (c == SIZE_MAX || columns->rooms[units->choices[c].pool] < 0) continue;
    size_t pool = units->choices[c].pool;
    double *row = prices->gradient + pool * count;
    for (size_t s = pool_columns_begin(columns, u); s < columns->spans_end[u]; s++) {
      struct span span = columns->spans[s].columns;
      double bytes = (double)bytes_in(columns, &columns->spans[s], pool);
      row[span.first] += bytes;
      if (span.end < count) row[span.end] -= bytes;
    }
  }
  double squares = 0;
  for (size_t p = 0; p < columns->pool_count; p++) {
    double *row = prices->gradient + p * count, load = 0;
    for (size_t s = 0; s < count; s++) {
      load += row[s];
      row[s] = columns->rooms[p] < 0 ? 0 : load - (double)columns->rooms[p];
      if (row[s] < 0 && prices->exact[p * count + s] <= 0) row[s] = 0;
      squares += row[s] * row[s];
    }
  }
  return squares;
}

/* Moves the prices along the gradient, combined with a part of the previous direction. */
static void move_prices(struct pool_prices *prices, double step) {
  size_t cells = prices->columns->pool_count * prices->columns->count;
  double most = PRICES_MOST / (double)(prices->columns->count + 1);
  for (size_t i = 0; i < cells; i++) {
    prices->direction[i] =
        prices->gradient[i] + POOL_PRICES_KEPT_DIRECTION * prices->direction[i];
    double price = prices->exact[i] + step * prices->direction[i];
    if (!(price > 0)) price = 0;
    if (price > most) price = most;
    if (price == 0 && prices->direction[i] < 0) prices->direction[i] = 0;
    prices->exact[i] = price;
    prices->prices[i] = (int64_t)price;
  }
}

void pool_prices_improve(struct pool_prices *prices, size_t steps, neap_size cost,
                         struct budget *budget) {
  size_t cells = prices->columns->pool_count * prices->columns->count, failures = 0;
  double length = 1.2, target = (double)cost * PRICE_SCALE;
  evaluate(prices);
  price_sum best = prices->bound;
  for (size_t i = 0; i < cells; i++) {
    prices->best[i] = prices->prices[i];
    prices->exact[i] = (double)prices->prices[i];
    prices->direction[i] = 0;
  }
  for (size_t i = 0; i < steps && length > 1e-4 && budget_look(budget); i++) {
    double squares = find_gradient(prices), gap = target - (double)prices->bound;
    if (squares <= 0 || gap <= 0) break;
    move_prices(prices, length * gap / squares);
    evaluate(prices);
    failures = prices->bound > best ? 0 : failures + 1;
    if (failures > POOL_PRICES_PATIENCE) {
      length *= 0.7;
      failures = 0;
    }
    if (prices->bound <= best) continue;
    best = prices->bound;
    memcpy(prices->best, prices->prices, cells * sizeof *prices->best);
  }
  if (cells > 0) memcpy(prices->prices, prices->best, cells * sizeof *prices->best);
  evaluate(prices);
  assert(prices->bound == best);
}

bool pool_prices_exclude(struct pool_prices *prices, neap_size cost) {
  const struct units *units = prices->units;
  bool all_left = true;
  for (size_t u = 0; u < units->count; u++) {
    bool is_left = false;
    for (size_t c = units_choices_begin(units, u); c < units->choices_end[u]; c++) {
      price_sum with = prices->bound - prices->least[u] + prices->costs[c];
      if (pool_prices_bound(with) >= cost) prices->is_excluded[c] = true;
      is_left = is_left || !prices->is_excluded[c];
    }
    all_left = all_left && is_left;
  }
  return all_left;
}
