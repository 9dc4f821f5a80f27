/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runtimes/sorted.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/memory.h"

void sorted_clear(struct sorted *list) {
  free(list->items);
  *list = (struct sorted){0};
}

size_t sorted_find(const struct sorted *list, int64_t key, uint64_t tie) {
  struct bisection search = bisection_of(0, list->count);
  while (bisection_open(&search)) {
    const struct sorted_entry *entry = &list->items[search.middle];
    bisection_step(&search, entry->key != key ? entry->key < key : entry->tie < tie);
  }
  return search.low;
}

bool sorted_add(struct sorted *list, struct sorted_entry entry) {
  if (!memory_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  size_t place = sorted_find(list, entry.key, entry.tie);
  memmove(list->items + place + 1, list->items + place,
          (list->count - place) * sizeof *list->items);
  list->items[place] = entry;
  list->count++;
  return true;
}

struct sorted_entry sorted_take(struct sorted *list, size_t place) {
  assert(place < list->count);
  struct sorted_entry entry = list->items[place];
  list->count--;
  memmove(list->items + place, list->items + place + 1,
          (list->count - place) * sizeof *list->items);
  return entry;
}
