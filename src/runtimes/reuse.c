/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is an assignment problem. Records that need memory are rows, records that leave memory
 * are columns, and each row also has its own column for new memory. Rows are assigned one after
 * another along shortest augmenting paths, with prices that keep all reduced costs at 0 or
 * above (Jonker and Volgenant 1987).
 *
 * The n^2 edges are never created. A row pays max(0, need - size) less the column's price for a
 * column that ends before the row begins. The cheapest column is found in a k-d tree over ends
 * and sizes (Bentley 1975), in which each box knows the highest price and the largest size left
 * in it.
 *
 * Many columns cost the same, mostly nothing, and reaching a free one ends the search. So costs
 * are counted in halves, and a taken column is made half a byte more expensive, so that free
 * ones come first.
 */
#include "runtimes/tflite_gpu.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "core/tree.h"

/* A box of columns; the leaves of the tree hold one each. */
struct box {
  neap_time earliest; /* the earliest end of its columns */
  neap_size largest;  /* the largest size of its columns */
  /* the lowest price of its columns that are not visited yet, in halves; NEAP_MAX: none */
  neap_size price;
};

/* The next choice of a visited row, and its distance from the row to assign. */
struct candidate {
  neap_size distance;     /* in halves */
  uint32_t visit, column; /* REUSE_NONE: new memory */
};

struct reuse {
  const struct records *records;
  uint32_t *source; /* of each row */
  uint32_t *taker;  /* of each column */
  neap_size *need;  /* the price of each row */
  neap_size *offer; /* the negated price of each column, >= 0 */
  struct box *boxes;
  size_t leaves;    /* of the tree of boxes (core/tree.h) */
  uint32_t *order;  /* the column in each leaf */
  uint32_t *leaf;   /* the leaf of each column */
  struct heap heap; /* the visits of rows by the distance of their next choices */
  /* for one search: */
  uint32_t *rows, *columns; /* visited, in order of visits */
  uint32_t *choices;        /* the column that each visited row would take next */
  neap_size *row_distance, *column_distance;
  uint32_t *via; /* the row from which each visited column was reached */
  size_t row_count, column_count;
};

/* ---------------------------------------------------------------- the tree */

static int by_end(const void *left, const void *right, void *context) {
  const struct record *items = context;
  const struct record *a = &items[*(const uint32_t *)left],
                      *b = &items[*(const uint32_t *)right];
  if (a->last != b->last) return a->last < b->last ? -1 : 1;
  return a < b ? -1 : a > b;
}

static int by_size(const void *left, const void *right, void *context) {
  const struct record *items = context;
  const struct record *a = &items[*(const uint32_t *)left],
                      *b = &items[*(const uint32_t *)right];
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return a < b ? -1 : a > b;
}

/*
 * Orders the leaves [begin, end) so that each half is a box; alternates between ends and sizes.
 */
static void arrange_leaves(struct reuse *reuse, size_t begin, size_t end, bool ends) {
  size_t count = reuse->records->count;
  if (end - begin < 2 || begin >= count) return;
  size_t filled = (end < count ? end : count) - begin;
  qsort_r(reuse->order + begin, filled, sizeof *reuse->order, ends ? by_end : by_size,
          reuse->records->items);
  size_t middle = begin + (end - begin) / 2;
  arrange_leaves(reuse, begin, middle, !ends);
  arrange_leaves(reuse, middle, end, !ends);
}

static void join_children(struct reuse *reuse, size_t at) {
  struct box *box = &reuse->boxes[at], *left = &reuse->boxes[tree_left(at)], *right = left + 1;
  box->price = smaller_of(left->price, right->price);
  box->earliest = smaller_of(left->earliest, right->earliest);
  box->largest = left->largest > right->largest ? left->largest : right->largest;
}

static void build_tree(struct reuse *reuse) {
  const struct record *items = reuse->records->items;
  for (uint32_t i = 0; i < reuse->records->count; i++)
    reuse->order[i] = i;
  arrange_leaves(reuse, 0, reuse->leaves, true);
  for (size_t l = 0; l < reuse->leaves; l++)
    reuse->boxes[reuse->leaves + l] = (struct box){NEAP_MAX, -1, NEAP_MAX};
  for (uint32_t l = 0; l < reuse->records->count; l++) {
    const struct record *record = &items[reuse->order[l]];
    reuse->leaf[reuse->order[l]] = l;
    reuse->boxes[reuse->leaves + l] = (struct box){record->last, record->size, 0};
  }
  for (size_t at = reuse->leaves - 1; at >= 1; at--)
    join_children(reuse, at);
}

/* Sets the price of a column; NEAP_MAX removes it. */
static void set_price(struct reuse *reuse, uint32_t column, neap_size price) {
  size_t at = reuse->leaves + reuse->leaf[column];
  reuse->boxes[at].price = price;
  assert(price >= 0 && at < 2 * reuse->leaves);
  while ((at = tree_parent(at)) != 0)
    reuse->boxes[at].price =
        smaller_of(reuse->boxes[tree_left(at)].price, reuse->boxes[tree_right(at)].price);
}

static neap_size cost_of(neap_size need, neap_size size) {
  return need > size ? need - size : 0;
}

/* A lower bound on what a column in the box costs the record; NEAP_MAX if none is possible. */
static neap_size at_least(const struct box *box, const struct record *record) {
  if (box->price == NEAP_MAX || box->earliest >= record->first) return NEAP_MAX;
  return box->price + 2 * cost_of(record->size, box->largest);
}

struct found {
  neap_size cost;
  uint32_t column;
};

static void look_in(const struct reuse *reuse, size_t at, const struct record *record,
                    struct found *best) {
  if (at_least(&reuse->boxes[at], record) >= best->cost) return;
  if (at >= reuse->leaves) {
    *best =
        (struct found){at_least(&reuse->boxes[at], record), reuse->order[at - reuse->leaves]};
    return;
  }
  neap_size left = at_least(&reuse->boxes[tree_left(at)], record);
  neap_size right = at_least(&reuse->boxes[tree_right(at)], record);
  look_in(reuse, left <= right ? tree_left(at) : tree_right(at), record, best);
  look_in(reuse, left <= right ? tree_right(at) : tree_left(at), record, best);
}

/* ---------------------------------------------------------------- one search */

/* Queues the next best choice of a visited row: an unvisited column, or new memory. */
static bool offer_next(struct reuse *reuse, size_t visit) {
  uint32_t row = reuse->rows[visit];
  const struct record *record = &reuse->records->items[row];
  struct found best = {2 * record->size, REUSE_NONE};
  look_in(reuse, 1, record, &best);
  neap_size distance = 2 * (reuse->row_distance[visit] - reuse->need[row]) + best.cost;
  assert(distance >= 0); /* reduced costs are not negative */
  reuse->choices[visit] = best.column;
  return heap_push(&reuse->heap, (struct heap_entry){distance, 0, visit});
}

/* Each visited row is in the heap at most once, so its choice is still the one queued. */
static struct candidate take_nearest(struct reuse *reuse) {
  struct heap_entry top = heap_pop(&reuse->heap);
  assert(top.id < reuse->row_count);
  return (struct candidate){top.key, (uint32_t)top.id, reuse->choices[top.id]};
}

static bool visit_row(struct reuse *reuse, uint32_t row, neap_size distance) {
  assert(reuse->row_count <= reuse->records->count);
  reuse->rows[reuse->row_count] = row;
  reuse->row_distance[reuse->row_count] = distance;
  return offer_next(reuse, reuse->row_count++);
}

static void visit_column(struct reuse *reuse, const struct candidate *reached) {
  reuse->via[reached->column] = reuse->rows[reached->visit];
  reuse->columns[reuse->column_count] = reached->column;
  reuse->column_distance[reuse->column_count++] = reached->distance / 2;
  set_price(reuse, reached->column, NEAP_MAX);
}

static bool is_visited(const struct reuse *reuse, uint32_t column) {
  return reuse->boxes[reuse->leaves + reuse->leaf[column]].price == NEAP_MAX;
}

/*
 * Finds the nearest free column, or row that takes new memory. NEAP_ERROR_MEMORY when memory is
 * short.
 */
static neap_status find_end(struct reuse *reuse, uint32_t row, struct candidate *end,
                            struct budget *budget, neap_error *error) {
  reuse->row_count = reuse->column_count = reuse->heap.count = 0;
  if (!visit_row(reuse, row, 0)) return error_memory(error);
  for (;;) {
    *end = take_nearest(reuse);
    if (!budget_tick(budget)) return NEAP_NO_PLAN;
    if (end->column == REUSE_NONE) return NEAP_OK;
    if (is_visited(reuse, end->column)) {
      if (!offer_next(reuse, end->visit)) return error_memory(error);
      continue;
    }
    visit_column(reuse, end);
    if (reuse->taker[end->column] == REUSE_NONE) return NEAP_OK;
    if (!offer_next(reuse, end->visit) ||
        !visit_row(reuse, reuse->taker[end->column], end->distance / 2))
      return error_memory(error);
  }
}

/*
 * Raises the price of each visited column by how much closer the column is than the end of the
 * path. All visited columns are taken now.
 */
static void change_prices(struct reuse *reuse, neap_size distance) {
  for (size_t v = 0; v < reuse->row_count; v++)
    reuse->need[reuse->rows[v]] += distance - reuse->row_distance[v];
  for (size_t v = 0; v < reuse->column_count; v++) {
    uint32_t column = reuse->columns[v];
    assert(reuse->column_distance[v] <= distance);
    reuse->offer[column] += distance - reuse->column_distance[v];
    set_price(reuse, column, 2 * reuse->offer[column] + 1);
  }
}

/* Follows the path backwards from its end and gives every column to the row that reached it. */
static void assign_along_path(struct reuse *reuse, uint32_t row, const struct candidate *end) {
  uint32_t column = end->column;
  if (column == REUSE_NONE) {
    uint32_t last = reuse->rows[end->visit];
    column = reuse->source[last];
    reuse->source[last] = REUSE_NONE;
    if (last == row) return;
  }
  for (;;) {
    uint32_t taker = reuse->via[column], next = reuse->source[taker];
    assert(reuse->records->items[column].last < reuse->records->items[taker].first);
    reuse->taker[column] = taker;
    reuse->source[taker] = column;
    if (taker == row) return;
    column = next;
  }
}

/* ---------------------------------------------------------------- the whole */

static bool reuse_init(struct reuse *reuse) {
  size_t count = reuse->records->count;
  reuse->leaves = tree_leaves(count);
  reuse->taker = memory_array(count, sizeof *reuse->taker);
  reuse->need = memory_array(count, sizeof *reuse->need);
  reuse->offer = memory_array(count, sizeof *reuse->offer);
  reuse->boxes = memory_array(2 * reuse->leaves, sizeof *reuse->boxes);
  reuse->order = memory_array(count, sizeof *reuse->order);
  reuse->leaf = memory_array(count, sizeof *reuse->leaf);
  reuse->rows = memory_array(count + 1, sizeof *reuse->rows);
  reuse->columns = memory_array(count, sizeof *reuse->columns);
  reuse->choices = memory_array(count + 1, sizeof *reuse->choices);
  reuse->row_distance = memory_array(count + 1, sizeof *reuse->row_distance);
  reuse->column_distance = memory_array(count, sizeof *reuse->column_distance);
  reuse->via = memory_array(count, sizeof *reuse->via);
  return reuse->taker && reuse->need && reuse->offer && reuse->boxes && reuse->order &&
         reuse->leaf && reuse->rows && reuse->columns && reuse->choices &&
         reuse->row_distance && reuse->column_distance && reuse->via;
}

static void reuse_clear(struct reuse *reuse) {
  free(reuse->taker);
  free(reuse->need);
  free(reuse->offer);
  free(reuse->boxes);
  free(reuse->order);
  free(reuse->leaf);
  heap_clear(&reuse->heap);
  free(reuse->rows);
  free(reuse->columns);
  free(reuse->choices);
  free(reuse->row_distance);
  free(reuse->column_distance);
  free(reuse->via);
}

neap_status reuse_cheapest(const struct records *records, uint32_t *source,
                           struct budget *budget, neap_error *error) {
  struct reuse reuse = {.records = records, .source = source};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < records->count; i++)
    if (records->items[i].size > NEAP_MAX / 8)
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: expected at most %" PRId64 " bytes", i, NEAP_MAX / 8);
  if (records->count >= REUSE_NONE || !reuse_init(&reuse)) status = error_memory(error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++)
    reuse.taker[i] = source[i] = REUSE_NONE;
  if (status == NEAP_OK) build_tree(&reuse);
  for (uint32_t row = 0; row < records->count && status == NEAP_OK; row++) {
    struct candidate end = {0, 0, REUSE_NONE};
    status = find_end(&reuse, row, &end, budget, error);
    if (status != NEAP_OK) break;
    change_prices(&reuse, end.distance / 2);
    assign_along_path(&reuse, row, &end);
  }
  reuse_clear(&reuse);
  return status;
}
