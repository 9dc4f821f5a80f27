/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disjoint groups of numbers that grow together (union-find, Galler and Fischer 1964). */
#ifndef CORE_DISJOINT_H
#define CORE_DISJOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disjoint {
  uint32_t *parent; /* per number: a lower member of its group; itself: it is the lowest */
};

/* Each number from 0 to count - 1 is a group.  False when memory is short; clear it in any case. */
bool disjoint_init(struct disjoint *sets, size_t count);
void disjoint_clear(struct disjoint *sets);

/* The lowest number of a group.  Amortised O(log n). */
uint32_t disjoint_first(struct disjoint *sets, uint32_t number);

void disjoint_join(struct disjoint *sets, uint32_t first, uint32_t second);

#endif
