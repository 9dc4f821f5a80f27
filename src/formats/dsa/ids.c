/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dsa/ids.h"

#include <stdlib.h>

#include "core/memory.h"

void ids_clear(struct ids *ids) {
  free(ids->items);
  *ids = (struct ids){0};
}

bool ids_add(struct ids *ids, uint32_t number) {
  if (!memory_reserve(&ids->items, &ids->capacity, ids->count + 1, sizeof *ids->items))
    return false;
  ids->items[ids->count] = (struct id){number, ids->count};
  ids->count++;
  return true;
}

static int by_number(const void *left, const void *right) {
  const struct id *a = left, *b = right;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

bool ids_sort(struct ids *ids, size_t *twice) {
  if (ids->count > 0) qsort(ids->items, ids->count, sizeof *ids->items, by_number);
  for (size_t i = 1; i < ids->count; i++)
    if (ids->items[i].number == ids->items[i - 1].number) {
      *twice = ids->items[i].index;
      return false;
    }
  return true;
}

bool ids_find(const struct ids *ids, uint32_t number, size_t *index) {
  size_t low = 0, high = ids->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ids->items[middle].number < number) low = middle + 1;
    else high = middle;
  }
  if (low == ids->count || ids->items[low].number != number) return false;
  *index = ids->items[low].index;
  return true;
}
