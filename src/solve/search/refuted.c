/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A transposition table, as in game programs (Greenblatt, Eastlake and Crocker 1967).  It is
 * direct-mapped: each slot holds one key, and a newer key replaces an older one.  Sums of small
 * values times fixed odd numbers differ most in their upper bits, which therefore select the slot.
 * Looking up and adding take O(1).
 *
 * Most searches refute few states or none, and clearing a large table would take most of their
 * time.  So the first key allocates a small table, which grows four-fold whenever a quarter of
 * its slots may be in use.
 *
 * Keys are multilinear hashes (Carter and Wegman 1979).  If the largest power of two that divides
 * all differences between two states' values is 2^k, random multipliers give both the same key
 * with probability 2^(k - 128) at most; values are below 2^60.
 */
#include "search/refuted.h"

#include <assert.h>
#include <stdlib.h>

#include "core/hash_set.h"
#include "core/memory.h"

#define FIRST_BITS 8
#define MORE_BITS 2

static size_t slot_count(const struct refuted *refuted) {
  return (size_t)1 << (128 - refuted->shift);
}

static size_t slot_of(const struct refuted *refuted, wide_half key) {
  return (size_t)(key >> refuted->shift);
}

void refuted_init(struct refuted *refuted, unsigned most) {
  assert(most >= 1 && most <= 40);
  unsigned bits = most < FIRST_BITS ? most : FIRST_BITS;
  *refuted = (struct refuted){.shift = 128 - bits, .most = most};
}

void refuted_clear(struct refuted *refuted) {
  free(refuted->keys);
  *refuted = (struct refuted){0};
}

wide_half refuted_multiplier(uint64_t member) {
  uint64_t high = hash_mix(member * UINT64_C(0x9e3779b97f4a7c15) + 1);
  uint64_t low = hash_mix(high + UINT64_C(0xd1342543de82ef95));
  return (wide_half)high << 64 | low | 1;
}

/* Makes the table larger, unless it is as large as it may be, or memory is short. */
static void grow(struct refuted *refuted) {
  unsigned bits = 128 - refuted->shift, more = bits + MORE_BITS;
  if (more > refuted->most) more = refuted->most;
  wide_half *larger = more > bits ? memory_array((size_t)1 << more, sizeof *larger) : NULL;
  if (!larger) {
    refuted->most = 0;
    return;
  }
  size_t old_count = slot_count(refuted);
  refuted->shift = 128 - more;
  for (size_t i = 0; i < old_count; i++)
    if (refuted->keys[i] != 0) larger[slot_of(refuted, refuted->keys[i])] = refuted->keys[i];
  free(refuted->keys);
  refuted->keys = larger;
}

bool refuted_has(const struct refuted *refuted, wide_half key) {
  return refuted->keys && refuted->keys[slot_of(refuted, key)] == key;
}

void refuted_add(struct refuted *refuted, wide_half key) {
  if (!refuted->keys) refuted->keys = memory_array(slot_count(refuted), sizeof *refuted->keys);
  if (!refuted->keys) return;
  if (refuted->most > 0 && ++refuted->added > slot_count(refuted) / 4) grow(refuted);
  refuted->keys[slot_of(refuted, key)] = key;
}
