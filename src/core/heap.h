/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary heap of ids, with the id of the smallest key on top. */
#ifndef CORE_HEAP_H
#define CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ordered by key, then by tie.  For descending keys, negate them. */
struct heap_entry {
  int64_t key;
  uint64_t tie;
  size_t id; /* the caller's; not compared */
};

/* Begin with a zeroed struct.  items[0] is the top. */
struct heap {
  struct heap_entry *items;
  size_t count, capacity;
};

void heap_clear(struct heap *heap);

/* Makes room for `count` entries, so that pushing them cannot fail; false if memory runs out. */
bool heap_reserve(struct heap *heap, size_t count);

/* Adds an entry.  O(log count).  False, with nothing changed, if memory runs out. */
bool heap_push(struct heap *heap, struct heap_entry entry);

/* Adds an id; of equal keys, the smallest id comes first. */
static inline bool heap_push_id(struct heap *heap, int64_t key, size_t id) {
  return heap_push(heap, (struct heap_entry){key, id, id});
}

/* Removes and returns the top.  O(log count).  The heap must not be empty. */
struct heap_entry heap_pop(struct heap *heap);

/* Removes the top and sets *id, if there is one and its key is below `limit`; otherwise false. */
bool heap_pop_below(struct heap *heap, int64_t limit, size_t *id);

#endif
