/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers refuted states by their 128-bit keys. */
#ifndef SEARCH_REFUTED_H
#define SEARCH_REFUTED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/uint256.h"

struct refuted {
  wide_half *keys;
  unsigned shift; /* right shift that turns a key into its slot's number */
  unsigned most;  /* bits of the largest table */
  size_t added;   /* keys added so far, including replaced ones */
};

/*
 * Starts without slots and grows up to 2^most of them, 1 <= most <= 40, as keys are added.
 * Forgets keys if memory is short.
 */
void refuted_init(struct refuted *refuted, unsigned most);
void refuted_clear(struct refuted *refuted);

/*
 * A state's key is a sum of values, one per member, each times that member's multiplier: an odd,
 * pseudorandom number.
 */
wide_half refuted_multiplier(uint64_t member);

bool refuted_has(const struct refuted *refuted, wide_half key);
void refuted_add(struct refuted *refuted, wide_half key);

#endif
