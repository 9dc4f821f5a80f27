/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The strategies of TensorFlow Lite's GPU delegate that walk the records once: no sharing
 * (doc/tflite-gpu.md, 4.1), and sharing between equal sizes, either from pools of free objects,
 * O(n log n) (4.2), or by scanning all objects, O(n o) (4.3).
 */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "runtimes/sorted.h"
#include "runtimes/tflite_gpu.h"

neap_status gpu_naive(const struct records *records, struct objects *objects,
                      struct budget *budget, neap_error *error) {
  neap_status status = records_check(records, RECORDS_ANY_ORDER, error);
  if (status != NEAP_OK) return status;
  if (!objects_init(objects, records->count)) return error_memory(error);
  for (size_t i = 0; i < records->count; i++) {
    if (!budget_tick(budget)) return NEAP_NO_PLAN;
    if (!objects_add(objects, i, records->items[i].size)) return error_memory(error);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- equality */

struct equality {
  const struct records *records;
  struct objects *objects;
  struct heap in_use;
  struct sorted free; /* by size, then by when they were released */
  uint64_t releases;
};

static bool release_before(struct equality *equality, neap_time now) {
  size_t object;
  while (heap_pop_below(&equality->in_use, now, &object)) {
    struct sorted_entry entry = {equality->objects->sizes[object], equality->releases++,
                                 object};
    if (!sorted_add(&equality->free, entry)) return false;
  }
  return true;
}

static bool assign_equal(struct equality *equality, size_t i) {
  const struct record *record = &equality->records->items[i];
  struct objects *objects = equality->objects;
  if (!release_before(equality, record->first)) return false;
  struct sorted *pool = &equality->free;
  size_t above = sorted_find(pool, record->size, UINT64_MAX);
  if (above > 0 && pool->items[above - 1].key == record->size)
    objects->of[i] = sorted_take(pool, above - 1).id;
  else if (!objects_add(objects, i, record->size)) return false;
  return heap_push_id(&equality->in_use, record->last, objects->of[i]);
}

neap_status gpu_equality_hashed(const struct records *records, struct objects *objects,
                                struct budget *budget, neap_error *error) {
  neap_status status = records_check(records, RECORDS_BY_FIRST, error);
  if (status != NEAP_OK) return status;
  if (!objects_init(objects, records->count)) return error_memory(error);
  struct equality equality = {.records = records, .objects = objects};
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++) {
    if (!budget_tick(budget)) status = NEAP_NO_PLAN;
    else if (!assign_equal(&equality, i)) status = error_memory(error);
  }
  heap_clear(&equality.in_use);
  sorted_clear(&equality.free);
  return status;
}

/* The first free object of this size, or the number of objects. */
static size_t find_equal(const struct objects *objects, const neap_time *busy_until,
                         const struct record *record) {
  size_t object = 0;
  while (object < objects->count &&
         (busy_until[object] >= record->first || objects->sizes[object] != record->size))
    object++;
  return object;
}

neap_status gpu_equality_ordered(const struct records *records, struct objects *objects,
                                 struct budget *budget, neap_error *error) {
  neap_status status = records_check(records, RECORDS_ANY_ORDER, error);
  if (status != NEAP_OK) return status;
  neap_time *busy_until = memory_array(records->count, sizeof *busy_until);
  if (!busy_until || !objects_init(objects, records->count)) status = error_memory(error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++) {
    const struct record *record = &records->items[i];
    size_t object = find_equal(objects, busy_until, record);
    if (!budget_tick(budget)) status = NEAP_NO_PLAN;
    else if (object < objects->count) objects->of[i] = object;
    else if (!objects_add(objects, i, record->size)) status = error_memory(error);
    if (status != NEAP_OK) break;
    assert(objects->sizes[objects->of[i]] == record->size);
    busy_until[object] = record->last;
  }
  free(busy_until);
  return status;
}
