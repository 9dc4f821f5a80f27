/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggests known words in place of an unknown one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

struct suggestion {
  const char *word;
  const char *nearest; /* of the words offered; NULL if none is near enough */
  size_t distance;
};

struct suggestion suggestion_for(const char *word);
void suggestion_offer(struct suggestion *suggestion, const char *candidate);

/*
 * These print that a word is not one of `names`, and list all names, the nearest first and the
 * others in their order.  `option` is an option's name without dashes, `noun` describes an
 * operand.  They return the exit code.
 */
int suggest_value(const char *option, const char *word, const char *const *names, size_t count);
int suggest_operand(const char *noun, const char *word, const char *const *names, size_t count);

#endif
