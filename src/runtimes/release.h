/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in use, by when it will be free: a heap with the earliest on top. */
#ifndef RUNTIMES_RELEASE_H
#define RUNTIMES_RELEASE_H

#include "neap/neap.h"

struct release_entry {
  neap_time last; /* the last task that uses it */
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

/* Takes out the smallest (last, id) whose last task is before `now`; false when there is none. */
bool release_next(struct release *heap, neap_time now, size_t *id);

#endif
