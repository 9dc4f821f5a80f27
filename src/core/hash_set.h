/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds numbered things by hash.  The things are stored elsewhere: a set holds their numbers, with
 * 32 bits of their hashes, in a table with open addressing and linear probing (Knuth, volume 3,
 * 6.4).  At most two thirds of the slots are taken.
 */
#ifndef CORE_HASH_SET_H
#define CORE_HASH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_slot {
  uint32_t hash, entry; /* the number of a thing plus 1; 0: free */
};

struct hash_set {
  struct hash_slot *slots;
  size_t slot_count; /* a power of two, or 0 */
  size_t count;
};

#define HASH_SET_NONE SIZE_MAX

/* Initialise the struct with zeroes. */
void hash_set_clear(struct hash_set *set);

/* Removes all numbers; the slots stay. */
void hash_set_empty(struct hash_set *set);

/* Makes room for a number of things; false, with nothing changed, if memory runs out. */
bool hash_set_reserve(struct hash_set *set, size_t count);

/* Adds the number of a thing that is not there yet; there must be room. */
void hash_set_add(struct hash_set *set, uint64_t hash, size_t number);

static inline uint32_t hash_fold(uint64_t hash) { return (uint32_t)(hash ^ hash >> 32); }

/*
 * The next thing that may have this hash, or HASH_SET_NONE; *probe counts the slots looked at, and
 * is 0 at first.  The caller compares.
 */
static inline size_t hash_set_next(const struct hash_set *set, uint64_t hash, size_t *probe) {
  const uint32_t folded = hash_fold(hash);
  if (set->count == 0) return HASH_SET_NONE;
  for (;;) {
    struct hash_slot slot = set->slots[(folded + (*probe)++) & (set->slot_count - 1)];
    if (slot.entry == 0) return HASH_SET_NONE;
    if (slot.hash == folded) return slot.entry - 1;
  }
}

/* ---------------------------------------------------------------- hashes */

/* FNV-1a, 64 bits (Fowler, Noll, Vo), with whole numbers in place of bytes. */
#define HASH_FIRST UINT64_C(0xcbf29ce484222325)
static inline uint64_t hash_next(uint64_t hash, uint64_t number) {
  return (hash ^ number) * UINT64_C(0x100000001b3);
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t hash_mix(uint64_t value) {
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

/* The hash of a set is the exclusive or of its members' hashes, SplitMix64's outputs. */
static inline uint64_t hash_member(uint64_t member) {
  return hash_mix((member + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

#endif
