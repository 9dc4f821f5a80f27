/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nearest known word to one that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

struct suggestion {
  const char *word;
  const char *nearest; /* of those offered; NULL where none is near enough to be meant */
  size_t distance;
};

struct suggestion suggestion_for(const char *word);
void suggestion_offer(struct suggestion *suggestion, const char *candidate);

#endif
