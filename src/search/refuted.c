/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each slot holds one key, and a newer one takes the place of an older.  Keys have 128 bits, of
 * which the slot's number gives away some twenty: that two different states are taken for one
 * another within a million million look-ups has a chance of about 2^-68.
 */
#include "search/refuted.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool refuted_init(struct refuted *refuted, size_t slots) {
  assert(slots > 0 && (slots & (slots - 1)) == 0);
  refuted->keys = memory_array(slots, sizeof *refuted->keys);
  refuted->mask = slots - 1;
  return refuted->keys != NULL;
}

void refuted_clear(struct refuted *refuted) {
  free(refuted->keys);
  *refuted = (struct refuted){0};
}

void refuted_forget(struct refuted *refuted) {
  memset(refuted->keys, 0, (refuted->mask + 1) * sizeof *refuted->keys);
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

wide_half refuted_key(uint64_t item, uint64_t value) {
  uint64_t high = mix(item * UINT64_C(0x9e3779b97f4a7c15) + value + 1);
  uint64_t low = mix((value ^ high) + item * UINT64_C(0xd1342543de82ef95));
  return (wide_half)high << 64 | low;
}

bool refuted_has(const struct refuted *refuted, wide_half key) {
  return refuted->keys[(size_t)key & refuted->mask] == key;
}

void refuted_add(struct refuted *refuted, wide_half key) {
  refuted->keys[(size_t)key & refuted->mask] = key;
}
