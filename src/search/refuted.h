/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of states that have been refuted, by 128-bit keys. */
#ifndef SEARCH_REFUTED_H
#define SEARCH_REFUTED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/wide.h"

struct refuted {
  wide_half *keys;
  unsigned shift; /* of a key, to the number of its slot */
};

/* 2^`bits` slots, 1 <= bits <= 40; false when memory is short. */
bool refuted_init(struct refuted *refuted, unsigned bits);
void refuted_clear(struct refuted *refuted);

/*
 * What one member's value is multiplied by in the sum that is a state's key: odd, different for
 * each, and otherwise as good as random.
 */
wide_half refuted_multiplier(uint64_t member);

bool refuted_has(const struct refuted *refuted, wide_half key);
void refuted_add(struct refuted *refuted, wide_half key);

#endif
