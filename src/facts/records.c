/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The k-th positional maximum is the largest size such that at least k tensors of that size or
 * more are alive together (Y. Pisarchyk and J. Lee, Efficient memory management for deep neural net
 * inference, 2020).  So tensors are added from the largest to the smallest, and the depth that their
 * intervals reach is the number of maxima found so far.
 *
 * O(n log n) time, O(n) memory.
 */
#include "facts/records.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/depth.h"

neap_status records_check(const struct records *records, enum records_order order,
                          neap_error *error) {
  neap_size total = 0;
  for (size_t i = 0; i < records->count; i++) {
    const struct record *record = &records->items[i];
    if (record->size < 0)
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: expected a size of at least 0, found %" PRId64, i,
                       record->size);
    if (record->first < 0 || record->last < record->first)
      return error_set(
          error, NEAP_ERROR_INPUT,
          "record %zu: expected a first task from 0 to the last task, found %" PRId64
          " and %" PRId64,
          i, record->first, record->last);
    if (order == RECORDS_BY_FIRST && i > 0 && record->first < records->items[i - 1].first)
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: expected records ordered by first task, found %" PRId64
                       " after %" PRId64,
                       i, record->first, records->items[i - 1].first);
    if (!checked_add(total, record->size, &total))
      return error_set(error, NEAP_ERROR_INPUT, "record %zu: the sum of sizes exceeds 2^63 - 1",
                       i);
  }
  return NEAP_OK;
}

int records_by_first(const void *left, const void *right, void *items) {
  const struct record *records = items;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (records[a].first != records[b].first) return records[a].first < records[b].first ? -1 : 1;
  return a < b ? -1 : a > b;
}

int records_by_size(const void *left, const void *right, void *items) {
  const struct record *records = items;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (records[a].size != records[b].size) return records[a].size > records[b].size ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* ---------------------------------------------------------------- positional maxima */

/* Sets one more maximum for each tensor that increases the depth. */
static void fill_positions(const struct records *records, const size_t *order,
                           struct depth *depth, neap_size *maxima, size_t *count) {
  for (size_t i = 0; i < records->count; i++) {
    const struct record *record = &records->items[order[i]];
    depth_add(depth, order[i], 1);
    assert(*count == 0 || maxima[*count - 1] >= record->size);
    while ((neap_size)*count < depth_most(depth))
      maxima[(*count)++] = record->size;
  }
  assert(*count <= records->count);
}

neap_status records_positional_maxima(const struct records *records, neap_size **maxima,
                                      size_t *count, neap_error *error) {
  struct depth depth = {0};
  size_t *order = memory_array(records->count, sizeof *order);
  *maxima = memory_array(records->count, sizeof **maxima);
  *count = 0;
  bool good = order && *maxima && depth_init(&depth, records);
  if (good) {
    for (size_t i = 0; i < records->count; i++)
      order[i] = i;
    if (records->count > 0)
      qsort_r(order, records->count, sizeof *order, records_by_size, records->items);
    fill_positions(records, order, &depth, *maxima, count);
  } else {
    free(*maxima);
    *maxima = NULL;
  }
  free(order);
  depth_clear(&depth);
  return good ? NEAP_OK : error_memory(error);
}
