/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pool of unique names, numbered in the order in which they were added.  Their texts are
 * stored end to end, and a hash table finds them.  The first names need no table if each is its
 * own number in decimal digits.
 */
#ifndef CORE_NAMES_H
#define CORE_NAMES_H

#include <stdbool.h>

#include "core/hash_set.h"

struct names {
  char *text; /* all names, each with its NUL */
  size_t text_size, text_capacity;
  size_t *start; /* of each name, in text */
  size_t count, capacity;
  size_t numbered; /* how many of the first names are their own numbers */
  struct hash_set set; /* of the others */
};

#define NAMES_NONE SIZE_MAX

/* Initialise the struct with zeroes. */
void names_clear(struct names *names);

/* The number of a name, or NAMES_NONE. */
size_t names_find(const struct names *names, const char *name, size_t length);

/* Makes room for a number of names, so that adding them is faster; false if memory runs out. */
bool names_reserve(struct names *names, size_t count);

/* Adds a new name; false, with nothing changed, if memory runs out. */
bool names_add(struct names *names, const char *name, size_t length);

/* Adds a name unless it is there; false, with nothing changed, if memory runs out. */
bool names_include(struct names *names, const char *name, size_t length);

/* Adds all names of another pool, none of which is in this one yet; false if memory runs out. */
bool names_add_all(struct names *names, const struct names *others);

/*
 * Reserve room for, or add, names that are their own numbers; adding needs names_are_numbers.
 * False if memory runs out.
 */
bool names_reserve_numbers(struct names *names, size_t count);
bool names_add_number(struct names *names);

static inline bool names_are_numbers(const struct names *names) {
  return names->numbered == names->count;
}

/* Valid until the next names_add. */
static inline const char *names_text(const struct names *names, size_t number) {
  return names->text + names->start[number];
}

#endif
