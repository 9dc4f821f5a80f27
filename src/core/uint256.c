/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/uint256.h"

/* Long multiplication with 64-bit digits (Knuth, volume 2, 4.3.1, algorithm M). */
struct uint256 uint256_product(wide_half a, wide_half b) {
  const wide_half mask = UINT64_MAX;
  wide_half a0 = a & mask, a1 = a >> 64, b0 = b & mask, b1 = b >> 64;
  wide_half low = a0 * b0, high = a1 * b1;
  wide_half middle = a0 * b1;
  wide_half carry = (low >> 64) + (middle & mask);
  high += middle >> 64;
  middle = a1 * b0;
  carry += middle & mask;
  high += (middle >> 64) + (carry >> 64);
  return (struct uint256){.high = high, .low = (carry << 64) | (low & mask)};
}
