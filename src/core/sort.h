/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting that is fast for few items and, by keys, for many. */
#ifndef CORE_SORT_H
#define CORE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts numbers, ascending. */
void sort_numbers(int64_t *numbers, size_t count);

/* For qsort and bsearch, ascending: indices (size_t), and numbers (uint32_t). */
int sort_by_index(const void *left, const void *right);
int sort_by_number(const void *left, const void *right);

/* An item and the key that sorts it. */
struct sort_pair {
  uint64_t key;
  uint64_t item;
};

/* The key that sorts signed numbers by ascending value. */
static inline uint64_t sort_key(int64_t number) { return (uint64_t)number ^ (uint64_t)1 << 63; }

/* Up to this many elements are sorted in place, without memory. */
#define SORT_FEW 40

/*
 * Sorts pairs by key, ascending; pairs with the same key stay in order.  Unless the pairs are few,
 * needs as much memory again; false, with nothing changed, if memory runs out.
 */
bool sort_pairs(struct sort_pair *pairs, size_t count);

/* The largest item of sort_items. */
#define SORT_ITEM_MOST 32

/*
 * Sorts like qsort_r.  `compare` must distinguish all items: which of equal ones comes first is
 * open.
 */
void sort_items(void *items, size_t count, size_t size,
                int compare(const void *, const void *, void *), void *context);

#endif
