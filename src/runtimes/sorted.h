/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list sorted by a key and, among equal keys, by a tie such as an id or an age. Finding is
 * a binary search; adding and removing move all entries that follow. This is for pools of free
 * blocks, which stay short compared with the number of blocks that pass through them.
 */
#ifndef RUNTIMES_SORTED_H
#define RUNTIMES_SORTED_H

#include "neap/neap.h"

struct sorted_entry {
  int64_t key;
  uint64_t tie;
  size_t id;
};

/* Begin with a zeroed struct. */
struct sorted {
  struct sorted_entry *items;
  size_t count, capacity;
};

void sorted_clear(struct sorted *list);

/* False when memory is short. */
bool sorted_add(struct sorted *list, struct sorted_entry entry);

/* The index of the first entry that is not before (key, tie). */
size_t sorted_find(const struct sorted *list, int64_t key, uint64_t tie);

/* Removes and returns the entry with this index. */
struct sorted_entry sorted_take(struct sorted *list, size_t place);

#endif
