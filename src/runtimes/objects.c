/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runtimes/objects.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

bool objects_init(struct objects *objects, size_t count) {
  *objects = (struct objects){.of = memory_array(count, sizeof *objects->of)};
  return objects->of != NULL;
}

void objects_clear(struct objects *objects) {
  free(objects->of);
  free(objects->sizes);
  *objects = (struct objects){0};
}

bool objects_add(struct objects *objects, size_t record, neap_size size) {
  assert(size >= 0);
  if (!memory_reserve(&objects->sizes, &objects->capacity, objects->count + 1,
                      sizeof *objects->sizes))
    return false;
  objects->sizes[objects->count] = size;
  objects->of[record] = objects->count++;
  return true;
}

void objects_assign(struct objects *objects, size_t record, size_t object, neap_size size) {
  assert(object < objects->count);
  objects->of[record] = object;
  if (objects->sizes[object] < size) objects->sizes[object] = size;
}

neap_size objects_total(const struct objects *objects) {
  neap_size total = 0;
  for (size_t i = 0; i < objects->count; i++)
    total += objects->sizes[i]; /* at most the sum of the records' sizes */
  assert(total >= 0);
  return total;
}

static bool find_starts(const struct objects *objects, neap_size alignment, neap_offset *starts,
                        neap_size *total) {
  *total = 0;
  for (size_t o = 0; o < objects->count; o++)
    if (!checked_round_up(*total, alignment, &starts[o]) ||
        !checked_add(starts[o], objects->sizes[o], total))
      return false;
  return true;
}

neap_status objects_concatenate(const struct objects *objects, size_t record_count,
                                neap_size alignment, neap_offset *offsets, neap_size *total,
                                neap_error *error) {
  neap_offset *starts = memory_array(objects->count, sizeof *starts);
  if (!starts) return error_memory(error);
  neap_status status = NEAP_OK;
  if (!find_starts(objects, alignment, starts, total))
    status =
        error_set(error, NEAP_ERROR_INPUT, "the sum of the objects' sizes exceeds 2^63 - 1");
  for (size_t i = 0; i < record_count && status == NEAP_OK; i++) {
    if (objects->of[i] >= objects->count)
      status = error_set(error, NEAP_ERROR_INPUT, "record %zu: there is no object %zu", i,
                         objects->of[i]);
    else offsets[i] = starts[objects->of[i]];
  }
  free(starts);
  return status;
}
