/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An open-addressing hash table.  Sets with equal hashes are compared in full, because a proof
 * rests on them.  When memory is short, the table keeps its sets and accepts no more.
 */
#include "schedule/sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define SLOTS_FIRST 1024

void failures_init(struct failures *failures, size_t words, size_t bytes) {
  /* Arrays double, so half of their memory may be empty; a set has at most four slots. */
  size_t of_set = (words + 1) * sizeof(uint64_t) + 4 * sizeof(uint32_t);
  *failures = (struct failures){.words = words, .most = bytes / 2 / of_set};
  if (failures->most > UINT32_MAX - 1) failures->most = UINT32_MAX - 1;
}

void failures_clear(struct failures *failures) {
  free(failures->slots);
  free(failures->hashes);
  free(failures->sets);
}

void failures_forget(struct failures *failures) {
  if (failures->count > 0)
    memset(failures->slots, 0, (failures->slot_mask + 1) * sizeof *failures->slots);
  failures->count = 0;
}

/* The slot of a set, or the empty slot where it belongs.  The table must have slots. */
static size_t find_slot(const struct failures *failures, const uint64_t *set, uint64_t hash) {
  size_t at = (size_t)(hash ^ hash >> 32) & failures->slot_mask;
  for (; failures->slots[at] != 0; at = (at + 1) & failures->slot_mask) {
    size_t number = failures->slots[at] - 1;
    if (failures->hashes[number] == hash && memcmp(failures->sets + number * failures->words,
                                                   set, failures->words * sizeof *set) == 0)
      break;
  }
  return at;
}

bool failures_has(const struct failures *failures, const uint64_t *set, uint64_t hash) {
  return failures->count > 0 && failures->slots[find_slot(failures, set, hash)] != 0;
}

/* Ensures room for one more set; at least a third of the slots stay empty. */
static bool reserve_slots(struct failures *failures) {
  size_t slots = failures->slots ? failures->slot_mask + 1 : 0;
  if (slots > 0 && failures->count + 1 <= slots / 3 * 2) return true;
  size_t wanted = slots == 0 ? SLOTS_FIRST : slots * 2;
  uint32_t *grown = memory_array(wanted, sizeof *grown);
  if (!grown) return false;
  free(failures->slots);
  failures->slots = grown;
  failures->slot_mask = wanted - 1;
  for (size_t i = 0; i < failures->count; i++) {
    size_t slot =
        find_slot(failures, failures->sets + i * failures->words, failures->hashes[i]);
    assert(grown[slot] == 0);
    grown[slot] = (uint32_t)i + 1;
  }
  return true;
}

static bool reserve_sets(struct failures *failures) {
  size_t capacity = failures->capacity;
  if (!memory_reserve(&failures->sets, &capacity, failures->count + 1,
                      failures->words * sizeof *failures->sets))
    return false;
  /* Both arrays have the same capacity. */
  return memory_reserve(&failures->hashes, &failures->capacity, failures->count + 1,
                        sizeof *failures->hashes);
}

void failures_add(struct failures *failures, const uint64_t *set, uint64_t hash) {
  if (failures->count == failures->most || !reserve_slots(failures) || !reserve_sets(failures))
    return;
  size_t slot = find_slot(failures, set, hash);
  if (failures->slots[slot] != 0) return;
  memcpy(failures->sets + failures->count * failures->words, set,
         failures->words * sizeof *set);
  failures->hashes[failures->count++] = hash;
  failures->slots[slot] = (uint32_t)failures->count;
}
