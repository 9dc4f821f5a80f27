/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pool of unique names, numbered in the order they came: texts lie end to end, a hash table
 * finds them.
 */
#ifndef CORE_NAMES_H
#define CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
  char *text; /* every name, terminated, one after the other */
  size_t text_size, text_capacity;
  size_t *start; /* of each name in text */
  size_t count, capacity;
  uint32_t *slot; /* open addressing: number + 1, 0 is free */
  size_t slot_count;
};

#define NAMES_NONE SIZE_MAX

/* Begin with a zeroed struct. */
void names_clear(struct names *names);

/* The number of a name, or NAMES_NONE. */
size_t names_find(const struct names *names, const char *name, size_t length);

/* Adds a name that is not there yet; false when memory is short, with nothing changed. */
bool names_add(struct names *names, const char *name, size_t length);

/* Takes back the last name. */
void names_drop_last(struct names *names);

/* Valid until the next names_add. */
static inline const char *names_text(const struct names *names, size_t number) {
  return names->text + names->start[number];
}

#endif
