/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Williams's binary heap (Algorithm 232: Heapsort, 1964).  The children of the entry at i are at
 * 2i + 1 and 2i + 2, and no entry comes before its parent.  Instead of swapping, a hole moves to
 * where the new entry goes.  Entries of equal key and tie leave in an order that depends only on
 * the pushes and pops so far, so results are the same on every machine.
 */
#include "core/heap.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

void heap_clear(struct heap *heap) {
  free(heap->items);
  *heap = (struct heap){0};
}

bool heap_reserve(struct heap *heap, size_t count) {
  return memory_reserve(&heap->items, &heap->capacity, count, sizeof *heap->items);
}

static inline bool is_before(const struct heap_entry *a, const struct heap_entry *b) {
  return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

bool heap_push(struct heap *heap, struct heap_entry entry) {
  if (!heap_reserve(heap, heap->count + 1)) return false;
  struct heap_entry *items = heap->items;
  size_t at = heap->count++;
  for (size_t parent; at > 0; at = parent) {
    parent = (at - 1) / 2;
    if (!is_before(&entry, &items[parent])) break;
    items[at] = items[parent];
  }
  items[at] = entry;
  return true;
}

struct heap_entry heap_pop(struct heap *heap) {
  assert(heap->count > 0);
  struct heap_entry *items = heap->items;
  struct heap_entry top = items[0], last = items[--heap->count];
  size_t at = 0;
  for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
    if (child + 1 < heap->count && is_before(&items[child + 1], &items[child])) child++;
    if (!is_before(&items[child], &last)) break;
    items[at] = items[child];
    at = child;
  }
  items[at] = last;
  return top;
}

bool heap_pop_below(struct heap *heap, int64_t limit, size_t *id) {
  if (heap->count == 0 || heap->items[0].key >= limit) return false;
  *id = heap_pop(heap).id;
  return true;
}
