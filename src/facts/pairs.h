/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of buffers, which can be looked up by either buffer. */
#ifndef FACTS_PAIRS_H
#define FACTS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair {
  uint32_t first, second;
};

struct pairs {
  size_t *begin;    /* per buffer and one more: where its partners begin in `others` */
  uint32_t *others; /* per buffer ascending, each once */
};

/*
 * Indexes a list of pairs of the buffers 0 to buffer_count - 1, in either order and with
 * repetitions.  False when memory is short; clear it in any case.  O(n + pairs log pairs).
 */
bool pairs_init(struct pairs *pairs, size_t buffer_count, const struct pair *list,
                size_t count);
void pairs_clear(struct pairs *pairs);

/* Whether two buffers are a pair.  O(log n). */
bool pairs_has(const struct pairs *pairs, uint32_t first, uint32_t second);

#endif
