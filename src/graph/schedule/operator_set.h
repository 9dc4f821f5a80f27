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

#endif
