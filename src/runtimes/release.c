/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runtimes/release.h"

#include <stdlib.h>

#include "core/memory.h"

void release_clear(struct release *heap) {
  free(heap->items);
  *heap = (struct release){0};
}

static bool is_before(struct release_entry a, struct release_entry b) {
  return a.last != b.last ? a.last < b.last : a.id < b.id;
}

bool release_add(struct release *heap, neap_time last, size_t id) {
  if (!memory_reserve(&heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items))
    return false;
  struct release_entry entry = {last, id};
  size_t at = heap->count++;
  for (; at > 0 && is_before(entry, heap->items[(at - 1) / 2]); at = (at - 1) / 2)
    heap->items[at] = heap->items[(at - 1) / 2];
  heap->items[at] = entry;
  return true;
}

static void sink(struct release *heap, struct release_entry entry) {
  size_t at = 0;
  for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
    if (child + 1 < heap->count && is_before(heap->items[child + 1], heap->items[child]))
      child++;
    if (!is_before(heap->items[child], entry)) break;
    heap->items[at] = heap->items[child];
    at = child;
  }
  heap->items[at] = entry;
}

bool release_next(struct release *heap, neap_time now, size_t *id) {
  if (heap->count == 0 || heap->items[0].last >= now) return false;
  *id = heap->items[0].id;
  struct release_entry last = heap->items[--heap->count];
  if (heap->count > 0) sink(heap, last);
  return true;
}
