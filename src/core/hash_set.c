/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/hash_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define SLOTS_LEAST 16

void hash_set_clear(struct hash_set *set) {
  free(set->slots);
  *set = (struct hash_set){0};
}

void hash_set_empty(struct hash_set *set) {
  if (set->count > 0) memset(set->slots, 0, set->slot_count * sizeof *set->slots);
  set->count = 0;
}

static void put(struct hash_set *set, struct hash_slot slot) {
  size_t at = slot.hash & (set->slot_count - 1);
  while (set->slots[at].entry != 0)
    at = (at + 1) & (set->slot_count - 1);
  set->slots[at] = slot;
  set->count++;
}

bool hash_set_reserve(struct hash_set *set, size_t count) {
  struct hash_set larger = {.slot_count = set->slot_count ? set->slot_count : SLOTS_LEAST};
  if (count >= UINT32_MAX) return false;
  while (larger.slot_count / 3 * 2 < count)
    larger.slot_count *= 2;
  if (larger.slot_count == set->slot_count) return true;
  larger.slots = memory_array(larger.slot_count, sizeof *larger.slots);
  if (!larger.slots) return false;
  for (size_t at = 0; at < set->slot_count; at++)
    if (set->slots[at].entry != 0) put(&larger, set->slots[at]);
  free(set->slots);
  *set = larger;
  return true;
}

void hash_set_add(struct hash_set *set, uint64_t hash, size_t number) {
  assert(set->count < set->slot_count && number < UINT32_MAX);
  put(set, (struct hash_slot){hash_fold(hash), (uint32_t)number + 1});
}
