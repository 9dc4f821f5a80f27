/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runtimes/sorted.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void sorted_clear(struct sorted *list) {
  free(list->items);
  *list = (struct sorted){0};
}

size_t sorted_find(const struct sorted *list, int64_t key, uint64_t tie) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct sorted_entry *entry = &list->items[middle];
    if (entry->key < key || (entry->key == key && entry->tie < tie)) low = middle + 1;
    else high = middle;
  }
  return low;
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
  struct sorted_entry entry = list->items[place];
  list->count--;
  memmove(list->items + place, list->items + place + 1,
          (list->count - place) * sizeof *list->items);
  return entry;
}
