/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/disjoint.h"

#include <stdlib.h>

#include "core/memory.h"

bool disjoint_init(struct disjoint *sets, size_t count) {
  sets->parent = memory_array(count, sizeof *sets->parent);
  for (uint32_t i = 0; sets->parent && i < count; i++)
    sets->parent[i] = i;
  return sets->parent != NULL;
}

void disjoint_clear(struct disjoint *sets) {
  free(sets->parent);
  *sets = (struct disjoint){0};
}

/* Halves the path on the way (van Leeuwen 1977). */
uint32_t disjoint_first(struct disjoint *sets, uint32_t number) {
  uint32_t *parent = sets->parent;
  while (parent[number] != number)
    number = parent[number] = parent[parent[number]];
  return number;
}

void disjoint_join(struct disjoint *sets, uint32_t first, uint32_t second) {
  uint32_t a = disjoint_first(sets, first), b = disjoint_first(sets, second);
  if (a < b) sets->parent[b] = a;
  else sets->parent[a] = b;
}
