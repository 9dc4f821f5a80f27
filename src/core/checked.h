/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic on untrusted 64-bit numbers.  On overflow, each function returns false and leaves
 * *result unchanged.
 */
#ifndef CORE_CHECKED_H
#define CORE_CHECKED_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool checked_add(int64_t a, int64_t b, int64_t *result) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return false;
  *result = sum;
  return true;
}

static inline bool checked_mul(int64_t a, int64_t b, int64_t *result) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return false;
  *result = product;
  return true;
}

static inline int64_t smaller_of(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t larger_of(int64_t a, int64_t b) { return a > b ? a : b; }

/* Rounds value (>= 0) up to a multiple of alignment (>= 1). */
static inline bool checked_round_up(int64_t value, int64_t alignment, int64_t *result) {
  assert(value >= 0 && alignment >= 1);
  int64_t remainder = value % alignment;
  if (remainder == 0) {
    *result = value;
    return true;
  }
  return checked_add(value, alignment - remainder, result);
}

/* Rounds up without a check, for results that are known to fit. */
static inline int64_t round_up(int64_t value, int64_t alignment) {
  if (alignment == 1) return value;
  int64_t remainder = value % alignment;
  return remainder == 0 ? value : value + (alignment - remainder);
}

/* Rounds value (>= 0) down to a multiple of alignment (>= 1). */
static inline int64_t round_down(int64_t value, int64_t alignment) {
  return alignment == 1 ? value : value - value % alignment;
}

/* The greatest common divisor of two numbers >= 0; if one is 0, the other. */
static inline int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/*
 * `unit` if it divides the alignment or is a multiple of it; otherwise the greatest common divisor
 * of both.
 */
static inline int64_t unit_for_alignment(int64_t unit, int64_t alignment) {
  bool fits = alignment == 1 || unit % alignment == 0 || alignment % unit == 0;
  return fits ? unit : common_divisor(alignment, unit);
}

/* An alignment in units; the unit must fit it (unit_for_alignment). */
static inline int64_t alignment_in_units(int64_t alignment, int64_t unit) {
  return alignment == 1 || unit % alignment == 0 ? 1 : alignment / unit;
}

#endif
