/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of words in messages, of any length. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <stddef.h>
#include <stdio.h>

struct listing {
  FILE *stream; /* NULL when memory was short */
  char *text;
  size_t size;
};

void listing_begin(struct listing *listing);

/* Appends `before` and `word`. */
void listing_add(struct listing *listing, const char *before, const char *word);

/* The text, which the caller releases with free(); NULL when memory was short. */
char *listing_end(struct listing *listing);

/* "a, b, c", and "a, b or c" with last = " or ".  Returns as listing_end. */
char *listing_join(const char *const *words, size_t count, const char *last);

#endif
