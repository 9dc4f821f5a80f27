/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A transposition table, as in game programs (Greenblatt, Eastlake and Crocker 1967).  It is
 * direct-mapped: each slot holds one key, and a newer key replaces an older one.  Sums of small
 * values times fixed odd numbers differ most in their upper bits, which therefore select the slot.
 * Looking up and adding take O(1).
 *
 * Keys are multilinear hashes (Carter and Wegman 1979).  If the largest power of two that divides
 * all differences between two states' values is 2^k, random multipliers give both the same key
 * with probability 2^(k - 128) at most; values are below 2^60.
 */
#include "search/refuted.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

bool refuted_init(struct refuted *refuted, unsigned bits) {
  assert(bits >= 1 && bits <= 40);
  refuted->keys = memory_array((size_t)1 << bits, sizeof *refuted->keys);
  refuted->shift = 128 - bits;
  return refuted->keys != NULL;
}

void refuted_clear(struct refuted *refuted) {
  free(refuted->keys);
  *refuted = (struct refuted){0};
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix_bits(uint64_t value) {
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

wide_half refuted_multiplier(uint64_t member) {
  uint64_t high = mix_bits(member * UINT64_C(0x9e3779b97f4a7c15) + 1);
  uint64_t low = mix_bits(high + UINT64_C(0xd1342543de82ef95));
  return (wide_half)high << 64 | low | 1;
}

bool refuted_has(const struct refuted *refuted, wide_half key) {
  assert(refuted->keys);
  return refuted->keys[(size_t)(key >> refuted->shift)] == key;
}

void refuted_add(struct refuted *refuted, wide_half key) {
  refuted->keys[(size_t)(key >> refuted->shift)] = key;
}
