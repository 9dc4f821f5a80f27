/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting without calls to compare. */
#ifndef CORE_SORT_H
#define CORE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts numbers, ascending.  O(n log n). */
void sort_numbers(int64_t *numbers, size_t count);

#endif
