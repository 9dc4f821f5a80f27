/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/usage_records.h"

#include <inttypes.h>

#include "core/checked.h"
#include "core/error.h"

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
