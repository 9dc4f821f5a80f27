/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Take the units in a column that prefer the same pool.  If they exceed its room, some of them
 * must go elsewhere.  Units move as a whole, so the cheapest way is a small covering knapsack.
 * Its cost is often much higher than the cost of just the excess bytes, which is all that
 * prices reflect.  The costs of columns without common units add up; the best chain of such
 * columns is found from left to right:
 *
 *     chain[s] = max(chain[s - 1], cover[s] + chain[columns before all units alive in s])
 *
 * O(units * columns) for listing the units alive in each column.  Each knapsack has a limit of
 * nodes; beyond it, its bound is the excess times the lowest cost per byte.
 */
#include "pools/assigner.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"

__extension__ typedef __int128 cover_product;

/* A unit that is alive in a column. */
struct alive {
  size_t pool;           /* its cheapest pool */
  neap_size bytes, cost; /* the cost of another pool; -1: it has no other choice */
};

struct cover {
  const struct units *units;
  const struct pool_columns *columns;
  size_t *begins; /* per column: where its units begin in `alive` */
  struct alive *alive;
  size_t *earliest;    /* per column: the first column of the units alive in it */
  struct alive *items; /* the items of one knapsack */
  neap_size *rest;     /* per item: the bytes of it and all later items */
  neap_size *chain;
};

/* ---------------------------------------------------------------- one knapsack */

struct knapsack {
  const struct alive *items;
  const neap_size *rest;
  size_t count, cheapest; /* the item with the lowest cost per byte */
  neap_size excess, best;
  size_t nodes;
};

/* The least cost of this many bytes. */
static neap_size least_for(const struct knapsack *knapsack, neap_size bytes) {
  const struct alive *item = &knapsack->items[knapsack->cheapest];
  cover_product cost = (cover_product)bytes * item->cost;
  return (neap_size)((cost + item->bytes - 1) / item->bytes);
}

static void search(struct knapsack *knapsack, size_t at, neap_size covered, neap_size cost) {
  if (covered >= knapsack->excess) {
    if (cost < knapsack->best) knapsack->best = cost;
    return;
  }
  if (at == knapsack->count || knapsack->nodes++ > POOL_COVER_NODES_MOST) return;
  if (knapsack->rest[at] < knapsack->excess - covered) return;
  if (least_for(knapsack, knapsack->excess - covered) >= knapsack->best - cost) return;
  search(knapsack, at + 1, covered + knapsack->items[at].bytes,
         cost + knapsack->items[at].cost);
  search(knapsack, at + 1, covered, cost);
}

static int larger_first(const void *left, const void *right) {
  const struct alive *a = left, *b = right;
  return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

/*
 * The least cost of items with `excess` (> 0) bytes or more; 0 if all of them have fewer bytes.
 */
static neap_size least_cover(struct cover *cover, size_t count, neap_size excess) {
  struct alive *items = cover->items;
  struct knapsack knapsack = {
      .items = items, .rest = cover->rest, .count = count, .excess = excess, .best = NEAP_MAX};
  qsort(items, count, sizeof *items, larger_first);
  cover->rest[count] = 0;
  for (size_t i = count; i-- > 0;) {
    const struct alive *best = &items[knapsack.cheapest < count ? knapsack.cheapest : i];
    cover->rest[i] = cover->rest[i + 1] + items[i].bytes;
    if ((cover_product)items[i].cost * best->bytes <=
        (cover_product)best->cost * items[i].bytes)
      knapsack.cheapest = i;
  }
  if (count == 0 || cover->rest[0] < excess) return 0;
  search(&knapsack, 0, 0, 0);
  return knapsack.nodes > POOL_COVER_NODES_MOST ? least_for(&knapsack, excess) : knapsack.best;
}

/* ---------------------------------------------------------------- columns */

/* The cheapest pool of a unit, and the extra cost of its second choice. */
static struct alive describe(const struct units *units, size_t unit) {
  size_t begin = units_choices_begin(units, unit), end = units->choices_end[unit];
  struct alive alive = {.pool = units->choices[begin].pool, .cost = -1};
  if (end - begin > 1) alive.cost = units->choices[begin + 1].cost - units->choices[begin].cost;
  return alive;
}

static bool count_alive(struct cover *cover) {
  const struct pool_columns *columns = cover->columns;
  size_t total = 0;
  for (size_t u = 0; u < cover->units->count; u++) {
    if (units_choices_begin(cover->units, u) == cover->units->choices_end[u]) return false;
    for (size_t s = pool_columns_begin(columns, u); s < columns->spans_end[u]; s++) {
      struct span span = columns->spans[s].columns;
      total += span.end - span.first;
      if (total > POOL_COVER_ALIVE_MOST) return false;
      for (size_t c = span.first; c < span.end; c++)
        cover->begins[c + 1]++;
    }
  }
  for (size_t c = 0; c < columns->count; c++)
    cover->begins[c + 1] += cover->begins[c];
  return true;
}

/*
 * While listing, begins[c + 1] moves from the end of column c to its begin, and is then
 * restored.
 */
static void list_alive(struct cover *cover) {
  const struct pool_columns *columns = cover->columns;
  for (size_t c = 0; c < columns->count; c++)
    cover->earliest[c] = c;
  for (size_t u = 0; u < cover->units->count; u++) {
    struct alive alive = describe(cover->units, u);
    size_t begin = pool_columns_begin(columns, u);
    for (size_t s = begin; s < columns->spans_end[u]; s++) {
      struct span span = columns->spans[s].columns;
      alive.bytes = round_up(columns->spans[s].bytes, columns->steps[alive.pool]);
      for (size_t c = span.first; c < span.end; c++) {
        size_t first = columns->spans[begin].columns.first;
        cover->alive[--cover->begins[c + 1]] = alive;
        if (first < cover->earliest[c]) cover->earliest[c] = first;
      }
    }
  }
}

/* A lower bound on the extra cost of the units of a column that prefer a pool. */
static neap_size cover_pool(struct cover *cover, size_t column, size_t end, size_t pool) {
  neap_size load = 0, room = cover->columns->rooms[pool];
  size_t count = 0;
  for (size_t a = cover->begins[column + 1]; a < end; a++) {
    if (cover->alive[a].pool != pool) continue;
    load += cover->alive[a].bytes;
    if (cover->alive[a].cost >= 0) cover->items[count++] = cover->alive[a];
  }
  return room >= 0 && load > room ? least_cover(cover, count, load - room) : 0;
}

static neap_size find_chain(struct cover *cover, size_t total) {
  const struct pool_columns *columns = cover->columns;
  for (size_t c = 0; c < columns->count; c++) {
    size_t end = c + 1 < columns->count ? cover->begins[c + 2] : total;
    neap_size cost = cover->chain[cover->earliest[c]];
    for (size_t p = 0; p < columns->pool_count; p++)
      cost += cover_pool(cover, c, end, p);
    cover->chain[c + 1] = cost > cover->chain[c] ? cost : cover->chain[c];
  }
  return cover->chain[columns->count];
}

static neap_size base_cost(const struct units *units) {
  neap_size cost = 0;
  for (size_t u = 0; u < units->count; u++)
    cost += units->choices[units_choices_begin(units, u)].cost;
  return cost;
}

bool pool_cover_bound(const struct units *units, const struct pool_columns *columns,
                      neap_size *bound) {
  struct cover cover = {.units = units, .columns = columns};
  cover.begins = memory_array(columns->count + 2, sizeof *cover.begins);
  cover.earliest = memory_array(columns->count + 1, sizeof *cover.earliest);
  cover.chain = memory_array(columns->count + 1, sizeof *cover.chain);
  cover.items = memory_array(units->count + 1, sizeof *cover.items);
  cover.rest = memory_array(units->count + 1, sizeof *cover.rest);
  bool ready = cover.begins && cover.earliest && cover.chain && cover.items && cover.rest;
  *bound = 0;
  if (ready && count_alive(&cover)) {
    size_t total = cover.begins[columns->count];
    cover.alive = memory_array(total, sizeof *cover.alive);
    ready = cover.alive != NULL;
    if (ready) list_alive(&cover);
    if (ready) *bound = base_cost(units) + find_chain(&cover, total);
  }
  free(cover.begins);
  free(cover.earliest);
  free(cover.chain);
  free(cover.items);
  free(cover.rest);
  free(cover.alive);
  return ready;
}
