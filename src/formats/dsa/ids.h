/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ids of pools or buffers, which may be any 32-bit numbers in any order. */
#ifndef FORMATS_DSA_IDS_H
#define FORMATS_DSA_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id {
  uint32_t number;
  size_t index;
};

/* Initialise with zeroes. */
struct ids {
  struct id *items; /* in order of numbers once they are sorted */
  size_t count, capacity;
};

void ids_clear(struct ids *ids);

/* Adds the id of the next index; false if memory runs out. */
bool ids_add(struct ids *ids, uint32_t number);

/* Sorts the ids.  If one occurs twice, returns false and the index of its second occurrence. */
bool ids_sort(struct ids *ids, size_t *twice);

/* The index of an id in a sorted list; false if it does not occur. */
bool ids_find(const struct ids *ids, uint32_t number, size_t *index);

#endif
