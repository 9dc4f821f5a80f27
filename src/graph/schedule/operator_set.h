/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of operators: one bit for each. */
#ifndef SCHEDULE_OPERATOR_SET_H
#define SCHEDULE_OPERATOR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SET_WORD 64 /* operators per word */

static inline size_t set_words(size_t count) { return (count + SET_WORD - 1) / SET_WORD; }

static inline bool set_has(const uint64_t *set, size_t k) {
  return set[k / SET_WORD] >> (k % SET_WORD) & 1;
}

static inline void set_add(uint64_t *set, size_t k) {
  set[k / SET_WORD] |= (uint64_t)1 << (k % SET_WORD);
}

static inline void set_remove(uint64_t *set, size_t k) {
  set[k / SET_WORD] &= ~((uint64_t)1 << (k % SET_WORD));
}

/*
 * The hash of a set is the exclusive or of its operators' hashes (S. Vigna's splitmix64, a
 * bijection).
 */
static inline uint64_t set_hash(size_t k) {
  uint64_t x = ((uint64_t)k + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

#endif
