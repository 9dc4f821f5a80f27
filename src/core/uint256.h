/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unsigned 256-bit integers, to sort exactly by products of three 63-bit metrics and by ratios,
 * which are compared by cross-multiplication.
 */
#ifndef CORE_UINT256_H
#define CORE_UINT256_H

#include <stdint.h>

__extension__ typedef unsigned __int128 wide_half;

struct uint256 {
  wide_half high, low;
};

struct uint256 uint256_product(wide_half a, wide_half b);

static inline struct uint256 uint256_from(wide_half value) {
  return (struct uint256){0, value};
}

/* Negative, zero or positive, like a comparison for qsort. */
static inline int uint256_compare(const struct uint256 *a, const struct uint256 *b) {
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->low < b->low ? -1 : a->low > b->low;
}

#endif
