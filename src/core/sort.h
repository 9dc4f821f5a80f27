/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting that is fast for few items, too. */
#ifndef CORE_SORT_H
#define CORE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts numbers, ascending.  O(n log n). */
void sort_numbers(int64_t *numbers, size_t count);

/* The largest item of sort_items. */
#define SORT_ITEM_MOST 32

/* Sorts like qsort_r.  `compare` must distinguish all items: which of equal ones comes first is open. */
void sort_items(void *items, size_t count, size_t size,
                int compare(const void *, const void *, void *), void *context);

#endif
