/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words in messages: lists of any length, and suggestions in place of an unknown word. */
#ifndef CLI_OUTPUT_SUGGEST_H
#define CLI_OUTPUT_SUGGEST_H

#include <stdio.h>

#include <stddef.h>

struct suggestion {
  const char *word;
  const char *nearest; /* of the words offered; NULL if none is near enough */
  size_t distance;
};

struct suggestion suggestion_for(const char *word);
void suggestion_offer(struct suggestion *suggestion, const char *candidate);

/*
 * These report that a word is not one of `names`, and list all names, the nearest first and the
 * others in their order.  `option` is an option's name without dashes, `noun` describes an
 * operand.  They return the exit code.
 */
int suggest_value(const char *option, const char *word, const char *const *names, size_t count);
int suggest_operand(const char *noun, const char *word, const char *const *names, size_t count);

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
