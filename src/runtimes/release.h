/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap of the ids in use, by the last task that uses them, the earliest on top. */
#ifndef RUNTIMES_RELEASE_H
#define RUNTIMES_RELEASE_H

#include "neap/neap.h"

struct release_entry {
  neap_time last; /* the last task that uses the id */
  size_t id;
};

/* Begin with a zeroed struct. */
struct release {
  struct release_entry *items;
  size_t count, capacity;
};

void release_clear(struct release *heap);

/* False when memory is short. */
bool release_add(struct release *heap, neap_time last, size_t id);

/* Removes the smallest (last, id) if its last task is before `now`; false if there is none. */
bool release_next(struct release *heap, neap_time now, size_t *id);

#endif
